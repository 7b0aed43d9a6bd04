//! Keyword arguments of a call, taken one by one.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::arguments;
use crate::dicts::{shown, type_name};
use crate::errors::{Failure, OrRaise};

/// Keyword arguments. An argument that is `None` is not given; one that no one takes is an error.
pub(crate) struct Given<'py> {
    dict: Bound<'py, PyDict>,
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let dict = object.cast::<PyDict>()?.copy()?;
        Ok(Self { dict })
    }
}

impl<'py> Given<'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.dict.py()
    }

    /// An argument of any type.
    pub(crate) fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.dict.get_item(name)?;
        if value.is_some() {
            self.dict.del_item(name)?;
        }
        Ok(value.filter(|value| !value.is_none()))
    }

    /// Whether an argument is given.
    pub(crate) fn has(&self, name: &str) -> PyResult<bool> {
        let value = self.dict.get_item(name)?;
        Ok(value.is_some_and(|value| !value.is_none()))
    }

    /// An argument as it prints.
    pub(crate) fn text(&self, name: &str) -> PyResult<Option<String>> {
        let value = self.take(name)?;
        value.map(|value| printed(&value)).transpose()
    }

    /// One string, or several.
    pub(crate) fn strings(&self, name: &str) -> PyResult<Vec<String>> {
        let Some(value) = self.take(name)? else {
            return Ok(Vec::new());
        };
        if value.is_instance_of::<PyString>() {
            return Ok(vec![printed(&value)?]);
        }
        let Ok(items) = value.try_iter() else {
            return Err(wrong(name, &value, "a str, or several"));
        };
        items.map(|item| printed(&item?)).collect()
    }

    /// A value by its name, as the library reads it.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> PyResult<Option<T>> {
        self.read(name, |text| {
            text.parse().map_err(|why: T::Err| why.to_string())
        })
    }

    /// A value with a name and parameters, such as a model.
    pub(crate) fn named<T: FromStr<Err: Into<Failure>>>(&self, name: &str) -> PyResult<Option<T>> {
        let text = self.text(name)?;
        text.map(|text| text.parse())
            .transpose()
            .or_raise(self.py())
    }

    /// A value of an enum of the command line.
    pub(crate) fn chosen<T: ValueEnum>(&self, name: &str) -> PyResult<Option<T>> {
        self.read(name, |text| by_name(text))
    }

    /// A value that `parse` reads from text.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.take(name)? else {
            return Ok(None);
        };
        let text = printed(&value)?;
        let parsed = parse(&text).map_err(|why| {
            let message = format!("{name}={}: {why}", shown(&value));
            Failure::Usage(message).raise(value.py())
        });
        parsed.map(Some)
    }

    pub(crate) fn number(&self, name: &str) -> PyResult<Option<f64>> {
        let value = self.take(name)?;
        value.map(|value| number(name, &value)).transpose()
    }

    /// One number, or several, also as one str with commas.
    pub(crate) fn numbers(&self, name: &str) -> PyResult<Vec<f64>> {
        self.several(name, number)
    }

    pub(crate) fn wholes(&self, name: &str) -> PyResult<Vec<usize>> {
        self.several(name, whole)
    }

    fn several<T: FromStr>(
        &self,
        name: &str,
        read: impl Fn(&str, &Bound<'py, PyAny>) -> PyResult<T>,
    ) -> PyResult<Vec<T>> {
        let Some(value) = self.take(name)? else {
            return Ok(Vec::new());
        };
        if value.is_instance_of::<PyString>() {
            let text = printed(&value)?;
            let parts = text.split(',').map(|part| part.trim().parse());
            let parts = parts.collect::<Result<_, _>>();
            return parts.map_err(|_| wrong(name, &value, "numbers"));
        }
        match value.try_iter() {
            Ok(items) => items.map(|item| read(name, &item?)).collect(),
            Err(_) => Ok(vec![read(name, &value)?]),
        }
    }

    /// A whole number.
    pub(crate) fn whole<T: TryFrom<u64>>(&self, name: &str) -> PyResult<Option<T>> {
        let value = self.take(name)?;
        value.map(|value| whole(name, &value)).transpose()
    }

    /// A whole number from `least` to `most`.
    pub(crate) fn within(&self, name: &str, least: usize, most: usize) -> PyResult<Option<usize>> {
        let number = self.whole::<usize>(name)?;
        if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
            let message =
                format!("{name} is {number}; expected a whole number from {least} to {most}");
            return Err(Failure::Usage(message).raise(self.py()));
        }
        Ok(number)
    }

    /// Decimals of tables.
    pub(crate) fn digits(&self) -> PyResult<usize> {
        Ok(self.within("digits", 0, 17)?.unwrap_or(4))
    }

    pub(crate) fn flag(&self, name: &str) -> PyResult<bool> {
        let value = self.take(name)?;
        value.map_or(Ok(false), |value| arguments::flag(&value))
    }

    pub(crate) fn path(&self, name: &str) -> PyResult<Option<PathBuf>> {
        let value = self.take(name)?;
        value.map(|value| arguments::path(&value)).transpose()
    }

    /// Fails if an argument is left that no one took.
    pub(crate) fn done(&self) -> PyResult<()> {
        match self.dict.keys().iter().next() {
            None => Ok(()),
            Some(name) => {
                let message = format!("unexpected keyword argument {}", shown(&name));
                Err(Failure::Usage(message).raise(self.py()))
            }
        }
    }
}

/// The value of an enum of the command line.
pub(crate) fn by_name<T: ValueEnum>(text: &str) -> Result<T, String> {
    let names = T::value_variants().iter();
    let names = names.filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned()));
    let names: Vec<String> = names.collect();
    T::from_str(text, false).map_err(|_| format!("expected one of {}", names.join(", ")))
}

fn printed(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(arguments::text(value.str()?.as_any())?.to_owned())
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    if let Ok(text) = value.cast::<PyString>() {
        let parsed = arguments::text(text.as_any())?.trim().parse();
        return parsed.map_err(|_| wrong(name, value, "a number"));
    }
    if value.is_instance_of::<PyBool>() {
        return Err(wrong(name, value, "a number"));
    }
    value.extract().map_err(|_| wrong(name, value, "a number"))
}

fn whole<T: TryFrom<u64>>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let expected = "a whole number that is not negative";
    if value.is_instance_of::<PyBool>() {
        return Err(wrong(name, value, expected));
    }
    let number: u64 = match value.cast::<PyString>() {
        Ok(text) => text.to_string().trim().parse().ok(),
        Err(_) => value.extract().ok(),
    }
    .ok_or_else(|| wrong(name, value, expected))?;
    T::try_from(number).map_err(|_| wrong(name, value, expected))
}

fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = format!("{}, a {}", shown(value), type_name(value));
    Failure::Usage(format!("{name} is {found}; expected {expected}")).raise(value.py())
}
