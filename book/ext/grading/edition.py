"""An edition of the assignments: which sources, which secret seed, which data, made where.

The public edition stands in the book, so its seed is no secret. A private one is made from a folder
of the instructor's and a seed that changes with the term; both decide every number in it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from layout import Book, file_hash, text_hash, tree_hash

PUBLIC_SEED = "public"
CLASS_SIZE, GRADING_SIZE = 500, 240


@dataclass(frozen=True)
class Edition:
    """One edition.

    Attributes
    ----------
    sources : Path
        The folder with one folder for each assignment.
    made : Path
        Where everything that is built from them goes.
    seed : str
        Decides the data and the hidden tests.
    world : str
        The world of the practice corpora.
    private : bool
        Whether the students get a practice corpus of their own, beside the notebook.
    """

    sources: Path
    made: Path
    seed: str = PUBLIC_SEED
    world: str = "default"
    private: bool = False

    @classmethod
    def public(cls, book: Book) -> Edition:
        """The edition whose sources, keys and seed everybody can read."""
        return cls(book.notebooks / "assignments", book.work / "assignments")

    @classmethod
    def of_folder(cls, folder: Path, seed: str, world: str = "default") -> Edition:
        """An instructor's own edition; it is built into the folder itself."""
        folder = Path(folder).expanduser().resolve()
        return cls(folder, folder / "built", seed, world or "default", private=True)

    @property
    def notebooks(self) -> list[Path]:
        """The instructor's notebooks, one for each assignment, in order."""
        found = self.sources.glob("*/*.ipynb")
        return sorted(path for path in found if path.stem == path.parent.name)

    @property
    def grading_data(self) -> Path:
        """The practice corpus on which submissions are run."""
        return self.made / ".grading-data"

    @property
    def class_data(self) -> Path:
        """The practice corpus that the students of a private edition get."""
        return self.made / ".class-data"

    def number(self, purpose: str) -> int:
        """A number for a purpose that nobody can tell without the seed.

        Examples
        --------
        >>> one = Edition(Path(), Path(), seed="autumn")
        >>> one.number("q1") == one.number("q1") != one.number("q2")
        True
        """
        digest = hashlib.sha256(f"{self.seed}\0{purpose}".encode()).digest()
        return int.from_bytes(digest[:4], "big") % 2**31

    def make_data(self, book: Book, say=print) -> str:
        """Make the practice corpora that aren't there yet, and return a hash that names them."""
        wanted = [("grading", GRADING_SIZE, self.grading_data)]
        if self.private:
            wanted.append(("class", CLASS_SIZE, self.class_data))
        helpers = tree_hash(book.notebooks / "carebook")
        keys = []
        for purpose, size, folder in wanted:
            key = text_hash(self.seed, self.world, purpose, str(size), helpers)
            stamp = folder / ".made"
            if not stamp.is_file() or stamp.read_text(encoding="utf-8") != key:
                say(f"  making      practice corpus for {purpose} ({size} narratives)")
                _write(folder, self.number(purpose), self.world, size)
                stamp.write_text(key, encoding="utf-8")
            keys.append(key)
        return text_hash(*keys)

    def describe(self, book: Book) -> None:
        """Write down what this edition was made from, so that a term can be made again."""
        data = {
            name: {path.name: file_hash(path) for path in sorted(folder.glob("*.*"))}
            for name, folder in (("grading", self.grading_data), ("class", self.class_data))
            if folder.is_dir()
        }
        facts = {
            "world": self.world,
            "private": self.private,
            "lock": file_hash(book.root / "requirements.txt"),
            "carebook": tree_hash(book.notebooks / "carebook"),
            "sources": {path.stem: tree_hash(path.parent) for path in self.notebooks},
            "data": data,
        }
        text = json.dumps(facts, indent=1) + "\n"
        (self.made / "edition.json").write_text(text, encoding="utf-8")


def _write(folder: Path, seed: int, world: str, size: int) -> None:
    """Write a practice corpus without the sidecar that tells how each record was made."""
    from carebook.practice import make_corpus
    from carebook.practice.write import compressed, contents

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in contents(make_corpus(seed, world, narratives=size)).items():
        if name.endswith(".jsonl"):
            (folder / f"{name}.gz").write_bytes(compressed(data))
        elif name.endswith(".csv"):
            (folder / name).write_bytes(data)


def start(book: Book, folder: Path) -> Path:
    """Copy the public sources into a new folder, as a private edition to begin from.

    Raises
    ------
    FileExistsError
        If the folder holds something.
    """
    folder = Path(folder).expanduser().resolve()
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} isn't empty. Name a new folder.")
    hidden = shutil.ignore_patterns(".*", "__pycache__")
    public = book.notebooks / "assignments"
    shutil.copytree(public, folder, ignore=hidden, dirs_exist_ok=True)
    (folder / ".gitignore").write_text("built/\ngraded/\n", encoding="utf-8")
    return folder
