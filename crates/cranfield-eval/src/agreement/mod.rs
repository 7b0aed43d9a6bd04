//! Agreement of sets of judgements.
//!
//! Two sets have cross tables of the grades of each document in both. Only topics in both sets are compared. Documents judged in both form a [`CrossTable`], one per topic and one
//! for all; documents judged in one set only are counted separately and do not affect any [`Figure`].
//!
//! More sets are a [`Panel`] of assessors: coefficients of all of them, pairs, assessors, and where they disagree.

mod classes;
mod cross_table;
mod figures;
mod files;
mod panel;

use std::fmt;
use std::sync::Arc;

use cranfield_core::policy::NegativeGrades;
use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_stats::random::Resampling;

pub use classes::{Class, MAX_CLASSES, Merging};
pub use cross_table::{CrossTable, Line, PercentOf};
pub use figures::Figure;
pub(crate) use files::read_qrels;
pub use files::{AgreementRequest, Assessor, ComparedQrels, agreement_of_files, read_assessors};
pub use panel::{
    AssessorFigures, Coefficient, Counted, DisputedDocument, PairOfAssessors, Panel, PanelError,
    PanelPlan, PanelTopic,
};

use classes::{Axes, Axis};

/// Settings for comparing two sets of judgements.
#[derive(Clone, Debug, PartialEq)]
pub struct AgreementPlan {
    /// How grades of the first set are merged into classes.
    pub first: Merging,
    /// How grades of the second set are merged into classes.
    pub second: Merging,
    /// Lowest relevant grade, for overlap and for positive and negative agreement; grades below zero are never
    /// relevant.
    pub level: f64,
}

impl Default for AgreementPlan {
    /// Every grade is its own class; grades from 1 on are relevant.
    fn default() -> Self {
        Self {
            first: Merging::default(),
            second: Merging::default(),
            level: 1.0,
        }
    }
}

/// How intervals of figures are computed: by resampling documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervals {
    /// Their confidence.
    pub level: f64,
    /// Number of replicates and seed.
    pub resampling: Resampling,
}

impl Default for Intervals {
    /// 95 %, from 2,000 replicates of seed 42.
    fn default() -> Self {
        Self {
            level: 0.95,
            resampling: Resampling {
                replicates: 2000,
                ..Resampling::default()
            },
        }
    }
}

/// One of the two sets of judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first set, whose grades are columns.
    First,
    /// The second set, whose grades are rows.
    Second,
}

/// The error for a set of judgements with more distinct grades than a table can have rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyGrades {
    /// Which set.
    pub side: Side,
}

impl fmt::Display for TooManyGrades {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&too_many_grades())
    }
}

fn too_many_grades() -> String {
    format!("more than {MAX_CLASSES} distinct grades")
}

impl std::error::Error for TooManyGrades {}

/// The table of one topic.
#[derive(Clone, Debug)]
pub struct TopicAgreement {
    /// Topic id.
    pub id: Box<[u8]>,
    /// Its documents.
    pub table: CrossTable,
}

/// The comparison of two sets of judgements.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// How they were compared.
    pub plan: AgreementPlan,
    /// The documents of all topics in both sets.
    pub all: CrossTable,
    /// These topics, in ascending byte order of their ids.
    pub topics: Vec<TopicAgreement>,
    /// Number of topics only in the first set.
    pub only_first: usize,
    /// Number of topics only in the second set.
    pub only_second: usize,
}

impl Agreement {
    /// Compares two sets of judgements.
    ///
    /// ```
    /// use cranfield_eval::agreement::{Agreement, AgreementPlan, Figure, Line};
    /// use cranfield_core::qrels::Qrels;
    ///
    /// let one = Qrels::from_judgements([("q", "a", 0.0), ("q", "b", 1.0), ("q", "c", 1.0)]);
    /// let other = Qrels::from_judgements([("q", "a", 0.0), ("q", "b", 2.0), ("q", "d", 1.0)]);
    /// let agreement = Agreement::of(&one, &other, &AgreementPlan::default())?;
    /// let table = &agreement.all;
    /// assert_eq!(table.count(Line::Total, Line::Total), 2);
    /// assert_eq!(table.count(Line::Unjudged, Line::Total), 1);
    /// assert_eq!(table.figure(Figure::Agreement), Some(0.5));
    /// assert_eq!(table.figure(Figure::Overlap), Some(1.0));
    /// # Ok::<(), cranfield_eval::agreement::TooManyGrades>(())
    /// ```
    ///
    /// # Errors
    /// If a set has more than [`MAX_CLASSES`] distinct grades that are not merged, too many for a readable
    /// table.
    pub fn of(first: &Qrels, second: &Qrels, plan: &AgreementPlan) -> Result<Self, TooManyGrades> {
        let common: Vec<(QrelsTopic<'_>, QrelsTopic<'_>)> = first
            .topics()
            .filter_map(|topic| Some((topic, second.get(topic.id())?)))
            .collect();
        let axes = Arc::new(axes(&common, plan)?);
        let mut all = CrossTable::new(Arc::clone(&axes));
        let mut topics = Vec::with_capacity(common.len());
        for (one, other) in &common {
            let table = topic_table(*one, *other, plan.level, &axes);
            all.add(&table);
            topics.push(TopicAgreement {
                id: one.id().into(),
                table,
            });
        }
        Ok(Self {
            plan: plan.clone(),
            all,
            only_first: first.len() - common.len(),
            only_second: second.len() - common.len(),
            topics,
        })
    }

    /// The mean of a figure over the topics where it is defined; `None` if there are none.
    pub fn mean(&self, figure: Figure) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0u64);
        for value in self.values(figure) {
            sum += value;
            count += 1;
        }
        (count > 0).then(|| sum / count as f64)
    }

    /// Number of topics for which a figure is undefined.
    pub fn undefined(&self, figure: Figure) -> usize {
        self.topics.len() - self.values(figure).count()
    }

    fn values(&self, figure: Figure) -> impl Iterator<Item = f64> {
        let topics = self.topics.iter();
        topics.filter_map(move |topic| topic.table.figure(figure))
    }
}

/// The classes in each set.
fn axes(
    common: &[(QrelsTopic<'_>, QrelsTopic<'_>)],
    plan: &AgreementPlan,
) -> Result<Axes, TooManyGrades> {
    let first = common.iter().map(|(topic, _)| *topic);
    let second = common.iter().map(|(_, topic)| *topic);
    Ok(Axes::new(
        axis(first, &plan.first, Side::First)?,
        axis(second, &plan.second, Side::Second)?,
    ))
}

fn axis<'a>(
    topics: impl Iterator<Item = QrelsTopic<'a>>,
    merging: &Merging,
    side: Side,
) -> Result<Axis, TooManyGrades> {
    let levels = topics.flat_map(|topic| topic.base(NegativeGrades::Judged).grades());
    let grades = levels.map(|level| level.grade);
    Axis::new(merging, grades).ok_or(TooManyGrades { side })
}

fn topic_table(
    first: QrelsTopic<'_>,
    second: QrelsTopic<'_>,
    level: f64,
    axes: &Arc<Axes>,
) -> CrossTable {
    let mut table = CrossTable::new(Arc::clone(axes));
    for (doc, grade) in first.judgements() {
        match second.grade(doc) {
            Some(other) => table.push_both(grade, other, level),
            None => table.push_first(grade),
        }
    }
    for (doc, grade) in second.judgements() {
        if first.grade(doc).is_none() {
            table.push_second(grade);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Documents with these grades in both sets, and documents of one set only.
    fn qrels(both: &[(f64, f64)], first: &[f64], second: &[f64]) -> [Qrels; 2] {
        let side = |grades: Vec<f64>, alone: &[f64], letter: &str| {
            let shared = grades.into_iter().enumerate();
            let shared = shared.map(|(n, grade)| ("q", format!("d{n}"), grade));
            let alone = alone.iter().enumerate();
            let alone = alone.map(|(n, grade)| ("q", format!("{letter}{n}"), *grade));
            Qrels::from_judgements(shared.chain(alone).collect::<Vec<_>>())
        };
        [
            side(both.iter().map(|pair| pair.0).collect(), first, "a"),
            side(both.iter().map(|pair| pair.1).collect(), second, "b"),
        ]
    }

    fn compare([first, second]: &[Qrels; 2], plan: &AgreementPlan) -> Agreement {
        Agreement::of(first, second, plan).expect("few grades")
    }

    fn merged(first: &str, second: &str) -> AgreementPlan {
        AgreementPlan {
            first: first.parse().expect("sound levels"),
            second: second.parse().expect("sound levels"),
            level: 1.0,
        }
    }

    /// The worked example of [`Figure`]: ten documents, rows the second set.
    fn example() -> [Qrels; 2] {
        let counts = [[4, 1, 0], [1, 2, 1], [0, 0, 1]];
        let mut both = Vec::new();
        for (row, counts) in counts.iter().enumerate() {
            for (column, count) in counts.iter().enumerate() {
                both.extend(vec![(column as f64, row as f64); *count]);
            }
        }
        qrels(&both, &[1.0, 1.0, 2.0], &[0.0])
    }

    #[test]
    fn the_worked_example() {
        let agreement = compare(&example(), &AgreementPlan::default());
        let table = &agreement.all;
        let value = |figure| table.figure(figure).expect("defined");
        let expected = [
            (Figure::Agreement, 0.7),
            (Figure::Kappa, 1.0 - 3.0 / 6.1),
            (Figure::KappaLinear, 1.0 - 3.0 / 7.6),
            (Figure::KappaQuadratic, 1.0 - 3.0 / 10.6),
            (Figure::Overlap, 4.0 / 6.0),
            (Figure::Positive, 8.0 / 10.0),
            (Figure::Negative, 8.0 / 10.0),
        ];
        for (figure, expected) in expected {
            assert!((value(figure) - expected).abs() < 1e-15, "{figure}");
        }
        let line = |row, column| table.count(row, column);
        assert_eq!(line(Line::Class(1), Line::Class(0)), 1);
        assert_eq!(line(Line::Class(1), Line::Total), 4);
        assert_eq!(line(Line::Total, Line::Class(0)), 5);
        assert_eq!(line(Line::Total, Line::Total), 10);
        assert_eq!(line(Line::Unjudged, Line::Class(1)), 2);
        assert_eq!(line(Line::Unjudged, Line::Total), 3);
        assert_eq!(line(Line::Class(0), Line::Unjudged), 1);
        assert_eq!(line(Line::Unjudged, Line::Unjudged), 0);
        let percent = |of| table.percent(of, Line::Class(1), Line::Class(0));
        assert_eq!(percent(PercentOf::Column), Some(20.0));
        assert_eq!(percent(PercentOf::Row), Some(25.0));
        assert_eq!(percent(PercentOf::All), Some(10.0));
        let apart = table.percent(PercentOf::Column, Line::Unjudged, Line::Class(1));
        assert_eq!(apart, None);
    }

    #[test]
    fn grades_can_be_merged() {
        let agreement = compare(&example(), &merged("1", ""));
        let table = &agreement.all;
        let names = |classes: &[Class]| classes.iter().map(Class::to_string).collect::<Vec<_>>();
        assert_eq!(names(table.columns()), ["<1", ">=1"]);
        assert_eq!(names(table.rows()), ["0", "1", "2"]);
        assert_eq!(table.count(Line::Class(1), Line::Class(1)), 3);
        // The sides have different classes, so agreement is undefined; relevance is not.
        assert_eq!(table.figure(Figure::Kappa), None);
        assert_eq!(table.figure(Figure::Overlap), Some(4.0 / 6.0));
        let binary = compare(&example(), &merged("1", "1"));
        let kappa = binary.all.figure(Figure::Kappa).expect("defined");
        // 8 of 10 agree, 5 expected.
        assert!((kappa - 0.6).abs() < 1e-15);
        assert_eq!(binary.all.figure(Figure::Agreement), Some(0.8));
        let three = compare(&example(), &merged("1,2", "1,2"));
        let plain = compare(&example(), &AgreementPlan::default());
        for figure in Figure::ALL {
            assert_eq!(three.all.figure(*figure), plain.all.figure(*figure));
        }
        assert_eq!(names(three.all.rows()), ["<1", "1 to <2", ">=2"]);
    }

    #[test]
    fn topics_of_one_set_are_counted() {
        let first = [("1", "a", 1.0), ("2", "a", 0.0), ("3", "a", 1.0)];
        let second = [("2", "a", 0.0), ("3", "a", 0.0), ("4", "a", 1.0)];
        let [first, second] = [first, second].map(Qrels::from_judgements);
        let agreement = compare(&[first, second], &AgreementPlan::default());
        assert_eq!((agreement.only_first, agreement.only_second), (1, 1));
        let ids: Vec<_> = agreement.topics.iter().map(|topic| &*topic.id).collect();
        assert_eq!(ids, [b"2", b"3"]);
        assert_eq!(agreement.mean(Figure::Agreement), Some(0.5));
        // Topic 2 has a single class, so agreement by chance is certain.
        assert_eq!(agreement.mean(Figure::Kappa), Some(0.0));
        assert_eq!(agreement.undefined(Figure::Kappa), 1);
        assert_eq!(agreement.mean(Figure::Overlap), Some(0.0));
        assert_eq!(agreement.undefined(Figure::Overlap), 1);
    }

    #[test]
    fn odd_inputs() {
        let none = compare(&qrels(&[], &[], &[]), &AgreementPlan::default());
        assert!(
            Figure::ALL
                .iter()
                .all(|figure| none.all.figure(*figure).is_none())
        );
        let apart = compare(&qrels(&[], &[1.0], &[2.0]), &AgreementPlan::default());
        assert_eq!(apart.all.count(Line::Total, Line::Total), 0);
        assert_eq!(
            apart
                .all
                .percent(PercentOf::All, Line::Class(0), Line::Class(0)),
            None
        );
        let odd = [(0.0, -0.0), (f64::NAN, f64::NAN), (-2.0, -2.0)];
        let odd = compare(&qrels(&odd, &[], &[]), &AgreementPlan::default());
        assert_eq!(odd.all.figure(Figure::Agreement), Some(1.0));
        assert_eq!(odd.all.rows().len(), 3);
        assert_eq!(odd.all.count(Line::Class(200), Line::Class(0)), 0);
    }

    #[test]
    fn too_many_grades_are_an_error_unless_merged() {
        let many: Vec<(f64, f64)> = (0..=MAX_CLASSES).map(|n| (1.0, n as f64 / 8.0)).collect();
        let [first, second] = &qrels(&many, &[], &[]);
        let result = Agreement::of(first, second, &AgreementPlan::default());
        let error = result.expect_err("one grade too many");
        assert_eq!(error.side, Side::Second);
        assert_eq!(error.to_string(), "more than 128 distinct grades");
        assert!(Agreement::of(first, second, &merged("", "1")).is_ok());
        let [first, second] = &qrels(&many[1..], &[], &[]);
        assert!(Agreement::of(first, second, &AgreementPlan::default()).is_ok());
    }

    proptest! {
        /// Swapping the sets transposes the table and changes no figure.
        #[test]
        fn figures_are_symmetric(
            both in prop::collection::vec((-1i8..4, -1i8..4), 0..40),
            alone in prop::collection::vec(-1i8..4, 0..5),
        ) {
            let both: Vec<_> = both.iter().map(|(a, b)| (f64::from(*a), f64::from(*b))).collect();
            let turned: Vec<_> = both.iter().map(|(a, b)| (*b, *a)).collect();
            let alone: Vec<f64> = alone.into_iter().map(f64::from).collect();
            let plan = AgreementPlan::default();
            let one = compare(&qrels(&both, &alone, &[]), &plan).all;
            let other = compare(&qrels(&turned, &[], &alone), &plan).all;
            for figure in Figure::ALL {
                match (one.figure(*figure), other.figure(*figure)) {
                    (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-12, "{figure}: {a} {b}"),
                    (a, b) => prop_assert_eq!(a, b),
                }
            }
            for (row, column) in (0..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
                let (row, column) = (Line::Class(row), Line::Class(column));
                prop_assert_eq!(one.count(row, column), other.count(column, row));
                prop_assert_eq!(one.count(Line::Unjudged, column), other.count(column, Line::Unjudged));
            }
        }

        /// Counts add up, and figures of a set with itself are perfect.
        #[test]
        fn counts_add_up(both in prop::collection::vec((-1i8..4, -1i8..4), 1..40)) {
            let pairs: Vec<_> = both.iter().map(|(a, b)| (f64::from(*a), f64::from(*b))).collect();
            let table = compare(&qrels(&pairs, &[], &[]), &AgreementPlan::default()).all;
            let rows = (0..table.rows().len() as u8).map(Line::Class);
            let sum: u64 = rows.clone().map(|row| table.count(row, Line::Total)).sum();
            prop_assert_eq!(sum, both.len() as u64);
            let percents = rows.filter_map(|row| table.percent(PercentOf::All, row, Line::Total));
            prop_assert!((percents.sum::<f64>() - 100.0).abs() < 1e-9);
            let same: Vec<_> = pairs.iter().map(|(a, _)| (*a, *a)).collect();
            let same = compare(&qrels(&same, &[], &[]), &AgreementPlan::default()).all;
            for figure in Figure::ALL {
                prop_assert!(same.figure(*figure).is_none_or(|value| value == 1.0), "{}", figure);
            }
        }
    }
}
