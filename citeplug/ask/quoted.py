"""Quotation marks around what an answer has from a source word for word."""

import re

from citeplug.records.answer import AnswerSentence
from citeplug.text.cleaning import collapsed

_TEX_PAIR = re.compile(r"(?<!\w)``([^`]*?)''(?!\w)")
_STRAIGHT_PAIR = re.compile(r"(?<!\w)\"([^\"]*)\"(?!\w)")  # 5" and 8" are inches
_SINGLE = str.maketrans("“”„«»", "‘’‚‹›")


def is_verbatim(sentence: AnswerSentence) -> bool:
    """True if the whole sentence is the words of a source's authors, whatever its status."""
    if sentence.citations and not any(each.by_authors for each in sentence.citations):
        return False
    said = collapsed(sentence.text)
    if any(each.by_authors and said in collapsed(each.quote) for each in sentence.citations):
        return True
    return sentence.status == "quoted" and "“" not in said  # an older answer has marks around a part of a quotation


def in_quotation_marks(text: str) -> str:
    """The text in double quotation marks; those in it become single ones."""
    inner = _STRAIGHT_PAIR.sub(r"‘\1’", _TEX_PAIR.sub(r"‘\1’", text))
    return f"“{inner.translate(_SINGLE)}”"


def as_shown(sentence: AnswerSentence) -> str:
    """The text of a sentence for a reader."""
    return in_quotation_marks(sentence.text) if is_verbatim(sentence) else sentence.text
