"""Render the template of a name with values, as a page that needs nothing from elsewhere.

Templates are in the folder `templates`; what is put into them is escaped, and a name that they do
not get is an error. `theme.css` is what pages share with the page that `kibitz web` serves.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.wording import side_name

if TYPE_CHECKING:
    from jinja2 import Environment


_FOLDER = Path(__file__).parent
THEME_CSS = _FOLDER / "theme.css"

_PICTURE_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_page(kind: str, **values: object) -> str:
    """Fill in the template of a kind of page; pictures in it share one style.

    >>> page = write_page("match", game="<b>", figures=[("<svg></svg>", "Start")])
    >>> "<h1>&lt;b&gt;</h1>" in page, "<svg></svg>" in page
    (True, True)
    """
    page = _templates().get_template(f"{kind}.html.j2").render(values)
    head, end, body = page.partition("</style>")
    styles = dict.fromkeys(_PICTURE_STYLE.findall(body))
    whole = "".join((head, *styles, end, _PICTURE_STYLE.sub("", body)))
    return _FORBIDDEN.sub("\ufffd", whole)


@cache
def _templates() -> Environment:
    # Imported late: most commands write no page.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = "".join((_FOLDER / name).read_text("utf-8") for name in ("theme.css", "page.css"))
    made.globals["style"] = Markup(style)
    made.filters["count"] = "{:,}".format
    made.filters["side"] = side_name
    made.filters["fixed"] = lambda value, digits=0: f"{value:.{digits}f}"
    return made
