"""Where the parts of a book are, and hashes of them that say whether work is up to date."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

#: The variables that put other data in the place of the practice corpus.
DATA_VARIABLES = ("CAREBENCH_DATA", "IMBUE_DATA")


def data_sources(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The data variables that are set, as absolute paths: a kernel has another working folder."""
    return {
        name: os.path.abspath(Path(environ[name]).expanduser())
        for name in DATA_VARIABLES
        if environ.get(name)
    }


@dataclass(frozen=True)
class Book:
    """A book's folder, the folder that its results go to, and the data that it runs on.

    Attributes
    ----------
    root : Path
        The folder with ``_config.yml`` and ``_toc.yml``.
    work : Path
        Everything that is made goes here: ``_build`` for the book itself.
    sources : mapping
        Values of the data variables, absolute; empty for the bundled practice corpus.
    """

    root: Path
    work: Path
    sources: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def at(cls, root: Path, environ: Mapping[str, str] = os.environ) -> Book:
        """The book in a folder, on the data that the environment names."""
        root = Path(root).resolve()
        return cls(root, root / "_build", data_sources(environ))

    @property
    def notebooks(self) -> Path:
        return self.root / "notebooks"

    @property
    def html(self) -> Path:
        return self.work / "html"

    def pages(self) -> list[str]:
        """The documents of the table of contents, in order, without their suffix."""
        toc = yaml.safe_load((self.root / "_toc.yml").read_text(encoding="utf-8"))
        return [toc["root"], *_files_below(toc)]

    def chapters(self) -> list[Path]:
        """The notebooks of the table of contents, in order."""
        paths = [self.root / f"{page}.ipynb" for page in self.pages()]
        return [path for path in paths if path.exists()]


def _files_below(entry: object) -> Iterator[str]:
    if isinstance(entry, list):
        for item in entry:
            yield from _files_below(item)
    elif isinstance(entry, dict):
        if "file" in entry:
            yield entry["file"]
        for name in ("parts", "chapters", "sections", "subtrees", "entries"):
            yield from _files_below(entry.get(name))


def tree_files(folder: Path, leave_out: Iterable[str] = ()) -> list[Path]:
    """The files below a folder, sorted; hidden ones and Python's own caches are no content."""
    skipped = {"__pycache__", "node_modules", "_build", *leave_out}
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in skipped and not f.startswith("."))
        found += [Path(parent, name) for name in sorted(files) if not name.startswith(".")]
    return found


def tree_hash(folder: Path, leave_out: Iterable[str] = (), suffixes_out: Iterable[str] = ()) -> str:
    """A hash of the names and contents of all files below a folder."""
    digest = hashlib.sha256()
    for path in tree_files(folder, leave_out):
        if path.suffix not in tuple(suffixes_out):
            digest.update(f"{path.relative_to(folder).as_posix()}\0{file_hash(path)}\0".encode())
    return digest.hexdigest()


def file_hash(path: Path) -> str:
    """A hash of one file's content; of a missing file, a word that says so."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return "missing"


def text_hash(*parts: str) -> str:
    """One hash of several texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@contextlib.contextmanager
def working_alone(book: Book, say=print) -> Iterator[None]:
    """Hold the book's work folder, so that two commands started at once don't mix their results."""
    book.work.mkdir(parents=True, exist_ok=True)
    with (book.work / ".in-use").open("w") as file:
        if not _try_lock(file):
            say("Another command is working on this book; waiting for it to end ...")
            _lock(file)
        yield


if sys.platform == "win32":
    import msvcrt
    import time

    def _try_lock(file) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _lock(file) -> None:
        while not _try_lock(file):
            time.sleep(0.5)

else:
    import fcntl

    def _try_lock(file) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _lock(file) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)
