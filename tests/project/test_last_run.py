"""The journal: what was finished is known, and nothing else is."""

import json
from pathlib import Path

import pytest

from citeplug.project.last_run import Finished, Journal


def test_what_was_finished_is_known_to_the_next_process(tmp_path: Path) -> None:
    root = tmp_path / "paper" / "main.tex"
    done = Finished({"abstract": "12", "plan": "34"}, "written", "why")
    Journal(tmp_path / "home", root).finish("section", done)
    assert Journal(tmp_path / "home", root).last("section") == done
    assert Journal(tmp_path / "home", root).last("another") is None
    assert Journal(tmp_path / "home", tmp_path / "other" / "main.tex").last("section") is None


def test_stages_are_kept_apart(tmp_path: Path) -> None:
    journal = Journal(tmp_path, tmp_path / "main.tex")
    journal.finish("one", Finished({"a": "1"}, "due"))
    journal.finish("two", Finished({"b": "2"}, "written"))
    assert (journal.last("one"), journal.last("two")) != (None, None)
    assert journal.last("one") != journal.last("two")


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\x00\xff",
        b"[]",
        b"{",
        b'{"format": 2, "stages": {}}',
        b'{"format": 1, "stages": {"section": 3}}',
        b'{"format": 1, "stages": {"section": {"inputs": [], "end": "written", "note": "", "when": ""}}}',
        b'{"format": 1, "stages": {"section": {"inputs": {}, "end": "perhaps", "note": "", "when": ""}}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_journal_means_that_nothing_is_known(tmp_path: Path, damage: bytes) -> None:
    journal = Journal(tmp_path, tmp_path / "main.tex")
    journal.finish("section", Finished({"a": "1"}, "written"))
    journal.path.write_bytes(damage)
    assert journal.last("section") is None
    journal.finish("section", Finished({"a": "2"}, "written"))
    assert journal.last("section") is not None


def test_the_journal_lies_in_the_users_directory_and_names_its_project(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "home", tmp_path / "paper" / "main.tex")
    journal.finish("section", Finished({}, "refused"))
    assert journal.path.is_relative_to(tmp_path / "home")
    assert json.loads(journal.path.read_bytes())["root"] == str(tmp_path / "paper" / "main.tex")
