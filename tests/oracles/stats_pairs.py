"""Tests of two systems against scipy, statsmodels and pingouin, on random scores and on scores of TREC tracks.

What these programs do differently on purpose is not asked of them: they rank differences with their rounding errors, so
scipy is given differences rounded to 12 decimals, and scipy's exact signed-rank test without ties is compared only where
there are none; with ties and zeros the reference is the enumeration of all signs. Where all differences are the same,
scipy has no number, and the answer must say that the case is degenerate.
"""

import itertools
import warnings

from _stats import ask, close, random_pair, track_scores

import numpy as np
import pingouin
from scipy import stats
from statsmodels.stats.descriptivestats import sign_test
from statsmodels.stats.multitest import multipletests

from _support import Tally

SEED = 20260201
CASES = 300
ALTERNATIVES = ["two-sided", "greater", "less"]
CORRECTIONS = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",
    "holm-sidak": "holm-sidak",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


def varied_pairs(source, count, least=2, most=60):
    """Random pairs, so many of them with differences that vary; constant ones come in between."""
    cases, varied = [], 0
    while varied < count:
        a, b = random_pair(source, least, most)
        varied += not is_constant(a, b)
        cases.append((a, b))
    return cases


def pairs(source):
    """Random pairs, and random pairs of systems of each track."""
    cases = varied_pairs(source, CASES)
    for systems in track_scores().values():
        for _ in range(60):
            first, second = source.choice(len(systems), 2, replace=False)
            cases.append((systems[first], systems[second]))
    return cases


def is_constant(a, b):
    """Whether all differences are the same on paper."""
    return np.ptp(np.round(np.subtract(a, b), 12)) == 0


def check_t(tally, source, cases):
    """Statistic, p and interval of the t test."""
    chosen = [(a, b, str(source.choice(ALTERNATIVES))) for a, b in cases]
    requests = [{"test": "paired_t", "a": a, "b": b, "alternative": way, "level": 0.95} for a, b, way in chosen]
    for (a, b, way), answer in zip(chosen, ask(requests)):
        if is_constant(a, b):
            tally.check(answer["degenerate"] and answer["statistic"] is None, f"t of constant {a} {b}: {answer}")
            continue
        tally.compared("paired t")
        expected = stats.ttest_rel(a, b, alternative=way)
        interval = expected.confidence_interval(0.95)
        same = (
            close(answer["statistic"], expected.statistic, floor=1e-12)
            and close(answer["p"], expected.pvalue)
            and all(found is None or abs(found - end) < 1e-9 for found, end in zip(answer["interval"], interval))
        )
        tally.check(same, lambda: f"t {way} {a} {b}: {answer}, expected {expected} {interval}")


def check_wilcoxon(tally, source, cases):
    """The normal distribution with each rule for zeros, with and without continuity; exact without ties."""
    rules = ["wilcox", "pratt", "zsplit"]
    chosen = []
    untied = [source.random((2, int(source.integers(2, 51)))).tolist() for _ in range(CASES)]
    for a, b in cases + untied:
        way, rule, method = (str(source.choice(words)) for words in (ALTERNATIVES, rules, ["normal", "continuity"]))
        d = np.round(np.subtract(a, b), 12)
        if len(set(np.abs(d))) == len(d) and np.all(d != 0) and len(d) <= 50:
            method = "exact"
        chosen.append((a, b, way, rule, method))
    names = ["a", "b", "alternative", "zeros", "method"]
    requests = [{"test": "wilcoxon", **dict(zip(names, case))} for case in chosen]
    for (a, b, way, rule, method), answer in zip(chosen, ask(requests)):
        d = np.round(np.subtract(a, b), 12)
        if not d.any():
            tally.check(answer["degenerate"] and answer["p"] == 1, f"signed ranks of zeros: {answer}")
            continue
        name = "exact" if method == "exact" else "asymptotic"
        tally.compared(f"signed ranks, {name}")
        expected = stats.wilcoxon(d, zero_method=rule, correction=method == "continuity", method=name, alternative=way)
        same = close(answer["statistic"], expected.statistic, floor=1e-12) and close(answer["p"], expected.pvalue)
        tally.check(same, lambda: f"signed ranks {way} {rule} {method} {a} {b}: {answer}, expected {expected}")


def check_sign(tally, source, cases):
    """One-sided and two-sided binomial p, and statsmodels' sign test."""
    chosen = [(a, b, str(source.choice(ALTERNATIVES))) for a, b in cases]
    requests = [{"test": "sign", "a": a, "b": b, "alternative": way} for a, b, way in chosen]
    for (a, b, way), answer in zip(chosen, ask(requests)):
        d = np.round(np.subtract(a, b), 12)
        more, fewer = int((d > 0).sum()), int((d < 0).sum())
        trials = max(more + fewer, 1)
        tally.compared("signs")
        expected = stats.binomtest(more, trials, alternative=way).pvalue if more + fewer else 1.0
        counts = [more, len(d) - more - fewer, fewer]
        same = close(answer["p"], expected) and answer["counts"] == counts
        if way == "two-sided" and more + fewer:
            same = same and close(answer["p"], sign_test(d)[1])
        tally.check(same, lambda: f"signs {way} {a} {b}: {answer}, expected {expected} {counts}")


def all_signs(count):
    """Every row of signs."""
    return np.array(list(itertools.product([1.0, -1.0], repeat=count)))


def check_exact(tally, source):
    """Exact tests with ties and zeros against the enumeration of all signs."""
    cases = [random_pair(source, 1, 16) for _ in range(300)]
    cases += [random_pair(source, 14, 16) for _ in range(20)]
    ways = [str(source.choice(ALTERNATIVES)) for _ in cases]
    common = [{"a": a, "b": b, "alternative": way, "method": "exact"} for (a, b), way in zip(cases, ways)]
    fisher = ask([{"test": "randomisation", **arguments} for arguments in common])
    ranked = ask([{"test": "wilcoxon", "zeros": "pratt", **arguments} for arguments in common])
    for (a, b), way, by_sum, by_rank in zip(cases, ways, fisher, ranked):
        d = np.subtract(a, b)
        signs = all_signs(len(d))
        ranks = stats.rankdata(np.abs(np.round(d, 12))) * np.sign(np.round(d, 12))
        for name, values, answer in [("sum", d, by_sum), ("ranks", ranks, by_rank)]:
            sums, observed = signs @ values, values.sum()
            reached = {
                "two-sided": np.abs(sums) >= abs(observed) - 1e-11,
                "greater": sums >= observed - 1e-11,
                "less": sums <= observed + 1e-11,
            }[way]
            expected = reached.mean()
            tally.compared(f"all signs of {name}")
            tally.check(
                abs(answer["p"] - expected) < 1e-15, lambda: f"all signs {name} {way} {a} {b}: {answer}, expected {expected}"
            )


def check_permutation(tally, source):
    """scipy's permutation test where no sums are tied but the observed one."""
    cases = [source.random((2, int(source.integers(2, 11)))).tolist() for _ in range(CASES)]
    requests = [{"test": "randomisation", "a": a, "b": b, "method": "exact"} for a, b in cases]
    for (a, b), answer in zip(cases, ask(requests)):
        d = np.subtract(a, b)
        tally.compared("permutations")
        expected = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
        tally.check(close(answer["p"], expected), lambda: f"permutations {a} {b}: {answer}, expected {expected}")


def check_random_signs(tally, source):
    """Random signs come within five standard errors of all signs, for single pairs and for many at once."""
    chosen = varied_pairs(source, CASES, 2, 30)
    common = {"replicates": 20000, "seed": 7}
    exact = ask([{"test": "randomisation", "a": a, "b": b, "method": "exact"} for a, b in chosen])
    drawn = ask([{"test": "randomisation", "a": a, "b": b, "method": "random", **common} for a, b in chosen])
    many = ask([{"test": "pairs", "scores": [a, b], **common} for a, b in chosen])
    for (a, b), all_of_them, some, pair in zip(chosen, exact, drawn, many):
        p = all_of_them["p"]
        tally.compared("random signs")
        error = 5 * np.sqrt(p * (1 - p) / 20000) + 1e-4
        tally.check(abs(some["p"] - p) <= error, lambda: f"random signs {a} {b}: {some}, expected {p}")
        tally.check(some["p"] == pair["p"][0], lambda: f"random signs of pairs {a} {b}: {pair}, expected {some}")


def check_corrections(tally, source):
    """statsmodels' corrections, and scipy's for the rate of false discoveries."""
    families = []
    for _ in range(500):
        count = int(source.integers(1, 40))
        p = source.random(count) ** source.integers(1, 6)
        families.append(np.where(source.random(count) < 0.1, source.integers(0, 2, count), np.round(p, source.integers(2, 9))))
    requests = [{"test": "adjust", "p": p.tolist(), "method": name} for p in families for name in CORRECTIONS]
    expected = [multipletests(p, method=foreign)[1] for p in families for foreign in CORRECTIONS.values()]
    for request, answer, wanted in zip(requests, ask(requests), expected):
        tally.compared(f"correction {request['method']}")
        same = np.allclose(answer["p"], wanted, rtol=1e-9, atol=1e-12)
        tally.check(same, lambda: f"{request}: {answer}, expected {wanted}")


def check_effects(tally, cases):
    """pingouin's effect sizes; the interval of d_z against the noncentral t distribution of scipy."""
    requests = [{"test": "effect", "a": a, "b": b, "level": 0.95} for a, b in cases]
    for (a, b), answer in zip(cases, ask(requests)):
        if is_constant(a, b):
            tally.check(answer["d_z_interval"] is None, f"d_z of constant {a} {b}: {answer}")
            continue
        tally.compared("effect sizes")
        d = np.subtract(a, b)
        t = stats.ttest_rel(a, b).statistic
        without_variance = 0.0 if abs(np.mean(d)) < 1e-13 else None
        expected = {"d_z": t / np.sqrt(len(d)), "glass": np.mean(d) / np.std(b, ddof=1) if np.ptp(b) else without_variance}
        expected["d_av"] = pingouin.compute_effsize(a, b, paired=True, eftype="cohen")
        expected["hedges_g"] = pingouin.compute_effsize(a, b, paired=True, eftype="hedges")
        grid_a, grid_b = np.round(a, 12), np.round(b, 12)
        expected["cliff"] = 2 * pingouin.compute_effsize(grid_a, grid_b, eftype="CLES") - 1
        ranks = stats.rankdata(np.abs(np.round(d, 12)[np.round(d, 12) != 0]))
        signs = np.sign(np.round(d, 12)[np.round(d, 12) != 0])
        expected["rank_biserial"] = (ranks * signs).sum() / ranks.sum()
        for name, value in expected.items():
            same = answer[name] is None if value is None else abs(answer[name] - value) <= 1e-9 * max(1, abs(value))
            tally.check(same, lambda: f"{name} {a} {b}: {answer[name]}, expected {value}")
        low, high = (np.sqrt(len(d)) * end for end in answer["d_z_interval"])
        tails = stats.nct.sf(t, len(d) - 1, low), stats.nct.cdf(t, len(d) - 1, high)
        tally.check(np.allclose(tails, 0.025, atol=1e-8), lambda: f"interval of d_z {a} {b}: tails {tails}")


def check_tost(tally, source, cases):
    """pingouin's two one-sided tests."""
    chosen = [(a, b, float(source.choice([0.01, 0.05, 0.2]))) for a, b in cases if not is_constant(a, b)][:700]
    requests = [{"test": "tost", "a": a, "b": b, "bound": bound} for a, b, bound in chosen]
    for (a, b, bound), answer in zip(chosen, ask(requests)):
        tally.compared("two one-sided tests")
        frame = pingouin.tost(np.array(a), np.array(b), bound=bound, paired=True)
        column = next(name for name in frame.columns if name.startswith("p"))
        expected = float(frame[column].iloc[0])
        tally.check(close(answer["p"], expected), lambda: f"tost {bound} {a} {b}: {answer}, expected {expected}")


def check_intervals(tally, source):
    """Ends of bootstrap intervals from scipy's own replicates."""
    requests, expected = [], []
    for values, _ in varied_pairs(source, 2 * CASES, 5, 40):
        values = np.array(values)
        if np.ptp(values) == 0:
            continue
        jackknife = (values.sum() - values) / (len(values) - 1)
        common = {"test": "interval", "estimate": values.mean(), "jackknife": jackknife.tolist(), "level": 0.9}
        for method in ["percentile", "basic", "BCa"]:
            result = stats.bootstrap((values,), np.mean, n_resamples=199, method=method, confidence_level=0.9, rng=source)
            distances = np.abs(result.bootstrap_distribution - values.mean())
            if method == "BCa" and np.any((distances > 0) & (distances < 1e-9)):
                continue  # a tie on paper, which scipy does not count as one
            requests.append({**common, "method": method, "replicates": result.bootstrap_distribution.tolist()})
            expected.append(result.confidence_interval)
    for request, answer, ends in zip(requests, ask(requests), expected):
        tally.compared(f"{request['method']} intervals")
        if answer["interval"] is None:
            # The end lies beyond all replicates but one, and scipy takes that.
            replicates = np.sort(request["replicates"])
            same = ends.low <= replicates[1] or ends.high >= replicates[-2]
        else:
            same = np.allclose(answer["interval"], ends, rtol=1e-9, atol=1e-9)
        tally.check(same, lambda: f"{request}: {answer}, expected {ends}")


def shifted(source, a, b, replicates):
    """Shares of resamples that reach the observed mean, and the observed t."""
    d = np.subtract(a, b)
    moved = d - d.mean()
    drawn = moved[source.integers(0, len(d), (replicates, len(d)))]
    means, deviations = drawn.mean(axis=1), drawn.std(axis=1, ddof=1)
    flat = deviations < 1e-9
    # A resample of one value alone lies infinitely far out, or in the middle.
    alone = np.where(np.abs(means) < 1e-9, 0, np.inf)
    t = np.where(flat, alone, means / np.where(flat, 1, deviations))
    return {
        "mean": np.mean(np.abs(means) >= abs(d.mean()) - 1e-11),
        "studentised": np.mean(np.abs(t) >= abs(d.mean() / d.std(ddof=1)) - 1e-9),
    }


def check_shift(tally):
    """The bootstrap test against a plain loop over resamples of numpy."""
    source, replicates = np.random.default_rng(5), 10000
    half = CASES // 2
    cases = varied_pairs(source, half, 2, 6) + varied_pairs(source, half, 6, 30)
    cases = [(a, b) for a, b in cases if not is_constant(a, b)]
    common = {"test": "bootstrap_test", "replicates": replicates, "seed": 1}
    names = ["mean", "studentised"]
    answers = iter(ask([{**common, "a": a, "b": b, "statistic": name} for a, b in cases for name in names]))
    for a, b in cases:
        expected = shifted(source, a, b, replicates)
        for name in names:
            answer, share = next(answers), expected[name]
            tally.compared(f"shift of the {name}")
            error = 6 * np.sqrt(2 * max(share, 1e-3) * (1 - share) / replicates) + 1e-4
            tally.check(abs(answer["p"] - share) <= error, lambda: f"shift {name} {a} {b}: {answer}, expected {share}")


def main():
    """Run every comparison."""
    warnings.simplefilter("ignore")
    source = np.random.default_rng(SEED)
    tally = Tally()
    cases = pairs(source)
    check_t(tally, source, cases)
    check_wilcoxon(tally, source, cases)
    check_sign(tally, source, cases)
    check_exact(tally, source)
    check_permutation(tally, source)
    check_random_signs(tally, source)
    check_corrections(tally, source)
    check_effects(tally, cases)
    check_tost(tally, source, cases)
    check_intervals(tally, source)
    check_shift(tally)
    tally.finish(least=CASES)


if __name__ == "__main__":
    main()
