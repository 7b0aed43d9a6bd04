//! Searches: which points of a space are scored.

use std::fmt;
use std::str::FromStr;

use cranfield_stats::random::Stream;

use super::error::TuneError;
use super::point::Point;
use super::sealed::TrainSide;
use super::space::Space;

/// Most rounds of coordinate ascent.
const MOST_ROUNDS: usize = 100;
/// The random stream of random search; folds are dealt from others.
const STREAM: u64 = 1 << 32;

/// Which points of a space are scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// All combinations of values.
    #[default]
    Grid,
    /// This many points at random.
    Random(usize),
    /// From the point nearest to the default, the best value of one parameter after another, until none improves the score.
    Coordinate,
}

impl Search {
    /// The points to choose from. Coordinate ascent sees training scores only.
    pub(super) fn visit(
        self,
        space: &Space,
        default: &Point,
        seed: u64,
        train: &mut TrainSide<'_, '_>,
    ) -> Result<Vec<Point>, TuneError> {
        match self {
            Self::Grid => space.grid(),
            Self::Random(count) => Ok(space.draw(count, &mut Stream::new(seed, STREAM))),
            Self::Coordinate => ascend(space, space.nearest(default), train),
        }
    }
}

fn ascend(
    space: &Space,
    start: Point,
    train: &mut TrainSide<'_, '_>,
) -> Result<Vec<Point>, TuneError> {
    let mut best = train.means(std::slice::from_ref(&start))?[0];
    let mut visited = vec![start.clone()];
    let mut at = start;
    for _ in 0..MOST_ROUNDS {
        let before = best;
        for dimension in 0..space.dimensions() {
            let points = space.along(&at, dimension);
            let means = train.means(&points)?;
            for (point, mean) in points.iter().zip(means) {
                if mean > best {
                    (best, at) = (mean, point.clone());
                }
            }
            visited.extend(points);
        }
        if best <= before {
            break;
        }
    }
    Ok(visited)
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid => f.write_str("grid"),
            Self::Random(count) => write!(f, "random({count})"),
            Self::Coordinate => f.write_str("coordinate"),
        }
    }
}

impl FromStr for Search {
    type Err = TuneError;

    fn from_str(text: &str) -> Result<Self, TuneError> {
        let random = text
            .strip_prefix("random(")
            .and_then(|rest| rest.strip_suffix(')'));
        let count = random.and_then(|count| count.trim().parse().ok());
        match (text, count) {
            ("grid", _) => Ok(Self::Grid),
            ("coordinate", _) => Ok(Self::Coordinate),
            (_, Some(count)) if (1..=1_000_000).contains(&count) => Ok(Self::Random(count)),
            _ => {
                let message =
                    format!("unknown search `{text}`; expected grid, random(50) or coordinate");
                Err(TuneError::Settings(message.into()))
            }
        }
    }
}
