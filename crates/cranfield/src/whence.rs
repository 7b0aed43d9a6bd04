//! Which settings give a published number: a search among the conventions that programs and papers have.

use std::fmt;
use std::str::FromStr;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{
    IdenticalIds, NegativeGrades, Policies, Profile, TieBreak, TopicPolicy, Undefined, Unjudged,
};
use cranfield_core::profiles::in_program;
use cranfield_core::variants::{Change, Variant, variants};
use cranfield_io::Error;

use crate::inputs::Inputs;

/// Most evaluations of one search.
const MAX_EVALUATIONS: usize = 600;

/// Most changes that a search goes through.
pub const MAX_CHANGES: usize = 4;

/// Values shown where none matches.
const NEAREST: usize = 5;

/// Depths to which runs are cut.
const DEPTHS: [usize; 6] = [5, 10, 20, 50, 100, 1000];

/// A number as it was published, with its digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The number.
    pub value: f64,
    /// Decimals that it was published with.
    pub digits: u32,
}

/// A text that is no published number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPublished(String);

impl fmt::Display for NotPublished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.0;
        write!(
            f,
            "`{text}` is no number; write it with its digits, such as 0.4312 or 43.12%"
        )
    }
}

impl std::error::Error for NotPublished {}

impl FromStr for Published {
    type Err = NotPublished;

    /// Reads `0.4312`, `.4312` or `43.12%`.
    fn from_str(text: &str) -> Result<Self, NotPublished> {
        let wrong = || NotPublished(text.chars().take(40).collect());
        let (number, percent) = match text.trim().strip_suffix('%') {
            Some(number) => (number.trim(), true),
            None => (text.trim(), false),
        };
        let plain = |letter: char| letter.is_ascii_digit() || "+-.".contains(letter);
        let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        let value: f64 = number.parse().map_err(|_| wrong())?;
        if !number.chars().all(plain) || digits > 17 || !value.is_finite() {
            return Err(wrong());
        }
        let (scale, more) = if percent { (100.0, 2) } else { (1.0, 0) };
        Ok(Self {
            value: value / scale,
            digits: digits as u32 + more,
        })
    }
}

/// How a value agrees with a published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Rounded to its digits.
    Rounded,
    /// Cut after its digits.
    Cut,
}

impl Agreement {
    /// The word that is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rounded => "rounded",
            Self::Cut => "cut",
        }
    }
}

impl Published {
    /// Whether a value gives this number at its digits, and how.
    ///
    /// ```
    /// use cranfield::whence::{Agreement, Published};
    ///
    /// let published: Published = "0.4312".parse()?;
    /// assert_eq!(published.agrees(0.43124), Some(Agreement::Rounded));
    /// assert_eq!(published.agrees(0.43128), Some(Agreement::Cut));
    /// assert_eq!(published.agrees(0.43131), None);
    /// # Ok::<(), cranfield::whence::NotPublished>(())
    /// ```
    pub fn agrees(&self, value: f64) -> Option<Agreement> {
        // A value that is computed is not known better than to this share of the last digit.
        let (scale, slack) = (10f64.powf(f64::from(self.digits)), 1e-7);
        let (value, wanted) = (value * scale, self.value * scale);
        if (value - wanted).abs() <= 0.5 + slack {
            return Some(Agreement::Rounded);
        }
        let cut = (value.abs() + slack).floor() * value.signum();
        ((cut - wanted).abs() <= slack).then_some(Agreement::Cut)
    }
}

/// A question: where does this number come from?
#[derive(Clone, Debug)]
pub struct Question {
    /// The measure that was named.
    pub measure: BoundMeasure,
    /// Whose conventions are the start.
    pub profile: Profile,
    /// The policies that are the start.
    pub policies: Policies,
    /// The number.
    pub published: Published,
    /// Settings that may differ from the start at once.
    pub changes: usize,
}

/// Settings, and what they give.
#[derive(Clone, Debug)]
pub struct Setting {
    /// What differs from the start.
    pub changes: Vec<Change>,
    /// The measure.
    pub measure: BoundMeasure,
    /// The policies.
    pub policies: Policies,
    /// The run's value.
    pub value: f64,
    /// How it agrees with the published number, if it does.
    pub agreement: Option<Agreement>,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Number of settings that were evaluated.
    pub tried: usize,
    /// Settings that give the number, fewest changes first. One that holds another one's changes and more is left out,
    /// unless it gives the number when rounded and the other one only when cut.
    pub found: Vec<Setting>,
    /// If none does, those that come nearest.
    pub nearest: Vec<Setting>,
    /// Whether the search ended before all settings were tried.
    pub cut_short: bool,
}

/// Looks for the settings that give a published number.
///
/// All settings with at most so many changes are tried: parameters of the measure, its cutoff, measures that are
/// taken for it, and policies. A policy that alone changes nothing is not combined with others, and those that try
/// many orders (best, worst and expected ties, unjudged documents as relevant) with one change of the measure at most.
///
/// ```
/// use cranfield::whence::{Question, whence};
/// use cranfield::{Conventions, Inputs, Policies, Profile, Qrels, Run, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 2.0), ("q2", "d3", 1.0)]);
/// let run = Run::from_scores("mine", [("q1", "d1", 2.0), ("q1", "d2", 1.0)]);
/// let question = Question {
///     measure: parse_measures("RR", &Conventions::default())?.remove(0),
///     profile: Profile::Cranfield,
///     policies: Policies::OWN,
///     published: "1.000".parse()?,
///     changes: 2,
/// };
/// let answer = whence(&Inputs::new(qrels, run), &question)?;
/// assert_eq!(answer.found[0].policies.topics.name(), "both");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn whence(inputs: &Inputs, question: &Question) -> Result<Answer, Error> {
    let mut search = Search::new(inputs, question);
    search.programs()?;
    let start = search.evaluate(&question.policies, &[], question.changes)?;
    let mut effective: Vec<Vec<Step>> = Vec::new();
    for options in steps(inputs, &question.policies) {
        let mut kept = Vec::new();
        for step in options {
            let Some(left) = question.changes.checked_sub(1) else {
                break;
            };
            let found = search.evaluate(&step.policies(&question.policies), &[&step], left)?;
            // Both begin with the same variants.
            if found.iter().zip(&start).any(|(one, other)| one != other) {
                kept.push(step);
            }
        }
        effective.push(kept);
    }
    search.combine(&effective, &mut Vec::new(), 0)?;
    Ok(search.finish())
}

/// One policy, changed.
#[derive(Clone, Debug)]
struct Step {
    change: Change,
    set: fn(&mut Policies, &Policies),
    other: Policies,
}

impl Step {
    fn apply(&self, policies: &mut Policies) {
        (self.set)(policies, &self.other);
    }

    /// Whether every measure has to try many orders or readings of each topic.
    fn is_costly(&self) -> bool {
        let Change { what, to } = &self.change;
        match what.as_str() {
            "ties" => ["expected", "best", "worst"].contains(&to.as_str()),
            "unjudged" => to == "relevant",
            _ => false,
        }
    }

    fn policies(&self, start: &Policies) -> Policies {
        let mut policies = start.clone();
        self.apply(&mut policies);
        policies
    }
}

/// Every other value of one policy.
fn step_options<T: Copy + PartialEq + ToString>(
    name: &'static str,
    current: T,
    all: &[T],
    make: impl Fn(T) -> Policies,
    set: fn(&mut Policies, &Policies),
) -> Vec<Step> {
    let others = all.iter().filter(|value| **value != current);
    let steps = others.map(|value| Step {
        change: Change::new(name, value.to_string()),
        set,
        other: make(*value),
    });
    steps.collect()
}

/// The policies that can be changed, each with its other values.
fn steps(inputs: &Inputs, start: &Policies) -> Vec<Vec<Step>> {
    let own = || Policies::OWN;
    let longest = inputs
        .run()
        .topics()
        .map(|topic| topic.entries().len())
        .max();
    let depths: Vec<usize> = DEPTHS
        .into_iter()
        .filter(|depth| Some(*depth) < longest)
        .collect();
    let unjudged = [
        Unjudged::NonRelevant,
        Unjudged::Condensed,
        Unjudged::Relevant,
    ];
    // An interval is no number.
    let ties = TieBreak::ALL.iter().copied();
    let ties: Vec<TieBreak> = ties.filter(|rule| *rule != TieBreak::Bounds).collect();
    let mut all = vec![
        step_options(
            "ties",
            start.ties,
            &ties,
            |ties| Policies { ties, ..own() },
            |to, from| to.ties = from.ties,
        ),
        step_options(
            "topics",
            start.topics,
            TopicPolicy::ALL,
            |topics| Policies { topics, ..own() },
            |to, from| to.topics = from.topics,
        ),
        step_options(
            "unjudged",
            start.unjudged,
            &unjudged,
            |unjudged| Policies { unjudged, ..own() },
            |to, from| to.unjudged = from.unjudged,
        ),
        step_options(
            "undefined",
            start.undefined,
            Undefined::ALL,
            |undefined| Policies { undefined, ..own() },
            |to, from| to.undefined = from.undefined,
        ),
        step_options(
            "negative",
            start.negative,
            NegativeGrades::ALL,
            |negative| Policies { negative, ..own() },
            |to, from| to.negative = from.negative,
        ),
        step_options(
            "identical",
            start.identical,
            IdenticalIds::ALL,
            |identical| Policies { identical, ..own() },
            |to, from| to.identical = from.identical,
        ),
    ];
    let deep = start.depth.unwrap_or(usize::MAX);
    all.push(step_options(
        "depth",
        deep,
        &depths,
        |depth| Policies {
            depth: Some(depth),
            ..own()
        },
        |to, from| to.depth = from.depth,
    ));
    all
}

struct Search<'a> {
    inputs: &'a Inputs,
    question: &'a Question,
    /// Variants of the measure by number of changes, fewest first.
    variants: Vec<Variant>,
    evaluations: usize,
    answer: Answer,
}

impl<'a> Search<'a> {
    fn new(inputs: &'a Inputs, question: &'a Question) -> Self {
        Self {
            inputs,
            question,
            variants: variants(&question.measure, &inputs.grades(), question.changes),
            evaluations: 0,
            answer: Answer::default(),
        }
    }

    /// Evaluates all variants with at most `left` changes under policies; their values, NaN for none.
    fn evaluate(
        &mut self,
        policies: &Policies,
        steps: &[&Step],
        left: usize,
    ) -> Result<Vec<u64>, Error> {
        if self.evaluations == MAX_EVALUATIONS {
            self.answer.cut_short = true;
            return Ok(Vec::new());
        }
        self.evaluations += 1;
        let left = if steps.iter().any(|step| step.is_costly()) {
            left.min(1)
        } else {
            left
        };
        let count = self
            .variants
            .partition_point(|variant| variant.changes.len() <= left);
        let measures: Vec<BoundMeasure> = self.variants[..count]
            .iter()
            .map(|variant| variant.measure.clone())
            .collect();
        let scores = self
            .inputs
            .evaluate(&measures, self.question.profile, policies)?;
        let mut values = Vec::with_capacity(count);
        for (at, measure) in measures.into_iter().enumerate() {
            let value = scores.aggregate(at).unwrap_or(f64::NAN);
            values.push(value.to_bits());
            let of_policies = steps.iter().map(|step| step.change.clone());
            let changes = self.variants[at].changes.iter().cloned().chain(of_policies);
            self.consider(changes.collect(), measure, policies, value);
        }
        Ok(values)
    }

    /// The measure as other programs have it, each a change by itself.
    fn programs(&mut self) -> Result<(), Error> {
        let (question, inputs) = (self.question, self.inputs);
        let others = Profile::ALL
            .iter()
            .filter(|profile| **profile != question.profile);
        for profile in others.filter(|_| question.changes > 0) {
            let Some(found) = in_program(*profile, &question.measure) else {
                continue;
            };
            let policies = found.measure.overrides.over(&profile.policies());
            let measure = found.measure;
            let scores = inputs.evaluate(std::slice::from_ref(&measure), *profile, &policies)?;
            let changes = vec![Change::new("profile", profile.name())];
            let value = scores.aggregate(0).unwrap_or(f64::NAN);
            self.consider(changes, measure, &policies, value);
        }
        Ok(())
    }

    /// Evaluates all sets of two and more steps, one of a policy each.
    fn combine(
        &mut self,
        effective: &[Vec<Step>],
        chosen: &mut Vec<Step>,
        from: usize,
    ) -> Result<(), Error> {
        if chosen.len() >= self.question.changes {
            return Ok(());
        }
        for (place, options) in effective.iter().enumerate().skip(from) {
            for step in options {
                chosen.push(step.clone());
                if chosen.len() > 1 {
                    let mut policies = self.question.policies.clone();
                    for step in chosen.iter() {
                        step.apply(&mut policies);
                    }
                    let steps: Vec<&Step> = chosen.iter().collect();
                    self.evaluate(&policies, &steps, self.question.changes - chosen.len())?;
                }
                self.combine(effective, chosen, place + 1)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    fn consider(
        &mut self,
        changes: Vec<Change>,
        measure: BoundMeasure,
        policies: &Policies,
        value: f64,
    ) {
        self.answer.tried += 1;
        if !value.is_finite() {
            return;
        }
        let setting = Setting {
            changes,
            measure,
            policies: policies.clone(),
            value,
            agreement: self.question.published.agrees(value),
        };
        if setting.agreement.is_some() {
            self.answer.found.push(setting);
        } else {
            self.keep_nearest(setting);
        }
    }

    /// Keeps the nearest values, each once, with the fewest changes.
    fn keep_nearest(&mut self, setting: Setting) {
        let wanted = self.question.published.value;
        let order = |setting: &Setting| ((setting.value - wanted).abs(), setting.changes.len());
        let nearest = &mut self.answer.nearest;
        if let Some(known) = nearest
            .iter_mut()
            .find(|known| known.value.to_bits() == setting.value.to_bits())
        {
            if setting.changes.len() < known.changes.len() {
                *known = setting;
            }
            return;
        }
        nearest.push(setting);
        nearest.sort_by(|a, b| {
            let ((near, few), (far, many)) = (order(a), order(b));
            near.total_cmp(&far).then(few.cmp(&many))
        });
        nearest.truncate(NEAREST);
    }

    fn finish(self) -> Answer {
        let mut answer = self.answer;
        let wanted = self.question.published.value;
        // A profile is many settings at once, and comes behind one.
        let of_program = |setting: &Setting| {
            setting
                .changes
                .iter()
                .any(|change| change.what == "profile")
        };
        answer.found.sort_by(|a, b| {
            let (near, far) = ((a.value - wanted).abs(), (b.value - wanted).abs());
            let by_changes = a.changes.len().cmp(&b.changes.len());
            by_changes
                .then(a.agreement.cmp(&b.agreement))
                .then(of_program(a).cmp(&of_program(b)))
                .then(near.total_cmp(&far))
        });
        let mut least: Vec<Setting> = Vec::new();
        for setting in answer.found {
            // A number that was cut does not stand in the way of one that was rounded.
            let covers = |known: &Setting| {
                let within = known
                    .changes
                    .iter()
                    .all(|change| setting.changes.contains(change));
                within && known.agreement <= setting.agreement
            };
            if !least.iter().any(covers) {
                least.push(setting);
            }
        }
        if !least.is_empty() {
            answer.nearest.clear();
        }
        answer.found = least;
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use cranfield_core::spec::{Conventions, parse_measures};

    use super::*;

    fn inputs(run: &str) -> Inputs {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let run = examples.join("runs").join(run);
        Inputs::read(&examples.join("qrels.txt"), None, &run, None).unwrap()
    }

    fn question(measure: &str, published: &str, changes: usize) -> Question {
        Question {
            measure: parse_measures(measure, &Conventions::default())
                .unwrap()
                .remove(0),
            profile: Profile::Cranfield,
            policies: Policies::OWN,
            published: published.parse().unwrap(),
            changes,
        }
    }

    /// Numbers below a limit, one after another, the same in every run of the test.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }
    }

    #[test]
    fn settings_taken_at_random_are_found() {
        let inputs = inputs("bm25.run");
        let mut numbers = Numbers(7);
        let measures = [
            "nDCG@10", "AP", "P@10", "RR", "ERR@20", "RBP", "R@10", "Bpref",
        ];
        let mut found = 0;
        for round in 0..24 {
            let name = measures[round % measures.len()];
            let start = question(name, "0", 3);
            let of_policies = numbers.below(3) > 0;
            let most = if of_policies { 1 } else { 3 };
            let all = variants(&start.measure, &inputs.grades(), most);
            let Variant {
                mut changes,
                measure,
            } = all[numbers.below(all.len())].clone();
            let mut policies = Policies::OWN;
            if of_policies {
                let steps: Vec<Step> = steps(&inputs, &Policies::OWN).concat();
                let step = &steps[numbers.below(steps.len())];
                step.apply(&mut policies);
                changes.push(step.change.clone());
            }
            let scores = inputs
                .evaluate(&[measure], Profile::Cranfield, &policies)
                .unwrap();
            let Some(value) = scores.aggregate(0).filter(|value| value.is_finite()) else {
                continue;
            };
            let answer = whence(&inputs, &question(name, &format!("{value:.7}"), 3)).unwrap();
            let explained = answer.found.iter().any(|setting| {
                let of_these = setting
                    .changes
                    .iter()
                    .all(|change| changes.contains(change));
                of_these && (setting.value - value).abs() < 1e-6
            });
            assert!(
                explained,
                "{name} {changes:?}: {value} among {:?}",
                answer.found
            );
            found += 1;
        }
        assert!(found > 18, "{found}");
    }

    #[test]
    fn fewest_changes_come_first_and_none_holds_another() {
        let inputs = inputs("bm25-rm3.run");
        let value = {
            let start = question("AP", "0", 0);
            let both = Policies {
                topics: TopicPolicy::Both,
                ..Policies::OWN
            };
            inputs
                .evaluate(&[start.measure], Profile::Cranfield, &both)
                .unwrap()
                .aggregate(0)
                .unwrap()
        };
        let answer = whence(&inputs, &question("AP", &format!("{value:.6}"), 3)).unwrap();
        assert_eq!(answer.found[0].changes.len(), 1);
        let first = [
            Change::new("topics", "both"),
            Change::new("topics", "run"),
            Change::new("topics", "relevant"),
        ];
        assert!(
            first.contains(&answer.found[0].changes[0]),
            "{:?}",
            answer.found[0].changes
        );
        assert!(
            answer
                .found
                .is_sorted_by_key(|setting| setting.changes.len())
        );
        for (at, setting) in answer.found.iter().enumerate() {
            let others = answer
                .found
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at);
            for (_, other) in others {
                assert!(
                    !other
                        .changes
                        .iter()
                        .all(|change| setting.changes.contains(change))
                );
            }
        }
        assert!(answer.nearest.is_empty());
    }

    #[test]
    fn the_nearest_are_told_where_nothing_fits() {
        let inputs = inputs("bm25.run");
        let answer = whence(&inputs, &question("AP", "0.123456789", 1)).unwrap();
        assert!(answer.found.is_empty() && !answer.cut_short);
        assert_eq!(answer.nearest.len(), NEAREST);
        let distance = |setting: &Setting| (setting.value - 0.123_456_789).abs();
        assert!(
            answer
                .nearest
                .windows(2)
                .all(|pair| distance(&pair[0]) <= distance(&pair[1]))
        );
        assert!(answer.tried > 40, "{}", answer.tried);
        let none = whence(&inputs, &question("AP", "0.123456789", 0)).unwrap();
        assert_eq!((none.tried, none.nearest.len()), (1, 1));
    }

    #[test]
    fn published_numbers_have_digits() {
        let read = |text: &str| {
            text.parse::<Published>()
                .map(|read| (read.value, read.digits))
        };
        assert_eq!(read("0.4312"), Ok((0.4312, 4)));
        assert_eq!(read(".5"), Ok((0.5, 1)));
        assert_eq!(read("12"), Ok((12.0, 0)));
        assert_eq!(read(" 43.1% "), Ok((43.1 / 100.0, 3)));
        for wrong in [
            "",
            "x",
            "1e5",
            "nan",
            "inf",
            "0,43",
            "0.12345678901234567890",
            "%",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn agreement_is_by_the_digits_given() {
        let published: Published = "0.43".parse().unwrap();
        assert_eq!(published.agrees(0.4349), Some(Agreement::Rounded));
        assert_eq!(published.agrees(0.435), Some(Agreement::Rounded));
        assert_eq!(published.agrees(0.4351), Some(Agreement::Cut));
        assert_eq!(published.agrees(0.4249), None);
        let negative: Published = "-0.43".parse().unwrap();
        assert_eq!(negative.agrees(-0.4351), Some(Agreement::Cut));
    }
}
