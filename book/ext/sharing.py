"""What the website shows to others: a page for a wrong address, a sitemap, cards for links.

Sitemap and cards name whole addresses, so they are made once the book's own is known
(``html: baseurl`` in _config.yml), and left out before.
"""

from __future__ import annotations

import html
import textwrap
from pathlib import Path

import shell
from sphinx.application import Sphinx

CARD = (1200, 630)
INK, SOFT, PAPER, ACCENT = "#1e2530", "#55606e", "#ffffff", "#0b5a7a"


def site_address(app: Sphinx) -> str:
    """The book's own address with a slash at its end, or an empty text."""
    address = app.config.html_baseurl
    return f"{address.rstrip('/')}/" if address else ""


def extra_pages(app: Sphinx):
    """The page that the site's first address leads from, and the one for a wrong address."""
    if app.config.root_doc != "index":
        yield "index", {}, "start.html"
    assets = Path(app.srcdir, "book", "assets")
    styles = ["book.css", "content.css"]
    context = {
        "title": "Page not found",
        "site_root": site_address(app),
        # A browser asks for files before it knows where this page's root is.
        "own_style": "\n".join((assets / name).read_text(encoding="utf-8") for name in styles),
        "own_script": (assets / "book.js").read_text(encoding="utf-8"),
    }
    yield "404", context, "404.html"


def address_card(app: Sphinx, pagename: str, template: str, context: dict, doctree: object) -> None:
    """Give a page the address of its card."""
    if site_address(app) and pagename in app.env.found_docs:
        context["card_url"] = f"{site_address(app)}_static/cards/{_card_name(pagename)}"


def _card_name(pagename: str) -> str:
    return f"{pagename.replace('/', '-')}.png"


def write(app: Sphinx, problem: Exception | None) -> None:
    """Write the sitemap and the cards."""
    address = site_address(app)
    if problem is not None or app.builder.name != "html" or not address:
        return
    pages = shell.reading_order(app.env)
    lines = [
        f"  <url><loc>{html.escape(address + app.builder.get_target_uri(page))}</loc></url>"
        for page in pages
    ]
    Path(app.outdir, "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "\n".join(lines)
        + "\n</urlset>\n",
        encoding="utf-8",
    )
    folder = Path(app.outdir, "_static", "cards")
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        title = app.env.titles[page].astext()
        draw_card(title, app.config.html_title, folder / _card_name(page))


def draw_card(title: str, book: str, target: Path) -> None:
    """Draw the picture that stands beside a link to a page: its title, and the book's below."""
    from matplotlib import get_data_path
    from PIL import Image, ImageDraw, ImageFont

    fonts = Path(get_data_path(), "fonts", "ttf")
    card = Image.new("RGB", CARD, PAPER)
    draw = ImageDraw.Draw(card)
    draw.rectangle((0, 0, 24, CARD[1]), fill=ACCENT)
    lines = textwrap.wrap(title, width=26)[:4]
    large = ImageFont.truetype(fonts / "DejaVuSans-Bold.ttf", 62)
    small = ImageFont.truetype(fonts / "DejaVuSerif.ttf", 36)
    draw.multiline_text((90, 90), "\n".join(lines), fill=INK, font=large, spacing=18)
    if book != title:
        draw.text((90, CARD[1] - 120), book, fill=SOFT, font=small)
    card.save(target, optimize=True)


def setup(app: Sphinx) -> None:
    """Connect the steps."""
    app.connect("html-collect-pages", extra_pages)
    app.connect("html-page-context", address_card)
    app.connect("build-finished", write)
