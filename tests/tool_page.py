"""A page with one practice tool on it, put together as the website does, without building it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from carebook.tools import base

ROOT = Path(__file__).resolve().parents[1]
STAGED = ROOT / "_build" / "javascript" / "site" / "widgets"

PAGE = """<!doctype html>
<html lang="en" class="js">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>A tool</title><link rel="icon" href="data:,">
{styles}
</head>
<body><main class="frame" style="display: block"><article>
<h1>A tool</h1><h2>Practice</h2><h3>The tool</h3>
<script type="application/vnd.jupyter.widget-state+json">{state}</script>
<div class="output"><script type="application/vnd.jupyter.widget-view+json">{view}</script></div>
</article></main>
<script src="_static/widgets.js"></script>
</body></html>
"""


def write_page(folder: Path, tool: base.Tool) -> Path:
    """Write ``index.html`` that shows a tool from saved widget state; return the folder."""
    from ipywidgets.embed import embed_data

    static = folder / "_static"
    shutil.copytree(ROOT / "book" / "assets", static)
    shutil.copytree(STAGED, static / "widgets")
    saved = embed_data(views=[tool.widget], drop_defaults=False)
    styles = "".join(
        f'<link rel="stylesheet" href="_static/{path.name}"'
        f"{' media=print' if path.stem == 'print' else ''}>"
        for path in sorted(static.glob("*.css"))
    )
    page = PAGE.format(
        styles=styles,
        state=json.dumps(saved["manager_state"]),
        view=json.dumps(saved["view_specs"][0]),
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
    return folder
