"""The licence guard: a site built from real data says so, and shows no record of them.

Three layers. A chapter shows texts through `carebook.quoting`, which puts a stand-in in the place
of a real one. What slips through is taken out of the chapters' outputs before the pages are made
(`redacted`), and named, so that the chapter can be mended. Last, everything that was built is
searched for every text, identifier and row of a person (`findings`): one find stops the build.

A text is found by six of its words in a row, whatever markup stands between them; one of four or
five words, by all of them. Shorter ones ("I don't know") are nobody's in particular and are not
looked for. Where a script puts no blanks between words, each character counts as one. What is
packed as base64, or written as in an address (%20), is looked into.

What also stands in the book's own sources is no find: whoever types a real text into a chapter has
to answer for it. The practice corpus, which every site ships for its readers to run, is known by
its checksum and passed over: invented people may be as old as real ones.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import io
import json
import os
import re
import zipfile
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from gates import Finding
from layout import Book, tree_files
from nbformat import NotebookNode
from nbformat.v4 import new_output

RUN = 6
SHORTEST = 4
#: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
_NO_BLANKS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_NO_BLANKS += r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
WORDS = re.compile(rf"[{_NO_BLANKS}]|[^\W_{_NO_BLANKS}]+")
NAMES = re.compile(r"[\w/-]+")
#: A number (or two, with a stroke) that stands alone in a cell of a table, or in quotation marks:
#: a name, not a quantity.
NUMBERS_AS_NAMES = re.compile(
    r"<t[dh][^<>]*>\s*(\d+(?:/\d+)?)\s*</t[dh]>|(?<=')(\d+(?:/\d+)?)(?=')"
)
#: Conversation and message may both be counted; "1/2" stands in many a formula and style sheet.
COUNTED = re.compile(r"\d{1,3}/\d{1,3}")

#: Files without text of ours or of the data.
NO_TEXT = {".png", ".jpg", ".webp", ".gif", ".ico", ".woff", ".woff2", ".ttf", ".map", ".pdf"}
PACKED = {".zip", ".whl"}

VARIABLE = "CAREBOOK_DATA_NOTICE"

CREDITS = {
    "CAREBENCH_DATA": (
        'CAREBench by Zhaoyue Sun and colleagues (<a href="https://arxiv.org/abs/2605.17176">'
        'paper</a>, <a href="https://huggingface.co/datasets/zhaoyuesun/CAREBecnch">data</a>), '
        'licensed <a href="https://creativecommons.org/licenses/by-nc-nd/4.0/">CC BY-NC-ND 4.0'
        "</a>: no commercial use, no altered records"
    ),
    "IMBUE_DATA": (
        "the IMBUE expert annotations by Inna Lin and colleagues "
        '(<a href="https://doi.org/10.18653/v1/2024.acl-long.47">paper</a>, '
        '<a href="https://huggingface.co/datasets/iwylin/imbue_dearman_expert_annotations">data'
        "</a>), which state no licence: for use within a course"
    ),
}


def real_sources(book: Book) -> dict[str, str]:
    """The data variables behind which there are records of people; none for invented ones."""
    from carebook import load_carebench, load_imbue

    load = {"CAREBENCH_DATA": load_carebench, "IMBUE_DATA": load_imbue}
    return {
        name: path for name, path in book.sources.items() if not load[name](path).source.synthetic
    }


def notice(sources: Iterable[str]) -> str:
    """What each page of a site built from real data says, as HTML; empty for invented data."""
    credited = [CREDITS[name] for name in sources]
    if not credited:
        return ""
    return (
        f"<strong>Built from real data.</strong> The results on this site were computed from "
        f"{'; and from '.join(credited)}. The site is not commercial. Records themselves are not "
        "shown, except for the few texts that an instructor has confirmed."
    )


def environment(sources: Iterable[str]) -> dict[str, str]:
    """The variables that tell Sphinx which notice to put on each page."""
    return {**os.environ, VARIABLE: notice(sources)}


# --- what must not be shown --------------------------------------------------------------------


def protected(sources: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Everything that must not be shown: kind, record, text. Confirmed quotations are left out."""
    if "CAREBENCH_DATA" in sources:
        yield from _protected_carebench(sources["CAREBENCH_DATA"])
    if "IMBUE_DATA" in sources:
        yield from _protected_imbue(sources["IMBUE_DATA"])


_KINDS = {
    "story_collection": "story",
    "cognitive_questions": "appraisal answer",
    "demographics": "demographic answer",
}


def _protected_carebench(folder: str) -> Iterator[tuple[str, str, str]]:
    from carebook import load_carebench
    from carebook.carebench import raw_records
    from carebook.vocabulary import DEMOGRAPHICS

    allowed = load_carebench(folder).source.quotable
    for role in ("first_person", "third_person"):
        for record in raw_records(role, folder):
            sample = record["sample_id"]
            name = f"record {sample}/{record.get('observer_index', 0)}"
            yield "identifier", name, f"{sample}/{record.get('observer_index', 0)}"
            yield "identifier", name, sample
            yield "identifier", name, record["participant_id"]
            given = record.get("demographics") or {}
            row = [(key, given.get(key)) for key in DEMOGRAPHICS.values()]
            row = [(key, value) for key, value in row if isinstance(value, str)]
            yield "row of a person", name, " ".join(value for _, value in row)
            yield "row of a person", name, " ".join(f"{key} {value}" for key, value in row)
            for path, text in _texts(record):
                if path == ("story_collection", "final_scenario") and sample in allowed:
                    continue
                kind = _KINDS.get(path[0], path[0])
                yield "dialogue turn" if "chat_history" in path else kind, name, text


def _texts(value: object, path: tuple = ()) -> Iterator[tuple[tuple, str]]:
    """The free texts in a record, with their place: not the answers of closed vocabularies."""
    closed = ("appraisal_ratings", "emotion_labels", "personality_questionnaire", "demographics")
    if path and path[0] in (*closed, "sample_id", "participant_id"):
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, path)
    elif isinstance(value, str):
        yield path, value


def _protected_imbue(path: str) -> Iterator[tuple[str, str, str]]:
    from carebook import load_imbue
    from carebook.imbue import raw_table

    data = load_imbue(path)
    for expert in data.judgements["expert"].unique():
        yield "identifier", "an expert", expert
    for key in data.messages.index:
        yield "identifier", f"message {key}", key
    for row in raw_table(path).to_dict("records"):
        key = f"{row['conversation_id']}/{row['message_id']}"
        for column, text in row.items():
            if column.startswith("label_") or column in ("category", "message_id"):
                continue
            if column in ("conversation_id", "username_expert"):
                yield "identifier", f"message {key}", text
            elif column != "message_text" or key not in data.source.quotable:
                yield column.replace("_", " "), f"message {key}", text


# --- the search --------------------------------------------------------------------------------


class Guard:
    """Knows what must not be shown, and finds it in any text.

    Parameters
    ----------
    items : iterable of (kind, record, text)
        What is protected.
    own : iterable of str
        Texts in which a match means nothing: the book's sources.
    confirmed : iterable of str
        Texts that may be quoted, wherever a record repeats them: an appraisal answer that retells
        the story, a rewrite of the message. A name or number in them stays protected elsewhere.
    """

    def __init__(
        self,
        items: Iterable[tuple[str, str, str]],
        own: Iterable[str] = (),
        confirmed: Iterable[str] = (),
        published: Container[str] = (),
    ) -> None:
        self.published = published
        self._numbers: dict[str, int] = {}
        self._about: list[tuple[str, str]] = []
        self._names: dict[str, int] = {}
        self._digits: dict[str, int] = {}
        hashes: dict[int, list[np.ndarray]] = {n: [] for n in range(1, RUN + 1)}
        whose: dict[int, list[np.ndarray]] = {n: [] for n in range(1, RUN + 1)}
        seen = set()
        for kind, record, text in items:
            if text in seen:  # each observer's record repeats the story
                continue
            seen.add(text)
            number = len(self._about)
            self._about.append((kind, record))
            if kind == "identifier":
                if text.isdigit() and len(text) < 8:
                    if text.startswith("0") and len(text) > 2:
                        self._digits.setdefault(text, number)
                    continue
                if COUNTED.fullmatch(text):
                    self._digits.setdefault(text, number)
                    continue
                if NAMES.fullmatch(text):
                    if len(text) > 2:  # else it can't be told from an ordinary word
                        self._names.setdefault(text.casefold(), number)
                    continue
            # An identifier such as "anna.b@example.org" is found by all of its words.
            shortest = SHORTEST if kind != "identifier" else 2 if len(text) > 5 else RUN
            words = self._number_words(text, learn=True)
            length = min(RUN, len(words))
            if length >= shortest:
                found = _windows(words, length)
                hashes[length].append(found)
                whose[length].append(np.full(len(found), number, dtype=np.int64))
        self._lengths = {n: _sorted(hashes[n], whose[n]) for n in hashes if hashes[n]}
        self._forget(own)
        self._forget(confirmed, names=False)

    def _number_words(self, text: str, learn: bool = False) -> np.ndarray:
        words = (word.casefold() for word in WORDS.findall(text))
        if learn:
            numbers = [self._numbers.setdefault(word, len(self._numbers) + 1) for word in words]
        else:
            numbers = [self._numbers.get(word, 0) for word in words]
        return np.array(numbers, dtype=np.uint64)

    def _forget(self, texts: Iterable[str], names: bool = True) -> None:
        """Give up what also stands in these texts: runs of words and, unless told not to, names."""
        numbered = []
        for text in texts:
            numbered.append(self._number_words(text))
            for name in NAMES.findall(text) if names else ():
                self._names.pop(name.casefold(), None)
                self._digits.pop(name, None)
        for length, (known, whose) in self._lengths.items():
            if numbered:
                own = np.concatenate([_windows(words, length) for words in numbered])
                kept = ~np.isin(known, own)
                self._lengths[length] = known[kept], whose[kept]

    def finds(self, text: str) -> list[tuple[str, str, str]]:
        """What is found in a text: kind, record, and the words by which it was found."""
        found = {}
        words = [word.casefold() for word in WORDS.findall(text)]
        numbers = self._number_words(text)
        for length, (known, whose) in self._lengths.items():
            windows = _windows(numbers, length)
            place = np.minimum(np.searchsorted(known, windows), max(len(known) - 1, 0))
            for at in np.flatnonzero(known[place] == windows) if len(known) else ():
                number = int(whose[place[at]])
                found.setdefault(self._about[number], " ".join(words[at : at + length]))
        if self._names:
            for name in set(map(str.casefold, NAMES.findall(text))):
                if name in self._names:
                    found.setdefault(self._about[self._names[name]], name)
        for cell, quoted in NUMBERS_AS_NAMES.findall(text) if self._digits else ():
            if (cell or quoted) in self._digits:
                found.setdefault(self._about[self._digits[cell or quoted]], cell or quoted)
        return [(*about, by) for about, by in found.items()]


def _windows(words: np.ndarray, length: int) -> np.ndarray:
    """One hash for each run of so many words."""
    count = len(words) - length + 1
    if count < 1:
        return np.zeros(0, dtype=np.uint64)
    total = np.zeros(count, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for i in range(length):
            total = total * np.uint64(0x9E3779B97F4A7C15) + words[i : i + count]
            total ^= total >> np.uint64(29)
    return total


def _sorted(hashes: list[np.ndarray], whose: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    known, first = np.unique(np.concatenate(hashes), return_index=True)
    return known, np.concatenate(whose)[first]


def guard_of(book: Book, sources: dict[str, str]) -> Guard | None:
    """The guard for these sources, or None when nothing has to be guarded."""
    if not sources:
        return None
    return Guard(protected(sources), own_texts(book), confirmed(sources), practice_files(book))


def practice_files(book: Book) -> set[str]:
    """The checksums of the practice corpus as it lies in the repository."""
    folder = book.notebooks / "carebook" / "data" / "practice"
    return {hashlib.sha256(path.read_bytes()).hexdigest() for path in tree_files(folder)}


def confirmed(sources: dict[str, str]) -> Iterator[str]:
    """The stories and messages that an instructor has confirmed, as the tables hold them."""
    from carebook import load_carebench, load_imbue

    if "CAREBENCH_DATA" in sources:
        care = load_carebench(sources["CAREBENCH_DATA"])
        yield from care.narratives.loc[sorted(care.source.quotable), "narrative"]
    if "IMBUE_DATA" in sources:
        imbue = load_imbue(sources["IMBUE_DATA"])
        yield from imbue.messages.loc[sorted(imbue.source.quotable), "message_text"]


def own_texts(book: Book) -> Iterator[str]:
    """The texts that the book consists of before any data are read, without the practice corpus."""
    paths = [path for path in tree_files(book.root / "book") if path.suffix != ".json"]
    helpers = book.notebooks / "carebook"
    paths += [p for p in tree_files(helpers) if helpers / "data" not in p.parents]
    paths += [book.root / name for name in ("_config.yml", "_toc.yml", "CHANGELOG.md")]
    for path in paths:
        if path.suffix not in NO_TEXT and path.exists():
            yield path.read_text(encoding="utf-8", errors="replace")
    for chapter in book.chapters():
        notebook = json.loads(chapter.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            yield "".join(cell["source"])


# --- in the chapters' outputs ------------------------------------------------------------------

STAND_IN = (
    "*What this cell puts out holds texts or identifiers of real records, and is not shown here. "
    "In a notebook of your own, with the data at hand, you see it.*"
)


def redacted(notebook: NotebookNode, guard: Guard) -> list[tuple[str, list]]:
    """Take out of a notebook, in place, each output that holds something protected.

    Returns
    -------
    list of (cell id, finds)
        Which cells it was.
    """
    taken = []
    state = notebook.metadata.get("widgets")
    of_widgets = _finds_in(guard, json.dumps(state)) if state else []
    if of_widgets:
        del notebook.metadata["widgets"]
    for cell in notebook.cells:
        if cell.cell_type != "code" or not cell.outputs:
            continue
        found = [find for output in cell.outputs for find in _finds_in(guard, _said(output))]
        widget = any("application/vnd.jupyter.widget-view+json" in o.get("data", {})
                     for o in cell.outputs)  # fmt: skip
        if widget and of_widgets:
            found += of_widgets
        if found:
            about = {"text/markdown": STAND_IN, "text/plain": STAND_IN}
            cell.outputs = [new_output("display_data", data=about)]
            taken.append((cell.id, found))
    return taken


def _said(output: NotebookNode) -> str:
    """Everything in an output that is text, its metadata (alt texts) included."""
    data = {
        kind: value
        for kind, value in output.get("data", {}).items()
        if not kind.startswith("image/") or kind == "image/svg+xml"
    }
    said = [data, output.get("metadata", {}), output.get("text", ""), output.get("evalue", "")]
    return json.dumps([*said, output.get("traceback", [])], ensure_ascii=False)


def say_redacted(chapter: str, taken: list[tuple[str, list]], say=print) -> None:
    """Name the cells whose output was taken out."""
    for cell, finds in taken:
        kinds = sorted({kind for kind, _, _ in finds})
        say(f"  not shown: {chapter}, cell {cell}: {', '.join(kinds)}")


# --- in everything that was built --------------------------------------------------------------


def findings(folder: Path, guard: Guard) -> list[Finding]:
    """What must not be shown and stands in a built file, archives included; five for each file."""
    found = []
    for path in tree_files(folder):
        for name, data in _members(path, path.relative_to(folder).as_posix(), guard.published):
            for kind, record, by in _finds_in(guard, data.decode("utf-8", "replace"))[:5]:
                advice = (
                    "Show it through carebook.quoting, or confirm the quotation in quotations.toml."
                )
                found.append(Finding(name, kind, f"{by!r}, of {record}", advice))
    return found


def _members(path: Path, name: str, published: Container[str]) -> Iterator[tuple[str, bytes]]:
    if path.suffix not in NO_TEXT:
        yield from _opened(path.read_bytes(), name, published)


def _opened(data: bytes, name: str, published: Container[str]) -> Iterator[tuple[str, bytes]]:
    suffix = Path(name).suffix
    if hashlib.sha256(data).hexdigest() in published:
        return
    if suffix in PACKED:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                if Path(member).suffix not in NO_TEXT:
                    yield from _opened(archive.read(member), f"{name}/{member}", published)
    elif suffix == ".gz":
        yield from _opened(gzip.decompress(data), name.removesuffix(".gz"), published)
    else:
        yield name, data


_TAG = re.compile(r"<[^<>]*>")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4}){16,}(?:[A-Za-z0-9+/]{2,3}={0,2})?")
_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|[nrtbf\"'\\/])")


def _finds_in(guard: Guard, text: str) -> list[tuple[str, str, str]]:
    """What is found in a text as it stands, unpacked, and without escapes, entities and tags."""
    packed = (_unpacked(match[0]) for match in _BASE64.finditer(text))
    text = " ".join([text, *filter(None, packed)])
    if "%20" in text:
        text += " " + unquote(text)
    plain = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else " ", text)
    plain = html.unescape(plain)
    views = {text, plain, _TAG.sub(" ", plain), _TAG.sub("", plain)}
    found = {find[:2]: find for view in sorted(views) for find in guard.finds(view)}
    return list(found.values())


def _unpacked(written: str) -> str:
    """The text that is written in base64; of a picture or of anything else, nothing."""
    try:
        return base64.b64decode(written + "=" * (-len(written) % 4)).decode()
    except ValueError:
        return ""
