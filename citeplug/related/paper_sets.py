"""The papers that a command is about: named ones, those of a draft, of a topic, or of the author's library."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import UsageError
from citeplug.latex.project import find_root, read_draft
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId
from citeplug.related.papers import list_for_draft
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.related.retrieve.queries import cited_entries
from citeplug.related.tools import Job
from citeplug.settings.environment import Settings
from citeplug.text.identifiers import parse_id


@dataclass(frozen=True, slots=True)
class PaperSet:
    """Papers as a user names them; several ways are joined.

    `ids` may have versions, or be those of the library (`lib:KEY`). `shortlist`: the papers that the section of this
    draft would discuss; `cited`: those that this draft cites; `library`: all works of the library; `topics`: all papers
    of these topics of the catalogue, by number, name or words of it.
    """

    ids: tuple[str, ...] = ()
    shortlist: Path | None = None
    cited: Path | None = None
    library: bool = False
    topics: tuple[str, ...] = ()


def resolve_papers(paper_set: PaperSet, settings: Settings, report: Report) -> list[ArxivId]:
    """The papers of a set, each once, in the order in which they were named. Nothing is sent anywhere.

    Those of topics are the newest first. Raises UsageError for what is no id or no topic, or for a set that nobody
    named, and as reading a draft does.
    """
    if paper_set == PaperSet():
        raise UsageError(
            "no papers were named", "give ids, --shortlist MAIN.tex, --cited MAIN.tex, --library or --topic T"
        )
    ids = [parse_id(name) for name in paper_set.ids]
    if paper_set.shortlist is not None:
        job = Job(paper_set.shortlist, Options())
        listing = list_for_draft(job, settings, online=False, report=report)
        ids += [listed.paper.id for listed in listing.papers if listed.chosen]
    with open_corpus(settings) as corpus:
        if paper_set.cited is not None:
            ids += _cited(corpus, paper_set.cited)
        if paper_set.library:
            ids += [ArxivId(value) for value, _ in corpus.library.holdings()]
        if paper_set.topics:
            records = corpus.papers(sorted(corpus.topics.within(paper_set.topics))).values()
            by_day = sorted(records, key=lambda paper: (paper.published, paper.id.value), reverse=True)
            ids += [ArxivId(paper.id.value) for paper in by_day]
    return _each_once(ids)


def _cited(corpus: Corpus, main: Path) -> list[ArxivId]:
    draft = read_draft(find_root(main))
    records = cited_papers(draft, corpus, corpus)
    own = {holding.key: value for value, holding in corpus.library.holdings() if holding.key}
    ids: list[ArxivId] = []
    for entry in cited_entries(draft):
        if entry.key in records:
            ids.append(ArxivId(records[entry.key].id.value))
        elif entry.arxiv_id or entry.key in own:
            ids.append(ArxivId(entry.arxiv_id or own[entry.key]))
    return ids


def _each_once(ids: Sequence[ArxivId]) -> list[ArxivId]:
    """Without repetition; a version that was named wins over none, and two versions are two texts."""
    versioned = {arxiv_id.value for arxiv_id in ids if arxiv_id.version is not None}
    return list(
        dict.fromkeys(arxiv_id for arxiv_id in ids if arxiv_id.version is not None or arxiv_id.value not in versioned)
    )
