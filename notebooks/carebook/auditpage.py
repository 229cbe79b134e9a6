"""The audit as a page of its own: one file, with its figures in it, that asks no other host.

The page holds counts and shares. No text from the data stands on it and nobody is named, so it can
be handed in with a report; words that come from a file (names of fields, spellings) are shown as
words, whatever markup is in them. The page of data that can't be used is another thing: it says
what is wrong in which record.
"""

import base64
import html
import os
import tempfile
from collections import Counter
from pathlib import Path

from carebook.audit import AS_EXPECTED, DIFFERS, NOTE, PARTS, summary
from carebook.places import what_is
from carebook.quoting import shown_departures
from carebook.records import safe

MADE_BY = '<meta name="generator" content="carebook check">'

_WORDS = {AS_EXPECTED: "as expected", DIFFERS: "differs", NOTE: "keep in mind"}

_STYLE = """
body { font: 1.05rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem;
  color: #1e2530; background: #fff; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid #ccd;
  overflow-wrap: break-word }
th:last-child, td:last-child { white-space: nowrap }
@media (max-width: 40rem) {
  table, tbody, tr, tbody th, td { display: block } thead { display: none }
  tr { border-top: 1px solid #ccd } tbody th, td { border: 0; padding: .15rem .6rem }
  tbody td:last-child { font-style: italic; padding-bottom: .6rem }
}
.differs { background: #fdeee6 } .note { background: #f3f6fa }
img { max-width: 100%; height: auto }
pre { white-space: pre-wrap; background: #f3f6fa; padding: 1rem }
figure { margin: 1.5rem 0 } figcaption { color: #46505d }
"""

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


class NotWritten(ValueError):
    """The page can't go where it should; the message says why."""


def page(audits, problems=()):
    """Return the audit of one or both data sets as the text of an HTML page.

    Parameters
    ----------
    audits : dict
        Title -> (what the loader returned, its checks).
    problems : sequence of str, optional
        The lines that `check` prints about data that can't be used.

    Returns
    -------
    str
        Whole and self-contained: figures are in it, scripts are not, and it loads nothing.
    """
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        MADE_BY,
        f"<title>Data audit</title><style>{_STYLE}</style></head><body><main>",
        "<h1>Data audit</h1>",
        "<p>Scope, values, relationships, use: what was asked of the data, what was found, and "
        "what follows for an analysis. Chapter numbers are those of the book.</p>",
    ]
    if problems:
        told = "\n".join(_shown(line) for line in problems)
        parts += ["<h2>What can't be used as it stands</h2>", f"<pre>{told}</pre>"]
    for title, (data, checks) in audits.items():
        parts += [f"<h2>{_shown(title)}</h2>", *_about(data.source), f"<p>{summary(checks)}</p>"]
        for part in PARTS:
            parts += _table(part, [check for check in checks if check.part == part])
        parts += ["<h3>Figures</h3>", *map(_figure, _figures(data))]
        if data.accepted:
            told = shown_departures(data)
            accepted = "".join(f"<li>{_shown(sentence)}</li>" for sentence in told)
            parts += ["<h3>Departures accepted in exceptions.toml</h3>", f"<ul>{accepted}</ul>"]
    return "\n".join([*parts, "</main></body></html>\n"])


def _shown(text):
    return html.escape(safe(str(text)))


def _about(source):
    made_up = (
        "All of it is synthetic: made by a program, about nobody."
        if source.synthetic
        else "These are records of people. Their licence limits what may be done with them."
    )
    # The file of one sample is called by its identifier: then the folders are named instead.
    folders = Counter(name.rpartition("/")[0] for name in source.files)
    names = list(source.files)
    if source.layout == "per sample":
        names = [f"{place}/: {n:,} file{'s' * (n != 1)}" for place, n in folders.items()]
    files = ", ".join(map(_shown, names))
    about = f"{_shown(source.name)}, layout: {_shown(source.layout)} ({files})"
    yield f"<p>{about}. {made_up}</p>"


def _table(part, checks):
    if not checks:
        return
    yield f"<h3>{part.capitalize()}</h3><table><thead><tr>"
    yield "".join(f'<th scope="col">{name}</th>' for name in ("Question", "Found", "So", "Verdict"))
    yield "</tr></thead><tbody>"
    for check in checks:
        chapter = f" (chapter {check.chapter})" if check.chapter and check.consequence else ""
        expected = f"<br>expected: {_shown(check.expected)}" if check.expected else ""
        yield (
            f'<tr class="{check.verdict.split()[0]}"><th scope="row">{_shown(check.question)}</th>'
            f"<td>{_shown(check.found)}{expected}</td>"
            f"<td>{_shown(check.consequence)}{chapter}</td><td>{_WORDS[check.verdict]}</td></tr>"
        )
    yield "</tbody></table>"


def _figures(data):
    from carebook import figures

    if hasattr(data, "judgements"):
        yield figures.skill_labels(data.judgements, source=data.source)
        return
    yield figures.recurrence(data.annotations, source=data.source)
    if data.people[["Openness", "Openness_stored"]].notna().all(axis=None):
        yield figures.stored_and_recomputed(data.people, source=data.source)
    answers = data.annotations.melt(
        "perspective", ["positive_level", "negative_level"], "side", "value"
    ).dropna()
    scales = {"positive": figures.POSITIVE_SCALE, "negative": figures.NEGATIVE_SCALE}
    for side, scale in scales.items():
        table = answers.loc[answers["side"] == f"{side}_level", ["perspective", "value"]]
        if len(table):
            table = table.reset_index(drop=True)
            name = f"{side} intensity"
            yield figures.answer_distribution(table, name=name, scale=scale, source=data.source)


def _figure(described):
    image = base64.b64encode(described.png()).decode("ascii")
    alt = html.escape(described.alt)
    return (
        f'<figure><img alt="{alt}" src="data:image/png;base64,{image}">'
        f"<figcaption>{alt}</figcaption></figure>"
    )


def write_page(path, text):
    """Write the page, whole or not at all, over nothing but an earlier page of ours.

    Raises
    ------
    NotWritten
        If something else stands there, or the place can't be written to.
    """
    path = Path(path).expanduser()
    kind = what_is(path)
    if kind not in ("", "file"):
        found = "a folder" if kind == "folder" else kind
        raise NotWritten(f"{path} is {found}: nothing was written. Name a file ending in .html.")
    try:
        if kind == "file" and MADE_BY not in path.read_text(encoding="utf-8", errors="replace"):
            raise NotWritten(
                f"{path} is another file, and stays as it is: name one that isn't there yet."
            )
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".audit-", suffix=".part")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(unfinished, 0o644)
            os.replace(unfinished, path)
        except OSError:
            os.unlink(unfinished)
            raise
    except OSError as error:
        raise NotWritten(
            f"{path}: it could not be written ({error.strerror}). Name a place that you may write "
            "to."
        ) from None
