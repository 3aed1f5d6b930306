"""Write the planned section from the sentences in which abstracts state their contribution, without a language model."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.plan.from_clusters import RELATE, is_later, is_listing, is_planners, topic_of
from citeplug.related.plan.planned import Resolver
from citeplug.related.write.extractive.choice import features, has_means, telling
from citeplug.related.write.extractive.contributions import (
    find_contributions,
    find_deeds,
    find_in_passages,
    says_subject,
)
from citeplug.related.write.extractive.sentences import (
    NO_PASSAGES,
    Clause,
    Passages,
    acronyms,
    author,
    clause,
    find_statement,
    is_said,
    no_comparison,
    no_draft_statement,
    not_written,
    own_words,
    told_in,
    with_mechanism,
)
from citeplug.related.write.extractive.statements import Contribution
from citeplug.related.write.extractive.things import find_mechanisms
from citeplug.related.write.extractive.titles import (
    TitleWords,
    further,
    is_phrase,
    name_and_subject,
    quotable_title,
    title_words,
    topic_of_title,
)
from citeplug.text.cited_text import close_wording, words
from citeplug.text.letters import capital, lower_first
from citeplug.text.stems import stemmed
from citeplug.text.stop_words import STOPWORDS

# Sentences that stand, for each line of a paragraph, by the paragraph's id.
Standing = Mapping[str, Sequence[Sequence[Sentence]]]
_NOTHING: Standing = {}
_LESS_OF_A_PASSAGE = 2.5  # an abstract's sentence says more of the whole: weights are 2.5 to 6, wishes up to 4.5
_LITTLE = 1 / 2  # of a dozen words beside the title: a sentence on what was made with no more says too little of it
_DESCRIBED = 2  # papers in a sentence; of more each has its own, or they are a group
_NAMED = 5  # papers in a sentence that only names them, at most
_BRIEF = 44  # words of what two papers in a sentence say
_OPENINGS = ("Further work includes", "Other work includes")
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
    passages: Passages = NO_PASSAGES,
    standing: Standing = _NOTHING,
) -> tuple[Section, list[Finding]]:
    """Follow `plan` line by line; a paper whose abstract gives no whole sentence is named by what its title says.

    `bound` are ids or keys that the author wants cited: of these a sentence of the abstract is quoted in any case.
    `papers` are records by arXiv id without version. A line on a theme becomes one sentence that cites those that have
    it. The last line without papers becomes the draft's own sentence on its contribution; the planner's only if that
    names a work of the paragraph. `quotes`: what is the source's for eight words or more stands in quotation marks. `passages` of full
    texts, by arXiv id, are quoted where the abstract has nothing more to say. Sentences that are `standing` are not
    written again. Findings: `plan_unknown_paper`, `plan_no_source`, `close_wording`, `no_draft_statement`, `no_comparison`, and
    `paper_not_written` where a further line asks for more than there is to say.
    """
    written = write_lines(plan, draft, papers, quotes=quotes, bound=bound, passages=passages, standing=standing)
    paragraphs = [
        SectionParagraph(paragraph.id, paragraph.heading, tuple(s for line in lines for s in line.sentences))
        for paragraph, lines in zip(plan.paragraphs, written, strict=True)
    ]
    findings = [finding for lines in written for line in lines for finding in line.findings]
    unwritten = (value for lines in written for line in lines for value in line.unwritten)
    findings += [
        *close_wording(s for paragraph in paragraphs for s in paragraph.sentences),
        *not_written(unwritten, papers),
    ]
    return Section(tuple(paragraphs)), findings


def write_lines(
    plan: Plan,
    draft: Draft,
    papers: Mapping[str, Paper],
    *,
    quotes: bool = True,
    bound: Collection[str] = (),
    passages: Passages = NO_PASSAGES,
    standing: Standing = _NOTHING,
) -> list[list[WrittenLine]]:
    """As `write_section`, with what became of each line of each paragraph."""
    # What the draft says of a work is no text to quote from: such a work is named by its title.
    papers = {v: replace(p, abstract="") if p.abstract_kind == "draft" else p for v, p in papers.items()}
    resolver = Resolver(papers, draft)
    bound_ids = frozenset(resolver.resolve(PlanLine("", tuple(bound)))[0])
    of_titles = title_words(papers.values(), " ".join([draft.abstract, *(section.text for section in draft.sections)]))
    writer = _LineWriter(draft, papers, resolver, of_titles, quotes, bound_ids, passages, standing)
    writer.acronyms |= acronyms(f"{draft.title} {draft.abstract}")
    for paragraph in plan.paragraphs:
        for sentences in standing.get(paragraph.id, ()):
            writer.positions |= {sentence.text for sentence in sentences if sentence.kind == "draft"}
            for value, contributions in writer.told_in(sentences).items():
                writer.told.setdefault(value, []).extend(contributions)
    on_draft = (
        (row, column)
        for row, paragraph in enumerate(plan.paragraphs)
        for column, line in enumerate(paragraph.lines)
        if not line.cites and line.role == "draft"
    )
    last = max(on_draft, default=None)
    return [
        writer.lines(paragraph, closing=[(row, at) == last for at in range(len(paragraph.lines))])
        for row, paragraph in enumerate(plan.paragraphs)
    ]


@dataclass(slots=True)
class _LineWriter:
    draft: Draft
    papers: Mapping[str, Paper]
    resolver: Resolver
    title_words: TitleWords
    quotes: bool
    bound: frozenset[str]
    passages: Passages
    standing: Standing
    told: dict[str, list[Contribution]] = field(default_factory=dict)  # in sentences that stand, by arXiv id
    used: dict[str, list[Contribution]] = field(default_factory=dict)  # by arXiv id
    heading: str = ""  # of the paragraph
    apart: frozenset[str] = frozenset()  # papers with a line in the paragraph that does not only list them
    listed: int = 0  # sentences that only name papers, after the first of a paragraph
    positions: set[str] = field(default_factory=set)  # sentences of the draft's that were said
    acronyms: set[str] = field(default_factory=set)  # the draft's own, and those that were spelled out

    def lines(self, paragraph: PlanParagraph, *, closing: Sequence[bool]) -> list[WrittenLine]:
        self.heading = paragraph.heading
        others = (line for line in paragraph.lines if not is_listing(line.intent))
        self.apart = frozenset(value for line in others for value in self.resolver.resolve(line)[0])
        written = list[WrittenLine]()
        standing = self.standing.get(paragraph.id) or [()] * len(paragraph.lines)
        for line, last, stand in zip(paragraph.lines, closing, standing, strict=True):
            first = not any(line_before.sentences for line_before in written)
            if not stand and not line.cites:
                written.append(self.on_draft(line, last=last))
                continue
            if not stand:
                later = is_later(line.intent) and not (first or any(is_later(other.line.intent) for other in written))
                written.append(self.line(line, first=first, later=later))
                continue
            for value, contributions in self.told_in(stand).items():
                self.used.setdefault(value, []).extend(contributions)
            cited = {cite for sentence in stand for cite in sentence.cites}
            left = tuple(value for value in self.resolver.resolve(line)[0] if value not in cited)
            rest = self.line(replace(line, cites=left), first=False) if left else None
            sentences = (*stand, *(rest.sentences if rest is not None else ()))
            done = WrittenLine(line, (*cited, *left), sentences, (), rest.unwritten if rest is not None else ())
            written.append(done)
        return written

    def told_in(self, sentences: Iterable[Sentence]) -> dict[str, list[Contribution]]:
        """What each paper's contribution is of which these sentences speak, by their sources."""
        by_paper: dict[str, list[Contribution]] = {}
        for sentence in sentences:
            for value in sentence.cites:
                paper = self.papers[value]
                of = [(s.of, s.start) for s in sentence.sources if s.arxiv_id == value]
                known = find_contributions(paper, self.draft.packages)
                known += find_mechanisms(paper, self.draft.packages)
                known += find_in_passages(paper, self.passages.get(value, ()), self.draft.packages)
                told = [c for c in known if ("full text" if c.passage else "abstract", _start(c)) in of]
                by_paper.setdefault(value, []).extend(told)
        return by_paper

    def on_draft(self, line: PlanLine, *, last: bool) -> WrittenLine:
        """The draft's own sentence on its contribution, for the `last` of these lines.

        Where the author asks for none it must compare: its readers know what the draft does.
        """
        statement = find_statement(self.draft) if last else None
        if line.intent == RELATE and not (statement is not None and self._compares(statement.text)):
            return WrittenLine(line, (), (), (no_comparison(),) if last else ())
        if statement is None or is_said(statement.text, self.positions):
            return WrittenLine(line, (), (), (no_draft_statement(),) if last and not self.positions else ())
        self.positions.add(statement.text)
        return WrittenLine(line, (), (statement,), ())

    def _compares(self, text: str) -> bool:
        """Return True if a sentence of the draft names a work of the paragraph."""
        parts = (name_and_subject(self.papers[value], self.draft.packages, self.title_words) for value in self.apart)
        names = {name for name, _ in filter(None, parts) if name}
        return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)

    def line(self, line: PlanLine, *, first: bool, later: bool = False) -> WrittenLine:
        """`first` of its paragraph to say something; `later`: the first there on work that is later than what is before it."""
        ids, unknown = self.resolver.resolve(line)
        listing = is_listing(line.intent)
        papers = [self.papers[value] for value in ids if not (listing and value in self.apart)]
        sentences = [] if listing else self._described(papers, line.intent)
        for paper in self._left(papers, sentences):
            sentences += self._in_own_words(paper)
        sentences += self._named(self._left(papers, sentences), first=first and not sentences)
        if later and sentences:
            text = sentences[0].text
            listed = text.partition(" work includes ")[2]
            text = f"Later work includes {listed}" if listed else f"Later, {lower_first(text)}"
            sentences[0] = replace(sentences[0], text=text)
        unwritten = () if sentences else tuple(paper.id.value for paper in papers)
        return WrittenLine(line, tuple(ids), tuple(sentences), tuple(unknown), unwritten)

    def _named(self, papers: Sequence[Paper], *, first: bool) -> list[Sentence]:
        """Sentences that name papers of which nothing can be reported; `first` in their paragraph."""
        sentences = []
        count = math.ceil(len(papers) / _NAMED)
        for number in range(count):
            part = papers[number * len(papers) // count : (number + 1) * len(papers) // count]
            opening = "Related work includes" if first and not number else _OPENINGS[self.listed % len(_OPENINGS)]
            self.listed += opening in _OPENINGS
            listed = further(part, opening, self.draft.packages, self.title_words)
            sentences.append(Sentence(f"{listed.text}.", "group", listed.cites, listed.sources, attribution=None))
            self.used.update({paper.id.value: [] for paper in part})
        return sentences

    def _left(self, papers: Sequence[Paper], sentences: Sequence[Sentence]) -> list[Paper]:
        """Those of `papers` that neither these `sentences` nor the ones before have spoken of."""
        cited = {cite for sentence in sentences for cite in sentence.cites} | self.used.keys() | self.told.keys()
        return [paper for paper in papers if paper.id.value not in cited]

    def _described(self, papers: Sequence[Paper], wish: str) -> list[Sentence]:
        """A sentence on what each paper contributes, or one on two; papers of which nothing can be said are left out."""
        contributions: list[tuple[Paper, Contribution]] = []
        for paper in papers:
            contribution = self._next(paper, wish)
            if contribution is not None:
                contributions.append((paper, contribution))
        # Two long quotations in one sentence lose the reader.
        brief = sum(len(contribution.said.split()) for _, contribution in contributions) <= _BRIEF and not any(
            t.titled for _, t in contributions
        )
        parts = [contributions] if len(contributions) <= _DESCRIBED and brief else [[pair] for pair in contributions]
        return [self._sentence(part, wish) for part in parts if part]

    def _sentence(self, told: Sequence[tuple[Paper, Contribution]], wish: str) -> Sentence:
        clauses = list[Clause]()
        told = list(told)
        for paper, contribution in tuple(told):
            who, again = self._subject(paper, contribution), paper.id.value in self.used
            clauses.append(clause(contribution, paper, again=again, quotes=self.quotes, who=who, known=self.acronyms))
            more = self._mechanism(paper, contribution) if len(told) == 1 else None
            if more is not None:
                clauses[0] = with_mechanism(
                    clauses[0], contribution, more, paper, quotes=self.quotes, known=self.acronyms
                )
                told.append((paper, more))
        for paper, contribution in told:
            self.used.setdefault(paper.id.value, []).append(contribution)
        ids = dict.fromkeys(paper.id.value for paper, _ in told)
        text, sources = _joined([part.text for part in clauses], wish), [told_in(*pair) for pair in told]
        quoted = any(part.quoted for part in clauses)
        return Sentence(text, "paper", tuple(ids), tuple(sources), quoted=quoted)

    def _mechanism(self, paper: Paper, told: Contribution) -> Contribution | None:
        """What the abstract says next of a thing of which `told` says little more than the title."""
        if not told.makes:
            return None
        says_little = not has_means(told) or features(told, paper)["beyond"] <= _LITTLE
        brief = (
            more
            for more in find_mechanisms(paper, self.draft.packages)
            if more.start > told.start
            and (says_little or telling(more, paper) > telling(told, paper))
            and len(f"{told.said} {more.said}".split()) <= _BRIEF
            and not more.repeats(told)
        )
        return max(brief, key=lambda more: (telling(more, paper), -more.start), default=None)

    def _subject(self, paper: Paper, told: Contribution) -> str:
        """The authors, behind the title's topic where neither the sentence nor the heading says what the paper is on."""
        title, who = quotable_title(paper, self.draft.packages), author(paper.id.value)
        needed = told.titled and paper.id.value not in self.used and title and "$" not in title
        if not needed or (told.thing and told.thing in title) or says_subject(told, paper, self.heading):
            return who
        on = topic_of_title(paper, self.draft.packages, self.title_words)
        # "Return of easy domain adaptation": of "a method for domain adaptation" it says no more.
        if on is None or (on and stemmed(" ".join(on.split()[-2:])) in stemmed(told.said)):
            return who
        on = on.partition(" for ")[2] if on.startswith(("a ", "an ")) else on
        work = f"{'for' if told.makes else 'on'} {on}" if is_phrase(on) else f"in “{title}”"
        return f"{who}, {work}," if told.front else f"{work}, {who}"

    def _in_own_words(self, paper: Paper) -> list[Sentence]:
        """A sentence that a paper which is wanted has on its own work, though its authors state no contribution in it."""
        is_wanted = paper.id.value in self.bound
        quotation = own_words(paper, self.draft.packages, self.title_words) if is_wanted else None
        if quotation is None:
            return []
        text, source = quotation
        self.used.setdefault(paper.id.value, [])
        return [Sentence(f"{text}.", "paper", (paper.id.value,), (source,), 0.0)]

    def _next(self, paper: Paper, wish: str) -> Contribution | None:
        """The next contribution that the abstract states, by the words of `wish` where these are the author's.

        One of a passage takes its place where it has none, or none that fits the wish so well; without one anything
        that its authors do.
        """
        used = [*self.used.get(paper.id.value, []), *self.told.get(paper.id.value, [])]
        contributions = find_contributions(paper, self.draft.packages)
        contributions += find_in_passages(paper, self.passages.get(paper.id.value, ()), self.draft.packages)
        others = [contribution for told in (*self.used.values(), *self.told.values()) for contribution in told]
        wish_words = frozenset() if is_planners(wish) else frozenset(words(wish)) - STOPWORDS

        def unsaid(told: Contribution) -> bool:
            return not any(map(told.repeats, used)) and not any(map(told.is_like, others))

        def value(contribution: Contribution) -> tuple[float, int]:
            deep = contribution.passage is not None
            shared = len(wish_words & set(words(contribution.said)))
            return telling(contribution, paper) + 1.5 * min(3, shared) - _LESS_OF_A_PASSAGE * deep, -contribution.start

        stated = [*filter(unsaid, contributions)]
        best = max(stated, key=value, default=None)
        if best is None or not best.makes:  # what a thing does stands behind what it is
            stated += filter(unsaid, find_mechanisms(paper, self.draft.packages))
        if not used and not stated:
            stated = find_deeds(paper, self.draft.packages)
        return max(stated, key=value, default=None)


def _start(told: Contribution) -> int:
    """Where the source of a contribution begins, in the abstract or in the text of the passage's section."""
    return told.start + (told.passage.start if told.passage is not None else 0)


def _joined(clauses: Sequence[str], wish: str) -> str:
    first, *others = clauses
    glue = ", whereas " if _CONTRAST.search(wish) else ", and "
    text = glue.join([first, *(lower_first(other) for other in others)])
    topic = topic_of(wish)
    return capital(f"on {topic}, {text}" if others and topic else text) + "."
