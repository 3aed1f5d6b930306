"""What is said to the author of a section that is written without a model: of papers, or of its draft."""

from collections.abc import Iterable, Mapping
from textwrap import shorten

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.text.language import language_of

_TITLE = 60  # letters of a title in a message


def other_language(draft: Draft) -> Finding | None:
    """Finding `language_not_supported` for a draft in another language: sentences are taken from English abstracts.

    A frame in its language would be empty: one sentence in thirty is a group, and one section in eighty has headings.
    """
    language = language_of(draft)
    if language == "English":
        return None
    return Finding(
        "language_not_supported",
        "warning",
        f"the draft seems to be in {language}: without a language model sentences are taken from abstracts, which are in"
        " English, and none is translated, so the file has a plan with its papers and no text",
        fix="write from the plan, 'citeplug papers' says why each work is there; or name a language model with --llm",
    )


def not_written(unwritten: Iterable[str], papers: Mapping[str, Paper]) -> list[Finding]:
    """`paper_not_written`, of those of `papers`, by id, of which a line of the plan has nothing to say."""
    ids = dict.fromkeys(unwritten)
    if not ids:
        return []
    named = (f"{value} ({shorten(papers[value].title, _TITLE, placeholder=' ...')})" for value in ids)
    return [
        Finding(
            "paper_not_written",
            "info",
            f"nothing more is said of {'; '.join(named)}: their abstracts have no further sentence that can be reported",
            fix="say what they contribute, or name a language model with --llm; 'citeplug papers' says why each is there",
        )
    ]


def no_draft_statement() -> Finding:
    return Finding(
        "no_draft_statement",
        "info",
        "the section has no sentence on the draft: its abstract has none that states the contribution whole",
        fix="say in the abstract what the paper does ('we propose ...'), or write the sentence yourself",
    )
