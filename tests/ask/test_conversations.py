"""Conversations are kept by project, and nothing is lost by two processes, a damaged file, or a crash."""

import errno
import json
import multiprocessing
from pathlib import Path

import pytest

from citeplug.ask.conversations import begin, resume
from citeplug.errors import UnreadableInput, UsageError
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedText, Turn
from citeplug.records.section import Judgement

CITATION = AnswerCitation("2205.14135", 3, 4, 9, "tiles", "Results", 7)
SENTENCE = AnswerSentence("It computes “tiles”.", (CITATION,), 0.5, "weak", Judgement("partly", "much", "test:model"))
TEXT = AskedText("2205.14135", "FlashAttention", "full text", "abc", 2)


def turn(question: str) -> Turn:
    return Turn(question, Answer(question, False, (SENTENCE,), (CITATION,), (TEXT,), "test:model"))


def test_a_conversation_comes_back_as_it_was(tmp_path: Path) -> None:
    project = tmp_path / "main.tex"
    mine = begin(tmp_path / "home", project)
    refused = Turn("Why?", Answer("Why?", True, (), (CITATION,), (TEXT,)))
    for each in (turn("How?"), refused):
        mine.add(each)
    assert resume(tmp_path / "home", project).turns == [turn("How?"), refused]


def test_projects_have_conversations_of_their_own_and_the_last_one_is_resumed(tmp_path: Path) -> None:
    for name, question in (("a.tex", "first"), ("b.tex", "other"), ("a.tex", "second")):
        begin(tmp_path / "home", tmp_path / name).add(turn(question))
    assert [each.question for each in resume(tmp_path / "home", tmp_path / "b.tex").turns] == ["other"]
    assert [each.question for each in resume(tmp_path / "home", tmp_path / "a.tex").turns] in (["first"], ["second"])
    with pytest.raises(UsageError, match="no conversation"):
        resume(tmp_path / "home", tmp_path / "c.tex")


def _talk(home: Path, project: Path, name: str) -> None:
    mine = resume(home, project)
    for number in range(10):
        mine.add(turn(f"{name} {number}"))


def test_two_processes_that_go_on_with_one_conversation_lose_nothing(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "main.tex"
    begin(home, project).add(turn("first"))
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_talk, args=(home, project, name)) for name in ("one", "two")]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    kept = [each.question for each in resume(home, project).turns]
    assert sorted(kept) == sorted(["first", *(f"{name} {n}" for name in ("one", "two") for n in range(10))])
    assert [each for each in kept if each.startswith("one")] == [f"one {n}" for n in range(10)]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"turns": 3}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_costs_no_later_turn(tmp_path: Path, damage: bytes) -> None:
    mine = begin(tmp_path / "home", tmp_path / "main.tex")
    mine.add(turn("lost"))
    mine.path.write_bytes(damage)
    mine.add(turn("kept"))
    assert [each.question for each in resume(tmp_path / "home", tmp_path / "main.tex").turns] == ["kept"]


@pytest.mark.parametrize("trouble", [errno.EACCES, errno.EIO])
def test_a_file_that_cannot_be_read_now_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: int
) -> None:
    mine = begin(tmp_path / "home", tmp_path / "main.tex")
    mine.add(turn("first"))

    def fail(*_: object, **__: object) -> None:
        raise OSError(trouble, "it cannot be read")

    with monkeypatch.context() as broken:
        for name in ("read_text", "read_bytes"):
            broken.setattr(Path, name, fail)
        with pytest.raises(UnreadableInput):
            mine.add(turn("second"))
        with pytest.raises(UnreadableInput):
            resume(tmp_path / "home", tmp_path / "main.tex")
    assert [each.question for each in resume(tmp_path / "home", tmp_path / "main.tex").turns] == ["first"]
    assert [each.question for each in mine.turns] == ["first", "second"]


def test_what_is_damaged_is_put_aside(tmp_path: Path) -> None:
    mine = begin(tmp_path / "home", tmp_path / "main.tex")
    mine.add(turn("lost"))
    mine.path.write_bytes(b'{"turns": 3}')
    mine.add(turn("kept"))
    assert mine.path.with_suffix(".damaged").read_bytes() == b'{"turns": 3}'


@pytest.mark.parametrize("name", ["question", "answer"])
def test_a_damaged_turn_is_left_out(tmp_path: Path, name: str) -> None:
    mine = begin(tmp_path / "home", tmp_path / "main.tex")
    for question in ("one", "two"):
        mine.add(turn(question))
    said = json.loads(mine.path.read_text(encoding="utf-8"))
    said["turns"][0][name] = 7
    mine.path.write_text(json.dumps(said), encoding="utf-8")
    assert [each.question for each in resume(tmp_path / "home", tmp_path / "main.tex").turns] == ["two"]


def test_the_newest_fifty_conversations_of_a_project_are_kept(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "main.tex"
    first = begin(home, project)
    first.add(turn("first"))
    for number in range(60):
        first.path.with_name(f"20300101-0000{number:02}-aaaaaa.json").write_text("{}")
    begin(home, project).add(turn("last"))
    assert len(list(first.path.parent.glob("*.json"))) == 50
    assert not first.path.exists()
