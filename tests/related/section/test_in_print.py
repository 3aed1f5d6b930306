"""A citation reads as it prints: beside the text or as a part of it, by the command that the draft's packages have."""

import pytest

from citeplug.related.section.in_print import PrintedWork, cited_prose, readable

WORKS = {"li": PrintedWork("Li", "2015", "Gated Graphs"), "xu": PrintedWork("Xu et al.", "2018", "Jumping Knowledge")}


def in_print(tex: str) -> str:
    return "".join(part for part, _ in cited_prose(readable(tex), WORKS, tex))


@pytest.mark.parametrize("command", ["citet", "Citet", "textcite", "Textcite", "citeA", "citeasnoun", "citet*"])
def test_the_authors_are_a_part_of_the_sentence(command: str) -> None:
    assert in_print(f"\\{command}{{li}} study graphs.") == "Li (2015) study graphs."


@pytest.mark.parametrize("command", ["cite", "citep", "parencite", "autocite"])
def test_the_citation_stands_beside_the_sentence(command: str) -> None:
    assert in_print(f"Graphs are studied~\\{command}{{li,xu}}.") == "Graphs are studied (Li, 2015; Xu et al., 2018)."


def test_people_whom_the_text_names_are_not_named_again() -> None:
    assert in_print("Xu et al.~\\cite{xu} study graphs.") == "Xu et al. (2018) study graphs."


def test_people_with_a_particle_begin_a_sentence_with_a_capital() -> None:
    works = {"vl": PrintedWork("von Luxburg", "2007", "A Tutorial")}
    tex = "Von Luxburg~\\cite{vl} describes graphs."
    assert "".join(part for part, _ in cited_prose(readable(tex), works, tex)) == "Von Luxburg (2007) describes graphs."


def test_the_key_of_an_unknown_work_stays() -> None:
    assert in_print("Graphs~\\citep{none}.") == "Graphs [none]."
