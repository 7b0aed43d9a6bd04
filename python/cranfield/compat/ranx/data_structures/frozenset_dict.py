"""`FrozensetDict`: values by unordered pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any


class FrozensetDict(MutableMapping[Any, Any]):
    """A dict whose keys are sets: any iterable of the same elements finds the same value.

    >>> pairs = FrozensetDict({("a", "b"): 1})
    >>> pairs["b", "a"]
    1
    """

    def __init__(self, arg: Mapping[Any, Any] | Iterable[Any] | None = None) -> None:
        self._map: dict[frozenset[Any], Any] = {}
        if arg is not None:
            self.update(arg)

    def __getitem__(self, key: Iterable[Any]) -> Any:
        return self._map[frozenset(key)]

    def __setitem__(self, key: Iterable[Any], value: Any) -> None:
        self._map[frozenset(key)] = value

    def __delitem__(self, key: Iterable[Any]) -> None:
        del self._map[frozenset(key)]

    def __iter__(self) -> Iterator[frozenset[Any]]:
        return iter(self._map)

    def __len__(self) -> int:
        return len(self._map)
