"""Write the planned section from the sentences in which abstracts state their contribution, without a language model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from citeplug.plan.from_clusters import MORE, is_planners
from citeplug.plan.resolve import Resolver
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.text.cited_text import words
from citeplug.text.language import language_of
from citeplug.text.letters import capital, lower_first
from citeplug.text.nounphrases import small_words
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.clauses import clause, group
from citeplug.write.extractive.contributions import Contribution, find_contributions

_NO_DAYS = (date.min, date.min)
_DESCRIBED = 2  # papers in a sentence; more are named as a group
_CONTRAST = re.compile(r"\b(?:contrast|differ|oppos|unlike|versus|vs)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """Result of a plan line: the arXiv `ids` of its papers that are known, its sentences, and doubts about it."""

    line: PlanLine
    ids: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    findings: tuple[Finding, ...]


def write_section(plan: Plan, draft: Draft, papers: Mapping[str, Paper]) -> tuple[Section, list[Finding]]:
    """Follow `plan` line by line: each line with papers becomes a sentence that cites them all.

    `papers` are records by arXiv id without version. The last line without papers becomes the one sentence on the
    draft. Findings: `plan_unknown_paper`, `plan_no_source`, `title_only`, `close_wording`, `no_draft_statement`,
    `groups_alone`.
    """
    written = write_lines(plan, draft, papers)
    paragraphs = [
        SectionParagraph(paragraph.id, paragraph.heading, tuple(s for line in lines for s in line.sentences))
        for paragraph, lines in zip(plan.paragraphs, written, strict=True)
    ]
    findings = [finding for lines in written for line in lines for finding in line.findings]
    cited = {value for lines in written for line in lines for value in line.ids}
    if len(cited) > 1 and sum(finding.code == "title_only" for finding in findings) == len(cited):
        findings.append(_groups_alone())
    return Section(tuple(paragraphs)), findings


def write_lines(plan: Plan, draft: Draft, papers: Mapping[str, Paper]) -> list[list[WrittenLine]]:
    """As `write_section`, with what became of each line of each paragraph."""
    writer = _Writer(draft, papers, Resolver(papers, draft), small_words(papers.values()))
    closing = max(
        ((r, c) for r, p in enumerate(plan.paragraphs) for c, li in enumerate(p.lines) if not li.cites), default=None
    )
    return [
        [writer.line(planned, line, closing=(row, column) == closing) for column, line in enumerate(planned.lines)]
        for row, planned in enumerate(plan.paragraphs)
    ]


def states_contribution(paper: Paper, draft: Draft) -> bool:
    """Return True if the abstract has a sentence that can be reported whole in `draft`."""
    return bool(find_contributions(paper, draft.packages))


def in_english(draft: Draft) -> list[Finding]:
    """Finding `section_in_english` for a draft in another language: sentences are made from English abstracts."""
    language = language_of(draft)
    if language == "English":
        return []
    return [
        Finding(
            "section_in_english",
            "info",
            f"the draft seems to be in {language}; without a language model sentences are made in English alone",
            fix="name a language model with --llm, or translate the section when it is done",
        )
    ]


@dataclass(slots=True)
class _Writer:
    draft: Draft
    papers: Mapping[str, Paper]
    resolver: Resolver
    small: frozenset[str]
    used: dict[str, list[Contribution]] = field(default_factory=dict)  # by arXiv id

    def line(self, planned: PlanParagraph, line: PlanLine, *, closing: bool) -> WrittenLine:
        if not line.cites:
            sentence = _on_the_draft(self.draft) if closing else None
            silent = [_silent(planned)] if closing and sentence is None else []
            return WrittenLine(line, (), (sentence,) if sentence else (), tuple(silent))
        ids, unknown = self.resolver.resolve(line)
        papers = [self.papers[value] for value in ids]
        findings = list(unknown)
        sentence = self._sentence(papers, line.intent, planned.heading) if papers else None
        if sentence is not None and sentence.quoted:
            findings.append(_close(sentence))
        findings += [_title_only(paper) for paper in papers if paper.id.value not in self.used]
        return WrittenLine(line, tuple(ids), (sentence,) if sentence else (), tuple(findings))

    def _sentence(self, papers: Sequence[Paper], wish: str, heading: str) -> Sentence | None:
        ids = tuple(paper.id.value for paper in papers)
        told = [(paper, self._next(paper, wish)) for paper in papers] if len(papers) <= _DESCRIBED else []
        clauses = [clause(each, paper, again=paper.id.value in self.used) for paper, each in told if each is not None]
        sources = [each.source for each in clauses]
        texts = [each.text for each in clauses]
        silent = [paper for paper, each in told if each is None] if clauses else papers
        if silent and wish == MORE:
            return None
        if silent:
            text, grounds = group(silent, heading, self.small)
            texts.append(text)
            sources += grounds
        for paper, each in told:
            if each is not None:
                self.used.setdefault(paper.id.value, []).append(each)
        return Sentence(_joined(texts, wish), "paper", ids, tuple(sources), quoted=any(each.quoted for each in clauses))

    def _next(self, paper: Paper, wish: str) -> Contribution | None:
        """The next contribution that the abstract states, by the words of `wish` where these are the author's."""
        used = self.used.get(paper.id.value, [])
        unsaid = [each for each in find_contributions(paper, self.draft.packages) if not any(map(each.repeats, used))]
        wanted = frozenset() if is_planners(wish) else frozenset(words(wish)) - STOPWORDS

        def value(each: Contribution) -> tuple[float, int]:
            return each.weight + 1.5 * min(3, len(wanted & set(words(each.said)))), -each.start

        return max(unsaid, key=value, default=None)


def _joined(clauses: Sequence[str], wish: str) -> str:
    first, *others = clauses
    glue = ", whereas " if _CONTRAST.search(wish) else "; "
    return capital(glue.join([first, *(lower_first(other) for other in others)])) + "."


def _on_the_draft(draft: Draft) -> Sentence | None:
    """The draft's own sentence on its contribution, as it is."""
    abstract = " ".join(draft.abstract.split())
    paper = Paper(ArxivId(""), draft.title, abstract, (), *_NO_DAYS)
    found = find_contributions(paper, draft.packages)
    if not found:
        return None
    best = found[0]
    return Sentence(best.own, "draft", (), (Source(None, None, abstract[best.start : best.end], best.start, best.end),))


def _close(sentence: Sentence) -> Finding:
    shown = re.sub(r"\{\{(?:cite|author):([^{}]*)\}\}", r"[\1]", sentence.text)
    return Finding(
        "close_wording",
        "info",
        f"eight or more words in a row are the source's: {shown if len(shown) <= 160 else shown[:157] + '...'}",
        fix="say it in your own words, or leave it in quotation marks",
    )


def _title_only(paper: Paper) -> Finding:
    return Finding(
        "title_only",
        "info",
        f"the abstract of {paper.id.value} gives no sentence that can be reported whole: the work is only listed",
        fix="say what the paper contributes",
    )


def _silent(planned: PlanParagraph) -> Finding:
    return Finding(
        "no_draft_statement",
        "info",
        f"paragraph {planned.id} has no sentence on the draft: its abstract states no contribution",
        fix="say in the abstract what the paper does ('we propose ...'), or write the sentence yourself",
    )


def _groups_alone() -> Finding:
    return Finding(
        "groups_alone",
        "warning",
        "no abstract gives a sentence that can be reported whole: the section only lists works",
        fix="say of each what it contributes, or name a language model with --llm",
    )
