"""The draft's claims to be first or new, each with the earlier works that come closest to it.

    prose -> claims -> candidates by words -> sentences of their abstracts -> the closest -> with a model: verdicts

That nothing close is found proves nothing, so a claim carries the bound of the search: how many records, to which day.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from citeplug.audit.uncited import beginning, first_surname
from citeplug.latex.prose import sentences_of_draft
from citeplug.records.audit import EarlierWork, NoveltyClaim
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Filter, Paper, shown_id
from citeplug.records.prose import ProseParagraph
from citeplug.related.progress import Report, Tools
from citeplug.text.compare import compare_titles
from citeplug.text.language import language_of
from citeplug.text.sentences import split_sentences
from citeplug.text.speaking import FIRST_PERSON, THIS

MOST_CLAIMS = 6  # of a draft
SHOWN = 3  # earlier works of a claim
# Mean of a claim's cosines to an abstract and to its closest sentence; a work below it is not shown. Of claims planted
# in the words of an older paper .99 have a work from it on, of those that authors made themselves .44 (.65: .96, .28).
CLOSE = 0.6
_BY_WORDS = 30  # candidates by each of two queries
_READ = 12  # candidates whose abstracts are read by sentence
_LONGEST = 400  # characters of a claim in a message, and of a sentence beside it

_OURS = rf"\b(?:{FIRST_PERSON}|here|this is|{THIS}|the (?:present|proposed) \w+)\b"
_STUDIED = (
    r"(?:studied|explored|investigated|addressed|examined|analy[sz]ed|considered|proposed|reported|attempted|formali[sz]ed"
    r"|categori[sz]ed|measured|demonstrated|solved|achieved|adapted|carried\s+out|done\s+before)\b"
)
_BEEN = (
    rf"(?:has|have|had|was|were)\s+(?:not|never)\s+(?:\w+\s+){{0,2}}?been\s+(?:\w+ly\s+)?{_STUDIED}"
    r"|\bthere\s+(?:has|have)\s+(?:not|never)\s+(?:yet\s+)?been\b"
)
_WORKS = (
    r"(?:works?|stud(?:y|ies)|methods?|approach(?:es)?|papers?|research|results?|algorithms?|attempts?|analys[ie]s"
    r"|publications?|systems?)"
)
_MAKING = (
    r"\b(?:this\s+is|(?:is|are|being|be)|(?:present|introduc|propos|offer|provid|giv|impl|yield|obtain|deriv|develop"
    r"|report|establish|achiev|demonstrat|construct|design|describ|prov|perform|contribut|initiat|conduct|includ|mak|compris|enabl)\w*"
    r"|gave|leads\s+to)"
)
_KNOWLEDGE = r"\b(?:to|best\s+of)\s+(?:the\s+best\s+of\s+)?(?:our|my|the\s+authors?['’]s?)\s+(?:\w+\s+)?knowledge\b"
_FIRST_TIME = r"\bfor\s+the\s+(?:very\s+)?first\s+time\b"
# What is counted is not claimed: the first step, the first two of these, "the first is".
_THE_FIRST = (
    rf"(?:{_MAKING}|,)\s+(?:to\s+the\s+best\s+of\s+\w+\s+\w+,\s+)?(?:among\s+|one\s+of\s+)?the\s+(?:very\s+)?first,?\s+"
    r"(?!(?:two|three|few|steps?|terms?|parts?|sections?|stages?|phases?|rows?|columns?|lines?|layers?|orders?|moments?"
    r"|authors?|place|case|and|of\s+(?:these|all|the\s+two))\b)(?!\w+\s+(?:is|are|was|were)\b)"
)
# Each says of the text's own work that nobody did it before; "novel" says least. Of 465 sentences of abstracts with
# such words, read by somebody else, 54 of 56 are claims to be first, of 65 that there are; novel, 97 of 102, of 118.
_PRIORITY = re.compile(
    "|".join(
        (
            _KNOWLEDGE,
            rf"^{_FIRST_TIME}|{_OURS}.*{_FIRST_TIME}|{_FIRST_TIME}.*{_OURS}",
            _THE_FIRST,
            r"\b(?:is|are)\s+first\s+to\b|\bfirst-ever\b|\bfirst[\s-]of[\s-](?:its|their)[\s-]kind\b",
            rf"\bno\s+(?:prior|previous|existing|earlier|published|other)\s+(?:\w+\s+)?{_WORKS}\b",
            rf"\bno\s+{_WORKS}\s+(?:has|have)\b",
            _BEEN,
        )
    ),
    re.IGNORECASE,
)
_NOVEL = re.compile(rf"{_OURS}[^.;]*\b(?:novel|entirely\s+new|fundamentally\s+new)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A sentence of the draft's that claims to be first, or with `novel` new; `line` is None where it is not known."""

    text: str
    file: Path
    line: int | None
    novel: bool


def claims_of_novelty(draft: Draft, prose: Sequence[ProseParagraph]) -> list[Claimed]:
    """The claims of an English draft, those to be first before those to be new; a repeated one once.

    What is said of cited work alone is none.
    """
    if language_of(draft) != "English":
        return []
    claims = {claim.text: claim for claim in _claims(draft, prose)}
    return sorted(claims.values(), key=lambda claim: claim.novel)[:MOST_CLAIMS]


def _claims(draft: Draft, prose: Sequence[ProseParagraph]) -> Iterator[Claimed]:
    own = [paragraph for paragraph in prose if not paragraph.quotation]
    for sentence, keys in sentences_of_draft(draft, own):
        kind = kind_of(sentence.text)
        if kind is not None and not (keys and not re.search(_OURS, sentence.text, re.I)):
            yield Claimed(sentence.text, sentence.file, sentence.line, kind == "novel")


def kind_of(sentence: str) -> str | None:
    """`first` for a sentence that claims that nobody did it before, `novel` for one that says that it is new."""
    if _PRIORITY.search(sentence):
        return "first"
    return "novel" if _NOVEL.search(sentence) else None


def closest_works(
    draft: Draft, claims: Sequence[Claimed], tools: Tools, before: date, report: Report, least: float = CLOSE
) -> list[NoveltyClaim]:
    """Each claim with at most `SHOWN` works of before that day that are as near as `least`, the nearest first.

    The claim and the draft's title are the query; works that the draft cites are among them, the draft itself is not.
    """
    report("compare claims of novelty", 0, len(claims))
    all_claims = []
    for number, claim in enumerate(claims):
        works = _closest(draft, claim, tools, before, least)
        all_claims.append(NoveltyClaim(claim.text, claim.file, claim.line, tuple(works), tools.index.records, before))
        report("compare claims of novelty", number + 1, len(claims))
    return all_claims


def _closest(draft: Draft, claim: Claimed, tools: Tools, before: date, least: float) -> Iterator[EarlierWork]:
    where = Filter(before)
    by_words = dict.fromkeys(
        value
        for query in (claim.text, f"{draft.title} {claim.text}")
        for value, _ in tools.index.lexical(query, _BY_WORDS, where)
    )
    papers = [p for p in tools.index.papers(list(by_words)).values() if p.complete and not _is_draft(p, draft)]
    own = np.asarray(tools.index.embed([claim.text, f"{draft.title}. {claim.text}"]))
    vectors = tools.index.vectors_of(papers)
    scored = [(float((own @ vectors[p.id.value]).max()), p) for p in papers if p.id.value in vectors]
    scored.sort(key=lambda pair: (-pair[0], pair[1].id.value))
    read = [(paper, text) for _, paper in scored[:_READ] for text in _sentences(paper)]
    if not read:
        return
    wholes = np.asarray([float(own[0] @ vectors[paper.id.value]) for paper, _ in read])
    near = (wholes + np.asarray(tools.index.embed([text for _, text in read])) @ own[0]) / 2
    best: dict[str, EarlierWork] = {}
    for row in np.argsort(-near, kind="stable"):
        paper, text = read[int(row)]
        if near[row] >= least and len(best) < SHOWN and paper.id.value not in best:
            best[paper.id.value] = EarlierWork(paper, text, round(float(near[row]), 3))
    yield from best.values()


def _sentences(paper: Paper) -> Iterator[str]:
    """The sentences of an abstract, and its title, each as it stands."""
    yield paper.title
    yield from (paper.abstract[start:end].strip() for start, end in split_sentences(paper.abstract))


def _is_draft(paper: Paper, draft: Draft) -> bool:
    return compare_titles(draft.title, paper.title) == "same"


def finding_on(claim: NoveltyClaim) -> Finding:
    """`novelty_claim`: what comes closest, or that nothing does; a warning where a judge says that it does not hold."""
    quoted = _quoted(claim.sentence)
    bound = f"of {claim.records:,} records before {claim.before:%Y-%m-%d}"
    if not claim.works:
        message = f"claims to be new: {quoted}; {bound}, searched by its words, none comes close"
        return Finding("novelty_claim", "info", message, claim.file, claim.line)
    closest = claim.works[0]
    message = f"claims to be new: {quoted}; closest {bound}: {_named(closest.paper)}: {_quoted(closest.sentence)}"
    fix = "say how your work differs from it, or claim less"
    if claim.verdict is None or claim.verdict.holds:
        return Finding(
            "novelty_claim", "info", message, claim.file, claim.line, fix=fix, arxiv_id=closest.paper.id.value
        )
    judged = claim.verdict
    message = f"may not stand as worded: {quoted}; {_named(judged.work)}: {_quoted(judged.quotation)} ({judged.by})"
    fix = f"for instance: “{judged.wording}”" if judged.wording else fix
    return Finding("novelty_claim", "warning", message, claim.file, claim.line, fix=fix, arxiv_id=judged.work.id.value)


def _named(paper: Paper) -> str:
    return f"{paper.title} ({first_surname(paper)} {paper.published.year}, {shown_id(paper.id.value)})"


def _quoted(text: str) -> str:
    return f"“{beginning(text, _LONGEST)}”"
