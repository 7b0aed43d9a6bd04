//! The measures of `-m`: a set in the order of the registry, each with the first parameters given for it.

use cranfield_core::evaluate::Plan;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::params::Value;
use cranfield_measures::profiles::Profile;
use cranfield_measures::spec::Conventions;
use cranfield_measures::trec_names::{GROUPS, NamedMeasure, TREC_MEASURES, TrecKind, TrecMeasure};

use super::exit::{Exit, INPUT, USAGE};
use super::options::{Compat, Options};
use super::parameters::{self, Fault};

/// Measures that version 9 does not have.
const SINCE_10: [&str; 5] = ["dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"];

/// The judgements that a measure needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    Grades,
    Preferences,
    Groups,
}

impl Needs {
    fn of(row: &TrecMeasure) -> Self {
        match row.name {
            "runid" | "num_q" => Self::Nothing,
            "map_avgjg" | "P_avgjg" | "Rprec_mult_avgjg" => Self::Groups,
            name if name.starts_with("prefs_") => Self::Preferences,
            _ => Self::Grades,
        }
    }
}

/// The requested measures, by place in the registry, and their parameters.
#[derive(Debug)]
pub(super) struct Request {
    wanted: [bool; TREC_MEASURES.len()],
    parameters: [Option<Vec<u8>>; TREC_MEASURES.len()],
}

impl Default for Request {
    fn default() -> Self {
        Self {
            wanted: [false; TREC_MEASURES.len()],
            parameters: [const { None }; TREC_MEASURES.len()],
        }
    }
}

impl Request {
    /// Adds the argument of a `-m`.
    pub(super) fn add(&mut self, text: &[u8], compat: Compat) -> Result<(), Exit> {
        let point = text.iter().position(|byte| *byte == b'.');
        let name = &text[..point.unwrap_or(text.len())];
        let given = point.map(|at| &text[at + 1..]);
        let illegal: &[&[u8]] = &[b"trec_eval: illegal measure '", name, b"'\n"];
        if given.is_some_and(<[u8]>::is_empty) {
            let improper: &[&[u8]] = &[b"trec_eval: improper measure in parameter '", name, b"'\n"];
            return Err(Exit::new(USAGE, improper).then(illegal));
        }
        if let Some((_, letter)) = GROUPS.iter().find(|(group, _)| group.as_bytes() == name) {
            self.add_group(*letter, compat);
            return Ok(());
        }
        let place = TREC_MEASURES
            .iter()
            .position(|row| row.name.as_bytes() == name && exists(row, compat));
        let place = place.ok_or_else(|| Exit::new(USAGE, illegal))?;
        self.wanted[place] = true;
        if let (None, Some(given)) = (&self.parameters[place], given) {
            self.parameters[place] = Some(given.to_vec());
        }
        Ok(())
    }

    fn add_group(&mut self, letter: char, compat: Compat) {
        for (wanted, row) in self.wanted.iter_mut().zip(&TREC_MEASURES) {
            *wanted |= row.in_group(letter) && exists(row, compat);
        }
    }

    /// The requested rows, in the order of the registry.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'static TrecMeasure> {
        self.entries().map(|(row, _)| row)
    }

    fn entries(&self) -> impl Iterator<Item = (&'static TrecMeasure, Option<&[u8]>)> {
        let all = TREC_MEASURES.iter().zip(&self.wanted).zip(&self.parameters);
        all.filter(|((_, wanted), _)| **wanted)
            .map(|((row, _), given)| (row, given.as_deref()))
    }

    /// Builds the measures; if there are none, the official ones.
    pub(super) fn select(mut self, options: &Settings) -> Result<Selection, Exit> {
        if !self.wanted.contains(&true) {
            self.add_group('o', options.compat);
        }
        let mut selection = Selection::default();
        for (row, given) in self.entries() {
            let failed = |fault: &Fault| {
                let exit = Exit::new(INPUT, &[&fault.message()]);
                exit.then(&[
                    b"trec_eval: Cannot initialize measure '",
                    row.name.as_bytes(),
                    b"'\n",
                ])
            };
            selection.rows.push((row, Needs::of(row)));
            if row.name == "utility"
                && given.is_some_and(|text| parameters::floats(text).len() != 4)
            {
                selection.bad_utility = true;
                continue;
            }
            let named = bind(row, given, options).map_err(|fault| failed(&fault))?;
            selection.add(row, named);
        }
        Ok(selection)
    }
}

fn exists(row: &TrecMeasure, compat: Compat) -> bool {
    compat == Compat::Ten || !SINCE_10.contains(&row.name)
}

/// Options that affect measures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    compat: Compat,
    level: i64,
    docs: i64,
}

impl Settings {
    pub(super) fn of(options: &Options) -> Self {
        Self {
            compat: options.compat,
            level: options.level,
            docs: options.docs,
        }
    }
}

/// The measures of a row with the parameters given.
fn bind(
    row: &TrecMeasure,
    given: Option<&[u8]>,
    settings: &Settings,
) -> Result<Vec<NamedMeasure>, Fault> {
    let profile = match settings.compat {
        Compat::Nine => Profile::TrecEval9,
        Compat::Ten => Profile::TrecEval,
    };
    let conventions = Conventions {
        profile,
        level: Some(settings.level as f64),
    };
    let text = given.map(String::from_utf8_lossy);
    let mut named = match (row.kind, given) {
        (TrecKind::Cutoffs(_), Some(given)) => {
            row.at_cutoffs(&parameters::cutoffs(given)?, &conventions)?
        }
        (TrecKind::Points(_), Some(given)) => {
            row.at_points(&parameters::points(given)?, &conventions)?
        }
        (TrecKind::Floats(..), Some(given)) => {
            vec![row.with_floats(
                &parameters::floats(given),
                &text.unwrap_or_default(),
                &conventions,
            )?]
        }
        (TrecKind::Pairs, Some(given)) => {
            let pairs = parameters::pairs(given, settings.compat)?;
            vec![row.with_pairs(
                pairs.gains,
                pairs.p,
                &text.unwrap_or_default(),
                &conventions,
            )?]
        }
        _ => row.plain(&conventions)?,
    };
    if row.name == "utility" && settings.docs != 0 {
        for NamedMeasure { measure, .. } in &mut named {
            let docs = Value::Real(settings.docs as f64);
            *measure = measure
                .info
                .bind(measure.params.clone().with("docs", docs))?;
        }
    }
    Ok(named)
}

/// A value that is printed: a measure at one cutoff.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) row: &'static TrecMeasure,
    /// Printed name.
    pub(super) name: String,
}

/// The measures, ready to be computed.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Rows in the order of the registry.
    pub(super) rows: Vec<(&'static TrecMeasure, Needs)>,
    /// One per measure of [`plan`](Self::plan).
    pub(super) columns: Vec<Column>,
    pub(super) plan: Plan,
    /// `utility` has a wrong number of coefficients, which fails with the first topic. It has no column then.
    pub(super) bad_utility: bool,
}

impl Selection {
    fn add(&mut self, row: &'static TrecMeasure, named: Vec<NamedMeasure>) {
        for NamedMeasure { name, measure } in named {
            self.columns.push(Column { row, name });
            self.plan.measures.push(measure);
        }
    }

    /// Columns with their measures.
    pub(super) fn measures(&self) -> impl Iterator<Item = (&Column, &BoundMeasure)> {
        self.columns.iter().zip(&self.plan.measures)
    }
}
