"""What a writer works with, and the sentences of an earlier run that stand.

They stand if their papers, plan lines and sources are what they were.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.records.draft import Draft
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Generated, Sentence, Source
from citeplug.related.plan.planned import Resolver
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.current import CurrentSection
from citeplug.section_file.merged_section import inputs_of
from citeplug.text.cleaning import collapsed

# How sure it is that a sentence was written for a plan line: that has all its papers, or the first; against it is
# that the line has a sentence on them already, or comes before that of the sentence before.
_ALL, _FIRST, _SERVED, _BACK = 10.0, 5.0, 2.0, 4.0

Resolve = Callable[[PlanLine], tuple[str, ...]]  # the arXiv ids of a line's known papers


def standing_sentences(
    plan: PlanParagraph,
    base: Generated,
    rejected: Sequence[Sentence],
    resolve: Resolve,
    current: Callable[[Sentence], Sentence | None],
    accepted: Collection[str] = (),
) -> list[tuple[Sentence, ...]]:
    """For each line of `plan` the sentences of `base` that stand.

    `current` gives a sentence with its sources as they are now, None if it is to be written again. A line that lost
    papers keeps the sentences on the others; one that gained papers keeps those whose words are `accepted`. Those that were `rejected` stand too: nothing else is said in their place.
    """
    ids = [resolve(line) for line in base.plan.lines]
    now = [resolve(line) for line in plan.lines]
    lines = _successors(base.plan.lines, ids, plan.lines, now)
    gained = {old for old, new in lines.items() if not {*ids[old]}.issuperset(now[new])}
    by_line: list[list[Sentence]] = [[] for _ in plan.lines]
    there = {collapsed(sentence.text) for sentence in base.sentences}
    sentences = [*base.sentences, *(sentence for sentence in rejected if collapsed(sentence.text) not in there)]
    homes = _homes(sentences, base.plan.lines, ids, in_order=len(base.sentences))
    for sentence, home in zip(sentences, homes, strict=True):
        to = lines.get(home) if home is not None else None
        if home in gained and collapsed(sentence.text) not in accepted:
            continue
        still = {value for line in lines.values() for value in now[line]}
        if to is not None and still.issuperset(sentence.cites) and (present := current(sentence)) is not None:
            by_line[to].append(present)
    return [tuple(sentences_of_line) for sentences_of_line in by_line]


def _successors(
    before: Sequence[PlanLine],
    ids: Sequence[tuple[str, ...]],
    after: Sequence[PlanLine],
    now: Sequence[tuple[str, ...]],
) -> dict[int, int]:
    """The line that each of the lines `before` is among those `after`: the same, without some of its papers, or with
    others besides.
    """
    successors: dict[int, int] = {}
    for how in ("same", "fewer", "more"):
        for new, line in enumerate(after):
            if new in successors.values():
                continue
            for old, other in enumerate(before):
                if old in successors or (line.intent, line.role, line.weight) != (
                    other.intent,
                    other.role,
                    other.weight,
                ):
                    continue
                left = tuple(value for value in ids[old] if value in now[new])
                fits = bool(left) if how == "more" else now[new] == (ids[old] if how == "same" else left)
                if fits and bool(now[new]) >= bool(ids[old]):
                    successors[old] = new
                    break
    return successors


def _homes(
    sentences: Sequence[Sentence], lines: Sequence[PlanLine], ids: Sequence[tuple[str, ...]], in_order: int
) -> list[int | None]:
    """The plan line that each sentence was written for: lines are served in turn, each with one sentence on a paper.

    The first `in_order` sentences are in the order in which they were written.
    """
    # Papers that are not known any more were in the lines all the same.
    ids = [(*own, *(cite for cite in line.cites if cite not in own)) for own, line in zip(ids, lines, strict=True)]
    # The best homes so far, by the line of the last sentence that has one; the order of the lines decides between two
    # that cite the same paper.
    best: dict[int, tuple[float, list[int | None]]] = {-1: (0.0, [])}
    for number, sentence in enumerate(sentences):
        after: dict[int, tuple[float, list[int | None]]] = {}
        fits = {n: fit for n, line in enumerate(lines) if (fit := _fit(sentence, line, ids[n]))}
        for last, (score, homes) in best.items():
            for n, fit in fits.items() or ((None, 0.0),):
                at = last if n is None else n
                served = any(
                    home == n and _same_subject(other, sentence) for other, home in zip(sentences, homes, strict=False)
                )
                total = score + fit - _SERVED * served - _BACK * (at < last and number < in_order)
                if at not in after or total > after[at][0]:
                    after[at] = (total, [*homes, n])
        best = after
    return max(best.values(), key=lambda scored: scored[0])[1]


def _fit(sentence: Sentence, line: PlanLine, own: tuple[str, ...]) -> float:
    """How well a sentence fits a line with its `own` papers; 0: not at all."""
    if not sentence.cites:
        return _ALL * (line.role == ("draft" if sentence.kind == "contrast" else sentence.kind) and not own)
    if not {*own}.issuperset(sentence.cites):
        return _FIRST * (sentence.cites[0] in own)  # what a sentence cites beyond its line comes last
    # Of two lines that have all its papers a group is likelier to be of the longer one.
    return _ALL + (1 - 1 / len(own) if sentence.kind == "group" else 1 / len(own))


def _same_subject(one: Sentence, other: Sentence) -> bool:
    return bool({*one.cites} & {*other.cites}) or not (one.cites or other.cites)


def with_sources_of_now(sentence: Sentence, papers: Mapping[str, Paper], draft: Draft) -> Sentence | None:
    """The sentence with the present versions of its sources; None if one of them does not say any more what it did."""
    sources = [_of_now(source, papers, draft) for source in sentence.sources]
    if any(cite not in papers for cite in sentence.cites):
        return None
    return None if None in sources else replace(sentence, sources=tuple(s for s in sources if s is not None))


def _of_now(source: Source, papers: Mapping[str, Paper], draft: Draft) -> Source | None:
    if source.arxiv_id is None:
        texts = [s.text for s in draft.sections if s.title == source.section] if source.section else [draft.abstract]
        return source if any(collapsed(t)[source.start : source.end] == source.text for t in texts) else None
    paper = papers.get(source.arxiv_id)
    if paper is None:
        return None
    if source.of == "full text":
        return source if source.version == paper.id.version else None
    text = collapsed(paper.title if source.of == "title" else paper.abstract)
    return replace(source, version=paper.id.version) if text[source.start : source.end] == source.text else None


@dataclass(frozen=True, slots=True)
class WritingInputs:
    """The work of a writer: the file as it is, the draft, the papers by arXiv id, keys by arXiv id or by themselves.

    `shortlist` are the ids of the papers that the paragraphs not planned by the author choose from.
    `passages` of their full texts are by arXiv id. `pinpoint`: citations name places in these.
    """

    current: CurrentSection
    draft: Draft
    papers: Mapping[str, Paper]
    keys: Mapping[str, str]
    style: CiteStyle
    shortlist: frozenset[str] = frozenset()
    passages: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)
    pinpoint: bool = False

    def base(self, name: str) -> Generated | None:
        """The text last generated for a block, under the id that the block has now.

        None where nothing is left of a text of which the author rejected a part: it would be filled in again.
        """
        block = next((block for block in self.current.blocks if block.at.id == name), None)
        base = None if block is None else block.base
        if base is not None and block is not None and block.state == "due":
            base = None if any(collapsed(s.text) in self.current.rejected for s in base.sentences) else base
        return base if base is None or base.plan.id == name else replace(base, plan=replace(base.plan, id=name))

    def placed(self, source: Source) -> Source:
        """A source with the place of its passage, which an earlier reader of the text may not have known."""
        if source.of != "full text" or source.arxiv_id is None or source.place:
            return source
        for passage in self.passages.get(source.arxiv_id, ()):
            inside = (
                passage.start <= source.start
                and source.end <= passage.end
                and passage.section == (source.section or "")
            )
            if inside and passage.version == source.version:
                return replace(source, place=passage.place)
        return source

    def standing(
        self, plan: PlanParagraph, *, quotes: bool = True, by_model: bool = False
    ) -> list[tuple[Sentence, ...]]:
        """For each line of a paragraph the sentences of the last run that stand.

        One that is to be written again stands if the author accepted it; `by_model`: so are all of a section that no
        model has written yet.
        """
        base = self.base(plan.id)
        if base is None:
            return [() for _ in plan.lines]
        resolver = Resolver(self.papers, self.draft)

        def current(sentence: Sentence) -> Sentence | None:
            free = base.inputs is None or (by_model and not self.current.is_by_model)
            free |= not sentence.by_model and sentence.quoted and ("“" in sentence.text) != quotes
            words = collapsed(sentence.text)
            if words in self.current.rejected:
                return sentence
            if free and words not in self.current.accepted:
                return None
            return with_sources_of_now(sentence, self.papers, self.draft)

        rejected = [sentence for name, sentence in self.current.rejected.values() if name == plan.id]
        return standing_sentences(
            plan, base, rejected, lambda line: resolver.resolve(line)[0], current, self.current.accepted
        )

    def digest(
        self, paragraphs: Sequence[PlanParagraph], writer: Sequence[str], closing: Sequence[Sentence] = ()
    ) -> str:
        cites = dict.fromkeys(cite for paragraph in paragraphs for line in paragraph.lines for cite in line.cites)
        read = [f"{cite} {p.version} {p.section}: {p.text}" for cite in cites for p in self.passages.get(cite, ())]
        return inputs_of(paragraphs, closing, self.papers, self.keys, self.style, [*writer, *read])
