"""What tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def toy() -> Path:
    """The folder of the bundled collection."""
    return ROOT / "examples"


@pytest.fixture
def shared() -> Path:
    """The folder of golden data, which is not part of this repository."""
    folder = Path(os.environ.get("CRANFIELD_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"golden data is missing: {folder}")
        pytest.skip("skipped: no shared data")
    return folder
