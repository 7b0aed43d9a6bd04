//! The targets: what is fed, what must hold, and where to start.

mod agreement;
mod compression;
mod detection;
mod doctor;
mod evaluation;
mod formats;
mod judgements;
mod names;
mod numbers;
mod samples;
mod scenarios;
mod sorting;
mod trec;
mod trec_eval;

/// Something that takes any bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// The property that must hold.
    pub property: &'static str,
    /// Panics if it does not.
    pub run: fn(&[u8]),
    /// Inputs to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Strings that mean something to the target.
    pub dictionary: &'static [&'static str],
    /// Longest input that is worth its time.
    pub max_len: usize,
    /// Executions of the smoke run.
    pub smoke: u64,
}

/// All targets.
pub fn all() -> Vec<Target> {
    let modules = [
        trec::TARGETS,
        evaluation::TARGETS,
        judgements::TARGETS,
        samples::TARGETS,
        agreement::TARGETS,
        scenarios::TARGETS,
        formats::TARGETS,
        compression::TARGETS,
        detection::TARGETS,
        names::TARGETS,
        numbers::TARGETS,
        sorting::TARGETS,
        trec_eval::TARGETS,
        doctor::TARGETS,
    ];
    modules.concat()
}

/// The target of this name.
pub fn find(name: &str) -> Option<Target> {
    all().into_iter().find(|target| target.name == name)
}

/// Seeds from strings.
fn strings(strings: &[&str]) -> Vec<Vec<u8>> {
    strings
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_holds_for_its_seeds() {
        crate::listen();
        for target in all() {
            let seeds = (target.seeds)();
            assert!(!seeds.is_empty(), "{}", target.name);
            seeds.iter().for_each(|seed| (target.run)(seed));
            (target.run)(b"");
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all().iter().map(|target| target.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
