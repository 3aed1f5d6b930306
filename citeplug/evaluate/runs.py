"""Runs: what a system answered to the queries of a gold set, read and checked against it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from citeplug.errors import UnreadableInput
from citeplug.evaluate.gold import GivenPlan, Gold, Row, parse_line, plain_id, query_id, read_plan
from citeplug.evaluate.measures.citations import CitedSentence, Verdicts
from citeplug.evaluate.measures.texts import Support
from citeplug.text.sentences import split_sentences

_SUPPORT = ("support", "partial_support", "not_support")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation, and the paper that it is said to be from."""

    paper: str
    text: str


@dataclass(frozen=True, slots=True)
class GivenVerdicts:
    """Verdicts of a judge that came with the run. `relevance`: 0 to 10, by cited paper; `nuggets`: by their place."""

    correct: bool | None = None
    relevance: Mapping[str, float] = field(default_factory=dict)
    nuggets: tuple[Support, ...] = ()
    entailment: Verdicts = field(default_factory=lambda: Verdicts({}))


@dataclass(frozen=True, slots=True)
class RunLine:
    """An answer to one query. `results` are ids, best first, `scores` theirs or empty.

    `candidates` is what a ranker was given, empty where it is not said; `digest` is empty, too, where the run does not
    say for which inputs it was made. `quotes` belong to the sentence of the same place. `plan` is the system's own.
    """

    query_id: str
    digest: str = ""
    results: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    candidates: tuple[str, ...] = ()
    refused: bool = False
    text: str = ""
    sentences: tuple[CitedSentence, ...] = ()
    quotes: tuple[tuple[Quote, ...], ...] = ()
    plan: GivenPlan = field(default_factory=GivenPlan)
    judged: GivenVerdicts = GivenVerdicts()
    cost: float | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def cited(self) -> tuple[str, ...]:
        """The papers that the text cites, each once, in order."""
        return tuple(dict.fromkeys(cite for sentence in self.sentences for cite in sentence.cites))


def read_run(lines: Iterable[tuple[int, bytes]], name: str, gold: Sequence[Gold]) -> dict[str, RunLine]:
    """Read numbered lines of the run file `name`, by query, and check them against the gold set.

    Raises UnreadableInput on a bad line; a query that is not in the set, occurs twice or is missing; inputs of
    another set (by digest); a result twice; scores that rise; and the query's own paper among the results.
    """
    by_id, read = {query.query_id: query for query in gold}, dict[str, RunLine]()
    for number, text in lines:
        where = f"{name}, line {number}"
        line = _run_line(parse_line(text, where))
        if line.query_id in read:
            raise UnreadableInput(f"{where}: query {line.query_id} occurs twice", "keep one line for each query")
        if line.query_id not in by_id:
            raise UnreadableInput(
                f"{where}: the gold set has no query {line.query_id}", "name the gold set that the run was made for"
            )
        _check(line, by_id[line.query_id], where)
        read[line.query_id] = line
    missing = [query.query_id for query in gold if query.query_id not in read]
    if missing:
        raise UnreadableInput(
            f"{name} has no line for {len(missing)} of {len(gold)} queries, {missing[0]} the first",
            "add a line without results for each that was not answered, or make a gold file of those that were asked",
        )
    return read


def tie_at(line: RunLine, cited: frozenset[str], cuts: Iterable[int]) -> int | None:
    """Return the first cut at which results of one score, of which some are cited and some not, are parted; else None.

    There the measure would depend on the order of equals, which nothing says.
    """
    for cut in sorted(cuts):
        if cut < len(line.scores) and line.scores[cut - 1] == line.scores[cut]:
            equals = [at for at, score in enumerate(line.scores) if score == line.scores[cut]]
            if len({line.results[at] in cited for at in equals}) > 1:
                return cut
    return None


def refuse_doubles(line: RunLine, where: str) -> None:
    """Raise UnreadableInput for a result that occurs twice."""
    double = [result for result, times in Counter(line.results).items() if times > 1]
    if double:
        raise UnreadableInput(f"{where}: result {double[0]} occurs twice", "give every paper one place")


def _check(line: RunLine, gold: Gold, where: str) -> None:
    if line.digest and line.digest != gold.digest:
        raise UnreadableInput(
            f"{where}: the run was made for other inputs of {gold.query_id} (inputs_digest {line.digest[:12]}, the gold"
            f" set has {gold.digest[:12]})",
            "name the gold set that the run was made for, or make the run again from 'citeplug evaluate inputs'",
        )
    if not line.candidates:  # a permutation may repeat a value: that is counted
        refuse_doubles(line, where)
    if any(later > earlier for earlier, later in zip(line.scores, line.scores[1:], strict=False)):
        raise UnreadableInput(f"{where}: a score is above the one before it", "write results best first")
    if line.judged.nuggets and len(line.judged.nuggets) != len(gold.nuggets):
        raise UnreadableInput(
            f"{where}: {len(line.judged.nuggets)} nuggets are judged, the gold set has {len(gold.nuggets)}",
            "give one verdict for each nugget, in their order",
        )
    own = gold.exclude.intersection((*line.results, *line.cited))
    if own:
        raise UnreadableInput(
            f"{where}: {min(own)} is the query's own paper, or another that it excludes",
            "ask again with the query's 'exclude'",
        )


def _run_line(row: Row) -> RunLine:
    results, scores = _results(row)
    judged, refused = row.row("judged"), row.flag("refused")
    paragraphs = row.row("section").rows("paragraphs")
    sentences = [*row.rows("sentences"), *(item for paragraph in paragraphs for item in paragraph.rows("sentences"))]
    cited = tuple(_sentence(sentence) for sentence in sentences)
    text = row.string("text")
    if text and not cited:
        cited = tuple(CitedSentence(text[start:end]) for start, end in split_sentences(text))
    return RunLine(
        query_id(row),
        row.string("inputs_digest"),
        results,
        scores,
        tuple(map(plain_id, row.strings("candidates"))),
        bool(refused),
        text or " ".join(sentence.text for sentence in cited),
        cited,
        tuple(_quotes(sentence) for sentence in sentences),
        read_plan(row.row("plan")),
        GivenVerdicts(
            judged.flag("correct"),
            _relevance(judged.row("relevance")),
            tuple(cast(Support, support) for support in _supports(judged)),
            _verdicts(judged, len(cited)),
        ),
        row.number("cost"),
        row.texts("versions"),
    )


def _results(row: Row) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Ids of `results`, given as ids or as objects with `id`; scores where all have one."""
    values = row.items("results")
    if all(isinstance(value, str) for value in values):
        return tuple(map(plain_id, values)), ()
    rows = row.rows("results")
    ids = tuple(plain_id(item.string("id") or item.string("arxiv_id")) for item in rows)
    if not all(ids):
        raise UnreadableInput(f"{row.where}: a result has no id", "give each result its 'id'")
    scores = [score for item in rows if (score := item.number("score")) is not None]
    if scores and len(scores) < len(ids):
        raise UnreadableInput(
            f"{row.where}: some results have a score, and others none", "give all of them one, or none"
        )
    return ids, tuple(scores)


def _sentence(row: Row) -> CitedSentence:
    """A sentence with `cites` (ids, or objects with `arxiv_id` or `key`), or with the `citations` of an answer."""
    values = row.items("cites")
    if all(isinstance(value, str) for value in values):
        cites = [plain_id(value) for value in values]
    else:
        cites = [plain_id(item.string("arxiv_id") or item.string("key")) for item in row.rows("cites")]
    cites += [plain_id(item.string("paper")) for item in row.rows("citations")]
    return CitedSentence(row.string("text"), tuple(cites))


def _quotes(row: Row) -> tuple[Quote, ...]:
    """The `quotes` of a sentence, the quotations of an answer's `citations`, the abstracts' spans of `sources`."""
    quotes = [Quote(plain_id(item.string("paper")), item.string("text")) for item in row.rows("quotes")]
    quotes += [Quote(plain_id(item.string("paper")), item.string("quote")) for item in row.rows("citations")]
    spans = [item for item in row.rows("sources") if item.string("of") == "abstract"]
    quotes += [Quote(plain_id(span.string("arxiv_id")), span.string("text")) for span in spans]
    return tuple(quote for quote in quotes if quote.text and quote.paper)


def _relevance(row: Row) -> dict[str, float]:
    scores = {plain_id(name): row.number(name) for name in row.values}
    for name, score in scores.items():
        if score is None or not 0 <= score <= 10:
            raise row.wrong(name, "a score from 0 to 10")
    return {name: score for name, score in scores.items() if score is not None}


def _supports(judged: Row) -> tuple[str, ...]:
    supports = judged.strings("nuggets")
    if not set(supports) <= set(_SUPPORT):
        raise judged.wrong("nuggets", f"a list of {', '.join(_SUPPORT)}")
    return supports


def _verdicts(judged: Row, sentences: int) -> Verdicts:
    entailments: dict[tuple[int, frozenset[str]], bool] = {}
    for row in judged.rows("entailment"):
        at, entailed = row.number("sentence"), row.flag("entailed")
        if at is None or not at.is_integer() or not 0 <= at < sentences:
            raise row.wrong("sentence", "the place of a sentence, from 0")
        if entailed is None:
            raise row.wrong("entailed", "true or false")
        entailments[int(at), frozenset(map(plain_id, row.strings("cites")))] = entailed
    return Verdicts(entailments)
