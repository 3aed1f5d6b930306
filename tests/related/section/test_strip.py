"""The section without citeplug's comments."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.section.strip import strip_comments
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.grammar import read_related
from tests.harness.printed_section import print_related

WHOLE = r"""% citeplug: 1
% citeplug:begin p1 sentences=2 words=60
% citeplug:heading Graph attention
% citeplug:1 introduce attention on graphs [1710.10903]
% citeplug:2 relate to the draft
\paragraph{Graph attention.}
% citeplug:note close wording: eight or more words in a row are from arXiv:1710.10903
One sentence~\cite{a}.
% a comment of the author's
Another one. % citeplug: not a line of its own
% citeplug:end p1 sha256=9c1b22ad

My own words between.

% citeplug:begin p2
% citeplug:end p2

% citeplug:begin p3
The last.
% citeplug:end p3
"""
BARE = r"""\paragraph{Graph attention.}
One sentence~\cite{a}.
% a comment of the author's
Another one. % citeplug: not a line of its own

My own words between.

The last.
"""


def test_the_text_and_the_authors_comments_stay_and_nothing_of_citeplugs() -> None:
    assert strip_comments(WHOLE) == BARE


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_stay_as_they_are(newline: str) -> None:
    assert strip_comments(WHOLE.replace("\n", newline)) == BARE.replace("\n", newline)


def test_indented_and_reworked_directives_go_too() -> None:
    assert strip_comments("\t%%  CitePlug :begin p1\nText.\n  %citeplug:end p1") == "Text.\n"


def test_a_remark_about_citeplug_outside_the_blocks_is_the_authors() -> None:
    text = "% citeplug: a fine tool, see its manual\nText.\n"
    assert strip_comments(text) == text


def test_a_paragraph_break_stays_one_and_none_is_made() -> None:
    assert strip_comments("One\n% citeplug:note x\ntwo.\n") == "One\ntwo.\n"
    assert strip_comments("One.\n\n% citeplug:note x\n\n\nTwo.\n") == "One.\n\nTwo.\n"
    assert strip_comments("% citeplug: 1\n\nOne.\n") == "\nOne.\n"


def test_a_byte_order_mark_stays() -> None:
    assert strip_comments("\ufeff% citeplug: 1\nText.\n") == "\ufeffText.\n"


def test_a_text_without_citeplugs_comments_is_left_alone() -> None:
    text = "\n\nText \\% citeplug: 1\n\n\n% more\n\\end"
    assert strip_comments(text) == text


words = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40)
lines = st.one_of(
    words,
    st.sampled_from(["", "  ", "% citeplug: 1", "% citeplug:begin p1", "% citeplug:end p1 sha256=00", "% mine"]),
    words.map("% citeplug:note ".__add__),
    words.map("% citeplug: ".__add__),
)


@given(st.lists(st.tuples(lines, st.sampled_from(["\n", "\r\n"]))))
def test_what_is_left_is_the_lines_of_the_text_in_their_order(parts: list[tuple[str, str]]) -> None:
    text = "".join(line + end for line, end in parts)
    left = strip_comments(text)
    assert strip_comments(left) == left
    # Each line that is left was there, and what is gone is blank or begins like citeplug's own.
    there = iter(text.splitlines(keepends=True))
    for line in left.splitlines(keepends=True):
        for one in there:
            if one == line:
                break
            assert not one.strip() or re.match(r"\ufeff?[ \t]*%+[ \t]*citeplug", one, re.IGNORECASE)
        else:
            raise AssertionError(line)


def paragraphs(text: str) -> list[str]:
    """The text as TeX sees it: without comment lines, cut at blank lines."""
    bare = "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("%"))
    return [" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", bare) if part.strip()]


@given(st.lists(st.lists(words.filter(str.strip), min_size=1, max_size=3), min_size=1, max_size=3))
def test_a_printed_section_keeps_its_paragraphs(texts: list[list[str]]) -> None:
    section = Section(
        tuple(
            SectionParagraph(
                f"p{n}", f"Heading {n}", tuple(Sentence(f"It {t}.", "draft", (), (), 1.0) for t in sentences)
            )
            for n, sentences in enumerate(texts, 1)
        )
    )
    plan = Plan(tuple(PlanParagraph(f"p{n}", "H", (PlanLine("say"),), 20) for n in range(1, len(texts) + 1)))
    printed = print_related(section, plan, {}, CiteStyle(), {})
    left = strip_comments(printed)
    assert paragraphs(left) == paragraphs(printed)
    assert "citeplug:" not in left or "citeplug:" in "".join(map("".join, texts))
    assert not read_related(left).blocks


def test_comments_that_ignore_a_finding_go_too() -> None:
    assert strip_comments("Mine.\n% citeplug: ignore uncited_claim\nMore.\n") == "Mine.\nMore.\n"
