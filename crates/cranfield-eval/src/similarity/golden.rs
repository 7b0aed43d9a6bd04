//! Rank-biased overlap with ties against published values of Corsi and Urbano, if the data are available.

use std::path::PathBuf;

use super::{RankingPair, Rbo, Ties};

const TOLERANCE: f64 = 1e-12;

#[test]
fn rbo_of_2000_pairs_with_ties() {
    let Some(file) = file() else { return };
    let text = std::fs::read_to_string(file).expect("the golden file is readable");
    let mut rows = 0;
    for line in text.lines().skip(1) {
        check_row(line);
        rows += 1;
    }
    assert_eq!(rows, 2000);
}

fn check_row(line: &str) {
    let fields: Vec<&str> = line.split(',').collect();
    let numbers: Vec<f64> = fields[2..]
        .iter()
        .map(|field| field.parse().expect("a number"))
        .collect();
    let (x, y) = (groups(fields[0]), groups(fields[1]));
    let pair = RankingPair::new(&x, &y).expect("no item is repeated");
    let variants = [Ties::SameRank, Ties::Expected, Ties::Corrected];
    for (ties, expected) in variants.into_iter().zip(numbers[1..].chunks(4)) {
        let rbo = pair.rbo(numbers[0], ties).expect("the lists are not empty");
        let values = values(rbo);
        let differs = |(value, expected): (&f64, &f64)| (value - expected).abs() > TOLERANCE;
        assert!(
            !values.iter().zip(expected).any(differs),
            "{ties:?}: {values:?}, not {expected:?}: {line}"
        );
    }
}

fn values(rbo: Rbo) -> [f64; 4] {
    [rbo.ext, rbo.min, rbo.max, rbo.res()]
}

/// Groups of `a (b c) d`.
fn groups(text: &str) -> Vec<Vec<&str>> {
    let mut groups: Vec<Vec<&str>> = Vec::new();
    let mut tied = false;
    for word in text.split(' ') {
        let item = word.trim_matches(['(', ')']);
        match groups.last_mut().filter(|_| tied) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
        tied = (tied || word.starts_with('(')) && !word.ends_with(')');
    }
    groups
}

fn file() -> Option<PathBuf> {
    cranfield_testkit::golden("rbo/rbo-ties.csv")
}
