"""A sentence of an answer as a sentence of a draft: with its citation, and in quotation marks where it is verbatim."""

import re
from collections.abc import Mapping, Sequence

from citeplug.ask.quoted import in_quotation_marks, is_verbatim
from citeplug.errors import UsageError
from citeplug.records.answer import AnswerCitation, AnswerSentence, AskedText
from citeplug.records.provenance import RecordedSentence, RecordedSource
from citeplug.records.section import Sentence
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.print_sentence import print_sentence

_STOP = re.compile(r"\s*([.!?]*)\s*$")


def cited_papers(sentence: AnswerSentence, texts: Sequence[AskedText]) -> tuple[str, ...]:
    """The papers that a sentence cites, in its order. Raises UsageError for a file: there is no entry for one."""
    kinds = {text.id: text.of for text in texts}
    cited = tuple(dict.fromkeys(citation.paper for citation in sentence.citations))
    for each in cited:
        if kinds.get(each) == "document":
            raise UsageError(
                f"{each} is a file, and has no entry that could be cited",
                "add it with 'citeplug library add', and ask the library",
            )
    return cited


def draft_tex(sentence: AnswerSentence, cited: Sequence[str], keys: Mapping[str, str], style: CiteStyle) -> str:
    """The sentence as LaTeX; `keys` are by the id of a paper."""
    return print_sentence(_cited(sentence, cited), keys, style, {})[-1]


def recorded(
    sentence: AnswerSentence, tex: str, cited: Sequence[str], texts: Sequence[AskedText], **more: str | None
) -> RecordedSentence:
    """The record of a sentence that was put into a draft; `more` are `file`, `question`, and `model` where one wrote it."""
    kinds = {text.id: text for text in texts}
    return RecordedSentence(
        paragraph="",
        text=_cited(sentence, cited).text,
        tex=tex,
        kind="answer",
        cites=tuple(cited),
        sources=tuple(_source(citation, kinds[citation.paper]) for citation in sentence.citations),
        attribution=round(sentence.attribution, 4),
        status="accepted",
        by=more.pop("model", None),
        judgement=sentence.judgement,
        others=more,
    )


def _cited(sentence: AnswerSentence, cited: Sequence[str]) -> Sentence:
    stop = _STOP.search(sentence.text)
    assert stop is not None  # it matches nothing, too
    said = sentence.text[: stop.start()].replace("{{", "{ {")  # a passage may hold what looks like a marker
    if is_verbatim(sentence):
        said = in_quotation_marks(said)
    return Sentence(f"{said} {{{{cite:{','.join(cited)}}}}}{stop[1] or '.'}", "paper", tuple(cited), ())


def _source(citation: AnswerCitation, text: AskedText) -> RecordedSource:
    whole = text.of == "abstract"
    return RecordedSource(
        citation.paper,
        text.version,
        citation.start if whole else None,
        citation.end if whole else None,
        " ".join(citation.quote.split()),
        "abstract" if whole else "full text",
        citation.section or None,
        citation.page,
    )
