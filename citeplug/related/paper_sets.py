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
from citeplug.related.job import Job
from citeplug.related.papers import list_for_draft
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.related.retrieve.queries import cited_entries
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


def resolve_papers(wanted: PaperSet, chosen: Settings, report: Report) -> list[ArxivId]:
    """The papers of a set, each once, in the order in which they were named. Nothing is sent anywhere.

    Those of topics are the newest first. Raises UsageError for what is no id or no topic, or for a set that nobody
    named, and as reading a draft does.
    """
    if wanted == PaperSet():
        raise UsageError(
            "no papers were named", "give ids, --shortlist MAIN.tex, --cited MAIN.tex, --library or --topic T"
        )
    found = [parse_id(each) for each in wanted.ids]
    if wanted.shortlist is not None:
        job = Job(wanted.shortlist, Options())
        listing = list_for_draft(job, chosen, online=False, report=report)
        found += [listed.paper.id for listed in listing.papers if listed.chosen]
    with open_corpus(chosen) as corpus:
        if wanted.cited is not None:
            found += _cited(corpus, wanted.cited)
        if wanted.library:
            found += [ArxivId(value) for value, _ in corpus.library.holdings()]
        if wanted.topics:
            records = corpus.papers(sorted(corpus.topics.within(wanted.topics))).values()
            by_day = sorted(records, key=lambda paper: (paper.published, paper.id.value), reverse=True)
            found += [ArxivId(paper.id.value) for paper in by_day]
    return _each_once(found)


def _cited(corpus: Corpus, main: Path) -> list[ArxivId]:
    draft = read_draft(find_root(main))
    records = cited_papers(draft, corpus, corpus)
    own = {each.key: value for value, each in corpus.library.holdings() if each.key}
    found: list[ArxivId] = []
    for entry in cited_entries(draft):
        if entry.key in records:
            found.append(ArxivId(records[entry.key].id.value))
        elif entry.arxiv_id or entry.key in own:
            found.append(ArxivId(entry.arxiv_id or own[entry.key]))
    return found


def _each_once(found: Sequence[ArxivId]) -> list[ArxivId]:
    """Without repetition; a version that was named wins over none, and two versions are two texts."""
    versioned = {each.value for each in found if each.version is not None}
    return list(dict.fromkeys(each for each in found if each.version is not None or each.value not in versioned))
