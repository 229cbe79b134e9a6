"""Refreshes ``requirements.txt``, the complete lock, from ``pyproject.toml``.

One universal resolution for Linux, macOS and Windows and for Python 3.11 to 3.13, over all extras.
Versions that still fit stay as they are; ``--upgrade`` takes the newest.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEADER = """\
# The complete lock of the book: every package, with all extras, for Linux, macOS and Windows and
# for Python 3.11 to 3.13. Made from pyproject.toml by `make lock`; don't edit it by hand.
"""


def refresh(root: Path, arguments: list[str]) -> int:
    """Write the lock and return the exit status."""
    lock = root / "requirements.txt"
    compiled = subprocess.run(
        [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--no-header"]
        + ["--python-version", "3.11", "--all-extras", "--no-emit-index-url"]
        + ["--no-emit-find-links", "--output-file", lock.name, "pyproject.toml", *arguments],
        cwd=root,
        stdout=subprocess.DEVNULL,
    )
    if compiled.returncode == 0:
        body = lock.read_text(encoding="utf-8")
        lock.write_text(HEADER + body.removeprefix(HEADER), encoding="utf-8")
    return compiled.returncode
