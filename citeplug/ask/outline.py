"""What is asked of a whole text: its prose; and where its authors say what all of it is about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.latex.related_work import CONCLUSION
from citeplug.records.passage import PaperText, Passage

_WORK = r"(?:paper|work|article|study|report|thesis|document|text|manuscript|survey)"
_WHOLE = re.compile(
    rf"\bsummari[sz]e (?:this|the|that|these|those|each|all) (?:\w+ )?{_WORK}s?\b"
    rf"|\b(?:a |the )?(?:short |brief )?(?:summary|overview|gist|main (?:point|message))s? of (?:this|the|that|these|each) (?:\w+ )?{_WORK}s?\b"
    rf"|\bwhat (?:is|are) (?:this|the|that|these|those) {_WORK}s? about\b"
    rf"|\bwhat (?:do|does|did) (?:this|the|that|these|those|their) (?:{_WORK}s?|authors?) (?:do|show|propose|contribute|find|achieve|claim|present)\b(?! (?:about|on|for|of|when|with)\b)"
    r"|\b(?:main|key|central|principal|major|chief)\s+(?:contribution|finding|result|idea|claim|conclusion|message|point|takeaway)s?\b"
    r"|\bwhat (?:is|are) (?:the |their |its )?contributions?\b|\btl;?dr\b",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"\W*(?:abstract|summary)\W*", re.IGNORECASE)
_OF_ABSTRACT = 3  # passages of one with headings of its own: motivation, results
_INTRODUCTION = re.compile(r"\bintroduction\b", re.IGNORECASE)
_NO_PROSE = re.compile(
    r"[\W\d]*(?:acknowledge?ments?|references|bibliography|literature(?: cited)?|works cited|funding"
    r"|authors?['’]? contributions?|(?:competing|conflicts? of) interests?)\b(?: and notes)?[^a-z]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Outline:
    """The numbers of the passages of a text that are `prose`: no captions, reference lists and acknowledgements.

    `overview` are those that say what all of it is about, the most telling first.
    """

    prose: frozenset[int]
    overview: tuple[Passage, ...]


def outline_of(text: PaperText) -> Outline:
    """The overview is the abstract, else what stands before the introduction, in parts where it has headings, or first;
    the conclusion; and the end of the introduction.
    """
    prose = [
        (text.sections[at].title, passage)
        for at, passage in placed_passages(text)
        if passage.start < text.sections[at].captions and not _NO_PROSE.fullmatch(text.sections[at].title)
    ]
    before = [passage for _, passage in takewhile(lambda part: not _INTRODUCTION.search(part[0]), prose)]
    introduction = [passage for title, passage in prose if _INTRODUCTION.search(title)]
    abstract = [passage for title, passage in prose if _ABSTRACT.fullmatch(title)][:1]
    abstract = abstract or before[: _OF_ABSTRACT if introduction else 1] or [p for _, p in prose][:1]
    conclusion = list(_conclusion(prose))
    overview = [*abstract, *conclusion[:1], *introduction[-1:]]
    return Outline(frozenset(passage.number for _, passage in prose), tuple(dict.fromkeys(overview)))


def _conclusion(prose: list[tuple[str, Passage]]) -> Iterator[Passage]:
    """The passages of the conclusion: of a section of that name, else of the last discussion, summary or outlook."""
    titles = [title for title, _ in prose if CONCLUSION.search(title) and not _ABSTRACT.fullmatch(title)]
    named = [title for title in titles if re.search(r"\bconclu", title, re.IGNORECASE)]
    for title, passage in prose:
        if (named or titles) and title == (named or titles)[-1]:
            yield passage


def is_on_the_whole(question: str) -> bool:
    """True for a question on a whole paper: "Summarise this paper", "What are the main contributions?"."""
    return _WHOLE.search(question) is not None
