"""How search results look: as JSON, and for a reader at a terminal."""

from collections.abc import Sequence
from typing import Any

from citeplug.faces.console import first_authors, say
from citeplug.records.paper import Candidate


def candidate_as_json(candidate: Candidate) -> dict[str, Any]:
    paper = candidate.paper
    return {
        "id": paper.id.value,
        "version": paper.id.version,
        "title": paper.title,
        "authors": list(paper.authors),
        "published": paper.published.isoformat(),
        "categories": list(paper.categories),
        "score": round(candidate.score, 6),
        "found_by": list(candidate.found_by),
    }


def show_candidates(found: Sequence[Candidate]) -> None:
    """A numbered list for a reader."""
    for number, candidate in enumerate(found, 1):
        paper = candidate.paper
        say(f"{number:3}. {paper.title}")
        say(f"     {first_authors(paper.authors)} ({paper.published.year}). arXiv:{paper.id.value}")
        say(f"     {', '.join(paper.categories)}; found by {', '.join(candidate.found_by)}")
    if not found:
        say("nothing was found")
