"""Which of the words that were searched for a paper has: the reason why it is a result."""

from collections.abc import Sequence

from citeplug.records.paper import Paper
from citeplug.text.stems import content_stems
from citeplug.text.stop_words import STOPWORDS


def words_of_question(text: str, paper: Paper) -> str:
    """Which of the words that were searched for a paper has, and where; empty if none."""
    return ", ".join(f"{quoted} in the {place}" for place, quoted in places_of_question(text, paper).items())


def places_of_question(text: str, paper: Paper) -> dict[str, str]:
    """The words that were searched for and that a paper has, quoted, by where: `title`, `abstract` for the others."""
    asked = {word: content_stems(word) for word in dict.fromkeys(text.split()) if word.lower() not in STOPWORDS}
    in_title, in_abstract = (content_stems(part) for part in (paper.title, paper.abstract))
    title = [word for word, stems in asked.items() if stems and stems <= in_title]
    abstract = [word for word, stems in asked.items() if stems and word not in title and stems <= in_abstract]
    places = (title, "title", paper.title), (abstract, "abstract", paper.abstract)
    return {place: _quoted(words, whole) for words, place, whole in places if words}


def _quoted(words: Sequence[str], text: str) -> str:
    """Words as one phrase, where a text has it."""
    phrase = " ".join(words)
    return f"“{phrase}”" if phrase.lower() in text.lower() else " and ".join(f"“{word}”" for word in words)
