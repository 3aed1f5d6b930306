"""Lists of references from OpenAlex, for papers whose lists are not known."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Literal

from citeplug.corpus.citations.build import today
from citeplug.corpus.fulltext.fetch_texts import fetch_texts, not_taken, take_citations
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import SourceUnavailable
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.paper import Paper
from citeplug.records.passage import Reference, Resolved
from citeplug.records.work import Work
from citeplug.settings.environment import Settings, way_online
from citeplug.sources.openalex import OpenAlexSource
from citeplug.sources.work_service import Announce
from citeplug.text.compare import compare_titles, record_dois
from citeplug.text.identifiers import parse_arxiv_id
from citeplug.text.people import compare_authors


@dataclass(slots=True)
class Fetched:
    """Answers of OpenAlex: lists that are `known` now, papers that have `none` there or are `unavailable`.

    `edges` are those that the lists make. Papers that are `left` were not asked for, or not answered: nothing is known
    of their lists by that. `outage` is why, if there was one.
    """

    known: int = 0
    none: int = 0
    unavailable: int = 0
    left: int = 0
    edges: int = 0
    findings: list[Finding] = field(default_factory=list)
    outage: SourceUnavailable | None = None


def fetch(settings: Settings, ids: Sequence[str], most: int, report: Report, announce: Announce) -> Fetched:
    """Ask OpenAlex for the lists of these papers; without ids for those of at most `most` papers of the graph.

    First the full texts on this machine say what they cite, which asks nobody.
    Those are the ones that it cites most often, whose records are here and whose lists nobody knows. An outage ends the
    run, and what came before is kept. Raises UsageError for what is no id, SourceUnavailable offline.
    """
    wanted = [parse_arxiv_id(name).value for name in ids]
    if settings.offline:
        raise SourceUnavailable("OpenAlex was not queried: citeplug is offline", way_online())
    done = Fetched()
    with open_corpus(settings) as corpus:
        with closing(TextStore(settings.home)) as store:
            take_citations(corpus, store, not_taken(corpus, store), report)
        with corpus.one_change_of_graph():
            _ask(corpus, settings, wanted, most, report, announce, done)
    return done


def _ask(
    corpus: Corpus,
    settings: Settings,
    wanted: Sequence[str],
    most: int,
    report: Report,
    announce: Announce,
    done: Fetched,
) -> None:
    corpus.graph.catch_up(lambda count: report("titles of records", count, None))
    wanted = list(dict.fromkeys(wanted)) or corpus.graph.most_wanted(most)
    papers = corpus.papers(wanted)
    source = OpenAlexSource(settings, announce=announce)
    for number, value in enumerate(wanted):
        report("ask OpenAlex", number, len(wanted))
        if value not in papers:
            done.left += 1
            text = f"the record of arXiv:{value} is not in the catalogue: what OpenAlex has could not be compared"
            fix = "add it with 'citeplug index add'"
            done.findings.append(Finding("record_missing", "warning", text, fix=fix))
            continue
        try:
            _fetch_one(corpus, source, papers[value], done)
        except SourceUnavailable as error:
            done.left += len(wanted) - number
            done.outage = error
            done.findings.append(source_unavailable(error, "what came before is kept; nothing is known of the rest"))
            break


class ListFetcher:
    """Lists of papers, one at a time: from OpenAlex, else from the paper's own text, at arXiv or on this machine.

    LitLLM, section 3.2: where OpenAlex does not have the references they are read out of the paper.
    """

    def __init__(self, corpus: Corpus, settings: Settings, announce: Announce) -> None:
        self._corpus = corpus
        self._chosen = settings
        self._source = OpenAlexSource(settings, announce=_of_found(announce))
        self._caught_up = False

    def fetch(self, paper: Paper) -> None:
        value, done = paper.id.value, Fetched()
        with self._corpus.one_change_of_graph():
            if not self._caught_up:
                self._corpus.graph.catch_up()
                self._caught_up = True
            if value not in self._corpus.graph.asked([value], "openalex"):
                _fetch_one(self._corpus, self._source, paper, done)
        if done.known or self._corpus.graph.references([value]):
            return
        text = fetch_texts(self._chosen, [paper.id], lambda *_: None, online=True, corpus=self._corpus)
        if text.outage is not None:
            raise text.outage


def _of_found(announce: Announce) -> Announce:
    """`announce`, told that it is papers found, and not entries, that are asked for."""
    return lambda _: announce("asking OpenAlex for lists of references: DOIs and titles of papers found are sent to it")


def _fetch_one(corpus: Corpus, source: OpenAlexSource, paper: Paper, done: Fetched) -> None:
    value = paper.id.value
    work = _find(source, paper, done)
    if work is None:
        return
    if work == "unavailable":
        corpus.graph.note_state([value], "openalex", "unavailable", today())
        done.unavailable += 1
    elif work.references is None:
        _doubt(done, "list_missing", f"OpenAlex answered for arXiv:{value} without saying what it cites")
    elif not work.references:
        corpus.graph.note_state([value], "openalex", "none", today())
        done.none += 1
    else:
        resolved = _resolve(corpus, source.by_own_ids(work.references), work.references)
        missing = sum(entry.reference.title is None for entry in resolved)
        if missing == len(resolved):
            _doubt(done, "list_missing", f"OpenAlex has no record of any work that it says arXiv:{value} cites")
            return
        if missing:
            text = f"OpenAlex has no record of {missing} of the {len(resolved)} works that it says arXiv:{value} cites"
            done.findings.append(Finding("references_missing", "info", text))
        done.edges += corpus.graph.put_list(value, "openalex", resolved, today())[0]
        done.known += 1


def _find(source: OpenAlexSource, paper: Paper, done: Fetched) -> Work | Literal["unavailable"] | None:
    """OpenAlex's record of a paper, by arXiv's DOI, its own, and its title; None if all that came is another work."""
    wrong: Work | None = None
    for doi in (f"10.48550/arxiv.{paper.id.value}", *record_dois(paper)):
        work = source.by_doi(doi, references=True)
        if work is not None and _agrees(work, paper):
            return work
        wrong = wrong or work
    for work in source.by_title(paper.title, (), references=True):
        if compare_titles(work.title, paper.title) == "same" and _same_people(work, paper):
            return work
    if wrong is None:
        return "unavailable"
    _doubt(done, "wrong_work", f"OpenAlex has another work under arXiv:{paper.id.value}: {wrong.title!r}")
    return None


def _doubt(done: Fetched, code: str, message: str) -> None:
    done.left += 1
    done.findings.append(Finding(code, "warning", f"{message}; nothing is known of its list", fix="ask again later"))


def _agrees(work: Work, paper: Paper) -> bool:
    """Return whether a work that was asked for by its DOI is the paper, which may have had another title."""
    return compare_titles(work.title, paper.title, same_authors=True) != "other" or _same_people(work, paper)


def _same_people(work: Work, paper: Paper) -> bool:
    return bool(work.authors) and compare_authors(" and ".join(paper.authors), work.authors).degree == "same"


def _resolve(corpus: Corpus, works: dict[str, Work], ids: Sequence[str]) -> list[Resolved]:
    """The cited works as papers of the catalogue; an arXiv id counts unless its record has another title."""
    references = [_reference(number, own, works.get(own)) for number, own in enumerate(ids, 1)]
    papers = corpus.papers([reference.arxiv_id for reference in references if reference.arxiv_id])
    for number, reference in enumerate(references):
        record = papers.get(reference.arxiv_id or "")
        if record and compare_titles(reference.title or "", record.title, same_authors=True) == "other":
            references[number] = replace(reference, arxiv_id=None)
    return corpus.graph.resolve(references)


def _reference(number: int, own: str, work: Work | None) -> Reference:
    if work is None:
        return Reference(number, own, f"https://openalex.org/{own}")
    shown = [", ".join(work.authors[:3]), work.title, work.venue or "", str(work.year or "")]
    surnames = tuple(name.split()[-1] for name in work.authors[:20] if name.split())
    doi = None if not work.doi or work.doi.startswith("10.48550/") else work.doi
    raw = ". ".join(part for part in shown if part)
    return Reference(number, own, raw, work.arxiv_id, doi, work.title, work.year, surnames)
