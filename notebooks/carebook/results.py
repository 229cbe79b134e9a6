"""Sentences that state a result: made by code, so that they follow the data.

A chapter never types a number that it has computed. A cell builds the sentence from the numbers
and returns :func:`result`, which shows as Markdown on the website, in JupyterLab and in the
browser alike. The small formatters here keep every number of the book looking the same.
"""

import math
import re

from carebook.quoting import shown_departures

HIGHER, LOWER, UNCLEAR = "higher", "lower", "can't tell"

MINUS = "\N{MINUS SIGN}"
NO_VALUE = "no value"


class Result:
    """A piece of Markdown that a notebook shows as text; ``str()`` gives the source back."""

    def __init__(self, text):
        self.text = str(text)

    def __repr__(self):
        return self.text

    def _repr_markdown_(self):
        return self.text


def result(text):
    """Show ``text`` as a result paragraph.

    Parameters
    ----------
    text : str
        Markdown. Lines may be indented as the code around them is: common indentation goes.

    Returns
    -------
    Result
        The last line of a cell; a notebook renders it as Markdown.

    Raises
    ------
    ValueError
        If the text is empty: an empty paragraph would go unnoticed on the page.

    Examples
    --------
    >>> result(f"Observers rated control {number(0.314)} points lower.")
    Observers rated control 0.31 points lower.
    """
    tidy = "\n".join(line.strip() for line in str(text).strip().splitlines())
    if not tidy:
        raise ValueError("result() got no text. Build the sentence first, then pass it on.")
    return Result(tidy)


def verdict(low, high, null=0.0):
    """Say which side of ``null`` a whole interval lies on.

    Parameters
    ----------
    low, high : float
        Ends of an interval, in the units of the thing estimated.
    null : float, default 0.0
        The value that means "no difference".

    Returns
    -------
    str
        ``"higher"`` if the interval lies above ``null``, ``"lower"`` if below, ``"can't tell"`` if
        it holds ``null`` or an end is missing. It speaks of the sign, never of importance.

    Raises
    ------
    ValueError
        If ``low`` is above ``high``.

    Examples
    --------
    >>> verdict(0.1, 0.4), verdict(-0.4, -0.1), verdict(-0.1, 0.4)
    ('higher', 'lower', "can't tell")
    >>> verdict(0.55, 0.62, null=0.5)
    'higher'
    """
    if low > high:
        raise ValueError(
            f"An interval from {low} to {high} ends before it starts: swap the two numbers."
        )
    if low > null:
        return HIGHER
    if high < null:
        return LOWER
    return UNCLEAR


def wording(outcome, *, higher, lower, unclear):
    """Choose the text that belongs to a verdict: each of the three outcomes has its own.

    Parameters
    ----------
    outcome : str
        What :func:`verdict` returned.
    higher, lower, unclear : str
        The sentence or paragraph for each outcome.

    Raises
    ------
    ValueError
        If ``outcome`` is no verdict.

    Examples
    --------
    >>> wording(verdict(0.1, 0.4), higher="They rate it higher.", lower="They rate it lower.",
    ...         unclear="The interval holds zero: these data do not decide.")
    'They rate it higher.'
    """
    texts = {HIGHER: higher, LOWER: lower, UNCLEAR: unclear}
    if outcome not in texts:
        raise ValueError(f"{outcome!r} is no verdict: pass what verdict(low, high) returned.")
    return texts[outcome]


def number(value, digits=2):
    """Write a number the way the whole book does.

    Parameters
    ----------
    value : float or int
        A whole number (an ``int``) is a count and is written without decimals.
    digits : int, default 2
        Decimals of anything that is no count.

    Returns
    -------
    str
        With thousands commas, a real minus sign and no "minus zero"; ``"no value"`` if missing.

    Examples
    --------
    >>> number(2500), number(0.3149), number(-0.5, digits=1), number(-0.001)
    ('2,500', '0.31', '−0.5', '0.00')
    >>> number(float("nan"))
    'no value'
    """
    if _is_missing(value):
        return NO_VALUE
    if _is_whole(value):
        text = f"{int(value):,}"
    else:
        text = f"{float(value):,.{digits}f}"
        if float(text.replace(",", "")) == 0:
            text = text.lstrip("-")
    return text.replace("-", MINUS)


def percent(share, digits=0):
    """Write a share of 1 as a percentage.

    A share that is not quite nothing or not quite all never rounds to 0% or 100%.

    Parameters
    ----------
    share : float
        0.25 means a quarter. A difference of shares may be negative.
    digits : int, default 0
        Decimals of the percentage.

    Examples
    --------
    >>> percent(0.254), percent(0.254, digits=1), percent(0.001), percent(0.999), percent(1)
    ('25%', '25.4%', 'under 1%', 'over 99%', '100%')
    """
    if _is_missing(share):
        return NO_VALUE
    step = 10.0**-digits
    rounded = round(100 * float(share), digits)
    if 0 < share < 1 and rounded <= 0:
        return f"under {step:.{digits}f}%"
    if 0 < share < 1 and rounded >= 100:
        return f"over {100 - step:.{digits}f}%"
    return number(float(rounded), digits) + "%"


def difference(value, noun="points", digits=2, more="higher", less="lower", same="no different"):
    """Write how much more or less something is; what rounds to nothing has words of its own.

    Parameters
    ----------
    value : float
        The difference, with its sign.
    noun : str, default "points"
        Its unit.
    digits : int, default 2
        Decimals of the size.
    more, less, same : str
        What is written after a size above or below zero, and instead of a size that rounds to zero.

    Examples
    --------
    >>> difference(0.314), difference(-0.5, digits=1), difference(-0.004)
    ('0.31 points higher', '0.5 points lower', 'no different')
    """
    if _is_missing(value):
        return NO_VALUE
    size = number(abs(float(value)), digits)
    if float(size.replace(",", "")) == 0:
        return same
    return f"{size} {noun} {more if value > 0 else less}"


def interval(low, high, digits=2):
    """Write the two ends of an interval.

    Examples
    --------
    >>> interval(-0.0512, 0.25)
    '−0.05 to 0.25'
    """
    return f"{number(float(low), digits)} to {number(float(high), digits)}"


def estimate(value, low, high, digits=2):
    """Write an estimate with its 95% interval.

    Examples
    --------
    >>> estimate(0.1, -0.05, 0.25)
    '0.10 (95% interval −0.05 to 0.25)'
    """
    return f"{number(float(value), digits)} (95% interval {interval(low, high, digits)})"


def gap(row, digits=2):
    """Write a difference with its 95% interval; one that rounds to zero is named, not printed.

    Parameters
    ----------
    row : Series or mapping
        ``estimate``, ``low``, ``high``.
    digits : int, default 2
        Decimals.

    Examples
    --------
    >>> gap({"estimate": 0.1, "low": -0.05, "high": 0.25})
    '0.10 (95% interval −0.05 to 0.25)'
    >>> gap({"estimate": -0.001, "low": -0.05, "high": 0.05})
    'less than 0.01 (95% interval −0.05 to 0.05)'
    """
    size = number(float(row["estimate"]), digits)
    if not size.strip(f"{MINUS}0."):
        size = f"less than {number(10.0**-digits, digits)}"
    return f"{size} (95% interval {interval(row['low'], row['high'], digits)})"


def count_phrase(count, singular, plural=None):
    """Write a count with its noun in the right number.

    Parameters
    ----------
    count : int
        How many; zero reads "no".
    singular : str
        The noun for one.
    plural : str, optional
        The noun for more; ``singular`` with an "s" unless given.

    Examples
    --------
    >>> count_phrase(1, "narrative"), count_phrase(2500, "reading"), count_phrase(0, "reading")
    ('1 narrative', '2,500 readings', 'no readings')
    >>> count_phrase(3, "person", "people")
    '3 people'
    """
    noun = singular if count == 1 else (plural or singular + "s")
    return f"{number(int(count)) if count else 'no'} {noun}"


def list_phrase(items):
    """Write several things as one enumeration.

    Examples
    --------
    >>> list_phrase(["relevance", "certainty", "control"])
    'relevance, certainty and control'
    >>> list_phrase([])
    'none'
    """
    items = [str(item) for item in items]
    if len(items) < 2:
        return items[0] if items else "none"
    return ", ".join(items[:-1]) + " and " + items[-1]


_UNSAFE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters, terminal codes among them
    "\u202a-\u202e\u2066-\u2069"  # what turns the direction of the text around it
    "\ud800-\udfff]"  # halves of characters
)


def quoted(text):
    """Write a text from the data as a Markdown quotation that shows exactly what it says.

    Markup in the text is shown as text: asterisks, links, HTML and maths do nothing. Control
    characters, terminal codes and marks that turn the direction of text are written as escapes.

    Examples
    --------
    >>> print(quoted("I *never*\\nsaid <b>that</b>."))
    > I \\*never\\*
    > said \\<b\\>that\\<\\/b\\>\\.
    """
    harmless = _UNSAFE.sub(lambda m: m[0].encode("unicode_escape").decode(), str(text))
    lines = harmless.strip().splitlines() or [""]
    return "\n".join("> " + _inert(line.strip()) for line in lines)


def source_note(data):
    """Name the data in one sentence, and say so when they are synthetic.

    Parameters
    ----------
    data : CareBench or Imbue
        What a loader returned (or its ``source``).

    Returns
    -------
    str
        A sentence to close a result paragraph or a caption with.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> source_note(SimpleNamespace(label="CAREBench", synthetic=False))
    'Data: CAREBench.'
    """
    source = getattr(data, "source", data)
    sentences = [f"Data: {source.label}."]
    if source.synthetic:
        sentences.append(
            "A program made them, so the numbers show how the method works and are no finding "
            "about people."
        )
    accepted = shown_departures(data)
    if accepted:
        # An instructor's decisions are part of the result: whoever reads it has to know them.
        sentences.append("Departures from the documentation that were accepted for these data:")
        sentences.append("; ".join(_inert(departure.rstrip(".")) for departure in accepted) + ".")
    return " ".join(sentences)


def source_tag(data):
    """Name the data in brackets: for every result after the one that carries `source_note`.

    Parameters
    ----------
    data : CareBench or Imbue
        What a loader returned (or its ``source``).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> source_tag(SimpleNamespace(label="practice corpus (synthetic)", synthetic=True))
    '*[practice corpus (synthetic)]*'
    """
    return f"*[{getattr(data, 'source', data).label}]*"


def _inert(text):
    """Text whose markup does nothing: CommonMark takes a backslash before any punctuation."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def _is_missing(value):
    # pandas' own missing marker refuses to be compared or turned into a float.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return math.isnan(float(value))


def _is_whole(value):
    # numpy's integers register as numbers.Integral; a float never counts as whole, even 2.0.
    return hasattr(value, "__index__") and not isinstance(value, bool)
