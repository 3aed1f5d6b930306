"""Texts of files, read in a process of their own that may end badly."""

from pathlib import Path

import pytest

from citeplug.corpus.fulltext.text_reader import TextReader
from citeplug.errors import Unfit
from tests.corpus.fulltext.sources import BBL, WORDS, paper_tex, tar_gz


def test_a_source_and_a_file_of_one_s_own_are_read_and_the_source_is_kept_packed(tmp_path: Path) -> None:
    own = tmp_path / "notes ü.md"
    own.write_text("# A Title\n\nOne paragraph.\n", encoding="utf-8")
    with TextReader() as reader:
        first = reader.read_eprint(tar_gz({"main.tex": paper_tex(), "main.bbl": BBL, "fig.png": "x"}))
        assert first.text.title == "Message Passing on Large Graphs"
        assert [each.arxiv_id for each in first.text.references] == ["1801.00002"]
        assert first.original is not None
        assert reader.read_eprint(first.original).text == first.text
        assert reader.read_own(own).text.sections[0].text == "One paragraph."


def test_a_file_that_cannot_be_read_says_why_and_the_next_one_is_read(tmp_path: Path) -> None:
    with TextReader() as reader:
        for data, code in (
            (b"\0" * 50, "not_a_source"),
            (tar_gz({"a.bib": "x"}), "no_main_file"),
            (b"%PDF-", "broken"),
        ):
            with pytest.raises(Unfit) as caught:
                reader.read_eprint(data)
            assert caught.value.code == code
        with pytest.raises(Unfit, match="cannot be read"):
            reader.read_own(tmp_path / "missing.md")
        assert reader.read_eprint(paper_tex().encode()).text.words > 50


def test_a_reader_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with TextReader(seconds=0.01) as reader:
        with pytest.raises(Unfit) as caught:
            reader.read_eprint(tar_gz({"main.tex": paper_tex(method=WORDS * 5_000)}))
        assert caught.value.code == "too_slow"
