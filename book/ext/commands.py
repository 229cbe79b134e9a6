"""What each command does, inside the environment that `make.py` prepared."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import assignments
import datasource
import editing
import hooks
import links
import lock
import new_chapter
import pages
import printing
from execution import stale_chapters
from grading.edition import start as start_edition
from javascript import StagingProblem
from layout import Book, tree_files

ROOT = Path(__file__).resolve().parents[2]
# One file's tests stay together, so that what they share is made once; long ones start first.
BOTH_CORES = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]


def say(text: str) -> None:
    """Show progress at once, also where the output goes to a file."""
    print(text, flush=True)


def python(*arguments: str, cwd: Path = ROOT) -> int:
    """Run a Python program of the environment and return its exit status."""
    return subprocess.run([sys.executable, *arguments], cwd=cwd).returncode


def took(started: float) -> str:
    """The time since, in words."""
    seconds = time.monotonic() - started
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def build_site() -> bool:
    """Build the website, say what went wrong if something did, and return whether it stands."""
    departures = datasource.departures()
    if departures:
        say("\n".join(departures))
        say("\nThe book was not built: its data depart from their documentation; see above.")
        return False
    site = Book.at(ROOT)
    stood = site.html.exists()
    try:
        pages.build(site, say, for_browsers=True)
    except (pages.BuildFailed, StagingProblem) as problem:
        say(f"\nThe book was not built. {problem}")
        if stood and not site.html.exists():
            say("The website that stood in _build/html is gone, so that nobody takes it for this.")
        return False
    return True


def book(arguments: list[str]) -> int:
    """Execute what is stale and build the website."""
    started = time.monotonic()
    if not build_site():
        return 1
    say(f"The book is in _build/html ({took(started)}). Next: `make serve`, or open index.html.")
    return 0


def serve(arguments: list[str]) -> int:
    """Build what changed, then serve the website."""
    port = arguments[0] if arguments else "8000"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        say(f"{port} is no port. Next: name one from 1024 to 65535: make serve ARGS=8001")
        return 1
    if not build_site():
        return 1
    pages.serve(ROOT / "_build" / "html", int(port), say)
    say("Next: edit a chapter (`make lab`), then `make serve` again.")
    return 0


def pdf(arguments: list[str]) -> int:
    """Build what changed, then print the whole book to one PDF."""
    started = time.monotonic()
    if not build_site():
        return 1
    say("Printing the pages")
    try:
        printed = printing.print_book(Book.at(ROOT))
    except printing.NotPrinted as problem:
        say(str(problem))
        return 1
    size = printed.stat().st_size / 1e6
    say(f"The book is in _build/{printed.name} ({size:.1f} MB, {took(started)}). Next: open it.")
    return 0


def test(arguments: list[str]) -> int:
    """Run everything: the chapters and the website first, then all tests side by side."""
    started = time.monotonic()
    built = build_site()
    if not built:
        say("The tests that open its pages are left out; all others run.\n")
        arguments = ["--ignore=tests/site/test_pages.py", *arguments]
    status = python("-m", "pytest", *BOTH_CORES, "--doctest-modules", *arguments)
    if built and status == 0:
        say(f"Every check passed ({took(started)}). Next: commit, or `make serve` to look at it.")
        return 0
    say(f"Something failed ({took(started)}). Next: mend what is named above, then `make test`.")
    return status or 1


def check(arguments: list[str]) -> int:
    """The fast checks: all tests that neither run a chapter, build a page nor install a package."""
    started = time.monotonic()
    fast = ["--doctest-modules", "-q", "-m", "not slow"]
    if python("-m", "pytest", *BOTH_CORES, *fast, *arguments):
        say(f"Something failed ({took(started)}). Next: mend what is named, then `make check`.")
        return 1
    stale = [chapter.stem for chapter in stale_chapters(Book.at(ROOT))]
    if stale:
        say(f"Fast checks passed ({took(started)}). Next: `make book` runs {', '.join(stale)}.")
    else:
        say(f"Fast checks passed ({took(started)}). Next: `make test` before you hand it on.")
    return 0


def tidy(arguments: list[str]) -> int:
    """Do what the Git hook does without being asked: clear notebooks, lay code out."""
    found = [path for path in tree_files(ROOT) if path.suffix == ".ipynb"]
    findings = hooks.notebooks([str(path.relative_to(ROOT)) for path in found])
    for finding in findings:
        say(f"  {finding}")
    status = python("-m", "ruff", "check", "--fix", "--quiet")
    if python("-m", "ruff", "format", "--quiet") or status or findings:
        say("Something is left to mend by hand; see above. Next: mend it, then `make check`.")
        return 1
    say("Notebooks and code are tidy. Next: `make check`.")
    return 0


def bench(arguments: list[str]) -> int:
    """Run the benchmarks, each on copies of its own."""
    programs = sorted((ROOT / "tests" / "bench").glob("bench_*.py"))
    wanted = [p for p in programs if not arguments or any(a in p.stem for a in arguments)]
    statuses = [python(str(program)) for program in wanted]
    say("Next: compare the figures with the targets printed beside them.")
    return max(statuses, default=0)


def robustness(arguments: list[str]) -> int:
    """Spoil many small data files, and see that each is read whole or refused."""
    say("Spoiling small data files (100,000 unless --files says otherwise)")
    return python(str(ROOT / "tests" / "bench" / "robustness.py"), *arguments)


def lab(arguments: list[str]) -> int:
    """Open JupyterLab in the chapters' folder."""
    say("Opening JupyterLab (stop it with Ctrl+C)")
    status = python("-m", "jupyterlab", *arguments, cwd=ROOT / "notebooks")
    say("Next: `make tidy`, which clears the outputs, then `make check`.")
    return status


def edit(arguments: list[str]) -> int:
    """Write notebooks as texts."""
    try:
        texts = editing.edit(Book.at(ROOT), arguments, say)
    except editing.EditingProblem as problem:
        say(str(problem))
        return 1
    first = texts[0].relative_to(ROOT)
    say(f"Next: write in any editor, such as `code {first}`, then `make save`.")
    return 0


def save(arguments: list[str]) -> int:
    """Bring changed texts back; ``--without ID,ID`` names the cells that are meant to go."""
    names, gone = list(arguments), set()
    if "--without" in names:
        place = names.index("--without")
        gone = set(",".join(names[place + 1 : place + 2]).split(","))
        del names[place : place + 2]
    try:
        changed = editing.save(Book.at(ROOT), names, gone, say)
    except editing.EditingProblem as problem:
        say(f"Nothing was saved. {problem}")
        return 1
    if changed:
        say(f"Saved {len(changed)}. Next: `make tidy`, then `make serve` to look at it.")
    else:
        say("No text has changed. Next: write in _build/edit, then `make save`.")
    return 0


def chapter(arguments: list[str]) -> int:
    """Start a chapter from the template."""
    try:
        made = new_chapter.create(Book.at(ROOT), " ".join(arguments))
    except new_chapter.NameProblem as problem:
        say(str(problem))
        return 1
    say(
        f"{made.relative_to(ROOT)} is a copy of the template, and _toc.yml lists it. "
        "Next: `make lab` to write it, `make book` to see it."
    )
    return 0


def assign(arguments: list[str]) -> int:
    """Build the assignments that have changed: the public ones, or an instructor's own."""
    started = time.monotonic()
    book = Book.at(ROOT)
    try:
        wish = assignments.options(arguments)
        if wish.start:
            folder = start_edition(book, Path(wish.start))
            say(
                f"{folder} holds a copy of the assignments for you to change. Next: "
                f"`make assignments ASSIGNMENTS={wish.start} SEED=...`, with a secret of your own."
            )
            return 0
        edition = assignments.wanted_edition(book, wish)
        say("Building the assignments (half a minute the first time)")
        built = assignments.build(book, say, edition)
    except (assignments.AssignmentFailed, FileExistsError) as problem:
        say(str(problem))
        return 1
    say(
        f"{len(built)} in {edition.made} ({took(started)}). Next: hand out what is in "
        "`student`, keep `autograder` to yourself."
    )
    return 0


def grade(arguments: list[str]) -> int:
    """Grade a folder of submissions."""
    from grading import command
    from grading.runner import WorkerFailed

    try:
        command.grade(Book.at(ROOT), command.options(arguments), say)
    except (command.CannotGrade, WorkerFailed) as problem:
        say(str(problem))
        return 1
    return 0


def switch_hook_on(arguments: list[str]) -> int:
    """Switch the Git hook on, and show at once that it works."""
    if python("-m", "pre_commit", "install"):
        say("The hook needs a Git repository. Next: `git clone` the book, then `make hooks`.")
        return 1
    if python("-m", "pre_commit", "run", "--all-files", *arguments):
        say("Git now runs these checks before each commit. Next: mend what they name above.")
        return 1
    say("Git now runs these checks before each commit. Next: change something and commit it.")
    return 0


def check_links(arguments: list[str]) -> int:
    """Build what changed, then open every address outside the website."""
    if not build_site():
        return 1
    addresses = links.outside_addresses(Book.at(ROOT).html)
    say(f"Opening {len(addresses)} addresses")
    findings = links.outside_findings(addresses)
    for finding in findings:
        say(f"  {finding}")
    if findings:
        say(f"{len(findings)} lead nowhere. Next: open them by hand, then mend them.")
        return 1
    say("Every link out of the book answers. Next: nothing to do.")
    return 0


def relock(arguments: list[str]) -> int:
    """Refresh the lock."""
    status = lock.refresh(ROOT, arguments)
    say(
        "requirements.txt could not be refreshed; see above."
        if status
        else "requirements.txt is refreshed. Next: `make test`, which installs and tries it."
    )
    return status


COMMANDS = {
    "book": book,
    "serve": serve,
    "pdf": pdf,
    "test": test,
    "check": check,
    "tidy": tidy,
    "bench": bench,
    "robustness": robustness,
    "lab": lab,
    "edit": edit,
    "save": save,
    "chapter": chapter,
    "assignments": assign,
    "grade": grade,
    "hooks": switch_hook_on,
    "links": check_links,
    "lock": relock,
}

#: The commands that run chapters or look at their runs: a wrong data path stops them at once.
RUN_ON_DATA = {"book", "serve", "pdf", "test", "check", "lab", "assignments", "links"}


def main() -> int:
    """Run the command that the arguments name."""
    os.environ.setdefault("PYTHONUTF8", "1")
    wrong = datasource.findings() if sys.argv[1] in RUN_ON_DATA else []
    if wrong:
        say("\n".join(wrong))
        return 1
    try:
        return COMMANDS[sys.argv[1]](sys.argv[2:])
    except KeyboardInterrupt:
        say("\nStopped. The same command goes on where it stopped.")
        return 130


if __name__ == "__main__":
    sys.exit(main())
