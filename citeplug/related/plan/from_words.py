"""A plan in LitLLM's own words: "5 sentences in 120 words. Cite X at line 1, 3." (LitLLM, section 4, plan-based)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.from_clusters import CONTRIBUTE, WORDS_EACH
from citeplug.text.cleaning import plain

LONGEST = 20_000  # characters
MOST_SENTENCES = 60

_NUMBERS = {
    w: n for n, w in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), start=1)
}
_NUMBER = rf"(\d{{1,4}}|{'|'.join(_NUMBERS)})"
_PARAGRAPH = re.compile(
    r"(?:^|(?<=[.;]\s))\s*paragraph\s+\d+\s*(?:\(([^()]*)\)|[“\"]([^”\"]*)[”\"])?\s*:", re.IGNORECASE
)
_SENTENCES = re.compile(rf"\b{_NUMBER}\s+(?:sentences?|lines?)\b", re.IGNORECASE)
_WORDS = re.compile(rf"\b{_NUMBER}\s+words?\b", re.IGNORECASE)
_NAME = r"(?:\[[^\[\]]{1,80}\]|@?[\w:./+-]*\w)"
_CITE = re.compile(
    rf"\bcite\s+({_NAME}(?:\s*(?:,|;|\band\b|&)\s*{_NAME})*)\s+(?:at|on|in)\s+(?:lines?|sentences?)\s+"
    r"(\d{1,4}(?:\s*(?:,|;|\band\b|&|-|–|to)+\s*\d{1,4})*)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:please|generate|write|produce|make|use|using|in|with|about|around|a|the|of|and|total|paragraph|section|related|"
    r"work|each|exactly|at|most|up|to|plan)\b|[\s.,;:]+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PlanText:
    """The plan, its papers named as the text names them, and what of the text was not understood."""

    plan: Plan
    findings: tuple[Finding, ...]


def read_plan_text(text: str, shortlist: Sequence[str] = ()) -> PlanText:
    """Read a plan such as "Generate 5 sentences in 120 words. Cite 2004.04906 at line 1, 3. Cite smith20 at line 2."

    Papers are arXiv ids or keys of the draft's bibliography; `@cite_2` or `[2]` is the second of `shortlist` (arXiv
    ids, best first). "Paragraph 1 (Heading): ..." begins a paragraph. A sentence without a paper speaks of the draft.
    Without a number of sentences there are as many as the citations ask for. Findings: `plan_text_unread` for what
    is not understood, `plan_line_missing` for a citation at a line that does not exist, `plan_unknown_paper` for a number
    beyond the shortlist.
    """
    findings: list[Finding] = []
    paragraphs: list[PlanParagraph] = []
    for heading, body in _paragraphs(plain(text)[:LONGEST]):
        paragraph = _paragraph(f"p{len(paragraphs) + 1}", heading, body, shortlist, findings)
        if paragraph is not None:
            paragraphs.append(paragraph)
    if not paragraphs and not findings:
        findings.append(_unread(text))
    return PlanText(Plan(tuple(paragraphs)), tuple(findings))


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    starts = list(_PARAGRAPH.finditer(text))
    if not starts or text[: starts[0].start()].strip():
        yield "", text[: starts[0].start()] if starts else text
    for number, match in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        yield (match[1] or match[2] or "").strip(), text[match.end() : end]


def _paragraph(
    name: str, heading: str, body: str, shortlist: Sequence[str], findings: list[Finding]
) -> PlanParagraph | None:
    cites: list[tuple[str, int]] = []
    for match in _CITE.finditer(body):
        papers = [
            _resolved(named, shortlist, findings) for named in re.findall(_NAME, match[1]) if named.lower() != "and"
        ]
        cites += [(paper, line) for paper in papers if paper for line in _lines(match[2])]
    rest = _CITE.sub(" ", body)
    counted, length = _SENTENCES.search(rest), _WORDS.search(rest)
    count = _value(counted) or max((line for _, line in cites), default=0)
    sentences = min(count, MOST_SENTENCES)
    unread = _FILLER.sub("", _SENTENCES.sub(" ", _WORDS.sub(" ", rest)))
    if unread:
        findings.append(_unread(rest))
    if not sentences:
        return None
    lines: list[list[str]] = [[] for _ in range(sentences)]
    for paper, line in cites:
        if not 1 <= line <= sentences:
            findings.append(_missing(paper, line, sentences))
        elif paper not in lines[line - 1]:
            lines[line - 1].append(paper)
    planned = tuple(PlanLine("" if papers else CONTRIBUTE, tuple(papers)) for papers in lines)
    return PlanParagraph(name, heading, planned, _value(length) or WORDS_EACH * sentences)


def _value(match: re.Match[str] | None) -> int:
    if match is None:
        return 0
    return _NUMBERS.get(match[1].lower(), 0) or int(match[1])


def _lines(text: str) -> list[int]:
    """The numbers of "1, 3 and 5" and of "2-4"."""
    numbers: list[int] = []
    for first, last in re.findall(r"(\d+)(?:\s*(?:-|–|\bto\b)\s*(\d+))?", text):
        numbers += range(int(first), min(int(last or first), int(first) + MOST_SENTENCES) + 1)
    return list(dict.fromkeys(numbers))


def _resolved(named: str, shortlist: Sequence[str], findings: list[Finding]) -> str | None:
    """The paper that is meant; a number is a place in the shortlist."""
    bare = named.strip("[] ")
    numbered = re.fullmatch(r"@?cite[_.]?(\d{1,3})|@(\d{1,3})", bare, re.IGNORECASE)
    if named.startswith("[") and bare.isdigit():
        numbered = re.fullmatch(r"(\d{1,3})()", bare)
    if numbered is None:
        return bare.lstrip("@")
    position = int(numbered[1] or numbered[2])
    if 1 <= position <= len(shortlist):
        return shortlist[position - 1]
    findings.append(
        Finding(
            "plan_unknown_paper",
            "warning",
            f"the plan cites {named}, but the shortlist has {len(shortlist)} papers",
            fix="name the paper by its arXiv id, or by a key of the bibliography",
        )
    )
    return None


def _unread(text: str) -> Finding:
    return Finding(
        "plan_text_unread",
        "warning",
        f"not understood in the plan: “{' '.join(plain(text).split())[:120]}”",
        fix='write it like "5 sentences in 120 words. Cite 2004.04906 at line 1, 3."',
    )


def _missing(paper: str, line: int, sentences: int) -> Finding:
    return Finding(
        "plan_line_missing",
        "warning",
        f"the plan cites {paper} at line {line}, but has {sentences} sentences",
        fix="ask for more sentences, or cite it at another line",
    )
