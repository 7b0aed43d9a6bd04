//! Strategies by name: `depth(10)`, `take(100)`, `rrf(60)`, `mm(rho=0.9)`.

use std::fmt;
use std::str::FromStr;

use cranfield_core::arguments::Arguments;
use cranfield_core::error::Error;
use cranfield_core::setting::{Message, Setting};

use cranfield_fusion::{METHODS, Method, Weighting};

use crate::ordered::fused;
use crate::rankings::Rankings;
use crate::strata::Strata;

/// A rule that chooses documents for judgement, and their order.
///
/// A name parses in the form in which it is printed. A single parameter needs no name.
///
/// ```
/// use cranfield_pool::Strategy;
///
/// assert_eq!("rrf".parse::<Strategy>()?.to_string(), "rrf(60)");
/// assert_eq!("mm(rho=0.9)".parse::<Strategy>()?.to_string(), "mm(0.9)");
/// let strata: Strategy = "strata('1-10:1, 11-:0.2')".parse()?;
/// assert_eq!(strata.to_string(), "strata('1-10:1, 11-:0.2')");
/// let error = "mm(2)".parse::<Strategy>().unwrap_err();
/// assert_eq!(error.to_string(), "rho of mm must be a number from 0 to 1, found `2`");
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Strategy {
    /// The first `k` documents of every run, in order of their ids.
    Depth(usize),
    /// `N` documents by best rank, then by the number of runs that hold them, then by id; without `N`, all.
    Take(Option<usize>),
    /// Reciprocal rank fusion: Σ 1 / (k + rank).
    Rrf(f64),
    /// Rank-biased precision as a weight: Σ (1 − p) p^(rank − 1).
    Rbp(f64),
    /// Any other fusion of the runs: by score, then by id.
    Fusion(Method),
    /// A random sample of each stratum of ranks.
    Strata(Strata),
    /// A sample of `N` documents with probabilities proportional to their weight in average precision.
    Pps(usize),
    /// Move to front: stays with a run while its documents are relevant (Cormack, Palmer and Clarke 1998).
    Mtf,
    /// Max mean: the run with the largest (1 + r) / (2 + n) is asked (Losada, Parapar and Barreiro 2017).
    MaxMean(Bandit),
    /// Thompson sampling: the run with the largest draw of Beta(1 + r, 1 + n − r) is asked.
    Thompson(Bandit),
    /// Upper confidence bound: the run with the largest r / n + √(2 ln t / n) is asked (Auer, Cesa-Bianchi and Fischer 2002).
    Ucb(Update),
    /// Hedge: runs are weighted by how well they ranked what was judged (Aslam, Pavlu and Savell 2003).
    Hedge(f64),
    /// Minimal test collections: the document that moves the differences in average precision most
    /// (Carterette, Allan and Sitaraman 2006).
    Mtc,
}

/// Parameters of a bandit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bandit {
    /// Weight of the past: before each answer of a run is added, its counts are multiplied by it.
    pub rho: f64,
    /// The runs that learn from an answer.
    pub update: Update,
}

impl Bandit {
    /// A bandit that updates the asked run only.
    pub fn new(rho: f64) -> Self {
        Self {
            rho,
            update: Update::Asked,
        }
    }
}

/// The runs that learn from an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// Only the run that was asked.
    #[default]
    Asked,
    /// All runs that hold the document.
    All,
}

impl Strategy {
    /// Names of all strategies but the other methods of fusion.
    pub const NAMES: [&str; 12] = [
        "depth", "take", "rrf", "rbp", "strata", "pps", "mtf", "mm", "thompson", "ucb", "hedge",
        "mtc",
    ];

    /// Whether each answer decides what is asked next.
    pub fn is_adaptive(&self) -> bool {
        use Strategy::{Hedge, MaxMean, Mtc, Mtf, Thompson, Ucb};
        matches!(
            self,
            Mtf | MaxMean(_) | Thompson(_) | Ucb(_) | Hedge(_) | Mtc
        )
    }

    /// Checks that runs that are cut at a depth are long enough, and that their scores can be fused.
    ///
    /// # Errors
    /// If the strategy names a rank beyond the depth, or a fusion fails.
    pub fn check(&self, rankings: &Rankings, depth: Option<usize>) -> Result<(), Error> {
        if let Self::Fusion(method) = self {
            for topic in &rankings.topics {
                fused(topic, *method)?;
            }
        }
        let needed = match self {
            Self::Depth(k) => *k,
            Self::Strata(strata) => {
                let ends = strata.all().iter().map(|stratum| match stratum.last {
                    usize::MAX => stratum.first,
                    last => last,
                });
                ends.max().unwrap_or(0)
            }
            _ => 0,
        };
        if depth.is_some_and(|depth| depth < needed) {
            let message = Message::from(format!("{self} needs "))
                .then(Setting::Depth.to(needed))
                .then(" or more");
            return Err(Error::parameter(message));
        }
        Ok(())
    }

    /// Whether documents are drawn at random with known probabilities.
    pub fn is_sample(&self) -> bool {
        matches!(self, Self::Strata(_) | Self::Pps(_))
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bandit = |f: &mut fmt::Formatter<'_>, name: &str, bandit: &Bandit| match bandit.update {
            Update::Asked => write!(f, "{name}({})", bandit.rho),
            Update::All => write!(f, "{name}(rho={}, update=all)", bandit.rho),
        };
        match self {
            Self::Depth(k) => write!(f, "depth({k})"),
            Self::Take(None) => f.write_str("take"),
            Self::Take(Some(documents)) => write!(f, "take({documents})"),
            Self::Rrf(k) => write!(f, "rrf({k})"),
            Self::Rbp(p) => write!(f, "rbp({p})"),
            Self::Fusion(method) => method.fmt(f),
            Self::Strata(strata) => write!(f, "strata('{strata}')"),
            Self::Pps(documents) => write!(f, "pps({documents})"),
            Self::Mtf => f.write_str("mtf"),
            Self::MaxMean(parameters) => bandit(f, "mm", parameters),
            Self::Thompson(parameters) => bandit(f, "thompson", parameters),
            Self::Ucb(Update::Asked) => f.write_str("ucb"),
            Self::Ucb(Update::All) => f.write_str("ucb(update=all)"),
            Self::Hedge(beta) => write!(f, "hedge({beta})"),
            Self::Mtc => f.write_str("mtc"),
        }
    }
}

impl FromStr for Strategy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.replace('"', "'");
        let name = text.split('(').next().unwrap_or_default().trim();
        if METHODS.contains(&name) && name != "rrf" {
            let method: Method = text.parse()?;
            if let Some(needed) = lacking(method) {
                let usable = fusions().join(", ");
                return Err(Error::parameter(format!(
                    "{name} needs {needed}, which a pool does not have; the methods of fusion for pools are: rrf, {usable}"
                )));
            }
            return Ok(Self::Fusion(method));
        }
        let first = match name {
            "take" | "pps" => "n",
            "rbp" => "p",
            "strata" => "strata",
            "mm" | "thompson" => "rho",
            "ucb" => "update",
            "hedge" => "beta",
            _ => "k",
        };
        let names: Vec<&'static str> = Self::NAMES.into_iter().chain(fusions()).collect();
        let mut given = Arguments::parse(&text, "strategy", &names, first)?;
        let strategy = match given.name() {
            "depth" => Self::Depth(needed(&mut given, "k", "(10)")?),
            "take" if !given.has("n") => Self::Take(None),
            "take" => Self::Take(Some(given.count("n", 1)?)),
            "rrf" => Self::Rrf(given.real("k", 60.0, 0.0..=1e9)?),
            "rbp" => Self::Rbp(given.real("p", 0.8, 0.0..=1.0)?),
            "strata" => {
                let strata = given.text("strata");
                let strata = strata.ok_or_else(|| needs("strata", "('1-10:1, 11-50:0.2')"))?;
                Self::Strata(strata.parse()?)
            }
            "pps" => Self::Pps(needed(&mut given, "n", "(50)")?),
            "mtf" => Self::Mtf,
            "mm" => Self::MaxMean(bandit(&mut given)?),
            "thompson" => Self::Thompson(bandit(&mut given)?),
            "ucb" => Self::Ucb(update(&mut given)?),
            "hedge" => Self::Hedge(given.real("beta", 0.1, 1e-6..=1.0)?),
            _ => Self::Mtc,
        };
        given.finish()?;
        Ok(strategy)
    }
}

/// What a method of fusion needs and a pool lacks.
fn lacking(method: Method) -> Option<&'static str> {
    if method.is_trained() {
        Some("training")
    } else {
        (method.weighting() == Weighting::Required).then_some("weights")
    }
}

/// Names of the methods of fusion that order a pool, without rrf, which is a strategy of its own.
fn fusions() -> Vec<&'static str> {
    let is_usable = |name: &&str| {
        let method = name.parse::<Method>().ok();
        *name != "rrf" && method.is_some_and(|method| lacking(method).is_none())
    };
    METHODS.into_iter().filter(is_usable).collect()
}

fn needs(name: &str, example: &str) -> Error {
    Error::parameter(format!("{name} needs a parameter, as in {name}{example}"))
}

/// Parameters that bandits share.
fn bandit(given: &mut Arguments) -> Result<Bandit, Error> {
    Ok(Bandit {
        rho: given.real("rho", 1.0, 0.0..=1.0)?,
        update: update(given)?,
    })
}

fn update(given: &mut Arguments) -> Result<Update, Error> {
    let choices = [("asked", Update::Asked), ("all", Update::All)];
    Ok(given.choice("update", &choices)?.unwrap_or_default())
}

/// The count that a strategy cannot do without.
fn needed(given: &mut Arguments, key: &'static str, example: &str) -> Result<usize, Error> {
    if !given.has(key) {
        return Err(needs(given.name(), example));
    }
    given.count(key, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{prop_assert_eq, proptest};

    #[test]
    fn printed_names_parse_back() {
        for name in [
            "depth(10)",
            "take",
            "take(5)",
            "rrf(60)",
            "rbp(0.8)",
            "strata('1-10:1, 11-50:0.2, 51-:0.05')",
            "pps(40)",
            "mtf",
            "mm(1)",
            "mm(rho=0.5, update=all)",
            "thompson(0.9)",
            "ucb",
            "ucb(update=all)",
            "hedge(0.1)",
            "mtc",
            "mnz",
            "gmnz(gamma=0.5)",
        ] {
            let strategy: Strategy = name.parse().unwrap();
            assert_eq!(strategy.to_string(), name);
        }
    }

    #[test]
    fn errors_say_what_is_expected() {
        let error = |text: &str| text.parse::<Strategy>().unwrap_err().to_string();
        assert_eq!(error("depth"), "depth needs a parameter, as in depth(10)");
        assert_eq!(
            error("depth(0)"),
            "k of depth must be a whole number of at least 1, found `0`"
        );
        assert_eq!(error("mtf(1)"), "mtf has no parameter `k`; it has none");
        assert_eq!(
            error("mm(gamma=1)"),
            "mm has no parameter `gamma`; it has rho, update"
        );
        let unknown = error("deep(1)");
        assert!(unknown.starts_with("unknown strategy `deep`; one of: depth, take,"));
        let (_, names) = unknown.split_once(": ").unwrap();
        let mut names: Vec<&str> = names
            .split([',', ' '])
            .filter(|name| !name.is_empty())
            .collect();
        for name in [
            "wsum",
            "wmnz",
            "mixed",
            "w_bordafuse",
            "posfuse",
            "bayesfuse",
        ] {
            assert!(!names.contains(&name), "{name}");
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(error("wsum").starts_with("wsum needs weights, which a pool does not have; "));
        assert!(
            error("posfuse").starts_with("posfuse needs training, which a pool does not have; ")
        );
        assert_eq!(
            error("ucb(update=none)"),
            "update of ucb must be one of asked, all, found `none`"
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[a-z(),='\"0-9.:@ -]{0,40}") {
            if let Ok(strategy) = text.parse::<Strategy>() {
                prop_assert_eq!(strategy.to_string().parse::<Strategy>().unwrap(), strategy);
            }
        }
    }
}
