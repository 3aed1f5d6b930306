"""Where the section and its entries are brought into a draft."""

import json
from pathlib import Path

import pytest

from citeplug.errors import UsageError
from citeplug.latex.project import read_draft
from citeplug.project.insert import insertion_edits, insertion_findings
from tests.harness.in_proportion import MOST, growth

HEAD = "\\documentclass{article}\n\\begin{document}\n\\begin{abstract}A.\\end{abstract}\n"
INTRODUCTION = "\\section{Introduction}\nWe begin.\n"
METHOD = "\\section{Method}\nWe do.\n"
CONCLUSION = "\\section{Conclusion}\nWe end.\n"
CITING = "Some did this \\cite{a,b}. Others \\cite{c}."
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


READ = "\n\n\\input{related}"
NEW = "\\section{Related Work}\n\\input{related}\n\n"
MINE = "\\section{Related Work}\nMine.\n"
END = "\\end{document}\n"
RUN_IN = f"{CITING}\n\nMore of it \\cite{{d}}. % a remark\n\nWe do otherwise.\n"
MACRO = HEAD.replace("\\begin{document}", "\\newcommand{\\Sec}[1]{\\section{#1}}\n\\begin{document}")


# A draft, and it again with § for what was inserted.
@pytest.mark.parametrize(
    ("main", "new"),
    [
        pytest.param(HEAD + INTRODUCTION + "§" + METHOD + CONCLUSION + TAIL, NEW, id="after the introduction"),
        pytest.param(HEAD + METHOD + "§" + CONCLUSION + TAIL, NEW, id="before the conclusion"),
        pytest.param(HEAD + "Words.\n§" + TAIL, NEW, id="before the bibliography"),
        pytest.param(HEAD + INTRODUCTION + "§\\appendix\n\\section{Proofs}\nx\n" + TAIL, NEW, id="not in the appendix"),
        pytest.param(HEAD + INTRODUCTION + "§\\appendix\\section{Proofs}\nx\n" + TAIL, NEW, id="appendix on its line"),
        pytest.param(
            HEAD + INTRODUCTION + "§% The end.\n\\begin{appendices}\n\\section{Proofs}\nx\n" + TAIL,
            NEW,
            id="appendices",
        ),
        pytest.param(
            HEAD + INTRODUCTION + "\n§%%%%%%%%\n% Method\n%%%%%%%%\n" + METHOD + TAIL,
            NEW,
            id="comments announce a section",
        ),
        pytest.param(
            HEAD + INTRODUCTION + "§\\begin{methods}\n" + METHOD + "\\end{methods}\n" + TAIL,
            NEW,
            id="environment of a section",
        ),
        pytest.param(
            HEAD + MINE + "\n\\subsection{Old}\nMore words.§\n" + METHOD + TAIL, READ, id="after the author's text"
        ),
        pytest.param(
            HEAD + MINE[:-1] + "§\n\n\\newpage\n\\vspace{1em}\n" + METHOD + TAIL, READ, id="before page breaks"
        ),
        pytest.param("\ufeff" + HEAD + MINE[:-1] + "§\n" + METHOD + TAIL, READ, id="byte order mark"),
        *(
            pytest.param(
                HEAD + INTRODUCTION + f"\n{heading} {RUN_IN.replace('remark', 'remark§')}" + METHOD + TAIL,
                READ,
                id=heading,
            )
            for heading in ("\\paragraph{Related work.}", "\\noindent{\\bf Prior work.}", "\\xhdr{Related Work}")
        ),
        pytest.param(
            MACRO + "\\Sec{Introduction}\nA.\n\\Sec{Related Work}\nMine.§\n\\Sec{Method}\nB.\n" + METHOD + TAIL,
            READ,
            id="a macro makes the heading",
        ),
    ],
)
def test_the_section_is_read_where_an_author_would_read_it(tmp_path: Path, main: str, new: str) -> None:
    text = inserted(tmp_path, main.replace("§", ""))["main"]
    assert text == main.replace("§", new).replace("{refs}", "{refs,related}")


BIBLATEX = HEAD.replace("\\begin{document}", "\\usepackage{biblatex}\n§\\begin{document}")
REFS = "\\addbibresource{refs.bib}\n"


@pytest.mark.parametrize(
    ("main", "new"),
    [
        (
            BIBLATEX.replace("§", REFS + "§") + "\\input{related}\n\\printbibliography\n" + END,
            "\\addbibresource{related.bib}\n",
        ),
        (HEAD + "\\input{related}\n§" + END, "\\bibliographystyle{plain}\n\\bibliography{related}\n"),
        (HEAD + "Words.\n§" + END, NEW + "\\bibliographystyle{plain}\n\\bibliography{related}\n"),
        *(
            (
                f"\\documentclass{head}\n\\begin{{document}}\n\\input{{related}}\n§{END}",
                f"{style}\\bibliography{{related}}\n",
            )
            for head, style in (
                ("{IEEEtran}", "\\bibliographystyle{IEEEtran}\n"),
                ("{article}\\usepackage{natbib}", "\\bibliographystyle{plainnat}\n"),
                ("{revtex4-2}", ""),
            )
        ),
    ],
)
def test_a_draft_without_the_entries_gets_them_in_the_way_of_its_class(tmp_path: Path, main: str, new: str) -> None:
    assert inserted(tmp_path, main.replace("§", ""))["main"] == main.replace("§", new)


def test_biblatex_without_resources_gets_both_commands(tmp_path: Path) -> None:
    text = inserted(tmp_path, BIBLATEX.replace("§", "") + "\\input{related}\n" + END)["main"]
    resource = BIBLATEX.replace("§", "\\addbibresource{related.bib}\n")
    assert text == resource + "\\input{related}\n\\printbibliography\n" + END


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


@pytest.mark.parametrize("name", ["main", "\\jobname", "./main"])
def test_a_bbl_file_is_left_to_bibtex(tmp_path: Path, name: str) -> None:
    (tmp_path / "main.bbl").write_bytes(b"\\begin{thebibliography}{1}\\bibitem{a} A.\\end{thebibliography}")
    main = tmp_path / "main.tex"
    main.write_bytes((HEAD + INTRODUCTION + METHOD + f"\\input{{{name}.bbl}}\n\\end{{document}}\n").encode())
    draft = read_draft(tmp_path / "main.tex")
    texts = {file: file.read_bytes().decode() for file in draft.files}
    (edit,) = insertion_edits(draft, texts, "related.tex", "related.bib")
    assert edit.file == main
    assert "\\bibliography" not in edit.new_text
    (finding,) = insertion_findings(draft, texts, "related.tex", "related.bib")
    assert finding.code == "no_bibliography"


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


def test_definitions_dead_branches_and_what_follows_the_end_are_not_looked_at(tmp_path: Path) -> None:
    traps = (
        "\\newcommand{\\rw}{\\input{related}\\bibliography{fake}}\n"
        "\\def\\x#1{\\section{Introduction}#1}\n"
        "\\iffalse \\ifx\\a\\b \\fi \\bibliography{dead} \\input{related}\\fi\n"
    )
    main = HEAD.replace("\\begin{document}", traps + "\\begin{document}") + INTRODUCTION + METHOD + TAIL
    text = inserted(tmp_path, main + "\\input{related}\n\\bibliography{after}\n")["main"]
    assert traps in text
    assert text.count("\n\\input{related}\n") == 2
    assert "\\bibliography{refs,related}" in text
    assert "\\bibliography{after}" in text


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    bodies = [
        METHOD + TAIL,
        INTRODUCTION + METHOD + "\\end{document}\n",
        "\\section{Related Work}\nMine.\n" + METHOD + TAIL,
    ]
    for body in bodies:
        once = inserted(tmp_path, HEAD + body)["main"]
        assert once != HEAD + body
        assert inserted(tmp_path, once)["main"] == once


def test_references_typed_by_hand_get_a_second_list_and_a_warning(tmp_path: Path) -> None:
    typed = "\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\end{thebibliography}\n\\end{document}\n"
    text = inserted(tmp_path, HEAD + INTRODUCTION + METHOD + typed)["main"]
    assert "\\end{thebibliography}\n\\bibliographystyle{plain}\n\\bibliography{related}\n\\end{document}" in text
    (tmp_path / "main.tex").write_text(HEAD + INTRODUCTION + METHOD + typed, "utf-8")
    draft = read_draft(tmp_path / "main.tex")
    found = insertion_findings(draft, {draft.root: draft.root.read_text("utf-8")}, "related.tex", "related.bib")
    assert [(finding.code, finding.severity) for finding in found] == [("second_reference_list", "warning")]


def test_a_name_that_latex_cannot_read_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(HEAD + TAIL, "utf-8")
    draft = read_draft(tmp_path / "main.tex")
    with pytest.raises(UsageError):
        insertion_edits(draft, {draft.root: HEAD + TAIL}, "a%b.tex", "related.bib")


@pytest.mark.shared_data
def test_real_drafts_get_each_line_once_and_keep_every_other_byte(shared_data: Path) -> None:
    seen = 0
    for folder in json.loads((shared_data / "latex_manifest.json").read_text("utf-8")):
        main = shared_data / "latex" / folder["folder"] / folder["main"]
        if not main.is_file():
            continue
        draft = read_draft(main, skip=(main.parent / "related.tex", main.parent / "related.bib"))
        texts = {file: file.read_bytes().decode("utf-8", "replace") for file in draft.files}
        edits = insertion_edits(draft, texts, "related.tex", "related.bib")
        assert all(edit.start == edit.end for edit in edits), main
        assert len(edits) == len({(edit.file, edit.start) for edit in edits})
        changed = dict(texts)
        for edit in sorted(edits, key=lambda e: -e.start):
            text = changed[edit.file]
            changed[edit.file] = text[: edit.start] + edit.new_text + text[edit.start :]
        assert insertion_edits(draft, changed, "related.tex", "related.bib") == [], main
        seen += 1
    assert seen > 20


def findings_on(tmp_path: Path, main: str) -> list[str]:
    (tmp_path / "main.tex").write_text(main, "utf-8")
    draft = read_draft(tmp_path / "main.tex", skip=(tmp_path / "related.tex", tmp_path / "related.bib"))
    texts = {file: file.read_text("utf-8") for file in draft.files}
    return [each.code for each in insertion_findings(draft, texts, "related.tex", "related.bib")]


def test_a_related_work_of_the_authors_own_is_noticed_before_the_section_is_read(tmp_path: Path) -> None:
    section = f"\\section{{Related Work}}\n{CITING}\n"
    assert findings_on(tmp_path, HEAD + INTRODUCTION + section + METHOD + TAIL) == ["own_related_work"]
    assert findings_on(tmp_path, HEAD + f"\\paragraph{{Related work.}} {CITING}\n" + TAIL) == ["own_related_work"]
    assert findings_on(tmp_path, HEAD + INTRODUCTION + section + "\\input{related}\n" + METHOD + TAIL) == []
    assert findings_on(tmp_path, HEAD + "\\section{Related Work}\nTo do.\n" + METHOD + TAIL) == []


@pytest.mark.parametrize(
    ("opening", "piece"),
    [
        (INTRODUCTION, METHOD),
        (INTRODUCTION, "% a remark that announces the section\n"),
        ("\\section{Related Work}\nMine.\n", "\\newpage\n"),
    ],
)
def test_the_place_is_found_in_time_in_proportion(tmp_path: Path, opening: str, piece: str) -> None:
    main = tmp_path / "main.tex"
    drafts = {}
    for count in (150, 1_500, 6_000):
        main.write_text(HEAD + opening + piece * count + METHOD + TAIL)
        drafts[count] = (read_draft(main), {main: main.read_text()})
    assert growth(lambda count: insertion_edits(*drafts[count], "related.tex", "related.bib"), 1_500) < MOST
