"""A section without citeplug's comments, for a submission: who publishes sources publishes comments too."""

import re

_DIRECTIVE = re.compile(r"[ \t]*%+[ \t]*citeplug[ \t]*:([ \t]*)(.*?)[ \t]*", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_KNOWN = re.compile(r"\d+\b|(?:begin|end|heading|keep|note)\b")
_BOM = "\ufeff"


def strip_comments(text: str) -> str:
    """`text` without the comment lines of citeplug's (grammar 1); every other line stays as it is, byte for byte.

    Within a block every line that begins with `% citeplug:` is citeplug's. Outside, a line that has a space there and
    then other words is a remark of the author's, and stays. Blank lines between what was taken out become one.
    """
    mark = _BOM if text.startswith(_BOM) else ""
    kept: list[str] = []
    inside = removed = False
    for line in _LINE.findall(text[len(mark) :]):
        said = _DIRECTIVE.fullmatch(line.rstrip("\r\n"))
        if said is not None and (inside or not said[1] or _KNOWN.match(said[2])):
            word = said[2].partition(" ")[0].lower()
            inside = word == "begin" or (inside and word != "end")
            removed = True
        elif not (removed and not line.strip() and kept and not kept[-1].strip()):
            kept.append(line)
            removed = False
    return mark + "".join(kept)
