//! `DenseIndex`: exact search of vectors.

use std::path::PathBuf;
use std::sync::Arc;

use cranfield::lab::bench::cores;
use cranfield::search::dense::{DenseIndex, Similarity, Vectors, find_vectors};
use pyo3::prelude::*;

use crate::arguments::path;
use crate::buffers::converted;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::run::PyRun;
use crate::work::{watched, work};

/// Vectors: a file or folder, or ids and an array.
enum VectorSource {
    Path(PathBuf),
    Memory(Vec<String>, Vec<f32>),
}

impl VectorSource {
    /// Reads a path, or ids and an array of `float32` or `float64` with a row for each.
    fn read(object: &Bound<'_, PyAny>, ids: Option<Vec<String>>) -> PyResult<Self> {
        let Some(ids) = ids else {
            return Ok(Self::Path(path(object)?));
        };
        let values = converted(object, |value: f32| value)
            .or_else(|| converted(object, |value: f64| value as f32))
            .ok_or_else(|| Failure::Type("expected an array of floats".into()))
            .or_raise(object.py())?;
        Ok(Self::Memory(ids, values))
    }

    /// The vectors. In a folder, they are in the file `stem.*`.
    fn open(self, stem: &str) -> Result<Vectors, Failure> {
        Ok(match self {
            Self::Path(path) if path.is_dir() => Vectors::open(find_vectors(&path, stem)?)?,
            Self::Path(path) => Vectors::open(path)?,
            Self::Memory(ids, values) => Vectors::new(&format!("<{stem}>"), ids, values)?,
        })
    }
}

/// Vectors of documents.
#[pyclass(frozen, module = "cranfield._core", name = "DenseIndex")]
pub(crate) struct PyDenseIndex {
    index: Arc<DenseIndex>,
}

#[pymethods]
impl PyDenseIndex {
    /// Vectors of a file or folder, or of an array with a row for each id.
    #[new]
    fn new(
        vectors: &Bound<'_, PyAny>,
        ids: Option<Vec<String>>,
        given: Given<'_>,
    ) -> PyResult<Self> {
        let similarity: Similarity = given.parsed("similarity")?.unwrap_or_default();
        given.done()?;
        let source = VectorSource::read(vectors, ids)?;
        let index = work(given.py(), true, None, move || {
            Ok(DenseIndex::new(source.open("documents")?, similarity))
        });
        Ok(Self {
            index: Arc::new(index?),
        })
    }

    /// Number of documents, dimensions, and the name of the similarity.
    fn description(&self) -> (usize, usize, String) {
        let documents = self.index.documents();
        (
            documents.len(),
            documents.dims(),
            self.index.similarity().to_string(),
        )
    }

    /// The best documents for each vector of topics.
    fn search(
        &self,
        topics: &Bound<'_, PyAny>,
        ids: Option<Vec<String>>,
        given: Given<'_>,
    ) -> PyResult<PyRun> {
        let depth = given.whole("depth")?.unwrap_or(1000);
        let threads = given.within("threads", 1, 1024)?.unwrap_or_else(cores);
        let tag = given.text("tag")?.unwrap_or_else(|| "dense".into());
        given.done()?;
        let (source, index) = (VectorSource::read(topics, ids)?, Arc::clone(&self.index));
        watched(given.py(), None, None, move |_| {
            let run = index.run(&tag, &source.open("topics")?, depth, threads)?;
            Ok(PyRun::new(run, tag))
        })
    }
}
