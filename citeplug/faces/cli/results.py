"""Search results, printed: as JSON, and for a reader at a terminal."""

from collections.abc import Sequence
from typing import Any

from citeplug.faces.cli.console import first_authors, say
from citeplug.records.paper import Candidate, shown_id


def candidate_as_json(candidate: Candidate) -> dict[str, Any]:
    paper = candidate.paper
    return {
        "id": paper.id.value,
        "on_arxiv": paper.id.on_arxiv,
        "version": paper.id.version,
        "title": paper.title,
        "authors": list(paper.authors),
        "published": paper.published.isoformat(),
        "categories": list(paper.categories),
        "score": round(candidate.score, 6),
        "found_by": list(candidate.found_by),
    }


def show_candidates(found: Sequence[Candidate]) -> None:
    """Print a numbered list."""
    for number, candidate in enumerate(found, 1):
        paper = candidate.paper
        say(f"{number:3}. {paper.title}")
        year = paper.published.year if paper.published.year > 1 else "no year"
        say(f"     {first_authors(paper.authors)} ({year}). {shown_id(paper.id.value)}")
        where = ", ".join(paper.categories) if paper.id.on_arxiv else "not on arXiv, as far as known"
        say(f"     {where}; found by {', '.join(candidate.found_by)}")
    if not found:
        say("no papers found")
