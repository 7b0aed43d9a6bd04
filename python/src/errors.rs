//! From errors of the libraries to Python's exceptions, which are classes of `cranfield._errors`.

use cranfield::compare::CompareError;
use cranfield::core::error as core_error;
use cranfield::core::setting::SettingStyle;
use cranfield::explain::ExplainError;
use cranfield::gate::GateError;
use cranfield::io::{self, ErrorKind};
use cranfield::lab::bench::BenchError;
use cranfield::lab::tune::TuneError;
use cranfield::plots::DrawingError;
use cranfield::pool::SettleError;
use cranfield::report::ReportError;
use cranfield::report::plot::PlotError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// How messages spell settings.
pub(crate) const STYLE: SettingStyle = SettingStyle::Python;

/// A failure before it becomes a Python exception: made without the interpreter, by any thread.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An input or an output.
    Io(io::Error),
    /// A name, a parameter, an option.
    Usage(String),
    /// A name that nothing has.
    Unknown(String),
    /// Data in memory that cannot be used as it is.
    Input(String),
    /// An object of a type that cannot be read.
    Type(String),
    /// A mistake of this library.
    Internal(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<core_error::Error> for Failure {
    fn from(error: core_error::Error) -> Self {
        match error.kind() {
            core_error::ErrorKind::UnknownName => Self::Unknown(error.render(STYLE)),
            _ => Self::Usage(error.render(STYLE)),
        }
    }
}

impl From<SettleError> for Failure {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::Input(error) => error.into(),
            SettleError::Setting(error) => error.into(),
            other => Self::Usage(other.to_string()),
        }
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        Self::Usage(error.render(STYLE))
    }
}

impl From<GateError> for Failure {
    fn from(error: GateError) -> Self {
        match error {
            GateError::Input(error) => Self::Io(error),
            other => Self::Usage(other.render(STYLE)),
        }
    }
}

impl From<ExplainError> for Failure {
    fn from(error: ExplainError) -> Self {
        match error {
            ExplainError::Input(error) => Self::Io(error),
            other @ ExplainError::Request(_) => Self::Usage(other.render(STYLE)),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Input(error) => Self::Io(error),
            other => Self::Usage(other.render(STYLE)),
        }
    }
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<DrawingError> for Failure {
    fn from(error: DrawingError) -> Self {
        Self::Usage(error.render(STYLE))
    }
}

impl From<cranfield::search::Error> for Failure {
    fn from(error: cranfield::search::Error) -> Self {
        match error {
            cranfield::search::Error::Input(error) => error.into(),
            cranfield::search::Error::Name(error) => error.into(),
        }
    }
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Self {
        match error {
            TuneError::Input(error) => error.into(),
            TuneError::Name(error) => error.into(),
            other => Self::Usage(other.render(STYLE)),
        }
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        Self::Usage(error.render(STYLE))
    }
}

impl From<cranfield::lab::Error> for Failure {
    fn from(error: cranfield::lab::Error) -> Self {
        use cranfield::lab::Error::{Bench, Compare, Input, Name, Report};
        match error {
            Input(error) => error.into(),
            Name(error) => error.into(),
            Bench(error) => error.into(),
            Compare(error) => error.into(),
            Report(error) => error.into(),
            other => Self::Usage(other.to_string()),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        match error.downcast::<io::Error>() {
            Ok(error) => Self::Io(error),
            Err(error) => Self::Usage(cranfield_cli::message(&error, STYLE)),
        }
    }
}

impl From<io::Problem> for Failure {
    fn from(problem: io::Problem) -> Self {
        Self::Io(problem.into())
    }
}

impl Failure {
    /// The exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let errors = py.import("cranfield._errors")?;
        let exception = match self {
            Self::Io(error) => {
                let class = match error.kind() {
                    ErrorKind::Read => "FileError",
                    ErrorKind::Write | ErrorKind::BrokenPipe => "WriteError",
                    _ => "InputError",
                };
                let problems = problems(py, &error)?;
                let arguments = (error.line(STYLE), problems, error.render(STYLE));
                let exception = errors.getattr(class)?.call1(arguments)?;
                let number = error.problems().first().and_then(|first| first.os_error);
                if let Some(number) = number {
                    exception.setattr("errno", number)?;
                }
                exception
            }
            Self::Usage(message) => errors.getattr("UsageError")?.call1((message,))?,
            Self::Unknown(message) => errors.getattr("UnknownNameError")?.call1((message,))?,
            Self::Input(message) => errors.getattr("InputError")?.call1((message,))?,
            Self::Type(message) => errors.getattr("InputTypeError")?.call1((message,))?,
            Self::Internal(message) => errors.getattr("InternalError")?.call1((message,))?,
        };
        Ok(PyErr::from_value(exception))
    }
}

fn problems<'py>(py: Python<'py>, error: &io::Error) -> PyResult<Bound<'py, PyList>> {
    let class = py.import("cranfield._errors")?.getattr("Problem")?;
    let list = PyList::empty(py);
    for problem in error.problems() {
        let some = |number: u64| (number > 0).then_some(number);
        let arguments = (
            problem.code.id(),
            problem.path.as_str(),
            some(problem.line),
            some(problem.column.into()),
            problem.message.render(STYLE),
            problem.help.as_ref().map(|help| help.render(STYLE)),
        );
        list.append(class.call1(arguments)?)?;
    }
    Ok(list)
}

/// A result whose failure becomes an exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: Into<Failure>> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| error.into().raise(py))
    }
}
