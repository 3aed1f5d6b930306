"""What a draft says of others' works without a citation, and the paragraph to which a missing paper belongs.

Methods, data sets and models: a name belongs to the paper whose title it opens ("SQuAD: 100,000+ Questions ..."), if
that paper is the only one, no older record has the name, and it is near the draft in meaning. In 11,312 abstracts of
arXiv by which nothing was chosen 87 names pass, and 85 of them are those of the paper offered. Names that only an
abstract introduces are left alone: 3 of 28 were.

Claims: sentences of any section that say what others did, where neither they nor the sentences beside them cite.
"Several methods have been proposed" names its people; "it is well known that", "has been shown" do not, and elsewhere
than in the introduction and the related work these are mostly steps of the text's own.

Paragraphs: the nearest in meaning of those that cite. A conclusion is near whatever the draft is near, and discusses no
other work.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from citeplug.latex.prose import is_claim_about_others
from citeplug.latex.related_work import CONCLUSION
from citeplug.project.author_files import read_or_none
from citeplug.protocols import Vectors
from citeplug.records.audit import MissingWork
from citeplug.records.draft import Draft, DraftSection
from citeplug.records.paper import Paper, Reason
from citeplug.records.prose import ProseParagraph, ProseSentence
from citeplug.section_file.grammar import was_generated
from citeplug.text.folding import split_name
from citeplug.text.language import language_of
from citeplug.text.sentences import split_sentences

NEAR = 0.45  # cosine of the paper and the draft's abstract or the paragraph: below it most names are another thing's
MOST_NAMES = 80  # names that are looked up

_NAME = re.compile(r"(?<![\w\\/.@-])[A-Za-z][A-Za-z0-9]*(?:[-+.][A-Za-z0-9]+)*\+*(?![\w/@])")
_SHORTEST, _LONGEST = 3, 30
# Between v1 and the first record that has the name: works of one month name each other.
_MONTH = timedelta(31)
_MAKING = (
    r"(?:propos|introduc|present|develop|design|releas|describ|call|nam|term|dub|defin|devis|built|build|implement)\w*"
)
_NOT_BETWEEN = r"(?:and|or|with|on|from|using|in|for|of|by)\b"

MOST_CLAIMS = 50  # claims of one draft
# Cosines from which a claim is clearly about a paper: to the sentence, to the draft's abstract, and by how much farther
# from the sentence the next paper is. Of 972 claims in abstracts of NeurIPS and ICML papers 61 have such a paper: 36
# of these are in the part of the real list that is known, 59 in 100 at least.
NEAR_SENTENCE, NEAR_DRAFT, AHEAD = 0.6, 0.7, 0.05

MOST_PARAGRAPHS = 150  # paragraphs that are compared
_SHOWN = 60  # characters of a paragraph


@dataclass(frozen=True, slots=True)
class NamedWork:
    """A name, its first sentence with the paragraph of it, and the number of sentences that have it."""

    name: str
    paragraph: ProseParagraph
    sentence: ProseSentence
    times: int


def names_without_citation(draft: Draft, prose: Sequence[ProseParagraph]) -> list[NamedWork]:
    """Return the names in the text, the most frequent first, that no sentence has together with a citation.

    Names that the draft gives to what is its own are left out.
    """
    named_works: dict[str, NamedWork] = {}
    cited: set[str] = set()
    for paragraph in prose:
        for sentence in paragraph.sentences:
            names = {match[0] for match in _NAME.finditer(sentence.text) if _is_name(match[0])}
            cited |= names if sentence.keys else set()
            for name in sorted(names):
                first = named_works.get(name)
                if first is None:
                    named_works[name] = NamedWork(name, paragraph, sentence, 1)
                else:
                    named_works[name] = NamedWork(name, first.paragraph, first.sentence, first.times + 1)
    abstract = [draft.abstract[start:end] for start, end in split_sentences(draft.abstract)]
    texts = [*abstract, *(sentence.text for paragraph in prose for sentence in paragraph.sentences)]
    free = sorted((work for name, work in named_works.items() if name not in cited), key=lambda work: -work.times)
    return [work for work in free[: 2 * MOST_NAMES] if not _is_own(work.name, draft.title, texts)][:MOST_NAMES]


def paper_of(name: str, titled: Iterable[Paper], beside: Iterable[Paper]) -> Paper | None:
    """Return the paper that introduces a name; None if none does, or several.

    `titled` are records with the name in their titles, `beside` others that may have it.
    """
    known = {paper.id.value: paper for paper in (*titled, *beside)}
    opened = [paper for paper in known.values() if opens_with(paper.title, name)]
    if len(opened) != 1 or not opened[0].complete:
        return None
    word = _as_word(name)
    first = min(paper.published for paper in known.values() if word.search(f"{paper.title} {paper.abstract}"))
    return opened[0] if opened[0].published <= first + _MONTH else None


def ends_in_name(text: str) -> str | None:
    """Return the name that a text ends in, None if it ends in no name."""
    end = text[-_LONGEST - 1 :].rstrip(" ,~([")
    last = next((match[0] for match in _NAME.finditer(end) if match.end() == len(end)), None)
    return last if last is not None and _is_name(last) else None


def opens_with(title: str, name: str) -> bool:
    """Return True if a title opens with a name and a colon or a dash, as that of a paper does that introduces it."""
    return re.match(rf"{re.escape(name)}\s*(?::|--|–|—)\s", title) is not None


def is_cited(name: str, draft: Draft, cited: Collection[str]) -> bool:
    """Return True if the draft cites an entry with the name in its title; `cited` are keys in small letters."""
    word = _as_word(name)
    return any(
        word.search(entry.fields.get("title", "").replace("{", "").replace("}", ""))
        for entry in draft.entries
        if entry.key.lower() in cited or "*" in cited
    )


def _is_name(word: str) -> bool:
    """Return True for a word with a capital after its first letter, or with letters and digits, as names have."""
    if not _SHORTEST <= len(word) <= _LONGEST:
        return False
    return any(letter.isupper() for letter in word[1:]) or (len(word) > _SHORTEST and any(map(str.isdigit, word)))


def _is_own(name: str, title: str, sentences: Sequence[str]) -> bool:
    """Return True if the draft gives the name: in its title, or as "we propose NAME", "our NAME", "called NAME"."""
    word = _as_word(name).pattern
    if re.search(word, title):
        return True
    naming = re.compile(
        rf"\b(?:our|{_MAKING}|namely)\b[\s,:]+(?:(?!{_NOT_BETWEEN})[\w-]+[\s,:]+){{0,4}}?[\"“`']*{word}", re.IGNORECASE
    )
    short = re.compile(
        rf"\b(?:we|our|this (?:paper|work|article))\b[^.;]*?\b{_MAKING}\b[^.;]*?\(\s*{word}\s*\)", re.IGNORECASE
    )
    return any(naming.search(sentence) or short.search(sentence) for sentence in _having(name, sentences))


def _having(name: str, sentences: Sequence[str]) -> Iterator[str]:
    return (sentence[:1000] for sentence in sentences if name in sentence)


def _as_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?!\w)")


@dataclass(frozen=True, slots=True)
class UncitedClaim:
    """A sentence that wants a citation, and its paragraph."""

    paragraph: ProseParagraph
    sentence: ProseSentence


def claims_without_citation(draft: Draft, prose: Sequence[ProseParagraph]) -> list[UncitedClaim]:
    """Return the claims about others' work in an English draft that nothing near is cited for, in order."""
    return list(_claims(draft, prose))[:MOST_CLAIMS] if language_of(draft) == "English" else []


def clear_paper(sentence: Vectors, own: Vectors, papers: Mapping[str, Vectors]) -> str | None:
    """Return the id of the one paper that a claim is clearly about; None if none is, or several are.

    All are unit vectors (d,); `own` is that of the draft's title and abstract.
    """
    order = sorted(((float(vector @ sentence), value) for value, vector in papers.items()), reverse=True)[:2]
    if not order or order[0][0] < NEAR_SENTENCE or float(papers[order[0][1]] @ own) < NEAR_DRAFT:
        return None
    return order[0][1] if len(order) == 1 or order[0][0] - order[1][0] > AHEAD else None


def _claims(draft: Draft, prose: Sequence[ProseParagraph]) -> Iterator[UncitedClaim]:
    for paragraph in prose:
        impersonal = _is_on_others(paragraph, draft)
        cites = [bool(sentence.keys) for sentence in paragraph.sentences]
        for number, sentence in enumerate(paragraph.sentences):
            near = cites[max(number - 1, 0) : number + 2]
            if not any(near) and is_claim_about_others(sentence.text, impersonal=impersonal):
                yield UncitedClaim(paragraph, sentence)


def _is_on_others(paragraph: ProseParagraph, draft: Draft) -> bool:
    """Return True in the first section, in the related work, and in a file before its first heading."""
    top = min((section.level for section in draft.sections), default=0)
    first = next((section for section in draft.sections if section.level == top), None)
    enclosing = [_section_of(paragraph, draft, top)]
    if draft.related_work is not None:
        enclosing.append(_section_of(paragraph, draft, draft.related_work.level))
    return enclosing[0] in (None, first) or (draft.related_work is not None and draft.related_work in enclosing)


def _section_of(paragraph: ProseParagraph, draft: Draft, level: int) -> DraftSection | None:
    """Return the section of this level or above that the paragraph is in, as its own file has it."""
    above = (
        section
        for section in draft.sections
        if section.level <= level and section.span.file == paragraph.file and section.span.line <= paragraph.line
    )
    return max(above, key=lambda section: section.span.line, default=None)


def outside_section(prose: Sequence[ProseParagraph]) -> list[ProseParagraph]:
    """Return the paragraphs outside a section that citeplug wrote, where a citation would be the author's change."""
    files = {paragraph.file for paragraph in prose}
    generated = {file for file in files if was_generated(read_or_none(file) or "")}
    return [paragraph for paragraph in prose if paragraph.file not in generated]


def where_works_are_discussed(prose: Sequence[ProseParagraph]) -> list[ProseParagraph]:
    """Return the paragraphs to one of which a paper may belong: those that cite, but for the conclusion's, else all."""
    citing = [paragraph for paragraph in prose if paragraph.keys]
    inner = [paragraph for paragraph in citing if not CONCLUSION.search(paragraph.heading)]
    return (inner or citing or list(prose))[:MOST_PARAGRAPHS]


def place(
    papers: Sequence[tuple[Paper, tuple[Reason, ...]]],
    paragraphs: Sequence[ProseParagraph],
    of_papers: Mapping[str, Vectors],
    of_paragraphs: Vectors,
    embed: Callable[[Sequence[str]], Vectors],
) -> list[MissingWork]:
    """Give each paper the paragraph whose vector is nearest to its own, and in that the nearest sentence.

    `of_papers` are unit vectors (d,) by id, `of_paragraphs` (n, d) with unit rows, in the order of `paragraphs`;
    `embed` gives those of sentences.
    """
    placed, of_sentences = list[MissingWork](), dict[int, Vectors]()
    for paper, reasons in papers:
        vector = of_papers.get(paper.id.value)
        if vector is None or not paragraphs:
            placed.append(MissingWork(paper, reasons))
            continue
        row = int(np.argmax(of_paragraphs @ vector))
        sentences = paragraphs[row].sentences
        if row not in of_sentences:
            of_sentences[row] = embed([sentence.text for sentence in sentences])
        near = sentences[int(np.argmax(of_sentences[row] @ vector))]
        placed.append(
            MissingWork(
                paper, reasons, paragraphs[row].file, near.line, beginning(near.with_citations(lambda _: "[...]"))
            )
        )
    return placed


def beginning(text: str, most: int = _SHOWN) -> str:
    """Return the first words of a paragraph or a sentence, of `most` characters, for a finding."""
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " ..."


def first_surname(paper: Paper) -> str:
    """Return the surname of the first author, for a finding."""
    return split_name(paper.authors[0]).family if paper.authors else "authors not known"
