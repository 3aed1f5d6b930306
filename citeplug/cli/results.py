"""Search results, printed: as JSON, and for a reader at a terminal."""

from collections.abc import Sequence
from typing import Any

from citeplug.cli.console import Part, first_authors, say
from citeplug.records.json_form import fields_of
from citeplug.records.paper import Candidate, Links, Paper, shown_id


def candidate_as_json(candidate: Candidate) -> dict[str, Any]:
    paper = candidate.paper
    return {
        "id": paper.id.value,
        "on_arxiv": paper.id.on_arxiv,
        "version": paper.id.version,
        **fields_of(paper, "title authors published categories"),
        "score": round(candidate.score, 6),
        "found_by": list(candidate.found_by),
        **links_as_json(candidate.links),
    }


def links_as_json(links: Links | None) -> dict[str, Any]:
    """`why` in words, and `links`: whom of those that the search went out from a paper cites, or is cited by.

    Sentences and sections of citations are null until a full text gives them.
    """
    if links is None:
        return {"why": None, "links": None}
    return {
        "why": links.reason,
        "links": {
            "cited_by_yours": list(links.cited_by_own),
            "cites_yours": list(links.cites_own),
            "yours": links.own,
            **fields_of(links, "cited_by_found cites_found found"),
            "sentences": None,
            "sections": None,
        },
    }


_WAYS = {"lexical": "words", "dense": "meaning", "graph": "citations"}


def about_paper(paper: Paper) -> Sequence[Part]:
    """Authors, year, place of publication and id, for the line beneath a title."""
    year = str(paper.published.year) if paper.published.year > 1 else "no year"
    venue = [" · ", paper.journal_ref] if paper.journal_ref else []
    return (first_authors(paper.authors), " · ", year, *venue, " · ", (shown_id(paper.id.value), "key"))


def show_candidates(candidates: Sequence[Candidate]) -> None:
    """Print a numbered list."""
    for number, candidate in enumerate(candidates, 1):
        paper = candidate.paper
        say((paper.title, "title"), lead=f"{number:3}. ")
        where = ", ".join(paper.categories) if paper.id.on_arxiv else "not on arXiv, as far as known"
        ways = " and ".join(_WAYS.get(way, way) for way in candidate.found_by)
        say(*about_paper(paper), *((" · ", where) if where else ()), f" · found by {ways}", lead="     ")
        if candidate.links is not None:
            say(candidate.links.reason, lead="     ")
    if not candidates:
        say("No papers were found.")
