"""What papers say of each other: the citations in the full texts on this machine, each in its sentence."""

from contextlib import closing
from dataclasses import dataclass

from citeplug.corpus.fulltext.citations_of_texts import not_taken, take_citations
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import Report, open_corpus
from citeplug.records.reference import Mentioned
from citeplug.settings.environment import Settings
from citeplug.text.identifiers import parse_id


@dataclass(frozen=True, slots=True)
class Mentions:
    """Sentences about a paper, and the titles by id of those papers that they are in, as far as they are known."""

    found: tuple[Mentioned, ...]
    titles: dict[str, str]


def list_mentions(chosen: Settings, name: str, report: Report) -> Mentions:
    """All sentences about a paper in the texts on this machine. Raises UsageError for what is no id."""
    wanted = parse_id(name)
    with open_corpus(chosen) as corpus:
        with closing(TextStore(chosen.home)) as store:
            waiting = not_taken(corpus, store)
            if waiting:
                take_citations(corpus, store, waiting, report)
        found = corpus.graph.mentions(wanted.value)
        records = corpus.papers(list({each.citing for each in found}))
    return Mentions(tuple(found), {value: paper.title for value, paper in records.items()})


def known_mentions(chosen: Settings, value: str, most: int) -> Mentions:
    """At most `most` sentences about a paper, of the texts whose citations were taken in before."""
    with open_corpus(chosen) as corpus:
        found = corpus.graph.mentions(value, most)
        records = corpus.papers(list({each.citing for each in found}))
    return Mentions(tuple(found), {name: paper.title for name, paper in records.items()})
