"""Sentences that cite, with the texts of what they cite."""

from pathlib import Path

import pytest

from citeplug.audit.cited_claims import LONGEST, cited_work, nearest_passage, read_claims
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from tests.audit.drafts import write_draft

WORKS = {key: cited_work(key, f"Title of {key}") for key in "abcdefghij"}


def claims(folder: Path, text: str) -> list[tuple[tuple[tuple[str, ...], str], ...]]:
    draft = read_draft(write_draft(folder, text))
    return [claim.cites for claim in read_claims(read_prose(draft), WORKS)]


def test_each_citation_has_the_part_of_the_sentence_in_front_of_it_and_the_last_one_the_rest(tmp_path: Path) -> None:
    (found,) = claims(tmp_path, r"Trees \cite{A} and deep forests~\citep[see][]{b,c} are grown by all of us.")
    assert found == (
        (("a",), "Trees"),
        (("b", "c"), "and deep forests are grown by all of us."),
    )


def test_a_sentence_with_more_than_ten_citations_keeps_ten(tmp_path: Path) -> None:
    text = " ".join(rf"way {number} \cite{{{key}}}," for number, key in enumerate("abcdefghijab"))
    (found,) = claims(tmp_path, f"There are many ways, such as {text} and others.")
    assert [keys for keys, _ in found] == [(key,) for key in "abcdefghij"]


@pytest.mark.parametrize(
    "text",
    [
        r"\begin{figure}\caption{Words of a caption that cites a work \cite{a} of others.}\end{figure}",
        r"\newcommand{\told}{as it was shown by others before us \cite{a}}",
        r"It cites a work that nobody has an entry of \cite{unknown} in the draft.",
        r"% This is a comment with a citation \cite{a} of a work.",
        r"\nocite{*}",
    ],
)
def test_what_is_no_sentence_of_the_text_or_cites_nothing_known_is_left_out(tmp_path: Path, text: str) -> None:
    assert claims(tmp_path, text) == []


def test_a_citation_by_a_macro_of_the_draft_is_one(tmp_path: Path) -> None:
    text = "\\newcommand{\\seen}[1]{\\cite{#1}}\nTrees were grown by many people before us \\seen{a}."
    assert all(found[0][0] == ("a",) for found in claims(tmp_path, text))


@pytest.mark.parametrize("abstract", ["", "   ", "...", "no end and no beginning"])
def test_an_abstract_without_sentences_breaks_nothing(abstract: str) -> None:
    work = cited_work("a", "A title", (), abstract)
    passage = nearest_passage("A title with no end is cited here.", work)
    assert passage is not None and passage.of == ("title" if not abstract.strip() else "abstract")


def test_hostile_text_is_shown_plain_and_cut() -> None:
    abstract = "\x1b[31mWe grow\x07 trees \x1b]0;title\x07\\input{/etc/passwd} $x$. " + "Many words " * 3_000
    work = cited_work("a", "\x1b[2JTrees \\emph{of} all", (), abstract)
    assert not any(letter in passage.text for passage in work.passages for letter in "\x1b\x07")
    assert all(len(passage.text) <= LONGEST + len(" ...") for passage in work.passages)
    assert work.title == "Trees of all"
