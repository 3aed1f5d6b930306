"""The library as Markdown notes and as CSL-JSON."""

import json
from pathlib import Path

import pytest

from citeplug.bib.collect_library import add
from citeplug.bib.library.csl import as_csl
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.stores import settings
from citeplug.errors import UsageError, WouldOverwrite
from citeplug.project.find_project import find_project
from citeplug.related.library_notes import MARK, export_library

BIB = """@book{tutte:1984,
  author = {W. T. Tutte},
  title = {Graph Theory & <b>more</b>},
  year = 1984,
  publisher = {Addison-Wesley},
  abstract = {In this paper, we introduce a new theory of graphs that decomposes them. It has many parts.},
}
@inproceedings{ludwig,
  author = {van Beethoven, Ludwig and {The ATLAS Collaboration}},
  title = {\\"Uber Graphen},
  booktitle = {Proc. Graphs},
  pages = {1--9},
  year = 1999,
  eprint = {1801.00003},
}
"""
DRAFT = """\\documentclass{article}\\begin{document}
Graphs are decomposed \\cite{tutte:1984}.
\\bibliographystyle{plain}\\bibliography{refs}
\\end{document}
"""


@pytest.fixture
def main(tmp_path: Path) -> Path:
    (tmp_path / "refs.bib").write_text(BIB, "utf-8")
    (tmp_path / "main.tex").write_text(DRAFT, "utf-8")
    add(settings(), [tmp_path / "refs.bib"], lambda *_: None)
    return tmp_path / "main.tex"


def test_a_note_has_citation_contribution_quotations_and_where_the_draft_cites_the_work(main: Path) -> None:
    quote = {"arxiv_id": "lib:tutte:1984", "quote": "decomposes *them*"}
    record = {"sentences": [{"paragraph": "p1", "text": "x", "sources": [quote]}]}
    provenance = find_project(main).where.provenance
    provenance.parent.mkdir(exist_ok=True)
    provenance.write_text(json.dumps(record), "utf-8")
    done = export_library(settings(), main.parent / "notes", None, main)
    assert (done.works, done.written) == (2, 2)
    note = (main.parent / "notes" / "tutte-1984.md").read_text("utf-8")
    assert 'citekey: "tutte:1984"' in note and "year: 1984" in note
    assert "# Graph Theory & \\<b\\>more\\</b\\>" in note
    assert "> In this paper, we introduce a new theory of graphs that decomposes them." in note
    assert "> decomposes \\*them\\*" in note
    assert "- main.tex:2: Graphs are decomposed" in note
    assert note.endswith(MARK + "\n")


def test_what_the_author_wrote_below_the_mark_stays_and_a_file_of_the_authors_own_is_left_alone(main: Path) -> None:
    notes = main.parent / "notes"
    export_library(settings(), notes, None, None)
    mine = b"\r\nMy own thoughts \xff and " + MARK.encode() + b" twice"
    note = notes / "tutte-1984.md"
    note.write_bytes(note.read_bytes().partition(MARK.encode())[0].replace(b"1984", b"1884") + MARK.encode() + mine)
    (notes / "ludwig.md").write_text("# Mine", "utf-8")
    done = export_library(settings(), notes, None, None)
    assert done.left == (notes / "ludwig.md",) and done.written == 1
    assert (notes / "ludwig.md").read_text("utf-8") == "# Mine"
    assert note.read_bytes().endswith(MARK.encode() + mine) and b"1884" not in note.read_bytes()
    assert export_library(settings(), notes, None, None).written == 0


def test_entries_are_items_of_csl_json(main: Path) -> None:
    export_library(settings(), None, main.parent / "library.json", None)
    items = {item["id"]: item for item in json.loads((main.parent / "library.json").read_text("utf-8"))}
    assert items["ludwig"] == {
        "id": "ludwig",
        "type": "paper-conference",
        "title": "Über Graphen",
        "author": [
            {"family": "Beethoven", "given": "Ludwig", "non-dropping-particle": "van"},
            {"literal": "The ATLAS Collaboration"},
        ],
        "issued": {"date-parts": [[1999]]},
        "container-title": "Proc. Graphs",
        "page": "1-9",
        "number": "arXiv:1801.00003",
        "URL": "https://arxiv.org/abs/1801.00003",
    }
    assert items["tutte:1984"]["publisher"] == "Addison-Wesley"


def test_another_file_is_not_replaced_by_csl_json(main: Path) -> None:
    with pytest.raises(WouldOverwrite):
        export_library(settings(), None, main, None)
    assert main.read_text("utf-8") == DRAFT


def test_an_entry_without_fields_is_an_item_without_them() -> None:
    (entry,) = parse_bib("@misc{bare, title = {Bare}}")
    assert as_csl(entry) == {"id": "bare", "type": "document", "title": "Bare"}


def test_an_empty_library_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no entries"):
        export_library(settings(), tmp_path / "notes", None, None)
