//! Measures: pure functions of a judged ranking, with a description of themselves.
//!
//! [`Measure`] computes; [`MeasureInfo`] holds everything that help, documentation, error messages and
//! the name grammar need. A [`BoundMeasure`] is the two together with chosen parameters, and prints its
//! canonical name.

use std::fmt;
use std::sync::Arc;

use crate::error::Error;
use crate::explain::Board;
use crate::groups::GroupMeasure;
use crate::known::KnownMeasure;
use crate::params::{Cutoff, CutoffRule, ParamInfo, Params, Value};
use crate::policy::Overrides;
use crate::prefs::PreferenceMeasure;
use crate::sampled::{DrawnMeasure, StratifiedMeasure};
use crate::session::SessionMeasure;
use crate::setting::{Choice, Setting};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// A measure of one topic's ranking.
pub trait Measure: fmt::Debug + Send + Sync {
    /// The value for a topic, or `None` where the measure's documentation calls it undefined.
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64>;

    /// The relevance level whose binary reading this measure asks for, so that it is made once for all
    /// measures.
    fn level(&self) -> Option<f64> {
        None
    }

    /// Whether this measure takes sums of discounted grades that are made once for all measures, if they are there.
    fn shares_dcg(&self) -> bool {
        false
    }

    /// The number that `trec_eval` prints if [`evaluate`](Self::evaluate) returns `None`.
    fn reference_undefined(&self, _topic: &JudgedRanking<'_>) -> f64 {
        0.0
    }

    /// The merit of a document, if the measure is monotone: exchanging two neighbouring documents so
    /// that the one of higher merit comes first never makes the value worse, which is lower unless smaller is better.
    /// It holds for any two documents if one of them is the topic's best and the other an unjudged one.
    /// `None`, whatever the label, claims nothing.
    fn merit(&self, _label: Label) -> Option<f64> {
        None
    }

    /// Whether a document of higher [`merit`](Self::merit) in place of another never makes the value worse, even though
    /// the recall base grows with it.
    fn grows_with_merit(&self) -> bool {
        false
    }

    /// The expected value over all orders of tied documents, where that needs no enumeration; asked for only where the
    /// value of one of the orders is defined.
    fn expected(&self, _topic: &TiedRanking<'_>) -> Option<f64> {
        None
    }

    /// The computation as a table, for measures that can be followed rank by rank. `None` where the value is
    /// undefined, too.
    fn board(&self, _topic: &JudgedRanking<'_>) -> Option<Board> {
        None
    }

    /// The part of the value that no row of the [`board`](Self::board) has, such as the 1 of 1 − F.
    fn offset(&self) -> f64 {
        0.0
    }
}

impl dyn Measure + '_ {
    /// The value for a topic; where it is undefined, NaN, or what `trec_eval` prints.
    pub(crate) fn value(&self, topic: &JudgedRanking<'_>, reference_values: bool) -> f64 {
        match self.evaluate(topic) {
            Some(value) => value,
            None if reference_values => self.reference_undefined(topic),
            None => f64::NAN,
        }
    }
}

/// A textual measure, such as the string of a ranking's grades.
pub trait TextMeasure: fmt::Debug + Send + Sync {
    /// The text for a topic.
    fn describe(&self, topic: &JudgedRanking<'_>) -> String;
}

/// The computing side of a measure, by what it needs to see.
#[derive(Clone, Debug)]
pub enum Computation {
    /// A function of grades in rank order.
    Ranked(Arc<dyn Measure>),
    /// A text made from grades in rank order.
    Text(Arc<dyn TextMeasure>),
    /// A function of one judged ranking per judgement group.
    Grouped(Arc<dyn GroupMeasure>),
    /// A function of preferences between documents.
    Preference(Arc<dyn PreferenceMeasure>),
    /// A function of a pool that was sampled stratum by stratum.
    Stratified(Arc<dyn StratifiedMeasure>),
    /// A function of judgements that were drawn with unequal probabilities.
    Drawn(Arc<dyn DrawnMeasure>),
    /// A function of grades in rank order and of the documents that the user knew before.
    Known(Arc<dyn KnownMeasure>),
    /// A function of the rankings of a session.
    Session(Arc<dyn SessionMeasure>),
    /// Constant 1 for every topic evaluated: the number of topics, when summed.
    TopicCount,
    /// The run's own name.
    RunId,
}

impl Computation {
    /// Creates a function of grades in rank order.
    pub fn ranked(measure: impl Measure + 'static) -> Self {
        Self::Ranked(Arc::new(measure))
    }

    /// Creates a function of one judged ranking per judgement group.
    pub fn grouped(measure: impl GroupMeasure + 'static) -> Self {
        Self::Grouped(Arc::new(measure))
    }

    /// The input of the computation.
    pub fn input(&self) -> Input {
        match self {
            Self::Ranked(_) | Self::Text(_) | Self::TopicCount | Self::RunId => Input::Grades,
            Self::Grouped(_) => Input::Groups,
            Self::Preference(_) => Input::Preferences,
            Self::Stratified(_) => Input::Strata,
            Self::Drawn(_) => Input::Prels,
            Self::Known(_) => Input::Known,
            Self::Session(_) => Input::Sessions,
        }
    }
}

/// The input that a measure needs in addition to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// One grade per document.
    Grades,
    /// Judgement groups.
    Groups,
    /// Preferences between documents.
    Preferences,
    /// A pool that was sampled stratum by stratum.
    Strata,
    /// Judgements with the probabilities with which documents were drawn.
    Prels,
    /// Grades, and the documents that the user knew before.
    Known,
    /// Grades, and the sessions that topics belong to.
    Sessions,
}

impl Input {
    /// The setting that provides it; `None` for grades, which need none.
    pub fn option(self) -> Option<Choice> {
        Some(match self {
            Self::Grades => return None,
            Self::Groups => Setting::QrelsFormat.to("qrels_jg"),
            Self::Preferences => Setting::QrelsFormat.to("prefs"),
            Self::Strata => Setting::QrelsFormat.to("strata"),
            Self::Prels => Setting::QrelsFormat.to("prels"),
            Self::Known => Setting::Known.to("FILE"),
            Self::Sessions => Setting::Sessions.to("FILE"),
        })
    }
}

/// The aggregation of topic values to the value of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// Arithmetic mean.
    Mean,
    /// Sum.
    Sum,
    /// Geometric mean, with values below 0.00001 raised to it.
    GeometricMean,
    /// Not aggregated (textual values).
    None,
}

/// Whether a larger value is a better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Larger is better.
    HigherIsBetter,
    /// Smaller is better.
    LowerIsBetter,
    /// Neither: a count or a diagnostic.
    Neutral,
}

/// The range of values of a topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
}

impl Range {
    /// From 0 to 1.
    pub const UNIT: Self = Self { min: 0.0, max: 1.0 };
    /// From 0 without upper limit.
    pub const COUNT: Self = Self {
        min: 0.0,
        max: f64::INFINITY,
    };
    /// Any number.
    pub const ANY: Self = Self {
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
    };
}

/// The description of a measure, without the values of its parameters.
#[derive(Debug)]
pub struct MeasureInfo {
    /// Canonical name, without parameters.
    pub name: &'static str,
    /// Other names for the same family (ranx, `ir_measures`, common usage), read without regard to case.
    pub aliases: &'static [&'static str],
    /// One line: what it measures.
    pub summary: &'static str,
    /// The reference page: the header of the measure's source file.
    pub page: &'static str,
    /// Parameters in the order in which they are printed.
    pub params: &'static [ParamInfo],
    /// The rule for the part after `@`.
    pub cutoff: CutoffRule,
    /// Range of values.
    pub range: Range,
    /// From topics to a run.
    pub aggregate: Aggregate,
    /// Whether larger is better.
    pub direction: Direction,
    /// References to its definition; at least one.
    pub references: &'static [&'static str],
    /// Makes the computation from checked parameters.
    pub build: fn(&Params) -> Result<Computation, Error>,
}

impl MeasureInfo {
    /// The rest of a description that has no other aliases, parameters, cutoff rule, range, aggregate or direction: values
    /// from 0 to 1, averaged over topics, larger is better, with an optional cutoff.
    pub const DEFAULT: Self = Self {
        name: "",
        aliases: &[],
        summary: "",
        page: "",
        params: &[],
        cutoff: CutoffRule::Optional,
        range: Range::UNIT,
        aggregate: Aggregate::Mean,
        direction: Direction::HigherIsBetter,
        references: &[],
        build: |_| Ok(Computation::TopicCount),
    };

    /// The section of the reference page under a heading, with one line per paragraph.
    pub fn section(&self, heading: &str) -> String {
        let lines = self
            .page
            .lines()
            .skip_while(|line| line.strip_prefix("# ") != Some(heading));
        let body: Vec<&str> = lines
            .skip(1)
            .take_while(|line| !line.starts_with("# "))
            .collect();
        let paragraphs = body
            .split(|line| line.is_empty())
            .filter(|lines| !lines.is_empty());
        paragraphs
            .map(|lines| lines.join(" "))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The input of the measure.
    pub fn input(&'static self) -> Input {
        let params = Params::defaults(self, |_| None);
        let params = match self.cutoff {
            CutoffRule::None | CutoffRule::Optional => params,
            CutoffRule::Required => Cutoff::new(10)
                .into_iter()
                .fold(params, Params::with_cutoff),
            CutoffRule::Point => params.with_point(0.5),
        };
        (self.build)(&params).map_or(Input::Grades, |computation| computation.input())
    }

    /// Binds checked parameters.
    pub fn bind(&'static self, params: Params) -> Result<BoundMeasure, Error> {
        let computation = (self.build)(&params)?;
        Ok(BoundMeasure {
            info: self,
            params,
            computation,
            label: None,
            overrides: Overrides::NONE,
        })
    }
}

/// A measure with its parameters, ready to compute. It prints as its canonical name, which parses back to it.
#[derive(Clone, Debug)]
pub struct BoundMeasure {
    /// The family.
    pub info: &'static MeasureInfo,
    /// The parameters' values.
    pub params: Params,
    /// The computing side.
    pub computation: Computation,
    /// The name by which the user asked for it, if that was another program's.
    pub label: Option<String>,
    /// Policies that this measure has in that program, where they are not those of its others.
    pub overrides: Overrides,
}

impl BoundMeasure {
    /// The least grade that counts as relevant, if the measure has one.
    pub fn level(&self) -> Option<f64> {
        match self.params.value("rel") {
            Some(Value::Real(level)) => Some(*level),
            _ => None,
        }
    }

    /// The canonical name with all that the user's name says, also where that is Cranfield's default.
    pub fn said(&self) -> String {
        if self.params.are_all_said() {
            return self.to_string();
        }
        format!("{}{}", self.info.name, self.params.said_suffix(self.info))
    }

    /// The canonical name of a program's name, which fixes all parameters.
    #[must_use]
    pub fn all_said(self) -> Self {
        Self {
            params: self.params.all_said(),
            ..self
        }
    }

    /// Whether the value is a text and not a number.
    pub fn is_text(&self) -> bool {
        matches!(self.computation, Computation::Text(_) | Computation::RunId)
    }

    /// Whether the two are the same measure with the same parameters.
    pub fn same_as(&self, other: &Self) -> bool {
        self.info.name == other.info.name
            && self.params == other.params
            && self.overrides == other.overrides
    }
}

impl fmt::Display for BoundMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!(
            "{}{}",
            self.info.name,
            self.params.suffix(self.info)
        ))
    }
}

/// Smallest value that enters a geometric mean.
pub const GEOMETRIC_FLOOR: f64 = 0.00001;

impl Aggregate {
    /// One value from topic values, summed in the order given; `None` if there is none to aggregate.
    ///
    /// ```
    /// use cranfield_core::measure::Aggregate;
    ///
    /// assert_eq!(Aggregate::Mean.of([0.5, 1.0]), Some(0.75));
    /// assert_eq!(Aggregate::Sum.of([3.0, 4.0]), Some(7.0));
    /// assert!((Aggregate::GeometricMean.of([0.0, 0.1]).unwrap() - 0.001).abs() < 1e-12);
    /// assert_eq!(Aggregate::Mean.of([]), None);
    /// ```
    pub fn of(self, values: impl IntoIterator<Item = f64>) -> Option<f64> {
        let mut total = Total::default();
        values.into_iter().for_each(|value| total.add(self, value));
        total.finish(self)
    }
}

/// The running aggregate of topic values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    sum: f64,
    count: u64,
}

impl Total {
    /// Creates the total of `count` values from their sum. Not for a geometric mean, which does not add plain values.
    pub fn new(sum: f64, count: u64) -> Self {
        Self { sum, count }
    }

    /// Adds a topic's value.
    pub fn add(&mut self, aggregate: Aggregate, value: f64) {
        self.sum += match aggregate {
            Aggregate::GeometricMean => value.max(GEOMETRIC_FLOOR).ln(),
            _ => value,
        };
        self.count += 1;
    }

    /// The aggregate of the values added; `None` if there is none to aggregate.
    pub fn finish(self, aggregate: Aggregate) -> Option<f64> {
        match aggregate {
            Aggregate::None => None,
            Aggregate::Sum => Some(self.sum),
            _ if self.count == 0 => None,
            Aggregate::Mean => Some(self.sum / self.count as f64),
            Aggregate::GeometricMean => Some((self.sum / self.count as f64).exp()),
        }
    }
}
