"""What a data set holds, counted: the facts that ``python -m carebook check`` prints.

Everything is counted from the tables that the loaders return, so a reader can count it again. The
results are plain dicts of texts and numbers, ready for JSON.
"""

import numpy as np

from carebook.vocabulary import (
    DIMENSIONS,
    LABELS,
    SKILL_LABELS,
    SKILLS,
    TRAITS,
)

TOLERANCE = 0.005
"""Two scores are the same when they agree to two decimals."""

_MAPS = (
    (1.0, 0.0, "the sum of the two items"),
    (0.5, 0.0, "the mean of the two items"),
    (1.25, -2.5, "the sum of the two items, rescaled to 0-10"),
)


def counts(values, levels=None):
    """How often each value occurs, as a dict of text -> int; in the order of levels, or sorted."""
    found = values.dropna().value_counts()
    levels = sorted(found.index) if levels is None else levels
    return {str(level): int(found.get(level, 0)) for level in levels}


def source_facts(source):
    """Name, layout, label and files of a source."""
    return {
        "name": source.name,
        "layout": source.layout,
        "label": source.label,
        "synthetic": source.synthetic,
        "files": dict(source.files),
    }


def missing_values(tables):
    """Missing values and empty texts, by table and column; columns without any are left out.

    Parameters
    ----------
    tables : dict
        Name -> DataFrame.

    Returns
    -------
    dict
        ``missing`` and ``empty``, each ``"table.column"`` -> int.
    """
    missing, empty = {}, {}
    for name, table in tables.items():
        for column in table.columns:
            absent = int(table[column].isna().sum())
            if absent:
                missing[f"{name}.{column}"] = absent
            blank = int((table[column] == "").sum()) if _is_text(table[column]) else 0
            if blank:
                empty[f"{name}.{column}"] = blank
    return {"missing": missing, "empty": empty}


def _is_text(column):
    return column.dtype == object or str(column.dtype) in ("str", "string")


def carebench_facts(data):
    """Count what CAREBench holds.

    Parameters
    ----------
    data : CareBench

    Returns
    -------
    dict
        ``source`` (name, layout, label, synthetic, files with SHA-256); ``narratives``,
        ``matched_narratives``, ``annotations``, ``observer_records``, ``turns`` (numbers);
        ``observers_per_narrative`` (number of observers -> narratives); ``people`` (see
        :func:`people_facts`); ``missing`` and ``empty`` (``"table.column"`` -> count); ``withheld``
        (field -> code -> count); ``ratings`` (dimension -> answer -> count);
        ``positive_level``, ``negative_level``, ``attention_check`` (value -> count);
        ``labels`` (label -> experiencer, observer); ``big_five`` (see :func:`big_five_facts`);
        ``contradictions`` (list of participant_id, field, values); ``extra_fields``; ``accepted``.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> carebench_facts(load_carebench())["observers_per_narrative"]
    {'0': 500, '5': 500}
    """
    annotations = data.annotations
    observed = annotations[annotations["perspective"] == "observer"]
    panel = observed.groupby("sample_id").size().reindex(data.narratives.index, fill_value=0)
    chosen = {
        role: data.labels[annotations["perspective"] == role].sum()
        for role in ("experiencer", "observer")
    }
    withheld = {}
    for field, code, count in data.withheld.itertuples(index=False):
        withheld.setdefault(field, {})[code] = int(count)
    tables = {
        "narratives": data.narratives,
        "annotations": annotations.drop(columns="observer"),
        "ratings": data.ratings,
        "reasoning": data.reasoning,
        "people": data.people,
        "turns": data.turns,
    }
    return {
        "source": source_facts(data.source),
        "narratives": len(data.narratives),
        "matched_narratives": int((panel > 0).sum()),
        "annotations": len(annotations),
        "observer_records": len(observed),
        "turns": len(data.turns),
        "observers_per_narrative": counts(panel),
        "people": people_facts(annotations),
        **missing_values(tables),
        "withheld": withheld,
        "ratings": {name: counts(data.ratings[name], range(1, 6)) for name in DIMENSIONS},
        "positive_level": counts(annotations["positive_level"], range(7)),
        "negative_level": counts(annotations["negative_level"], range(7)),
        "attention_check": counts(annotations["attention_check"], range(1, 6)),
        "labels": {
            label: {role: int(sums[label]) for role, sums in chosen.items()} for label in LABELS
        },
        "big_five": big_five_facts(data.people),
        "contradictions": data.contradictions.to_dict("records"),
        "extra_fields": dict(data.extra_fields),
        "accepted": list(data.accepted),
    }


def people_facts(annotations):
    """How many people there are in each role, and how often they recur.

    Parameters
    ----------
    annotations : DataFrame
        As in :class:`carebook.CareBench`.

    Returns
    -------
    dict
        ``writers``, ``observers``, ``both`` (people); ``narratives_per_writer``,
        ``records_per_observer`` (how many -> people); ``observed_own_narrative`` (records whose
        observer is the writer of the same narrative).
    """
    by_role = {
        role: annotations[annotations["perspective"] == role]
        for role in ("experiencer", "observer")
    }
    written, observed = (table["participant_id"].value_counts() for table in by_role.values())
    writer = by_role["experiencer"].set_index("sample_id")["participant_id"]
    own = (
        by_role["observer"]["participant_id"].to_numpy()
        == writer.reindex(by_role["observer"]["sample_id"]).to_numpy()
    )
    return {
        "writers": len(written),
        "observers": len(observed),
        "both": len(set(written.index) & set(observed.index)),
        "narratives_per_writer": counts(written),
        "records_per_observer": counts(observed),
        "observed_own_narrative": int(own.sum()),
    }


def big_five_facts(people):
    """Compare the stored Big Five scores with those recomputed from the ten answers.

    The documentation gives the stored range as 0 to 10, which a sum of two answers cannot fill: so
    the two are compared up to one linear map, the same for all traits.

    Parameters
    ----------
    people : DataFrame
        As in :class:`carebook.CareBench`.

    Returns
    -------
    dict
        ``verdict``: ``"exact"`` (equal everywhere), ``"linear"`` (one map fits all), ``"none"`` or
        ``"nothing to compare"``; ``slope``, ``intercept`` and ``meaning`` of the map that fits most
        scores; ``compared``, ``differing`` (scores, and those off that map); ``stored_range``;
        ``by_trait`` (trait -> differing).
    """
    stored = people[[f"{trait}_stored" for trait in TRAITS]].to_numpy()
    again = people[list(TRAITS)].to_numpy()
    known = ~np.isnan(stored) & ~np.isnan(again)
    if not known.any():
        return {"verdict": "nothing to compare", "compared": 0}
    maps = list(_MAPS)
    if np.ptp(again[known]) > 0:
        slope, intercept = np.polyfit(again[known], stored[known], 1)
        maps.append((float(slope), float(intercept), "no usual scoring"))

    def off(line):
        return known & (np.abs(line[0] * again + line[1] - stored) > TOLERANCE)

    best = min(maps, key=lambda line: off(line).sum())
    differing = off(best)
    verdict = "none" if differing.any() else "exact" if best is maps[0] else "linear"
    return {
        "verdict": verdict,
        "slope": round(best[0], 6),
        "intercept": round(best[1], 6),
        "meaning": best[2],
        "compared": int(known.sum()),
        "differing": int(differing.sum()),
        "stored_range": [float(stored[known].min()), float(stored[known].max())],
        "by_trait": {trait: int(differing[:, i].sum()) for i, trait in enumerate(TRAITS)},
    }


def imbue_facts(data):
    """Count what the IMBUE annotations hold.

    Parameters
    ----------
    data : Imbue

    Returns
    -------
    dict
        ``source``; ``conversations``, ``messages``, ``judged`` (messages times experts), numbers;
        ``categories`` (category -> conversations); ``messages_per_conversation``,
        ``experts_per_message`` (how many -> count); ``experts`` (name -> messages judged);
        ``labels`` and ``derived_readings`` (skill -> value -> count); ``suggestions``, ``rewrites``
        (skill -> count); ``spellings`` (list of column, raw, count, taken_as); ``missing``,
        ``empty``, ``extra_fields``, ``accepted``.
    """
    judgements = data.judgements
    one_skill = judgements[judgements["skill"] == SKILLS[0]]
    by_skill = {skill: judgements[judgements["skill"] == skill] for skill in SKILLS}
    readings = judgements["derived_reading"].cat.categories
    tables = {
        "conversations": data.conversations,
        "messages": data.messages,
        "judgements": judgements[["label"]],
    }
    return {
        "source": source_facts(data.source),
        "conversations": len(data.conversations),
        "messages": len(data.messages),
        "judged": len(one_skill),
        "categories": counts(
            data.conversations["category"], data.conversations["category"].cat.categories
        ),
        "messages_per_conversation": counts(data.messages["conversation_id"].value_counts()),
        "experts_per_message": counts(one_skill["message_key"].value_counts()),
        "experts": counts(one_skill["expert"]),
        "labels": {s: counts(t["label"], SKILL_LABELS[s]) for s, t in by_skill.items()},
        "suggestions": {s: int(t["suggestion"].notna().sum()) for s, t in by_skill.items()},
        "rewrites": {s: int(t["rewrite"].notna().sum()) for s, t in by_skill.items()},
        "derived_readings": {
            s: counts(t["derived_reading"], readings) for s, t in by_skill.items()
        },
        "spellings": [
            {
                "column": column,
                "raw": raw,
                "count": int(count),
                "taken_as": taken if isinstance(taken, str) else None,
            }
            for column, raw, count, taken in data.spellings.itertuples(index=False)
        ],
        **missing_values(tables),
        "extra_fields": dict(data.extra_fields),
        "accepted": list(data.accepted),
    }
