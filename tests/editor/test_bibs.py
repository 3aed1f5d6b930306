"""Reading a .bib file again after each change."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.bibtex.entries import read_bib
from citeplug.editor.bibs import BibReader
from citeplug.editor.lines import Lined
from citeplug.files.decode import read_text

PATH = Path("/nowhere/refs.bib")
FILE = """A comment.
@string{jml = {Journal of Machine Learning}}
@article{one, title = {One}, journal = jml, year = 2001}

@string(jml = "Another Journal")
  @misc{two,
    title = "T{"}o",
    journal = jml # { and more},
}
@article{one, title = {One}, journal = jml, year = 2001}
@misc{three, note = {arXiv:2004.04906}}
"""
PIECES = st.lists(st.sampled_from([*FILE.splitlines(keepends=True), "@misc{x, a = {", "}\n", "\n@", "{"]), max_size=12)


def test_a_file_is_read_as_in_one_piece() -> None:
    known: dict[str, str] = {}
    fresh: dict[str, str] = {}
    assert BibReader(PATH).read(Lined(FILE), known) == read_bib(FILE, PATH, strings=fresh).entries
    assert known == fresh


@given(st.lists(PIECES, min_size=1, max_size=6))
def test_what_was_read_before_changes_nothing(texts: list[list[str]]) -> None:
    reader = BibReader(PATH)
    for pieces in texts:
        lined = Lined("".join(pieces))
        known: dict[str, str] = {}
        fresh: dict[str, str] = {}
        assert reader.read(lined, known) == BibReader(PATH).read(lined, fresh)
        assert known == fresh


@pytest.mark.shared_data
def test_real_files_are_read_as_in_one_piece(shared_data: Path) -> None:
    for path in sorted((shared_data / "latex").rglob("*.bib")):
        text = read_text(path).text
        assert BibReader(path).read(Lined(text), {}) == read_bib(text, path, strings={}).entries, path


@pytest.mark.shared_data
def test_real_files_that_change_are_read_as_in_one_piece(shared_data: Path) -> None:
    dice = random.Random(7)
    path = sorted((shared_data / "latex").rglob("*.bib"))[0]
    lined, reader = Lined(read_text(path).text), BibReader(path)
    for _ in range(30):
        at = dice.randrange(len(lined.text))
        lined = lined.edited(
            at, at + dice.randrange(3), dice.choice(["a", "{", "}", "\n", "", "@misc{new, title={x}}"])
        )
        assert reader.read(lined, {}) == BibReader(path).read(lined, {})
