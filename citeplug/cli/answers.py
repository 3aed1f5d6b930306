"""Answers for a reader."""

from collections.abc import Sequence

from citeplug.ask.session import AskSession
from citeplug.ask.shown import as_shown, looked_through, quote_shown, status_in_words
from citeplug.cli.console import clipped, safe, say
from citeplug.errors import UsageError
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedText
from citeplug.records.paper import shown_id
from citeplug.text.cleaning import collapsed
from citeplug.text.stems import telling_stems

_NEAR = 2  # passages that may not answer


def show_answer(answer: Answer) -> None:
    """Print the sentences with their places, or the refusal with the passages nearest to the question."""
    if answer.refused:
        asked = telling_stems(answer.question)
        nearest = [citation for citation in answer.nearest if asked & telling_stems(citation.quote)][:_NEAR]
        near = "No clear answer; the nearest, which may not answer:"
        say((near if nearest else "None of these texts answers the question.", "warning"))
        for citation in nearest:
            quote = quote_shown(citation.quote) if citation.by_authors else collapsed(citation.quote)
            place = _name_of(citation, answer.looked_through) + (f", page {citation.page}" if citation.page else "")
            say((place, "aside"), lead="  ")
            say(clipped(quote, 3, 4), lead="    ")
    for number, sentence in enumerate(answer.sentences, 1):
        _print(number, sentence, answer.looked_through)
        _show_doubt(sentence)
    say(f"\nLooked through {looked_through(answer.looked_through)}.")


class AnswerAsItComes:
    """Prints a model's sentences as they pass the checks, and in the end what a judge changed."""

    def __init__(self, session: AskSession) -> None:
        self._session = session
        self._shown: list[str] = []

    def show(self, sentence: AnswerSentence | None) -> None:
        if sentence is None:
            self._shown.clear()
            say("... the answer was interrupted and starts again:")
            return
        self._shown.append(sentence.text)
        _print(len(self._shown), sentence, self._session.texts.texts)

    def finish(self, answer: Answer) -> None:
        """Print the doubts about the sentences that are there; the whole answer if it is not as it was shown."""
        if [sentence.text for sentence in answer.sentences] != self._shown or not self._shown:
            if self._shown:
                say("\nAfter checking what it means:" if answer.sentences else "")
            show_answer(answer)
            return
        for number, sentence in enumerate(answer.sentences, 1):
            _show_doubt(sentence, f"[{number}] ")
        say(f"\nLooked through {looked_through(answer.looked_through)}.")


def _print(number: int, sentence: AnswerSentence, texts: Sequence[AskedText]) -> None:
    say(as_shown(sentence), lead=(f"[{number}] ", "key"))
    for place in dict.fromkeys(place_of(citation, texts) for citation in sentence.citations):
        say((place, "aside"), lead="    ")


def _show_doubt(sentence: AnswerSentence, before: str = "    ") -> None:
    if doubt := status_in_words(sentence):
        say((doubt, "warning"), lead=before)


def place_of(citation: AnswerCitation, texts: Sequence[AskedText]) -> str:
    """The text and the place in it that a citation names, in words."""
    text = next((text for text in texts if text.id == citation.paper), None)
    is_paper = text is not None and text.of != "document"
    version = f"v{text.version}" if text is not None and is_paper and text.version else ""
    title = f", {text.title}" if text is not None and text.title != citation.paper else ""
    where = citation.section or ("abstract" if text is not None and text.of == "abstract" else "")
    page = f"page {citation.page}" if citation.page else ""
    return f"{_name_of(citation, texts)}{version}{title}" + "".join(f"; {part}" for part in (where, page) if part)


def _name_of(citation: AnswerCitation, texts: Sequence[AskedText]) -> str:
    is_paper = any(text.id == citation.paper and text.of != "document" for text in texts)
    return shown_id(citation.paper) if is_paper else citation.paper


def numbered(answer: Answer, text: str) -> AnswerSentence:
    """The sentence with this number, from 1. Raises UsageError."""
    if not text.isdecimal() or not 1 <= int(text[:6]) <= len(answer.sentences):
        raise UsageError(f"there is no sentence {safe(text)}", f"the answer has {len(answer.sentences)}")
    return answer.sentences[int(text[:6]) - 1]
