"""Tests of several systems against scipy, statsmodels, pingouin and scikit-posthocs, on random scores and on scores of TREC tracks.

 - one-way and two-way analysis of variance with scipy's `f_oneway`, statsmodels' `anova_lm` and pingouin's `epsilon`;
 - the studentised range with scipy's `studentized_range`, Tukey unpaired with scipy's `tukey_hsd`;
 - Friedman with scipy, its post-hoc comparisons with scikit-posthocs, its exact p with the enumeration of all orders;
 - Dunnett unpaired with scipy's `dunnett`, which is random in the third digit, and its distribution with nested adaptive
   integrals (`scipy.integrate.quad`) of the definition;
 - randomised Tukey with a loop of `rng.permuted`, within five standard errors.
Where there is no variance, the other programs have no number, and the answer must have no statistic. The seed is fixed.
"""

import itertools
import math
import warnings

from _stats import ask, track_scores

import numpy as np
import pandas as pd
import pingouin
import scikit_posthocs
import statsmodels.formula.api as formula
from scipy import integrate, special, stats
from statsmodels.stats.anova import anova_lm

from _support import Tally

SEED = 20260202
CASES = 300
RANGES = 300
ALTERNATIVES = ["two-sided", "greater", "less"]


def near(found, expected, tolerance=1e-9):
    """Whether a number is as expected, relative to its size where that is above 1."""
    return found is not None and abs(found - expected) <= tolerance * max(1.0, abs(expected))


def all_near(found, expected, tolerance=1e-9):
    return len(found) == len(expected) and all(near(f, e, tolerance) for f, e in zip(found, expected))


def varied_matrices(source, count):
    """Random matrices, so many of them with a residual variance, and with three systems or more; others come in between."""
    matrices, varied = [], 0
    while varied < count:
        scores = random_matrix(source)
        varied += len(scores) > 2 and has_residual(scores) and scores.shape[1] > len(scores)
        matrices.append(scores)
    return matrices


def random_matrix(source):
    """Systems by topics: fine or coarse scores, many zeros, topics without differences, systems that are copies."""
    systems, topics = int(source.integers(2, 8)), int(source.integers(2, 21))
    shape = systems, topics
    scores = [
        source.random(shape),
        source.integers(0, 11, shape) / 10,
        np.round(source.beta(0.4, 1.5, shape), 2),
        np.where(source.random(shape) < 0.5, 0.0, np.round(source.random(shape), 4)),
    ][source.integers(4)]
    if source.random() < 0.3:
        scores[:, source.integers(topics)] = 0.5
    if source.random() < 0.2:
        scores[-1] = scores[0]
    return scores


def small_matrices(source):
    """Few systems and topics, so that all orders of their ranks can be gone through."""
    shapes = [(3, 5), (3, 6), (4, 3), (4, 4), (5, 3), (2, 9)]
    choose = lambda: shapes[source.integers(len(shapes))]
    return [source.integers(0, 6, choose()) / 5 for _ in range(CASES)]


def has_residual(scores):
    """Whether the two-way table leaves any variance."""
    left = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0, keepdims=True) + scores.mean()
    return np.abs(left).max() > 1e-12


def pairs_of(count):
    return list(itertools.combinations(range(count), 2))


def two_way(scores):
    """Statistic, p and residual variance of statsmodels."""
    systems, topics = scores.shape
    frame = pd.DataFrame({
        "y": scores.ravel(),
        "system": np.repeat(np.arange(systems), topics),
        "topic": np.tile(np.arange(topics), systems),
    })
    table = anova_lm(formula.ols("y ~ C(system) + C(topic)", frame).fit())
    return table


def check_anova(tally, matrices, statsmodels=True):
    requests = [{"test": "anova", "scores": scores.tolist()} for scores in matrices]
    for scores, answer in zip(matrices, ask(requests)):
        one, systems = answer["one_way"], answer["systems"]
        if np.abs(scores - scores.mean(axis=1, keepdims=True)).max() > 1e-12:
            tally.compared("one-way analysis of variance")
            f, p = stats.f_oneway(*scores)
            # An F of rounding errors may be negative, and has no p in scipy.
            f, p = (0.0, 1.0) if abs(f) < 1e-12 else (f, p)
            tally.check(near(one["statistic"], f) and near(one["p"], p), f"one-way {one}: {f} {p}")
        else:
            tally.check(one["statistic"] is None, f"one-way without variance: {one}")
        if not has_residual(scores):
            tally.check(systems["statistic"] is None, f"two-way without variance: {systems}")
            continue
        if statsmodels:
            check_two_way(tally, answer, two_way(scores))
        if len(scores) > 2 and statsmodels:
            check_sphericity(tally, answer, scores)


def check_two_way(tally, answer, table):
    tally.compared("two-way analysis of variance")
    for name, row in (("systems", "C(system)"), ("topics", "C(topic)")):
        f, p = table.loc[row, "F"], table.loc[row, "PR(>F)"]
        found = answer[name]
        tally.check(near(found["statistic"], f, 1e-8) and near(found["p"], p), f"two-way {name} {found}: {f} {p}")
    tally.check(near(answer["residual"], table.loc["Residual", "mean_sq"]), f"residual {answer}")
    squares = table["sum_sq"]
    part = squares["C(system)"]
    expected = [part / squares.sum(), part / (part + squares["Residual"])]
    tally.check(all_near(answer["system_shares"][:2], expected), f"shares {answer}: {expected}")


def check_sphericity(tally, answer, scores):
    wide = pd.DataFrame(scores.T)
    geisser = pingouin.epsilon(wide, correction="gg")
    found = answer["sphericity"]
    tally.compared("sphericity, Greenhouse and Geisser")
    tally.check(near(found[0], min(geisser, 1.0), 1e-8), f"epsilon {found}: {geisser}")
    systems, topics = scores.shape
    # pingouin's Huynh-Feldt is not cut off where its denominator passes 0; such designs have fewer topics than systems.
    if topics > systems:
        tally.compared("sphericity, Huynh and Feldt")
        feldt = pingouin.epsilon(wide, correction="hf")
        tally.check(near(found[1], min(feldt, 1.0), 1e-7), f"Huynh-Feldt {found}: {feldt}")


def check_range(tally, source):
    """The studentised range at random points."""
    requests = []
    for _ in range(RANGES):
        df = [None, 1, 2, 3, int(source.integers(4, 60)), int(source.integers(100, 7000))][source.integers(6)]
        groups = int(source.choice([2, 3, 5, 10, 50, 129]))
        q = float(np.round(source.random() * source.choice([8, 30]) + 0.1, 3))
        requests.append({"test": "studentised_range", "groups": groups, "df": df, "q": [q], "alpha": [0.05]})
    for request, answer in zip(requests, ask(requests)):
        tally.compared("studentised range")
        df = request["df"] or np.inf
        expected = stats.studentized_range.sf(request["q"], request["groups"], df)
        ok = np.abs(np.subtract(answer["sf"], expected)).max() < 1e-8
        tally.check(ok, f"studentised range {request}: {answer} {expected}")
    for request, answer in list(zip(requests, ask(requests)))[:30]:
        back = stats.studentized_range.sf(answer["critical"][0], request["groups"], request["df"] or np.inf)
        tally.check(abs(back - 0.05) < 1e-8, f"critical {request}: {answer} {back}")


def check_tukey(tally, matrices):
    requests = [{"test": "tukey", "scores": s.tolist(), "paired": p, "level": 0.95} for s in matrices for p in (True, False)]
    answers = iter(ask(requests))
    for case, scores in enumerate(matrices):
        paired, unpaired = next(answers), next(answers)
        systems, topics = scores.shape
        if has_residual(scores):
            left = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0, keepdims=True) + scores.mean()
            df = (systems - 1) * (topics - 1)
            error = math.sqrt((left**2).sum() / df / topics)
            means = scores.mean(axis=1)
            q = np.array([abs(means[i] - means[j]) / error for i, j in pairs_of(systems)])
            # scipy's tail takes a tenth of a second and more, so it is asked for one pair of each matrix.
            pair = case % len(q)
            p = stats.studentized_range.sf(q[pair], systems, df)
            tally.compared("paired Tukey")
            ok = all_near(paired["statistics"], q, 1e-8) and near(paired["p"][pair], p, 1e-8)
            tally.check(ok, f"paired Tukey {paired}: {q} {p}")
            low, high = paired["intervals"][pair]
            reached = stats.studentized_range.sf((high - low) / 2 / error, systems, df) if case % 10 == 0 else 0.05
            tally.check(abs(reached - 0.05) < 1e-8, f"interval {paired}: {reached}")
        else:
            tally.check(paired["degenerate"], f"Tukey without variance {paired}")
        within = scores - scores.mean(axis=1, keepdims=True)
        if np.abs(within).max() > 1e-12:
            tally.compared("unpaired Tukey")
            if systems <= 3:
                expected = stats.tukey_hsd(*scores).pvalue
                expected = [expected[i, j] for i, j in pairs_of(systems)]
                tally.check(all_near(unpaired["p"], expected, 1e-8), f"unpaired Tukey {unpaired}: {expected}")
                continue
            pair, df = case % len(pairs_of(systems)), systems * (topics - 1)
            i, j = pairs_of(systems)[pair]
            q = abs(scores[i].mean() - scores[j].mean()) / math.sqrt((within**2).sum() / df / topics)
            p = stats.studentized_range.sf(q, systems, df)
            ok = near(unpaired["statistics"][pair], q, 1e-8) and near(unpaired["p"][pair], p, 1e-8)
            tally.check(ok, f"unpaired Tukey {unpaired}: {q} {p}")


def exact_friedman(scores):
    """The share of all orders of ranks with at least as large a sum of squared rank sums."""
    systems = len(scores)
    ranks = np.array([2 * stats.rankdata(topic) for topic in scores.T]).astype(int)
    observed = (ranks.sum(axis=0) ** 2).sum()
    orders = np.array(list(itertools.permutations(range(systems))))
    sums = ranks[:1]
    for topic in ranks[1:]:
        sums = (sums[:, None, :] + topic[orders][None, :, :]).reshape(-1, systems)
    return np.mean((sums**2).sum(axis=1) >= observed)


def check_friedman(tally, matrices, post_hoc=True, nemenyi=True):
    few = lambda systems, topics: math.factorial(systems) ** (topics - 1) <= 60_000
    requests = [{"test": "friedman", "scores": scores.tolist(), "exact": few(*scores.shape)} for scores in matrices]
    for case, (scores, answer) in enumerate(zip(matrices, ask(requests))):
        systems, topics = scores.shape
        if np.ptp(scores, axis=0).max() == 0:
            tally.check(answer["chi_square"] is None and answer["p"] == 1, f"all tied {answer}")
            continue
        if systems > 2:
            tally.compared("Friedman")
            chi, p = stats.friedmanchisquare(*scores)
            tally.check(near(answer["chi_square"], chi) and near(answer["p"], p), f"Friedman {answer}: {chi} {p}")
            tally.check(near(answer["w"], chi / topics / (systems - 1)), f"W {answer}")
            rest = topics * (systems - 1) - chi
            if rest > 1e-9:
                f = (topics - 1) * chi / rest
                df = systems - 1, (systems - 1) * (topics - 1)
                ok = near(answer["f"]["statistic"], f, 1e-8) and near(answer["f"]["p"], stats.f.sf(f, *df))
                tally.check(ok, f"Iman-Davenport {answer}: {f}")
        if few(systems, topics) and systems <= 6:
            tally.compared("Friedman, exact")
            expected = exact_friedman(scores)
            tally.check(near(answer["exact"], expected), f"exact {answer}: {expected}")
        if post_hoc:
            check_post_hoc(tally, scores, answer, case if nemenyi else None)


def nemenyi_p(scores, pair):
    """p of one pair, by scipy's studentised range with infinite degrees of freedom."""
    systems, topics = scores.shape
    ranks = np.array([stats.rankdata(topic) for topic in scores.T]).mean(axis=0)
    i, j = pairs_of(systems)[pair]
    q = abs(ranks[i] - ranks[j]) / math.sqrt(systems * (systems + 1) / 12 / topics)
    return stats.studentized_range.sf(q, systems, np.inf)


def check_nemenyi(tally, scores, found, case):
    """All pairs take scikit-posthocs long, and are asked for every tenth time, else one of them."""
    pairs = pairs_of(len(scores))
    tally.compared("Nemenyi")
    if case % 10 == 0:
        table = np.asarray(scikit_posthocs.posthoc_nemenyi_friedman(scores.T))
        expected = [table[i, j] for i, j in pairs]
        tally.check(all_near(found, expected, 1e-8), f"Nemenyi {found}: {expected}")
        return
    pair = case % len(pairs)
    expected = nemenyi_p(scores, pair)
    tally.check(near(found[pair], expected, 1e-8), f"Nemenyi {found} of pair {pair}: {expected}")


def check_post_hoc(tally, scores, answer, case):
    """With the number of the case, Nemenyi's comparison too."""
    systems = len(scores)
    upper = lambda table: [np.asarray(table)[i, j] for i, j in pairs_of(systems)]
    if case is not None:
        check_nemenyi(tally, scores, answer["nemenyi"]["p"], case)
    tally.compared("Siegel")
    expected = upper(scikit_posthocs.posthoc_siegel_friedman(scores.T))
    tally.check(all_near(answer["siegel"]["p"], expected), f"Siegel {answer['siegel']}: {expected}")
    # Where all topics agree there is no variance to compare with.
    if answer["f"]["statistic"] is not None:
        tally.compared("Conover")
        expected = upper(scikit_posthocs.posthoc_conover_friedman(scores.T))
        tally.check(all_near(answer["conover"]["p"], expected), f"Conover {answer['conover']}: {expected}")
    if np.ptp(scores) > 0:
        tally.compared("Dunn")
        expected = upper(scikit_posthocs.posthoc_dunn(list(scores)))
        tally.check(all_near(answer["dunn"]["p"], expected), f"Dunn {answer['dunn']}: {expected}")


def many_to_one_tail(c, treatments, df, two_sided):
    """The tail of Dunnett's distribution, by adaptive integrals of its definition."""
    phi, cdf = (lambda y: math.exp(-y * y / 2) / math.sqrt(2 * math.pi)), special.ndtr

    def known(s):
        w = math.sqrt(2) * c * s
        inside = (lambda y: cdf(y + w) - cdf(y - w)) if two_sided else (lambda y: cdf(y + w))
        return integrate.quad(lambda y: phi(y) * inside(y) ** treatments, -9, 9, epsabs=1e-12, limit=200)[0]

    if df is None:
        return 1 - known(1.0)
    scale = 1 / math.sqrt(df)
    density = stats.chi(df, scale=scale)
    low, high = density.ppf(1e-14), density.isf(1e-14)
    return 1 - integrate.quad(lambda s: density.pdf(s) * known(s), low, high, epsabs=1e-11, limit=200)[0]


def check_dunnett(tally, source, matrices):
    requests = []
    for treatments, df in itertools.product([1, 2, 5, 20], [1, 4, 38, None]):
        for way in ("two-sided", "greater"):
            c = float(np.round(source.random() * 3 + 0.2, 2))
            requests.append({"test": "many_to_one", "treatments": treatments, "df": df, "alternative": way, "c": [c]})
    for request, answer in zip(requests, ask(requests)):
        expected = many_to_one_tail(request["c"][0], request["treatments"], request["df"], request["alternative"] == "two-sided")
        tally.check(near(answer["sf"][0], expected, 1e-9), f"Dunnett's distribution {request}: {answer} {expected}")
    matrices = [scores for scores in matrices if has_residual(scores)][:CASES]
    ways = [str(source.choice(ALTERNATIVES)) for _ in matrices]
    common = {"test": "dunnett", "control": 0, "level": 0.95, "paired": False}
    requests = [common | {"scores": s.tolist(), "alternative": way} for s, way in zip(matrices, ways)]
    for scores, way, answer in zip(matrices, ways, ask(requests)):
        if np.abs(scores - scores.mean(axis=1, keepdims=True)).max() < 1e-12:
            continue
        tally.compared("Dunnett")
        expected = stats.dunnett(*scores[1:], control=scores[0], alternative=way, rng=np.random.default_rng(1))
        ok = all_near(answer["statistics"], expected.statistic, 1e-8) and all_near(answer["p"], expected.pvalue, 5e-3)
        tally.check(ok, f"Dunnett {way} {answer}: {expected.statistic} {expected.pvalue}")


def check_randomised(tally, source, matrices):
    """Each p within five standard errors of both sides, with the tolerance that ties need."""
    replicates = 4000
    requests = [{"test": "randomised_tukey", "scores": s.tolist(), "replicates": replicates, "seed": 5} for s in matrices]
    for scores, answer in zip(matrices, ask(requests)):
        tally.compared("randomised Tukey")
        sums = np.zeros((replicates, len(scores)))
        for topic in scores.T:
            sums += source.permuted(np.tile(topic, (replicates, 1)), axis=1)
        ranges = np.ptp(sums, axis=1)
        for (i, j), p in zip(pairs_of(len(scores)), answer["p"]):
            reached = np.count_nonzero(ranges >= abs(scores[i].sum() - scores[j].sum()) - 1e-9)
            expected = (1 + reached) / (1 + replicates)
            error = math.sqrt(2 * max(expected * (1 - expected), 1e-3) / replicates)
            tally.check(abs(p - expected) < 5 * error, f"randomised Tukey {scores.tolist()} {i} {j}: {p} {expected}")


def main():
    warnings.filterwarnings("ignore")
    tally, source = Tally(), np.random.default_rng(SEED)
    matrices = varied_matrices(source, CASES)
    tracks = [np.array(systems) for systems in track_scores().values()]
    parts = [scores[source.choice(len(scores), 8, replace=False)] for scores in tracks for _ in range(5)]
    check_range(tally, source)
    check_anova(tally, matrices + parts)
    check_anova(tally, tracks, statsmodels=False)
    # Tails of the studentised range take scipy a tenth of a second and more each.
    few = matrices[: CASES + 15]
    check_tukey(tally, few + parts)
    check_friedman(tally, few + parts)
    check_friedman(tally, matrices[len(few) :], nemenyi=False)
    check_friedman(tally, small_matrices(source), post_hoc=False)
    check_friedman(tally, tracks, post_hoc=False)
    check_dunnett(tally, source, matrices + parts)
    check_randomised(tally, source, matrices[:300])
    print(f"{len(matrices)} matrices, {len(tracks)} tracks, seed {SEED}")
    tally.finish(least=CASES)


if __name__ == "__main__":
    main()
