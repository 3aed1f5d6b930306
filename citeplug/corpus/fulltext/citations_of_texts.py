"""Citations in the full texts on this machine, taken into the citation graph."""

from collections.abc import Sequence
from datetime import UTC, datetime

from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report
from citeplug.records.paper import ArxivId


def not_taken(corpus: Corpus, store: TextStore) -> list[str]:
    """The papers whose texts are here and whose citations are not yet in the graph."""
    papers = store.papers()
    known = corpus.graph.asked(papers, "eprint")
    return [paper for paper in papers if paper not in known]


def take_citations(corpus: Corpus, store: TextStore, papers: Sequence[str], report: Report) -> int:
    """Put what the texts of these papers cite into the graph, resolved by their own lists; return how many had one."""
    own = [paper for paper in papers if ArxivId(paper).on_arxiv]
    if not own:
        return 0
    taken, today = 0, datetime.now(UTC).date()
    with corpus.one_change_of_graph():
        corpus.graph.catch_up(lambda count: report("titles of records", count, None))
        for number, paper in enumerate(own):
            report("citations in texts", number, len(own))
            text = store.read(paper)
            if text is not None and text.references:
                corpus.graph.put_text(paper, corpus.graph.resolve(text.references), text.mentions, today)
                taken += 1
            elif text is not None:
                corpus.graph.note_state([paper], "eprint", "unavailable", today)
    return taken
