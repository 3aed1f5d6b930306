"""Write the planned section from the sentences in which abstracts state their contribution, without a language model."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain

from citeplug.plan.clusters import has_theme
from citeplug.plan.from_clusters import is_listing, is_planners, theme_of
from citeplug.plan.resolve import Resolver
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.passage import Passage
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.text.cited_text import close_wording, words
from citeplug.text.letters import capital, lower_first
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.clauses import (
    TitleWords,
    author,
    clause,
    definition,
    further,
    group,
    own_words,
    quotable_title,
    title_words,
)
from citeplug.write.extractive.contributions import find_contributions, find_deeds, find_in_passages
from citeplug.write.extractive.findings import no_draft_statement, not_written
from citeplug.write.extractive.statements import Contribution

Passages = Mapping[str, Sequence[Passage]]
_NO_PASSAGES: Passages = {}
# Sentences that stand, for each line of a paragraph, by the paragraph's id.
Standing = Mapping[str, Sequence[Sequence[Sentence]]]
_NOTHING: Standing = {}
_NO_DAYS = (date.min, date.min)
_LESS_OF_A_PASSAGE = 2.5  # an abstract's sentence says more of the whole: weights are 2.5 to 6, wishes up to 4.5
_DESCRIBED = 2  # papers in a sentence; of more each has its own, or they are a group
_NAMED = 4  # papers in a sentence that only names them, at most
_OPENINGS = ("Further work includes", "Also related are")
_CONTRAST = re.compile(r"\b(?:contrast|differ|oppos|unlike|versus|vs)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """Result of a plan line: the arXiv `ids` of its papers that are known, its sentences, and doubts about it.

    `unwritten` are those of `ids` of which nothing is said.
    """

    line: PlanLine
    ids: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    findings: tuple[Finding, ...]
    unwritten: tuple[str, ...] = ()


def write_section(
    plan: Plan,
    draft: Draft,
    papers: Mapping[str, Paper],
    *,
    quotes: bool = True,
    bound: Collection[str] = (),
    cited: Collection[str] = (),
    passages: Passages = _NO_PASSAGES,
    standing: Standing = _NOTHING,
) -> tuple[Section, list[Finding]]:
    """Follow `plan` line by line; a paper whose abstract gives no whole sentence is named by what its title says.

    `bound` are ids or keys that the author wants cited: of these a sentence of the abstract is quoted in any case.
    `cited` are those that the draft cites: of these one on a side matter is better than none, or a whole sentence of
    the abstract that says what the authors did.

    `papers` are records by arXiv id without version. A line that lists further work becomes a group of those that have
    its theme. The last line without papers becomes the one sentence on the draft. `quotes`: what is the source's for
    eight words or more stands in quotation marks. `passages` of full texts, by arXiv id, are quoted where the abstract
    has nothing more to say. Sentences that are `standing` are not written again. Findings: `plan_unknown_paper`, `plan_no_source`, `close_wording`, `no_draft_statement`, and
    `paper_not_written` where a further line asks for more than there is to say.
    """
    written = write_lines(
        plan, draft, papers, quotes=quotes, bound=bound, cited=cited, passages=passages, standing=standing
    )
    paragraphs = [
        SectionParagraph(paragraph.id, paragraph.heading, tuple(s for line in lines for s in line.sentences))
        for paragraph, lines in zip(plan.paragraphs, written, strict=True)
    ]
    findings = [finding for lines in written for line in lines for finding in line.findings]
    unwritten = (value for lines in written for line in lines for value in line.unwritten)
    findings += [*close_wording(s for each in paragraphs for s in each.sentences), *not_written(unwritten, papers)]
    return Section(tuple(paragraphs)), findings


def write_lines(
    plan: Plan,
    draft: Draft,
    papers: Mapping[str, Paper],
    *,
    quotes: bool = True,
    bound: Collection[str] = (),
    cited: Collection[str] = (),
    passages: Passages = _NO_PASSAGES,
    standing: Standing = _NOTHING,
) -> list[list[WrittenLine]]:
    """As `write_section`, with what became of each line of each paragraph."""
    resolver = Resolver(papers, draft)
    wanted = frozenset(resolver.resolve(PlanLine("", tuple(bound)))[0])
    of_titles = title_words(papers.values(), " ".join([draft.abstract, *(section.text for section in draft.sections)]))
    writer = _Writer(draft, papers, resolver, of_titles, quotes, wanted, frozenset(cited), passages, standing)
    stand = [sentence for lines in standing.values() for line in lines for sentence in line]
    writer.told = writer.told_in(stand)
    closed = any(sentence.kind == "draft" for sentence in stand)
    on_draft = (
        (row, column)
        for row, paragraph in enumerate(plan.paragraphs)
        for column, line in enumerate(paragraph.lines)
        if not line.cites and line.role == "draft"
    )
    closing = max(on_draft, default=None) if not closed else None
    return [
        writer.lines(paragraph, closing=[(row, at) == closing for at in range(len(paragraph.lines))])
        for row, paragraph in enumerate(plan.paragraphs)
    ]


def can_be_described(
    paper: Paper, draft: Draft, cited: Collection[str] = (), passages: Passages = _NO_PASSAGES
) -> bool:
    """Return True if the abstract, or a passage, has a sentence on what the paper does that `draft` may have."""
    own = passages.get(paper.id.value, ())
    found = (*find_contributions(paper, draft.packages), *find_in_passages(paper, own, draft.packages))
    if paper.id.value in cited:
        defined = definition(paper, draft.packages)
        return bool(found or find_deeds(paper, draft.packages)) or defined is not None
    return not all(each.is_side for each in found)


@dataclass(slots=True)
class _Writer:
    draft: Draft
    papers: Mapping[str, Paper]
    resolver: Resolver
    title_words: TitleWords
    quotes: bool
    bound: frozenset[str]
    cited: frozenset[str]
    passages: Passages
    standing: Standing
    told: dict[str, list[Contribution]] = field(default_factory=dict)  # in sentences that stand, by arXiv id
    used: dict[str, list[Contribution]] = field(default_factory=dict)  # by arXiv id
    title_first: bool = False  # in the clause before
    listed: int = 0  # sentences that only name papers, after the first of a paragraph

    def lines(self, paragraph: PlanParagraph, *, closing: Sequence[bool]) -> list[WrittenLine]:
        self.title_first = False
        written = list[WrittenLine]()
        standing = self.standing.get(paragraph.id) or [()] * len(paragraph.lines)
        for line, last, stand in zip(paragraph.lines, closing, standing, strict=True):
            first = not any(each.sentences for each in written)
            if not stand:
                written.append(self.line(line, closing=last, first=first))
                continue
            for value, each in self.told_in(stand).items():
                self.used.setdefault(value, []).extend(each)
            said = {cite for sentence in stand for cite in sentence.cites}
            left = tuple(value for value in self.resolver.resolve(line)[0] if value not in said)
            rest = self.line(replace(line, cites=left), closing=False, first=False) if left else None
            sentences = (*stand, *(rest.sentences if rest is not None else ()))
            done = WrittenLine(line, (*said, *left), sentences, (), rest.unwritten if rest is not None else ())
            written.append(done)
        return written

    def told_in(self, sentences: Iterable[Sentence]) -> dict[str, list[Contribution]]:
        """What each paper's contribution is of which these sentences speak, by their sources."""
        found: dict[str, list[Contribution]] = {}
        for sentence in sentences:
            for value in sentence.cites:
                paper = self.papers[value]
                of = [(s.of, s.start) for s in sentence.sources if s.arxiv_id == value]
                known = find_contributions(paper, self.draft.packages)
                known += find_in_passages(paper, self.passages.get(value, ()), self.draft.packages)
                told = [c for c in known if ("full text" if c.passage else "abstract", _start(c)) in of]
                found.setdefault(value, []).extend(told)
        return found

    def line(self, line: PlanLine, *, closing: bool, first: bool) -> WrittenLine:
        """`first` of its paragraph to say something."""
        if not line.cites:
            sentence = _on_the_draft(self.draft) if closing else None
            silent = [no_draft_statement()] if closing and sentence is None else []
            return WrittenLine(line, (), (sentence,) if sentence else (), tuple(silent))
        ids, unknown = self.resolver.resolve(line)
        papers = [self.papers[value] for value in ids]
        theme = theme_of(line.intent)
        sentences = [] if is_listing(line.intent) else self._described(papers, line.intent)
        sentences += self._group(self._left(papers, sentences), theme) if theme else []
        for paper in self._left(papers, sentences):
            sentences += self._in_own_words(paper)
        sentences += self._named(self._left(papers, sentences), first=first and not sentences)
        unwritten = () if sentences else tuple(ids)
        return WrittenLine(line, tuple(ids), tuple(sentences), tuple(unknown), unwritten)

    def _named(self, papers: Sequence[Paper], *, first: bool) -> list[Sentence]:
        """Sentences that name papers of which nothing can be reported; `first` in their paragraph."""
        sentences = []
        count = math.ceil(len(papers) / _NAMED)
        for number in range(count):
            part = papers[number * len(papers) // count : (number + 1) * len(papers) // count]
            opening = "Related work includes" if first and not number else _OPENINGS[self.listed % len(_OPENINGS)]
            listed = further(part, opening, self.draft.packages, self.title_words)
            sentences.append(Sentence(f"{listed.text}.", "group", listed.cites, listed.sources, attribution=None))
            self.listed += opening in _OPENINGS
            self.used.update({paper.id.value: [] for paper in part})
        return sentences

    def _left(self, papers: Sequence[Paper], sentences: Sequence[Sentence]) -> list[Paper]:
        """Those of `papers` that neither these `sentences` nor the ones before have spoken of."""
        said = {cite for sentence in sentences for cite in sentence.cites} | self.used.keys() | self.told.keys()
        return [paper for paper in papers if paper.id.value not in said]

    def _described(self, papers: Sequence[Paper], wish: str) -> list[Sentence]:
        """A sentence on what each paper contributes, or one on two; papers of which nothing can be said are left out."""
        found: list[tuple[Paper, Contribution]] = []
        for paper in papers:
            contribution = self._next(paper, wish)
            if contribution is not None:
                found.append((paper, contribution))
        parts = [found] if len(papers) <= _DESCRIBED else [[each] for each in found]
        return [self._sentence(part, wish) for part in parts if part]

    def _sentence(self, told: Sequence[tuple[Paper, Contribution]], wish: str) -> Sentence:
        clauses = []
        for paper, each in told:
            who, again = self._subject(paper, each), paper.id.value in self.used
            clauses.append(clause(each, paper, again=again, quotes=self.quotes, who=who))
        for paper, each in told:
            self.used.setdefault(paper.id.value, []).append(each)
        ids = tuple(paper.id.value for paper, _ in told)
        text = _joined([each.text for each in clauses], wish)
        quoted = any(each.quoted for each in clauses)
        return Sentence(text, "paper", ids, tuple(each.source for each in clauses), quoted=quoted)

    def _subject(self, paper: Paper, told: Contribution) -> str:
        """The authors, with the title where the sentence does not say what the paper is on.

        Of titles in a row every other stands after the authors: the same opening time and again tires the reader.
        """
        title, who = quotable_title(paper, self.draft.packages), author(paper.id.value)
        needed = told.titled and paper.id.value not in self.used and "$" not in title
        self.title_first = bool(needed and title and not self.title_first and not told.front)
        if not (needed and title):
            return who
        return f"in “{title}”, {who}" if self.title_first else f"{who}, in “{title}”,"

    def _group(self, papers: Sequence[Paper], theme: str) -> list[Sentence]:
        """A sentence that cites those of `papers` that have the theme, if they are several."""
        fitting = [paper for paper in papers if has_theme(paper.title, theme)]
        before = any(has_theme(self.papers[each].title, theme) for each in self.used)
        found = group(fitting, theme, first=not before)
        if found is None:
            return []
        text, sources = found
        ids = tuple(paper.id.value for paper in fitting)
        return [Sentence(f"{text}.", "group", ids, tuple(sources), attribution=None)]

    def _in_own_words(self, paper: Paper) -> list[Sentence]:
        """A sentence on a paper that the author wants cited, or cites, and whose authors do nothing in its abstract."""
        bound = paper.id.value in self.bound
        told = definition(paper, self.draft.packages) if bound or paper.id.value in self.cited else None
        if told is not None:
            text, source, quoted = told.text, told.source, told.quoted
        elif bound and (found := own_words(paper, self.draft.packages)) is not None:
            (text, source), quoted = found, False
        else:
            return []
        self.used.setdefault(paper.id.value, [])
        return [Sentence(f"{text}.", "paper", (paper.id.value,), (source,), 0.0, quoted=quoted)]

    def _next(self, paper: Paper, wish: str) -> Contribution | None:
        """The next contribution that the abstract states, by the words of `wish` where these are the author's.

        One of a passage takes its place where it has none, or none that fits the wish so well; of a paper that is to be
        cited anything that its authors do, unless the abstract says what the thing is that they made.
        """
        used = [*self.used.get(paper.id.value, []), *self.told.get(paper.id.value, [])]
        to_cite = paper.id.value in self.cited | self.bound
        found = find_contributions(paper, self.draft.packages)
        found += find_in_passages(paper, self.passages.get(paper.id.value, ()), self.draft.packages)
        others = [each for told in (*self.used.values(), *self.told.values()) for each in told]
        unsaid = [each for each in found if not any(map(each.repeats, used)) and not any(map(each.is_like, others))]
        wanted = frozenset() if is_planners(wish) else frozenset(words(wish)) - STOPWORDS
        if not used and to_cite and not unsaid and definition(paper, self.draft.packages) is None:
            unsaid = find_deeds(paper, self.draft.packages)
        elif not used and not to_cite:
            # A side matter can be a second sentence, or what the author asks for.
            unsaid = [each for each in unsaid if not each.is_side or len(wanted & set(words(each.said))) > 1]

        def value(each: Contribution) -> tuple[float, int]:
            deep = each.passage is not None
            wished = 1.5 * min(3, len(wanted & set(words(each.said))))
            return each.weight + wished - _LESS_OF_A_PASSAGE * deep, -each.start

        return max(unsaid, key=value, default=None)


def _start(told: Contribution) -> int:
    """Where the source of a contribution begins, in the abstract or in the text of the passage's section."""
    return told.start + (told.passage.start if told.passage is not None else 0)


def _joined(clauses: Sequence[str], wish: str) -> str:
    first, *others = clauses
    glue = ", whereas " if _CONTRAST.search(wish) else "; "
    return capital(glue.join([first, *(lower_first(other) for other in others)])) + "."


def _on_the_draft(draft: Draft) -> Sentence | None:
    """The draft's own sentence on its contribution, as it is."""
    abstract = " ".join(draft.abstract.split())
    paper = Paper(ArxivId(""), draft.title, abstract, (), *_NO_DAYS)
    found = [each for each in find_contributions(paper, draft.packages) if _is_all(each)]
    plain = (each for each in found if not ("also" in words(each.own) or each.long or each.titled or each.is_side))
    deeds = (each for each in find_deeds(paper, draft.packages) if _is_all(each))
    best = next(chain(plain, found, deeds), None)
    if best is None:
        return None
    return Sentence(best.own, "draft", (), (Source(None, None, abstract[best.start : best.end], best.start, best.end),))


def _is_all(told: Contribution) -> bool:
    """Return True if nothing of the sentence is left out behind what is told."""
    return told.own.endswith(f"{told.said}.")
