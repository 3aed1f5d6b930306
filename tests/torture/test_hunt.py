"""The hunt in its short form, and proof that it would find what it hunts for."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.torture.case import Case
from tests.torture.hunt import PARTS, Part, hunt
from tests.torture.judge import appended, blocks, fields_kept, kept_but_for, kept_outside, torn, words_lost

BIB = b"""% mine
@article{one,
  title = {A, "B"},
  year = 2001
}
remarks
@misc(two, title = "T, {U}", note={x}, )
@misc{open, title = {Never closed,
@misc{last, title={Z}}
"""


@pytest.mark.parametrize("part", PARTS.values(), ids=list(PARTS))
def test_a_short_hunt_finds_no_loss(part: Part, home: Path, tmp_path: Path) -> None:
    found = hunt(part, range(part.quick), 1, tmp_path / "hunt")
    assert found.lost is None
    assert found.counts


def test_the_judge_stands_on_nothing_of_citeplug() -> None:
    code = "import sys, tests.torture.judge; print([name for name in sys.modules if name.startswith('citeplug')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.stdout.strip() == "[]", done.stderr


def test_entries_are_found_as_far_as_they_go() -> None:
    found = [(block.key, BIB[block.start : block.end]) for block in blocks(BIB)]
    assert [key for key, _ in found] == [b"one", b"two", b"open", b"last"]
    assert found[1][1] == b'@misc(two, title = "T, {U}", note={x}, )'
    assert found[2][1] == b"@misc{open, title = {Never closed,\n"


@pytest.mark.parametrize(
    "after",
    [
        BIB.replace(b"remarks", b"remark"),
        BIB.replace(b"% mine\n", b""),
        BIB.replace(b"\nremarks", b"\r\nremarks"),
        BIB.replace(b'"T, {U}"', b'"T, {U}" '),
        BIB[:-1],
        BIB + b"\n",
        BIB.replace(b"@misc{last, title={Z}}\n", b"") + b"@misc{last, title={Z}}",
        BIB.replace(b"remarks", b"remarks\n@misc{new,}"),
        BIB.replace(b"@article{one", b"@misc{zero,}@article{one"),
    ],
)
def test_any_byte_outside_the_entries_that_were_named_is_missed(after: bytes) -> None:
    assert kept_outside(BIB, after, {b"one"})


def test_what_was_named_may_change_and_of_its_fields_those_alone() -> None:
    after = BIB.replace(b"2001", b"2002")
    assert kept_outside(BIB, after, {b"one"}) is None
    assert kept_outside(BIB, after, set())
    assert fields_kept(BIB, after, {b"one": {b"year"}}) is None
    assert fields_kept(BIB, after, {b"one": {b"title"}})


def test_an_entry_may_go_and_one_may_come_but_nothing_else_moves() -> None:
    after = BIB.replace(BIB[7 : BIB.index(b"remarks")], b"") + b"\n@misc{new,}\n"
    assert kept_but_for(BIB, after, {b"one"}) is None
    assert kept_but_for(BIB, after.replace(b"remarks\n", b"") + b"remarks\n", {b"one"})
    assert kept_but_for(BIB, BIB.replace(b"note={x}", b"note={}"), {b"one"})


def test_what_is_appended_stands_behind_all_that_was_there() -> None:
    assert appended(BIB, BIB + b"\n@misc{a,}\n", 1) is None
    assert appended(BIB, BIB[:-1] + b"\n\n@misc{a,}\n", 1) is None
    assert appended(BIB, BIB[:-2] + b"\n\n@misc{a,}\n", 1)
    assert appended(BIB, BIB + b"\n@misc{a,}\n", 2)


def test_a_word_that_stands_there_less_often_is_missed_unless_it_was_printed() -> None:
    assert words_lost("Zq1q and Zq1q", "Zq1q")
    assert words_lost("Zq1q and Zq12q", "Zq12q")
    assert words_lost("\\paragraph{Zq1q}", "", {"\\paragraph{Zq1q}"}) is None


def test_a_file_in_between_is_torn_and_an_unfinished_one_of_the_writer_s_is_not() -> None:
    before, after = {"a": b"old", "b": b"old"}, {"a": b"new", "b": b"new", "c": b"new"}
    assert torn(before, after, {"a": b"old", "b": b"new", ".citeplug-0a.tmp": b"ne"}) is None
    assert torn(before, after, {"a": b"ne", "b": b"new"})
    assert torn(before, after, {"a": b"old"})
    assert torn(before, after, {**before, "d": b""})


def test_a_merge_that_loses_a_word_ends_the_hunt_with_its_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.harness.authors import Project

    run = Project.run

    def careless(project: Project, seed: int) -> None:
        run(project, seed)
        project.text = project.text.replace("Zq3q", "")

    monkeypatch.setattr(Project, "run", careless)
    found = hunt(PARTS["edits"], range(5), 1, tmp_path / "hunt")
    assert found.lost is not None
    number, loss = found.lost
    assert "Zq3q" in str(loss)
    assert {"before.tex", "after.tex"} <= set(loss.files)
    again = hunt(PARTS["edits"], [number], 1, tmp_path / "again")
    assert again.lost is not None
    assert str(again.lost[1]) == str(loss)


def test_the_same_seed_part_and_number_draw_the_same(tmp_path: Path) -> None:
    one, other = (Case(7, "bibs", 3, tmp_path).chance.random() for _ in range(2))
    assert one == other
    assert Case(7, "bibs", 4, tmp_path).chance.random() != one
