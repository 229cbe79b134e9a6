"""The code of modules, notebooks and tests keeps to one style, and words are spelt right."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("tool", "remedy"),
    [
        ("ruff check --output-format concise --no-cache", "ruff check --fix"),
        ("ruff format --check --no-cache", "run: python -m ruff format"),
        ("codespell_lib", "mend them, or list a right word under [tool.codespell]"),
    ],
    ids=["ruff-check", "ruff-format", "codespell"],
)
def test_the_tool_finds_nothing(tool, remedy):
    checked = subprocess.run(
        [sys.executable, "-m", *tool.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert checked.returncode == 0, f"\n{checked.stdout}{checked.stderr}Next: {remedy}"
