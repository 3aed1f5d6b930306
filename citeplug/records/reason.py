"""The reason why a paper is proposed for a draft."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Reason:
    """`kind`: citations lead to the paper (`graph`), it has words of a part of the draft (`words`), is near in meaning
    to a part (`meaning`), or to what the draft cites (`citation`).

    `text` is for a reader, without control characters of its own but with words of the draft as written. `of` is the
    part of the draft: `abstract`, `introduction`, `related work`, `method`, `citations`, ... `words` are the draft's,
    the most telling first; `keys` those of the citations.
    """

    kind: Literal["graph", "words", "meaning", "citation"]
    text: str
    of: str
    words: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
