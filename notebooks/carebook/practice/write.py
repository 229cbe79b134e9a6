"""Writes a practice corpus to a folder or into the package, never over other files."""

import csv
import gzip
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from carebook.layouts import ROLES
from carebook.places import entries, what_is
from carebook.practice.corpus import Corpus
from carebook.vocabulary import IMBUE_COLUMNS


class NotOurs(ValueError):
    """Something else stands where the corpus should go; the message says what to do."""


def contents(corpus: Corpus) -> dict[str, bytes]:
    """Return file name -> content of a corpus.

    Examples
    --------
    >>> from carebook.practice.corpus import make_corpus
    >>> sorted(contents(make_corpus(seed=1, narratives=2, conversations=1)))
    ['first_person.jsonl', 'imbue.csv', 'third_person.jsonl', 'truth.json']
    """
    return {
        "first_person.jsonl": _json_lines(corpus.first_person),
        "third_person.jsonl": _json_lines(corpus.third_person),
        "imbue.csv": _csv(corpus.imbue),
        "truth.json": _truth(corpus.truth),
    }


def write_corpus(corpus: Corpus, folder: Path, force: bool = False) -> list[Path]:
    """Write the four files into a folder (made if needed) and return their paths.

    Parameters
    ----------
    corpus : Corpus
    folder : path
        New, or one with a corpus of the same world and seed, which is simply made again.
    force : bool
        Whether a corpus of another world or seed may be replaced.

    Raises
    ------
    NotOurs
        If there is data that wasn't made by this program, or another corpus. Nothing is written.
    """
    folder = Path(folder)
    kind = what_is(folder)
    if kind not in ("", "folder"):
        found = f"a {kind}" if kind == "file" else kind
        raise NotOurs(f"{folder} is {found}, not a folder: nothing was written. Name another one.")
    _refuse_others(folder)
    if not force:
        _keep_another(corpus, folder)
    return _write_all(contents(corpus), folder, lambda data: data, "")


def _keep_another(corpus: Corpus, folder: Path) -> None:
    """Refuse a folder with a corpus that this one would replace by another."""
    if not any((folder / name).exists() for name in contents_names()):
        return
    try:
        truth = json.loads((folder / "truth.json").read_bytes())
        there = {name: truth[name] for name in ("world", "seed")}
    except (OSError, ValueError, KeyError, TypeError):
        there = {}
    if there != {name: corpus.truth[name] for name in ("world", "seed")}:
        what = (
            f"the practice corpus of world {there['world']}, seed {there['seed']}"
            if there
            else ("practice files that don't say what they were made from")
        )
        raise NotOurs(
            f"{folder} holds {what}: nothing was written. Choose another folder, or say --force."
        )


def contents_names() -> tuple[str, ...]:
    """The names of the files of a corpus."""
    return ("first_person.jsonl", "third_person.jsonl", "imbue.csv", "truth.json")


def write_bundled(corpus: Corpus, folder: Path) -> list[Path]:
    """Write the four files compressed, as the package carries them."""
    _refuse_others(Path(folder))
    return _write_all(contents(corpus), Path(folder), compressed, ".gz")


def compressed(data: bytes) -> bytes:
    """Return gzip bytes that hold neither a time nor a file name.

    Examples
    --------
    >>> gzip.decompress(compressed(b"same")) == b"same"
    True
    """
    return gzip.compress(data, compresslevel=9, mtime=0)


def _write_all(
    files: Mapping[str, bytes], folder: Path, pack: Callable[[bytes], bytes], suffix: str
) -> list[Path]:
    targets = {folder / f"{name}{suffix}": pack(data) for name, data in files.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for path, data in targets.items():
        unfinished = path.with_name(path.name + ".part")
        try:
            unfinished.write_bytes(data)
            os.replace(unfinished, path)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
    return list(targets)


def _refuse_others(folder: Path) -> None:
    """Refuse a folder that holds data of others, in whatever layout a loader would read."""
    ours = (*ROLES, "imbue.", "truth.json")
    found = entries(folder, str(folder)) if what_is(folder) == "folder" else []
    for path in found:
        if path.name.startswith(ours) and not is_ours(path):
            raise NotOurs(
                f"{path} exists and is not a practice file: nothing was written. "
                "Choose another folder, or move that file away."
            )


def is_ours(path: Path) -> bool:
    """Return whether a file is one that this program wrote, by what its beginning says."""
    if what_is(path) != "file":
        return False
    opener = gzip.open if path.suffix == ".gz" else open
    name = path.name.removesuffix(".gz")
    try:
        with opener(path, "rb") as file:
            start = file.read(20_000)
    except (OSError, EOFError):
        return False
    if name == "imbue.csv":
        return b"practice-expert-" in start
    if name == "truth.json":
        return b'"made_by": "carebook practice"' in start
    return b'"participant_id": "practice-' in start


def _json_lines(records: Iterable[Mapping]) -> bytes:
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return "".join(lines).encode("utf-8")


def _csv(rows: Iterable[Mapping]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, IMBUE_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def _truth(truth: Mapping) -> bytes:
    """Return JSON with one line per person, narrative and message: easy to look into."""
    lines = []
    for key, value in truth.items():
        if isinstance(value, dict) and value:
            inner = ",\n".join(
                f"  {json.dumps(name)}: {json.dumps(item)}" for name, item in value.items()
            )
            lines.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("utf-8")
