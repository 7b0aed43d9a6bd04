//! Options with a number: negative numbers, and numbers beyond a range.

use std::any::TypeId;

use clap::CommandFactory;
use cranfield_cli::args::Args;

use crate::limits::{cranfield, examples};

const TWO: &str = "@qrels.txt @runs/bm25.run @runs/dense.run -m AP";
const GATE: &str = "gate @qrels.txt @runs/dense.run --baseline @runs/bm25.run -m AP";

#[track_caller]
fn check_rejected(cases: &[(String, &str)]) {
    for (command, why) in cases {
        let error = cranfield(&examples(), command).unwrap_err();
        assert!(error.contains(why), "{command}: {error}");
    }
}

/// A negative number is a value like others, which the program rejects with advice.
#[test]
fn negative_numbers_are_rejected_with_advice() {
    let two = TWO;
    check_rejected(&[
        (
            format!("compare {two} --rope -1"),
            "--rope is -1; give a number above 0",
        ),
        (
            format!("compare {two} --margin -0.001"),
            "--margin is -0.001; give a number above 0",
        ),
        (
            format!("compare {two} --alpha -0.05"),
            "--alpha is -0.05; give a number from 1e-9 to 0.5",
        ),
        (
            format!("compare {two} --replicates -5"),
            "expected a whole number of at least 0",
        ),
        (
            format!("compare {two} --seed -5"),
            "expected a whole number of at least 0",
        ),
        (
            "power --effect -0.2,0.5".into(),
            "--effect is -0.2; give a number above 0",
        ),
        ("power --sd -1".into(), "--sd is -1; give a number above 0"),
        (
            "power --sd 1 --sizes -5,5".into(),
            "expected a whole number of at least 0",
        ),
    ]);
}

#[test]
fn numbers_beyond_their_range_are_rejected_with_advice() {
    let (two, gate) = (TWO, GATE);
    check_rejected(&[
        (
            format!("compare {two} --alpha 0.5 --margin 0.1"),
            "--alpha is 0.5; give a smaller number to test for equivalence",
        ),
        (
            format!("{gate} --ratchet 3"),
            "AP is from 0 to 1, so no difference is larger than a ratchet of 3",
        ),
        (
            format!("{gate} --ratchet -0.1"),
            "--ratchet is -0.1; give a number of at least 0",
        ),
        (
            format!("{gate} --tolerance -2%"),
            "invalid tolerance `-2%`; expected a number such as 0.01",
        ),
        (
            format!("discriminate {two} --rate -1"),
            "--rate is -1; give a number from 0",
        ),
        (
            format!("compare {two} --margin 5"),
            "AP is from 0 to 1, so no difference is larger than a margin of 5",
        ),
        (
            format!("compare {two} --alpha 1e-17"),
            "--alpha is 1e-17; give a number from 1e-9 to 0.5",
        ),
        (
            format!("power {two} --difference 2"),
            "AP is from 0 to 1, so no difference is larger than one of 2",
        ),
    ]);
}

/// So are numbers that clap takes for options, such as those with a sign in their exponent, and values that are no numbers.
#[test]
fn negative_numbers_have_many_forms() {
    let (two, gate) = (TWO, GATE);
    check_rejected(&[
        (
            format!("compare {two} --margin -1e-3"),
            "--margin is -0.001; give a number above 0",
        ),
        (
            format!("compare {two} --margin -inf"),
            "--margin is -inf; give a number above 0",
        ),
        (
            format!("compare {two} --rope -.5"),
            "--rope is -0.5; give a number above 0",
        ),
        (
            format!("compare {two} --margin --rope 1"),
            "invalid value '--rope' for '--margin <D>': expected a number, such as 0.01",
        ),
        (
            format!("compare {two} --replicates -1e-3"),
            "expected a whole number of at least 0",
        ),
        (
            format!("report {two} --margin -1e-3"),
            "--margin is -0.001; give a number above 0",
        ),
        (
            format!("plot box {two} -o - -f svg --width -1e-3"),
            "width and height of a figure are 120 to 5000 points, not -0.001",
        ),
        (
            format!("discriminate {two} --alpha -1e-3"),
            "--alpha is -0.001; give a number from 1e-9 to 0.5",
        ),
        (
            "power --sd -1e-3".into(),
            "--sd is -0.001; give a number above 0",
        ),
        (
            format!("{gate} --ratchet -1e-3"),
            "--ratchet is -0.001; give a number of at least 0",
        ),
        (
            format!("{gate} --tolerance -1e-3"),
            "invalid tolerance `-1e-3`; expected a number such as 0.01",
        ),
    ]);
}

/// Every option with a number takes a negative one as its value, in every command.
#[test]
fn all_options_with_numbers_take_negative_ones() {
    let mut root = Args::command();
    root.build();
    let numbers = [
        TypeId::of::<f64>(),
        TypeId::of::<usize>(),
        TypeId::of::<u64>(),
        TypeId::of::<u32>(),
        TypeId::of::<u16>(),
        TypeId::of::<u8>(),
    ];
    let mut seen = 0;
    let nested = |command: &clap::Command| command.get_subcommands().cloned().collect::<Vec<_>>();
    let commands = root.get_subcommands();
    for command in commands.flat_map(|command| [vec![command.clone()], nested(command)].concat()) {
        for arg in command.get_arguments() {
            let kind = arg.get_value_parser().type_id();
            if !numbers.iter().any(|number| kind == *number) {
                continue;
            }
            seen += 1;
            assert!(
                arg.is_allow_hyphen_values_set(),
                "{} {}",
                command.get_name(),
                arg.get_id()
            );
        }
    }
    assert!(seen > 40, "{seen}");
}
