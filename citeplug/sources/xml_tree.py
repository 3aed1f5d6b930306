"""XML of arXiv's services, read as a tree within bounds: a reply's size is bounded before, and it has no entities."""

import re
from xml.etree import ElementTree

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


def read_xml(text: str, root: str, kind: str) -> ElementTree.Element:
    """The root of a document, named `root`. Raises NotAFeed.

    Refused are documents that are cut short, whose root has another name (they are then no `kind`), or that declare a
    document type, and with it entities.
    """
    try:
        tree = ElementTree.fromstring(text.encode("utf-8", "replace"), ElementTree.XMLParser(target=_Builder()))
    except ElementTree.ParseError as error:
        raise NotAFeed("it is not XML, or it is truncated or damaged") from error
    if tree.tag != root:
        raise NotAFeed(f"it is a web page or something else, not {kind}")
    return tree


class _Builder(ElementTree.TreeBuilder):
    def doctype(self, *_: object) -> None:
        raise NotAFeed("it declares a document type, as web pages do")
