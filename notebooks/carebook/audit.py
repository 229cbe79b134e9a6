"""The audit of a data set: scope, values, relationships, use.

The loaders refuse what the documentation rules out. An audit asks what is left: whether the records
are all of them, whether values that may stand there make sense, whether records that belong
together agree, and what may be concluded from them. Each check gives what was found, what that
means for an analysis, and the chapter that meets it. Nothing in it quotes a text or names a person.
"""

from collections import Counter
from dataclasses import asdict, dataclass

import numpy as np

from carebook.records import show
from carebook.report import big_five_facts, people_facts
from carebook.textoverlap import tokens
from carebook.vocabulary import (
    DEMOGRAPHICS,
    LABELS,
    NEGATIVE_LABELS,
    POSITIVE_LABELS,
    SKILL_LABELS,
    SKILLS,
    TRAITS,
)

PARTS = ("scope", "values", "relationships", "use")

AS_EXPECTED, DIFFERS, NOTE = "as expected", "differs", "note"
"""How a finding stands to the documentation, or to what follows from it. A note is a finding to
keep in mind."""

_RUN = 5
"""Words in a row that count as repeated."""


@dataclass(frozen=True)
class Check:
    """One question of the audit and its answer.

    Attributes
    ----------
    part : str
        One of ``PARTS``.
    question : str
        What was asked.
    found : str
        The answer, with its numbers.
    expected : str
        What the documentation says, or what follows from it; empty where it says nothing.
    verdict : str
        ``AS_EXPECTED``, ``DIFFERS`` or ``NOTE``.
    consequence : str
        What the finding means for an analysis; empty where nothing follows.
    chapter : int or None
        The chapter of the book that meets it.
    """

    part: str
    question: str
    found: str
    expected: str = ""
    verdict: str = NOTE
    consequence: str = ""
    chapter: int | None = None

    def as_dict(self):
        """The check as a plain dict, for JSON."""
        return asdict(self)


def _against(part, question, found, expected, consequence, chapter, said="documented"):
    """A number held against the documentation; the consequence is told only if they differ."""
    same = found == expected
    return Check(
        part,
        question,
        f"{found:,}",
        f"{expected:,} ({said})",
        AS_EXPECTED if same else DIFFERS,
        "" if same else consequence,
        chapter,
    )


def _none_of(part, question, count, total, what, consequence, chapter):
    """Something that should not be there, counted."""
    found = f"{count:,} of {total:,} {what}"
    verdict = NOTE if count else AS_EXPECTED
    return Check(part, question, found, "none", verdict, consequence if count else "", chapter)


# --- CAREBench ---------------------------------------------------------------------------------


def carebench_audit(data):
    """Ask the audit's questions of CAREBench.

    Parameters
    ----------
    data : CareBench

    Returns
    -------
    list of Check
        In the order of ``PARTS``.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> checks = carebench_audit(load_carebench())
    >>> print(checks[0].question, checks[0].found, sep=": ")
    narratives: 1,000
    """
    return [
        *_carebench_scope(data),
        *_carebench_values(data),
        *_carebench_relationships(data),
        *_carebench_use(data),
    ]


def _by_role(data):
    writer = data.annotations["perspective"] == "experiencer"
    return data.annotations[writer], data.annotations[~writer]


def _carebench_scope(data):
    own, seen = _by_role(data)
    panel = seen.groupby("sample_id").size()
    other = "You may have another release: say which one, and quote no published number beside it."
    yield _against("scope", "narratives", len(own), 1000, other, 2)
    yield _against("scope", "narratives that were observed", len(panel), 500, other, 2)
    yield _against("scope", "observer records", len(seen), 2500, other, 2)
    full = int((panel == 5).sum())
    yield Check(
        "scope",
        "observers of each observed narrative",
        f"5 for {full:,} of {len(panel):,} narratives",
        "5 (documented)",
        AS_EXPECTED if full == len(panel) else DIFFERS,
        "" if full == len(panel) else "A mean of fewer observers is a noisier one: weigh by panel.",
        3,
    )
    if data.extra_fields:
        names = ", ".join(list(data.extra_fields)[:5])
        more = f" and {len(data.extra_fields) - 5} more" if len(data.extra_fields) > 5 else ""
        yield Check(
            "scope",
            "fields that are not documented",
            f"{len(data.extra_fields):,}: {names}{more}",
            "none (documented)",
            DIFFERS,
            "They are in no table. Ask the authors before you use one.",
            2,
        )


def _carebench_values(data):
    annotations, labels = data.annotations, data.labels
    for side, groups in (("positive", POSITIVE_LABELS), ("negative", NEGATIVE_LABELS)):
        level, chosen = annotations[f"{side}_level"], labels[list(groups)].any(axis=1)
        at_zero, above = (level == 0) & chosen, (level > 0) & ~chosen
        yield _none_of(
            "values",
            f"{side} labels at {side} intensity 0",
            int(at_zero.sum()),
            int((level == 0).sum()),
            f"annotations at intensity 0 choose a {side} group",
            "Intensity and labels are two answers, not one: don't derive either from the other.",
            4,
        )
        yield _none_of(
            "values",
            f"{side} intensity without a label",
            int(above.sum()),
            int((level > 0).sum()),
            f"annotations above intensity 0 choose no {side} group",
            "An empty list is not the absence of feeling: count such annotations, don't drop them.",
            4,
        )
    same = data.ratings.nunique(axis=1) == 1
    yield _none_of(
        "values",
        "the same answer to all 22 statements",
        int(same.sum()),
        len(same),
        "annotations",
        "Such rows carry no profile. Report results with and without them.",
        3,
    )
    yield _attention(annotations["attention_check"])
    yield _demographics(data)
    yield _lengths(data.narratives["narrative"])


def _attention(answers):
    counted = answers.value_counts()
    if counted.empty:
        return Check(
            "values", "attention check", "no answer to it", consequence="It can't be used."
        )
    most = f"{counted.iloc[0]:,} of {int(counted.sum()):,} give {int(counted.index[0])}"
    return Check(
        "values",
        "attention check",
        f"{most}, the others something else" if len(counted) > 1 else f"{most}, that is all",
        consequence="Which answer was asked for is not documented. It is no rating: leave it out "
        "of every mean; whoever failed it can only be guessed.",
        chapter=2,
    )


def _demographics(data):
    given = data.people[list(DEMOGRAPHICS)]
    missing = given.isna().sum()
    worst = missing.idxmax()
    return Check(
        "values",
        "demographics that are missing or withheld",
        f"{int(missing.sum()):,} of {given.size:,} answers"
        + (f", most in {worst} ({int(missing[worst]):,})" if missing.sum() else ""),
        "",
        NOTE,
        "Who withholds an answer may differ from who gives one: a comparison of groups is one of "
        "those who told."
        if missing.sum()
        else "",
        2,
    )


def _lengths(stories):
    words = stories.dropna().str.split().str.len()
    empty = int((stories.fillna("").str.strip() == "").sum())
    if words.empty:
        return Check("values", "length of the narratives", "no narrative has a text")
    found = f"{int(words.min())} to {int(words.max())} words, median {words.median():g}"
    if empty:
        found += f"; {empty:,} empty"
    consequence = "Their wording is partly a machine's: conclude nothing about people's style."
    return Check("values", "length of the narratives", found, "", NOTE, consequence, 4)


def _carebench_relationships(data):
    own, seen = _by_role(data)
    people = people_facts(data.annotations)
    recur = sum(n for times, n in people["records_per_observer"].items() if int(times) > 1)
    again = sum(n for times, n in people["narratives_per_writer"].items() if int(times) > 1)
    yield Check(
        "relationships",
        "people behind the records",
        f"{people['writers']:,} writers ({again:,} with more than one narrative), "
        f"{people['observers']:,} observers ({recur:,} with more than one record), "
        f"{people['both']:,} in both roles",
        "",
        NOTE,
        "Records of one person are not independent: resample people, not rows."
        if again or recur or people["both"]
        else "",
        2,
    )
    yield _none_of(
        "relationships",
        "a writer among the observers of the same story",
        people["observed_own_narrative"],
        len(seen),
        "observer records",
        "Such a record compares a person with themselves. Leave it out of every agreement.",
        3,
    )
    yield _none_of(
        "relationships",
        "the same person twice on one panel",
        int(seen.duplicated(["sample_id", "participant_id"]).sum()),
        len(seen),
        "observer records",
        "The panel has fewer than five people, and they agree too well.",
        3,
    )
    yield _big_five(data.people)
    contradicting = data.contradictions["participant_id"].nunique()
    yield _none_of(
        "relationships",
        "people whose traits or demographics change",
        contradicting,
        data.people["participant_id"].nunique(),
        "people",
        "A person has no single value there: choose one by a rule, and say which.",
        2,
    )
    yield from _repeated_texts(data)
    yield from _near_duplicates(data)


def _big_five(people):
    facts = big_five_facts(people)
    if not facts["compared"]:
        return Check("relationships", "stored against recomputed Big Five", "nothing to compare")
    low, high = facts["stored_range"]
    said = {
        "exact": "every stored score is the sum of its two items",
        "linear": f"every stored score is {facts['slope']:g} x the sum {facts['intercept']:+g} "
        f"({facts['meaning']})",
        "none": f"{facts['differing']:,} of {facts['compared']:,} scores follow no common rule",
    }[facts["verdict"]]
    stored = people[[f"{trait}_stored" for trait in TRAITS]]
    zeros = int((stored == 0).sum().sum())
    consequence = "Use the scores recomputed from the answers, on which the key is published."
    if facts["verdict"] == "none":
        consequence = (
            "Something happened between answers and scores that nobody tells. " + consequence
        )
    return Check(
        "relationships",
        "stored against recomputed Big Five",
        f"{said}; they lie between {low:g} and {high:g}"
        + (f", {zeros:,} of them at 0" if zeros else ""),
        "0 to 10 (documented); a sum of two items lies between 2 and 10",
        AS_EXPECTED if (low, high) == (0, 10) else DIFFERS,
        consequence,
        2,
    )


def _runs(text):
    words = tokens(text) if isinstance(text, str) else []
    return {tuple(words[i : i + _RUN]) for i in range(len(words) - _RUN + 1)}


def _repeated_texts(data):
    stories = {sample: _runs(text) for sample, text in data.narratives["narrative"].items()}
    samples = data.annotations["sample_id"]
    for column, what in (
        ("appraisal_text", "the appraisal text"),
        ("previous_story", "the text before the questions"),
    ):
        shares = []
        for sample, text in zip(samples, data.reasoning[column], strict=True):
            story = stories[sample]
            shares.append(len(story & _runs(text)) / len(story) if story else 0.0)
        half = int((np.array(shares) >= 0.5).sum())
        yield Check(
            "relationships",
            f"stories repeated inside {what}",
            f"{half:,} of {len(shares):,} hold half of the story or more (in runs of {_RUN} words)",
            "",
            NOTE,
            f"Whoever reads {what} has read the story: what it predicts is not owed to appraisals "
            "alone. Compare with the story by itself."
            if half
            else "",
            4,
        )
    twice = data.narratives["narrative"].dropna()
    twice = twice[twice.str.strip() != ""]
    yield _none_of(
        "relationships",
        "narratives told more than once",
        int(twice.str.split().str.join(" ").duplicated().sum()),
        len(twice),
        "narratives repeat another one word for word",
        "The same text in training and test makes any model look good: keep one, or one fold.",
        4,
    )


def _near_duplicates(data):
    ratings = data.ratings.to_numpy(dtype=float)
    for key, where, consequence, chapter in (
        (
            "participant_id",
            "by one person on different stories",
            "They may be copied or clicked through: look at them before you trust a profile.",
            3,
        ),
        (
            "sample_id",
            "by two people on one story",
            "Independent readers seldom agree on every statement: look at who they are.",
            3,
        ),
    ):
        pairs, near = 0, 0
        for rows in data.annotations.groupby(key).indices.values():
            if len(rows) > 1:
                block = ratings[rows]
                differ = (block[:, None, :] != block[None, :, :]).sum(axis=2)
                upper = differ[np.triu_indices(len(rows), 1)]
                pairs, near = pairs + len(upper), near + int((upper <= 1).sum())
        yield _none_of(
            "relationships",
            f"near-duplicate annotations {where}",
            near,
            pairs,
            "pairs differ in at most one of 22 ratings",
            consequence,
            chapter,
        )


def _carebench_use(data):
    own, seen = _by_role(data)
    chosen = data.labels.loc[own.index].sum()
    rarest = chosen.idxmin()
    yield Check(
        "use",
        "rarest emotion group among writers",
        f'"{rarest}", {int(chosen[rarest]):,} of {len(own):,}; '
        f"{int((chosen < 50).sum())} of {len(LABELS)} groups are chosen fewer than 50 times",
        "",
        NOTE,
        "A model can't be judged on what it hardly ever sees: give macro-F1 with an interval.",
        4,
    )
    yield Check(
        "use",
        "rows that share one story",
        f"{len(seen) + seen['sample_id'].nunique():,} of {len(data.annotations):,} annotations",
        "",
        NOTE,
        "Split by narrative, never by row: else the test holds stories that were learned.",
        4,
    )
    yield from _shared_use(data, "CAREBench is CC BY-NC-ND 4.0: aggregate results only, no altered "
                           "records, nothing commercial.")  # fmt: skip


def _shared_use(data, licence):
    if data.source.synthetic:
        yield Check("use", "where the records come from", "a program made them (synthetic)", "",
                    NOTE, "No result is a finding about people.", 1)  # fmt: skip
    else:
        yield Check("use", "licence", "real records of people", "", NOTE, licence, 2)
    if data.accepted:
        yield Check(
            "use",
            "departures accepted in exceptions.toml",
            f"{len(data.accepted):,}",
            "none (documented)",
            DIFFERS,
            "They are part of every result: name them.",
            2,
        )


# --- IMBUE -------------------------------------------------------------------------------------


def imbue_audit(data):
    """Ask the audit's questions of the IMBUE annotations.

    Parameters
    ----------
    data : Imbue

    Returns
    -------
    list of Check
        In the order of ``PARTS``.

    Examples
    --------
    >>> from carebook import load_imbue
    >>> {check.part for check in imbue_audit(load_imbue())} == set(PARTS)
    True
    """
    return [
        *_imbue_scope(data),
        *_imbue_values(data),
        *_imbue_relationships(data),
        *_imbue_use(data),
    ]


def _imbue_scope(data):
    other = "The release differs from what is reported of the paper: say which one you have."
    reported = "reported in a summary of the paper"
    yield _against("scope", "conversations", len(data.conversations), 18, other, 5, reported)
    yield _against("scope", "messages", len(data.messages), 163, other, 5, reported)
    experts = data.judgements["expert"].nunique()
    yield _against("scope", "experts", experts, 6, other, 5)
    spread = data.conversations["category"].value_counts()
    told = ", ".join(f"{name} {count:,}" for name, count in spread.items())
    yield Check("scope", "conversations by category", told, chapter=5)
    if data.extra_fields:
        yield Check(
            "scope",
            "columns that are not documented",
            f"{len(data.extra_fields):,}: {', '.join(list(data.extra_fields)[:5])}",
            "none (documented)",
            DIFFERS,
            "They are in no table. Ask the authors before you use one.",
            5,
        )


_AS_MISSING = {"", "NA", "N/A", "n/a", "nan", "NaN", "None", "null", "NULL", "<NA>"}
"""Texts that pandas' readers take for a missing value unless they are told not to."""


def _imbue_values(data):
    marks = data.spellings[data.spellings["column"].str.startswith("label_")]
    levels = {level for labels in SKILL_LABELS.values() for level in labels}
    other = marks[~marks["raw"].isin(levels)]
    yield Check(
        "values",
        "spellings of the labels",
        f"{marks['raw'].nunique()}: {', '.join(map(show, marks['raw'].unique()[:8]))}",
        "not documented",
        NOTE,
        f"{int(other['count'].sum()):,} labels were recognised in another spelling; the report "
        "lists each."
        if len(other)
        else "",
        5,
    )
    trapped = int(marks.loc[marks["raw"].isin(_AS_MISSING), "count"].sum())
    total = int(marks["count"].sum())
    yield Check(
        "values",
        "labels that a plain read_csv takes for missing",
        f"{trapped:,} of {total:,}",
        "",
        NOTE,
        "'None' is an answer: read the file with keep_default_na=False, or every share is of the "
        "skills that were used."
        if trapped
        else "",
        5,
    )
    counted = data.judgements.groupby(["skill", "label"], observed=True).size()
    (skill, label), count = counted.idxmin(), int(counted.min())
    yield Check(
        "values",
        "smallest class of a skill",
        f"{skill}, {label}: {count:,}",
        "",
        NOTE,
        "Such a class decides no comparison: give counts beside every share.",
        5,
    )


def _imbue_relationships(data):
    judged = data.judgements
    first = judged[judged["skill"] == SKILLS[0]]
    experts = first.groupby("message_key").size()
    several = int((experts > 1).sum())
    yield Check(
        "relationships",
        "messages judged by more than one expert",
        f"{several:,} of {len(experts):,}",
        "not documented",
        NOTE,
        "Agreement can be estimated, from these messages only."
        if several
        else "Agreement can't be estimated from this file: say so.",
        5,
    )
    suggested, rewritten = judged["suggestion"].notna(), judged["rewrite"].notna()
    by_label = Counter(judged.loc[suggested, "label"].astype(object))
    told = ", ".join(f"{label} {by_label[label]:,}" for label in sorted(by_label, key=str))
    yield Check(
        "relationships",
        "suggestions, by the label beside them",
        told or "none",
        "",
        NOTE,
        "A suggestion beside 'none' is read as a skill that was called for: that reading is ours.",
        5,
    )
    alone = int((rewritten & ~suggested).sum())
    yield _none_of(
        "relationships",
        "rewrites without a suggestion",
        alone,
        int(rewritten.sum()),
        "rewrites",
        "Count help as a suggestion or a rewrite, and say so.",
        5,
    )
    unclear = int((judged["derived_reading"] == "unclear").sum())
    yield _none_of(
        "relationships",
        "cells whose reading is unclear",
        unclear,
        len(judged),
        "judgements (a skill used well, and a suggestion all the same)",
        "Report them as a class of their own.",
        5,
    )
    texts = data.messages["message_text"].str.split().str.join(" ")
    yield _none_of(
        "relationships",
        "messages written more than once",
        int(texts.duplicated().sum()),
        len(texts),
        "messages repeat another one word for word",
        "The same text in training and test makes any model look good.",
        5,
    )


def _imbue_use(data):
    groups = len(data.conversations)
    yield Check(
        "use",
        "groups for a split",
        f"{groups:,} conversations",
        "",
        NOTE,
        "Messages of one conversation are not independent, and who wrote it is not in the file: "
        "split and resample by conversation.",
        5,
    )
    yield from _shared_use(data, "IMBUE states no licence: keep the file, and a site made from it, "
                           "within your course.")  # fmt: skip


# --- as text -----------------------------------------------------------------------------------


def counted_verdicts(checks):
    """How many checks have each verdict: as expected, differs, note."""
    found = Counter(check.verdict for check in checks)
    return {verdict: found[verdict] for verdict in (AS_EXPECTED, DIFFERS, NOTE)}


def summary(checks):
    """One sentence: how many questions, and how they came out.

    Examples
    --------
    >>> summary([Check("scope", "stories", "3", "4 (documented)", DIFFERS)])
    '1 question: 0 as expected, 1 differs, 0 findings to keep in mind.'
    """
    counts = counted_verdicts(checks)
    asked = f"{len(checks)} question{'s' * (len(checks) != 1)}"
    return (
        f"{asked}: {counts[AS_EXPECTED]} as expected, {counts[DIFFERS]} differ"
        f"{'s' * (counts[DIFFERS] == 1)}, {counts[NOTE]} findings to keep in mind."
    )
