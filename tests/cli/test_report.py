"""The result of a run for a reader."""

import pytest

from citeplug.cli.report import show_titles

KEY = "art:ShumanNarangFrossardOrtegaVandergheynst13ReviewSPG"
TITLE = "The Emerging Field of Signal Processing on Graphs"


def test_a_key_is_never_cut_and_its_title_stands_beneath_where_there_is_no_room(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_titles([("short", TITLE)])
    assert capsys.readouterr().out == f"  short  {TITLE}\n"
    show_titles([("short", TITLE), (KEY, TITLE)])
    assert capsys.readouterr().out.splitlines()[2:] == [f"  {KEY}", f"      {TITLE}"]
