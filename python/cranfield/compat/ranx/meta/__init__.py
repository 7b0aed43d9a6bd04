"""The top-level functions of ranx."""

from .compare import compare
from .evaluate import evaluate
from .fuse import fuse
from .normalize import normalize
from .optimize_fusion import optimize_fusion
from .plot import plot

__all__ = ["compare", "evaluate", "fuse", "normalize", "optimize_fusion", "plot"]
