"""A paper's text from the files of its source, as authors and others pack them."""

import re
import time

import pytest

from citeplug.corpus.fulltext.from_latex import read_source
from citeplug.errors import Unfit
from tests.corpus.fulltext.sources import BBL, WORDS, paper_tex
from tests.related.write.injections import INJECTIONS, Injection


def read(**files: str | bytes) -> dict[str, bytes]:
    return {name: each.encode() if isinstance(each, str) else each for name, each in files.items()}


def test_a_source_gives_sections_captions_and_its_list_of_references() -> None:
    found = read_source({"main.tex": paper_tex().encode(), "main.bbl": BBL.encode()})
    assert found.title == "Message Passing on Large Graphs"
    assert [each.title for each in found.sections] == ["Abstract", "Introduction", "Method", "Sampling"]
    last = found.sections[-1]
    assert last.text[last.captions :] == "Cost against the number of nodes."
    assert [(each.key, each.arxiv_id) for each in found.references] == [("a", "1801.00002")]
    assert found.doubts == ()


def test_of_two_main_files_the_paper_is_read_and_the_other_named() -> None:
    files = {"supplement.tex": paper_tex("Supplement"), "paper.tex": paper_tex("The Paper"), "paper.bbl": BBL}
    found = read_source({name: each.encode() for name, each in files.items()})
    assert found.title == "The Paper"
    assert found.doubts == (("full_text_partial", "paper.tex was read of 2 main files; not read: supplement.tex"),)
    readme = b'{"sources": [{"usage": "toplevel", "filename": "supplement.tex"}]}'
    chosen = read_source({**{name: each.encode() for name, each in files.items()}, "00README.json": readme})
    assert (chosen.title, chosen.doubts) == ("Supplement", ())


def test_a_source_without_a_main_file_is_refused_and_plain_tex_is_not() -> None:
    with pytest.raises(Unfit, match="2 LaTeX files, and none of them is a main file"):
        read_source({"a.tex": b"text " * 50, "b.tex": b"text " * 50})
    with pytest.raises(Unfit, match="no LaTeX"):
        read_source({"a.bib": b"@misc{a}"})
    found = read_source({"ms.tex": (r"\magnification=1200 " + WORDS * 3 + r"\bye").encode()})
    assert found.words > 50


def test_a_loop_of_inputs_ends_and_is_said() -> None:
    tex = paper_tex(method=WORDS + r"\input{part}")
    began = time.process_time()
    found = read_source({"main.tex": tex.encode(), "part.tex": rb"Within. \input{part}\input{main}"})
    assert time.process_time() - began < 5
    assert "Within." in found.sections[2].text
    assert [code for code, _ in found.doubts] == ["full_text_partial"]
    assert "part.tex includes itself" in found.doubts[0][1]


def test_a_missing_part_is_said_and_the_rest_is_read() -> None:
    found = read_source({"main.tex": paper_tex(method=WORDS + r"\input{results}").encode()})
    assert found.doubts == (("full_text_partial", "the included file results does not exist"),)
    assert found.words > 100


def test_latin_1_is_read_as_it_was_meant() -> None:
    tex = paper_tex("Über Graphen", preamble=r"\usepackage[latin1]{inputenc}").encode("latin-1")
    assert read_source({"main.tex": tex}).title == "Über Graphen"


def test_no_file_outside_of_the_source_is_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("home") / "secret.tex"
    secret.write_text("the author's own secret")
    tex = paper_tex(method=WORDS + rf"\input{{{secret.as_posix()}}}\input{{../../../../../{secret.as_posix()}}}")
    found = read_source({"main.tex": tex.encode()})
    assert all("secret" not in section.text for section in found.sections)


def test_terminal_escapes_of_a_text_are_gone() -> None:
    tex = paper_tex("A \x1b[31mred\x1b[0m title", method=WORDS + "\x1b]0;owned\x07 and \u202e backwards")
    found = read_source({"main.tex": tex.encode()})
    assert "\x1b" not in found.title and "owned" not in "".join(each.text for each in found.sections)
    assert all("\x1b" not in each.text and "\u202e" not in each.text for each in found.sections)


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)
def test_whatever_a_heading_says_its_place_is_a_number_and_nothing_else(injection: Injection) -> None:
    body = "".join(rf"\section{{{title}}}{WORDS}" for title in ("One", injection.says[:2_000], "Three"))
    found = read_source({"main.tex": paper_tex(method=WORDS + body).encode("utf-8", "replace")})
    assert found.sections
    assert all(re.fullmatch(r"|Sec\. [\d.]+", each.place) for each in found.sections)
    assert not any(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", each.title) for each in found.sections)
