"""Write a message with a plan, then go through a checklist beside messages that experts marked.

The tool judges nothing. Whether a message works depends on the person who gets it, and no program
that has only read the message can know.
"""

from types import MappingProxyType

import numpy as np
import pandas as pd

from carebook.imbue import load_imbue
from carebook.sidecar import content_notes
from carebook.tables import text_column
from carebook.tools.base import NOTHING_REAL, PRACTICE, SYNTHETIC, Tool
from carebook.tools.manual import IDEAS, QUESTIONS
from carebook.vocabulary import CATEGORIES, SKILL_NAMES, SKILLS

CHECKS = ("yes", "partly", "no")


class WriteMessage(Tool):
    """The tool that :func:`write_message` makes."""

    name = "write_message"
    title = "Write a message"

    @property
    def answers(self):
        """The reader's plans and checks, one row for each question: see :func:`checks_table`."""
        return checks_table(self._rows)


def write_message(imbue):
    """Show a situation, ask for a plan, then for a message, then go through a checklist.

    Parameters
    ----------
    imbue : Imbue
        What ``load_imbue()`` returned. If it is not synthetic, the bundled practice messages stand
        in for it, and the tool says so.

    Returns
    -------
    WriteMessage
        The last line of a cell. ``tool.answers`` holds plans and checks, and the message itself
        only where the reader chose to keep it.

    Examples
    --------
    >>> from carebook import load_imbue
    >>> tool = write_message(load_imbue())
    >>> [situation["category"] for situation in tool.data["situations"]]
    ['family', 'social', 'work']
    """
    about, source = SYNTHETIC, None
    if not imbue.source.synthetic:
        imbue, about, source = load_imbue(PRACTICE), NOTHING_REAL, PRACTICE
    category = imbue.conversations["category"].astype(str)
    chosen = [category.index[category == name][-1] for name in CATEGORIES if name in set(category)]
    notes = content_notes(imbue, source, what="conversation")
    examples = choose_examples(imbue, chosen, notes)
    data = {
        "about": about,
        "checks": list(CHECKS),
        "situations": [
            {
                "id": conversation,
                "category": category[conversation],
                "note": notes.get(conversation, ""),
                "text": imbue.conversations.loc[conversation, "situation"],
            }
            for conversation in chosen
        ],
        "skills": [
            {
                "id": skill,
                "name": SKILL_NAMES[skill],
                "idea": IDEAS[skill],
                "questions": list(QUESTIONS[skill]),
                "examples": examples[skill],
            }
            for skill in SKILLS
        ],
    }
    return WriteMessage(data, imbue.source)


def checks_table(rows):
    """Turn the page's answers into a table, one row for each question of the checklist.

    Parameters
    ----------
    rows : sequence of dict
        As the tool's page and its files hold them.

    Returns
    -------
    DataFrame
        ``conversation_id`` (text), ``skill`` (as in ``load_imbue().judgements``), ``chosen`` (bool:
        in the plan made before writing), ``question`` (text), ``check`` (categorical: yes, partly,
        no; missing while unanswered), ``message_text`` (text; missing unless kept).

    Examples
    --------
    >>> row = {"conversation_id": "07", "skill": "assert", "chosen": True, "question": "Clear?"}
    >>> checks_table([row | {"check": "yes", "message_text": None}])["check"].tolist()
    ['yes']
    """
    rows = list(rows)

    def column(name):
        return [row[name] for row in rows]

    return pd.DataFrame(
        {
            "conversation_id": text_column(column("conversation_id")),
            "skill": pd.Categorical(column("skill"), categories=SKILLS, ordered=True),
            "chosen": np.array(column("chosen"), dtype=bool),
            "question": text_column(column("question")),
            "check": pd.Categorical(column("check"), categories=CHECKS),
            "message_text": text_column(column("message_text")),
        }
    )


def choose_examples(imbue, chosen, notes=MappingProxyType({})):
    """Choose for each skill a message that does it well, and one with something to mend.

    All experts who marked the message agree on the skill. A good one has no flaw in the other
    skills, or the fewest, and rather one that asks for something; where that leaves several, more
    experts count, because one may slip. No message is the good example of two skills.

    Parameters
    ----------
    imbue : Imbue
    chosen : collection of str
        Conversations to leave out, because the reader writes in them.
    notes : mapping of str to str, optional
        Conversation -> its content note; see :func:`carebook.sidecar.content_notes`.

    Returns
    -------
    dict
        Skill -> list of examples (label, note, situation, text, suggestion, rewrite), the good one
        first; one is absent where no message will do.

    Examples
    --------
    >>> from carebook import load_imbue
    >>> [each["label"] for each in choose_examples(load_imbue(), [])["assert"]]
    ['Strong', 'Weak']
    """
    marks = imbue.judgements.query("conversation_id not in @chosen")
    marks = marks.assign(
        well=marks["label"].isin(["strong", "yes"]), flawed=marks["label"].isin(["weak", "no"])
    )
    asking = marks[marks["skill"] == "assert"].groupby("message_key")["well"].all()
    marks["flaws"] = marks.groupby("message_key")["flawed"].transform("sum")
    marks["asks"] = marks["message_key"].map(asking).eq(True)
    of_skill = marks.groupby(["message_key", "skill"], observed=True)
    marks["experts"] = of_skill["well"].transform("size")
    marks["good"], marks["poor"] = (of_skill[name].transform("all") for name in ("well", "flawed"))
    marks["poor"] &= marks["suggestion"].notna() & marks["rewrite"].notna()
    best = marks.sort_values(
        ["flaws", "asks", "experts"], ascending=[True, False, False], kind="stable"
    )
    good = best[best["good"]]
    poor = best[best["poor"]].sort_values("experts", ascending=False, kind="stable")
    found, used = {}, set()
    for skill in SKILLS:
        rows = good[(good["skill"] == skill) & ~good["message_key"].isin(used)].iloc[:1]
        used |= set(rows["message_key"])
        rows = pd.concat([rows, poor[poor["skill"] == skill].iloc[:1]])
        found[skill] = [_example(imbue, row, notes) for _, row in rows.iterrows()]
    return found


def _example(imbue, row, notes):
    def given(value):
        return None if pd.isna(value) else value

    return {
        "label": row["label"].capitalize(),
        "note": notes.get(row["conversation_id"], ""),
        "situation": imbue.conversations.loc[row["conversation_id"], "situation"],
        "text": imbue.messages.loc[row["message_key"], "message_text"],
        "suggestion": given(row["suggestion"]),
        "rewrite": given(row["rewrite"]),
    }
