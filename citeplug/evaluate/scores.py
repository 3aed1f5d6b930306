"""Scores of a run on a gold set: each measure's value for each query, its mean, and what was left out."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from citeplug.errors import UnreadableInput
from citeplug.evaluate.gold import GivenPlan, Gold
from citeplug.evaluate.measures.bert_score import Split, bert_score_of_texts
from citeplug.evaluate.measures.citations import (
    CitedSentence,
    NotJudged,
    Verdicts,
    alce_citation_precision,
    citation_position,
    citation_precision,
    citation_recall,
    claim_coverage,
    number_of_citations,
    source_relevance,
)
from citeplug.evaluate.measures.retrieval import (
    citation_coverage,
    coverage,
    document_importance,
    normalized_recall_at_k,
    permutation_errors,
    precision_at_k,
    recall_at_k,
    reference_coverage,
)
from citeplug.evaluate.measures.texts import (
    JudgedNugget,
    agreement_of_numbers,
    answer_accuracy,
    nugget_coverages,
    over_refusal,
    plan_adherence,
    reality_of_keys,
    refusal_recall,
    rouge_l,
    rouge_n,
    share_of_copied_runs,
    validity_of_quotations,
    words_of_nuggets,
)
from citeplug.evaluate.runs import RunLine, refuse_doubles, tie_at

Kind = Literal["retrieval", "ranking", "section", "answers"]
Values = Iterator[tuple[str, float | None]]
_ACCURACY = "answer accuracy"
LONGEST_DIFFERENCE = "plan: largest difference"


@dataclass(frozen=True, slots=True)
class KnownTexts:
    """Titles and abstracts by id of the papers that exist, beyond what a gold line gives."""

    titles: Mapping[str, str] = field(default_factory=dict)
    abstracts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MeasureSettings:
    """`cuts`: the k of measures at k. `as_published`: see `measures`. `split`: into MiniLM's word pieces; None: not."""

    cuts: tuple[int, ...] = (20, 50, 100)
    as_published: bool = False
    known: KnownTexts | None = None
    split: Split | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """Values of one measure, by query; queries that it does not apply to are not in it."""

    name: str
    values: Mapping[str, float]

    @property
    def value(self) -> float:
        """The mean, or the largest of differences."""
        values = self.values.values()
        return max(values) if self.name == LONGEST_DIFFERENCE else sum(values) / len(values)

    def of(self, queries: Collection[str]) -> "Scored | None":
        """Return the values of these queries alone; None where there is none."""
        values = {query: value for query, value in self.values.items() if query in queries}
        return Scored(self.name, values) if values else None


@dataclass(frozen=True, slots=True)
class RunScores:
    """`empty` are queries without a gold set, which no measure counts that needs one."""

    measures: tuple[Scored, ...]
    empty: tuple[str, ...]


def score(kind: Kind, gold: Sequence[Gold], run: Mapping[str, RunLine], settings: MeasureSettings) -> RunScores:
    """Compute every measure of a kind that applies to some query. Raises UnreadableInput on a tie at a cut."""
    values: dict[str, dict[str, float]] = {}
    measure, needs = _KINDS[kind]
    for query in gold:
        for name, value in measure(query, run[query.query_id], settings):
            if value is not None:
                values.setdefault(name, {})[query.query_id] = value
    if all(line.judged.correct is None for line in run.values()):
        values.pop(_ACCURACY, None)  # only refusals are known to be wrong, which says nothing of the answers
    return RunScores(
        tuple(Scored(name, by_query) for name, by_query in values.items()),
        tuple(query.query_id for query in gold if not needs(query)),
    )


def score_retrieval(gold: Gold, line: RunLine, settings: MeasureSettings) -> Values:
    """Return precision, recall and coverage of the results. Raises UnreadableInput for one that occurs twice."""
    _refuse_tie(gold, line, settings)
    refuse_doubles(line, f"query {line.query_id}")
    for k in settings.cuts:
        yield f"precision@{k}", precision_at_k(line.results, gold.cited, k)
    for k in settings.cuts:
        yield f"recall@{k}", recall_at_k(line.results, gold.cited, k)
    yield "coverage", coverage(line.results, gold.cited)
    yield "number of results", float(len(line.results))


def score_ranking(gold: Gold, line: RunLine, settings: MeasureSettings) -> Values:
    """Return precision and normalised recall of the order, and error modes where the candidates are given."""
    _refuse_tie(gold, line, settings)
    order = tuple(dict.fromkeys(line.results))
    # What a ranker leaves out was retrieved all the same.
    left_out = tuple(candidate for candidate in line.candidates if candidate not in set(order))
    for k in settings.cuts:
        yield f"precision@{k}", precision_at_k(order, gold.cited, k)
    for k in settings.cuts:
        yield f"normalised recall@{k}", normalized_recall_at_k((*order, *left_out), gold.cited, k)
    if line.candidates:
        yield from permutation_errors(line.results, line.candidates, as_published=settings.as_published).items()


def score_section(gold: Gold, line: RunLine, settings: MeasureSettings) -> Values:
    """Return the measures of a related-work section."""
    published, known = settings.as_published, settings.known
    titles = known.titles if known else {}
    yield "reference coverage", reference_coverage(line.cited, gold.cited, titles, as_published=published)
    if gold.counts:
        counts = [[gold.counts.get(paper) for paper in side] for side in (line.cited, gold.cited)]
        yield "document importance", document_importance(*counts, as_published=published)
    plan = gold.plan if gold.plan != GivenPlan() else line.plan
    yield "citation coverage", citation_coverage(line.cited, plan.cites)
    yield "citation position", citation_position(line.sentences, plan.lines)
    if plan.sentences is not None:
        difference = plan_adherence(len(line.sentences), plan.sentences, as_published=published)
        yield "plan followed", float(difference == 0)
        yield "plan: mean difference", difference
        yield LONGEST_DIFFERENCE, difference
    if gold.section:
        for n in (1, 2):
            yield f"ROUGE-{n}", rouge_n(line.text, gold.section, n, as_published=published).f1
        yield "ROUGE-L", rouge_l(line.text, gold.section, as_published=published).f1
        if settings.split and (alike := bert_score_of_texts(line.text, gold.section, settings.split)):
            yield "BERTScore with MiniLM", alike.f1
    if set(line.cited) <= line.judged.relevance.keys():
        yield from source_relevance({cite: line.judged.relevance[cite] for cite in line.cited}).items()
    yield from _nuggets(gold, line)
    yield from _citations(gold, line, settings)
    yield from _stand_ins(gold, line, settings)


def score_answers(gold: Gold, line: RunLine, settings: MeasureSettings) -> Values:
    """Return the measures of an answer to a question; one that the gold line says nothing of counts as answerable."""
    answerable = gold.answerable is not False
    yield _ACCURACY, answer_accuracy(answerable, line.refused, line.judged.correct)
    yield "refusal recall", refusal_recall(answerable, line.refused)
    yield "over-refusal", over_refusal(answerable, line.refused)
    yield "number of citations", number_of_citations(line.sentences)
    if gold.answer and answerable:
        yield "words of the answer", words_of_nuggets(line.text, [gold.answer])
    yield from _nuggets(gold, line)
    yield from _citations(gold, line, settings)
    yield from _stand_ins(gold, line, settings)


def _refuse_tie(gold: Gold, line: RunLine, settings: MeasureSettings) -> None:
    cut = tie_at(line, gold.cited, settings.cuts)
    if cut is not None:
        raise UnreadableInput(
            f"query {gold.query_id}: results {cut} and {cut + 1} have one score, and their order decides the measure",
            "break the tie in the run, or leave the scores out: then the order of the list counts",
        )


def _nuggets(gold: Gold, line: RunLine) -> Values:
    yield "words of nuggets", words_of_nuggets(line.text, [nugget.text for nugget in gold.nuggets])
    if line.judged.nuggets:
        supports = zip(gold.nuggets, line.judged.nuggets, strict=True)
        yield from nugget_coverages([JudgedNugget(nugget.importance, support) for nugget, support in supports])


def _citations(gold: Gold, line: RunLine, settings: MeasureSettings) -> Values:
    if line.judged.entailment.given:
        texts = _texts(gold, settings)
        known = None if texts is None else set(texts)
        yield from citation_measures(line.sentences, line.judged.entailment, known, as_published=settings.as_published)


def citation_measures(
    sentences: Sequence[CitedSentence], verdicts: Verdicts, known: Collection[str] | None, *, as_published: bool
) -> Values:
    """Return the measures of the citations, as far as the verdicts go. `known` are the papers that exist, None: all."""
    measures: dict[str, Callable[[], float | None]] = {
        "citation precision": lambda: citation_precision(sentences, verdicts, as_published=as_published),
        "ALCE citation recall": lambda: citation_recall(sentences, verdicts, known, as_published=as_published),
        "ALCE citation precision": lambda: alce_citation_precision(
            sentences, verdicts, known, as_published=as_published
        ),
        "claim coverage": lambda: claim_coverage(sentences, verdicts, as_published=as_published),
    }
    for name, measure in measures.items():
        try:
            yield name, measure()
        except NotJudged:
            continue


def _stand_ins(gold: Gold, line: RunLine, settings: MeasureSettings) -> Values:
    texts = _texts(gold, settings)
    if texts is None:
        return
    yield "reality of keys", reality_of_keys(line.cited, texts)
    yield (
        "validity of quotations",
        validity_of_quotations(
            (quote.text, texts[quote.paper]) for quotes in line.quotes for quote in quotes if quote.paper in texts
        ),
    )
    sourced = [
        (sentence.text, [texts[cite] for cite in sentence.cites if cite in texts])
        for sentence in line.sentences
        if sentence.cites
    ]
    yield (
        "share of copied runs",
        share_of_copied_runs(line.text, [text for _, source_texts in sourced for text in source_texts]),
    )
    yield (
        "agreement of numbers",
        agreement_of_numbers((text, " ".join(source_texts)) for text, source_texts in sourced if source_texts),
    )


def _texts(gold: Gold, settings: MeasureSettings) -> Mapping[str, str] | None:
    """Texts of the papers that exist, by id; None where nothing says which do."""
    if settings.known is None:
        return gold.texts or None
    return {**settings.known.abstracts, **gold.texts}


_KINDS: Mapping[Kind, tuple[Callable[[Gold, RunLine, MeasureSettings], Values], Callable[[Gold], bool]]] = {
    "retrieval": (score_retrieval, lambda gold: bool(gold.cited)),
    "ranking": (score_ranking, lambda gold: bool(gold.cited)),
    "section": (score_section, lambda gold: bool(gold.cited or gold.section or gold.nuggets or gold.plan.sentences)),
    "answers": (score_answers, lambda gold: gold.answerable is not None),
}
