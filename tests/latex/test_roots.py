from pathlib import Path

import pytest

from citeplug.errors import UnreadableInput
from citeplug.latex.roots import find_root
from tests.harness.in_proportion import MOST, growth
from tests.latex.projects import article, write

MAIN = article("\\input{sections/intro}")
OTHER = article("other")


def test_a_root_named_explicitly_wins(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"main.tex": MAIN, "other.tex": "%!TEX root = main.tex\n" + OTHER, "citeplug.toml": 'root = "main.tex"'},
    )
    assert find_root(tmp_path / "other.tex") == tmp_path / "other.tex"


@pytest.mark.parametrize(
    "magic",
    [
        "%!TEX root = ../main.tex",
        "% !TeX root=../main",
        "%%  !tex ROOT = ../main.tex  ",
        "% x\n% !TEX root = ../main.tex",
    ],
)
def test_a_magic_comment_names_the_root(tmp_path: Path, magic: str) -> None:
    write(tmp_path, {"main.tex": OTHER, "sections/intro.tex": magic + "\nText", "second.tex": OTHER})
    assert find_root(tmp_path / "sections" / "intro.tex") == tmp_path / "main.tex"


def test_the_projects_own_setting_names_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"citeplug.toml": 'root = "b.tex"\n', "a.tex": OTHER, "b.tex": OTHER, "x/part.tex": "Text"})
    assert find_root(tmp_path) == tmp_path / "b.tex"
    assert find_root(tmp_path / "x" / "part.tex") == tmp_path / "b.tex"


@pytest.mark.parametrize(
    "line", ["@default_files = ('b.tex');", '@default_files=("b");', "@default_files = qw(b.tex);"]
)
@pytest.mark.parametrize("name", ["latexmkrc", ".latexmkrc"])
def test_latexmk_names_the_root(tmp_path: Path, name: str, line: str) -> None:
    write(tmp_path, {name: f"# @default_files = ('a.tex');\n$pdf_mode = 1;\n{line}\n", "a.tex": OTHER, "b.tex": OTHER})
    assert find_root(tmp_path) == tmp_path / "b.tex"


def test_the_root_that_includes_a_file_is_its_root(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.tex": OTHER,
            "b.tex": MAIN,
            "c.tex": OTHER,
            "sections/intro.tex": "\\input{sections/deep}",
            "sections/deep.tex": "x",
        },
    )
    (tmp_path / ".git").mkdir()
    assert find_root(tmp_path / "sections" / "deep.tex") == tmp_path / "b.tex"


def test_a_chapter_in_a_folder_of_its_own_belongs_to_the_document_above(tmp_path: Path) -> None:
    write(tmp_path, {"a.tex": OTHER, "b.tex": MAIN, "sections/intro.tex": "Text", "sections/new.tex": "Text"})
    assert find_root(tmp_path / "sections" / "intro.tex") == tmp_path / "b.tex"
    (tmp_path / "a.tex").unlink()
    assert find_root(tmp_path / "sections" / "new.tex") == tmp_path / "b.tex"


def test_a_document_whose_preamble_is_a_file_of_its_own_is_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"talk.tex": "\\input{head}\\begin{document}x\\end{document}", "head.tex": "\\documentclass{a}"})
    assert find_root(tmp_path) == tmp_path / "talk.tex"
    assert find_root(tmp_path / "talk.tex") == tmp_path / "talk.tex"


def test_a_subfile_belongs_to_its_main_file(tmp_path: Path) -> None:
    sub = "\\documentclass[main]{subfiles}\\begin{document}x\\end{document}"
    write(tmp_path, {"main.tex": OTHER, "one.tex": sub})
    assert find_root(tmp_path / "one.tex") == tmp_path / "main.tex"
    assert find_root(tmp_path) == tmp_path / "main.tex"


def test_the_only_document_class_is_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"paper.tex": OTHER, "notes.tex": "% \\documentclass{article}\nText", "x.tex": "Text"})
    assert find_root(tmp_path) == tmp_path / "paper.tex"
    assert find_root(tmp_path / "notes.tex") == tmp_path / "paper.tex"


def test_a_usual_name_stands_out(tmp_path: Path) -> None:
    write(tmp_path, {"main.tex": OTHER, "rebuttal.tex": OTHER, "sub/main.tex": OTHER})
    assert find_root(tmp_path) == tmp_path / "main.tex"


def test_several_roots_with_nothing_to_choose_by_are_an_error_that_names_them(tmp_path: Path) -> None:
    write(tmp_path, {"one.tex": OTHER, "two.tex": OTHER})
    with pytest.raises(UnreadableInput) as error:
        find_root(tmp_path)
    assert "one.tex, two.tex" in str(error.value)
    assert "citeplug.toml" in error.value.hint


@pytest.mark.parametrize("name", ["", "gone.tex"])
def test_nothing_to_read_is_an_error_with_a_hint(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableInput) as error:
        find_root(tmp_path / name)
    assert error.value.hint


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, {"paper.pdf": b"%PDF-1.5\n\x00\x01\x02\x00binary"})
    with pytest.raises(UnreadableInput):
        find_root(path)


def test_a_document_farther_above_that_does_not_read_a_fragment_is_not_its_root(tmp_path: Path) -> None:
    write(tmp_path, {"letter.tex": OTHER})
    path = write(tmp_path / "papers" / "one", {"chapter.tex": "\\section{A}"})
    assert find_root(path) == path
    write(tmp_path, {"letter.tex": OTHER.replace("\\begin{document}", "\\begin{document}\\input{papers/one/chapter}")})
    assert find_root(path) == tmp_path / "letter.tex"


def test_a_lone_fragment_is_its_own_root(tmp_path: Path) -> None:
    path = write(tmp_path, {"chapter.tex": "\\section{A}"})
    assert find_root(path) == path


@pytest.mark.parametrize("text", ['root = "../main.tex"', 'root = "gone.tex"', "root = 5", "root = "])
def test_a_setting_that_names_no_file_of_the_project_is_an_error(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"main.tex": OTHER})
    write(tmp_path / "project", {"citeplug.toml": text, "a.tex": OTHER})
    with pytest.raises(UnreadableInput):
        find_root(tmp_path / "project")


def test_verbatim_text_names_no_root(tmp_path: Path) -> None:
    inside = "\\begin{verbatim}\n\\documentclass{book}\n\\end{verbatim}\n"
    write(tmp_path, {"main.tex": MAIN, "notes.tex": f"Write\n{inside * 2}at the top."})
    assert find_root(tmp_path) == tmp_path / "main.tex"


def test_verbatim_text_without_end_takes_time_in_proportion(tmp_path: Path) -> None:
    def found(count: int) -> Path:
        return find_root(write(tmp_path, {"main.tex": "\\begin{verbatim}\n" * count + MAIN}))

    assert growth(found, 1_500) < MOST


def test_of_a_file_that_is_not_there_the_root_beside_it_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"paper.tex": OTHER, "part.tex": "text", "sub/main.tex": MAIN})
    with pytest.raises(UnreadableInput) as error:
        find_root(tmp_path / "nosuch.tex")
    assert error.value.hint == "did you mean paper.tex?"
    with pytest.raises(UnreadableInput) as error:
        find_root(tmp_path / "none" / "nosuch.tex")
    assert error.value.hint == "give the main .tex file of the project"
