"""Writes the model's tables as Markdown, from the data files that the generator itself reads.

The book's page on the model shows them; so the page can't state a sign, a size or a rate that the
program doesn't use. Citations are MyST roles.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from carebook.practice.banks import data_folder
from carebook.practice.worlds import read_signs, read_world, sign_table, world_names
from carebook.vocabulary import DIMENSIONS, LABELS, NEGATIVE_LABELS, POSITIVE_LABELS

SHOWN = {"+": "+", "-": "\u2212", "0": "0", "not stated": "\u00b7"}
"""A sign -> what the table shows for it."""

PARAMETER_GROUPS = {
    "people": "People and how often they recur",
    "response": "How people answer scales",
    "appraisal": "From situation and person to appraisals",
    "emotion": "From appraisals to emotions",
    "text": "What the words show",
    "observer": "Observers",
    "imbue": "Conversations and experts",
}
"""Table of ``default.toml`` -> its heading on the page."""

WITH_SIGNS = ("sizes", "assumed")
"""Tables under ``emotion`` that stand with the signs, not with the parameters."""


@dataclass(frozen=True)
class Parameter:
    """One line of ``default.toml``: where it stands, its value, and what its comment says."""

    table: str
    name: str
    value: object
    comment: str


# --- signs ------------------------------------------------------------------------------------


def sign_matrix(labels: Sequence[str] = LABELS) -> str:
    """Return a Markdown table of signs: the 22 appraisals down, emotion groups across.

    Parameters
    ----------
    labels : sequence of str
        The groups to show, all 20 by default.

    Examples
    --------
    >>> print(sign_matrix().splitlines()[0][:29])
    | Appraisal | Hopeful | Grate
    """
    signs = sign_table()
    rows = [[name, *(SHOWN[signs[label][name]] for label in labels)] for name in DIMENSIONS]
    return _table(["Appraisal", *(_short(label) for label in labels)], rows)


def sign_sources() -> str:
    """Return a Markdown table of every stated sign: its source, the claim, and our size.

    Examples
    --------
    >>> "{cite:t}`lazarus1991book`" in sign_sources()
    True
    """
    sizes = read_world()["emotion"]
    rows = []
    for entry in read_signs():
        label, name = entry["emotion"], entry["appraisal"]
        size = sizes["sizes"].get(label, {}).get(name, sizes["size"])
        cited = "; ".join(f"{{cite:t}}`{key}`" for key in entry["sources"])
        shown = "none" if entry["sign"] == "0" else f"{size:.2f}"
        rows.append([_short(label), name, SHOWN[entry["sign"]], entry["claim"], cited, shown])
    head = ["Emotion group", "Appraisal", "Sign", "The claim, in our words", "Source", "Our size"]
    return _table(head, rows)


def assumed_effects() -> str:
    """Return a Markdown table of the effects that no source states and we assume.

    Examples
    --------
    >>> "| Amused | congruence.general |" in assumed_effects()
    True
    """
    rows = [
        [_short(label), name, f"{value:+.2f}".replace("-", SHOWN["-"])]
        for label, effects in read_world()["emotion"]["assumed"].items()
        for name, value in effects.items()
    ]
    return _table(["Emotion group", "Appraisal", "Assumed effect"], rows)


def signs_markdown() -> str:
    """Return everything that the page shows about signs: the tables, each with a caption."""
    return "\n\n".join(
        [
            "**Which way appraisals move emotions.** + more of the appraisal, more of the emotion; "
            f"{SHOWN['-']} the other way; 0 a source says that it makes no difference; "
            f"{SHOWN['not stated']} not stated. A column stands for the whole group that its first "
            "word names. The ten positive groups:",
            sign_matrix(POSITIVE_LABELS),
            "The ten negative groups:",
            sign_matrix(NEGATIVE_LABELS),
            "**Every stated sign, with its source.** The size is ours: how far the hidden emotion "
            "moves, in its own units, per point of the appraisal.",
            sign_sources(),
            "**Effects that no source in the table states.** Sign and size are ours.",
            assumed_effects(),
        ]
    )


# --- parameters -------------------------------------------------------------------------------


def parameters() -> tuple[Parameter, ...]:
    """Return every parameter of the default world with its comment, in the order of the file.

    A parameter without a comment of its own has that of its table.

    Examples
    --------
    >>> next(p.comment for p in parameters() if p.name == "misread")
    'share of observations with a misreading from the bank'
    """
    text = (data_folder() / "worlds" / "default.toml").read_text(encoding="utf-8")
    world = tomllib.loads(text)
    found, path, about = [], [], ""
    for line in text.splitlines():
        opened = re.match(r"\[([^\]]+)\]\s*(?:#\s*(.*))?$", line)
        given = re.match(r'("?)([^"=]+?)\1\s*=\s*(.*)$', line)
        if opened:
            path = [part.strip('"') for part in re.findall(r'"[^"]*"|[^.]+', opened[1])]
            about = opened[2] or (about if len(path) > 2 else "")
        elif given and path and not line.startswith("#"):
            name = given[2].strip()
            comment = re.search(r"#\s*(.*)$", given[3])
            value = _at(world, [*path, name])
            found.append(Parameter(".".join(path), name, value, comment[1] if comment else about))
    return tuple(found)


def parameters_markdown() -> str:
    """Return a Markdown table of the parameters for each part of the model, with captions."""
    pieces = []
    for group, heading in PARAMETER_GROUPS.items():
        rows = [
            [_named(parameter, group), _value(parameter.value), parameter.comment]
            for parameter in parameters()
            if parameter.table.split(".")[0] == group
            and not any(part in WITH_SIGNS for part in parameter.table.split("."))
        ]
        pieces += [f"**{heading}**", _table(["Parameter", "Value", "What it is"], rows)]
    return "\n\n".join(pieces)


# --- worlds -----------------------------------------------------------------------------------


def worlds_markdown() -> str:
    """Return a Markdown table of the worlds and of what each changes.

    Examples
    --------
    >>> "`no_personality`" in worlds_markdown()
    True
    """
    default = read_world()
    names = [name for name in world_names() if name != "default"]
    rows = [["`default`", default["about"], "nothing"]]
    for name in names:
        world = read_world(name)
        changes = ", ".join(f"{place} {_value(value)}" for place, value in _changes(default, world))
        rows.append([f"`{name}`", world["about"], changes])
    return _table(["World", "What is different", "Parameters that it sets"], rows)


def _changes(
    old: Mapping, new: Mapping, path: tuple[str, ...] = ()
) -> Iterable[tuple[str, object]]:
    """Yield the dotted name and the new value of everything that differs."""
    for key, value in new.items():
        if key == "about" or old.get(key) == value:
            continue
        if isinstance(value, Mapping):
            yield from _changes(old.get(key, {}), value, (*path, key))
        else:
            yield f"`{'.'.join((*path, key))}`", value


# --- small helpers ----------------------------------------------------------------------------


def _short(label: str) -> str:
    """Return the first word of an emotion group."""
    return label.split(",")[0]


def _named(parameter: Parameter, group: str) -> str:
    inner = parameter.table.removeprefix(group).lstrip(".")
    name = _short(parameter.name) if parameter.name in LABELS else parameter.name
    return f"`{inner}.{name}`" if inner else f"`{name}`"


def _value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_value(item) for item in value)
    if isinstance(value, float):
        return f"{value:.4g}".replace("-", SHOWN["-"])
    return str(value)


def _at(table: Mapping, path: Sequence[str]) -> object:
    for key in path:
        table = table[key]
    return table


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
