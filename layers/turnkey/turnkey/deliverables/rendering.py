"""Drawing a chart: the one place that loads the renderer, 88 MB with a JavaScript engine in it, and the fonts."""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

from turnkey.deliverables.glyphs import with_fonts
from turnkey.errors import DrawingFailed

_FONT_PACKAGES = ("noto_cjk_sans_otc", "manimgx_fonts", "fontpkg_cairo")
_FONT_FILES = (".ttf", ".otf", ".ttc")
_LARGEST_SPEC = 300_000
_LARGEST_SVG = 2_000_000
_MOST_PIXELS = 8_000_000
_SCALE = 2.0
_SIZE = re.compile(r'<svg\b[^>]*?\swidth="([\d.]+)"[^>]*?\sheight="([\d.]+)"')
_ELEMENTS = frozenset(
    {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "title", "desc", "defs", "clipPath"}
)
_REFERRING = frozenset({"fill", "stroke", "style", "filter", "mask", "clip-path"})
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#)", re.IGNORECASE)


def render(spec: dict[str, Any]) -> tuple[bytes, str]:
    """A PNG at twice the specification's size and an SVG of it, from a Vega-Lite specification whose data is inline.

    Nothing is fetched, whatever the specification says; the SVG holds no scripts and refers to nothing outside it.
    `usermeta.language` decides the forms of Chinese characters. Raises DrawingFailed."""
    if len(str(spec)) > _LARGEST_SPEC:
        raise DrawingFailed(f"The chart's specification has more than {_LARGEST_SPEC:,} characters: draw fewer groups.")
    renderer = _renderer()
    try:
        svg = str(renderer.vegalite_to_svg(spec, allowed_base_urls=[]))
        svg = with_fonts(_checked(svg), str(spec.get("usermeta", {}).get("language", "")))
        return bytes(renderer.svg_to_png(svg, scale=_scale(svg))), svg
    except (ValueError, ElementTree.ParseError) as error:
        raise DrawingFailed(f"The chart could not be drawn: {str(error)[:300]}") from error


@cache
def _renderer() -> ModuleType:
    """The renderer with the fonts registered, once a process."""
    try:
        import vl_convert
    except ImportError as error:
        raise DrawingFailed(
            "The package vl-convert-python is missing: this function needs the charts layer."
        ) from error
    for folder in font_folders():
        vl_convert.register_font_directory(str(folder))
    return vl_convert


def font_folders() -> list[Path]:
    """The folders with the fonts, wherever their packages are installed. Raises DrawingFailed where one is missing:
    a chart of empty boxes must not be sent."""
    folders: list[Path] = []
    for package in _FONT_PACKAGES:
        found = find_spec(package)
        roots = list(found.submodule_search_locations or ()) if found else []
        files = [file for root in roots for file in sorted(Path(root).rglob("*")) if file.suffix in _FONT_FILES]
        if not files:
            raise DrawingFailed(
                f"The font package {package} is missing or empty: this function needs the charts layer."
            )
        folders += dict.fromkeys(file.parent for file in files)
    return folders


def _checked(svg: str) -> str:
    if len(svg) > _LARGEST_SVG:
        raise DrawingFailed(f"The chart's picture has {len(svg):,} characters: draw fewer groups.")
    # The renderer's own output, in which no entities are declared.
    for element in ElementTree.fromstring(svg).iter():  # noqa: S314
        if not _is_harmless(element):
            raise DrawingFailed(f"The chart's picture would hold {element.tag!r}, which may fetch or run something.")
    return svg


def _is_harmless(element: ElementTree.Element) -> bool:
    """Whether the element is drawn from what stands in the picture itself, and does nothing."""
    names = [_local(name) for name in element.keys()]  # noqa: SIM118
    acts = any(name.startswith("on") or name == "href" for name in names)
    fetches = any(_OUTSIDE.search(value) for name, value in element.items() if _local(name) in _REFERRING)
    return _local(element.tag) in _ELEMENTS and not acts and not fetches


def _local(name: str) -> str:
    return name.rsplit("}", 1)[-1]


def _scale(svg: str) -> float:
    """Twice the size, less where the picture would be too large for a channel."""
    found = _SIZE.search(svg)
    pixels = float(found[1]) * float(found[2]) if found else 0.0
    return min(_SCALE, (_MOST_PIXELS / pixels) ** 0.5) if pixels else _SCALE
