"""The record that the LaTeX package reads."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.records.provenance import Provenance, RecordedEntry, RecordedSentence
from citeplug.section_file.provenance_tex import FIRST_LINE, is_tex_record, print_tex_record, tex_record_of

RECORD = Provenance(
    citeplug="0.1.0",
    made_on="2026-11-21",
    sentences=(
        RecordedSentence("p1", "", "\\citet{a}  do\n100\\% of it.", attribution=0.8667, status="accepted"),
        RecordedSentence("p1", "", "More~\\cite{b_1}.", attribution=1.0, by="llama 3.1\u202e:8b"),
        RecordedSentence("p1", "", "Graphs differ.", kind="topic", attribution=None),
        RecordedSentence("p1", "Recorded before its LaTeX was.", None),
    ),
    entries=(
        RecordedEntry("a", verdict="verified", checked_against="catalogue"),
        RecordedEntry("b_1", verdict="differs", checked_against="crossref"),
        RecordedEntry("c", verdict="unchecked"),
    ),
)
SECTION = "% citeplug: 2\n% citeplug:begin p1\n\\paragraph{On  graphs.}\n\\citet{a} do 100\\% of it.\n"


def test_it_says_who_wrote_what_and_what_was_checked() -> None:
    assert print_tex_record(RECORD, SECTION) == (
        "%citeplug 1\n%version 0.1.0\n%made 2026-11-21\n%sources arXiv, Crossref\n%model llama-3.1-:8b\n"
        "%other \\paragraph{On graphs.}\n"
        "%sentence 87 accepted 0 \\citet{a} do 100\\% of it.\n"
        "%sentence 100 unreviewed 1 More~\\cite{b_1}.\n"
        "%sentence 00 unreviewed 0 Graphs differ.\n"
        "%entry verified a\n%entry other b_1\n%entry other c\n"
    )


def test_it_stands_beside_its_section() -> None:
    assert tex_record_of(Path("sections/related.tex")) == Path("sections/related-citeplug.tex")


@pytest.mark.parametrize("attribution", [float("nan"), float("-inf"), 1e300])
def test_a_damaged_record_gives_what_can_be_told(attribution: float) -> None:
    sentence = RecordedSentence("p1", "", "A.", attribution=attribution)
    record = Provenance(citeplug="0.1\\evil\n", made_on="2026-11-21\n\\evil", sentences=(sentence,))
    text = print_tex_record(record, "")
    assert is_tex_record(text)
    assert "evil" not in text.replace("%version 0.1evil\n", "")
    assert is_tex_record(print_tex_record(Provenance(), ""))


@given(st.lists(st.tuples(st.text(), st.text())), st.text())
def test_every_line_is_a_comment_to_tex(sentences: list[tuple[str, str]], key: str) -> None:
    said = tuple(RecordedSentence("p1", "", tex, by=by) for tex, by in sentences)
    text = print_tex_record(Provenance(sentences=said, entries=(RecordedEntry(key, verdict="verified"),)), key)
    assert all(line.startswith("%") for line in text.splitlines())


def test_a_file_of_somebody_elses_is_told_apart() -> None:
    assert is_tex_record("\ufeff" + FIRST_LINE + "\r\n%made 2026-11-21\r\n")
    assert is_tex_record("<<<<<<< HEAD\n" + FIRST_LINE + "\n")
    assert is_tex_record("")
    assert not is_tex_record("\\section{Mine}\n")
    assert not is_tex_record("% my notes on citeplug 1\n")
