"""Practice tools for a page that answers: mark skills, read a story as another person, write.

Each tool's logic runs in the reader's browser, so it works where no kernel runs; where one does,
the answers arrive in Python as a table (``tool.answers``). Answers are kept in that browser, on
that device, and go nowhere else. anywidget loads when the first tool is shown.

The tools show texts of the practice corpus only. Given real data they stand in practice texts for
them, and say so: a page must not carry the words of the people in a data set.
"""

from carebook.tools.mark_skills import MarkSkills, mark_skills, marks_table
from carebook.tools.read_story import (
    ReadStory,
    answers_table,
    join_answers,
    read_story,
    reading_distances,
    typical_answers,
)
from carebook.tools.write_message import WriteMessage, checks_table, write_message

__all__ = [
    "MarkSkills",
    "ReadStory",
    "WriteMessage",
    "answers_table",
    "checks_table",
    "join_answers",
    "mark_skills",
    "marks_table",
    "read_story",
    "reading_distances",
    "typical_answers",
    "write_message",
]
