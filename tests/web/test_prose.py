"""The section as it reads in the review page."""

from dataclasses import replace

import pytest

from citeplug.records.provenance import RecordedEntry
from citeplug.related.section.review import ReviewedPiece, ReviewedSection
from citeplug.web.section_prose import compared, prose_of, unsourced

EMPTY = ReviewedSection(
    written=True, conflict=False, paragraphs=(), papers={}, entries={}, bib={}, rejected=(), debates={}
)


def test_works_that_are_not_on_this_machine_have_the_names_of_their_entries() -> None:
    evidence = ({"field": "title", "given": "Graphs"}, {"field": "author", "given": "Li, Ann and Ng, Bo"})
    section = replace(
        EMPTY,
        entries={"1710.10903": RecordedEntry("li2018", evidence=(*evidence, {"field": "year", "given": "2018"}))},
        bib={"zou2019": "@misc{zou2019, author = {Zou, Difan}, title = {Layers}, year = {2019}}"},
    )
    tex = r"\citet{li2018} and \citet{zou2019} agree."
    printed = "".join(part for part, _ in prose_of("[li2018] and [zou2019] agree.", section, tex))
    assert printed == "Li and Ng (2018) and Zou (2019) agree."


@pytest.mark.parametrize(
    ("text", "underlined"),
    [
        ("Among the first, we propose two constructions.", ["Among the first, "]),
        ("We cheaply propose two constructions.", ["We cheaply "]),
        ("We propose the two constructions.", []),
    ],
)
def test_what_only_the_author_says_is_underlined(text: str, underlined: list[str]) -> None:
    piece = ReviewedPiece("own", text, text, 0)
    parts = compared(piece, EMPTY, ["In particular, we propose two constructions."])
    assert [part for part, alone in parts if alone] == underlined


@pytest.mark.parametrize("tex", ["", "\\", "\\citet{", "%", "{{{", "\\citet{a}{"])
def test_half_typed_latex_is_compared(tex: str) -> None:
    assert isinstance(unsourced(tex, ReviewedPiece("own", "A.", "A.", 0), EMPTY), list)
