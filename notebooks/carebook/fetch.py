"""The ``fetch`` subcommand: a data set from where its authors publish it, its terms first.

Files arrive in a folder of their own beside the one that was named (``FOLDER.part``), are held
against what the hub says of them, and take the place of an older copy only when all of them are
there. Whatever goes wrong before, the older copy stays as it was, and the same command goes on
where it stopped. ``source.json`` in the folder records what came from where.
"""

import contextlib
import datetime
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from carebook.places import entries, what_is
from carebook.records import DataError, safe

RECORD = "source.json"
TOLD_SINGLY = 12
"""Files that are named one by one while they arrive; one release has a file for each sample."""

_MARK = "fetched by carebook"


@dataclass(frozen=True)
class Dataset:
    """One data set on the hub: where it is, its terms, which of its files are the data."""

    title: str
    hub_id: str
    licence: str
    terms: tuple
    pattern: re.Pattern
    variable: str


DATASETS = {
    "carebench": Dataset(
        "CAREBench",
        "zhaoyuesun/CAREBecnch",  # the misspelling is the real name
        "cc-by-nc-nd-4.0",
        (
            "CC BY-NC-ND 4.0. You may copy and share the files unaltered, with credit to their "
            "authors, for purposes that are not commercial.",
            "You may NOT share altered, translated, trimmed or re-labelled versions, or use them "
            "commercially.",
            "They are records of people's lives: don't try to find out who wrote them, and don't "
            "paste them into services that keep what you send.",
        ),
        re.compile(r"(data/)?(first|third)_person(\.jsonl?(\.gz)?|/[^/]+\.json(\.gz)?)"),
        "CAREBENCH_DATA",
    ),
    "imbue": Dataset(
        "IMBUE expert annotations",
        "iwylin/imbue_dearman_expert_annotations",
        "",
        (
            "The data card states NO licence. Without one, nobody but the authors may pass the "
            "file on, and neither may you: use it for your own study and teaching, and ask the "
            "authors before anything else.",
            "The messages were written by people about situations of their own: don't try to find "
            "out who they are, and don't paste them into services that keep what you send.",
        ),
        re.compile(r"([^/]+/)?[^/]+\.(csv|csv\.gz|parquet)"),
        "IMBUE_DATA",
    ),
}
_PAPERS = re.compile(r"(README|LICEN[CS]E)[^/]*", re.IGNORECASE)

# What is known of a release from elsewhere: commit -> file -> SHA-256. Source: a third party's
# audit of that commit.
CHECKSUMS = {
    "8b4135219d493c4aaa2474beeefed11779c66890": {
        "first_person.json": "93b410dab0ea3f40796f6e02bf4cb8085898670a340fe2a6f10f154593d6d05c"
    }
}


class NotFetched(Exception):
    """The data set was not fetched; the message says why and what to do."""


def add_arguments(parser):
    """Add the arguments of the subcommand to a parser."""
    parser.add_argument("dataset", choices=DATASETS, help="which data set")
    parser.add_argument("--to", required=True, metavar="FOLDER", help="where to put it")
    parser.add_argument("--revision", help="a commit, tag or branch (default: the newest)")
    parser.add_argument(
        "--accept-licence", action="store_true", help="you have read the terms and accept them"
    )
    parser.add_argument("--file", help="which table, where the hub holds several (IMBUE)")


def main(args):
    """Run the subcommand and return the exit status."""
    dataset, folder = DATASETS[args.dataset], Path(args.to).expanduser().absolute()
    try:
        before = _older_copy(folder, args.dataset)
        hub = _library()
        print("\n".join(_terms(dataset)), flush=True)
        upstream = _upstream(hub, dataset, args.revision)
        _consent(dataset, upstream, args.accept_licence)
        files = _data_files(dataset, upstream, args.file)
        for line in _changes(before, upstream, files):
            print(line)
        with _alone(folder):
            unfinished = _unfinished(folder, dataset, upstream.sha)
            _room(unfinished, files)
            found = _download(hub, dataset, upstream.sha, files, unfinished)
            _record(unfinished, args, dataset, upstream, found)
            _take_its_place(unfinished, folder)
    except NotFetched as problem:
        print(f"Not fetched: {problem}" + _older_stays(folder))
        return 1
    except DataError as problem:
        print(f"Not fetched: {problem.problems[0]}")
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on where it stopped." + _older_stays(folder))
        return 130
    print(f"All of it is in {folder} (commit {upstream.sha[:12]}; {RECORD} has the details).")
    return _check(dataset, folder, found)


def _older_stays(folder):
    return f" The copy in {folder} is as it was." if (folder / RECORD).exists() else ""


# --- before anything is fetched ----------------------------------------------------------------


def _older_copy(folder, name):
    """The record of a copy that may be replaced, or None; refuse any other content."""
    kind = what_is(folder)
    if kind not in ("", "folder"):
        found = "a file" if kind == "file" else kind
        raise NotFetched(f"{folder} is {found}, not a folder. Name another one.")
    if kind == "" or not entries(folder, str(folder)):
        return None
    record = _noted(folder / RECORD)
    if record.get("made_by") == _MARK and record.get("dataset") == name:
        return record
    raise NotFetched(
        f"{folder} holds other files, which stay as they are. Name a new folder, or one that this "
        "command has filled."
    )


def _noted(path):
    """What a JSON file of ours holds; of anything else that stands there, nothing."""
    if what_is(path) != "file":
        return {}
    try:
        there = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return there if isinstance(there, dict) else {}


def _files_of(record):
    files = record.get("files")
    return files if isinstance(files, dict) else {}


def _library():
    try:
        import huggingface_hub
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError:
        raise NotFetched(
            "the package huggingface_hub is missing. Install it with: pip install "
            "'carebook[fetch]' (or, in the book's folder: .venv/bin/python -m pip install "
            "huggingface_hub)."
        ) from None
    return huggingface_hub


def _terms(dataset):
    yield f"{dataset.title}, from the Hugging Face Hub: {dataset.hub_id}"
    for term in dataset.terms:
        yield f"  - {term}"


def _consent(dataset, upstream, accepted):
    stated = _stated_licence(upstream)
    if stated != dataset.licence:
        here, there = dataset.licence or "no licence", safe(stated or "no licence", 60)
        print(f"NOTE: the hub states {there}; this program knows of {here}. Read it there.")
        accepted = False
    if accepted:
        return
    if not sys.stdin.isatty():
        raise NotFetched(
            "nobody was there to accept the terms. Read them, on the hub too, then run this in a "
            "terminal and answer there"
            + (", or say --accept-licence." if stated == dataset.licence else ".")
        )
    if input("Do you accept these terms? Type yes to go on: ").strip().lower() != "yes":
        raise NotFetched("the terms were not accepted. Nothing was downloaded.")


def _stated_licence(upstream):
    card = getattr(upstream, "card_data", None)
    stated = (card.get("license") if hasattr(card, "get") else None) or ""
    return stated.lower() if isinstance(stated, str) else ", ".join(map(str, stated)).lower()


def _upstream(hub, dataset, revision):
    """What the hub says of the data set: its commit, and names, sizes, checksums of its files."""
    with _faults(hub, dataset, revision):
        upstream = hub.HfApi().dataset_info(
            dataset.hub_id, revision=revision, files_metadata=True, timeout=30
        )
    if not re.fullmatch("[0-9a-f]{40}", str(upstream.sha)):
        raise NotFetched("the hub names no commit for it. Try again later.")
    return upstream


def _data_files(dataset, upstream, wanted):
    """The files to fetch: the data in one layout, and what is written about them."""
    names = [sibling.rfilename for sibling in upstream.siblings or ()]
    strange = [name for name in names if not _stays_inside(name)]
    if strange:
        raise NotFetched(
            f"the hub lists a file that would lead out of the folder ({safe(strange[0], 80)}). "
            "That is no mistake of yours: tell the authors."
        )
    data = [name for name in names if dataset.pattern.fullmatch(name)]
    if wanted:
        data = [name for name in data if name == wanted]
    if not data:
        listed = ", ".join(safe(name, 60) for name in names[:8]) or "nothing"
        raise NotFetched(f"there is no data file of a known name in it (it holds: {listed}).")
    if dataset.variable == "IMBUE_DATA" and len(data) > 1:
        raise NotFetched(
            f"there are several tables ({', '.join(safe(name, 60) for name in data[:8])}). Name "
            "one with --file."
        )
    chosen = {*data, *(name for name in names if _PAPERS.fullmatch(name))}
    return [sibling for sibling in upstream.siblings if sibling.rfilename in chosen]


def _stays_inside(name):
    parts = PurePosixPath(name).parts
    plain = name.isprintable() and not re.search(r'[\\:*?"<>|]', name)
    return bool(parts) and plain and not name.startswith("/") and ".." not in parts


def _changes(before, upstream, files):
    """What differs from an older copy."""
    if before is None:
        return
    if before.get("commit") == upstream.sha:
        yield f"The copy there is of the same commit, {upstream.sha[:12]}; it is fetched again."
        return
    yield (
        f"Changed upstream: the copy is of commit {safe(str(before.get('commit'))[:12])}, the hub "
        f"now gives {upstream.sha[:12]}. To keep the older release: --revision."
    )
    noted = _files_of(before).items()
    sizes = {name: about.get("size") for name, about in noted if isinstance(about, dict)}
    new = {sibling.rfilename: sibling.size for sibling in files}
    differing = sorted(
        name for name in sizes.keys() | new.keys() if sizes.get(name) != new.get(name)
    )
    for name in differing[:5]:
        yield f"  {safe(name, 60)}: {sizes.get(name, 'new')} -> {new.get(name, 'gone')} bytes"


# --- fetching ----------------------------------------------------------------------------------


@contextlib.contextmanager
def _alone(folder):
    """Keep a second fetch to the same folder out while this one runs."""
    folder = folder.absolute()
    lock = folder.with_name(f".{folder.name}.fetching")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with lock.open("w") as file:
            if not _locked(file):
                raise NotFetched(f"another fetch to {folder} is running. Wait for it to end.")
            yield
        lock.unlink(missing_ok=True)
    except OSError as error:
        raise _not_written(folder, error) from None


def _locked(file):
    try:
        import fcntl
    except ImportError:  # Windows: a file in use can't be replaced there anyway
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unfinished(folder, dataset, commit):
    """The folder that files are collected in: an earlier one is gone on with if it is the same."""
    place = folder.with_name(folder.name + ".part")
    mark = place / "fetch.json"
    wanted = {"made_by": _MARK, "hub_id": dataset.hub_id, "commit": commit}
    if what_is(place):
        there = _noted(mark)
        if place.is_symlink() or there.get("made_by") != _MARK:
            raise NotFetched(f"{place} is in the way, and is not ours. Move it away.")
        if there != wanted:
            shutil.rmtree(place)
    place.mkdir(exist_ok=True)
    mark.write_text(json.dumps(wanted), encoding="utf-8")
    return place


def _room(place, files):
    needed = sum(sibling.size or 0 for sibling in files)
    free = shutil.disk_usage(place).free
    if needed > free:
        raise NotFetched(
            f"{needed / 1e6:,.0f} MB are needed and {free / 1e6:,.0f} MB are free. Make room, or "
            "name a folder on another disk."
        )


def _download(hub, dataset, commit, files, place):
    """Fetch each file and hold it against what the hub says of it: name -> size and SHA-256."""
    found = {}
    for number, sibling in enumerate(files, 1):
        name = sibling.rfilename
        _tell_progress(number, files)
        with _quiet_for_many(hub, files), _faults(hub, dataset, commit):
            got = hub.hf_hub_download(
                dataset.hub_id, name, repo_type="dataset", revision=commit, local_dir=str(place)
            )
        path = place / name
        inside = Path(got).resolve() == path.resolve() and path.resolve().is_relative_to(
            place.resolve()
        )
        if not inside or path.is_symlink() or what_is(path) != "file":
            raise NotFetched(f"{safe(name, 80)} did not arrive as a plain file in the folder.")
        found[name] = _verified(path, sibling, CHECKSUMS.get(commit, {}).get(name))
    return found


def _tell_progress(number, files):
    """A line for each of a few files; of more than that, one for each tenth of them."""
    sibling, count = files[number - 1], len(files)
    if count <= TOLD_SINGLY:
        size = f" ({_bytes(sibling.size)})" if sibling.size else ""
        print(f"  {number} of {count}: {safe(sibling.rfilename, 80)}{size}", flush=True)
    elif number == 1:
        print(f"  {count:,} files, {_bytes(sum(one.size or 0 for one in files))}", flush=True)
    elif number * 10 // count > (number - 1) * 10 // count:
        print(f"  {number:,} of {count:,} ({number * 10 // count}0 %)", flush=True)


def _bytes(size):
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{max(1, round(size / 1e3))} kB"


@contextlib.contextmanager
def _quiet_for_many(hub, files):
    """Keep the library from drawing a bar of its own for each of hundreds of small files."""
    if len(files) <= TOLD_SINGLY or hub.utils.are_progress_bars_disabled():
        yield
        return
    hub.utils.disable_progress_bars()
    try:
        yield
    finally:
        hub.utils.enable_progress_bars()


def _verified(path, sibling, known):
    """Size and SHA-256 of a file; a file that is not what the hub announced is deleted."""
    sha256, blob = hashlib.sha256(), hashlib.sha1(usedforsecurity=False)
    size = path.stat().st_size
    blob.update(f"blob {size}\0".encode())
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sha256.update(block)
            blob.update(block)
    announced = getattr(sibling.lfs, "sha256", None) if sibling.lfs else None
    wrong = (
        (sibling.size is not None and size != sibling.size)
        or (announced and sha256.hexdigest() != announced)
        or (not sibling.lfs and sibling.blob_id and blob.hexdigest() != sibling.blob_id)
        or (known and sha256.hexdigest() != known)
    )
    if wrong:
        path.unlink()
        raise NotFetched(
            f"{safe(sibling.rfilename, 80)} is not what was announced ({size:,} bytes, SHA-256 "
            f"{sha256.hexdigest()[:12]}...): it was damaged on its way, or changed upstream "
            "meanwhile. Run the same command again."
        )
    return {"size": size, "sha256": sha256.hexdigest()}


def _record(place, args, dataset, upstream, found):
    about = {
        "made_by": _MARK,
        "dataset": args.dataset,
        "hub_id": dataset.hub_id,
        "revision": args.revision or "",
        "commit": upstream.sha,
        "licence": _stated_licence(upstream) or "none stated",
        "fetched": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "files": found,
    }
    text = json.dumps(about, indent=1, ensure_ascii=False) + "\n"
    (place / RECORD).write_text(text, encoding="utf-8")


def _take_its_place(place, folder):
    """Put the finished folder where the older one was; bring the older one back if that fails."""
    shutil.rmtree(place / ".cache", ignore_errors=True)  # what the library keeps to go on from
    (place / "fetch.json").unlink()
    if what_is(folder) != "folder":
        place.rename(folder)
        return
    aside = Path(tempfile.mkdtemp(prefix=f"{folder.name}.old-", dir=folder.parent))
    older = aside / folder.name
    folder.rename(older)
    try:
        place.rename(folder)
    except OSError:
        older.rename(folder)
        aside.rmdir()
        raise
    _keep_what_was_added(older, folder)
    shutil.rmtree(aside, ignore_errors=True)


def _keep_what_was_added(older, folder):
    """Move to the new copy what had been put beside the files of the older one."""
    fetched = set(_files_of(_noted(older / RECORD)))
    for path in sorted(older.rglob("*")):
        name = path.relative_to(older)
        added = name.as_posix() not in fetched and path.name != RECORD
        if added and (path.is_symlink() or not path.is_dir()) and not (folder / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, folder / name)


@contextlib.contextmanager
def _faults(hub, dataset, revision):
    """Turn what the library raises into a sentence about what to do."""
    errors = hub.errors
    at = f" at {safe(revision, 60)}" if revision else ""
    try:
        yield
    except errors.GatedRepoError:
        told = (
            f"{dataset.hub_id} now asks for a login and for terms of its own. Accept them on its "
            "page, log in with `hf auth login`, and run the same command again."
        )
    except errors.RevisionNotFoundError:
        told = f"{dataset.hub_id} has no revision {safe(revision or '', 60)}. Look it up there."
    except errors.RepositoryNotFoundError:
        told = (
            f"{dataset.hub_id} is not there: it was renamed, made private or taken down. Look for "
            "it on the hub, or ask its authors."
        )
    except errors.LocalEntryNotFoundError as error:
        told = _no_network(error)
    except errors.EntryNotFoundError:
        told = f"a file is gone{at}: it changed upstream meanwhile. Run the same command again."
    except errors.HfHubHTTPError as error:
        status = getattr(getattr(error, "response", None), "status_code", None)
        told = f"the hub answered with an error ({status or 'no status'}). Try again later."
    except errors.HFValidationError:
        told = f"{safe(revision or '', 60)} can't be the name of a revision."
    except KeyboardInterrupt:
        raise
    except Exception as error:  # the network's own exceptions differ by version of the library
        told = _other(error)
    else:
        return
    raise NotFetched(told)


def _no_network(error):
    return (
        "the hub can't be reached. Check the network connection (and HF_HUB_OFFLINE), then run the "
        "same command again: it goes on where it stopped."
    )


def _other(error):
    connection = isinstance(error, (ConnectionError, TimeoutError))
    if connection or type(error).__module__.startswith(("http", "requests", "urllib3")):
        return _no_network(error)
    if isinstance(error, OSError) and error.errno:
        return str(_not_written(Path(error.filename or "the folder"), error))
    reason = safe(str(error) or type(error).__name__, 200)
    return f"the download failed ({type(error).__name__}: {reason}). Run the same command again."


def _not_written(folder, error):
    return NotFetched(
        f"{folder}: nothing more can be written ({error.strerror or error}). Make room, or name "
        "another folder; the same command goes on where it stopped."
    )


# --- afterwards --------------------------------------------------------------------------------


def _check(dataset, folder, found):
    """Say how the files stand to their documentation, and what to type next."""
    from argparse import Namespace

    from carebook import check

    data = [name for name in found if dataset.pattern.fullmatch(name)]
    source = folder / data[0] if dataset.variable == "IMBUE_DATA" else folder
    again = f"python -m carebook check {_typed(source)}"
    print(f"\n{again}\n")
    status = check.main(Namespace(folder=str(source), json=False, html=None))
    if status:
        where = folder / "exceptions.toml"
        print(f"\nNext: settle what is named above, or accept it in {where}; then\n  {again}")
    else:
        setting = f"export {dataset.variable}={_typed(source.absolute())}"
        if os.name == "nt":
            setting = f'set "{dataset.variable}={source.absolute()}"'
        print(f"\nNext:\n  {setting}\n  make book")
    return status


def _typed(path):
    """A path as it has to be typed into a terminal, blanks and all."""
    return f'"{path}"' if os.name == "nt" else shlex.quote(str(path))
