"""Correlations, designs and standardised scores against scipy, statsmodels and NumPy. The seed is fixed.

 - Kendall's tau, Spearman's rho and Pearson's r, with p, with scipy; the interval of r with scipy's Fisher interval;
 - AP correlation with the definition, item by item, and for ties in the estimated list with the mean over all ways to break them;
 - power and sample sizes of the t test and of analysis of variance with statsmodels, of intervals with the definition;
 - z, its normal distribution function, std-AB and the empirical distribution function with NumPy.
"""

import itertools
import math
import warnings

from _stats import ask

import numpy as np
from scipy import special, stats
from statsmodels.stats.power import FTestAnovaPower, TTestPower

from _support import Tally

SEED = 20260203
LISTS, DESIGNS, MATRICES = 800, 500, 1400
# Of each number: some are undefined in some cases, and a matrix is standardised in one of four ways.
LEAST = 300
SIDES = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}


def near(found, expected, tolerance=1e-9):
    """Whether a number is as expected; nothing is expected where the other program has no number."""
    if expected is None or not np.isfinite(expected):
        return found is None
    return found is not None and abs(found - expected) <= tolerance * max(1.0, abs(expected))


def random_lists(source):
    """Two lists of scores: fine or with ties, related or not, sometimes one of them constant."""
    count = int(source.choice([2, 3, 4, 5, 6, 8, 20, 33, 34, 60]))
    x = source.random(count)
    y = x + source.normal(0, source.choice([0.0, 0.1, 1.0]), count)
    if source.random() < 0.5:
        x = np.round(x, 1)
    if source.random() < 0.5:
        y = np.round(y, 1)
    if source.random() < 0.05:
        y = np.full(count, 0.3)
    return np.round(x, 9), np.round(y, 9)


def tau_ap(x, order):
    """AP correlation of an order of items with the true scores."""
    total = sum(sum(x[j] > x[i] for j in order[:at]) / at for at, i in enumerate(order) if at)
    return 2 * total / (len(order) - 1) - 1


def tie_orders(y):
    """All orders by descending score."""
    groups = [list(np.flatnonzero(y == value)) for value in sorted(set(y), reverse=True)]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        yield [item for part in parts for item in part]


def tau_ap_b(x, y):
    """One direction of the version for ties in both lists; None where all of y are tied."""
    below_top = np.flatnonzero(y < y.max())
    if not len(below_top):
        return None
    terms = [np.count_nonzero((y > y[i]) & (x > x[i])) / np.count_nonzero(y > y[i]) for i in below_top]
    return 2 * np.mean(terms) - 1


def check_correlations(tally, source):
    lists = [random_lists(source) for _ in range(LISTS)]
    requests = [{"test": "correlation", "x": x.tolist(), "y": y.tolist()} for x, y in lists]
    for (x, y), answer in zip(lists, ask(requests)):
        def check(name, found, expected, tolerance=1e-9):
            if expected is not None:
                tally.compared(name)
            ok = near(found, expected, tolerance)
            tally.check(ok, lambda: f"{name} of {x.tolist()} {y.tolist()}: {found}, expected {expected}")

        varied = np.ptp(x) > 0 and np.ptp(y) > 0
        b, c = stats.kendalltau(x, y, variant="b"), stats.kendalltau(x, y, variant="c")
        check("tau_b", answer["tau"][1], b.statistic)
        check("tau_c", answer["tau"][2], c.statistic if varied else None)
        check("p of tau", answer["tau_p"], b.pvalue)
        pairs = itertools.combinations(range(len(x)), 2)
        signs = [np.sign((x[i] - x[j]) * (y[i] - y[j])) for i, j in pairs]
        check("tau_a", answer["tau"][0], np.mean(signs))
        rho, r = stats.spearmanr(x, y), stats.pearsonr(x, y) if varied else None
        several = varied and len(x) > 2
        check("rho", answer["rho"][0], rho.statistic)
        check("p of rho", answer["rho"][1], rho.pvalue if several else None)
        check("r", answer["r"][0], r.statistic if varied else None)
        # Next to 1 the last digits of r decide on p, and its artanh has no digits left.
        clear = several and abs(r.statistic) < 1 - 1e-9
        if clear or not several:
            check("p of r", answer["r"][1], r.pvalue if several else None)
        if clear and len(x) > 3:
            interval = r.confidence_interval(0.95)
            check("low end of r", answer["r_interval"][0], interval.low, 1e-7)
            check("high end of r", answer["r_interval"][1], interval.high, 1e-7)
        check_tau_ap(check, x, y, answer["tau_ap"])


def check_tau_ap(check, x, y, found):
    x_tied, y_tied = len(set(x)) < len(x), len(set(y)) < len(y)
    order = list(np.argsort(-y, kind="stable"))
    check("tau_ap", found[0], None if x_tied or y_tied else tau_ap(x, order))
    breaks = math.prod(math.factorial(np.count_nonzero(y == value)) for value in set(y))
    if x_tied:
        check("tau_ap_a", found[1], None)
    elif breaks <= 2000:
        check("tau_ap_a", found[1], np.mean([tau_ap(x, order) for order in tie_orders(y)]))
    both = tau_ap_b(x, y), tau_ap_b(y, x)
    check("tau_ap_b", found[2], None if None in both else sum(both) / 2)


def expected_width(n, variance, level):
    quantile = stats.t.ppf(0.5 + level / 2, n - 1)
    ratio = math.exp(special.gammaln(n / 2) - special.gammaln((n - 1) / 2))
    return 2 * quantile * math.sqrt(variance / n) * math.sqrt(2 / (n - 1)) * ratio


def check_designs(tally, source):
    requests = []
    for _ in range(DESIGNS):
        way = str(source.choice(list(SIDES)))
        effect = float(np.round(source.random() * 1.2 + 0.1, 3))
        requests.append({
            "test": "power", "effect": -effect if way == "less" else effect, "n": int(source.integers(3, 120)), "alternative": way,
            "alpha": float(source.choice([0.01, 0.05, 0.1])), "power": float(source.choice([0.5, 0.8, 0.9, 0.95])),
            "variance": float(np.round(source.random() + 0.01, 3)), "systems": int(source.choice([2, 3, 10, 50])),
        })
    for request, answer in zip(requests, ask(requests)):
        fail = lambda what: f"{what} of {request}: {answer}"
        effect, n, alpha, target = (request[name] for name in ("effect", "n", "alpha", "power"))
        side, systems, variance = SIDES[request["alternative"]], request["systems"], request["variance"]
        power = TTestPower().power(effect, n, alpha, alternative=side)
        # statsmodels has no number where the smaller tail is too small for scipy's noncentral t.
        if np.isfinite(power):
            tally.compared("power")
            tally.check(near(answer["power"], power), lambda: fail(f"power {power}"))
        # Solutions are put back: the solver of statsmodels fails for small samples.
        if answer["topics"] > 2:
            reached = TTestPower().power(effect, answer["topics"], alpha, alternative=side)
            tally.check(near(reached, target, 1e-8), lambda: fail(f"topics give {reached}"))
        reached = TTestPower().power(answer["effect"], n, alpha, alternative=side)
        if np.isfinite(reached):
            tally.compared("detectable effect")
            tally.check(near(reached, target, 1e-8), lambda: fail(f"effect gives {reached}"))
        spread = math.sqrt(effect**2 / (2 * systems))
        anova = lambda topics: FTestAnovaPower().power(spread, topics * systems, alpha, k_groups=systems)
        tally.compared("power of the analysis of variance")
        tally.check(near(answer["anova_power"], anova(n)), lambda: fail(f"anova power {anova(n)}"))
        topics = answer["anova_topics"]
        ok = anova(topics) >= target - 1e-9 and (topics == 2 or anova(topics - 1) < target)
        tally.check(ok, lambda: fail("anova topics"))
        width, topics = abs(effect) * math.sqrt(variance), answer["interval_topics"]
        reached = [expected_width(n, variance, 1 - alpha) for n in (topics, topics - 1) if n > 1]
        ok = reached[0] <= width * (1 + 1e-9) and (topics == 2 or reached[1] > width)
        tally.check(ok, lambda: fail(f"interval topics {reached}"))


def check_standardised(tally, source):
    methods = ["z", "cdf", "linear", "ecdf"]
    cases = []
    for _ in range(MATRICES):
        topics = int(source.integers(1, 12))
        reference = np.round(source.random((int(source.integers(2, 15)), topics)), int(source.choice([1, 4])))
        if source.random() < 0.3:
            reference[:, 0] = 0.1
        scores = np.round(source.random((int(source.integers(1, 5)), topics)), 2)
        cases.append((scores, reference, str(source.choice(methods)), int(source.integers(2))))
    name = "standardise"
    requests = [{"test": name, "scores": s.tolist(), "reference": r.tolist(), "method": m, "ddof": d} for s, r, m, d in cases]
    for (scores, reference, method, ddof), answer in zip(cases, ask(requests)):
        deviation = reference.std(axis=0, ddof=ddof)
        flat = deviation < 1e-13
        z = np.where(flat, 0.0, (scores - reference.mean(axis=0)) / np.where(flat, 1.0, deviation))
        shares = (reference[None, :, :] <= scores[:, None, :]).mean(axis=1)
        expected = {"z": z, "cdf": stats.norm.cdf(z), "linear": np.clip(0.15 * z + 0.5, 0, 1), "ecdf": shares}[method]
        ok = np.abs(np.array(answer["scores"]) - expected).max() <= 1e-9 * max(1.0, np.abs(expected).max())
        tally.compared(f"standardised, {method}")
        tally.check(ok, f"{method} of {scores.tolist()} by {reference.tolist()}: {answer} {expected}")


def main():
    warnings.filterwarnings("ignore")
    tally, source = Tally(), np.random.default_rng(SEED)
    check_correlations(tally, source)
    check_designs(tally, source)
    check_standardised(tally, source)
    print(f"{LISTS} pairs of lists, {DESIGNS} designs, {MATRICES} matrices, seed {SEED}")
    tally.finish(least=LEAST)


if __name__ == "__main__":
    main()
