//! The grammar of measure names and of gains.

use std::cell::OnceCell;

use cranfield_core::evaluate::Plan;
use cranfield_core::gains::Gains;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::params::Value;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_core::topic::{GradeCount, RecallBase};
use cranfield_measures::profiles::Profile;
use cranfield_measures::spec::{Conventions, parse_measure, parse_measures};

use super::{Target, strings};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "names",
        property: "in every profile a printed name parses back to the same measure",
        run: names,
        seeds: name_seeds,
        dictionary: DICTIONARY,
        max_len: 120,
        smoke: 60_000,
    },
    Target {
        name: "measures",
        property: "every measure that a name can ask for has a value inside its range, or none",
        run: measures,
        seeds: name_seeds,
        dictionary: DICTIONARY,
        max_len: 120,
        smoke: 40_000,
    },
    Target {
        name: "gains",
        property: "printed gains parse back to the same gains; the ideal ranking descends",
        run: gains,
        seeds: || {
            strings(&[
                "grade",
                "binary",
                "0,1,10,100",
                "1=3,2=9",
                "-0,5=3",
                "1e1",
                "0.5=2, 1=-1",
            ])
        },
        dictionary: &["grade", "binary", "=", ",", "1e308", "nan", "-0", "0.1"],
        max_len: 60,
        smoke: 300_000,
    },
];

const DICTIONARY: &[&str] = &[
    "AP",
    "nDCG",
    "P@5",
    "R@10",
    "RR",
    "RBP(p=0.5)",
    "rbp.95",
    "Bpref",
    "infAP",
    "IPrec@0.5",
    "IAP(points='0,1')",
    "SetF(beta=2)",
    "Utility",
    "Success@5",
    "nDCG(gains='0,1,10')@20",
    "rel=2",
    "gains=",
    "'1=3,2=9'",
    "p=",
    "scale='topic'",
    "recall='floor(x+0.9)'",
    "ideal=",
    "all_trec",
    "official",
    "prefs",
    "qrels_jg",
    "set",
    "all_prefs",
    "ndcg_cut.5,10",
    "ndcg_cut_10",
    "P_5",
    "map_cut",
    "iprec_at_recall.25",
    "11pt_avg.0,1",
    "utility.1,-1,0,0",
    "relstring.5",
    "rbp.p=0.5,1=1",
    "rbp_p=0.8",
    "set_F.0.5",
    "ndcg.1=3,2=9",
    "G_1=3",
    "unj.5",
    "success_1",
    "@18446744073709551615",
    "@1e300",
    "(",
    ")",
    "'",
    ",",
    " ",
    "binary",
    "grade",
    "mrr@10",
    "hit_rate@5",
    "r-precision",
];

fn name_seeds() -> Vec<Vec<u8>> {
    strings(&[
        "0nDCG@10 AP(rel=2)@100 P.5,10",
        "1official ndcg_cut.5,10 map P_10",
        "2all_trec",
        "0RBP(p=0.8, gains='0,0.5,1', scale='topic')@5 RBPResidual",
        "1utility.1,-1,0,0 11pt_avg iprec_at_recall.25 relstring.20 set_F.0.5",
        "2rbp.p=0.5,1=0.5 rbp_resid ndcg.1=3,2=9 G dcg ideal_dcg Rndcg ndcg_rel",
        "0IPrec@0.5 IAP(points='0,0.5,1') RprecMult@0.2 SetF(beta=0.5) Utility(coefficients='1,-1,0,0') yaap",
        "1prefs qrels_jg all_prefs set",
        "3nDCG(dcg='exp-log2')@20 nDCG(gains={0:0,1:5}) P(judged_only=True)@5 RR@10 SetP(relative=True) RBP(rel=1)",
        "4ndcg_burges@10 map@100-l2 rbp.95-l3 hits f1@5",
        "7MSnDCG@0010 Q@0010 NCUgu,P AP@0010",
        "8INST-T=2 BPM-Static-T=1-K=10 NERR-EQ8@k=10 SET-k@10-b@0.5 RBP@0.8",
        "0rbp.95 mrr@10 hit_rate@5 r-precision recall@7 Judged@10 Unjudged@5",
    ])
}

/// The first byte is the profile, and whether a level is set; the rest is a list of names.
fn parts(bytes: &[u8]) -> Option<(Conventions, &str)> {
    let (first, rest) = bytes.split_first()?;
    let choice = usize::from(first.wrapping_sub(b'0'));
    let conventions = Conventions {
        profile: Profile::ALL[choice % Profile::ALL.len()],
        level: (choice / Profile::ALL.len() % 2 == 1).then_some(2.0),
    };
    Some((conventions, std::str::from_utf8(rest).ok()?))
}

fn names(bytes: &[u8]) {
    let Some((conventions, text)) = parts(bytes) else {
        return;
    };
    let measures = match parse_measures(text, &conventions) {
        Ok(measures) => measures,
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 2000, "{message}");
            return;
        }
    };
    for (at, measure) in measures.iter().enumerate() {
        assert!(
            !measures[..at]
                .iter()
                .any(|earlier| earlier.same_as(measure)),
            "{measure} twice"
        );
        check_name(measure);
    }
    let printed: Vec<String> = measures
        .iter()
        .filter(|measure| measure.label.is_none())
        .map(ToString::to_string)
        .collect();
    let again = parse_measures(&printed.join(", "), &Conventions::default())
        .expect("printed names are a list of names");
    assert_eq!(
        again.iter().map(ToString::to_string).collect::<Vec<_>>(),
        printed
    );
}

/// A canonical name means itself under Cranfield's own conventions.
fn check_name(measure: &BoundMeasure) {
    let name = measure.to_string();
    match parse_measure(&name, &Conventions::default()) {
        Ok(again) => {
            assert!(
                again.info.name == measure.info.name && again.params == measure.params,
                "`{name}` is another measure when read again"
            );
            assert_eq!(again.to_string(), name);
        }
        // By trec_eval's names parameters out of range can be asked for, which the canonical grammar refuses.
        Err(error) => assert!(measure.label.is_some(), "`{name}` does not parse: {error}"),
    }
    for profile in Profile::ALL {
        assert!(!profile.name_of(measure).is_empty());
    }
}

thread_local! {
    static COLLECTION: OnceCell<(Qrels, Run)> = const { OnceCell::new() };
}

fn collection() -> (Qrels, Run) {
    let grades = [
        ("a", 3.0),
        ("b", 0.0),
        ("c", 1.0),
        ("d", -1.0),
        ("e", 2.0),
        ("f", 0.5),
        ("g", 1.0),
    ];
    let judged = grades.map(|(doc, grade)| ("mixed", doc, grade));
    let others = [
        ("none", "a", 0.0),
        ("missing", "a", 1.0),
        ("one", "z", 1.0),
        ("all", "a", 1.0),
        ("all", "b", 2.0),
    ];
    let qrels = Qrels::from_judgements(judged.into_iter().chain(others));
    let ranked = ["x", "a", "b", "y", "c", "d", "z", "f", "e"];
    let scores = ranked
        .iter()
        .zip(0..)
        .map(|(doc, place)| ("mixed", *doc, f64::from(20 - place / 2)));
    let few = [
        ("none", "a", 1.0),
        ("one", "z", 1.0),
        ("all", "b", 2.0),
        ("all", "a", 1.0),
        ("unknown", "a", 1.0),
    ];
    (qrels, Run::from_scores("fuzz", scores.chain(few)))
}

fn measures(bytes: &[u8]) {
    let Some((conventions, text)) = parts(bytes) else {
        return;
    };
    let Ok(measures) = parse_measures(text, &conventions) else {
        return;
    };
    let mut plan = Plan {
        measures,
        policies: conventions.profile.policies(),
        ..Plan::default()
    };
    COLLECTION.with(|known| {
        let (qrels, run) = known.get_or_init(collection);
        let scores = cranfield_eval::evaluate_run(run, qrels, &plan);
        for (at, measure) in plan.measures.iter().enumerate() {
            for row in scores.values.rows() {
                check_range(measure, row[at]);
            }
            let _ = scores.aggregate(at);
        }
        let _ = scores.notes(&plan);
        plan.reference_values = true;
        let reference = cranfield_eval::evaluate_run(run, qrels, &plan);
        let (values, references) = (scores.values.rows(), reference.values.rows());
        for (value, reference) in values.flatten().zip(references.flatten()) {
            assert!(
                value.is_nan() || value.to_bits() == reference.to_bits(),
                "{value} and {reference}"
            );
        }
    });
}

/// By a name of `trec_eval` a measure can be given parameters that lead anywhere, and so it can by gains of its own and by a
/// relevance level that unjudged documents reach.
fn check_range(measure: &BoundMeasure, value: f64) {
    let level = match measure.params.value("rel") {
        Some(Value::Real(level)) => *level,
        _ => 1.0,
    };
    if measure.label.is_some() || level < 0.0 || measure.to_string().contains("gains=") {
        return;
    }
    let range = measure.info.range;
    let slack = 1e-9;
    let inside = value >= range.min - slack && value <= range.max + slack;
    assert!(value.is_nan() || inside, "{measure} is {value}");
}

fn gains(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(gains) = text.parse::<Gains>() else {
        return;
    };
    let printed = gains.to_string();
    assert_eq!(printed.parse::<Gains>().as_ref(), Ok(&gains), "`{printed}`");
    for (grade, _) in gains.pairs() {
        let first = gains
            .pairs()
            .iter()
            .find(|(known, _)| known == grade)
            .map(|(_, gain)| *gain);
        assert_eq!(Some(gains.of_grade(*grade)), first);
    }
    let levels = [3.0, 2.0, 1.0, 0.5, 0.0, -1.0].map(|grade| GradeCount { grade, count: 2 });
    let ideal = gains.ideal(RecallBase::new(&levels));
    assert!(
        ideal.iter().all(|step| step.grade > 0.0 && step.count == 2),
        "{ideal:?}"
    );
    assert!(ideal.is_sorted_by(|a, b| a.grade >= b.grade), "{ideal:?}");
}
