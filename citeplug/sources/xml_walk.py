"""XML of arXiv's services, read in one pass and without a tree: no reply takes much more memory than its own size."""

import re
from collections.abc import Callable
from typing import Any
from xml.parsers import expat

_DEEPEST = 20  # a feed is four deep, an OAI record seven
_DECLARATION = re.compile(r"^\ufeff?\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(r"encoding\s*=\s*[\"']([\w.-]+)[\"']")
_FORBIDDEN = re.compile(r"\x1b\[[\d;]*[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class NotAFeed(Exception):
    """The bytes are no whole document of the kind that was asked for, or one that nobody should read."""


def xml_text(body: bytes) -> str:
    """The text of an XML document, without declaration and stray control characters. Raises NotAFeed."""
    declaration = _DECLARATION.match(body[:200].decode("utf-8", "replace"))
    declared = _ENCODING.search(declaration[0]) if declaration else None
    encoding = declared[1] if declared else "utf-8"
    if encoding.lower() not in ("utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1"):
        raise NotAFeed(f"it is in {encoding}")
    text = body.decode("utf-8" if "ascii" in encoding.lower() else encoding, "replace")
    # Stray control characters make XML unreadable as a whole; without them only they are lost.
    return _FORBIDDEN.sub("", _DECLARATION.sub("", text, count=1).lstrip("\ufeff \t\r\n"))


def walk(
    text: str,
    root: str,
    kind: str,
    start: Callable[[list[str], dict[str, str]], None],
    end: Callable[[list[str], str], None],
) -> None:
    """Call `start` at each element that opens and `end` at each that closes, with its path from the root down.

    Names are "namespace local". `start` is given the attributes too, `end` the text since the last tag. Raises NotAFeed
    for a document that is cut short, whose root is not `root` (it is then no `kind`), or that declares a document
    type, and with it entities.
    """
    path: list[str] = []
    heard: list[str] = []

    def opened(name: str, attributes: dict[str, str]) -> None:
        if not path and name != root:
            raise NotAFeed(f"it is a web page or something else, not {kind}")
        if len(path) >= _DEEPEST:
            raise NotAFeed("its elements are nested too deeply")
        path.append(name)
        heard.clear()
        start(path, attributes)

    def closed(_name: str) -> None:
        end(path, "".join(heard))
        path.pop()
        heard.clear()

    def refuse(*_: Any) -> None:
        raise NotAFeed("it declares a document type, as web pages do")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = heard.append
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise NotAFeed("it is cut short or damaged" if path else "it is not XML") from error
