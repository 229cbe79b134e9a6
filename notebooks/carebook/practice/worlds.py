"""Worlds: the parameter files behind the practice corpora, and the table of signs."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from carebook.practice.banks import data_folder
from carebook.vocabulary import DIMENSIONS, LABELS

SIGNS = {"+": 1, "-": -1, "0": 0}
OPEN_TABLES = frozenset({"traits", "assumed", "sizes", "shift"})
"""Tables whose keys a world may add to: an effect that the default doesn't name is zero there."""


class WorldError(ValueError):
    """A world can't be used: it is unknown, or names a parameter that doesn't exist."""


def world_names() -> tuple[str, ...]:
    """Return the names of the worlds that come with the package, in alphabetical order.

    Examples
    --------
    >>> "default" in world_names()
    True
    """
    return tuple(sorted(file.stem for file in (data_folder() / "worlds").glob("*.toml")))


def read_world(name: str = "default") -> dict:
    """Return every parameter of a world: the default's, with what the world's file changes.

    Parameters
    ----------
    name : str
        A name from `world_names`, or the path of a TOML file of your own.

    Returns
    -------
    dict
        Tables as in ``data/worlds/default.toml``.

    Raises
    ------
    WorldError
        If there is no such world, or its file names a parameter that the default doesn't have.

    Examples
    --------
    >>> read_world("no_personality")["appraisal"]["trait_scale"]
    0.0
    >>> read_world("no_personality")["observer"] == read_world("default")["observer"]
    True
    """
    folder = data_folder() / "worlds"
    file = Path(name) if name.endswith(".toml") else folder / f"{name}.toml"
    if not file.is_file():
        raise WorldError(f"No world {name!r}; choose one of: {', '.join(world_names())}")
    default = tomllib.loads((folder / "default.toml").read_text(encoding="utf-8"))
    return _overridden(default, tomllib.loads(file.read_text(encoding="utf-8")), file.name)


def _overridden(table: Mapping, changes: Mapping, where: str, may_add: bool = False) -> dict:
    result = dict(table)
    for key, value in changes.items():
        if key not in table and not (may_add and key in DIMENSIONS):
            raise WorldError(f"{where}: no parameter {key!r}; see default.toml for what there is")
        if isinstance(value, Mapping):
            result[key] = _overridden(table[key], value, where, may_add or key in OPEN_TABLES)
        else:
            result[key] = value
    return result


def read_signs() -> tuple[Mapping, ...]:
    """Return the entries of ``data/model/signs.toml``: emotion, appraisal, sign, sources, claim.

    Examples
    --------
    >>> read_signs()[0]["sign"] in "+-0"
    True
    """
    file = data_folder() / "model" / "signs.toml"
    return tuple(tomllib.loads(file.read_text(encoding="utf-8"))["sign"])


def sign_table() -> dict[str, dict[str, str]]:
    """Return emotion group -> appraisal -> ``"+"``, ``"-"``, ``"0"`` or ``"not stated"``.

    Examples
    --------
    >>> sign_table()["Guilty, blameworthy, repentant"]["accountability.self"]
    '+'
    >>> sign_table()["Amused, entertained"]["control.select"]
    'not stated'
    """
    table = {label: dict.fromkeys(DIMENSIONS, "not stated") for label in LABELS}
    for entry in read_signs():
        table[entry["emotion"]][entry["appraisal"]] = entry["sign"]
    return table
