//! Files of scenarios.

use cranfield_io::{Source, read_scenarios};
use cranfield_measures::spec::Conventions;
use cranfield_measures::vectors::MAX_COMPONENTS;

use super::formats::check_error;
use super::{Target, strings};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "scenarios",
    property: "what is read as scenarios has names of its own and measures that take its parameters; mistakes have a place",
    run: scenarios,
    seeds,
    dictionary: &[
        "[hasty]\n",
        "rank = 5\n",
        "parameters = { gains = [0, 1, 10] }\n",
        "measures = ['nDCG']\n",
        "vectors = ['nCG@10']\n",
        "description = 'x'\n",
        "base",
        "discount",
        "'jk'",
        "P@5",
        "RBP",
        "p = 0.5",
        "[hasty.parameters]\n",
        "= ",
        "inf",
        "nan",
        "1e400",
        "\"\"\"",
        "\n",
        "#",
    ],
    max_len: 300,
    smoke: 10_000,
}];

fn seeds() -> Vec<Vec<u8>> {
    strings(&[
        "[hasty]\nrank = 5\nparameters = { gains = [0, 1, 10] }\nmeasures = ['nDCG']\n",
        "[a]\nrank = 30\n[a.parameters]\ndiscount = 'jk'\nbase = 2\n[b]\nmeasures = ['P@5', 'RBP']\nparameters.p = 0.8\n",
        "[v]\ndescription = 'reads on'\nrank = 10\nvectors = ['nCG', 'R']\n",
    ])
}

fn scenarios(bytes: &[u8]) {
    let Ok(source) = Source::from_bytes("fuzz.toml", bytes.to_vec()) else {
        return;
    };
    let scenarios = match read_scenarios(&source) {
        Ok(scenarios) => scenarios,
        Err(error) => {
            if source.bytes() == bytes {
                check_error(&error, bytes);
            }
            return;
        }
    };
    assert!(!scenarios.is_empty());
    let mut components = 0;
    for (at, scenario) in scenarios.iter().enumerate() {
        let is_new = scenarios[..at]
            .iter()
            .all(|other| other.name != scenario.name);
        assert!(is_new, "{} twice", scenario.name);
        let bound = scenario
            .bind(&Conventions::default())
            .expect("the reader has bound it");
        assert_eq!(bound.measures.len(), scenario.measures.len());
        let lengths = bound
            .vectors
            .iter()
            .map(|(_, vector)| vector.positions().len());
        components += lengths.sum::<usize>();
    }
    assert!(components <= MAX_COMPONENTS);
}
