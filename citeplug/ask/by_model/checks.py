"""A model's sentence of an answer, checked in code as a section's are: each passage is a source of its own."""

from collections.abc import Mapping, Sequence
from datetime import date

from citeplug.ask.by_model.prompt import Item
from citeplug.records.answer import AnswerCitation, AnswerSentence, AnswerStatus, AskedPassage, AskedText
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.section import Source
from citeplug.related.attribute.attribution import rouge1_precision
from citeplug.related.attribute.checks import DRAFT, Proposed, SentenceDemands, check_sentence
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.handles import read_handles
from citeplug.text.cited_text import bare, words
from citeplug.text.cleaning import collapsed
from citeplug.text.language import language_of_question
from citeplug.text.material import LONGEST_TEXT, Material
from citeplug.text.sentences import split_sentences

_DAY = date(1, 1, 1)
_QUOTABLE = 80  # words of a source in a row that an answer may repeat, in quotation marks


class Passages:
    """The passages of a request by their numbers, from 1, and the checks against them."""

    def __init__(self, question: str, passages: Sequence[AskedPassage], texts: Mapping[str, AskedText]) -> None:
        self._question = question
        self.passages = passages
        self.texts = texts
        self._desk: dict[int, Material] = {DRAFT: Material(DRAFT, "", "")}
        for number, passage in enumerate(passages, start=1):
            title = " . ".join(filter(None, (texts[passage.text_id].title, passage.section)))
            paper = Paper(ArxivId(str(number)), title, passage.text, (), _DAY, _DAY)
            self._desk[number] = Material(number, title, passage.text[:LONGEST_TEXT], paper)

    def check(self, item: Item) -> tuple[AnswerSentence | None, tuple[Doubt, ...]]:
        """The sentence with status `weak`, until a judge has read it, or `quoted`; or None and why it is refused."""
        numbers = dict.fromkeys(number for number, _ in item.quotes)
        unknown = [number for number in numbers if not 1 <= number <= len(self.passages)]
        if unknown or not numbers:
            reason = f"there is no passage {unknown[0]}" if unknown else "quote the passages that it rests on"
            return None, (Doubt("quote", reason),)
        text = item.text
        if not any(piece.handles for piece in read_handles(text)):
            text = f"{text.rstrip()} [{', '.join(map(str, numbers))}]"
        language = language_of_question(f"{self._question} {item.text}")
        wanted = SentenceDemands(
            tuple(range(1, len(self.passages) + 1)), any_of=True, language=language, quotable=_QUOTABLE
        )
        checked = check_sentence(Proposed(text, item.quotes), wanted, self._desk)
        sentence = checked.sentence
        if sentence is None:
            return None, checked.refusals
        if sentence.kind != "paper" or "{{author:" in sentence.text:
            return None, (Doubt("handle", "write no numbers in brackets"),)
        citations = tuple(self._citation(source) for source in sentence.sources)
        bare_text = bare(sentence.text)
        status: AnswerStatus = "weak"
        for at, source in enumerate(sentence.sources):
            if place := _place_of_sentence(bare_text, self._passage(source).text):
                # Letter for letter, without the model's quotation marks around a part.
                whole = self._citation(source, *place)
                bare_text, status = collapsed(whole.quote), "quoted"
                citations = (*citations[:at], whole, *citations[at + 1 :])
                break
        cited_texts = " ".join(self._passage(source).text for source in sentence.sources)
        score = rouge1_precision(bare_text, cited_texts)
        return AnswerSentence(bare_text, citations, score, status, sentence.judgement), ()

    def number_of(self, citation: AnswerCitation) -> int:
        """The number in the request of the passage that is cited."""
        return next(
            number
            for number, passage in enumerate(self.passages, start=1)
            if (passage.text_id, passage.number) == (citation.paper, citation.passage)
        )

    def _passage(self, source: Source) -> AskedPassage:
        return self.passages[int(source.arxiv_id or 0) - 1]

    def _citation(self, source: Source, *place: int) -> AnswerCitation:
        """The citation of a source; `place` (start and end) in its passage if it is not the source's own."""
        start, end = place or (source.start, source.end)
        return self._passage(source).cited(start, end)


def _place_of_sentence(bare_text: str, text: str) -> tuple[int, int] | None:
    """Start and end of the sentence of `text` that has the words of `bare_text`."""
    wanted = words(bare_text)
    return next(((start, end) for start, end in split_sentences(text) if words(text[start:end]) == wanted), None)
