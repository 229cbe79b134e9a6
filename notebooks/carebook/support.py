"""Where a reader finds support, said wherever distressing material starts.

The services stand in ``data/support_lines.toml``, each with the day somebody checked it, so that
an instructor in another country replaces them in one place.
"""

import tomllib
from dataclasses import dataclass
from datetime import date
from importlib import resources
from pathlib import Path

from carebook.results import result


@dataclass(frozen=True)
class SupportLine:
    """One service: its name, the country it serves, how to reach it, and when that was checked."""

    name: str
    country: str
    how: str
    checked: date


def support_lines(path: str | Path | None = None) -> tuple[SupportLine, ...]:
    """Read the services that the book names.

    Parameters
    ----------
    path
        A TOML file with ``[[line]]`` entries of ``name``, ``country``, ``how`` and ``checked``
        (a date). The file that comes with the book by default.

    Raises
    ------
    ValueError
        If an entry lacks a part or ``checked`` is not a date, or if there is no entry.

    Examples
    --------
    >>> [line.country for line in support_lines()]
    ['United States', 'United States']
    """
    file = Path(path) if path else resources.files("carebook") / "data" / "support_lines.toml"
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get("line", [])
    if not entries:
        raise ValueError(f"{file}: no [[line]] entry; a reader in distress needs at least one.")
    return tuple(_line(entry, f"{file}, line entry {n}") for n, entry in enumerate(entries, 1))


def _line(entry: dict, where: str) -> SupportLine:
    for part in ("name", "country", "how"):
        if not isinstance(entry.get(part), str) or not entry[part].strip():
            raise ValueError(f"{where}: '{part}' is missing; write {part} = \"...\".")
    if not isinstance(entry.get("checked"), date):
        raise ValueError(f"{where}: 'checked' must be the day you checked it, as 2026-11-30.")
    return SupportLine(entry["name"], entry["country"], entry["how"], entry["checked"])


def support_text(path: str | Path | None = None) -> str:
    """Say, in one paragraph of Markdown, where support is to be found.

    Examples
    --------
    >>> support_text().startswith("**If a story stays with you**")
    True
    """
    lines = support_lines(path)
    places = "; ".join(f"**{line.name}** ({line.country}): {line.how}" for line in lines)
    oldest = min(line.checked for line in lines)
    return (
        "**If a story stays with you**, or touches something of your own, talk to somebody: a "
        f"friend, your instructor, a counselling service. In a crisis, you can reach {places}. "
        "Elsewhere, a doctor or your university's counselling service knows the numbers for your "
        "country; in immediate danger, call the emergency number. "
        f"(Numbers checked on {oldest.day} {oldest:%B %Y}.)"
    )


def support_note(path: str | Path | None = None):
    """Return `support_text` as the display object of a notebook cell."""
    return result(support_text(path))
