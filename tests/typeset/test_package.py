"""What the commands of the LaTeX package print, and what they refuse; each document is compiled."""

from pathlib import Path

import pytest

from tests.typeset.projects import ENGINES, PLAN, RECORD, SECTION, lay_out, needs_tex, run, typeset, warnings

pytestmark = needs_tex

NONE_KNOWN = "[citeplug: nothing is recorded of how"


def article(body: str, *, options: str = "", preamble: str = "") -> str:
    return (
        f"\\documentclass{{article}}\n{preamble}\\usepackage[{options}]{{citeplug}}\n"
        f"\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )


def printed(folder: Path, body: str, **files: str | None) -> str:
    return typeset(lay_out(folder, article(body), **files))


def test_a_section_that_is_not_there_says_what_to_run(tmp_path: Path) -> None:
    text = printed(tmp_path, "Before.\n\\citeplugrelated\nAfter.", section=None)
    assert text.startswith(
        "Before. [citeplug: the section related.tex is not there yet; run: citeplug related main.tex] After."
    )
    assert warnings(tmp_path) == ["The section 'related.tex' is not there yet; 'citeplug related main.tex' writes it."]


@pytest.mark.parametrize(
    "name",
    ["../secret.tex", "a/../../secret", "/etc/passwd", "|cat secret.tex", "~/secret", "secret\\jobname", "c:secret"],
)
def test_a_file_outside_the_project_is_not_read(tmp_path: Path, name: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "secret.tex").write_text("SECRET", encoding="utf-8")
    (project / "secret.tex").write_text("SECRET", encoding="utf-8")
    text = printed(project, f"\\citeplugrelated[file={{{name}}}]\\citeplugdisclosure[file={{{name}}}]")
    assert "SECRET" not in text
    assert text.count("names no file inside the project") == 2
    assert [each.split("'")[2] for each in warnings(project)] == [
        " is not read: name a file inside the project, by a relative path of plain characters."
    ] * 2


def test_unknown_options_are_named_and_ignored(tmp_path: Path) -> None:
    text = printed(tmp_path, "\\citeplugrelated[bredth=10, depth=2, url=http://example.org/?a=b]")
    assert "Dense retrieval" in text
    assert warnings(tmp_path) == [
        "\\citeplugrelated has no option 'bredth'; it is ignored.",
        "\\citeplugrelated has no option 'url'; it is ignored.",
    ]


def test_letters_that_babel_makes_commands_are_read_all_the_same(tmp_path: Path) -> None:
    active = "".join(f"\\catcode`\\{sign}=\\active\\protected\\def{sign}{{\\string{sign}}}" for sign in '":;!?<>-')
    active += "\\catcode`\\==\\active\\protected\\def={\\string=}"
    body = (
        f"{active}\n\\citeplugrelated[breadth=10, file=related.tex, before=2026-01-01]\n\n\\citeplugdisclosure\n{PLAN}"
    )
    text = typeset(lay_out(tmp_path, article(body, options="view")))
    assert "62+" in text
    assert "2 stand as generated" in text
    assert warnings(tmp_path) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_plan_prints_nothing_wherever_it_stands(tmp_path: Path, engine: str) -> None:
    body = (
        f"One\n{PLAN}two.\n\n{PLAN}\nThree\\footnote{{four.}}"
        f"\\parbox{{5cm}}{{five \\begin{{citeplugplan}}\nplain [2004.04906] $a_b$\n\\end{{citeplugplan}} six}}\n"
        f"\\begin{{quote}}\n{PLAN}seven\n{PLAN}\\end{{quote}}"
    )
    text = typeset(lay_out(tmp_path, article(body)), engine)
    assert text.startswith("One two. Three1 five six seven")
    for word in ("heading", "introduce", "2004", "plain"):
        assert word not in text


def test_a_plan_stands_in_frames_of_beamer(tmp_path: Path) -> None:
    main = (
        "\\documentclass{beamer}\n\\usepackage[view]{citeplug}\n\\begin{document}\n"
        "\\begin{frame}{T}\nOne \\begin{citeplugplan}\nread [2004.04906] before\n\\end{citeplugplan} two.\n"
        "\\end{frame}\n"
        f"\\begin{{frame}}[fragile]{{T}}\nThree\n{PLAN}four.\n\\end{{frame}}\n"
        "\\begin{frame}{T}\n\\citeplugrelated\n\\end{frame}\n\\end{document}\n"
    )
    lay_out(tmp_path, main, section=SECTION.replace("\\paragraph", "\\textbf"))
    text = typeset(tmp_path)
    assert "One two." in text
    assert "Three four." in text
    assert "87" in text


def test_pins_print_nothing_not_even_a_space(tmp_path: Path) -> None:
    text = printed(tmp_path, "a\\citeplugpin{x_y, 2004.04906}b c \\citeplugexclude{z} d \\citeplugpin{e}, f")
    assert text.startswith("ab c d , f")


def test_the_disclosure_counts_in_the_section_as_it_is(tmp_path: Path) -> None:
    broken = SECTION.replace("introduced early", "introduced\n  early").replace("\\paragraph{Retrieval.}\n", "")
    text = printed(tmp_path, "\\citeplugdisclosure", section=broken)
    assert "Of 3 generated sentences, 2 stand as generated; the authors marked 1 of these" in text
    text = printed(tmp_path, "\\citeplugdisclosure", section=SECTION.replace("Others fuse", "We fuse"))
    assert "Its generated sentences were composed from abstracts, without a language model." in text
    assert "Of 3 generated sentences, 1 stands as generated; the authors marked 0 of these" in text


def test_the_disclosure_tells_of_other_text_only_where_there_is_some(tmp_path: Path) -> None:
    whole = SECTION.replace("The authors rewrote this sentence \\cite{izacard2021leveraging}.\n", "")
    assert "other text" in printed(tmp_path, "\\citeplugdisclosure")
    assert "other text" not in printed(tmp_path, "\\citeplugdisclosure", section=whole)


@pytest.mark.parametrize(
    "record",
    [None, "", "%citeplug 7\n", "\\section{Mine}\n", RECORD.replace("%model", "<<<<<<< HEAD\n%model")],
)
def test_nothing_is_claimed_without_a_record(tmp_path: Path, record: str | None) -> None:
    text = printed(tmp_path, "\\citeplugdisclosure", record=record)
    assert text.startswith(f"{NONE_KNOWN} related.tex was made; run: citeplug related main.tex]")
    assert warnings(tmp_path)[0].startswith("Nothing is known of how 'related.tex' was made")


def test_nothing_is_claimed_of_another_section(tmp_path: Path) -> None:
    text = printed(tmp_path, "\\citeplugdisclosure", section="Words of somebody else's.\n")
    assert text.startswith("[citeplug: what is recorded does not fit related.tex; run: citeplug related main.tex]")
    assert "drafted" not in text


@pytest.mark.parametrize("engine", ENGINES)
def test_a_record_is_never_executed(tmp_path: Path, engine: str) -> None:
    evil = "\\immediate\\write18{touch run}\\input{secret}\\errmessage{no}}{#1 % _ ^^5c"
    lines = [f"%{name} {evil}" for name in ("version", "made", "sources", "model", "other", "entry verified", "x")]
    lines += [
        f"%sentence {a} {b} {c} {evil}" for a, b, c in (("87", evil, "1"), (evil, "accepted", "1"), ("1", "2", evil))
    ]
    lines += [f"%sentence 87 accepted 1 {evil}", "%sentence", "%sentence 1 2", "%", "% ", "%entry", "\\evil"]
    (tmp_path / "secret.tex").write_text("SECRET", encoding="utf-8")
    record = RECORD + "\n".join(lines) + "\n"
    for options in ("", "view"):
        main = article("\\citeplugrelated\n\\citeplugdisclosure", options=options)
        text = typeset(lay_out(tmp_path, main, record=record), engine)
        assert "SECRET" not in text
        assert "2 stand as generated" in text
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_view_marks_what_stands_in_any_script(tmp_path: Path, engine: str) -> None:
    sentence = "Žižek says “ja” – naïvely \\cite{karpukhin2020dense}."
    section, record = (t.replace("Dense retrieval was introduced early \\cite{karpukhin2020dense}.", sentence)
                       for t in (SECTION, RECORD))  # fmt: skip
    main = article("\\citeplugrelated", options="view", preamble="\\usepackage[colorlinks]{hyperref}\n")
    text = typeset(lay_out(tmp_path, main, section=section, record=record), engine)
    marks = text.split("verified.", 1)[1]
    assert "says “ja”" in marks
    assert "87" in marks
    assert "62+" in marks
    assert "55" not in marks


def test_the_view_has_a_dash_for_a_topic(tmp_path: Path) -> None:
    record = RECORD.replace("%sentence 62 accepted", "%sentence 00 accepted")
    main = article("\\citeplugrelated\n\\citeplugdisclosure", options="view")
    marks = typeset(lay_out(tmp_path, main, record=record)).split("verified.", 1)[1]
    assert "–+" in marks
    assert "00+" not in marks
    assert "2 stand as generated" in marks


def test_the_view_marks_in_notes_floats_and_boxes(tmp_path: Path) -> None:
    body = "A\\footnote{\\citeplugrelated}\n\\begin{figure}\\citeplugrelated\\end{figure}\n"
    body += "\\fbox{\\parbox{8cm}{\\citeplugrelated}}"
    text = typeset(lay_out(tmp_path, article(body, options="view")))
    assert text.count("62+") == 3


def test_the_view_bears_a_color_package_loaded_with_options(tmp_path: Path) -> None:
    main = "\\documentclass{article}\n\\usepackage[view]{citeplug}\n\\usepackage[dvipsnames]{xcolor}\n"
    main += "\\begin{document}\n\\citeplugrelated\\textcolor{RoyalBlue}{blue}\n\\end{document}\n"
    assert "blue" in typeset(lay_out(tmp_path, main))


@pytest.mark.parametrize("biblatex", [False, True])
def test_a_bibliography_that_does_not_read_the_entries_is_told(tmp_path: Path, biblatex: bool) -> None:
    preamble = "\\usepackage{biblatex}\n\\addbibresource{%s}\n" if biblatex else "\\def\\mine{%s}\n"
    end = "\\printbibliography" if biblatex else "\\bibliographystyle{plain}\\bibliography{%s}"
    found = {}
    for reads, names in ((False, ("refs.bib", "refs")), (True, ("related.bib", "refs,related"))):
        folder = tmp_path / str(reads)
        folder.mkdir()
        name = names[0] if biblatex else names[1]
        body = "\\citeplugrelated\n" + (end if biblatex else end % name)
        lay_out(folder, article(body, preamble=preamble % name))
        typeset(folder)
        assert warnings(folder) == []
        typeset(folder)
        found[reads] = warnings(folder)
    assert found[True] == []
    assert len(found[False]) == 1
    assert "Add 'related' to your \\bibliography{...}" in found[False][0]


def test_no_file_is_written_but_what_latex_writes(tmp_path: Path) -> None:
    lay_out(tmp_path, article("\\citeplugrelated\n\\citeplugdisclosure", options="view"))
    before = {path.name for path in tmp_path.iterdir()}
    typeset(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} - before == {"main.aux", "main.log", "main.pdf"}


def test_it_reads_its_files_where_tex_may_read_the_project_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path, article("\\citeplugrelated\n\\citeplugdisclosure"))
    monkeypatch.setenv("openin_any", "p")
    run(tmp_path, "pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "main")
    assert warnings(tmp_path) == []


def test_a_text_with_tabs_and_many_spaces_still_fits_its_record(tmp_path: Path) -> None:
    spread = SECTION.replace("Others fuse", "\t  Others  \t fuse").replace("introduced early", "introduced    early")
    assert "2 stand as generated" in printed(tmp_path, "\\citeplugdisclosure", section=spread)
