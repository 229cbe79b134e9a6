"""The people behind the records: how often they come back, and their trait scores."""

import numpy as np

from carebook.figures.parts import canvas, finish, house_style, need
from carebook.figures.style import BLUE, COLOURS, GREY, HATCHES
from carebook.results import MINUS, count_phrase, list_phrase, number, percent
from carebook.vocabulary import TRAITS


@house_style
def recurrence(annotations, *, title=None, source=None):
    """Draw how often the same person comes back, for each perspective.

    Parameters
    ----------
    annotations : DataFrame
        One row per annotation, with ``participant_id`` and ``perspective``: ``data.annotations``.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        One panel per perspective: number of people over number of annotations by one person.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"participant_id": ["p1", "p1", "p2", "p3"],
    ...                       "perspective": ["experiencer"] * 3 + ["observer"]})
    >>> print(recurrence(table).alt)
    Bar charts of how often people recur. experiencer: 2 people gave 3 annotations; 1 person gave \
only one, the busiest gave 2. observer: 1 person gave 1 annotation; 1 person gave only one, the \
busiest gave 1. 0 people took part in more than one role.
    """
    need(annotations, ["participant_id", "perspective"])
    counts = annotations.groupby(["perspective", "participant_id"], observed=True).size()
    perspectives = list(counts.index.get_level_values(0).unique())
    figure, panels = canvas(2.5 * len(perspectives) + 0.8, len(perspectives), squeeze=False)
    told = []
    for axes, perspective, colour, hatch in zip(
        panels[:, 0], perspectives, COLOURS, HATCHES, strict=False
    ):
        times = counts[perspective].value_counts().sort_index()
        bars = axes.bar(times.index, times, color=colour, hatch=hatch, edgecolor="white", width=0.8)
        if len(times) <= 12:
            axes.bar_label(bars, fontsize=10)
        axes.margins(y=0.15)
        axes.locator_params(axis="both", integer=True)
        axes.set(xlabel=f"annotations by one person as {perspective}", ylabel="people")
        people = len(counts[perspective])
        told.append(
            f"{perspective}: {count_phrase(people, 'person', 'people')} gave "
            f"{count_phrase(times.index.to_numpy() @ times.to_numpy(), 'annotation')}; "
            f"{count_phrase(times.get(1, 0), 'person', 'people')} gave only one, the busiest gave "
            f"{number(int(times.index.max()))}."
        )
    roles = counts.groupby("participant_id").size()
    several = int((roles > 1).sum())
    told.append(
        f"{number(several)} {'person' if several == 1 else 'people'} took part in more than one "
        "role."
    )
    totals = [f"{count_phrase(len(counts[p]), 'person', 'people')} as {p}" for p in perspectives]
    default = f"{count_phrase(len(annotations), 'annotation')} by {list_phrase(totals)}"
    return finish(
        figure, title or default, f"Bar charts of how often people recur. {' '.join(told)}", source
    )


@house_style
def stored_and_recomputed(people, *, title=None, source=None):
    """Draw stored Big Five scores against those recomputed from the BFI-10 answers.

    Parameters
    ----------
    people : DataFrame
        ``data.people``: ``participant_id`` and, for each trait, ``Trait`` (recomputed, 2 to 10)
        and ``Trait_stored``. People are counted once unless their scores differ between records.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        One panel per trait; a larger dot stands for more people, the dashed line for equality. The
        text names the straight line on which all dots of a trait lie, if there is one.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"participant_id": ["p1", "p2", "p3"]})
    >>> for trait in TRAITS:
    ...     table[trait], table[f"{trait}_stored"] = [2.0, 4.0, 8.0], [0.0, 2.5, 7.5]
    >>> print(stored_and_recomputed(table).alt[:132])
    Scatter plots of stored against recomputed Big Five scores. Extraversion: all 3 people lie on \
one line, stored = 1.25 × sum − 2.50,
    """
    stored = {trait: f"{trait}_stored" for trait in TRAITS}
    need(people, ["participant_id", *stored, *stored.values()])
    once = people.drop_duplicates(["participant_id", *stored, *stored.values()])
    figure, panels = canvas(5.4, 2, 3, sharex=True, sharey=True)
    told, equal_shares, lines = [], [], []
    for axes, (trait, column) in zip(panels.flat, stored.items(), strict=False):
        both = once[[trait, column]].dropna()
        points = both.groupby([trait, column]).size().reset_index(name="people")
        axes.plot([0, 10], [0, 10], linestyle="--", color=GREY, linewidth=1, zorder=0)
        axes.scatter(
            points[trait],
            points[column],
            s=12 + 110 * points["people"] / points["people"].max(),
            color=BLUE,
            alpha=0.6,
            linewidths=0,
        )
        axes.set_title(trait, fontsize=11)
        axes.set(xlim=(-0.7, 10.7), ylim=(-0.7, 10.7), xticks=(2, 6, 10), yticks=(0, 5, 10))
        axes.grid()
        equal = float(np.isclose(both[trait], both[column]).mean())
        equal_shares.append(equal)
        lines.append(_line(both[trait], both[column]))
        people_here = count_phrase(len(both), "person", "people")
        fit = (
            f"all {people_here} lie on one line, stored = {lines[-1]}"
            if lines[-1] and equal < 1
            else f"equal for {percent(equal)} of {people_here}"
        )
        told.append(
            f"{trait}: {fit}, stored scores run from {number(both[column].min(), 1)} to "
            f"{number(both[column].max(), 1)}"
        )
    panels[1, 2].set_axis_off()
    panels[1, 2].text(0, 9, "dashed line: equal\nlarger dot:\nmore people", va="top", fontsize=10)
    panels[0, 2].tick_params(labelbottom=True)
    panels[1, 1].set_xlabel("recomputed: sum of two items, 2 to 10")
    figure.supylabel("stored, documented as 0 to 10", fontsize=12)
    low, high = percent(min(equal_shares)), percent(max(equal_shares))
    shares = low if low == high else f"{low} to {high}"
    default = f"Stored and recomputed scores are equal for {shares} of people"
    if lines[0] and len(set(lines)) == 1 and max(equal_shares) < 1:
        default = f"For every trait, the stored score is {lines[0]}"
    return finish(
        figure,
        title or default,
        f"Scatter plots of stored against recomputed Big Five scores. {'; '.join(told)}.",
        source,
    )


def _line(recomputed, stored):
    """Write the straight line on which all points lie, or nothing if there is none.

    Two different sums always lie on a line, so it takes three.
    """
    if recomputed.nunique() < 3:
        return ""
    slope, offset = np.polyfit(recomputed.astype(float), stored.astype(float), 1)
    if not np.allclose(slope * recomputed + offset, stored, atol=1e-6):
        return ""
    sign = "+" if offset >= 0 else MINUS
    return f"{number(float(slope))} × sum {sign} {number(abs(float(offset)))}"
