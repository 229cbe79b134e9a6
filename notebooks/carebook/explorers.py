"""Explorers of the chapters: many views of one kind, chosen by a rule, one shown at a time.

Each function chooses its views from whatever corpus is loaded, makes them, and hands them to
:func:`carebook.widgets.explorer`. The words of people are shown only if a program invented them:
those of real people stay in the reader's own copy of the data, and the view says where. A text that
touches on illness, loss or the like, by the key to a practice corpus, stands folded behind a note.
"""

from html import escape

import pandas as pd

from carebook.figures import answer_distribution, appraisal_profile, dimension_name, short_label
from carebook.pairs import pair_ratings
from carebook.quoting import lettered, shown
from carebook.results import (
    count_phrase,
    difference,
    list_phrase,
    number,
    percent,
    source_note,
)
from carebook.sidecar import content_note
from carebook.vocabulary import (
    DIMENSIONS,
    LABELS,
    NEGATIVE_LABELS,
    POSITIVE_LABELS,
    SKILLS,
    STATEMENTS,
)
from carebook.widgets import explorer, view_html

SETS = {"positive_labels": POSITIVE_LABELS, "negative_labels": NEGATIVE_LABELS}

MOST_CONVERSATIONS = 23

FEWEST_PEOPLE = 5
"""A mean over fewer real people would nearly be one person's answers, so it is not drawn."""

MARKS = ("strong", "weak", "none", "yes", "no")


class Folded:
    """A text behind a note that says what it touches on: shown once the reader opens it.

    Parameters
    ----------
    note : str
        What to know before reading, in one sentence.
    text : str
        Shown as text: markup in it does nothing.

    Examples
    --------
    >>> Folded("Content note: this story touches on illness.", "A & B")._repr_html_()
    '<details><summary>Content note: this story touches on illness. Open to read it.</summary>\
<p>A &amp; B</p></details>'
    """

    def __init__(self, note, text):
        self.note = note
        self.text = text

    def _repr_html_(self):
        summary = f"{escape(self.note, quote=False)} Open to read it."
        return f"<details><summary>{summary}</summary>{view_html(self.text)}</details>"


class _Table:
    """A table that is shown whole: pandas would cut long texts."""

    def __init__(self, table):
        self.table = table

    def _repr_html_(self):
        with pd.option_context("display.max_colwidth", None):
            return self.table.to_html()


# --- narratives -------------------------------------------------------------------------------


def narratives(care):
    """One narrative at a time: its text, its ratings, and what was felt, by writer and observers.

    One for each emotion group that a writer chose: of those who chose it, the writer who felt most
    (on the scale of the group's own sign), the first in the file where several did; if there are
    any, of those whose story was read by observers. The rarest group chooses first, so that no
    narrative comes twice.

    Parameters
    ----------
    care : CareBench

    Returns
    -------
    Explorer
        Up to 20 views, in the order of the emotion groups.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> narratives(load_carebench()).labels[:3]
    ('Hopeful', 'Grateful', 'Glad')
    """
    chosen = strongest_writers(care)
    views = [(short_label(label), narrative_view(care, record)) for label, record in chosen.items()]
    return explorer(views, name="A writer who felt")


def strongest_writers(care):
    """Choose a writer's record for each emotion group; see :func:`narratives`.

    Parameters
    ----------
    care : CareBench

    Returns
    -------
    dict of str to str
        Emotion group -> ``annotation_id``; a group that no writer is left for is absent.
    """
    left = care.annotations[care.annotations["perspective"] == "experiencer"]
    observed = care.annotations.loc[care.annotations["perspective"] == "observer", "sample_id"]
    labels = care.labels.loc[left.index]
    level = dict.fromkeys(POSITIVE_LABELS, "positive_level")
    level |= dict.fromkeys(NEGATIVE_LABELS, "negative_level")
    found = {}
    for label in labels.sum().sort_values(kind="stable").index:
        candidates = left[labels.loc[left.index, label].astype(bool)]
        read = candidates[candidates["sample_id"].isin(observed)]
        candidates = read if len(read) else candidates
        if len(candidates):
            found[label] = candidates[level[label]].idxmax()
            left = left.drop(found[label])
    return {label: found[label] for label in LABELS if label in found}


def narrative_view(care, record):
    """Put together what a writer and the observers of the narrative reported.

    Parameters
    ----------
    care : CareBench
    record : str
        The ``annotation_id`` of the writer.

    Returns
    -------
    dict
        A view for :func:`carebook.widgets.explorer`.
    """
    sample = care.annotations.loc[record, "sample_id"]
    readings = care.annotations[care.annotations["sample_id"] == sample]
    observers = readings.index[readings["perspective"] == "observer"]
    names = {record: "writer"} | {
        # With a space that doesn't break: the column is narrow.
        name: f"observer\u00a0{care.annotations.loc[name, 'observer']}"
        for name in observers
    }
    felt = pd.DataFrame(
        {
            "good feeling": readings["positive_level"],
            "bad feeling": readings["negative_level"],
            "emotions": [_emotions(care.labels.loc[name]) for name in readings.index],
        },
        index=readings.index,
    ).loc[list(names)]
    rated = pd.DataFrame({"writer": care.ratings.loc[record]})
    if len(observers):
        # Sorted, so that one sees at once how far they spread: a mean would hide it.
        rated["observers, sorted"] = [
            " ".join(str(answer) for answer in sorted(care.ratings.loc[observers, name]))
            for name in rated.index
        ]
    view = {
        f"Narrative {sample}" if care.source.synthetic else "Narrative": told(
            care, sample, care.narratives.loc[sample, "narrative"]
        ),
        "Felt, from 0 to 6": _Table(felt.rename(index=names).rename_axis(None)),
        "Appraised, from 1 (strongly disagree) to 5 (strongly agree)": _Table(
            rated.rename(index=dimension_name)
        ),
    }
    if care.source.synthetic:
        view["Source"] = source_note(care)
    return view


def _emotions(labels):
    return ", ".join(short_label(name) for name in labels.index[labels.astype(bool)]) or "none"


def told(data, key, text, what="story"):
    """A text of a record as a view: folded behind its content note, if there is one.

    Every explorer shows the words of a record through this function.

    Parameters
    ----------
    data : CareBench or Imbue
    key : str
        ``sample_id`` of the narrative, or ``conversation_id``.
    text : str
    what : str, default "story"

    Returns
    -------
    str or Folded
    """
    words = _words(data, text)
    note = content_note(data, key, what=what)
    return Folded(note, words) if note else words


def _words(data, text):
    if data.source.synthetic:
        return str(text)
    return "These are a real person's words: read them in your own copy of the data."


# --- dimensions -------------------------------------------------------------------------------


def dimensions(care):
    """One appraisal dimension at a time: the writers' answers against the observers'.

    Parameters
    ----------
    care : CareBench

    Returns
    -------
    Explorer
        22 views, in the order of the questionnaire.
    """
    pairs = pair_ratings(care)
    views = [
        (dimension_name(name), dimension_view(pairs, name, care.source)) for name in DIMENSIONS
    ]
    return explorer(views, name="Dimension")


def dimension_view(pairs, name, source=None):
    """Put the answers to one statement side by side, first as two piles, then pair by pair.

    Parameters
    ----------
    pairs : Pairs
        From ``pair_ratings``: a row for each reading by an observer.
    name : str
        One of the 22 dimensions.
    source : Source, optional

    Returns
    -------
    dict
        A view for :func:`carebook.widgets.explorer`. The piles count each writer once.
    """
    own, seen = pairs.own[name].astype(int), pairs.observed[name].astype(int)
    writers = own.groupby(pairs.people["sample_id"]).first()
    piles = pd.concat({"experiencer": writers, "observer": seen}, names=["perspective"])
    shares = pd.crosstab(own, seen, normalize="index").reindex(columns=range(1, 6), fill_value=0.0)
    # "a 3" and not "3": a heading must not pass for the number of a person, or of a story.
    readings = own.value_counts()
    shares.index = [f"a {a} (n = {number(int(readings[a]))})" for a in shares.index]
    shares.columns = pd.Index([f"a {answer}" for answer in shares.columns], name="writer")
    gap = float((seen - own).mean())
    return {
        f"“{STATEMENTS[name]}”": answer_distribution(
            piles.rename("value").reset_index("perspective"), name=name, source=source
        ),
        "What observers rated (columns) where the writer rated that (rows). “a 3”: a rating of 3; "
        "n: readings": _Table(shares.map(_short_percent)),
        "In one line": (
            f"Writer and observer gave the same answer in {percent((own == seen).mean())} of "
            f"{count_phrase(len(own), 'reading')}; on average, the observer's was "
            f"{difference(gap, same='neither higher nor lower, to two decimals')}."
        ),
    }


def _short_percent(share):
    # Six columns have to fit on a phone: "under 1%" is too long there.
    return percent(share).replace("under ", "<").replace("over ", ">")


# --- emotions ---------------------------------------------------------------------------------


def emotions(care, predictions):
    """One emotion group at a time: its appraisal profile, and what a model confuses it with.

    Parameters
    ----------
    care : CareBench
    predictions : carebook.predictions.Predictions
        Of one model, for writers that it had not seen; one row for each narrative.

    Returns
    -------
    Explorer
        A view for each of the 20 emotion groups that some writers chose and others did not.
    """
    guessed = pd.concat([predictions.chosen(kind) for kind in SETS], axis=1).astype(bool)
    truth = predictions.truth[list(guessed)].astype(bool)
    ratings = care.ratings.loc[truth.index].astype(float)
    views = [
        (
            short_label(label),
            emotion_view(label, truth, guessed, ratings, predictions.model, care.source),
        )
        for label in LABELS
        if truth[label].any() and not truth[label].all()
    ]
    return explorer(views, name="Emotion")


def emotion_view(label, truth, guessed, ratings, model, source=None):
    """Show the appraisals behind one emotion group, and where a model went astray about it.

    Parameters
    ----------
    label : str
    truth, guessed : DataFrame of bool
        A row for each narrative, a column for each group: chosen by the writer, given by the model.
    ratings : DataFrame
        Same rows, the 22 ratings.
    model : str
        The model's name.
    source : Source, optional

    Returns
    -------
    dict
        A view for :func:`carebook.widgets.explorer`.
    """
    own, given = truth[label], guessed[label]
    profile = pd.DataFrame(
        {
            f"chose it ({number(int(own.sum()))})": ratings[own].mean(),
            f"did not ({number(int((~own).sum()))})": ratings[~own].mean(),
        }
    ).T
    title = f"{short_label(label)}: writers who chose it, and writers who did not"
    missed, wrong = own & ~given, ~own & given
    others = [name for name in truth if name != label]
    extra, left_out = (guessed & ~truth)[others], (truth & ~guessed)[others]
    smaller = int(min(own.sum(), (~own).sum()))
    if source is None or source.synthetic or smaller >= FEWEST_PEOPLE:
        drawn = appraisal_profile(profile, title=title, source=source)
    else:
        drawn = (
            f"The profile is not drawn: a mean over {count_phrase(smaller, 'writer')} would nearly "
            "be one person's answers."
        )
    return {
        label: drawn,
        f"The model “{model}”": (
            f"Of {count_phrase(int(own.sum()), 'writer')} who chose it, the model found "
            f"{number(int((own & given).sum()))} and missed {number(int(missed.sum()))}. It gave "
            f"it to {number(int(wrong.sum()))} who did not choose it.\n"
            f"{_astray('Where it missed it, it wrongly gave instead', extra, missed)}\n"
            f"{_astray('Where it gave it wrongly, it had left out', left_out, wrong)}"
        ),
    }


def _astray(what, errors, where, most=3):
    """Name the errors that are more frequent somewhere than they are elsewhere."""
    if not where.any():
        return f"{what}: nothing, it did not happen."
    here, elsewhere = errors[where].mean(), errors[~where].mean()
    more = (here - elsewhere).sort_values(ascending=False, kind="stable")
    named = [
        f"“{short_label(name)}” {count_phrase(int(errors.loc[where, name].sum()), 'time')} "
        f"(elsewhere in {percent(elsewhere[name])})"
        for name in more.index[:most]
        if more[name] > 0
    ]
    said = list_phrase(named) if named else "nothing more often than elsewhere"
    return f"{what} (of {count_phrase(int(where.sum()), 'story', 'stories')}): {said}."


# --- conversations ----------------------------------------------------------------------------


def conversations(imbue):
    """One conversation at a time, with the experts' marks, suggestions and rewrites.

    Parameters
    ----------
    imbue : Imbue

    Returns
    -------
    Explorer
        First an overview, then up to 23 conversations, spread evenly over the file if there are
        more.
    """
    every = list(imbue.conversations.index)
    shown = every[:: max(1, -(-len(every) // MOST_CONVERSATIONS))]
    category = imbue.conversations["category"]
    views = [(f"{name} ({category[name]})", conversation_view(imbue, name)) for name in shown]
    return explorer([("overview", overview(imbue, shown)), *views], name="Conversation")


def overview(imbue, conversations):
    """Count what there is to read in some conversations.

    Parameters
    ----------
    imbue : Imbue
    conversations : list of str

    Returns
    -------
    dict
        A view for :func:`carebook.widgets.explorer`: for each conversation the messages, the marks
        "strong" and "weak", and the rewrites by experts.
    """
    judged = imbue.judgements.groupby("conversation_id", observed=True)
    counts = pd.DataFrame(
        {
            "messages": imbue.messages.groupby("conversation_id", observed=True).size(),
            "strong": judged["label"].apply(lambda marks: int((marks == "strong").sum())),
            "weak": judged["label"].apply(lambda marks: int((marks == "weak").sum())),
            "rewrites": judged["rewrite"].count(),
        }
    )
    counts = counts.reindex(conversations).fillna(0).astype(int)
    view = {"What each holds": _Table(counts.rename_axis(None)), "Source": source_note(imbue)}
    if not imbue.source.synthetic:
        view["Texts of real people"] = (
            "A message is shown if it was confirmed for quotation. Whatever else people wrote "
            "stays in your own copy of the data."
        )
    return view


def conversation_view(imbue, conversation):
    """Put together a conversation's situation, its messages, and what each expert said of them.

    Parameters
    ----------
    imbue : Imbue
    conversation : str

    Returns
    -------
    dict
        A view for :func:`carebook.widgets.explorer`. Of real records it shows the marks, and the
        messages that were confirmed for quotation; experts have letters for names.
    """
    situation = imbue.conversations.loc[conversation, "situation"]
    view = {"Situation": told(imbue, conversation, situation, what="conversation")}
    names = lettered(imbue.judgements["expert"], imbue)
    messages = imbue.messages[imbue.messages["conversation_id"] == conversation]
    judgements = imbue.judgements
    for message in messages.sort_values("position").itertuples():
        said = judgements[judgements["message_key"] == message.Index]
        sheets = {
            names[expert]: _sheet(imbue, sheet)
            for expert, sheet in said.groupby("expert", observed=True, sort=True)
        }
        text = shown(str(message.message_text), imbue, message.Index)
        view[f"Message {message.position}"] = {"Written": text, **sheets}
    return view


def _sheet(imbue, sheet):
    """One expert's marks of a message in one line, and below it the advice, skill by skill."""
    by_mark, parts = {}, {}
    for skill, row in sheet.set_index("skill").reindex(SKILLS).iterrows():
        if pd.isna(row["label"]):
            continue
        by_mark.setdefault(str(row["label"]), []).append(skill)
        advice = [_one_line(row["suggestion"])] if pd.notna(row["suggestion"]) else []
        if pd.notna(row["rewrite"]):
            advice.append(f"Rewrite: {_one_line(row['rewrite'])}")
        if advice and imbue.source.synthetic:
            parts[f"{skill} ({row['label']})"] = "\n".join(advice)
    named = sorted(by_mark.items(), key=lambda entry: MARKS.index(entry[0]))
    marks = "; ".join(f"{mark}: {', '.join(skills)}" for mark, skills in named)
    return {"marks": f"{marks or 'none given'}."} | parts


def _one_line(text):
    return " ".join(str(text).split())
