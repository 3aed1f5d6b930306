"""Lists of references in plain text, and the titles of their entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.bibtex.printed_entry import end_of_people, reference_of_text
from citeplug.bibtex.printed_list import marked_starts, references_in


def keys(text: str) -> list[tuple[str | None, int]]:
    return [(each.key, each.place) for each in references_in(text.split("\n"))]


def test_marks_begin_entries_and_a_year_or_volume_at_the_head_of_a_line_does_not() -> None:
    text = "Text.\n\nReferences\n\n1. A. Author. Graphs of\n   trees. Springer,\n2003. vol.\n5. 2. ed."
    text += "\n2. B. Other. Nodes. 2004.\n"
    assert keys(text) == [("1", 5), ("2", 9)]


@pytest.mark.parametrize("mark", ["[{}] ", "{}. ", "({}) ", "{} "])
def test_all_usual_marks_are_known(mark: str) -> None:
    lines = [f"{mark.format(n)}Ann Brown. The title number {n}. Journal, 2001." for n in range(1, 4)]
    found = references_in(["References", *lines])
    assert [(each.key, each.title) for each in found] == [(str(n), f"The title number {n}") for n in range(1, 4)]


def test_a_number_that_is_missing_is_no_end_of_the_list() -> None:
    lines = ["[1] A.", "[2] B.", "[4] D.", "[5] E.", "[99] not", "[6] F."]
    assert marked_starts(lines) == [0, 1, 2, 3, 5]


def test_years_at_the_head_of_lines_are_no_numbers() -> None:
    assert marked_starts(["A., Brown, B.", "(2021). Graphs.", "C. Other", "(2022). Nodes."]) == []


def test_a_list_of_each_chapter_is_read_and_headings_end_it() -> None:
    chapter = "{} References\n\nBrown, A. ({}). Graphs of trees. Springer.\n\nOther, B. ({}). Nodes. Wiley.\n\n"
    chapter += "Conclusion\n\nText.\n"
    text = "\n".join(chapter.format(n, 2000 + n, 2010 + n) for n in (1, 2))
    assert [each.year for each in references_in(text.split("\n"))] == [2001, 2011, 2002, 2012]


def test_entries_without_marks_begin_at_the_margin_or_behind_a_blank_line() -> None:
    hanging = "Bibliography\nBrown, A. (2001). Graphs\n    of trees. Springer.\nOther, B. (2002). Nodes.\n    Wiley.\n"
    assert keys(hanging) == [(None, 2), (None, 4)]
    assert keys(hanging.replace("    ", "").replace("Other", "\nOther")) == [(None, 2), (None, 5)]


def test_a_text_without_a_heading_is_a_list_only_if_it_looks_like_one() -> None:
    entries = ["Ann Brown. Graphs of trees. Springer, 2001.", "Ben Other. Nodes of graphs. Wiley, 2002."]
    assert len(references_in(entries)) == 2
    assert references_in(["1 Introduction", "We sample nodes of graphs.", "2 Method", "They are many."]) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Bellman, R. Dynamic Programming. Dover Publications, 1957.", "Dynamic Programming"),
        ("Watkins, C. J. C. H. Learning from Delayed Rewards. PhD thesis, 1989.", "Learning from Delayed Rewards"),
        ("Elman, J. L. (1993). Learning and development. Cognition, 48(1).", "Learning and development"),
        ("Smith AB, Jones C. Cells of mice. Nature. 2001;3:1-9.", "Cells of mice"),
        ("Diederik P. Kingma and Jimmy Ba. Adam: A method. In ICLR, 2015.", "Adam: A method"),
        ("W. Gao, Y.-F. Li, and Z.-H. Zhou. Risk under noise. In AAAI, 2016.", "Risk under noise"),
        ("T. Liu and D. Tao. Noisy labels. arXiv:1411.7718, 2014.", "Noisy labels"),
        ("H. Mozaffari et al. Fake or not? making sense of clients. 2024.", "Fake or not? making sense of clients"),
        ("Ann Brown and Jie Li. 2017. Learning with GANs. In Proc. of Graphs.", "Learning with GANs"),
        ("A. Author, B. Other, “Graphs of trees,” IEEE Trans. Graphs, vol. 3, 2001.", "Graphs of trees"),
        ("Brown, A., Other, B.: Nodes of graphs. In: Graphs, pp. 1-9 (2003)", "Nodes of graphs"),
        (
            "C.-Y. Ma, J. Lu, Self-Monitoring Agents by Estimation of Progress, ArXiv abs/1901.03035 (2019).",
            "Self-Monitoring Agents by Estimation of Progress",
        ),
        ("OpenAI. GPT-4 technical report. arXiv preprint, 2023.", "GPT-4 technical report"),
    ],
)
def test_the_title_follows_the_authors_in_whatever_style_they_are(text: str, title: str) -> None:
    assert reference_of_text(None, text).title == title


@given(st.text())
def test_any_text_gives_entries_within_it(text: str) -> None:
    lines = text.split("\n")
    assert all(0 < each.place <= len(lines) for each in references_in(["References", *lines][1:]))
    assert 0 <= end_of_people(text) <= len(text) + 2
