"""The papers that are asked: named ones, those of a draft, and those of topics of the catalogue."""

from collections.abc import Sequence
from pathlib import Path

from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import CorpusEmpty
from citeplug.records.paper import ArxivId
from citeplug.related.paper_sets import PaperSet, resolve_papers
from citeplug.settings.environment import Settings

_MOST_OF_TOPICS = 1_000  # papers


def papers_to_ask(
    papers: PaperSet, main: Path | None, topics: Sequence[str], chosen: Settings, report: Report
) -> list[ArxivId]:
    """The papers of the set, of the draft `main`, and of the topics, as far as each was named.

    Raises UsageError for what is no id and no topic, and as reading a draft does.
    """
    found: list[ArxivId] = []
    if papers != PaperSet():
        found += resolve_papers(papers, chosen, report)
    if main is not None:
        found += _of_draft(main, chosen, report)
    if topics:
        found += _of_topics(topics, chosen)
    return found


def _of_draft(main: Path, chosen: Settings, report: Report) -> list[ArxivId]:
    """Its shortlist and what it cites; what it cites alone while the catalogue is empty."""
    try:
        return resolve_papers(PaperSet(shortlist=main, cited=main), chosen, report)
    except CorpusEmpty:
        return resolve_papers(PaperSet(cited=main), chosen, report)


def _of_topics(topics: Sequence[str], chosen: Settings) -> list[ArxivId]:
    """The newest papers of the topics."""
    with open_corpus(chosen) as corpus:
        papers = corpus.papers(sorted(corpus.topics.within(topics)))
    newest = sorted(papers.values(), key=lambda paper: (paper.published, paper.id.value), reverse=True)
    return [paper.id for paper in newest[:_MOST_OF_TOPICS]]
