"""Stages of a run, in the words of those who write papers."""

from collections.abc import Mapping

_WORDS: Mapping[str, str] = {
    "read the draft": "reading the draft",
    "queries": "choosing what to search for",
    "model queries": "asking the model what to search for",
    "ask arXiv": "searching arXiv",
    "ask OpenAlex": "asking OpenAlex",
    "ask other services": "asking other services",
    "pinned papers": "reading the papers that you pinned",
    "retrieve": "searching the catalogue",
    "embed": "reading abstracts",
    "deep research": "following citations",
    "ask for lists": "requesting reference lists",
    "full texts": "reading full texts",
    "read your files": "reading your files",
    "fetch texts": "fetching full texts",
    "embed passages": "reading full texts",
    "prepare papers": "preparing papers",
    "embed questions": "reading the questions",
    "compare statements": "comparing your draft with prepared papers",
    "candidates": "reading the records of what was found",
    "rank": "ranking the papers",
    "references": "checking the papers",
    "plan": "planning the section",
    "prompted plan": "planning the section",
    "write": "writing the section",
    "prose": "writing the section",
    "print": "writing related.tex and related.bib",
    "reasons": "working out why each paper fits",
    "look up arXiv ids": "looking up arXiv ids",
    "look up DOIs at arXiv": "searching arXiv for DOIs",
    "search titles at arXiv": "searching arXiv for titles",
    "compare": "comparing entries with their records",
    "find the paragraphs of missing works": "placing missing works",
    "look up names": "looking up works that are named",
    "compare citations": "comparing citations with their sources",
    "look for works of claims": "looking for the works behind claims",
    "read works": "reading the works",
    "compare limits with the draft": "comparing their limits with your draft",
    "compare contributions": "comparing contributions",
    "index the library": "adding the demo's papers",
    "build the PDF": "typesetting the PDF",
    "write the library": "writing your library",
    "titles of records": "reading titles",
    "lists of references": "reading lists of references",
    "citations in texts": "reading citations in full texts",
    "judge": "asking judges",
    "export": "writing records",
    "index, in kB": "adding papers, in kB",
    "update": "adding papers",
}


def stage_words(stage: str) -> str:
    """Words for a stage; its own name if there are none."""
    return _WORDS.get(stage, stage)
