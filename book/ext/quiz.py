"""A question with choices, each with its own explanation: the directive ``quiz``.

.. code-block:: markdown

    :::{quiz} Two people read one message; one is angry, one relieved. What differs?
    - wrong: The event.
      - Both read the same words.
    - right: What the event means to them.
      - An emotion follows from the evaluation.
    - unsure: I don't know yet.
      - Then read the section on appraisals first.
    :::

The question may go on in paragraphs before the list. A choice starts with ``right:``, ``wrong:`` or
``unsure:``; what stands below it, indented, is shown when a reader picks it. Before it the page
says whether the choice was right; of a reader who is unsure it says nothing. No script is needed.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

MARK = re.compile(r"\s*(right|wrong|unsure):\s*")
VERDICTS = {"right": "Right.", "wrong": "Not quite.", "unsure": None}
#: What an explanation must not begin with, because the page has just said it.
SAID_TWICE = re.compile(r"(right|not quite|yes|no|wrong|correct|true|exactly)\b[^\w\s]", re.I)


class quiz(nodes.General, nodes.Element):
    """A question and its choices."""


class quiz_choice(nodes.General, nodes.Element):
    """One choice: its words, then its explanation."""


class quiz_words(nodes.TextElement):
    """The words of a choice."""


class Quiz(SphinxDirective):
    """A question, then a list of choices marked as right, wrong or unsure."""

    required_arguments = 0
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"name": str}

    def run(self) -> list[nodes.Node]:
        content = nodes.container()
        if self.arguments:
            words, problems = self.state.inline_text(self.arguments[0], self.lineno)
            content += nodes.paragraph("", "", *words, *problems)
        self.state.nested_parse(self.content, self.content_offset, content)
        lists = [each for each in content.children if isinstance(each, nodes.bullet_list)]
        if len(lists) != 1 or content.children[-1] is not lists[0]:
            raise self.error("A quiz is a question and then one list of choices, and nothing else.")
        if len(content.children) < 2:
            raise self.error("A quiz needs a question: write it after {quiz}, or above the list.")
        choices = [self.choice(item) for item in lists[0].children]
        right = sum(choice["right"] for choice in choices)
        if len(choices) < 2 or not right:
            raise self.error("A quiz needs two choices or more, and one of them right.")
        number = self.env.new_serialno("quiz") + 1
        made = quiz(number=number, several=right > 1)
        made += content.children[:-1]
        for choice in choices:
            # Only one explanation stands open at a time, unless more than one choice is right.
            choice["group"] = "" if right > 1 else f"quiz-{number}"
            made += choice
        self.set_source_info(made)
        self.add_name(made)
        return [made]

    def choice(self, item: nodes.list_item) -> quiz_choice:
        """One entry of the list as a choice."""
        words = item.children[0] if item.children else nodes.paragraph()
        mark = MARK.match(words.astext())
        first = next(iter(words.findall(nodes.Text)), None)
        if not isinstance(words, nodes.paragraph) or mark is None or first is None:
            raise self.error(
                f'The choice "{item.astext()[:40]}" has to start with "right:", '
                '"wrong:" or "unsure:".'
            )
        if len(item.children) < 2:
            raise self.error(
                f'The choice "{words.astext()}" has no explanation: write it below, indented.'
            )
        first.parent.replace(first, nodes.Text(MARK.sub("", first.astext(), count=1)))
        verdict = mark.group(1)
        made = quiz_choice(right=verdict == "right", classes=["choice", verdict])
        made += quiz_words("", "", *words.children)
        explanation = nodes.container(classes=["explanation"])
        below = item.children[1:]
        if len(below) == 1 and isinstance(below[0], nodes.bullet_list):
            below = [part for entry in below[0].children for part in entry.children]
        explanation += below
        if SAID_TWICE.match(explanation.astext()):
            raise self.error(
                f'The explanation "{explanation.astext()[:40]}" begins with a verdict, which the '
                "page puts before it by itself: leave that word out."
            )
        if VERDICTS[verdict] is None:
            made += explanation
            return made
        verdict_words = nodes.strong("", VERDICTS[verdict])
        if isinstance(explanation.children[0], nodes.paragraph):
            explanation.children[0].insert(0, [verdict_words, nodes.Text(" ")])
        else:
            explanation.insert(0, nodes.paragraph("", "", verdict_words))
        made += explanation
        return made


def visit_quiz(self, node: quiz) -> None:
    name = f"Question {node['number']}"
    self.body.append(self.starttag(node, "div", CLASS="quiz", role="group", **{"aria-label": name}))
    hint = "More than one answer is right." if node["several"] else "Choose an answer."
    self.body.append(f'<p class="quiz-label">Check yourself <span>{hint}</span></p>\n')


def depart_quiz(self, node: quiz) -> None:
    self.body.append("</div>\n")


def visit_choice(self, node: quiz_choice) -> None:
    group = {"name": node["group"]} if node["group"] else {}
    self.body.append(self.starttag(node, "details", **group))


def depart_choice(self, node: quiz_choice) -> None:
    self.body.append("</details>\n")


def visit_words(self, node: quiz_words) -> None:
    # One element, so that emphasis in it stays part of the line.
    self.body.append("<summary><span>")


def depart_words(self, node: quiz_words) -> None:
    self.body.append("</span></summary>\n")


def setup(app: Sphinx) -> None:
    """Register the directive and its nodes."""
    app.add_node(quiz, html=(visit_quiz, depart_quiz))
    app.add_node(quiz_choice, html=(visit_choice, depart_choice))
    app.add_node(quiz_words, html=(visit_words, depart_words))
    app.add_directive("quiz", Quiz)
