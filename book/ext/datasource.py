"""The data that a build runs on: the files behind the two variables, refused early if unusable.

A wrong path would otherwise come up as a traceback in five chapters. What is refused here is told
before anything is executed, each in one line that names the variable and the path.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from layout import DATA_VARIABLES, file_hash, text_hash, tree_files

#: What a loader reads in a data folder, by the beginning of its name.
READ = ("first_person", "third_person", "imbue.", "exceptions.toml", "quotations.toml")


def findings(environ: Mapping[str, str] = os.environ) -> list[str]:
    """What is wrong with the values of the data variables: a line each, none if all is well."""
    from carebook.carebench import locate_carebench
    from carebook.imbue import locate_imbue
    from carebook.records import DataError, safe

    locate = dict(zip(DATA_VARIABLES, (locate_carebench, locate_imbue), strict=True))
    lines = []
    for name in DATA_VARIABLES:
        value = environ.get(name)
        if not value:
            continue
        try:
            locate[name](value)
        except DataError as error:
            problem = error.problems[0]
            about = "" if problem.file == value else f"{safe(problem.file, 60)}: "
            lines.append(
                f"{name}={safe(value, 200)}: {about}found {problem.found}; expected "
                f"{problem.expected}. Correct the path, or unset {name} for the practice corpus."
            )
    return lines


def departures(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The lines in which `check` tells what is wrong with the data that the variables name."""
    from carebook.carebench import load_carebench
    from carebook.check import problem_lines
    from carebook.imbue import load_imbue
    from carebook.records import DataError

    problems = []
    for name, load in zip(DATA_VARIABLES, (load_carebench, load_imbue), strict=True):
        try:
            if environ.get(name):
                load(environ[name])
        except DataError as error:
            problems += error.problems
    return problem_lines(problems) if problems else []


def data_hash(sources: Mapping[str, str]) -> str:
    """A hash of the files behind the data variables, and of what stands beside them about them.

    Nothing else in a folder is looked at: it may be a home folder.
    """
    parts = []
    for name, value in sorted(sources.items()):
        parts.append(name)
        path = Path(value)
        if not path.is_dir():
            files = [path, *(path.with_name(other) for other in READ[3:])]
            parts += [file_hash(file) for file in files if file.is_file() or file == path]
            continue
        for file in _files_of(path):
            parts += [file.relative_to(path).as_posix(), file_hash(file)]
    return text_hash(*parts)


def _files_of(folder: Path) -> list[Path]:
    places = [place for place in (folder, folder / "data") if place.is_dir()]
    named = [p for place in places for p in sorted(place.iterdir()) if p.name.startswith(READ)]
    files = [file for path in named for file in (tree_files(path) if path.is_dir() else [path])]
    return [file for file in files if file.is_file()]
