"""The order in which ranx has documents with equal scores.

Its sort is a quicksort that is not stable, and it always does the same: the first, the middle and the last element are put in order,
the middle one splits the others, and pieces of up to 15 elements are sorted by insertion. Scores without ties need none of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# From this many elements on a piece is split.
_LARGE = 16


def ascending(values: Sequence[float]) -> list[int]:
    """Positions of the values in ascending order, NaN last.

    >>> ascending([3.0, 1.0, 2.0])
    [1, 2, 0]
    >>> ascending([0.0] * 20)[:4]
    [18, 17, 16, 15]
    """
    keys = list(values)
    # A sum with NaN is NaN; one with infinities of both signs is too, and then nothing else changes.
    total = sum(keys)
    if total != total:
        places = {value: place for place, value in enumerate(sorted({v for v in keys if v == v}))}
        keys = [places.get(value, len(places)) if value == value else len(places) for value in keys]
    if len(keys) < _LARGE or len(set(keys)) == len(keys):
        return sorted(range(len(keys)), key=keys.__getitem__)
    return _quick(keys)


def descending(values: Sequence[float]) -> list[int]:
    """Positions of the values in descending order, as objects of ranx keep their documents."""
    return ascending([-value for value in values])


def by_score(documents: dict[Any, Any]) -> dict[Any, Any]:
    """Documents in descending order of their scores.

    >>> by_score({"d1": 1, "d2": 2})
    {'d2': 2, 'd1': 1}
    """
    ids, scores = list(documents), list(documents.values())
    return {ids[place]: scores[place] for place in descending(scores)}


def _quick(keys: list[Any]) -> list[int]:
    order = list(range(len(keys)))
    pieces = [(0, len(keys))]
    while pieces:
        start, end = pieces.pop()
        while end - start >= _LARGE:
            place = _split(keys, order, start, end - 1)
            # The larger part waits.
            if end - place > place + 1 - start:
                pieces.append((place + 1, end))
                end = place
            else:
                pieces.append((start, place))
                start = place + 1
        piece = sorted(range(start, end), key=keys.__getitem__)
        order[start:end] = [order[place] for place in piece]
    return order


def _split(keys: list[Any], order: list[int], first: int, last: int) -> int:
    """Puts what is smaller than a pivot before it and what is larger behind it; both stop at elements that are equal to it. Keys are moved
    with their places."""
    middle = (first + last) // 2
    for left, right in ((first, middle), (middle, last), (first, middle)):
        if keys[right] < keys[left]:
            keys[left], keys[right] = keys[right], keys[left]
            order[left], order[right] = order[right], order[left]
    pivot = keys[middle]
    keys[middle], keys[last] = keys[last], pivot
    order[middle], order[last] = order[last], order[middle]
    low, high = first, last - 1
    while True:
        # The pivot is at the end, and nothing before the first element is above it.
        while keys[low] < pivot:
            low += 1
        while high >= first and pivot < keys[high]:
            high -= 1
        if low >= high:
            break
        keys[low], keys[high] = keys[high], keys[low]
        order[low], order[high] = order[high], order[low]
        low, high = low + 1, high - 1
    keys[low], keys[last] = pivot, keys[low]
    order[low], order[last] = order[last], order[low]
    return low
