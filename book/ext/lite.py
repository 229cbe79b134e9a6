"""The book in a reader's browser: JupyterLite with the chapters, ``carebook`` and what it needs.

JupyterLite is built with its own tools, in an environment of its own, so that no extension of
another JupyterLab gets in. What it serves is Python compiled for browsers (Pyodide), the packages
that Pyodide doesn't bring as wheels, and the chapters without outputs on the practice corpus: the
real records never come near it. Nothing of it is loaded before a reader asks for it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import environment
import runnable
from layout import Book, file_hash, text_hash, tree_hash

PYODIDE = "0.27.7"
PYTHON_IN_BROWSER = "3.12"
PUBLIC_PYODIDE = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/pyodide.js"
#: Where the site serves its own copy, below JupyterLite's folder.
OWN_PYODIDE = "./static/pyodide/pyodide.js"
#: What a reader's browser downloads for a chapter: the runtime, the packages, JupyterLab.
MEGABYTES = 65

TOOLS = ("jupyterlite-core", "jupyterlite-pyodide-kernel")
#: Pure wheels that Pyodide's own distribution lacks.
WHEELS = (
    "anywidget",
    "comm",
    "ipywidgets",
    "jupyterlab-widgets",
    "psygnal",
    "seaborn",
    "typing-extensions",
    "widgetsnbextension",
)
#: Those of them that bring their half of a widget into JupyterLab.
EXTENSIONS = ("anywidget", "jupyterlab_widgets")
#: Any time will do, as long as it's always the same.
WHEN = "2026-01-01T00:00:00Z"


class LiteProblem(Exception):
    """The browser edition could not be made; the message says why."""


def pyodide_folder(environ=os.environ) -> Path | None:
    """A copy of Pyodide that the site serves itself; None for the public one.

    Raises
    ------
    LiteProblem
        When ``PYODIDE_DIR`` names a folder that holds no Pyodide.
    """
    named = environ.get("PYODIDE_DIR")
    if not named:
        return None
    folder = Path(named).expanduser().resolve()
    if not (folder / "pyodide.js").exists():
        raise LiteProblem(
            f"PYODIDE_DIR is {named}, and that folder holds no pyodide.js. Name a folder with "
            f"Pyodide {PYODIDE}, or unset the variable to use the public copy."
        )
    return folder


def python_server(environ=os.environ) -> str:
    """The server that a reader's browser gets Python from; an empty text for the site itself."""
    return "" if pyodide_folder(environ) else urlsplit(PUBLIC_PYODIDE).netloc


def key(book: Book) -> str:
    """A hash of everything that the browser edition is made from, but Pyodide itself."""
    pins = [environment.locked(book.root, name) for name in (*TOOLS, *WHEELS)]
    folder = pyodide_folder()
    return text_hash(
        *pins,
        runnable.key(book),
        tree_hash(book.notebooks / "carebook"),
        file_hash(Path(__file__)),
        str(folder) + file_hash(folder / "pyodide-lock.json") if folder else PUBLIC_PYODIDE,
    )


def build(book: Book, say=print) -> None:
    """Make the browser edition in ``work/lite/site`` unless it is up to date.

    Raises
    ------
    LiteProblem
        When a tool or a wheel can't be had, or JupyterLite fails.
    """
    work = book.work / "lite"
    stamp, wanted = work / "stamp", key(book)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    for name in ("site", "source", "wheels"):
        shutil.rmtree(work / name, ignore_errors=True)
    python = tools(book, say)
    gather_wheels(book, python, work)
    configure(work)
    run([python, "-m", "jupyterlite_core", "build", "--lite-dir", "."], work / "source")
    add_chapters(book, work / "site")
    stamp.write_text(wanted, encoding="utf-8")


def tools(book: Book, say=print) -> Path:
    """The Python of the environment that holds JupyterLite's own tools."""
    pins = [environment.locked(book.root, name) for name in TOOLS]
    try:
        return environment.ensure_pinned(book.root, ".venv-lite", pins, say)
    except (environment.EnvironmentProblem, subprocess.CalledProcessError) as problem:
        raise LiteProblem(f"JupyterLite's tools can't be installed ({problem}).") from None


def run(command: list, folder: Path) -> None:
    """Run one step; what it printed is shown only when it fails."""
    environ = {**os.environ, "PYTHONWARNINGS": "ignore", "JUPYTER_NO_CONFIG": "1"}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environ, capture_output=True, text=True
    )
    if done.returncode:
        lines = f"{done.stdout}\n{done.stderr}".strip().splitlines()[-12:]
        raise LiteProblem("\n  ".join(["A step of JupyterLite failed:", *lines]))


def gather_wheels(book: Book, python: Path, work: Path) -> None:
    """Put the wheels into a folder: the locked ones, which are kept, and ``carebook``'s own."""
    pins = [environment.locked(book.root, name) for name in WHEELS]
    kept = work / f"kept-{text_hash(*pins)[:12]}"
    if not kept.exists():
        partly = work / "kept-partly"
        shutil.rmtree(partly, ignore_errors=True)
        partly.mkdir(parents=True)
        only_pure = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
        run(
            [python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
            + ["--no-deps", *only_pure, f"--python-version={PYTHON_IN_BROWSER}"]
            + ["--dest", partly, *pins],
            work,
        )
        partly.rename(kept)
    wheels = work / "wheels"
    shutil.copytree(kept, wheels)
    own_wheel(book, wheels)


def own_wheel(book: Book, folder: Path) -> Path:
    """Build the helper package's wheel into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    make = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    run([sys.executable, "-c", make, folder], book.root)
    (made,) = folder.glob("carebook-*.whl")
    return made


def configure(work: Path) -> None:
    """Write JupyterLite's settings."""
    source = work / "source"
    source.mkdir(parents=True, exist_ok=True)
    extensions = [
        path.as_posix() for name in EXTENSIONS for path in (work / "wheels").glob(f"{name}-*.whl")
    ]
    build_settings = {
        "LiteBuildConfig": {
            "output_dir": (work / "site").as_posix(),
            "cache_dir": (work / "cache").as_posix(),
            "apps": ["notebooks", "lab"],
            "no_sourcemaps": True,
            "federated_extensions": extensions,
        },
        "PipliteAddon": {"piplite_urls": [(work / "wheels").as_posix()]},
    }
    kernel = {"disablePyPIFallback": True}
    kernel["pyodideUrl"] = PUBLIC_PYODIDE if pyodide_folder() is None else OWN_PYODIDE
    page_settings = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "What It Meant to Me",
            "exposeAppInBrowser": True,
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }
    for name, settings in (
        ("jupyter_lite_config.json", build_settings),
        ("jupyter-lite.json", page_settings),
    ):
        (source / name).write_text(json.dumps(settings), encoding="utf-8")


def add_chapters(book: Book, site: Path) -> None:
    """Put the chapters into the site, and the list that JupyterLite reads them from."""
    listed = []
    for path in runnable.write(book, site / "files"):
        listed.append({**_entry(path.name, "notebook"), "size": path.stat().st_size})
    contents = site / "api" / "contents"
    contents.mkdir(parents=True, exist_ok=True)
    root = {**_entry("", "directory"), "format": "json", "content": listed, "size": None}
    (contents / "all.json").write_text(json.dumps(root), encoding="utf-8")
    folder = pyodide_folder()
    if folder is not None:
        shutil.copytree(folder, site / "static" / "pyodide", copy_function=_link_or_copy)


def _entry(path: str, kind: str) -> dict[str, object]:
    return {
        "name": path,
        "path": path,
        "type": kind,
        "format": None,
        "content": None,
        "created": WHEN,
        "last_modified": WHEN,
        "mimetype": None,
        "writable": True,
    }


def _link_or_copy(source: str, target: str) -> None:
    """Link a file, which costs neither time nor space; copy it where links can't be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def publish(book: Book) -> None:
    """Put the browser edition into the website, and the chapters to take along."""
    work = book.work / "lite"
    shutil.copytree(work / "site", book.html / "lite", copy_function=_link_or_copy)
    (wheel,) = (work / "wheels").glob("carebook-*.whl")
    runnable.publish(book, wheel)
