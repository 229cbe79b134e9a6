"""DEAR MAN: how experts marked the skills, and how far they agree."""

import numpy as np
import pandas as pd

from carebook.figures.parts import (
    canvas,
    finish,
    house_style,
    legend_above,
    need,
    shares_with_intervals,
)
from carebook.figures.style import BLUE, GREEN
from carebook.records import safe
from carebook.results import count_phrase, number, percent
from carebook.vocabulary import SKILL_LABELS, SKILL_NAMES, STATE_SKILLS, STRENGTH_SKILLS

LABEL_LOOKS = {
    "strong": (BLUE, "", "white"),
    "weak": ("#9CC9E8", "///", "black"),
    "none": ("#EFEFEF", "", "black"),
    "yes": (GREEN, "", "white"),
    "no": ("#EFEFEF", "", "black"),
}
"""Label -> fill, hatching and colour of the number written on it."""


@house_style
def skill_labels(judgements, *, title=None, source=None):
    """Draw how experts marked each of the seven skills.

    Parameters
    ----------
    judgements : DataFrame
        One row per judgement, with ``skill`` and ``label``: ``data.judgements``.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        Two panels, since five skills are marked strong, weak or none and two yes or no.

    Examples
    --------
    >>> table = pd.DataFrame({"skill": ["describe", "describe", "mindful"],
    ...                       "label": ["strong", "none", "yes"]})
    >>> print(skill_labels(table).alt)
    Stacked bars of experts' marks. Describe: strong 50%, weak 0%, none 50% (2 judgements). Stay \
mindful: yes 100%, no 0% (1 judgement).
    """
    need(judgements, ["skill", "label"])
    counts = pd.crosstab(judgements["skill"], judgements["label"])
    kinds = [
        [skill for skill in kind if skill in counts.index and counts.loc[skill].sum()]
        for kind in (STRENGTH_SKILLS, STATE_SKILLS)
    ]
    kinds = [kind for kind in kinds if kind]
    figure, panels = canvas(
        1.6 + 0.5 * sum(map(len, kinds)) + 0.5 * len(kinds),
        len(kinds),
        squeeze=False,
        sharex=True,
        height_ratios=[len(kind) + 0.6 for kind in kinds],
    )
    told, used = [], {}
    for axes, skills in zip(panels[:, 0], kinds, strict=True):
        labels = SKILL_LABELS[skills[0]]
        table = counts.reindex(index=skills, columns=labels, fill_value=0)
        shares = table.div(table.sum(axis=1), axis=0)
        _stack(axes, shares)
        axes.set_yticks(range(len(skills)), [SKILL_NAMES[skill] for skill in skills])
        axes.set_ylim(len(skills) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        legend_above(axes)
        for skill in skills:
            marks = ", ".join(f"{label} {percent(shares.loc[skill, label])}" for label in labels)
            size = count_phrase(table.loc[skill].sum(), "judgement")
            told.append(f"{SKILL_NAMES[skill]}: {marks} ({size}).")
            if skills is kinds[0]:
                used[SKILL_NAMES[skill]] = 1 - shares.loc[skill, labels[-1]]
    panels[-1, 0].set_xlabel("share of judgements")
    panels[-1, 0].xaxis.set_major_formatter(lambda share, _: percent(share))
    # "Strong or weak" and "yes" are no common measure, so the title keeps to the first kind.
    most, least = max(used, key=used.get), min(used, key=used.get)
    default = (
        f"{most} is seen most often ({percent(used[most])}), {least} least ({percent(used[least])})"
        if len(used) > 1
        else f"{most} is seen in {percent(used[most])} of judgements"
    )
    return finish(
        figure, title or default, f"Stacked bars of experts' marks. {' '.join(told)}", source
    )


def _stack(axes, shares):
    start = np.zeros(len(shares))
    for label in shares:
        fill, hatch, ink = LABEL_LOOKS[label]
        bars = axes.barh(
            range(len(shares)),
            shares[label],
            left=start,
            height=0.72,
            color=fill,
            hatch=hatch,
            edgecolor="#555555",
            linewidth=0.6,
            label=label,
        )
        # A number on a narrow segment would run into its neighbours.
        texts = [percent(share) if share >= 0.1 else "" for share in shares[label]]
        written = axes.bar_label(bars, texts, label_type="center", fontsize=10, color=ink)
        for text in written:
            text.set_bbox({"facecolor": fill, "edgecolor": "none", "pad": 1} if hatch else None)
        start = start + shares[label].to_numpy()
    axes.set_xlim(0, 1)


@house_style
def skill_by_position(uses, *, title=None, source=None):
    """Draw how the use of each skill changes along the conversation.

    Parameters
    ----------
    uses : DataFrame
        One row per skill and position: ``skill``, ``position`` (1 = first message), ``share`` of
        judgements that see the skill, ``judgements`` (how many stand behind the share).
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        One small panel per skill; a smaller dot stands for fewer judgements.

    Examples
    --------
    >>> table = pd.DataFrame({"skill": "describe", "position": [1, 2], "share": [0.9, 0.4],
    ...                       "judgements": [18, 18]})
    >>> print(skill_by_position(table).alt)
    Lines of skill use over position in the conversation, positions 1 to 2, with 18 to 18 \
judgements each. First and last position with at least half as many as the most: Describe: 90% at \
position 1, 40% at position 2.
    """
    need(uses, ["skill", "position", "share", "judgements"])
    skills = [skill for skill in SKILL_NAMES if (uses["skill"] == skill).any()]
    columns = min(2, len(skills))
    rows = -(-len(skills) // columns)
    figure, panels = canvas(
        1.3 + 1.5 * rows, rows, columns, squeeze=False, sharex=True, sharey=True
    )
    largest, change, told = uses["judgements"].max(), {}, []
    for axes, skill in zip(panels.flat, skills, strict=False):
        one = uses[uses["skill"] == skill].sort_values("position")
        axes.plot(one["position"], one["share"], color=BLUE, linewidth=1.5)
        axes.scatter(
            one["position"], one["share"], s=6 + 40 * one["judgements"] / largest, color=BLUE
        )
        axes.set_title(SKILL_NAMES[skill], fontsize=11)
        axes.grid(axis="y")
        # Few conversations get far: the ends that are told rest on at least half of the most.
        solid = one[one["judgements"] >= largest / 2]
        first, last = solid.iloc[0], solid.iloc[-1]
        change[SKILL_NAMES[skill]] = last["share"] - first["share"]
        told.append(
            f"{SKILL_NAMES[skill]}: {percent(first['share'])} at position {first['position']}, "
            f"{percent(last['share'])} at position {last['position']}."
        )
    for axes in panels.flat[len(skills) :]:
        axes.set_axis_off()
    panels[0, 0].set_ylim(-0.05, 1.05)
    panels[0, 0].yaxis.set_major_formatter(lambda share, _: percent(share))
    panels[0, 0].locator_params(axis="x", integer=True)
    figure.supylabel("share of judgements that see it", fontsize=12)
    for axes in panels.flat[max(0, len(skills) - columns) : len(skills)]:
        axes.tick_params(labelbottom=True)
        axes.set_xlabel("position of message")
    mover = max(change, key=lambda skill: abs(change[skill]))
    default = f"{mover} changes most along the conversation"
    alt = (
        "Lines of skill use over position in the conversation, positions "
        f"{uses['position'].min()} to {uses['position'].max()}, with "
        f"{number(int(uses['judgements'].min()))} to {number(int(largest))} judgements each. First "
        "and last position with at least half as many as the most: " + " ".join(told)
    )
    return finish(figure, title or default, alt, source)


@house_style
def expert_strictness(
    experts, *, what="share of skill uses marked strong", title=None, source=None
):
    """Draw how generously each expert marks.

    Parameters
    ----------
    experts : DataFrame
        Index: experts; ``estimate``, ``low``, ``high`` (shares, 0 to 1), ``judgements`` (how many).
    what : str
        What the share is of.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        Experts saw different messages, so a difference may lie in the messages.

    Examples
    --------
    >>> table = pd.DataFrame({"estimate": [0.6, 0.4], "low": [0.5, 0.3], "high": [0.7, 0.5],
    ...                       "judgements": [80, 90]}, index=["expert 1", "expert 2"])
    >>> print(expert_strictness(table).alt)
    Dots with 95% intervals, sorted: share of skill uses marked strong. expert 1 60% (50% to 70%, \
80 judgements), expert 2 40% (30% to 50%, 90 judgements).
    """
    # Experts' names come from the file: shown as they are, but harmless and short.
    experts = experts.rename(index=lambda name: safe(name, 30))
    return shares_with_intervals(
        experts, what, "judgements", "judgement", title, source, "From {low} to {high}: " + what
    )


@house_style
def suggestion_targets(shares, *, title=None, source=None):
    """Draw which skills' suggestions are about a skill that is missing.

    Parameters
    ----------
    shares : DataFrame
        Index: skills; ``estimate``, ``low``, ``high`` (share of the skill's suggestions, 0 to 1,
        that are about a missing skill), ``suggestions`` (how many there are).
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        The rest of each skill's suggestions are about a use that could be better.

    Examples
    --------
    >>> table = pd.DataFrame({"estimate": [0.45], "low": [0.3], "high": [0.6],
    ...                       "suggestions": [51]}, index=["assert"])
    >>> print(suggestion_targets(table).alt)
    Dots with 95% intervals, sorted: share of suggestions about a missing skill. Assert 45% (30% \
to 60%, 51 suggestions).
    """
    return shares_with_intervals(
        shares.rename(index=lambda skill: SKILL_NAMES.get(skill, skill)),
        "share of suggestions about a missing skill",
        "suggestions",
        "suggestion",
        title,
        source,
        "In {low} to {high} of the advice, the skill is missing",
    )


@house_style
def skill_agreement(agreement, *, what="share of same marks", title=None, source=None):
    """Draw how often two experts gave the same mark to the same message, skill by skill.

    Parameters
    ----------
    agreement : DataFrame
        Index: skills; ``estimate``, ``low``, ``high`` (shares, 0 to 1), ``messages`` (how many were
        judged twice) and, where known, ``chance`` (agreement expected of unrelated marks).
    what : str
        What the share is of.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        A cross marks chance beside each dot: agreement alone says little where one mark dominates.

    Examples
    --------
    >>> table = pd.DataFrame({"estimate": [0.8], "low": [0.6], "high": [0.9], "messages": [33],
    ...                       "chance": [0.5]}, index=["describe"])
    >>> print(skill_agreement(table).alt)
    Dots with 95% intervals, sorted: share of same marks. Describe 80% (60% to 90%, 33 messages, \
chance 50%).
    """
    table = agreement.rename(index=lambda skill: SKILL_NAMES.get(skill, skill))
    default = "Experts agree in {low} to {high}"
    if table["estimate"].isna().all():
        default = "No message was judged by two experts"
    return shares_with_intervals(table, what, "messages", "message", title, source, default)
