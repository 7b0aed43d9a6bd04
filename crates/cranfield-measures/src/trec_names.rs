//! The 57 measures of `trec_eval` 10: names, order, groups and parameters, each with its Cranfield measure.
//!
//! This table is the only definition of `trec_eval`'s names. The drop-in program iterates over it in order; the
//! name grammar uses it for parsing and printing.

use cranfield_core::error::Error;
use cranfield_core::gains::Gains;
use cranfield_core::grammar::Spec;
use cranfield_core::measure::{BoundMeasure, MeasureInfo};
use cranfield_core::params::{Cutoff, Params, Value};

use crate::profiles::{NEEDS_CUTOFF, NO_CUTOFF};
use crate::spec::{self, Conventions};

/// How `trec_eval` reads a measure's parameters and prints its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrecKind {
    /// A string, no parameters.
    Text,
    /// An integer, summed.
    Count,
    /// A real number, no parameters.
    Real,
    /// Integer cutoffs, with their defaults.
    Cutoffs(&'static [u64]),
    /// Real cutoffs, with their defaults.
    Points(&'static [f64]),
    /// Real numbers in a fixed order for the named parameter, with their defaults.
    Floats(&'static str, &'static [f64]),
    /// Pairs of a grade and its gain, and `p` for RBP.
    Pairs,
}

/// A row of `trec_eval`'s list of measures.
#[derive(Clone, Copy, Debug)]
pub struct TrecMeasure {
    /// `trec_eval`'s name, without parameters.
    pub name: &'static str,
    /// Parameters and printing.
    pub kind: TrecKind,
    /// Printed per topic.
    pub per_topic: bool,
    /// Printed in the summary.
    pub summary: bool,
    /// Letters of the groups that contain it, see [`GROUPS`].
    groups: &'static str,
    /// Cranfield's name of the family.
    pub family: &'static str,
}

/// Names of the groups and their letters.
pub const GROUPS: [(&str, char); 6] = [
    ("official", 'o'),
    ("set", 's'),
    ("all_trec", 'a'),
    ("all_prefs", 'A'),
    ("prefs", 'p'),
    ("qrels_jg", 'j'),
];

const DEPTHS: &[u64] = &[5, 10, 15, 20, 30, 100, 200, 500, 1000];
const ELEVEN: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const MULTIPLES: &[f64] = &[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0];

use TrecKind::{Count, Cutoffs, Floats, Pairs, Points, Real, Text};

const fn row(
    name: &'static str,
    kind: TrecKind,
    groups: &'static str,
    family: &'static str,
) -> TrecMeasure {
    TrecMeasure {
        name,
        kind,
        per_topic: true,
        summary: true,
        groups,
        family,
    }
}

const fn summary_only(
    name: &'static str,
    kind: TrecKind,
    groups: &'static str,
    family: &'static str,
) -> TrecMeasure {
    TrecMeasure {
        per_topic: false,
        ..row(name, kind, groups, family)
    }
}

/// All measures in the order of `trec_eval`'s output.
pub const TREC_MEASURES: [TrecMeasure; 57] = [
    summary_only("runid", Text, "oaspAj", "RunId"),
    summary_only("num_q", Count, "oaspAj", "NumQ"),
    row("num_ret", Count, "oas", "NumRet"),
    row("num_rel", Count, "oas", "NumRel"),
    row("num_rel_ret", Count, "oas", "NumRelRet"),
    row("map", Real, "oa", "AP"),
    summary_only("gm_map", Real, "oa", "GMAP"),
    row("Rprec", Real, "oa", "Rprec"),
    row("bpref", Real, "oa", "Bpref"),
    row("recip_rank", Real, "oa", "RR"),
    row("iprec_at_recall", Points(ELEVEN), "oa", "IPrec"),
    row("P", Cutoffs(DEPTHS), "oa", "P"),
    TrecMeasure {
        summary: false,
        ..row("relstring", Floats("length", &[10.0]), "a", "RelString")
    },
    row("recall", Cutoffs(DEPTHS), "a", "R"),
    row("infAP", Real, "a", "infAP"),
    summary_only("gm_bpref", Real, "a", "GMBpref"),
    row("Rprec_mult", Points(MULTIPLES), "a", "RprecMult"),
    row(
        "utility",
        Floats("coefficients", &[1.0, -1.0, 0.0, 0.0]),
        "as",
        "Utility",
    ),
    row("11pt_avg", Floats("points", ELEVEN), "a", "IAP"),
    row("binG", Real, "a", "binG"),
    row("G", Pairs, "a", "G"),
    row("dcg", Pairs, "", "DCG"),
    row("ideal_dcg", Pairs, "", "IDCG"),
    row("ndcg", Pairs, "a", "nDCG"),
    row("ndcg_rel", Pairs, "a", "nDCGrel"),
    row("Rndcg", Pairs, "a", "RnDCG"),
    row("ndcg_cut", Cutoffs(DEPTHS), "a", "nDCG"),
    row("map_cut", Cutoffs(DEPTHS), "a", "AP"),
    row("relative_P", Cutoffs(DEPTHS), "a", "RelP"),
    row("success", Cutoffs(&[1, 5, 10]), "a", "Success"),
    row("set_P", Real, "as", "SetP"),
    row("set_relative_P", Real, "as", "SetRelP"),
    row("set_recall", Real, "as", "SetR"),
    row("set_map", Real, "as", "SetAP"),
    row("set_F", Floats("beta", &[1.0]), "as", "SetF"),
    row("num_nonrel_judged_ret", Count, "a", "NumNonRelJudgedRet"),
    row("prefs_num_prefs_poss", Count, "pA", "NumPrefs"),
    row("prefs_num_prefs_ful", Count, "pA", "NumPrefsFul"),
    row("prefs_num_prefs_ful_ret", Count, "pA", "NumPrefsFulRet"),
    row("prefs_simp", Real, "pA", "PrefSimp"),
    row("prefs_pair", Real, "pA", "PrefPair"),
    row("prefs_avgjg", Real, "pA", "PrefAvgJg"),
    row("prefs_avgjg_Rnonrel", Real, "A", "PrefAvgJgRnonrel"),
    row("prefs_simp_ret", Real, "A", "PrefSimpRet"),
    row("prefs_pair_ret", Real, "A", "PrefPairRet"),
    row("prefs_avgjg_ret", Real, "A", "PrefAvgJgRet"),
    row("prefs_avgjg_Rnonrel_ret", Real, "A", "PrefAvgJgRnonrelRet"),
    row("prefs_simp_imp", Real, "A", "PrefSimpImp"),
    row("prefs_pair_imp", Real, "A", "PrefPairImp"),
    row("prefs_avgjg_imp", Real, "A", "PrefAvgJgImp"),
    row("map_avgjg", Real, "j", "APavgjg"),
    row("P_avgjg", Cutoffs(DEPTHS), "j", "Pavgjg"),
    row("Rprec_mult_avgjg", Points(MULTIPLES), "j", "RprecMultavgjg"),
    row("yaap", Real, "", "yaap"),
    row("rbp", Pairs, "a", "RBP"),
    row("rbp_resid", Pairs, "a", "RBPResidual"),
    row("unj", Cutoffs(&[5, 10, 20]), "a", "Unjudged"),
];

/// A measure with the name that `trec_eval` prints.
#[derive(Debug)]
pub struct NamedMeasure {
    /// `trec_eval`'s printed name, with parameters.
    pub name: String,
    /// The measure.
    pub measure: BoundMeasure,
}

impl TrecMeasure {
    /// Whether a group contains this measure.
    pub fn in_group(&self, letter: char) -> bool {
        self.groups.contains(letter)
    }

    fn info(&self) -> Result<&'static MeasureInfo, Error> {
        spec::find_exact(self.family)
            .ok_or_else(|| Error::unknown(format!("`{}` of trec_eval is not available", self.name)))
    }

    /// Default parameters where `trec_eval`'s differ from the family's; `with` ignores undeclared ones.
    fn defaults(&self, conventions: &Conventions) -> Result<Params, Error> {
        let params = conventions.defaults(self.info()?);
        Ok(match self.name {
            "rbp" | "rbp_resid" => params
                .with("p", Value::Real(0.9))
                .with("gains", Value::Gains(Gains::default()))
                .with("scale", Value::Word("topic")),
            name => match recall_rule(name, conventions) {
                Some(rule) => params.with("recall", Value::Word(rule)),
                None => params,
            },
        })
    }

    fn bind(&self, name: String, params: Params) -> Result<NamedMeasure, Error> {
        let mut measure = self.info()?.bind(params)?;
        measure.label = Some(name.clone());
        Ok(NamedMeasure { name, measure })
    }

    /// The measure without parameters, or at each of its default cutoffs.
    pub fn plain(&self, conventions: &Conventions) -> Result<Vec<NamedMeasure>, Error> {
        match self.kind {
            Cutoffs(cutoffs) => self.at_cutoffs(cutoffs, conventions),
            Points(points) => self.at_points(points, conventions),
            Floats(_, values) => Ok(vec![self.with_floats(values, "", conventions)?]),
            Text | Count | Real | Pairs => Ok(vec![
                self.bind(self.name.into(), self.defaults(conventions)?)?,
            ]),
        }
    }

    /// The measure at each cutoff, for [`TrecKind::Cutoffs`].
    pub fn at_cutoffs(
        &self,
        cutoffs: &[u64],
        conventions: &Conventions,
    ) -> Result<Vec<NamedMeasure>, Error> {
        let at = |&cutoff: &u64| {
            let documents = Cutoff::new(cutoff).ok_or_else(|| {
                Error::parameter(format!("cutoff of {} must be at least 1", self.name))
            })?;
            let params = self.defaults(conventions)?.with_cutoff(documents);
            self.bind(format!("{}_{cutoff}", self.name), params)
        };
        cutoffs.iter().map(at).collect()
    }

    /// The measure at each point, for [`TrecKind::Points`].
    pub fn at_points(
        &self,
        points: &[f64],
        conventions: &Conventions,
    ) -> Result<Vec<NamedMeasure>, Error> {
        let at = |&point: &f64| {
            // trec_eval keeps nine characters of the underscore and the number.
            let suffix: String = format!("_{point:.2}").chars().take(9).collect();
            let params = self.defaults(conventions)?.with_point(point);
            self.bind(format!("{}{suffix}", self.name), params)
        };
        points.iter().map(at).collect()
    }

    /// The measure with a list of numbers, for [`TrecKind::Floats`]; `text` is the user's notation, empty for
    /// the default.
    pub fn with_floats(
        &self,
        values: &[f64],
        text: &str,
        conventions: &Conventions,
    ) -> Result<NamedMeasure, Error> {
        let Floats(param, _) = self.kind else {
            unreachable!("{} takes no list of numbers", self.name)
        };
        let value = match param {
            "points" | "coefficients" => Value::Reals(values.to_vec()),
            _ => Value::Real(values.first().copied().unwrap_or(0.0)),
        };
        self.bind(
            self.printed(text),
            self.defaults(conventions)?.with(param, value),
        )
    }

    /// The measure with gains of grades (and RBP's `p`), for [`TrecKind::Pairs`]; `text` is the user's
    /// notation.
    pub fn with_pairs(
        &self,
        gains: Vec<(f64, f64)>,
        p: Option<f64>,
        text: &str,
        conventions: &Conventions,
    ) -> Result<NamedMeasure, Error> {
        let mut params = self.defaults(conventions)?;
        if !gains.is_empty() {
            params = params.with("gains", Value::Gains(Gains::new(gains)));
            params = params.with("ideal", Value::Word("trec_eval"));
        }
        if let Some(p) = p {
            params = params.with("p", Value::Real(p));
        }
        self.bind(self.printed(text), params)
    }

    /// Computes a measure of the family under this name of `trec_eval`, or explains why that is not possible.
    /// The level is its option `-l`.
    fn asked(
        &self,
        own: &BoundMeasure,
        conventions: &Conventions,
    ) -> Result<BoundMeasure, Vec<String>> {
        let reasons = |error: Error| vec![error.to_string()];
        let mut params = self.defaults(conventions).map_err(reasons)?;
        params = match (self.kind, own.params.cutoff()) {
            (Cutoffs(_), Some(cutoff)) => params.with_cutoff(cutoff),
            (Cutoffs(_), None) => return Err(vec![NEEDS_CUTOFF.into()]),
            (Points(_), _) => params.with_point(own.params.point()),
            (_, Some(_)) => return Err(vec![NO_CUTOFF.into()]),
            (_, None) => params,
        };
        let takes = |name: &str, value: &Value| match (self.kind, value) {
            _ if name == "rel" => true,
            (Floats(param, _), _) => param == name,
            (Pairs, Value::Gains(gains)) => !gains.pairs().is_empty(),
            _ => false,
        };
        for (name, value) in own.params.said(own.info) {
            if takes(name, value) {
                params = params.with(name, value.clone());
                if name == "gains" {
                    params = params.with("ideal", Value::Word("trec_eval"));
                }
            }
        }
        self.info()
            .and_then(|info| info.bind(params))
            .map_err(reasons)
    }

    fn printed(&self, text: &str) -> String {
        if text.is_empty() {
            self.name.into()
        } else {
            format!("{}_{text}", self.name)
        }
    }
}

/// Computes a measure under each of `trec_eval`'s names of its family, or explains why that is not possible.
pub(crate) fn asked(
    own: &BoundMeasure,
    conventions: &Conventions,
) -> Vec<Result<BoundMeasure, Vec<String>>> {
    let rows = TREC_MEASURES
        .iter()
        .filter(|row| row.family == own.info.name);
    rows.map(|row| row.asked(own, conventions)).collect()
}

/// All names of measures and groups.
pub fn names() -> impl Iterator<Item = &'static str> {
    TREC_MEASURES
        .iter()
        .map(|row| row.name)
        .chain(GROUPS.iter().map(|(name, _)| *name))
}

/// Recall rule that a name of `trec_eval` implies: version 10's, unless the profile sets another.
pub(crate) fn recall_rule(name: &str, conventions: &Conventions) -> Option<&'static str> {
    let family = match name {
        "iprec_at_recall" => "IPrec",
        "11pt_avg" => "IAP",
        _ => return None,
    };
    let rule = conventions.profile.convention(family, "recall");
    Some(rule.unwrap_or("round"))
}

/// Adds the recall rule that a name of `trec_eval` implies, unless the arguments choose one.
pub(crate) fn add_recall_rule(spec: &mut Spec, conventions: &Conventions) {
    let is_given = spec.arguments.iter().any(|(name, _)| name == "recall");
    if let Some(rule) = recall_rule(&spec.name, conventions).filter(|_| !is_given) {
        spec.arguments.push(("recall".into(), rule.into()));
    }
}

/// The row of this name.
pub fn find(name: &str) -> Option<&'static TrecMeasure> {
    TREC_MEASURES.iter().find(|row| row.name == name)
}

/// Parses `trec_eval`'s notation: a group, a plain name, `name.parameters`, or a printed name such as `P_10`.
///
/// `None` if the text is none of these. Outside `trec_eval`'s profiles, a text that is also a Cranfield name is
/// left to the canonical grammar.
pub(crate) fn parse(
    text: &str,
    conventions: &Conventions,
) -> Option<Result<Vec<BoundMeasure>, Error>> {
    if !conventions.profile.prints_trec_names() && spec::find_exact(text).is_some() {
        return None;
    }
    let named = if let Some((_, letter)) = GROUPS.iter().find(|(name, _)| *name == text) {
        let rows = TREC_MEASURES.iter().filter(|row| row.in_group(*letter));
        rows.map(|row| row.plain(conventions))
            .collect::<Result<Vec<_>, _>>()
            .map(|all| all.into_iter().flatten().collect())
    } else if let Some(row) = find(text) {
        row.plain(conventions)
    } else {
        let (row, parameters) = split_parameters(text)?;
        parse_parameters(row, parameters, conventions)
    };
    Some(named.map(|all| all.into_iter().map(|named| named.measure).collect()))
}

/// Splits `ndcg_cut.10` or `ndcg_cut_10` after the longest matching name.
fn split_parameters(text: &str) -> Option<(&'static TrecMeasure, &str)> {
    if let Some((name, parameters)) = text.split_once('.')
        && let Some(row) = find(name)
        && takes_parameters(row)
    {
        return Some((row, parameters));
    }
    let rows = TREC_MEASURES.iter().filter(|row| takes_parameters(row));
    rows.filter_map(|row| Some((row, text.strip_prefix(row.name)?.strip_prefix('_')?)))
        .filter(|(_, parameters)| {
            parameters.starts_with(|c: char| c.is_ascii_digit() || "-.p".contains(c))
        })
        .max_by_key(|(row, _)| row.name.len())
}

fn takes_parameters(row: &TrecMeasure) -> bool {
    !matches!(row.kind, Text | Count | Real)
}

fn parse_parameters(
    row: &TrecMeasure,
    text: &str,
    conventions: &Conventions,
) -> Result<Vec<NamedMeasure>, Error> {
    let wrong = |expected: &str| {
        Error::parameter(format!(
            "parameters of {} must be {expected}, not `{text}`",
            row.name
        ))
    };
    match row.kind {
        Cutoffs(_) => {
            let cutoffs = text
                .split(',')
                .map(|item| item.trim().parse().ok().filter(|k| *k > 0));
            let cutoffs: Option<Vec<u64>> = cutoffs.collect();
            row.at_cutoffs(
                &cutoffs.ok_or_else(|| wrong("cutoffs such as 5,10"))?,
                conventions,
            )
        }
        Points(_) => {
            let points = numbers(text).ok_or_else(|| wrong("numbers such as .25,.5"))?;
            row.at_points(&points, conventions)
        }
        Floats(..) => {
            let values = numbers(text).ok_or_else(|| wrong("numbers such as 1,-1,0,0"))?;
            Ok(vec![row.with_floats(&values, text, conventions)?])
        }
        Pairs => {
            let (gains, p) = pairs(text).ok_or_else(|| wrong("pairs such as 1=3,2=9"))?;
            Ok(vec![row.with_pairs(gains, p, text, conventions)?])
        }
        Text | Count | Real => Err(wrong("absent")),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite())
        // Turns minus zero into zero, as in canonical names.
        .map(|value| value + 0.0)
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(',').map(number).collect()
}

/// Gains by grade, and RBP's `p`.
type GainPairs = (Vec<(f64, f64)>, Option<f64>);

fn pairs(text: &str) -> Option<GainPairs> {
    let (mut gains, mut p) = (Vec::new(), None);
    for item in text.split(',') {
        let (name, value) = item.split_once('=')?;
        let value = number(value)?;
        if name.trim() == "p" {
            p = Some(value);
        } else {
            gains.push((number(name)?, value));
        }
    }
    Some((gains, p))
}

/// The name that `trec_eval` prints for a measure, if it has one.
pub fn printed_name(measure: &BoundMeasure) -> Option<String> {
    if let Some(label) = &measure.label {
        return Some(label.clone());
    }
    let conventions = Conventions::default();
    let family = TREC_MEASURES
        .iter()
        .filter(|row| row.family == measure.info.name);
    let mut candidates = family.filter_map(|row| match (row.kind, measure.params.cutoff()) {
        (Cutoffs(_), Some(cutoff)) => row
            .at_cutoffs(&[cutoff.get() as u64], &conventions)
            .ok()?
            .pop(),
        (Points(_), _) => row
            .at_points(&[measure.params.point()], &conventions)
            .ok()?
            .pop(),
        (Cutoffs(_), None) => None,
        _ => row.plain(&conventions).ok()?.pop(),
    });
    candidates
        .find(|candidate| candidate.measure.same_as(measure))
        .map(|found| found.name)
}

#[cfg(test)]
mod tests;
