"""The record that stands between an abstract and a sentence."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["object", "claim", "question", "method", "named"]

# A verb that must agree with the paper's authors stands between these two.
SLOT = re.compile("\ue010([^\ue011]*)\ue011")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that an abstract says of its paper.

    `object`: the authors `verb` `text`, a noun phrase. `claim`: they `verb` that `text`. `question`: they
    `verb` `text`, which begins with how, whether, ... `method`: `verb` is a noun phrase ("method") of theirs,
    `text` its predicate. `named`: `verb` is a name, `text` what it is said to be.
    `verb` is a base form, perhaps with a particle; `past` says that it stands in the past. Further verbs
    of the authors in `text` are marked (`SLOT`). `front` is an adverbial that opens the sentence. `start`
    and `end` are places in the abstract with white space collapsed, `source` the plain text found there.
    `weight`: how much of the contribution it tells; larger is better. `refers`: needs the authors named.
    """

    kind: Kind
    verb: str
    text: str
    weight: float
    front: str = ""
    past: bool = False
    refers: bool = False
    source: str = ""
    start: int = 0
    end: int = 0
