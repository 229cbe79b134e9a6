"""Aligned text for a terminal."""

import textwrap

WIDTH = 100


def pairs(rows):
    """Lines of ``name  value``, values aligned, long ones wrapped.

    Examples
    --------
    >>> print("\\n".join(pairs([("writers", 3), ("in both roles", 1)])))
      writers        3
      in both roles  1
    """
    width = max((len(name) for name, _ in rows), default=0) + 4
    return [
        textwrap.fill(
            str(value),
            WIDTH,
            initial_indent=f"  {name}".ljust(width),
            subsequent_indent=" " * width,
            break_long_words=False,
        ).replace("\N{NO-BREAK SPACE}", " ")
        for name, value in rows
    ]


def table(header, rows):
    """Lines of a table, its first column to the left and the others to the right.

    Examples
    --------
    >>> print("\\n".join(table(["", "yes", "no"], [["mindful", 12, 3]])))
               yes  no
      mindful   12   3
    """
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            ["", row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in cells
    ]


def section(title, lines):
    """A title and its lines, after a blank one; without lines it says none."""
    return ["", title, *lines] if lines else ["", f"{title}: none"]


def spread(counted):
    """How often each number occurs, ``{"1": 700, "2": 90}``, as ``1: 700, 2: 90``."""
    items = sorted(counted.items(), key=lambda item: int(item[0]))
    # A no-break space keeps a number with its count when the line is wrapped.
    return ", ".join(f"{value}:\N{NO-BREAK SPACE}{count:,}" for value, count in items) or "none"
