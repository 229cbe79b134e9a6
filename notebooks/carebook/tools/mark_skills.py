"""Mark messages for DEAR MAN skills with the coding manual at hand, then look at an expert's marks.

One expert is compared with the reader throughout, because kappa is about a fixed pair of raters.
The messages come from as many conversations as that expert has marked, because an interval can
only say how much conversations differ.
"""

import numpy as np
import pandas as pd

from carebook.imbue import LABELS, derive_readings, load_imbue
from carebook.kappa import FEW_JUDGEMENTS
from carebook.resampling import RESAMPLES, SEED
from carebook.sidecar import content_notes
from carebook.tables import text_column
from carebook.tools.base import NOTHING_REAL, PRACTICE, SYNTHETIC, Tool
from carebook.tools.manual import MANUAL
from carebook.vocabulary import SKILL_LABELS, SKILL_NAMES, SKILLS, STRENGTH_SKILLS

MESSAGES = 12
FEW_CONVERSATIONS = 8
READER = "you"


class MarkSkills(Tool):
    """The tool that :func:`mark_skills` makes."""

    name = "mark_skills"
    title = "Mark DEAR MAN skills"

    @property
    def expert(self):
        """The expert whose marks the tool shows beside the reader's."""
        return self.data["expert"]

    @property
    def expert_marks(self):
        """That expert's marks for the messages shown, in the same layout as ``answers``."""
        rows = [
            (message["key"], skill, given["label"])
            for message in self.data["messages"]
            for skill, given in message["expert"].items()
        ]
        return marks_table([row for row in rows if row[2]], self.expert)

    @property
    def answers(self):
        """The reader's marks, one row each, with the columns of ``load_imbue().judgements``.

        Returns
        -------
        DataFrame
            ``expert`` is ``"you"``. Without marks (or without a page to make them in) no row.
        """
        return marks_table(self._rows)


def mark_skills(imbue, messages=MESSAGES):
    """Show messages to mark for the seven skills, then an expert's marks beside one's own.

    Parameters
    ----------
    imbue : Imbue
        What ``load_imbue()`` returned. If it is not synthetic, the bundled practice messages stand
        in for it, and the tool says so.
    messages : int, default 12
        How many messages. Five moves in twelve messages are sixty judgements, enough for a kappa.

    Returns
    -------
    MarkSkills
        The last line of a cell. ``tool.answers`` holds the marks.

    Raises
    ------
    ValueError
        If fewer than one message is asked for.

    Examples
    --------
    >>> from carebook import load_imbue
    >>> tool = mark_skills(load_imbue())
    >>> len(tool.data["messages"]), len(tool.answers)
    (12, 0)
    """
    if messages < 1:
        raise ValueError(f"{messages} messages: ask for at least one.")
    about, source = SYNTHETIC, None
    if not imbue.source.synthetic:
        imbue, about, source = load_imbue(PRACTICE), NOTHING_REAL, PRACTICE
    expert = _widest(imbue.judgements)
    keys = _spread_out(imbue, expert, messages)
    notes = content_notes(imbue, source, what="conversation")
    data = {
        "about": about,
        "expert": expert,
        "skills": [_skill(name) for name in SKILLS],
        "moves": list(STRENGTH_SKILLS),
        "messages": [_message(imbue, expert, key, notes) for key in keys],
        "enough": FEW_JUDGEMENTS,
        "conversations": FEW_CONVERSATIONS,
        "bootstrap": bootstrap_start(),
    }
    return MarkSkills(data, imbue.source)


def marks_table(rows, rater=READER):
    """Turn (message, skill, mark) rows into the layout of ``load_imbue().judgements``.

    Parameters
    ----------
    rows : sequence of (str, str, str)
        Message key, skill and mark, as the tool's page and its files hold them.
    rater : str, default "you"
        Who made the marks.

    Returns
    -------
    DataFrame
        Same columns, types and order of columns; suggestions and rewrites are missing.

    Examples
    --------
    >>> table = marks_table([["07/3", "assert", "weak"]])
    >>> table[["conversation_id", "expert", "skill", "label"]].iloc[0].tolist()
    ['07', 'you', 'assert', 'weak']
    """
    rows = [tuple(map(str, row)) for row in rows]
    label = pd.Series(pd.Categorical([mark for _, _, mark in rows], categories=LABELS))
    table = pd.DataFrame(
        {
            "message_key": text_column([key for key, _, _ in rows]),
            "conversation_id": text_column([key.rpartition("/")[0] for key, _, _ in rows]),
            "expert": text_column([rater] * len(rows)),
            "skill": pd.Categorical(
                [skill for _, skill, _ in rows], categories=SKILLS, ordered=True
            ),
            "label": label,
            "suggestion": text_column([None] * len(rows)),
            "rewrite": text_column([None] * len(rows)),
        }
    )
    table["derived_reading"] = derive_readings(
        table["label"], table["suggestion"], table["rewrite"]
    )
    return table


def bootstrap_start():
    """Where the page's random numbers start, so that its interval is the helpers' own.

    Returns
    -------
    dict
        ``start``: state and increment of the generator that
        :func:`carebook.resampling.unit_counts` draws its first pool from, as text because a page's
        numbers are too short for them; ``resamples``.
    """
    (stream,) = np.random.SeedSequence(SEED).spawn(1)
    state = np.random.default_rng(stream).bit_generator.state["state"]
    return {
        "start": {name: str(value) for name, value in state.items()},
        "resamples": RESAMPLES,
    }


def _widest(judgements):
    """The expert who marked the most conversations; the first by name of several."""
    marked = judgements.groupby("expert")["conversation_id"].nunique()
    return marked[marked == marked.max()].index.min()


def _spread_out(imbue, expert, count):
    """Keys of the expert's messages: the first of each conversation, then the second of each."""
    keys = imbue.judgements.loc[imbue.judgements["expert"] == expert, "message_key"].unique()
    marked = imbue.messages.loc[keys]
    turn = marked.groupby("conversation_id").cumcount()
    chosen = marked.assign(turn=turn).sort_values(["turn", "conversation_id"]).index[:count]
    return [key for key in imbue.messages.index if key in set(chosen)]


def _skill(name):
    return {
        "id": name,
        "name": SKILL_NAMES[name],
        "labels": list(SKILL_LABELS[name]),
        "manual": [list(rule) for rule in MANUAL[name]],
    }


def _message(imbue, expert, key, notes):
    message = imbue.messages.loc[key]
    own = imbue.messages["conversation_id"] == message["conversation_id"]
    before = own & (imbue.messages["position"] < message["position"])
    sheet = imbue.judgements.query("message_key == @key and expert == @expert")
    return {
        "key": key,
        "conversation": message["conversation_id"],
        "note": notes.get(message["conversation_id"], ""),
        "situation": imbue.conversations.loc[message["conversation_id"], "situation"],
        "before": imbue.messages.loc[before, "message_text"].tolist(),
        "text": message["message_text"],
        "expert": {row.skill: _given(row) for row in sheet.itertuples()},
    }


def _given(row):
    parts = {"label": row.label, "suggestion": row.suggestion, "rewrite": row.rewrite}
    return {name: None if pd.isna(value) else value for name, value in parts.items()}
