"""The section as it reads in the review page."""

from citeplug.records.provenance import RecordedEntry
from citeplug.related.section.review import ReviewedSection
from citeplug.web.section_prose import prose_of


def test_works_that_are_not_on_this_machine_have_the_names_of_their_entries() -> None:
    evidence = ({"field": "title", "given": "Graphs"}, {"field": "author", "given": "Li, Ann and Ng, Bo"})
    section = ReviewedSection(
        written=True,
        conflict=False,
        paragraphs=(),
        papers={},
        entries={"1710.10903": RecordedEntry("li2018", evidence=(*evidence, {"field": "year", "given": "2018"}))},
        bib={"zou2019": "@misc{zou2019, author = {Zou, Difan}, title = {Layers}, year = {2019}}"},
        rejected=(),
        debates={},
    )
    tex = r"\citet{li2018} and \citet{zou2019} agree."
    printed = "".join(part for part, _ in prose_of("[li2018] and [zou2019] agree.", section, tex))
    assert printed == "Li and Ng (2018) and Zou (2019) agree."
