"""Distribution functions against scipy, far into the tails."""

from _stats import ask

import numpy as np
from scipy import special, stats

from _support import Tally

SEED = 20260202
CASES = 1500
LEAST = 300
RELATIVE = 1e-9


def degrees(source):
    """Degrees of freedom from 1 to a million."""
    return float(np.ceil(10 ** source.uniform(0, 6)))


def cases(source):
    """A name, arguments, and the expected value."""
    z = source.normal() * source.choice([1, 10])
    yield "normal_cdf", [z], stats.norm.cdf(z)
    p = source.random() ** source.choice([1, 8, 40])
    yield "normal_quantile", [p], stats.norm.ppf(p)
    df, t = degrees(source), source.normal() * 10 ** source.uniform(-2, 1.3)
    yield "t_sf", [t, df], stats.t.sf(t, df)
    p = source.random() ** source.choice([1, 4])
    yield "t_quantile", [p, df], stats.t.ppf(p, df)
    first, second = float(source.integers(1, 60)), degrees(source)
    f = source.gamma(1) * 10 ** source.uniform(-1, 1)
    yield "f_sf", [f, first, second], stats.f.sf(f, first, second)
    p = source.random()
    yield "f_quantile", [p, first, second], stats.f.ppf(p, first, second)
    x = first * 10 ** source.uniform(-1, 1)
    yield "chi_squared_sf", [x, first], stats.chi2.sf(x, first)
    yield "chi_squared_cdf", [x, first], stats.chi2.cdf(x, first)
    trials = int(10 ** source.uniform(0, 5))
    k = int(np.clip(trials / 2 + source.normal() * 2 * np.sqrt(trials), 0, trials))
    yield "fair_binomial_sf", [k, trials], stats.binom.sf(k - 1, trials, 0.5)
    a, b = 10 ** source.uniform(-1, 4, 2)
    x = float(np.clip(source.beta(a, b), 1e-12, 1 - 1e-12))
    yield "beta_cdf", [x, a, b], special.betainc(a, b, x)


def noncentral(source):
    """Noncentral t, where scipy's is within its own range."""
    df = float(source.integers(1, 400))
    delta = source.normal() * source.choice([1, 5, 15])
    t = delta + source.normal() * 2
    return [t, df, delta], stats.nct.cdf(t, df, delta)


def main():
    """Ask for all values and compare them."""
    source = np.random.default_rng(SEED)
    tally = Tally()
    asked = [case for _ in range(CASES) for case in cases(source)]
    answers = ask([{"test": "distribution", "name": name, "x": x} for name, x, _ in asked])
    for (name, x, expected), answer in zip(asked, answers):
        if not np.isfinite(expected):
            continue
        tally.compared(name)
        difference = abs(answer["value"] - expected)
        same = difference <= RELATIVE * abs(expected) or difference < 1e-290
        tally.check(same, lambda: f"{name} {x}: {answer['value']}, expected {expected}")
    asked = [noncentral(source) for _ in range(CASES)]
    answers = ask([{"test": "distribution", "name": "noncentral_t_cdf", "x": x} for x, _ in asked])
    for (x, expected), answer in zip(asked, answers):
        tally.compared("noncentral_t_cdf")
        same = abs(answer["value"] - expected) <= 1e-9
        tally.check(same, lambda: f"noncentral t {x}: {answer['value']}, expected {expected}")
    tally.finish(least=LEAST)


if __name__ == "__main__":
    main()
