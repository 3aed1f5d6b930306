import shutil
from pathlib import Path

import pytest

from tests.latex.projects import codes, read

BIB = "@article{a, title={T}, eprint={1706.03762}}\n"


@pytest.mark.parametrize(
    ("preamble", "latex"),
    [
        ("", r"\bibliography{refs}"),
        ("", r"\bibliography{refs.bib}"),
        ("", "\\bibliography{%\n refs,% mine\n}"),
        ("", r"\nobibliography{refs}"),
        ("", r"\bibliography{./refs}"),
        (r"\def\bibdir{.}", r"\bibliography{\bibdir/refs}"),
        (r"\newcommand{\mybib}{refs}", r"\bibliography{\mybib}"),
        (r"\usepackage{biblatex}\addbibresource{refs.bib}", r"\printbibliography"),
        (r"\usepackage{biblatex}\addbibresource{refs}", ""),
        (r"\usepackage{biblatex}\bibliography{refs}", ""),
        (r"\usepackage{biblatex}\addbibresource[datatype=bibtex]{refs.bib}", ""),
        ("", r"{\small\bibliography{refs}}}"),
        ("", r"\bibliography{Refs}"),
        (r"\usepackage{bibunits}\defaultbibliography{refs}", r"\begin{bibunit}\putbib\end{bibunit}"),
        ("", r"\begin{bibunit}\putbib[refs]\end{bibunit}"),
        ("", r"\begin{btSect}[plain]{refs}\btPrintCited\end{btSect}"),
        (r"\newcites{app}{Appendix}", r"\bibliographyapp{refs}"),
    ],
)
def test_a_bib_file_is_found_however_it_is_named(tmp_path: Path, preamble: str, latex: str) -> None:
    draft = read(tmp_path, latex, preamble, {"refs.bib": BIB})
    assert [entry.key for entry in draft.entries] == ["a"]
    assert draft.entries[0].arxiv_id == "1706.03762"
    assert [path.name.lower() for path in draft.bib_files] == ["refs.bib"]


def test_a_missing_bib_file_stays_listed_with_a_finding(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\bibliography{lib/main,refs}}", "", {"refs.bib": BIB})
    assert draft.bib_files == (tmp_path / "lib" / "main.bib", tmp_path / "refs.bib")
    assert codes(draft) == {"missing_bib"}
    assert draft.bib_engine == "bibtex"


@pytest.mark.skipif(shutil.which("kpsewhich") is None, reason="TeX is not installed")
def test_a_bib_file_is_found_through_bibinputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "library" / "deep"
    library.mkdir(parents=True)
    (library / "refs.bib").write_text(BIB, encoding="utf-8")
    monkeypatch.setenv("BIBINPUTS", f"{tmp_path / 'library'}//")
    draft = read(tmp_path / "project", r"\bibliography{refs}")
    assert draft.bib_files == (library / "refs.bib",)
    assert [entry.key for entry in draft.entries] == ["a"]


@pytest.mark.parametrize("name", ["../refs", "{absolute}"])
def test_a_bib_file_outside_the_project_is_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    name = name.replace("{absolute}", (tmp_path / "refs.bib").as_posix())
    draft = read(tmp_path / "project", f"\\bibliography{{{name}}}")
    assert draft.entries == ()
    assert codes(draft) == {"bib_outside_project"}
    assert len(draft.bib_files) == 1


def test_a_name_that_is_right_from_the_build_folder_is_found(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\bibliography{../refs}", "", {"refs.bib": BIB})
    assert draft.bib_files == (tmp_path / "refs.bib",)
    assert codes(draft) == {"bib_found_elsewhere"}


def test_contents_of_filecontents_are_entries_of_the_document(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\bibliography{r}", f"\\begin{{filecontents*}}{{r.bib}}\n{BIB}\\end{{filecontents*}}")
    (entry,) = draft.entries
    text = entry.span.file.read_text(encoding="utf-8")
    assert text[entry.span.start : entry.span.end] == BIB.strip()
    assert (entry.span.file.name, entry.span.line) == ("main.tex", 3)


def test_items_written_by_hand_are_entries(tmp_path: Path) -> None:
    latex = (
        "\\begin{thebibliography}{9}\n\\bibitem[A(1999)]{a} A. Author, ``A fine title,'' arXiv:1706.03762.\n"
        "% \\bibitem{no} x\n\\bibitem{b:1}\nB. \\newblock Another title.\n\\newblock J. X.\n\\end{thebibliography}"
    )
    draft = read(tmp_path, latex)
    assert [(e.key, e.kind, e.fields.get("title"), e.arxiv_id, e.span.line) for e in draft.entries] == [
        ("a", "bibitem", "A fine title", "1706.03762", 5),
        ("b:1", "bibitem", "Another title", None, 7),
    ]
    assert (draft.bib_engine, draft.bib_files) == ("none", ())


def test_an_included_bbl_gives_its_items(tmp_path: Path) -> None:
    bbl = "\\begin{thebibliography}{1}\\bibitem{a}\nA.\n\\end{thebibliography}"
    assert [e.key for e in read(tmp_path, r"\input{main.bbl}", "", {"main.bbl": bbl}).entries] == ["a"]


@pytest.mark.parametrize(
    "bbl",
    [
        "\\begin{thebibliography}{1}\n\\bibitem[A(1)]{a}\nA.\n\\newblock T.\n\\newblock J.\n\\end{thebibliography}",
        "\\entry{a}{article}{}\n  \\field{title}{T}\n  \\verb{eprint}\n  \\verb 1706.03762\n  \\endverb\n\\endentry\n",
    ],
)
def test_a_bbl_stands_in_for_a_bib_file_that_is_not_shipped(tmp_path: Path, bbl: str) -> None:
    draft = read(tmp_path, r"\bibliography{gone}", "", {"main.bbl": bbl})
    assert [(entry.key, entry.fields["title"].rstrip(".")) for entry in draft.entries] == [("a", "T")]


@pytest.mark.parametrize(
    "bbl",
    [
        "\\entry{a}{article}{}\n  \\field{sortinit}{T}\n  \\field{volume}{abs/1706.03762}\n"
        "  \\field{journaltitle}{CoRR}\n\\endentry\n",
        "\\bibitem[\\protect\\citeauthoryear{A}{B}{2017}]%\n        {a}\nA. arXiv:1706.03762\n",
        "\\bib{a}{article}{\n  author={Ann Author},\n  eprint={1706.03762},\n}\n",
    ],
    ids=["biblatex", "acm", "amsrefs"],
)
def test_an_entry_of_a_bbl_has_its_arxiv_id(tmp_path: Path, bbl: str) -> None:
    (entry,) = read(tmp_path, r"\bibliography{gone}", "", {"main.bbl": bbl}).entries
    assert (entry.key, entry.arxiv_id) == ("a", "1706.03762")
    assert "sortinit" not in entry.fields


@pytest.mark.parametrize(
    ("preamble", "latex", "engine", "style"),
    [
        ("", r"\bibliographystyle{plainnat}\bibliography{refs}", "bibtex", "plainnat"),
        (r"\usepackage{biblatex}\addbibresource{refs.bib}", "", "biber", None),
        (r"\usepackage[style=authoryear-comp, backend=biber]{biblatex}", "", "biber", "authoryear-comp"),
        (r"\usepackage[backend=bibtex, style=numeric]{biblatex}", "", "bibtex", "numeric"),
        ("\\usepackage[%\n backend = bibtex8,% old\n]{biblatex}", "", "bibtex", None),
        (r"\usepackage[notes,backend=biber]{biblatex-chicago}", "", "biber", None),
        (r"\PassOptionsToPackage{backend=bibtex}{biblatex}\usepackage{biblatex}", "", "bibtex", None),
        ("", "%\\bibliographystyle{no}\n\\bibliographystyle{yes}", "none", "yes"),
        ("", "", "none", None),
    ],
)
def test_engine_and_style_are_read(tmp_path: Path, preamble: str, latex: str, engine: str, style: str | None) -> None:
    draft = read(tmp_path, latex, preamble, {"refs.bib": BIB})
    assert (draft.bib_engine, draft.bib_style) == (engine, style)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_bib_files_decode_whatever_they_were_saved_in(tmp_path: Path, encoding: str) -> None:
    bib = "@article{a, author={Müller}, title={“T”}}".encode(encoding)
    draft = read(tmp_path, r"\bibliography{refs}", "", {"refs.bib": bib})
    assert draft.entries[0].fields == {"author": "Müller", "title": "“T”"}
    assert draft.entries[0].span.start == 0


def test_a_label_with_commands_that_look_like_citations_cites_nothing(tmp_path: Path) -> None:
    item = (
        "\\bibitem[\\protect\\citeauthoryear{Abbott et al.}{2016}]{a} A.\n\\bibitem[\\citename{Bo, }{\\cite{x}}]{b} B."
    )
    draft = read(tmp_path, f"\\begin{{thebibliography}}{{1}}{item}\\end{{thebibliography}}")
    assert [entry.key for entry in draft.entries] == ["a", "b"]
    assert draft.cites == ()


def test_entries_of_amsrefs_are_read(tmp_path: Path) -> None:
    bib = "\\bib{a:1}{article}{\n author={One, A.},\n author={Two, B.},\n title={T {x}},\n eprint={math/0606278},\n}"
    (entry,) = read(tmp_path, f"\\cite{{a:1}}*{{p. 3}}\\begin{{biblist}}{bib}\\end{{biblist}}").entries
    assert (entry.key, entry.kind, entry.arxiv_id) == ("a:1", "article", "math/0606278")
    assert (entry.fields["author"], entry.fields["title"]) == ("One, A. and Two, B.", "T {x}")


def test_string_macros_of_one_file_are_known_in_the_next(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"names.bib": "@string{jml = {J. X}}", "refs.bib": "@misc{a, journal = jml}"}
    assert read(tmp_path, r"\bibliography{names,refs}", "", files).entries[0].fields == {"journal": "J. X"}


def test_a_bib_file_that_was_read_before_is_read_as_it_is_now(tmp_path: Path) -> None:
    """What a file of the same text said is kept; macros of the files before it, and its own, count all the same."""
    latex = r"\bibliography{strings,refs}"
    (tmp_path / "refs.bib").write_text("@string{b = {two}} @misc{a, title = j # { and } # b}")
    for macro in ("one", "one", "another"):
        (tmp_path / "strings.bib").write_text(f"@string{{j = {{{macro}}}}}")
        assert read(tmp_path, "", latex).entries[0].fields["title"] == f"{macro} and two"
    (tmp_path / "refs.bib").write_text("@misc{a, title = {new}}")
    assert read(tmp_path, "", latex).entries[0].fields["title"] == "new"


def test_a_file_that_comes_with_tex_is_no_reason_for_a_warning(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\bibliography{IEEEabrv,refs}", "", {"refs.bib": BIB})
    assert [entry.key for entry in draft.entries] == ["a"]
    assert [path.name for path in draft.bib_files] == ["IEEEabrv.bib", "refs.bib"]
    assert not [finding for finding in draft.findings if finding.severity == "warning"]


def test_a_key_that_two_files_define_is_reported(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\bibliography{one,two}", "", {"one.bib": BIB, "two.bib": BIB})
    assert len(draft.entries) == 2
    assert codes(draft) == {"duplicate_key"}


def test_resources_of_a_reference_section_are_read(tmp_path: Path) -> None:
    draft = read(
        tmp_path,
        "\\begin{refsection}[own.bib,label]\\cite{b}\\end{refsection}\\newrefsection[other.bib]",
        "\\usepackage{biblatex}\\addbibresource{refs.bib}",
        {name: f"@misc{{{name[0]}, title={{A}}}}" for name in ("refs.bib", "own.bib", "other.bib")},
    )
    assert [path.name for path in draft.bib_files] == ["refs.bib", "own.bib", "other.bib"]
    assert codes(draft) <= {"duplicate_key"}


def test_a_bibliography_on_the_web_or_exported_live_by_zotero_is_not_asked_for_and_said(tmp_path: Path) -> None:
    live = "http://127.0.0.1:23119/better-bibtex/export/collection?/1/ABCD2345.biblatex"
    preamble = rf"\usepackage{{biblatex}}\addbibresource[location=remote]{{{live}}}\addbibresource{{refs.bib}}"
    draft = read(tmp_path, r"\cite{a,live}", preamble, {"refs.bib": BIB})
    assert [entry.key for entry in draft.entries] == ["a"]
    finding = draft.findings[0]
    assert (finding.code, finding.severity) == ("bib_outside_project", "info")
