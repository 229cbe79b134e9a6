"""Problems between records: repeated ones, observers without narrative, incomplete panels.

One fault should make one problem. A record that can't be read, or that is filed under a wrong
identifier, is missing somewhere else: such echoes are left out, and come up in the next check if
they turn out to be faults of their own.
"""

from collections import Counter, defaultdict

from carebook import layouts
from carebook.reading import place_label
from carebook.records import Problem, show
from carebook.specification import OBSERVERS


def link(first, third, accepted):
    """Yield the problems between the records of both files.

    Parameters
    ----------
    first, third : Reading
        What was read of the writers' and of the observers' file.
    accepted : Accepted
        Panels that may be incomplete.
    """
    written = [sample_id for _, _, sample_id, _ in first.known]
    narratives = set(written)
    if len(narratives) < len(written):
        yield from _repeated(first, "narrative")
    panels, observed = defaultdict(set), 0
    for _, _, sample_id, observer in third.known:
        panels[sample_id].add(observer)
        observed += 1
    if observed > sum(map(len, panels.values())):
        yield from _repeated(third, "observer")
    orphans = panels.keys() - narratives
    if len(orphans) > first.unknown:  # else they may be among the records without a name
        yield from _orphans(third, orphans)
    complete = set(OBSERVERS)
    if any(panel != complete for panel in panels.values()):
        yield from _incomplete(third, panels, orphans, accepted)


def _repeated(reading, what):
    seen = {}
    for file, place, sample_id, observer in reading.known:
        before = seen.get((sample_id, observer))
        if before is None:
            seen[sample_id, observer] = (file, place)
            continue
        also = ", ".join(str(place_label(part)) for part in before if part and part != file)
        yield Problem(
            file,
            place_label(place) or "",
            layouts.describe(sample_id, observer),
            "sample_id" if observer is None else "observer_index",
            f"a second record of this {what}" + (f" (the first: {also})" if also else ""),
            f"one record of each {what}",
            "Find out which of the two is right, and remove the other.",
            "repeated",
            {"departure": "set aside", "file": reading.role, "place": place_label(place)}
            if place
            else None,
        )


def _orphans(third, orphans):
    records = defaultdict(list)
    for file, place, sample_id, observer in third.known:
        if sample_id in orphans:
            records[sample_id].append((file, place, observer))
    for sample_id, ((file, place, observer), *more) in records.items():
        others = ", ".join(str(place_label(place)) for _, place, _ in more if place)
        yield Problem(
            file,
            place_label(place) or "",
            layouts.describe(sample_id, None if more else observer),
            "sample_id",
            show(sample_id) + (f" (also in {others})" if others else ""),
            "the sample_id of a narrative in first_person",
            "Restore the narrative, or correct the identifier.",
            "orphan",
            {"departure": "set aside", "file": "third_person", "sample_id": sample_id},
        )


def _incomplete(third, panels, orphans, accepted):
    times = Counter(row[2:] for row in third.known)
    doubled = {sample_id for (sample_id, _), count in times.items() if count > 1}
    # Records that may belong to a panel that lacks one: by observer; None: it could be any.
    astray = Counter(row[3] for row in third.known if row[2] in orphans)
    astray.update(observer for (_, observer), count in times.items() if count > 1)
    astray[None] += third.unknown
    named = panels.keys() - orphans - doubled - third.nameless
    for sample_id in sorted(named):
        lacking = Counter(set(OBSERVERS) - panels[sample_id])
        if not lacking or _explained(lacking, astray):
            continue
        observers = ", ".join(map(str, sorted(panels[sample_id])))
        if accepted.panel(sample_id, observers):
            continue
        yield Problem(
            third.file,
            "",
            layouts.describe(sample_id),
            "observer_index",
            f"observers {observers}",
            "observers 1 to 5",
            "Restore the missing records, or accept the smaller panel.",
            "panel",
            {
                "departure": "panel",
                "file": "third_person",
                "sample_id": sample_id,
                "found": observers,
            },
        )


def _explained(lacking, astray):
    """Whether records gone astray make up for what a panel lacks; if so, they are used up."""
    by_name = lacking & astray
    if (lacking - by_name).total() > astray[None]:
        return False
    astray.subtract(by_name)
    astray[None] -= (lacking - by_name).total()
    return True
