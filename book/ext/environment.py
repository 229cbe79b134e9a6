"""The book's Python environment: ``.venv``, made and kept up to date from ``requirements.txt``.

Only the standard library is used here, because this runs before anything else is installed. An
environment is described by a *recipe* (the lock, the dependencies in ``pyproject.toml``, the Python
version, the extras); a stamp of the recipe stands in the environment, so that an environment that
is up to date costs nothing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

STAMP = "carebook-environment.json"

#: What each command installs. Node.js from a wheel joins in where the machine has none.
EXTRAS = {
    "book": {"book", "parquet"},
    "test": {"assignments", "book", "test", "parquet"},
    "check": {"book", "test", "parquet", "assignments"},
    "tidy": {"book", "test"},
    "bench": {"book", "test", "parquet", "assignments"},
    "robustness": {"test"},
    "serve": {"book", "parquet"},
    "pdf": {"book", "parquet"},
    "lab": {"assignments", "lab", "parquet"},
    "edit": {"book"},
    "save": {"book"},
    "chapter": {"book", "parquet"},
    "assignments": {"assignments", "book"},
    "grade": {"assignments", "book"},
    "hooks": {"book", "dev", "test"},
    "links": {"book", "parquet"},
    "lock": {"dev"},
}


class EnvironmentProblem(Exception):
    """Something about this machine that the reader has to change; the message says what."""


def require_venv() -> None:
    """Refuse a Python that can't make environments, as Debian's is without one more package."""
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise EnvironmentProblem(
            f"This Python ({sys.executable}) has no `{missing[0]}` module, so it can't make an "
            "environment.\n"
            f"On Debian and Ubuntu: `sudo apt-get install python{version}-venv`, then run the "
            "same command again."
        )


def python_of(environment: Path) -> Path:
    """The Python program of an environment, on any system."""
    windows = environment / "Scripts" / "python.exe"
    return windows if sys.platform == "win32" else environment / "bin" / "python"


def locked(root: Path, name: str) -> str:
    """The pinned requirement of one package, such as ``uv==0.13.9``, from the lock."""
    pattern = re.compile(rf"^{re.escape(name)}==[^\s;\\]+", re.MULTILINE | re.IGNORECASE)
    found = pattern.search((root / "requirements.txt").read_text(encoding="utf-8"))
    if found is None:
        raise EnvironmentProblem(
            f"requirements.txt doesn't pin {name}. Refresh the lock with `make lock`."
        )
    return found.group()


def dependency_part(root: Path) -> dict:
    """What ``pyproject.toml`` says about dependencies and building, apart from tool settings."""
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject.get("project", {})
    return {
        "build-system": pyproject.get("build-system"),
        "dependencies": project.get("dependencies", []),
        "extras": project.get("optional-dependencies", {}),
        "scripts": project.get("scripts", {}),
        "hatch": pyproject.get("tool", {}).get("hatch", {}),
    }


def recipe_key(root: Path) -> str:
    """A hash of everything but the extras that decides what an environment holds."""
    parts = [
        (root / "requirements.txt").read_text(encoding="utf-8"),
        json.dumps(dependency_part(root), sort_keys=True),
        sys.version,
        str(root),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def extras_for(target: str) -> set[str]:
    """The extras that a command needs on this machine."""
    extras = set(EXTRAS[target])
    if "book" in extras and not (shutil.which("node") and shutil.which("npm")):
        extras.add("node")
    return extras


def read_stamp(environment: Path) -> dict:
    """The stamp of an environment, empty when it was never completed."""
    try:
        return json.loads((environment / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def run(command: list, **options) -> None:
    """Run one step of the set-up; its output is shown only when it fails."""
    done = subprocess.run(
        list(map(str, command)), text=True, capture_output=True, encoding="utf-8", **options
    )
    if done.returncode:
        raise subprocess.CalledProcessError(
            done.returncode, command, output=done.stdout, stderr=done.stderr
        )


def last_lines(problem: subprocess.CalledProcessError, count: int = 15) -> str:
    """The end of what a failed step printed, where installers say what went wrong."""
    printed = f"{problem.output or ''}\n{problem.stderr or ''}".strip()
    return "\n".join("  " + line for line in printed.splitlines()[-count:])


def install(root: Path, environment: Path, arguments: list, say=print) -> None:
    """Install into an environment: with uv, which is quick, and with pip where uv can't."""
    python = python_of(environment)
    common = ["--quiet", "--no-build-isolation", *arguments]
    uv = [python, "-m", "uv", "pip", "install", "--python", python, "--compile-bytecode", *common]
    try:
        run(uv, cwd=root)
    except subprocess.CalledProcessError as problem:
        reason = ((problem.stderr or "").strip().splitlines() or ["no message"])[0].strip()
        say(f"  uv could not do it ({reason[:160]}); trying pip, which takes a few minutes")
        run([python, "-m", "pip", "install", *common], cwd=root)


def create(root: Path, environment: Path, say=print) -> None:
    """Make an empty environment that can install: pip, uv and the build backend, as locked."""
    if environment.exists():
        shutil.rmtree(environment)
    say(f"Making the environment {environment.name} (Python {sys.version.split()[0]})")
    base = getattr(sys, "_base_executable", None) or sys.executable  # not an environment's own
    run([base, "-m", "venv", environment])
    run(
        [python_of(environment), "-m", "pip", "install", "--quiet"]
        + ["--disable-pip-version-check", locked(root, "uv"), locked(root, "hatchling")],
        cwd=root,
    )


def ensure(root: Path, target: str, environment: Path | None = None, say=print) -> Path:
    """Bring the environment to what a command needs, and return its Python.

    Parameters
    ----------
    root : Path
        The repository's folder.
    target : str
        A key of `EXTRAS`. Extras that are there already stay.
    environment : Path, optional
        The environment's folder; ``.venv`` in the repository by default.

    Raises
    ------
    EnvironmentProblem
        When Python has no ``venv``, or a package can't be installed.
    """
    require_venv()
    environment = environment or root / ".venv"
    key, wanted = recipe_key(root), extras_for(target)
    stamp = read_stamp(environment)
    fresh = stamp.get("key") == key
    have = set(stamp.get("extras", []))
    if fresh and wanted <= have and python_of(environment).exists():
        return python_of(environment)
    try:
        if stamp.get("python") != sys.version or not python_of(environment).exists():
            create(root, environment, say)
            have = set()
        extras = sorted(wanted | have)
        (environment / STAMP).unlink(missing_ok=True)
        say(f"Installing {', '.join(extras)} from requirements.txt (once; some 20 s to 3 min)")
        wanted = ["--constraint", root / "requirements.txt", "--editable", f".[{','.join(extras)}]"]
        install(root, environment, wanted, say)
        # Matplotlib lists the fonts once; in a chapter its message would count as an error.
        run([python_of(environment), "-c", "import matplotlib.font_manager"])
    except subprocess.CalledProcessError as problem:
        raise EnvironmentProblem(
            "The packages could not be installed. The installer's last lines:\n"
            f"{last_lines(problem)}\n"
            "Check the network connection (or the package mirror that pip is set to), then run "
            "the same command again."
        ) from None
    content = {"key": key, "python": sys.version, "extras": extras}
    (environment / STAMP).write_text(json.dumps(content, indent=1), encoding="utf-8")
    return python_of(environment)


def lowest_versions(root: Path) -> list[str]:
    """The package's direct dependencies, each pinned to the lowest version that it admits."""
    parts = dependency_part(root)
    lines = [*parts["dependencies"], *parts["extras"].get("parquet", [])]
    return [re.sub(r">=([^,;\s]+)[^;]*", r"==\1 ", line).strip() for line in lines]


def ensure_lowest(root: Path, say=print) -> Path:
    """An environment with the lowest versions and the locked test tools; its Python is returned."""
    names = (re.match(r"[\w.-]+", line).group() for line in dependency_part(root)["extras"]["test"])
    wanted = [*lowest_versions(root), *(locked(root, name) for name in names), "--editable", "."]
    return ensure_pinned(root, ".venv-lowest", wanted, say)


def ensure_pinned(root: Path, name: str, wanted: list[str], say=print) -> Path:
    """An environment of its own that holds just these packages; its Python is returned.

    Parameters
    ----------
    name : str
        Its folder in the repository.
    wanted : list of str
        What pip is to install: pinned requirements and options.

    Raises
    ------
    subprocess.CalledProcessError
        When a package can't be installed.
    """
    environment = root / name
    key = hashlib.sha256("\0".join([recipe_key(root), *wanted]).encode()).hexdigest()
    if read_stamp(environment).get("key") == key:
        return python_of(environment)
    create(root, environment, say)
    install(root, environment, wanted, say)
    (environment / STAMP).write_text(json.dumps({"key": key}), encoding="utf-8")
    return python_of(environment)
