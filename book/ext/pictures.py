"""Images of the pages: their size, a smaller twin in WebP, and loading them when they come near."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import unquote

from PIL import Image

IMAGE = re.compile(r"<img\b[^>]*>")
ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
#: The link to the file itself that docutils puts around an image with a size.
SELF_LINK = re.compile(
    r'<a class="[^"]*image-reference[^"]*" href="[^"]*">\s*(<img\b[^>]*>)\s*</a>'
)
PIXELS = re.compile(r"(width|height):\s*([\d.]+)px")
WITH_TWIN = {".png", ".jpg", ".jpeg"}


def with_sizes(builder, pagename: str, body: str) -> str:
    """Rewrite the images of a page's body: known size, late loading, a twin where it's smaller."""
    body = SELF_LINK.sub(r"\1", body)
    sources = {name: Path(builder.srcdir, source) for source, name in builder.images.items()}

    def rewrite(found: re.Match) -> str:
        attributes = dict(ATTRIBUTE.findall(found.group()))
        address = html.unescape(attributes.get("src", ""))
        source = sources.get(unquote(address.rpartition("/")[2]))
        if source is None or "_images/" not in address:
            return found.group()
        return picture(attributes, source, Path(builder.outdir, "_images"))

    return IMAGE.sub(rewrite, body)


def picture(attributes: dict[str, str], source: Path, folder: Path) -> str:
    """The markup of one image, whose smaller twin is written to the folder."""
    attributes.update(size_shown(attributes, source))
    attributes.pop("style", None)
    attributes.update(loading="lazy", decoding="async")
    image = "<img " + " ".join(f'{name}="{value}"' for name, value in attributes.items()) + ">"
    name = Path(unquote(html.unescape(attributes["src"]))).name
    twin = smaller_twin(source, folder / f"{name}.webp")
    if twin is None:
        return image
    address = f"{attributes['src']}.webp"
    return f'<picture><source type="image/webp" srcset="{address}">{image}</picture>'


def size_shown(attributes: dict[str, str], source: Path) -> dict[str, str]:
    """Width and height in which an image is shown: as asked for, else its own."""
    asked = dict(PIXELS.findall(attributes.get("style", "")))
    asked.update({name: attributes[name] for name in ("width", "height") if name in attributes})
    if source.suffix == ".svg":
        return asked
    with Image.open(source) as opened:
        width, height = opened.size
    if "width" in asked:
        shown = float(asked["width"].removesuffix("px"))
        return {"width": f"{shown:.0f}", "height": f"{shown * height / width:.0f}"}
    return {"width": str(width), "height": str(height)}


def smaller_twin(source: Path, target: Path) -> Path | None:
    """Write an image as WebP without loss, and keep it where that is smaller."""
    if source.suffix.lower() not in WITH_TWIN:
        return None
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with Image.open(source) as opened:
            opened.save(target, "WEBP", lossless=True, quality=70, method=4)
    return target if target.stat().st_size < source.stat().st_size else None
