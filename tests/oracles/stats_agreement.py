"""Agreement of raters against scikit-learn, statsmodels, krippendorff and irrCAC, with gaps in the ratings. The seed is fixed.

What the programs do differently, and what is done about it here:
 1. scikit-learn weights grades by their places in the list of labels. It is given all grades as labels, so that places are grades.
 2. irrCAC gives five digits and is compared with as many. It takes gaps for a grade of their own, so it is asked about ratings without
    gaps only. Its "ordinal" weights are not the ordinal metric of krippendorff.
 3. Where all ratings are the same, the programs give 1, nothing or an error. Here there is no value.
 4. statsmodels' standard error of weighted kappa is compared for grades that all occur, since it weights places too.
"""

import warnings

from _stats import ask

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from _support import Tally

SEED = 20260204
CASES = 720
# irrCAC is slow, and is asked about as many.
IRR_CASES = 300
WEIGHTS = ["identity", "linear", "quadratic", "ordinal"]
LEVELS = ["nominal", "ordinal", "interval", "ratio"]
GRADES = [0, 1, 2, 3]


def random_ratings(source):
    """Raters by items, NaN where there is no rating: raters who mostly agree or do not, with skewed or even grades."""
    raters, items = int(source.integers(2, 6)), int(source.integers(3, 40))
    truth = source.choice(GRADES, items, p=[[0.25] * 4, [0.7, 0.15, 0.1, 0.05]][source.integers(2)])
    noise = source.choice(GRADES, (raters, items))
    ratings = np.where(source.random((raters, items)) < source.choice([0.1, 0.4, 0.9]), noise, truth).astype(float)
    if source.random() < 0.5:
        ratings[source.random((raters, items)) < 0.2] = np.nan
    return ratings


def near(found, expected, tolerance=1e-9):
    return found is not None and abs(found - expected) <= tolerance


def check_two_raters(tally, ratings, answer):
    """Cohen's kappa of the first two raters, on what both rated."""
    both = ratings[:2, ~np.isnan(ratings[:2]).any(axis=0)].astype(int)
    if both.size == 0 or len(set(both.ravel())) == 1:
        return
    table = np.zeros((len(GRADES), len(GRADES)))
    np.add.at(table, tuple(both), 1)
    for weights, name in ((None, "identity"), ("linear", "linear"), ("quadratic", "quadratic")):
        value, error = answer[name]["cohen"]
        expected = cohen_kappa_score(*both, labels=GRADES, weights=weights)
        tally.compared(f"{name} kappa")
        tally.check(near(value, expected), f"{name} kappa of {both.tolist()}: {value} {expected}")
        used = set(ratings[~np.isnan(ratings)]) == set(GRADES)
        if used:
            # The root of a rounding error, where agreement is full.
            expected = np.nan_to_num(cohens_kappa(table, wt=weights).std_kappa)
            expected = expected if expected > 1e-6 else 0.0
            tally.compared(f"{name} error of kappa")
            tally.check(near(error, expected), f"{name} error of {both.tolist()}: {error} {expected}")


def check_many_raters(tally, ratings, answer):
    several = (~np.isnan(ratings)).sum(axis=0) >= 2
    if not several.any() or len(set(ratings[:, several][~np.isnan(ratings[:, several])])) == 1:
        return
    for level in LEVELS:
        expected = krippendorff.alpha(reliability_data=ratings, level_of_measurement=level)
        found = answer["alpha"][level]
        tally.compared(f"{level} alpha")
        tally.check(near(found, expected), f"{level} alpha of {ratings.tolist()}: {found} {expected}")
    if not np.isnan(ratings).any():
        counts = aggregate_raters(ratings.T.astype(int))[0]
        for name, method in (("fleiss", "fleiss"), ("brennan_prediger", "randolph")):
            expected, found = fleiss_kappa(counts, method=method), answer["identity"][name]
            tally.compared(method)
            tally.check(near(found, expected), f"{method} of {ratings.tolist()}: {found} {expected}")


def check_irr_cac(tally, ratings, answer):
    frame = pd.DataFrame(ratings.T)
    for weights in WEIGHTS:
        peer = CAC(frame, weights=weights)
        methods = {"fleiss": peer.fleiss, "brennan_prediger": peer.bp, "gwet": peer.gwet, "conger": peer.conger}
        for name, method in methods.items():
            expected, found = method()["est"]["coefficient_value"], answer[weights][name]
            tally.compared(f"irrCAC {weights} {name}")
            tally.check(near(found, expected, 5.1e-6), f"{weights} {name} of {ratings.tolist()}: {found} {expected}")


def main():
    warnings.filterwarnings("ignore")
    tally, source = Tally(), np.random.default_rng(SEED)
    cases = [random_ratings(source) for _ in range(CASES)]
    as_list = lambda rater: [None if np.isnan(grade) else grade for grade in rater]
    requests = [{"test": "agreement", "raters": [as_list(rater) for rater in ratings]} for ratings in cases]
    answered = list(zip(cases, ask(requests)))
    for ratings, answer in answered:
        check_two_raters(tally, ratings, answer)
        check_many_raters(tally, ratings, answer)
    whole = [(ratings, answer) for ratings, answer in answered if not np.isnan(ratings).any() and np.ptp(ratings) > 0]
    for ratings, answer in whole[:IRR_CASES]:
        check_irr_cac(tally, ratings, answer)
    print(f"{CASES} cases, seed {SEED}")
    tally.finish(least=300)


if __name__ == "__main__":
    main()
