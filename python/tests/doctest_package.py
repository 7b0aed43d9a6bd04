"""Runs the examples of all docstrings of the installed package, native ones too, and of the guide."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import cranfield
from cranfield import _core

GUIDES = sorted((Path(__file__).resolve().parents[2] / "docs" / "guide").glob("python*.md"))


def native_examples() -> list[doctest.DocTest]:
    """The finder of doctest passes over functions and classes that are not Python code."""
    parser = doctest.DocTestParser()
    globs: dict[str, Any] = {name: getattr(cranfield, name) for name in cranfield.__all__}
    found = []
    for name, thing in vars(_core).items():
        parts = [(name, thing)]
        if isinstance(thing, type):
            parts += [(f"{name}.{part}", value) for part, value in vars(thing).items()]
        for where, value in parts:
            text = getattr(value, "__doc__", None)
            if isinstance(text, str) and ">>>" in text and not where.startswith("_"):
                found.append(parser.get_doctest(text, dict(globs), f"_core.{where}", None, 0))
    return found


def modules() -> list[ModuleType]:
    walked = pkgutil.walk_packages(cranfield.__path__, "cranfield.")
    names = [module.name for module in walked if not module.name.endswith(("__main__", "_core"))]
    return [cranfield, *map(importlib.import_module, names)]


def main() -> int:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for module in modules():
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            runner.run(test)
    for test in native_examples():
        runner.run(test)
    for guide in GUIDES:
        # A closing fence would be read as output.
        text = guide.read_text().replace("```\n", "\n")
        runner.run(doctest.DocTestParser().get_doctest(text, {}, guide.name, str(guide), 0))
    print(f"{runner.tries} examples, {runner.failures} failed")
    return 1 if runner.failures or runner.tries < 25 else 0


if __name__ == "__main__":
    sys.exit(main())
