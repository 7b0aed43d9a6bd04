//! The native part of the Python package `cranfield`: the module `cranfield._core`.
//!
//! It holds objects (`Qrels`, `Run`, `Evaluator`, `Evaluation`) and functions that do all the work; the Python side names options,
//! finds out what it was given, and imports other libraries when they are asked for.
//!
//! Key decisions: objects never change, so that any number of threads may use them; all work is done without the interpreter's
//! lock, by `work::work`, which looks for Ctrl-C; data of other libraries is copied, or held in immutable Arrow buffers, before
//! the lock is given up; errors are `errors::Failure`s until they are raised.

#![allow(
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    reason = "comments of classes and functions are Python's docstrings"
)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "arguments of Python calls come by value, and keywords are arguments"
)]

mod agreeing;
mod arguments;
mod arrow_check;
mod arrow_in;
mod arrow_out;
mod ask;
mod benching;
mod buffers;
mod cells;
mod columns;
mod command;
mod compare;
mod custom;
mod data;
mod dense;
mod dicts;
mod drawn;
mod errors;
mod evaluate;
mod evaluation;
mod evaluator;
mod experiments;
mod files;
mod frames_out;
mod fusing;
mod gate;
mod given;
mod indexes;
mod inputs;
mod judging;
mod measures;
mod objects;
mod output;
mod pages;
mod pairs;
mod pooling;
mod qrels;
mod ranks;
mod run;
mod saved;
mod scores_out;
mod searching;
mod settings;
mod state;
mod strings;
mod table;
mod tests_of_pairs;
mod tuning;
mod work;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", cranfield::VERSION)?;
    module.add_class::<qrels::PyQrels>()?;
    module.add_class::<run::PyRun>()?;
    module.add_class::<evaluator::PyEvaluator>()?;
    module.add_class::<evaluation::PyEvaluation>()?;
    module.add_class::<arrow_out::PyTable>()?;
    module.add_function(wrap_pyfunction!(evaluate::check_formats, module)?)?;
    module.add_class::<gate::PyLock>()?;
    module.add_class::<indexes::PyIndex>()?;
    module.add_class::<dense::PyDenseIndex>()?;
    module.add_class::<inputs::PyInputs>()?;
    module.add_class::<output::PyOutput>()?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::expand_paths, module)?)?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    module.add_function(wrap_pyfunction!(command::command_line, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare_evaluation, module)?)?;
    module.add_function(wrap_pyfunction!(compare::discriminate, module)?)?;
    module.add_function(wrap_pyfunction!(compare::power, module)?)?;
    module.add_function(wrap_pyfunction!(drawn::plot, module)?)?;
    module.add_function(wrap_pyfunction!(drawn::report, module)?)?;
    module.add_function(wrap_pyfunction!(files::convert, module)?)?;
    module.add_function(wrap_pyfunction!(files::examine, module)?)?;
    module.add_function(wrap_pyfunction!(gate::gate, module)?)?;
    module.add_function(wrap_pyfunction!(indexes::analyzers, module)?)?;
    module.add_function(wrap_pyfunction!(indexes::index_files, module)?)?;
    module.add_function(wrap_pyfunction!(indexes::index_objects, module)?)?;
    module.add_function(wrap_pyfunction!(benching::bench, module)?)?;
    module.add_function(wrap_pyfunction!(benching::bench_index, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::demo, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::experiment_check, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::experiment_paths, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::experiment_plan, module)?)?;
    module.add_function(wrap_pyfunction!(experiments::experiment_run, module)?)?;
    module.add_function(wrap_pyfunction!(tuning::tune, module)?)?;
    module.add_function(wrap_pyfunction!(fusing::fuse, module)?)?;
    module.add_function(wrap_pyfunction!(fusing::normalize, module)?)?;
    module.add_function(wrap_pyfunction!(fusing::tune_fuse, module)?)?;
    module.add_function(wrap_pyfunction!(fusing::ranx_fuse, module)?)?;
    module.add_function(wrap_pyfunction!(fusing::ranx_log_odds, module)?)?;
    module.add_function(wrap_pyfunction!(fusing::ranx_normalize, module)?)?;
    module.add_function(wrap_pyfunction!(fusing::ranx_train, module)?)?;
    module.add_function(wrap_pyfunction!(searching::search, module)?)?;
    module.add_function(wrap_pyfunction!(pages::explain, module)?)?;
    module.add_function(wrap_pyfunction!(pages::rosetta, module)?)?;
    module.add_function(wrap_pyfunction!(pages::whence, module)?)?;
    module.add_function(wrap_pyfunction!(agreeing::agree, module)?)?;
    module.add_function(wrap_pyfunction!(agreeing::merge_qrels, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::similarity, module)?)?;
    module.add_function(wrap_pyfunction!(pooling::pool, module)?)?;
    module.add_function(wrap_pyfunction!(pooling::pool_bias, module)?)?;
    module.add_function(wrap_pyfunction!(pooling::pool_missing, module)?)?;
    module.add_function(wrap_pyfunction!(pooling::pool_settle, module)?)?;
    module.add_function(wrap_pyfunction!(pooling::pool_stats, module)?)?;
    module.add_function(wrap_pyfunction!(pooling::pool_votes, module)?)?;
    module.add_class::<judging::PyJudging>()?;
    module.add_function(wrap_pyfunction!(judging::judge, module)?)?;
    module.add_function(wrap_pyfunction!(judging::read_judgements, module)?)?;
    module.add_function(wrap_pyfunction!(ranks::scenarios, module)?)?;
    module.add_function(wrap_pyfunction!(ranks::vectors, module)?)?;
    module.add_function(wrap_pyfunction!(custom::rankings, module)?)?;
    module.add_function(wrap_pyfunction!(measures::parse, module)?)?;
    module.add_function(wrap_pyfunction!(measures::catalogue, module)?)?;
    module.add_function(wrap_pyfunction!(measures::trec_names, module)?)?;
    module.add_function(wrap_pyfunction!(tests_of_pairs::pair_tests, module)?)?;
    Ok(())
}
