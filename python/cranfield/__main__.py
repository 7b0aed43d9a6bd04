"""`python -m cranfield`: the command line."""

from __future__ import annotations

import sys

from cranfield import _core


def main() -> int:
    """Runs the command line with the arguments of this process."""
    return _core.command_line(["cranfield", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
