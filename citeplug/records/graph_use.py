"""The part that the citation graph had in a run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutsideWork:
    """A work that several of a draft's citations cite and that no record of arXiv is known of.

    `title` is as one of their lists prints it; `cited_by` are those citations, by arXiv id.
    """

    title: str
    year: int | None
    doi: str | None
    cited_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphUse:
    """Use of citations in the scores of a run. Of `seeds` papers the lists of references of `known` are known.

    `wanted` is the user's word; None: it was left to the graph.
    """

    wanted: bool | None
    used: bool
    seeds: int
    known: int
    not_on_arxiv: tuple[OutsideWork, ...] = ()

    @property
    def in_words(self) -> str:
        known = f"the reference lists of {self.known} of {self.seeds} papers are known"
        return f"Citations were followed: {known}." if self.used else f"Citations were not followed: {known}."
