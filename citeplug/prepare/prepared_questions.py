"""Prepared questions of papers, of the texts that these have now, with their vectors."""

from collections.abc import Sequence

from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.kept_vectors import KeptVectors
from citeplug.prepare.paper_sources import read_sources
from citeplug.prepare.store import PreparedStore
from citeplug.protocols import Vectors
from citeplug.records.paper import ArxivId
from citeplug.records.prepared import Prepared
from citeplug.settings.environment import Settings


def current(store: PreparedStore, papers: Sequence[str], chosen: Settings) -> list[Prepared]:
    """What was prepared of these papers from the texts that they have now."""
    known = set(store.papers())
    here = [ArxivId(value) for value in papers if value in known]
    digests = {value: found[0].digest for value, found in read_sources(here, chosen) if found is not None}
    return [each for each in store.read(list(digests)) if each.digest == digests[each.paper]]


def question_vectors(store: PreparedStore, prepared: Sequence[Prepared], chosen: Settings) -> dict[str, Vectors]:
    """Unit vectors (d,) of their questions, by question; missing ones are computed and kept."""
    questions = list(dict.fromkeys(pair.question for each in prepared for pair in each.pairs))
    embedder = open_embedder(chosen.embedder, chosen.home, chosen.device)
    return dict(zip(questions, KeptVectors(store.database, embedder).of(questions), strict=True))
