"""The language of a draft or a question, by the commonest words of it; no library of this size tells it from an abstract alone."""

from citeplug.records.draft import Draft
from citeplug.text.cited_text import words

_FOREIGN = {
    "German": "der die das und ist nicht ein eine wir werden wird mit auf für dass den von zu im sich auch dieser des dem einer eines durch zur zum sind wie als bei aus ohne sie es kein keine",
    "French": "le la les des une est dans nous pour que qui sur avec cette sont par ce au du aux",
    "Spanish": "el los las una es en que para con por se del este esta como más son nuestro al",
    "Italian": "il gli una che di per con sono questo questa della nel dei più è alla",
    "Portuguese": "os uma que para com não por este esta como mais são dos das em ao",
}
_STOPS = {name: frozenset(listed.split()) for name, listed in _FOREIGN.items()}
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
    said = words(text)
    counts = {name: sum(word in stops for word in said) for name, stops in _STOPS.items()}
    name = max(counts, key=lambda key: counts[key])
    return name, counts[name], sum(word in _ENGLISH for word in said)


def speaks(text: str, language: str) -> bool:
    """True if a sentence is in `language` rather than in English, by the commonest words of both, or neither is known."""
    if language not in _STOPS:
        return True
    said = words(text)
    own = sum(word in _STOPS[language] for word in said)
    return own > 0 and own >= sum(word in _ENGLISH for word in said)
