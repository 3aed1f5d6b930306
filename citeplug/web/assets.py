"""The files that a page is made of: templates, and what a browser loads beside it.

An audit in a file is made of the templates, too, also where the server is not installed.
"""

import gzip
import re
from difflib import SequenceMatcher
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from citeplug.records.finding import advice
from citeplug.text.letters import capital

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_HERE = Path(str(files("citeplug.web")))
_KINDS = {".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript"}
_STATIC = (
    "review.css",
    "ask.css",
    "look.js",
    "review.js",
    "run.js",
    "drag.js",
    "pdf.css",
    "pdf.js",
    "pdfjs/pdf.min.mjs",
    "pdfjs/pdf.worker.min.mjs",
)


def templates() -> Environment:
    """The templates, which escape all that is put into them."""
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["apostrophes"] = partial(_APOSTROPHE.sub, "’")
    environment.filters["advice"] = advice
    environment.filters["capital"] = capital  # "ArXiv" would be no name
    environment.filters["changes"] = word_changes
    return environment


def word_changes(old: str, new: str) -> list[tuple[str, str]]:
    """The words of both texts in parts: `del` those of the old one alone, `ins` those of the new one, or the same."""
    before, now = old.split(), new.split()
    parts: list[tuple[str, str]] = []
    for what, start, end, first, last in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if what == "equal":
            parts.append(("", " ".join(before[start:end])))
        else:
            parts += [("del", " ".join(before[start:end])), ("ins", " ".join(now[first:last]))]
    return [part for part in parts if part[1]]


def static_routes() -> "list[Route]":
    """An address for each file that a page may ask for, and for no other."""
    from starlette.routing import Route

    routes = [Route(f"/static/{name}", partial(_static, name), methods=["GET"]) for name in _STATIC]
    return [*routes, Route("/favicon.ico", _no_icon, methods=["GET"])]


def _static(name: str, request: "Request") -> "Response":
    from starlette.responses import Response

    headers = {"Vary": "Accept-Encoding"}
    data = _HERE.joinpath("static", name).read_bytes()
    if "gzip" in request.headers.get("accept-encoding", ""):
        data, headers["Content-Encoding"] = _packed(data), "gzip"
    return Response(data, media_type=_KINDS[Path(name).suffix], headers=headers)


@cache
def _packed(data: bytes) -> bytes:
    return gzip.compress(data)


def _no_icon(request: "Request") -> "Response":
    from starlette.responses import Response

    return Response(status_code=204)
