"""`cranfield.sklearn` beside scikit-learn itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.sklearn import make_ranking_scorer, ranking_score

metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")


def random_case(seed: int, ties: bool) -> tuple[Any, Any]:
    choose = np.random.default_rng(seed)
    shape = int(choose.integers(1, 8)), int(choose.integers(2, 12))
    grades = choose.integers(0, 4, shape)
    scores = choose.integers(0, 4, shape).astype(float) if ties else choose.random(shape)
    return grades, scores


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_ndcg_score(seed: int, ties: bool) -> None:
    grades, scores = random_case(seed, ties)
    for k in (None, 1, 3, 10):
        measure = "nDCG" if k is None else f"nDCG@{k}"
        expected = metrics.ndcg_score(grades, scores, k=k)
        assert ranking_score(grades, scores, measure=measure) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_the_form_with_groups_is_the_same(seed: int) -> None:
    grades, scores = random_case(seed, seed % 2 == 0)
    topics = np.repeat(np.arange(len(grades)), grades.shape[1])
    expected = metrics.ndcg_score(grades, scores, k=5)
    for groups in (topics, topics.astype(str), topics.tolist(), topics.astype("i1")):
        found = ranking_score(grades.ravel(), scores.ravel(), measure="nDCG@5", groups=groups)
        assert found == pytest.approx(expected, abs=1e-9)
    order = np.random.default_rng(seed).permutation(grades.size)
    shuffled = [column.ravel()[order] for column in (grades, scores)]
    found = ranking_score(*shuffled, measure="nDCG@5", groups=topics[order])
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_label_ranking_average_precision(seed: int) -> None:
    """LRAP of rankings without ties is the mean of AP; topics without relevant documents are 1 there and 0 here."""
    grades, scores = random_case(seed, ties=False)
    binary = (grades > 1).astype(int)
    some = binary[binary.any(axis=1)]
    if not len(some):
        pytest.skip("no topic has a relevant document")
    expected = metrics.label_ranking_average_precision_score(some, scores[binary.any(axis=1)])
    assert ranking_score(some, scores[binary.any(axis=1)], measure="AP") == pytest.approx(expected, abs=1e-9)


def test_refused() -> None:
    for grades, scores, options, text in (
        ([1, 0], [1.0], {}, "shape"),
        ([], [], {}, "no row"),
        ([1, 0], [1.0, 2.0], {"groups": [1]}, "1 groups for 2 rows"),
        ([[1, 0]], [[1.0, 2.0]], {"groups": [1]}, "dimensions"),
        ([1, 0], [1.0, 2.0], {"measure": "AP RR"}, "2 measures"),
        ([1, 0], [1.0, 2.0], {"measure": "nonsense"}, "nonsense"),
        ([1, 0], [1.0, float("nan")], {}, "NaN"),
        ([0, 0], [1.0, 2.0], {"undefined": "skip"}, "undefined for all topics"),
    ):
        with pytest.raises(cranfield.CranfieldError, match=text):
            ranking_score(grades, scores, **options)  # type: ignore[arg-type]


def test_scorers() -> None:
    import sklearn
    from sklearn.linear_model import LinearRegression

    choose = np.random.default_rng(1)
    data = choose.random((60, 3))
    grades = (data[:, 0] * 3).astype(int)
    groups = np.repeat(np.arange(6), 10)
    model = LinearRegression().fit(data, grades)
    expected = metrics.ndcg_score(grades.reshape(6, 10), model.predict(data).reshape(6, 10), k=5)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_ranking_scorer("nDCG@5")
        made = metrics.make_scorer(ranking_score, measure="nDCG@5").set_score_request(groups=True)
        for one in (scorer, made):
            assert one(model, data, grades, groups=groups) == pytest.approx(expected, abs=1e-9)
    whole = make_ranking_scorer("nDCG@5", groups=groups)
    assert whole(model, data, grades) == pytest.approx(expected, abs=1e-9)


def test_cross_validation_with_groups() -> None:
    import sklearn
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate

    choose = np.random.default_rng(2)
    data = choose.random((60, 3))
    grades = (data[:, 0] * 3).astype(int)
    groups = np.repeat(np.arange(6), 10)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_ranking_scorer("nDCG@5")
        found = cross_validate(
            LinearRegression(), data, grades, cv=GroupKFold(3), scoring=scorer, params={"groups": groups}
        )["test_score"]
        search = GridSearchCV(LinearRegression(), {"positive": [True, False]}, cv=GroupKFold(3), scoring=scorer)
        search.fit(data, grades, groups=groups)
    expected = []
    for train, test in GroupKFold(3).split(data, grades, groups):
        predicted = LinearRegression().fit(data[train], grades[train]).predict(data[test])
        topics = [groups[test] == topic for topic in np.unique(groups[test])]
        values = [
            metrics.ndcg_score([grades[test][rows]], [predicted[rows]], k=5) for rows in topics
        ]
        expected.append(np.mean(values))
    assert found == pytest.approx(expected, abs=1e-9)
    assert search.best_score_ == pytest.approx(max(np.mean(expected), search.best_score_))


def test_lower_is_better() -> None:
    lower = [one.name for one in cranfield.measures() if one.higher_is_better is False]
    assert lower
    for name in lower:
        try:
            cranfield.measure(name)
        except cranfield.UsageError:
            continue
        assert make_ranking_scorer(name)._sign == -1
    assert make_ranking_scorer("AP")._sign == 1
