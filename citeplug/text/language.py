"""The language of a draft or a question, by its commonest words.

No library of this size tells it from an abstract alone.
"""

from citeplug.records.draft import Draft
from citeplug.text.cited_text import words
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_STOPS = {name: _TABLES.words(name) for name in ("German", "French", "Spanish", "Italian", "Portuguese")}
_ENGLISH = frozenset("the of and in to is that we for are with by this on as which an be it from".split())


def language_of(draft: Draft) -> str:
    """ "English", or the name of another language that the draft's abstract is clearly in."""
    name, own, english = _commonest(f"{draft.title} {draft.abstract}")
    return name if own >= 5 and own > 2 * english else "English"


def language_of_question(text: str) -> str:
    """ "English", the name of another language, or "other" where most letters are not Latin."""
    letters = [letter for letter in text if letter.isalpha()]
    if sum(letter > "\u024f" for letter in letters) * 2 > len(letters):
        return "other"
    name, own, english = _commonest(text)
    return name if own >= 2 and own > english else "English"


def _commonest(text: str) -> tuple[str, int, int]:
    """The language, English apart, most of whose words are here, how many these are, and how many are English."""
    text_words = words(text)
    counts = {name: sum(word in stops for word in text_words) for name, stops in _STOPS.items()}
    name = max(counts, key=lambda key: counts[key])
    return name, counts[name], sum(word in _ENGLISH for word in text_words)


def speaks(text: str, language: str) -> bool:
    """True if a sentence is in `language` rather than in English, by the commonest words of both, or neither shows."""
    if language not in _STOPS:
        return True
    text_words = words(text)
    own = sum(word in _STOPS[language] for word in text_words)
    return own > 0 and own >= sum(word in _ENGLISH for word in text_words)
