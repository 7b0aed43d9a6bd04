"""The Bayesian signed-rank test against baycomp, and its mean shares against a sum over all pairs.

baycomp takes differences the other way round: its left is where the first system is better. It compares sums of
differences with their rounding errors, so it is given whole numbers, and the edges of the region are met exactly. It
draws its own weights, so probabilities are compared within six standard errors of the two samples.
"""

from _stats import ask

import baycomp
import numpy as np

from _support import Tally

SEED = 20260203
CASES = 300
DRAWS = 4000
PRIOR = 0.5


def random_case(source):
    """Whole numbers for two systems, and a region of practical equivalence."""
    topics = int(source.integers(2, 31))
    a = source.integers(0, 21, topics)
    b = np.where(source.random(topics) < 0.3, a, source.integers(0, 21, topics))
    return a.astype(float).tolist(), b.astype(float).tolist(), float(source.integers(0, 6))


def mean_shares(a, b, rope):
    """Mean shares below, within and above the region, by a sum over all pairs of the means of products of weights."""
    d = np.append(np.subtract(a, b), 0.0)
    weights = np.append(np.ones(len(a)), PRIOR)
    total = weights.sum()
    products = (np.outer(weights, weights) + np.diag(weights)) / (total * (total + 1))
    sums = np.add.outer(d, d)
    above = (products * ((sums > 2 * rope) + 0.5 * (sums == 2 * rope))).sum()
    below = (products * ((sums < -2 * rope) + 0.5 * (sums == -2 * rope))).sum()
    return [below, 1 - below - above, above]


def main():
    """Ask for all cases and compare them."""
    source = np.random.default_rng(SEED)
    tally = Tally()
    cases = [random_case(source) for _ in range(CASES + 20)]
    common = {"test": "bayes", "prior": PRIOR, "replicates": 50000, "seed": 3}
    answers = ask([{**common, "a": a, "b": b, "rope": rope} for a, b, rope in cases])
    for (a, b, rope), answer in zip(cases, answers):
        shares = mean_shares(a, b, rope)
        tally.check(np.allclose(answer["shares"], shares, atol=1e-12), lambda: f"{a} {b} {rope}: {answer}, expected {shares}")
        if a == b:
            continue
        tally.compared("Bayesian signed ranks")
        seed = int(source.integers(1 << 30))
        drawn = baycomp.SignedRankTest.probs(
            np.array(a), np.array(b), rope=rope, prior=PRIOR, nsamples=DRAWS, random_state=seed
        )
        expected = list(drawn) if rope else [drawn[0], 0.0, drawn[1]]
        found = answer["probabilities"][::-1]
        for one, other in zip(found, expected):
            error = 6 * np.sqrt(max(other * (1 - other), 0.002) / DRAWS)
            tally.check(abs(one - other) <= error, lambda: f"{a} {b} {rope}: {found}, baycomp {expected}")
    tally.finish(least=CASES)


if __name__ == "__main__":
    main()
