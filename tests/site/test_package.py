"""The package holds what it should, and works with the oldest and the locked versions it names."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import environment
import pytest
from layout import tree_files
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DIRECT = [
    *PROJECT["dependencies"],
    *(line for extra in PROJECT["optional-dependencies"].values() for line in extra),
]
PYTHONS = ("3.11", "3.12", "3.13")


def lock() -> list[Requirement]:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return [
        Requirement(line) for line in text.splitlines() if line and not line.startswith(("#", " "))
    ]


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(tmp_path):
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, tmp_path], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
    package = ROOT / "notebooks" / "carebook"
    expected = {path.relative_to(package.parent).as_posix() for path in tree_files(package)}
    assert held == expected


@pytest.mark.parametrize("direct", DIRECT)
def test_the_lock_satisfies_each_direct_dependency(direct):
    wanted = Requirement(direct)
    for python in PYTHONS:
        where = {"python_version": python, "python_full_version": f"{python}.0"}
        if wanted.marker and not wanted.marker.evaluate(where):
            continue
        pinned = [
            pin
            for pin in lock()
            if canonicalize_name(pin.name) == canonicalize_name(wanted.name)
            and (pin.marker is None or pin.marker.evaluate(where))
        ]
        assert len(pinned) == 1, f"{wanted.name} has {len(pinned)} pins on Python {python}"
        (version,) = pinned[0].specifier
        assert version.operator == "=="
        assert wanted.specifier.contains(version.version), f"run `make lock`: {pinned[0]}"


def test_the_lock_names_no_host_and_no_folder():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert not re.findall(r"https?://.*|file:.*|^-.*", text, re.MULTILINE)
    assert '"resolved"' not in (ROOT / "book/ext/package-lock.json").read_text(encoding="utf-8")


def test_every_direct_dependency_states_its_lowest_version():
    for direct in DIRECT:
        operators = {part.operator for part in Requirement(direct).specifier}
        assert operators & {">=", "=="}, f"{direct} has no lower bound"


def test_what_the_notebooks_need_is_light():
    names = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    assert not names & {"jupyter-book", "jupyterlab", "pyarrow", "sphinx", "otter-grader"}


@pytest.mark.slow
def test_the_helpers_pass_their_tests_on_the_lowest_versions():
    python = environment.ensure_lowest(ROOT)
    tests = ["tests/helpers", "notebooks/carebook", "--doctest-modules"]
    ran = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
