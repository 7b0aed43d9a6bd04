//! Loads: how requests are sent to an engine.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use cranfield_stats::random::Stream;

/// A way to send requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// Each client sends a request when its last one is answered.
    Closed {
        /// Number of clients.
        clients: usize,
    },
    /// Requests are sent at planned times, whether or not earlier ones are answered.
    Open {
        /// Requests per second.
        rate: f64,
        /// Distribution of the planned times.
        arrivals: Arrivals,
    },
}

/// Distribution of planned times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrivals {
    /// Independent of each other, as from many users.
    #[default]
    Poisson,
    /// At equal distances.
    Even,
}

impl Arrivals {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Poisson => "poisson",
            Self::Even => "even",
        }
    }

    /// Planned times within `length`, in ascending order.
    pub(super) fn times(self, rate: f64, length: Duration, stream: &mut Stream) -> Vec<Duration> {
        let end = length.as_secs_f64();
        let expected = (rate * end).min(1e9);
        if self == Self::Even {
            // Half a millionth of a request less, as 0.1 is not exact in binary.
            let count = (expected - 1e-6).ceil().max(1.0) as u64;
            let time = |at: u64| Duration::from_secs_f64(at as f64 / rate);
            return (0..count).map(time).collect();
        }
        let mut times = Vec::with_capacity(expected as usize + 1);
        let mut at = stream.exponential() / rate;
        while at < end {
            times.push(Duration::from_secs_f64(at));
            at += stream.exponential() / rate;
        }
        times
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed { clients } => f.pad(&format!("closed:{clients}")),
            Self::Open { rate, arrivals } => {
                let even = match arrivals {
                    Arrivals::Poisson => "",
                    Arrivals::Even => ",even",
                };
                f.pad(&format!("open:{rate}/s{even}"))
            }
        }
    }
}

impl FromStr for Load {
    type Err = String;

    /// Parses `closed:CLIENTS`, `open:RATE/s`, or `open:RATE/s,even`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("found `{text}`, expected closed:4, open:200/s or open:200/s,even");
        if let Some(clients) = text.strip_prefix("closed:") {
            let clients = clients
                .parse()
                .ok()
                .filter(|count| (1..=1024).contains(count));
            return clients
                .map(|clients| Self::Closed { clients })
                .ok_or_else(bad);
        }
        let open = text.strip_prefix("open:").ok_or_else(bad)?;
        let (rate, arrivals) = match open.split_once(',') {
            None => (open, Arrivals::Poisson),
            Some((rate, "poisson")) => (rate, Arrivals::Poisson),
            Some((rate, "even")) => (rate, Arrivals::Even),
            Some(_) => return Err(bad()),
        };
        let rate = rate.strip_suffix("/s").unwrap_or(rate);
        let rate = rate.parse().ok().filter(|rate| (1e-3..=1e6).contains(rate));
        rate.map(|rate| Self::Open { rate, arrivals })
            .ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_parse_back() {
        for text in ["closed:1", "closed:16", "open:200/s", "open:0.5/s,even"] {
            let load: Load = text.parse().expect("a valid load");
            assert_eq!(load.to_string(), text);
        }
        for text in [
            "closed:0",
            "closed",
            "open:-1/s",
            "open:x",
            "open:5/s,odd",
            "200/s",
        ] {
            assert!(text.parse::<Load>().is_err(), "{text}");
        }
    }

    #[test]
    fn even_arrivals_have_equal_distances() {
        let stream = &mut Stream::new(1, 0);
        let times = Arrivals::Even.times(200.0, Duration::from_secs(60), stream);
        assert_eq!(times.len(), 12_000);
        assert_eq!(times[4000], Duration::from_secs(20));
    }

    /// 10,000 arrivals of a Poisson process have a standard deviation of 100; distances are exponential, whose variance is the
    /// square of the mean.
    #[test]
    fn poisson_arrivals_have_their_rate_and_variance() {
        let times =
            Arrivals::Poisson.times(100.0, Duration::from_secs(100), &mut Stream::new(7, 0));
        assert!(times.len().abs_diff(10_000) < 400, "{}", times.len());
        assert!(times.is_sorted());
        let gaps = times
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).as_secs_f64());
        let gaps: Vec<f64> = gaps.collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let squares = gaps.iter().map(|gap| (gap - mean).powi(2));
        let variance = squares.sum::<f64>() / gaps.len() as f64;
        assert!(
            (variance / (mean * mean) - 1.0).abs() < 0.1,
            "{variance} {mean}"
        );
    }
}
