"""Answers for readers and programs: quotation marks, places and doubts in words, Markdown, JSON."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from citeplug.corpus.stores import open_corpus
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedText, Turn, is_stale
from citeplug.records.draft import BibEntry
from citeplug.records.json_form import fields_of, json_form
from citeplug.records.paper import Paper, shown_id
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import collapsed, plain
from citeplug.text.compare import paper_year
from citeplug.text.table_rows import shown_row

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_BEGINS = re.compile(r"^(\d*)([-+=.)])(?=\s|$)")
_LONGEST = 500  # characters of a nearest passage
_AUTHORS = 3  # that a reference names
_DOUBTS = {"weak": "nobody has compared it with its sources", "conflict": "another source gives another answer"}
_CONFLICT = "its source gives another answer than that of another sentence"  # far from the other one
_TEX_PAIR = re.compile(r"(?<!\w)``([^`]*?)''(?!\w)")
_STRAIGHT_PAIR = re.compile(r"(?<!\w)\"([^\"]*)\"(?!\w)")  # 5" and 8" are inches
_SINGLE = str.maketrans("“”„«»", "‘’‚‹›")


def is_verbatim(sentence: AnswerSentence) -> bool:
    """True if the whole sentence is the words of a source's authors, whatever its status; a table's row is not."""
    quotes = [c.quote for c in sentence.citations if c.by_authors and shown_row(c.quote) is None]
    if sentence.citations and not quotes:
        return False
    text = collapsed(sentence.text)
    if any(text in collapsed(quote) for quote in quotes):
        return True
    return sentence.status == "quoted" and "“" not in text  # an older answer has marks around a part of a quotation


def in_quotation_marks(text: str) -> str:
    """The text in double quotation marks; those in it become single ones."""
    inner = _STRAIGHT_PAIR.sub(r"‘\1’", _TEX_PAIR.sub(r"‘\1’", text))
    return f"“{inner.translate(_SINGLE)}”"


def as_shown(sentence: AnswerSentence) -> str:
    """The text of a sentence for a reader."""
    return in_quotation_marks(sentence.text) if is_verbatim(sentence) else sentence.text


def quotation_beside(sentence: AnswerSentence, citation: AnswerCitation) -> str | None:
    """The quotation to be shown beside a sentence, None where the sentence itself prints these words."""
    text, quote = collapsed(sentence.text), collapsed(shown_row(citation.quote) or citation.quote)
    return None if quote in text or text in quote else citation.quote


def quote_shown(quote: str) -> str:
    """What a citation quotes, for a reader: the row of a table without quotation marks."""
    return shown_row(quote) or f"“{collapsed(quote)}”"


def looked_through(texts: Sequence[AskedText]) -> str:
    """All that was asked, in words: "5 papers: full text of 3, abstracts of 2"."""
    full, abstracts, documents = (
        sum(text.of == kind for text in texts) for kind in ("full text", "abstract", "document")
    )
    plural = "abstract" if abstracts == 1 else "abstracts"
    parts: list[str] = []
    if full and abstracts:
        parts.append(f"{full + abstracts:,} papers: full text of {full:,}, {plural} of {abstracts:,}")
    elif count := full or abstracts:
        parts.append(f"the {'full text' if full else plural} of {count:,} {'paper' if count == 1 else 'papers'}")
    if documents:
        parts.append(f"{documents:,} {'document' if documents == 1 else 'documents'}")
    return " and ".join(parts) or "nothing"


def place_of(citation: AnswerCitation) -> str:
    """Where a quotation is, in words: `Results, p. 7`; `abstract` where there is no section."""
    parts = [plain(citation.section)] if citation.section else []
    parts += [f"p. {citation.page}"] if citation.page else []
    return ", ".join(parts) or ("abstract" if citation.passage == 0 else f"passage {citation.passage}")


def status_in_words(sentence: AnswerSentence) -> str:
    """The doubt about a sentence, behind its status; empty where there is none."""
    if sentence.status not in _DOUBTS:
        return ""
    doubt = sentence.judgement.doubt if sentence.judgement is not None else ""
    return f"{sentence.status}: {doubt or _DOUBTS[sentence.status]}"


def conversation_markdown(turns: Sequence[Turn], references: Mapping[str, str], now: Sequence[AskedText] | None) -> str:
    """A conversation, each answer under its question, and the list of what it cites.

    `references` are printed references by the id of a text; `now` are the texts as they are, to mark what changed since
    (None: not compared).
    """
    cited = _cited([turn.answer for turn in turns])
    parts = ["# Questions to the papers\n"]
    for turn in turns:
        parts += [f"## {escaped(turn.question)}\n", _answer(turn.answer, cited, now)]
    return "\n".join([*parts, *_references(cited, references)])


def answer_markdown(answer: Answer, references: Mapping[str, str]) -> str:
    """One answer with its quotations, and what it cites."""
    cited = _cited([answer])
    return "\n".join([f"# {escaped(answer.question)}\n", _answer(answer, cited, None), *_references(cited, references)])


def references_of(
    answers: Sequence[Answer], settings: Settings, entries: Mapping[str, BibEntry] | None = None
) -> dict[str, str]:
    """A printed reference for each text that was asked, by its id: from its record, or its title and name.

    `entries` are the author's own by arXiv id: a work has the year there that its entry has.
    """
    texts = {text.id: text for answer in answers for text in answer.looked_through}
    with open_corpus(settings) as corpus:
        records = corpus.papers([text.id for text in texts.values() if text.of != "document"])
    return {name: _reference(text, records.get(name), (entries or {}).get(name)) for name, text in texts.items()}


def escaped(text: str) -> str:
    """Plain text that Markdown prints as it is: a title or a passage must not become a link, a picture or HTML."""
    return _BEGINS.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", plain(text)).replace("&", "&amp;"))


def _answer(answer: Answer, cited: Mapping[str, int], now: Sequence[AskedText] | None) -> str:
    lines = []
    for sentence in answer.sentences:
        marks: dict[str, None] = {}
        quotations = []
        for citation in sentence.citations:
            number, place = cited[citation.paper], f"{cited[citation.paper]}, {escaped(place_of(citation))}"
            quote = quotation_beside(sentence, citation)
            marks[f"[{place}]" if quote is None else f"[{number}]"] = None
            quotations += [] if quote is None else [f"  > {escaped(quote_shown(quote))} [{place}]"]
        lines.append(f"- {escaped(as_shown(sentence))} {''.join(marks)}{_doubt(sentence, answer, now)}")
        lines += quotations
    if answer.refused:
        lines.append(f"Nothing that bears out an answer was found in {looked_through(answer.looked_through)}. Nearest:")
        for near in answer.nearest:
            lines.append(f"\n> {escaped(near.quote[:_LONGEST])} [{cited[near.paper]}, {escaped(place_of(near))}]")
    by = f"by {escaped(answer.model)}, each sentence checked against its quotations" if answer.model else "verbatim"
    lines.append(f"\n*Looked through {looked_through(answer.looked_through)}; {by}.*\n")
    return "\n".join(lines)


def _doubt(sentence: AnswerSentence, answer: Answer, now: Sequence[AskedText] | None) -> str:
    doubts = [_CONFLICT] if sentence.status == "conflict" else []
    if sentence.status == "weak":
        doubts = [status_in_words(sentence).removeprefix("weak: ")]
    if now is not None and is_stale(sentence, answer, now):
        doubts.append("the document has changed since")
    return f" *({escaped('; '.join(doubts))})*" if doubts else ""


def _cited(answers: Sequence[Answer]) -> dict[str, int]:
    """The texts that are cited or shown, numbered from 1 in their order."""
    papers: dict[str, int] = {}
    for answer in answers:
        cited = [citation for sentence in answer.sentences for citation in sentence.citations]
        for citation in (*cited, *(answer.nearest if answer.refused else ())):
            papers.setdefault(citation.paper, len(papers) + 1)
    return papers


def _references(cited: Mapping[str, int], references: Mapping[str, str]) -> list[str]:
    if not cited:
        return []
    lines = [f"{number}. {escaped(references.get(paper, paper))}" for paper, number in cited.items()]
    return ["## References\n", *lines, ""]


def _reference(text: AskedText, record: Paper | None, entry: BibEntry | None = None) -> str:
    if record is None:
        return text.title if text.title == text.id else f"{text.title}. {text.id}"
    authors = ", ".join(record.authors[:_AUTHORS]) + (" et al." if len(record.authors) > _AUTHORS else "")
    year = f" ({known})" if (known := paper_year(record, entry)) is not None else ""
    return f"{(authors or 'authors not known').removesuffix('.')}. {record.title}. {shown_id(record.id.value)}{year}"


def answer_as_json(answer: Answer) -> dict[str, Any]:
    """A JSON object of an answer; its findings are for the caller to add."""
    sentences = [
        {
            **fields_of(sentence, "text citations"),
            "attribution": round(sentence.attribution, 4),
            "status": sentence.status,
            "doubt": sentence.judgement.doubt or None if sentence.judgement is not None else None,
        }
        for sentence in answer.sentences
    ]
    return {
        **fields_of(answer, "question refused"),
        "sentences": sentences,
        "nearest": json_form(answer.nearest),
        "looked_through": [{"paper": text.id, **fields_of(text, "title of version")} for text in answer.looked_through],
        "model": answer.model,
    }
