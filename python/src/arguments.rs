//! Arguments of calls: each is of its type, or refused by an exception of the package that says what was expected.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use crate::dicts::{shown, type_name};
use crate::errors::Failure;

/// A text.
pub(crate) fn text<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let text = object.cast::<PyString>();
    let text = text.map_err(|_| wrong(object, "a str"))?;
    text.to_str().map_err(|_| no_unicode(object))
}

/// A text, or `None`.
pub(crate) fn optional_text<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    optional(object, text)
}

/// Strings, or `None`.
pub(crate) fn optional_strings(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    optional(object, |object| {
        if object.is_instance_of::<PyString>() || object.try_iter().is_err() {
            return Err(wrong(object, "a list of str"));
        }
        each(object, |item| Ok(text(item)?.to_owned()))
    })
}

/// A number, or `None`.
pub(crate) fn optional_number(object: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    optional(object, |object| {
        let number = object.extract::<f64>();
        number.map_err(|_| wrong(object, "a number that a float can hold"))
    })
}

/// A whole number.
pub(crate) fn whole(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    let number = object.extract::<i64>();
    number.map_err(|_| wrong(object, "a whole number of a few digits"))
}

/// `True` or `False`.
pub(crate) fn flag(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let flag = object.extract::<bool>();
    flag.map_err(|_| wrong(object, "True or False"))
}

/// A path: a text, or an object that is one for `os.fspath`.
pub(crate) fn path(object: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    object.extract().map_err(|_| no_path(object))
}

/// A path, or `None`.
pub(crate) fn optional_path(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    optional(object, path)
}

/// Paths.
pub(crate) fn paths(object: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    each(object, path)
}

/// Words of a command line.
pub(crate) fn words(object: &Bound<'_, PyAny>) -> PyResult<Vec<OsString>> {
    each(object, |word| word.extract().map_err(|_| no_path(word)))
}

fn optional<'a, 'py, T>(
    object: &'a Bound<'py, PyAny>,
    read: impl FnOnce(&'a Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    (!object.is_none()).then(|| read(object)).transpose()
}

fn each<T>(
    objects: &Bound<'_, PyAny>,
    read: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    objects.try_iter()?.map(|object| read(&object?)).collect()
}

/// A path is wrong by its type, or by letters that no system has in names of files.
fn no_path(object: &Bound<'_, PyAny>) -> PyErr {
    if object.is_instance_of::<PyString>() {
        no_unicode(object)
    } else {
        wrong(object, "a path: a str, or a pathlib.Path of one")
    }
}

fn wrong(object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = if object.is_none() || object.is_instance_of::<PyBool>() {
        shown(object)
    } else {
        format!("{}, a {}", shown(object), type_name(object))
    };
    Failure::Type(format!("found {found}; expected {expected}")).raise(object.py())
}

/// Why Python's text may be no Unicode, and what to do.
pub(crate) const HALF_PAIR: &str =
    "it has half of a surrogate pair; decode its bytes with errors='replace'";

/// A text with half of a pair of surrogates.
pub(crate) fn no_unicode(object: &Bound<'_, PyAny>) -> PyErr {
    let message = format!("{} is no Unicode text: {HALF_PAIR}", shown(object));
    Failure::Usage(message).raise(object.py())
}
