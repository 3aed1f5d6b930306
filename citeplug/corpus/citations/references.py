"""The references of a paper, a file or a folder, each with the paper that it means; and what papers say of each other.

The latter are the citations in the full texts on this machine, each in its sentence.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from citeplug.corpus.citations.reference_lists import read_references
from citeplug.corpus.fulltext.fetch_texts import not_taken, take_citations
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.local_records import open_records
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import UnreadableInput
from citeplug.records.paper import Paper
from citeplug.records.passage import Mentioned, Resolved
from citeplug.settings.environment import Settings
from citeplug.text.identifiers import as_arxiv_id, parse_id


def list_references(
    settings: Settings, name: str, *, printed_ids: bool = True, report: Callable[[int], None] | None = None
) -> list[Resolved] | None:
    """References of `name`, a path or an arXiv id; None for an id whose list is not known.

    Without `printed_ids` the ids that a file prints do not count. `report` is called with how many records were named.
    Raises UnreadableInput for what is neither, or cannot be read.
    """
    path = Path(name)
    if path.exists():
        reference_list = read_references(path)
        with open_records(settings) as records:
            records.graph.catch_up(report)
            return records.graph.resolve(reference_list.references, printed_ids=printed_ids)
    value = as_arxiv_id(name)
    if value is None:
        raise UnreadableInput(
            f"{name} is no file, no folder and no arXiv id", "name a .bbl or .bib file, a folder, or an id"
        )
    with open_records(settings) as records:
        records.graph.catch_up(report, begin=False)
        if value not in records.graph.states([value]):
            return None
        entries = records.graph.entries(value)
        papers = records.papers([entry.paper for entry in entries if entry.paper and not entry.reference.title])
    return [_with_title(entry, papers.get(entry.paper or "")) for entry in entries]


def _with_title(resolved: Resolved, record: Paper | None) -> Resolved:
    """A citation that is known by id alone, with what its record says."""
    if record is None or resolved.reference.raw:
        return resolved
    return replace(
        resolved, reference=replace(resolved.reference, title=record.title, year=record.published.year, doi=record.doi)
    )


@dataclass(frozen=True, slots=True)
class Mentions:
    """Sentences about a paper, and the titles by id of those papers that they are in, as far as they are known.

    `groups` are their numbers by what they say, the largest group first, in each the most typical sentence first.
    """

    found: tuple[Mentioned, ...]
    titles: dict[str, str]
    groups: tuple[tuple[int, ...], ...] = ()


def list_mentions(settings: Settings, name: str, report: Report) -> Mentions:
    """All sentences about a paper in the texts on this machine, the first of them grouped.

    Raises UsageError for what is no id, ModelUnavailable.
    """
    from citeplug.corpus.citations.context_groups import MOST, group_contexts

    wanted = parse_id(name)
    with open_corpus(settings) as corpus:
        with closing(TextStore(settings.home)) as store:
            waiting = not_taken(corpus, store)
            if waiting:
                take_citations(corpus, store, waiting, report)
        mentions = corpus.graph.mentions(wanted.value)
        records = corpus.papers(list({mention.citing for mention in mentions}))
        report("group them by what they say", 0, None)
        groups = (
            group_contexts(corpus.embedder().embed([mention.sentence for mention in mentions[:MOST]]))
            if mentions
            else ()
        )
    return Mentions(tuple(mentions), {value: paper.title for value, paper in records.items()}, tuple(groups))


def known_mentions(settings: Settings, value: str, most: int) -> Mentions:
    """At most `most` sentences about a paper, of the texts whose citations were taken in before."""
    with open_corpus(settings) as corpus:
        mentions = corpus.graph.mentions(value, most)
        records = corpus.papers(list({mention.citing for mention in mentions}))
    return Mentions(tuple(mentions), {name: paper.title for name, paper in records.items()})
