"""What stands at a path, asked before anything is opened.

A data folder comes from anywhere: a named pipe in it would wait for ever, a link may lead to any
file of this computer, a folder may be closed to us. Each is met here with a phrase for a message,
so that the readers open plain files inside the folder and nothing else.
"""

import errno
import os
import stat
from pathlib import Path

from carebook.records import DataError, Problem, safe

_KINDS = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def what_is(path):
    """Say what stands at a path: ``"file"``, ``"folder"``, ``""`` for nothing, else a phrase.

    Parameters
    ----------
    path : path
        Of this computer, or of a package's data.

    Returns
    -------
    str
        A phrase, such as ``"a named pipe"`` or ``"a link that leads in a circle"``, names what can
        be neither read nor looked into.

    Examples
    --------
    >>> from pathlib import Path
    >>> what_is(Path(".")), what_is(Path("no such thing"))
    ('folder', '')
    """
    if not isinstance(path, Path):  # package data may lie in an archive
        return "file" if path.is_file() else "folder" if path.is_dir() else ""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "a link that leads nowhere" if path.is_symlink() else ""
    except PermissionError:
        return "a place that you may not look into"
    except ValueError:
        return "a path with a NUL character in it"
    except OSError as error:
        loop, long = "a link that leads in a circle", "a path that is too long"
        known = {errno.ELOOP: loop, errno.ENAMETOOLONG: long}
        return known.get(error.errno, error.strerror or "nothing that can be read")
    return next((name for is_it, name in _KINDS if is_it(mode)), "no plain file")


def leads_outside(root, path):
    """Whether a path is, or goes through, a link out of the folder it was found in.

    Parameters
    ----------
    root, path : path
        The folder that was named, and something found in it.
    """
    if not isinstance(path, Path):
        return False
    return not path.resolve().is_relative_to(root.resolve())


def unusable(root, path, name, expected="a file"):
    """The problem of something that is there and can't be used, or None if it can.

    Parameters
    ----------
    root : path
        The folder that was named by the user.
    path : path
        What was found in it; nothing at all is no problem here.
    name : str
        What to call it.
    expected : str
        ``"a file"`` or ``"a folder"``.
    """
    kind = what_is(path)
    if kind in ("", expected.removeprefix("a ")):
        if kind and leads_outside(root, path):
            return Problem(
                name,
                found="a link that leads out of the folder",
                expected=expected + " in the folder itself",
                advice="Copy what it leads to into the folder: a link may lead to anything.",
                kind="outside",
            )
        return None
    found = f"a {kind}" if kind in ("file", "folder") else kind
    advice = "Move it away, and put the data in its place."
    return Problem(name, found=found, expected=expected, advice=advice, kind="unreadable")


def entries(folder, name):
    """The paths in a folder, in the order of their names.

    Raises
    ------
    DataError
        If the folder can't be listed.
    """
    try:
        return sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        found = "a folder that you may not list"
        if not isinstance(error, PermissionError):
            found = f"a folder that can't be listed ({safe(error.strerror or 'no reason', 40)})"
        told = {"expected": "a folder that can be read", "kind": "unreadable"}
        advice = "Change its permissions, or copy the data elsewhere."
        raise DataError([Problem(name, found=found, advice=advice, **told)]) from None


def odd_entries(folder):
    """The names in a folder that are no plain files: links, pipes, folders. Quick for thousands."""
    if not isinstance(folder, Path):
        return set()
    with os.scandir(folder) as found:
        return {entry.name for entry in found if not entry.is_file(follow_symlinks=False)}
