"""What a document chooses by citeplug's own commands."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.records.plan import PlanLine
from tests.latex.projects import article, codes, read, write

ALL = r"""\citeplugrelated[breadth=12, depth=2, diversity=0.5, words=400, before=2026-01-01, style=per-cite,
  rank=debate, categories={cs.CL, cs.IR}, file=sections/rw.tex]
\citeplugpin{arXiv:2004.04906, smith2020}
\citeplugexclude{1706.03762}
"""


def said(draft: Draft) -> dict[str, object]:
    return dict(draft.options.values)


def test_every_option_is_read(tmp_path: Path) -> None:
    draft = read(tmp_path, ALL)
    assert said(draft) == {
        "breadth": 12,
        "depth": 2,
        "diversity": 0.5,
        "words": 400,
        "before": date(2026, 1, 1),
        "strategy": "per-cite",
        "rank": "debate",
        "categories": ("cs.CL", "cs.IR"),
        "out": "sections/rw.tex",
        "pin": ("arXiv:2004.04906", "smith2020"),
        "exclude": ("1706.03762",),
    }
    assert not codes(draft)
    assert draft.options.span is not None and draft.options.span.line == 4


def test_a_document_without_the_commands_chooses_nothing(tmp_path: Path) -> None:
    draft = read(tmp_path, "Text.", r"\usepackage{citeplug}")
    assert said(draft) == {} and draft.options.plan is None and not codes(draft)


@pytest.mark.parametrize(
    "dead",
    [
        "% \\citeplugrelated[breadth=3]",
        "\\begin{verbatim}\n\\citeplugrelated[breadth=3]\n\\end{verbatim}",
        "\\iffalse \\citeplugrelated[breadth=3] \\fi",
        "\\newcommand{\\later}{\\citeplugrelated[breadth=3]}",
        "\\verb|\\citeplugrelated[breadth=3]|",
        "\\end{document}\n\\citeplugrelated[breadth=3]",
    ],
)
def test_what_latex_does_not_run_does_not_count(tmp_path: Path, dead: str) -> None:
    assert said(read(tmp_path, dead)) == {}


def test_an_included_file_and_a_macro_of_the_author_count(tmp_path: Path) -> None:
    body = "\\newcommand{\\rw}{\\citeplugrelated[breadth=4]}\n\\rw\n\\input{more}"
    assert said(read(tmp_path, body, files={"more.tex": "\\citeplugpin{2004.04906}"})) == {
        "breadth": 4,
        "pin": ("2004.04906",),
    }


def test_a_definition_that_lets_the_draft_compile_without_the_package_changes_nothing(tmp_path: Path) -> None:
    preamble = "\\providecommand{\\citeplugrelated}[1][]{\\input{related}}"
    assert said(read(tmp_path, "\\citeplugrelated[breadth=4]", preamble)) == {"breadth": 4}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("breadth=0", "option_invalid"),
        ("breadth=ten", "option_invalid"),
        ("breadth=1e3", "option_invalid"),
        ("breadth", "option_invalid"),
        ("breadth=", "option_invalid"),
        ("breadth=99999999999999999999", "option_invalid"),
        ("diversity=nan", "option_invalid"),
        ("diversity=2", "option_invalid"),
        ("words=1", "option_invalid"),
        ("before=tomorrow", "option_invalid"),
        ("before=2026-02-30", "option_invalid"),
        ("style=magic", "option_invalid"),
        ("categories={cs.CL; rm}", "option_invalid"),
        ("file=../other.tex", "option_invalid"),
        ("file=/etc/passwd.tex", "option_invalid"),
        ("file=C:/x.tex", "option_invalid"),
        ("file=.git/hooks/x.tex", "option_invalid"),
        ("file=aux.tex", "option_invalid"),
        ("file=related.bib", "option_invalid"),
        ("bredth=3", "option_unknown"),
        ("llm=anthropic", "option_not_allowed"),
        ("max_cost=5", "option_not_allowed"),
        ("url={http://evil.example}", "option_not_allowed"),
        ("online=true", "option_not_allowed"),
    ],
)
def test_what_cannot_be_followed_is_told_with_its_place(tmp_path: Path, options: str, code: str) -> None:
    draft = read(tmp_path, f"Text.\n  \\citeplugrelated[diversity=0.9,\n   {options}]")
    (found,) = [finding for finding in draft.findings if finding.code.startswith("option_")]
    assert (found.code, found.severity, found.line, found.column) == (code, "warning", 6, 4)
    assert found.file == tmp_path / "main.tex" and found.fix
    assert said(draft) in ({"diversity": 0.9}, {})


def test_the_nearest_option_is_named(tmp_path: Path) -> None:
    fixes = {f.code: f.fix for f in read(tmp_path, "\\citeplugrelated[bredth=3]").findings}
    assert fixes["option_unknown"] == "did you mean breadth?"
    fixes = {f.code: f.fix for f in read(tmp_path, "\\citeplugrelated[strategy=plan]").findings}
    assert fixes["option_unknown"] == "did you mean style?"


def test_of_two_commands_the_first_counts(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\citeplugrelated[breadth=3]\n\\citeplugrelated[breadth=5]")
    assert said(draft) == {"breadth": 3} and "option_repeated" in codes(draft)


def test_a_bracket_that_is_never_closed_is_told(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\citeplugrelated[breadth=3\n\nText.")
    assert said(draft) == {} and "option_invalid" in codes(draft)


PLAN = r"""\begin{citeplugplan}
heading: Retrieval-augmented generation
words: 90
introduce dense retrieval of 50% [2004.04906]   % a remark
2. contrast two ways of fusing passages [2005.11401, 2007.01282]
relate to the draft

% a comment
heading: Evaluation \& more
describe benchmarks [smith2020]
\end{citeplugplan}"""


def test_a_plan_is_read_line_by_line(tmp_path: Path) -> None:
    plan = read(tmp_path, PLAN).options.plan
    assert plan is not None
    first, second = plan.paragraphs
    assert (first.id, first.heading, first.words) == ("p1", "Retrieval-augmented generation", 90)
    assert [(line.intent, line.cites) for line in first.lines] == [
        ("introduce dense retrieval of 50%", ("2004.04906",)),
        ("contrast two ways of fusing passages", ("2005.11401", "2007.01282")),
        ("relate to the draft", ()),
    ]
    assert (second.heading, second.words) == ("Evaluation & more", 0)


def test_a_line_of_the_plan_may_say_its_kind(tmp_path: Path) -> None:
    text = "topic: what 50% is\n2. core: introduce \\emph{it} [2004.04906]\ndraft: what is left open [2004.04906]"
    plan = read(tmp_path, f"\\begin{{citeplugplan}}\n{text}\n\\end{{citeplugplan}}").options.plan
    assert plan is not None
    assert plan.paragraphs[0].lines == (
        PlanLine("what 50% is", kind="topic"),
        PlanLine("introduce it", ("2004.04906",), weight="core"),
        PlanLine("what is left open", ("2004.04906",), "draft"),
    )


def test_a_plan_is_no_text_of_the_draft(tmp_path: Path) -> None:
    draft = read(tmp_path, f"\\section{{Related Work}}\nWords of mine.\n{PLAN}\n\\citeplugpin{{2004.04906}}")
    assert [section.text for section in draft.sections] == ["Words of mine."]
    assert not draft.cites


def test_an_empty_plan_is_none(tmp_path: Path) -> None:
    assert read(tmp_path, "\\begin{citeplugplan}\n\n\\end{citeplugplan}").options.plan is None


@given(st.text(alphabet="\\{}[],=%\n citeplugrelatedpinexclude.0123456789", max_size=80))
def test_no_document_stops_the_reading(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    from citeplug.latex.project import read_draft

    draft = read_draft(write(folder, {"main.tex": article(f"\\citeplugrelated{text}\n\\begin{{citeplugplan}}{text}")}))
    values = draft.options.values
    assert 1 <= values.get("breadth", Options().breadth) <= 100
