"""The benchmark's scores as a plain loop over records: what the fast ones must equal.

Written from the definitions, one record after the other, with none of the package's code. A record
is a dictionary: ``sample_id``, ``observer`` (None for the writer), ``ratings`` {dimension: 1-5},
``positive_level``, ``negative_level``, ``positive_labels``, ``negative_labels`` (lists).
"""

import math
from statistics import median

LEVELS = ("positive_level", "negative_level")
LABEL_SETS = ("positive_labels", "negative_labels")


def as_records(data, labels_of):
    """Records of a CareBench-like object; ``labels_of`` {label set: names}."""
    ratings = data.ratings.to_dict("records")
    chosen = data.labels.to_dict("records")
    out = []
    for number, row in enumerate(data.annotations.to_dict("records")):
        record = {key: row[key] for key in ("sample_id", *LEVELS)}
        record["observer"] = row["observer"] if row["perspective"] == "observer" else None
        record["ratings"] = ratings[number]
        for key, names in labels_of.items():
            record[key] = [name for name in names if chosen[number][name]]
        out.append(record)
    return out


def human_baseline(records, dimensions, labels_of):
    """All scores but the texts', with the keys of ``carebook.scoring.human_baseline``."""
    writers = {r["sample_id"]: r for r in records if r["observer"] is None}
    pairs = [(r, writers[r["sample_id"]]) for r in records if r["observer"] is not None]
    out = {"pairs": len(pairs), "ratings": rating_scores(pairs, dimensions)}
    for level in LEVELS:
        gaps = [(said[level], felt[level]) for said, felt in pairs]
        out[level] = number_scores(gaps, gaps, 6)
    for key, names in labels_of.items():
        sets = [(set(said[key]), set(felt[key])) for said, felt in pairs]
        out[key] = label_scores(sets, names)
    panels = {}
    for said, felt in pairs:
        panels.setdefault(felt["sample_id"], []).append(said)
    out["panel"] = panel_scores(panels, writers, dimensions, labels_of)
    return out


def number_scores(for_error, for_match, scale):
    if not for_error:
        return {"rmse": None, "accuracy": None}
    squares = sum(((said - felt) / scale) ** 2 for said, felt in for_error)
    equal = sum(said == felt for said, felt in for_match)
    return {"rmse": math.sqrt(squares / len(for_error)), "accuracy": equal / len(for_match)}


def rating_scores(pairs, dimensions):
    cells = {name: [] for name in dimensions}
    for said, felt in pairs:
        for name in dimensions:
            one, other = said["ratings"][name], felt["ratings"][name]
            if one == one and other == other:  # a missing rating is NaN, unlike itself
                cells[name].append((one, other))
    pooled = [cell for name in dimensions for cell in cells[name]]
    return {
        **number_scores(pooled, pooled, 4),
        "by_dimension": {name: number_scores(cells[name], cells[name], 4) for name in dimensions},
    }


def share(part, whole):
    return part / whole if whole else 0.0


def three(hit, said, felt):
    precision, recall = share(hit, said), share(hit, felt)
    return precision, recall, share(2 * precision * recall, precision + recall)


def named(values):
    return dict(zip(("precision", "recall", "f1"), values, strict=True))


def label_scores(sets, names):
    same, example = 0, [0.0, 0.0, 0.0]
    counts = {name: [0, 0, 0] for name in names}
    for said, felt in sets:
        same += said == felt
        both = said & felt
        scores = three(len(both), len(said), len(felt)) if said or felt else (1.0, 1.0, 1.0)
        for place, score in enumerate(scores):
            example[place] += score
        for place, group in enumerate((both, said, felt)):
            for name in group:
                counts[name][place] += 1
    by_label = {name: three(*counts[name]) for name in names}
    total = [sum(counts[name][place] for name in names) for place in range(3)]
    macro = [sum(by_label[name][place] for name in names) / len(names) for place in range(3)]
    return {
        "accuracy": same / len(sets),
        "example": named([part / len(sets) for part in example]),
        "micro": named(three(*total)),
        "macro": named(macro),
        "by_label": {name: named(scores) for name, scores in by_label.items()},
    }


def panel_scores(panels, writers, dimensions, labels_of):
    out = {"narratives": len(panels)}
    errors, matches = {name: [] for name in dimensions}, {name: [] for name in dimensions}
    for sample, panel in panels.items():
        for name in dimensions:
            given = [r["ratings"][name] for r in panel if r["ratings"][name] == r["ratings"][name]]
            felt = writers[sample]["ratings"][name]
            if given and felt == felt:
                errors[name].append((sum(given) / len(given), felt))
                matches[name].append((median(given), felt))
    pooled = [[cell for name in dimensions for cell in part[name]] for part in (errors, matches)]
    out["ratings"] = {
        **number_scores(*pooled, 4),
        "by_dimension": {n: number_scores(errors[n], matches[n], 4) for n in dimensions},
    }
    for level in LEVELS:
        given = {sample: [r[level] for r in panel] for sample, panel in panels.items()}
        means = [(sum(g) / len(g), writers[s][level]) for s, g in given.items()]
        medians = [(median(g), writers[s][level]) for s, g in given.items()]
        out[level] = number_scores(means, medians, 6)
    for key, names in labels_of.items():
        votes = {}
        for sample, panel in panels.items():
            count = votes[sample] = dict.fromkeys(names, 0)
            for said in panel:
                for name in said[key]:
                    count[name] += 1
        out[key] = {}
        for least in range(1, 6):
            sets = [
                ({name for name in names if count[name] >= least}, set(writers[sample][key]))
                for sample, count in votes.items()
            ]
            out[key][str(least)] = label_scores(sets, names)
    return out
