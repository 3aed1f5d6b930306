import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.plan import PlanParagraph
from citeplug.related.plan.from_words import read_plan_text

SHORTLIST = ("2001.00001", "2001.00002", "2001.00003")


def one(text: str) -> PlanParagraph:
    read = read_plan_text(text, SHORTLIST)
    assert read.findings == ()
    (paragraph,) = read.plan.paragraphs
    return paragraph


def cites(text: str) -> list[tuple[str, ...]]:
    return [line.cites for line in one(text).lines]


def codes(text: str) -> set[str]:
    return {finding.code for finding in read_plan_text(text, SHORTLIST).findings}


def test_litllms_own_words_are_understood() -> None:
    paragraph = one("Please generate 5 sentences in 120 words. Cite 2004.04906 at line 1, 3. Cite smith20 at line 2.")
    assert paragraph.words == 120
    assert [line.cites for line in paragraph.lines] == [("2004.04906",), ("smith20",), ("2004.04906",), (), ()]
    assert paragraph.lines[3].intent == "say what the draft contributes"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 sentences. Cite @cite_1 at line 2", [(), ("2001.00001",)]),
        ("2 sentences. Cite [3] on line 1 and 2", [("2001.00003",), ("2001.00003",)]),
        ("Three sentences. Cite a1 and b2 at lines 1-2.", [("a1", "b2"), ("a1", "b2"), ()]),
        ("Cite 2004.04906 at line 2; cite hep-th/9901001 at sentence 1.", [("hep-th/9901001",), ("2004.04906",)]),
        ("Generate 1 sentence. Cite a1 at line 1. Cite a1 at line 1.", [("a1",)]),
    ],
)
def test_papers_lines_and_numbers_may_be_written_in_many_ways(text: str, expected: list[tuple[str, ...]]) -> None:
    assert cites(text) == expected


def test_paragraphs_may_have_headings() -> None:
    read = read_plan_text("Paragraph 1 (Parsing): 2 sentences. Cite a at line 1. Paragraph 2: 1 sentence in 20 words.")
    assert [(p.id, p.heading, len(p.lines), p.words) for p in read.plan.paragraphs] == [
        ("p1", "Parsing", 2, 50),
        ("p2", "", 1, 20),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2 sentences. Cite a at line 5.", "plan_line_missing"),
        ("2 sentences. Cite a at line 0.", "plan_line_missing"),
        ("2 sentences. Cite @cite_9 at line 1.", "plan_unknown_paper"),
        ("2 sentences. Be funny.", "plan_text_unread"),
        ("Write something nice", "plan_text_unread"),
        ("", "plan_text_unread"),
    ],
)
def test_what_cannot_be_followed_is_a_finding(text: str, code: str) -> None:
    assert code in codes(text)


@given(st.text(max_size=200) | st.from_regex(r"(cite|line|sentences|at|[0-9a@\[\]., -]){0,30}", fullmatch=True))
def test_any_text_is_read(text: str) -> None:
    read = read_plan_text(text, SHORTLIST)
    assert read.findings or read.plan.paragraphs
    assert all(len(p.lines) <= 60 for p in read.plan.paragraphs)
