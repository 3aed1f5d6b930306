"""Quotations that the author typed: which there are, and whether a text has their words."""

from pathlib import Path

import pytest

from citeplug.audit.quotations import Quotation, missing_part, nearest_sentence, read_quotations
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from tests.audit.drafts import write_draft

SAID = "graphs are sampled by walks of a fixed length"


def read(folder: Path, text: str) -> list[Quotation]:
    return read_quotations(read_prose(read_draft(write_draft(folder, text))))


@pytest.mark.parametrize(
    "written",
    [
        rf"They say that ``{SAID}'' \cite{{A}}.",
        rf"As \citet{{a}} say, \enquote{{{SAID}.}}",
        rf"As \citet{{a}} say, \textquote[p.~3]{{{SAID}}} in all of them.",
        rf"They say \textcquote[3]{{a}}{{{SAID}}} of all of them.",
        rf"They say it: \blockcquote[see][3]{{A}}[.]{{{SAID}}}",
        rf'They say "{SAID}" and more \cite{{a}}.',
        rf'They say ``{SAID}" \cite{{a}} of 5" disks, and more.',
        rf"\citet{{a}} say of these things: \begin{{quote}} {SAID}.\end{{quote}} It goes on.",
        rf"They say of these things: \begin{{quotation}}``{SAID}'' \cite{{a}}\end{{quotation}} It goes on.",
    ],
)
def test_quoted_words_beside_a_citation_are_a_quotation(tmp_path: Path, written: str) -> None:
    (found,) = read(tmp_path, written)
    assert found.keys == ("a",)
    assert missing_part(found, [f"First of all, {SAID}. Then more."]) is None
    assert missing_part(found, ["Graphs are sampled by walks of a random length."]) is not None


@pytest.mark.parametrize(
    "written",
    [
        r"This so-called ``deep graph neural network'' is a term \cite{a} of theirs.",
        rf"Nothing is cited beside ``{SAID}'' in this one. They do it \cite{{a}}.",
        rf"\begin{{quote}} {SAID}, which is an example. \end{{quote}} It goes on \cite{{a}}.",
        r'A disk of 5" and one of 3" are as large as those of other people in this field \cite{a}.',
        r'An opening mark "is never closed here and the text goes on \cite{a} for a long time.',
        rf"% ``{SAID}'' \cite{{a}}",
    ],
)
def test_terms_and_what_cites_nothing_are_none(tmp_path: Path, written: str) -> None:
    assert read(tmp_path, written) == []


def test_omissions_and_changed_initials_are_the_authors(tmp_path: Path) -> None:
    (found,) = read(tmp_path, r"``[G]raphs are sampled by walks [\dots] of nodes that are near'' \cite{a,b}.")
    assert found.keys == ("a", "b") and len(found.parts) == 2
    assert missing_part(found, ["Graphs are sampled by walks, and then of nodes that are near."]) is None
    assert missing_part(found, ["Graphs are sampled by walks."]) == "of nodes that are near"


def test_a_quotation_of_two_sentences_is_cited_by_either(tmp_path: Path) -> None:
    (found,) = read(tmp_path, rf"They say: ``It is so in all of them. Also {SAID}'' \cite{{a}}.")
    assert missing_part(found, [f"It is so in all of them.\n\nAlso {SAID}"]) is None


def test_punctuation_numbers_of_citations_and_tex_do_not_count(tmp_path: Path) -> None:
    (found,) = read(tmp_path, r"They say ``M\"uller's graph---a large one---is sampled'' \cite{a}.")
    assert missing_part(found, ["Müller’s graph [12, 13], a large one, is sampled."]) is None


def test_words_that_a_macro_stands_for_are_no_difference_but_a_denial_is(tmp_path: Path) -> None:
    (found,) = read(tmp_path, r"They say ``the \Me{} method is often used here'' \cite{a}.")
    assert missing_part(found, ["In all, the maximum-entropy method is often used here."]) is None
    assert missing_part(found, ["In all, the method is often not used here."]) is not None
    assert missing_part(found, ["The method of all that we know of and have is often used here."]) is not None


def test_the_nearest_sentence_has_most_of_the_words() -> None:
    texts = ["Other words.", "Walks are short. Graphs are sampled by walks of a random length."]
    assert nearest_sentence(SAID, texts) == ("Graphs are sampled by walks of a random length.", 8 / 9)
    assert nearest_sentence(SAID, []) == ("", 0.0)
