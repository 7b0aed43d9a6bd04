"""Replaces ir_measures in programs that import it themselves."""

from __future__ import annotations

import sys

_OWN = __name__.rpartition(".")[0]
_NAME = "ir_measures"


def install() -> None:
    """Makes every later `import ir_measures` in this process return this module.

    Programs that import ir_measures themselves, such as PyTerrier, then take these measures and
    compute them here. Call it before any of them is imported: where ir_measures itself is imported
    already, it raises a RuntimeError.

    >>> install()
    >>> import ir_measures
    >>> ir_measures.__name__
    'cranfield.compat.ir_measures'
    """
    known = sys.modules.get(_NAME)
    if known is not None and known.__name__ != _OWN:
        message = f"{_NAME} is imported already; call install() before what imports it"
        raise RuntimeError(message)
    for name, module in list(sys.modules.items()):
        if name == _OWN or name.startswith(f"{_OWN}."):
            sys.modules[f"{_NAME}{name[len(_OWN) :]}"] = module
