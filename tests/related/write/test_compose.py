"""What the draft cites papers for."""

from pathlib import Path

from citeplug.related.write.compose import roles_in_draft
from tests.latex.projects import read
from tests.related.write.examples import EMBEDDING, PARSER, SURVEY


def test_a_paper_has_what_is_said_where_the_draft_cites_it(tmp_path: Path) -> None:
    fields = "eprint={%s}, archiveprefix={arXiv}"
    bib = "".join(
        f"@article{{{key}, title={{{paper.title}}}, {fields % paper.id.value}}}\n"
        for key, paper in (("Lee", PARSER), ("survey", SURVEY))
    )
    body = "\\section{Method}\nUnlike \\cite{lee}, we count. More.\n\nAgain \\cite{Lee}.\n\\bibliography{refs}"
    draft = read(tmp_path, body, files={"refs.bib": bib})
    roles = roles_in_draft([PARSER, SURVEY, EMBEDDING], draft)
    assert roles == {PARSER.id.value: "Method: Unlike [*], we count. / Method: Again [*]."}
