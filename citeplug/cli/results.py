"""Search results, printed: as JSON, and for a reader at a terminal."""

from collections.abc import Sequence
from typing import Any

from citeplug.cli.console import Part, clipped, say, say_next
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of
from citeplug.records.paper import Candidate, Links, Paper, shown_id
from citeplug.text.asked_words import places_of_question, words_of_question
from citeplug.text.people import cited_people


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


def about_paper(paper: Paper, year: int | None = None) -> Sequence[Part]:
    """Authors, year, place of publication and id, for the line beneath a title; `year` in place of the record's."""
    year = year or (paper.published.year if paper.published.year > 1 else None)
    words = [cited_people(paper.authors) or "authors unknown", str(year or "no year")]
    words += [paper.journal_ref] if paper.journal_ref else []
    return (" · ".join(words), "aside"), (" · ", "aside"), (shown_id(paper.id.value), "key")


def show_candidates(candidates: Sequence[Candidate], text: str, unmatched: Finding | None = None) -> None:
    """Print a numbered list, each with a sentence of its abstract and the words that its title lacks; `unmatched` says
    that none has all of them. Then the next command."""
    from citeplug.related.papers import gist_of  # loads the search

    whys = [words_of_question(text, candidate.paper) for candidate in candidates]
    if candidates and (unmatched is not None or not any(whys)):
        none = "None has your words" if unmatched is None else unmatched.message
        meant = f" ({unmatched.fix})" if unmatched is not None and unmatched.fix else ""
        say(f"{none[0].upper()}{none[1:]}{meant}; these are the nearest{'' if any(whys) else ' in meaning'}:")
    for number, (candidate, why) in enumerate(zip(candidates, whys, strict=True), 1):
        paper = candidate.paper
        say((paper.title, "title"), lead=f"{number:3}. ")
        where = "".join(paper.categories[:1]) if paper.id.on_arxiv else "not on arXiv, as far as known"
        say(*about_paper(paper), (f" · {where}" if where else "", "aside"), lead="     ")
        if candidate.links is not None:
            say(candidate.links.reason, lead="     ")
        elif any(whys) and places_of_question(text, paper).keys() != {"title"}:  # which everyone sees
            say(why or "near in meaning, without your words", lead="     ")
        if gist := gist_of(paper):
            say((clipped(gist, 1, 5), "aside"), lead="     ")
    if not candidates:
        say("No papers were found.")
    if citable := next((c.paper.id.value for c in candidates if c.paper.authors and c.paper.id.on_arxiv), None):
        say_next(f"citeplug cite {citable}", "prints the BibTeX entry of a paper")
