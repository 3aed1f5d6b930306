"""Where the section and its entries are brought into a draft."""

from pathlib import Path

import pytest

from citeplug.tex.insert import insertion_edits
from citeplug.tex.project import read_draft

HEAD = "\\documentclass{article}\n\\begin{document}\n\\begin{abstract}A.\\end{abstract}\n"
INTRODUCTION = "\\section{Introduction}\nWe begin.\n"
METHOD = "\\section{Method}\nWe do.\n"
CONCLUSION = "\\section{Conclusion}\nWe end.\n"
TAIL = "\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n"


def inserted(tmp_path: Path, main: str, **others: str) -> dict[str, str]:
    """The files after the edits."""
    for name, text in {"main": main, **others}.items():
        (tmp_path / f"{name}.tex").write_bytes(text.encode())
    draft = read_draft(tmp_path / "main.tex", skip=(tmp_path / "related.tex", tmp_path / "related.bib"))
    texts = {file: file.read_bytes().decode() for file in draft.files}
    result = dict(texts)
    for edit in sorted(insertion_edits(draft, texts, "related.tex", "related.bib"), key=lambda e: -e.start):
        text = result[edit.file]
        result[edit.file] = text[: edit.start] + edit.new_text + text[edit.end :]
    return {file.stem: text for file, text in result.items()}


def test_a_new_section_follows_the_introduction(tmp_path: Path) -> None:
    text = inserted(tmp_path, HEAD + INTRODUCTION + METHOD + CONCLUSION + TAIL)["main"]
    assert "We begin.\n\\section{Related Work}\n\\input{related}\n\n\\section{Method}" in text
    assert "\\bibliography{refs,related}" in text


def test_without_an_introduction_it_precedes_the_conclusion(tmp_path: Path) -> None:
    text = inserted(tmp_path, HEAD + METHOD + CONCLUSION + TAIL)["main"]
    assert "\\section{Related Work}\n\\input{related}\n\n\\section{Conclusion}" in text


def test_without_sections_it_precedes_the_bibliography(tmp_path: Path) -> None:
    text = inserted(tmp_path, HEAD + "Words.\n" + TAIL)["main"]
    assert "Words.\n\\section{Related Work}\n\\input{related}\n\n\\bibliographystyle" in text


def test_an_existing_section_gets_the_line_after_the_authors_text(tmp_path: Path) -> None:
    related = "\\section{Related Work}\nMy words. % a remark\n\n\\subsection{Old}\nMore words.\n"
    text = inserted(tmp_path, HEAD + INTRODUCTION + related + METHOD + TAIL)["main"]
    assert "More words.\n\n\\input{related}\n\\section{Method}" in text
    assert text.count("Related Work") == 1


def test_a_section_in_a_file_of_its_own_is_found(tmp_path: Path) -> None:
    files = inserted(
        tmp_path, HEAD + INTRODUCTION + "\\input{prior}\n" + METHOD + TAIL, prior="\\section{Prior Work}\nMine."
    )
    assert files["prior"] == "\\section{Prior Work}\nMine.\n\n\\input{related}"


def test_a_commented_input_does_not_count(tmp_path: Path) -> None:
    text = inserted(tmp_path, HEAD + INTRODUCTION + "% \\input{related}\n" + METHOD + TAIL)["main"]
    assert text.count("\n\\input{related}") == 1


@pytest.mark.parametrize(
    "line", ["\\input{related}", "\\input related", "\\include{./related}", "\\subfile{related.tex}"]
)
def test_what_is_there_is_not_added_again(tmp_path: Path, line: str) -> None:
    text = inserted(tmp_path, HEAD + INTRODUCTION + line + "\n" + METHOD + TAIL.replace("refs", "refs, related"))[
        "main"
    ]
    assert text == HEAD + INTRODUCTION + line + "\n" + METHOD + TAIL.replace("refs", "refs, related")


def test_biblatex_gets_a_resource_after_the_last(tmp_path: Path) -> None:
    head = HEAD.replace("\\begin{document}", "\\usepackage{biblatex}\n\\addbibresource{refs.bib}\n\\begin{document}")
    text = inserted(tmp_path, head + INTRODUCTION + METHOD + "\\printbibliography\n\\end{document}\n")["main"]
    assert "\\addbibresource{refs.bib}\n\\addbibresource{related.bib}\n" in text


def test_a_draft_without_a_bibliography_gets_one(tmp_path: Path) -> None:
    text = inserted(tmp_path, HEAD + INTRODUCTION + METHOD + "\\end{document}\n")["main"]
    assert text.endswith("\\bibliographystyle{plain}\n\\bibliography{related}\n\\end{document}\n")


def test_crlf_stays_crlf(tmp_path: Path) -> None:
    text = inserted(tmp_path, (HEAD + INTRODUCTION + METHOD + TAIL).replace("\n", "\r\n"))["main"]
    assert "\n" not in text.replace("\r\n", "")
    assert "\\section{Related Work}\r\n\\input{related}\r\n" in text


def test_verbatim_text_is_not_taken_for_commands(tmp_path: Path) -> None:
    verbatim = "\\begin{verbatim}\n\\input{related}\n\\bibliography{fake}\n\\end{verbatim}\n"
    text = inserted(tmp_path, HEAD + INTRODUCTION + verbatim + METHOD + TAIL)["main"]
    assert verbatim in text
    assert "\\bibliography{refs,related}" in text
    assert text.count("\\input{related}") == 2


def test_a_file_that_is_a_section_is_preceded_where_it_is_read(tmp_path: Path) -> None:
    files = inserted(
        tmp_path,
        HEAD + INTRODUCTION + "\\input{method}\n" + CONCLUSION + TAIL,
        method="% the method\n\\section{Method}\n",
    )
    assert "\\section{Related Work}\n\\input{related}\n\n\\input{method}" in files["main"]
    assert files["method"] == "% the method\n\\section{Method}\n"
