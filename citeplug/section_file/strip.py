"""Removal of citeplug's comments from a section, for a submission: arXiv publishes sources with their comments."""

import re

_DIRECTIVE = re.compile(r"[ \t]*%+[ \t]*citeplug[ \t]*:([ \t]*)(.*?)[ \t]*", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_KNOWN = re.compile(r"\d+\b|(?:begin|end|heading|ignore|ignore-file|keep|note)\b")
_BOM = "\ufeff"


def strip_comments(text: str) -> str:
    """Return `text` without citeplug's comment lines, of any grammar; every other line stays byte for byte.

    In a block, every line that begins with `% citeplug:` is citeplug's. Outside, such a line with a space and then
    other words is a remark of the author's, and stays. Blank lines between removed lines become one.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    kept: list[str] = []
    inside = removed = False
    for line in _LINE.findall(text[len(mark) :]):
        directive = _DIRECTIVE.fullmatch(line.rstrip("\r\n"))
        if directive is not None and (inside or not directive[1] or _KNOWN.match(directive[2])):
            word = directive[2].partition(" ")[0].lower()
            inside = word == "begin" or (inside and word != "end")
            removed = True
        elif not (removed and not line.strip() and kept and not kept[-1].strip()):
            kept.append(line)
            removed = False
    return mark + "".join(kept)
