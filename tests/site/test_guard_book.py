"""The whole book on data that count as real: no text, name or person of theirs is in what is built.

The search here shares nothing with the guard: every run of six words of everything built is put
into one heap, and every text of the files is looked up in it.
"""

import csv
import gzip
import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pages
import pytest
import real_like
from layout import Book

ROOT = Path(__file__).resolve().parents[2]
RUN = 6
WORD = re.compile(r"[^\W_]+")


def words(text):
    return [word.casefold() for word in WORD.findall(text)]


def runs(text):
    found = words(text)
    return {" ".join(found[i : i + RUN]) for i in range(len(found) - RUN + 1)}


def members(data, name):
    """The files in a file: those of an archive, or itself."""
    if name.endswith((".zip", ".whl")):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                yield from members(archive.read(member), member)
    elif name.endswith(".gz"):
        yield from members(gzip.decompress(data), name.removesuffix(".gz"))
    else:
        yield data.decode("utf-8", "replace")


def views(text):
    """A text as it stands, without escapes, and without tags."""
    yield text
    plain = re.sub(r"\\+u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text)
    plain = re.sub(r"\\+[nrt\"/]", " ", plain)
    yield plain
    yield re.sub(r"<[^<>]*>", " ", plain)
    yield re.sub(r"<[^<>]*>", "", plain)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("real-like")
    return real_like.write_real_like(folder, narratives=400, conversations=18)


@pytest.fixture(scope="module")
def built(sources, tmp_path_factory):
    """The book, built on these sources in a folder of its own."""
    root = tmp_path_factory.mktemp("book") / "copy"
    leave = shutil.ignore_patterns(".*", "_build", "node_modules", "__pycache__", "tests")
    shutil.copytree(ROOT, root, ignore=leave)
    staged = ROOT / "_build" / "javascript"
    if staged.exists():
        shutil.copytree(staged, root / "_build" / "javascript")
    book = Book.at(root, sources)
    pages.build(book)
    return book


@pytest.fixture(scope="module")
def heap(built):
    """Every run of six words, and every word with its dashes, of everything that was built."""
    found, names = set(), set()
    for path in built.html.rglob("*"):
        if path.is_file() and path.suffix not in (".png", ".woff2", ".woff", ".pdf"):
            for text in members(path.read_bytes(), path.name):
                for view in views(text):
                    found |= runs(view)
                    names |= set(re.findall(r"[\w/-]+", view))
    return found, names


def records(sources):
    folder = Path(sources["CAREBENCH_DATA"])
    for name in ("first_person.jsonl", "third_person.jsonl"):
        for line in (folder / name).read_text(encoding="utf-8").split("\n"):
            if line:
                yield json.loads(line)


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, str):
        yield value


@pytest.mark.slow
def test_no_text_of_a_record_is_in_what_was_built(sources, heap):
    searched, found = 0, []
    for record in records(sources):
        parts = [record.get("story_collection"), record["cognitive_questions"]]
        for text in leaves(parts):
            for run in runs(text):
                searched += 1
                if run in heap[0]:
                    found.append(run)
    with open(sources["IMBUE_DATA"], encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for column, text in row.items():
                if column.startswith(("situation", "message_text", "suggestion", "rewrite")):
                    found += [run for run in runs(text) if run in heap[0]]
    assert searched > 100_000
    assert found == []


@pytest.mark.slow
def test_no_person_is_in_what_was_built(sources, heap):
    people = {record["participant_id"] for record in records(sources)}
    with open(sources["IMBUE_DATA"], encoding="utf-8", newline="") as file:
        people |= {row["username_expert"] for row in csv.DictReader(file)}
    assert people and not people & heap[1]
    rows = {" ".join(words(" ".join(r["demographics"].values()))) for r in records(sources)}
    assert not {run for row in rows for run in runs(row)} & heap[0]


@pytest.mark.slow
def test_every_page_says_what_it_was_built_from(built):
    for path in built.html.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        # The first address only leads on to the first page.
        if "_static" not in path.parts and 'http-equiv="refresh"' not in page.lower():
            assert "Built from real data." in page, path.name
            assert "licenses/by-nc-nd/4.0" in page and "state no licence" in page, path.name
