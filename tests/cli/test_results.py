"""Search results for a reader."""

import pytest

from citeplug.cli.results import show_candidates
from citeplug.records.paper import Candidate
from tests.harness.papers import paper

SURVEY = paper("1807.07984", "Attention Models in Graphs: A Survey")
NETWORKS = paper("1710.10903", "Graph Attention Networks")


def shown(capsys: pytest.CaptureFixture[str], text: str) -> str:
    show_candidates([Candidate(one, 1, 1, ("lexical",)) for one in (NETWORKS, SURVEY)], text)
    return capsys.readouterr().out


def test_words_in_a_title_are_not_said_again_and_the_next_command_cites(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, "graph attention survey")
    assert "in the title" not in out
    assert out.splitlines()[-1].startswith("next: citeplug cite 1710.10903    ")


def test_that_no_result_has_a_word_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "cooking").count("meaning") == 1
