//! Vectors with ids, from a file or from memory.

use std::ops::Range;
use std::path::Path;

use cranfield_io::{Code, Error, Problem, Source, read_parquet_vectors};

use super::matrix::Matrix;
use super::{exact, ids, jsonl, npy};

/// Rows that are checked at once.
const BLOCK: usize = 1024;

/// Vectors of equal length, each with an id.
#[derive(Debug)]
pub struct Vectors {
    name: String,
    ids: Vec<String>,
    matrix: Matrix,
    norms: Vec<f64>,
}

impl Vectors {
    /// Opens a file: a `NumPy` array with a file of ids next to it, a Parquet table, or JSON Lines. The format is detected from the
    /// content; an uncompressed array is mapped, not copied.
    ///
    /// # Errors
    /// If the file is damaged or incomplete, vectors differ in length or are not finite, or ids are missing or repeated.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let source = Source::open(path)?;
        if source.bytes().starts_with(npy::MAGIC) {
            let matrix = npy::read(&source)?;
            let ids = ids::beside(path, matrix.rows())?;
            Self::checked(source.name(), ids, matrix)
        } else if source.bytes().starts_with(b"PAR1") {
            let table = read_parquet_vectors(&source)?;
            let dims = uniform_length(&source, &table.ends)?;
            let ids = ids::utf8(&source, table.ids)?;
            Self::checked(source.name(), ids, Matrix::owned(table.values, dims))
        } else {
            let (ids, values) = jsonl::read(&source)?;
            Self::new(source.name(), ids, values)
        }
    }

    /// Wraps vectors in memory, one after the other; messages refer to them as `name`.
    ///
    /// # Errors
    /// If the number of values is not a multiple of the number of ids, an id is repeated, or a value is not finite.
    pub fn new(name: &str, ids: Vec<String>, values: Vec<f32>) -> Result<Self, Error> {
        let dims = values.len().checked_div(ids.len()).unwrap_or(0);
        if dims == 0 || dims * ids.len() != values.len() {
            let message = format!("found {} values for {} vectors", values.len(), ids.len());
            return Err(Problem::file(Code::BadVectors, name, message).into());
        }
        Self::checked(name, ids, Matrix::owned(values, dims))
    }

    fn checked(name: &str, ids: Vec<String>, matrix: Matrix) -> Result<Self, Error> {
        if matrix.rows() == 0 || u32::try_from(matrix.rows()).is_err() {
            let message = format!("found {} vectors, expected 1 to 4294967295", matrix.rows());
            return Err(Problem::file(Code::BadVectors, name, message).into());
        }
        ids::check_unique(name, &ids)?;
        let mut vectors = Self {
            name: name.into(),
            ids,
            matrix,
            norms: Vec::new(),
        };
        vectors.norms = vectors.measure();
        vectors.check_finite()?;
        Ok(vectors)
    }

    fn measure(&self) -> Vec<f64> {
        let mut scratch = Vec::new();
        let mut norms = Vec::with_capacity(self.len());
        for start in (0..self.len()).step_by(BLOCK) {
            let rows = self.block(start..(start + BLOCK).min(self.len()), &mut scratch);
            norms.extend(exact::norms(rows, self.dims()));
        }
        norms
    }

    /// Checks the lengths, which are finite only if all components are.
    fn check_finite(&self) -> Result<(), Error> {
        let max = f64::from(f32::MAX) / 2.0;
        let Some(row) = self
            .norms
            .iter()
            .position(|norm| norm.is_nan() || *norm > max)
        else {
            return Ok(());
        };
        let mut scratch = Vec::new();
        let wrong = self
            .row(row, &mut scratch)
            .iter()
            .position(|x| !x.is_finite());
        let problem = wrong.map_or_else(
            || "is too long for 32-bit arithmetic".into(),
            |at| format!("component {} is not a finite number", at + 1),
        );
        let message = format!("vector {} (`{}`): {problem}", row + 1, self.ids[row]);
        Err(Problem::file(Code::VectorNotFinite, &self.name, message).into())
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ids, in the order of the rows.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.matrix.rows()
    }

    /// Whether there are no vectors; never true.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of components of each vector.
    pub fn dims(&self) -> usize {
        self.matrix.dims()
    }

    /// The vector with an id, alone.
    pub fn one(&self, id: &str) -> Option<Self> {
        let row = self.ids.iter().position(|other| other == id)?;
        let mut scratch = Vec::new();
        let values = self.row(row, &mut scratch).to_vec();
        Self::new(&self.name, vec![id.to_owned()], values).ok()
    }

    pub(super) fn id(&self, row: usize) -> &str {
        &self.ids[row]
    }

    /// The lengths of the vectors.
    pub(super) fn norms(&self) -> &[f64] {
        &self.norms
    }

    pub(super) fn norm(&self, row: usize) -> f64 {
        self.norms[row]
    }

    pub(super) fn row<'a>(&'a self, row: usize, scratch: &'a mut Vec<f32>) -> &'a [f32] {
        self.block(row..row + 1, scratch)
    }

    pub(super) fn block<'a>(&'a self, rows: Range<usize>, scratch: &'a mut Vec<f32>) -> &'a [f32] {
        self.matrix.block(rows, scratch)
    }
}

/// The length of all lists that end at these places.
fn uniform_length(source: &Source, ends: &[usize]) -> Result<usize, Error> {
    let expected = ends.first().copied().unwrap_or(0);
    for (row, end) in ends.iter().enumerate() {
        let found = end - row.checked_sub(1).map_or(0, |before| ends[before]);
        if found != expected {
            let message = format!(
                "row {} has {found} dimensions, the first row {expected}",
                row + 1
            );
            return Err(Problem::file(Code::VectorLength, source.name(), message).into());
        }
    }
    Ok(expected)
}
