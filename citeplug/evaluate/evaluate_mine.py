"""Retrieval on the author's own earlier papers: of what each cites, what would have been found at the time.

LitLLM's RollingEval (section 3.1, appendix B) on papers that the author knows: a query is title and abstract, only what
was published strictly before counts on either side, and the paper itself is hidden. Nothing is sent anywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from citeplug.corpus.citations.reference_lists import read_references
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report, need_papers, open_corpus
from citeplug.errors import UnreadableInput
from citeplug.evaluate.gold import Gold
from citeplug.evaluate.runs import RunLine
from citeplug.evaluate.scores import MeasureSettings, Scored, score
from citeplug.files.project_files import as_given
from citeplug.latex.project import read_draft
from citeplug.latex.roots import roots_in
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.passage import Reference
from citeplug.related.draft_date import date_of_draft
from citeplug.related.retrieve.search import Searcher, SearchRequest
from citeplug.settings.environment import Settings as Environment
from citeplug.text.compare import compare_titles

_SPARE = 10  # results asked beyond the last cut, in whose place another copy of the paper itself may be


@dataclass(frozen=True, slots=True)
class OwnPaper:
    """A paper of the author's, and what of its list would have been found.

    `before` is the day from which on papers do not count, by `dated_by`; None where nothing tells. Of `references`
    entries `on_arxiv` mean arXiv papers, and `held` of these are in the catalogue. `newer` were not published before
    that day. `ranks` are the places, from 1, of the cited papers that were found; `missed` those that were not.
    """

    main: Path
    title: str
    before: date | None
    dated_by: str
    references: int
    on_arxiv: int
    held: int
    newer: int
    ranks: Mapping[str, int]
    missed: tuple[str, ...]
    titles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OwnPapers:
    """The papers that were asked, measures over those that cite a paper of the catalogue, and what was left out."""

    papers: tuple[OwnPaper, ...]
    measures: tuple[Scored, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Written:
    main: Path
    draft: Draft
    arxiv_id: str | None
    references: tuple[Reference, ...]


def evaluate_mine(settings: Environment, folder: Path, cuts: Sequence[int], report: Report) -> OwnPapers:
    """Ask the user's catalogue for every paper below `folder` that has a title and an abstract.

    Raises UnreadableInput where there is none, CorpusEmpty without a catalogue.
    """
    left_out: list[str] = []
    with open_corpus(settings) as corpus:
        need_papers(corpus, online=False)
        written = _one_of_each(list(_papers_below(folder, left_out, report)), left_out)
        if not written:
            raise UnreadableInput(f"no paper with title and abstract is below {folder}", "name a folder of your papers")
        corpus.graph.catch_up(lambda count: report("titles of records", count, None))
        searcher = Searcher(corpus, ())
        papers: list[OwnPaper] = []
        gold: list[Gold] = []
        run: dict[str, RunLine] = {}
        for number, paper_written in enumerate(written, 1):
            report("papers of yours", number, len(written))
            paper, query, line = _ask(paper_written, corpus, searcher, max(cuts))
            papers.append(paper)
            gold.append(query)
            run[query.query_id] = line
    return OwnPapers(
        tuple(papers), score("retrieval", gold, run, MeasureSettings(tuple(cuts))).measures, tuple(left_out)
    )


def _papers_below(folder: Path, left_out: list[str], report: Report) -> Iterator[_Written]:
    folder = as_given(folder)
    if not folder.is_dir():
        raise UnreadableInput(f"{folder} is not a folder", "name the folder that your earlier papers are in")
    roots = roots_in(folder)
    for number, main in enumerate(roots, 1):
        report("drafts read", number, len(roots))
        try:
            draft = read_draft(main)
            printed = main.with_suffix(".bbl")
            reading = read_references(printed if printed.is_file() else main)
        except UnreadableInput as error:
            left_out.append(str(error))
            continue
        if not draft.title.strip() or not draft.abstract.strip():
            left_out.append(f"{main} has no {'abstract' if draft.title.strip() else 'title'}")
        elif not reading.references:
            left_out.append(f"{main} cites nothing that could be read")
        else:
            arxiv_id = None if reading.citing.startswith("own:") else reading.citing
            yield _Written(main, draft, arxiv_id, reading.references)


def _one_of_each(written: Sequence[_Written], left_out: list[str]) -> list[_Written]:
    """Of several versions of a paper, known by the title, the one with the longest list."""
    papers: list[_Written] = []
    for paper in sorted(written, key=lambda own_paper: (-len(own_paper.references), str(own_paper.main))):
        same = next((other for other in papers if _same_title(other.draft.title, paper.draft.title)), None)
        if same is None:
            papers.append(paper)
        else:
            left_out.append(f"{paper.main} is another version of {same.main}")
    return sorted(papers, key=lambda paper: str(paper.main))


def _ask(written: _Written, corpus: Corpus, searcher: Searcher, most: int) -> tuple[OwnPaper, Gold, RunLine]:
    draft = written.draft
    own = _own_records(written, corpus)
    before, dated_by = _day_of(written, own)
    resolved = corpus.graph.resolve(written.references)
    meant = list(
        dict.fromkeys(reference.paper for reference in resolved if reference.paper and reference.paper not in own)
    )
    held = corpus.papers([value for value in meant if ArxivId(value).on_arxiv])
    cited = {value: paper for value, paper in held.items() if before is None or paper.published < before}
    query = Gold(str(written.main), "", draft.title, " ".join(draft.abstract.split()), frozenset(cited), frozenset(own))
    question = SearchRequest(query.text, most + _SPARE, before, (), frozenset(own), wait=True)
    results_found = [candidate.paper for candidate in searcher.search(question, lambda *_: None)]
    results = [paper.id.value for paper in results_found if not _same_title(paper.title, draft.title)][:most]
    ranks = {value: rank for rank, value in enumerate(results, 1) if value in cited}
    paper = OwnPaper(
        written.main,
        draft.title,
        before,
        dated_by,
        len(written.references),
        len(meant),
        len(held),
        len(held) - len(cited),
        ranks,
        tuple(value for value in cited if value not in ranks),
        {value: cited_paper.title for value, cited_paper in cited.items()},
    )
    return paper, query, RunLine(query.query_id, results=tuple(results))


def _own_records(written: _Written, corpus: Corpus) -> dict[str, Paper | None]:
    """The ids of the paper itself, with its record: by the id in its folder's name, and every record of its title."""
    title = written.draft.title
    near = corpus.by_title(title, _SPARE)
    own: dict[str, Paper | None] = {paper.id.value: paper for paper in near if _same_title(paper.title, title)}
    if written.arxiv_id:
        own = {written.arxiv_id: corpus.papers([written.arxiv_id]).get(written.arxiv_id), **own}
    return own


def _day_of(written: _Written, own: Mapping[str, Paper | None]) -> tuple[date | None, str]:
    """The first day that does not count: that of the paper's own record or id, else the one after the draft's date.

    Of several records of the title nothing tells which is the paper's.
    """
    value = written.arxiv_id or (next(iter(own)) if len(own) == 1 else None)
    if value is not None:
        paper = own[value]
        return paper.published if paper else ArxivId(value).month, "its arXiv record" if paper else "its arXiv id"
    dated = date_of_draft(written.draft)
    return (dated.end, dated.by) if dated else (None, "")


def _same_title(one: str, other: str) -> bool:
    return compare_titles(one, other) == "same"
