"""Refusal of a question that nothing found bears an answer to (TruthReader, section 2)."""

from collections.abc import Sequence

from citeplug.records.answer import Answer, AnswerCitation, AskedPassage, AskedText
from citeplug.records.finding import Finding

NEAREST = 3  # passages that are shown


def refuse(
    question: str,
    texts: Sequence[AskedText],
    passages: Sequence[AskedPassage],
    model: str | None = None,
    findings: Sequence[Finding] = (),
) -> Answer:
    """The answer without a sentence; it shows the passages nearest to the question."""
    return Answer(question, True, (), nearest(passages), tuple(texts), model, tuple(findings))


def nearest(passages: Sequence[AskedPassage]) -> tuple[AnswerCitation, ...]:
    """The passages nearest to the question as whole citations, best first."""
    best = sorted(passages, key=lambda passage: -passage.score)[:NEAREST]
    return tuple(cite(passage, 0, len(passage.text)) for passage in best)


def cite(passage: AskedPassage, start: int, end: int) -> AnswerCitation:
    """The citation of a stretch of a passage, code points, half-open."""
    quote = passage.text[start:end]
    return passage.cited(start, end, quote)


def looked_through(texts: Sequence[AskedText]) -> str:
    """All that was asked, in words: "5 papers: full text of 3, abstracts of 2"."""
    full, abstracts, documents = (
        sum(text.of == kind for text in texts) for kind in ("full text", "abstract", "document")
    )
    said: list[str] = []
    if full and abstracts:
        said.append(f"{full + abstracts:,} papers: full text of {full:,}, {_abstracts(abstracts)} of {abstracts:,}")
    elif full or abstracts:
        count, of = full or abstracts, "full text" if full else _abstracts(abstracts)
        said.append(f"the {of} of {count:,} {'paper' if count == 1 else 'papers'}")
    if documents:
        said.append(f"{documents:,} {'document' if documents == 1 else 'documents'}")
    return " and ".join(said) or "nothing"


def _abstracts(count: int) -> str:
    return "abstract" if count == 1 else "abstracts"
