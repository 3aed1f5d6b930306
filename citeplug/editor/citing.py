"""Recognition of the citation that is being typed, from the text before the cursor; the rest may be broken."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from citeplug.editor.lines import Lined
from citeplug.latex.plain import plain
from citeplug.latex.vocabulary import is_cite
from citeplug.text.sentences import split_sentences

_BACK = 4000  # code points that are searched for the command
_OPEN = re.compile(r"[^{}\\%]*\Z")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?(?:\s*(?:\[[^\[\]\r\n]*\]|<[^<>\r\n]*>|\([^()\r\n]*\)|\{[^{}\\]*\}))*\s*\Z")
_KEY_REST = re.compile(r"[^\s,{}\\%\[\]]*")
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%")
_PARAGRAPH = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)|\\(?:sub)*section\*?\{[^{}]*\}|\\paragraph\*?\{[^{}]*\}")
_AROUND = 2000  # code points on either side in which the sentence is looked for


@dataclass(frozen=True, slots=True)
class Typing:
    """A citation that is being typed. `typed` is the key as typed so far; the whole key is at `start` to `end`.

    `others` are the keys beside it, `command` is as written, without backslash; it starts at `begin`.
    """

    command: str
    typed: str
    start: int
    end: int
    others: tuple[str, ...]
    begin: int


def typing_at(lined: Lined, offset: int, own_commands: Collection[str] = ()) -> Typing | None:
    """Return the citation that is being typed at an offset; None if there is none.

    `own_commands` are the author's own commands that cite, without backslash.
    """
    floor = max(offset - _BACK, 0)
    before = lined.text[floor:offset]
    opened = _OPEN.search(before)
    if opened is None or opened.start() == 0 or before[opened.start() - 1] != "{":
        return None
    head = _COMMAND.search(before[: opened.start() - 1])
    if head is None or not (is_cite(head[1]) or head[1] in own_commands):
        return None
    begin = floor + head.start()
    line_start = lined.starts[lined.line_of(begin)]
    if _COMMENT.search(lined.text, line_start, begin):
        return None
    inside = opened.group()
    if re.search(r"\n[ \t]*\r?\n", inside):
        return None
    comma = inside.rfind(",")
    typed = inside[comma + 1 :]
    lead = len(typed) - len(typed.lstrip())
    start = offset - len(typed) + lead
    rest = _KEY_REST.match(lined.text, offset)
    end = rest.end() if rest is not None else offset
    following = re.compile(r"[^{}\\%]*").match(lined.text, end)
    others = [*inside[: comma + 1].split(","), *(following.group() if following else "").split(",")[1:]]
    return Typing(
        head[1],
        typed[lead:],
        start,
        end,
        tuple(name for other in others if (name := other.strip())),
        begin,
    )


def sentence_at(lined: Lined, typing: Typing) -> str:
    """Return the sentence around the citation as plain text; if it has no words yet, the sentence before."""
    floor, roof = max(typing.begin - _AROUND, 0), typing.end + _AROUND
    before, after = lined.text[floor : typing.begin], lined.text[typing.end : roof]
    closing = re.match(r"[^{}]{0,200}\}", after)
    after = after[closing.end() :] if closing else ""
    paragraphs = _PARAGRAPH.split(before)
    before = paragraphs[-1] or ""
    after = _PARAGRAPH.split(after)[0]
    around = f"{before} {after}"
    places = split_sentences(around) or [(0, 0)]
    start, end = next((place for place in places if place[1] > len(before)), places[-1])
    text = " ".join(plain(around[start:end], {}).split())
    if len(re.findall(r"[^\W\d_]{3,}", text)) < 3:
        text = " ".join(plain(before, {}).split()[-40:])
    return text[:1000]
