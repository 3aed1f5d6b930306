from pathlib import Path

import pytest

from citeplug.latex.project import read_draft
from tests.latex.projects import article, codes, keys, read, write


def names(folder: Path, files: tuple[Path, ...]) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in files]


@pytest.mark.parametrize(
    "latex",
    [
        r"\input{part}",
        r"\input{part.tex}",
        "\\input part\n",
        "\\input part.tex\n",
        r"\input{ part }",
        r"\input{./part}",
        r"\include{part}",
        r"\subfile{part}",
        r"\input{\here/part}",
        r"\input{\jobname-part}",
        r'\input{"part"}',
        r"\InputIfFileExists{part}{}{}",
        r"\IfFileExists{part.tex}{\input{part}}{}",
        r"\inputpart",
        r"\partof{part}",
    ],
)
def test_a_file_is_included_however_it_is_asked_for(tmp_path: Path, latex: str) -> None:
    preamble = r"\def\here{.}\newcommand{\inputpart}{\input{part}}\newcommand{\partof}[1]{\input{#1}}"
    part = "Text \\cite{inside}.\n"
    draft = read(tmp_path, f"{latex} \\cite{{after}}", preamble, {"part.tex": part, "main-part.tex": part})
    assert keys(draft) == ["inside", "after"]


def test_files_are_listed_in_the_order_read_with_the_root_first(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.tex": r"\input{sub/b}", "sub/b.tex": "b", "c.tex": "c"}
    draft = read(tmp_path, r"\input{a}\include{c}\input{a}", "", files)
    assert names(tmp_path, draft.files) == ["main.tex", "a.tex", "sub/b.tex", "c.tex"]


def test_folders_with_spaces_are_found(tmp_path: Path) -> None:
    draft = read(
        tmp_path,
        r'\input{my parts/one}\input "my parts/two"',
        "",
        {"my parts/one.tex": r"\cite{a}", "my parts/two.tex": r"\cite{b}"},
    )
    assert keys(draft) == ["a", "b"]


def test_a_file_whose_case_differs_is_found(tmp_path: Path) -> None:
    assert keys(read(tmp_path, r"\input{Sections/Intro}", "", {"Sections/intro.tex": r"\cite{a}"})) == ["a"]


def test_import_looks_in_its_own_folder(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"p/x.tex": r"\cite{x}\input{y}", "p/y.tex": r"\cite{y}", "y.tex": r"\cite{no}"}
    assert keys(read(tmp_path, r"\import{p/}{x}", "", files)) == ["x", "y"]


def test_a_subfile_brings_its_body_only(tmp_path: Path) -> None:
    sub = "\\documentclass[../main]{subfiles}\n\\title{Wrong}\n\\begin{document}\\cite{a}\\end{document}\\cite{no}"
    draft = read(tmp_path, r"\title{Right}\subfile{s/one}\cite{b}", "", {"s/one.tex": sub})
    assert keys(draft) == ["a", "b"]
    assert draft.title == "Right"


def test_what_follows_endinput_or_the_end_of_the_document_is_not_read(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "main.tex": article(r"\input{x}\cite{b}") + r"\cite{no}",
            "x.tex": "\\cite{a}\n\\endinput\n\\cite{no}",
        },
    )
    assert keys(read_draft(root)) == ["a", "b"]


def test_a_missing_file_is_a_finding_with_its_place(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\input{gone}")
    finding = next(f for f in draft.findings if f.code == "missing_input")
    assert (finding.line, finding.column) == (4, 1)


def test_a_cycle_is_a_finding(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\input{a}", "", {"a.tex": r"\cite{a}\input{b}", "b.tex": r"\input{a}\cite{b}"})
    assert keys(draft) == ["a", "b"]
    assert codes(draft) == {"input_cycle"}


def test_files_that_include_each_other_without_end_are_cut_off(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"f{n}.tex": f"\\input{{f{n + 1}}}\\input{{f{n + 1}}}" for n in range(60)}
    assert "input_too_deep" in codes(read(tmp_path, r"\input{f0}", "", files))


@pytest.mark.parametrize("name", ["../secret", "../secret.tex", "sub/../../secret", "{absolute}"])
def test_nothing_outside_the_project_is_read(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"secret.tex": r"\cite{secret}"})
    name = name.replace("{absolute}", (tmp_path / "secret").as_posix())
    draft = read(tmp_path / "project", f"\\input{{{name}}}", "", {"sub/x.tex": ""})
    assert keys(draft) == []
    assert codes(draft) == {"input_outside_project"}


def test_a_link_that_leads_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path, {"secret.tex": r"\cite{secret}"})
    (tmp_path / "project").mkdir()
    try:
        (tmp_path / "project" / "link.tex").symlink_to(secret)
    except OSError:
        pytest.skip("links cannot be made here")
    assert keys(read(tmp_path / "project", r"\input{link}")) == []


def test_a_marked_project_may_share_files_between_its_folders(tmp_path: Path) -> None:
    write(tmp_path, {"citeplug.toml": "", "common/x.tex": r"\cite{a}"})
    draft = read(tmp_path / "paper", r"\input{../common/x}")
    assert keys(draft) == ["a"]


@pytest.mark.parametrize(
    ("preamble", "latex", "expected"),
    [
        ("", r"\iffalse\cite{a}\else\cite{b}\fi", ["b"]),
        ("", r"\iftrue\cite{a}\else\cite{b}\fi", ["a"]),
        ("", r"\iffalse \iftrue\cite{a}\fi \cite{b}\fi\cite{c}", ["c"]),
        ("", r"\iffalse x \ifnum1<2 y\fi\else\cite{b}\fi", ["b"]),
        (r"\newif\iflong\longtrue", r"\iflong\cite{a}\else\cite{b}\fi", ["a"]),
        ("\\newif\\iflong\n%\\longtrue\n", r"\iflong\cite{a}\else\cite{b}\fi", ["b"]),
        (r"\newif\iflong\longtrue\longfalse", r"\iflong\cite{a}\fi", []),
        (r"\let\iflong\iftrue", r"\iflong\cite{a}\else\cite{b}\fi", ["a"]),
        (r"\newif\iflong", r"\unless\iflong\cite{a}\else\cite{b}\fi", ["a"]),
        (r"\def\final{1}", r"\ifnum\final=1\cite{a}\else\cite{b}\fi", ["a", "b"]),
        (r"\newtoggle{x}", r"\iftoggle{x}{\cite{a}}{\cite{b}}", ["a", "b"]),
        ("", r"\ifsomething\cite{a}\else\cite{b}\fi", ["a", "b"]),
        (r"\newif\iflong\newcommand{\onlylong}[1]{\iflong#1\fi}", r"\onlylong{\cite{a}}\cite{b}", ["b"]),
        ("", r"$a \iff b$ \cite{a} \iff", ["a"]),
    ],
)
def test_only_the_branch_that_is_typeset_is_read(
    tmp_path: Path, preamble: str, latex: str, expected: list[str]
) -> None:
    assert keys(read(tmp_path, latex, preamble)) == expected


def test_an_unclosed_conditional_is_a_finding_and_nothing_is_lost(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\cite{a}\iffalse\cite{b}")
    assert keys(draft) == ["a", "b"]
    assert codes(draft) == {"unclosed_conditional"}


def test_an_unclosed_verbatim_is_a_finding_and_nothing_is_lost(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\begin{verbatim}\n\\cite{a}")
    assert keys(draft) == ["a"]
    assert codes(draft) == {"unclosed_environment"}


def test_a_percent_sign_in_a_url_is_no_comment(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\section{A \\url{http://a.b/%7Ec}} text \\cite{a}\n\\href{http://x.y/a%20b}{c \\cite{b}}")
    assert keys(draft) == ["a", "b"]
    assert draft.sections[0].title == "A http://a.b/%7Ec"


def test_code_chunks_of_a_sweave_document_are_not_read(tmp_path: Path) -> None:
    root = write(tmp_path, {"main.Rnw": article("a \\cite{a}\n<<echo=FALSE>>=\nx <- '\\cite{no}' # 5%\n@\n\\cite{b}")})
    assert keys(read_draft(root)) == ["a", "b"]


def test_macros_of_a_package_in_the_project_are_known(tmp_path: Path) -> None:
    style = r"\newcommand{\mycite}[1]{\citep{#1}} Text that is no part of the draft. \cite{no}"
    draft = read(tmp_path, r"\mycite{a}", r"\usepackage{mymacros}", {"mymacros.sty": style})
    assert keys(draft) == ["a"]
    assert draft.packages == ("mymacros",)
    assert len(draft.files) == 1


def test_macros_that_use_each_other_without_end_are_cut_off(tmp_path: Path) -> None:
    preamble = r"\newcommand{\a}{\cite{x}\b\b}\newcommand{\b}{\a\a}"
    assert set(keys(read(tmp_path, r"\a", preamble))) == {"x"}
    laughs = "".join(f"\\newcommand{{\\z{chr(97 + n)}}}{{\\z{chr(98 + n)}\\z{chr(98 + n)}}}" for n in range(24))
    assert read(tmp_path, r"\begin{abstract}Aha \za\end{abstract}", laughs).abstract.startswith("Aha")


def test_facts_are_read_from_any_encoding_with_spans_in_code_points(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        root = write(tmp_path, {"main.tex": article("é “x” \\cite{a}").encode(encoding)})
        draft = read_draft(root)
        text = root.read_bytes().decode(encoding)
        span = draft.cites[0].span
        assert text[span.start : span.end] == r"\cite{a}"
        assert draft.encoding == encoding


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\x}{BODY \cite{no} \section{No}}",
        "\\newcommand*\\x%\n [1]% comment\n {BODY \\cite{no}}",
        r"\renewcommand{\cite}[1]{BODY \oldcite{no}}",
        r"\providecommand\x[2][\cite{no}]{BODY}",
        "\\def\\x#1%\n{BODY \\cite{no}}",
        r"\protected\long\gdef\x[#1]#2.{BODY \cite{no}}",
        r"\DeclareMathOperator*{\x}{BODY}",
        "\\newenvironment{x}[2][BODY]%\n {BODY \\cite{no}}%\n {BODY}",
        r"\ProvideDocumentEnvironment{x}{m}{BODY \cite{no}}{BODY}",
        "\\NewDocumentCommand \\x { s o m }\n{BODY \\cite{no}}",
        r"\ProvideExpandableDocumentCommand{\x}{m}{BODY \cite{no}}",
        r"\csdef{x}{BODY \cite{no}}",
        r"\apptocmd{\x}{BODY \cite{no}}{}{}",
        r"\NewEnviron{x}{BODY \cite{no}}",
        r"\DeclarePairedDelimiterX{\x}[1]{BODY}{BODY}{BODY}",
        r"\newtheorem{x}[section]{BODY}",
        r"\newtheorem{x}{BODY}[section]",
    ],
)
@pytest.mark.parametrize("place", ["abstract", "section"])
def test_a_definition_is_no_text_of_the_draft_wherever_it_stands(tmp_path: Path, definition: str, place: str) -> None:
    text = f"One. {definition} Two."
    abstract, section = (text, "Three.") if place == "abstract" else ("Three.", text)
    draft = read(tmp_path, f"\\begin{{abstract}}{abstract}\\end{{abstract}}\\section{{Yes}}{section}")
    (only,) = draft.sections
    told = {"abstract": draft.abstract, "section": only.text}
    assert told[place].split() == ["One.", "Two."]
    assert (only.title, keys(draft)) == ("Yes", [])
