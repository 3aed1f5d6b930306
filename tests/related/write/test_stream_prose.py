"""What is shown of prose while it comes: whole lines, one paragraph behind the other, and nothing that acts."""

import json
from collections.abc import Sequence

import pytest

from citeplug.cli.console import say_aloud
from citeplug.records.dialogue import Heard, Request
from citeplug.related.write.stream_prose import Aloud, Paragraphs
from tests.harness.scripted_models import ScriptedModel


def said(*texts: str) -> str:
    return json.dumps({"sentences": [{"line": 1, "text": text} for text in texts]})


def shown(labels: Sequence[str], *heard: Heard) -> list[str]:
    lines: list[str] = []
    paragraphs = Paragraphs(labels, lines.append)
    for each in heard:
        paragraphs.hear(each)
    return lines


def done(number: int) -> Heard:
    return Heard(number, state="done")


def test_the_first_unfinished_paragraph_is_shown_and_the_others_wait() -> None:
    heard = (Heard(1, said("Second.")), Heard(0, said("First, a.", "First, b.")), done(1), done(0))
    assert shown(["A", "B"], *heard) == ["[A]", "  First, a.", "  First, b.", "[B]", "  Second."]
    assert shown(["A", "B"], *heard[:2]) == ["[A]", "  First, a.", "  First, b."]


def test_a_line_is_shown_as_soon_as_it_is_full() -> None:
    words = "word " * 30
    lines = shown(["A"], Heard(0, said(words)[:140]))
    assert len(lines) == 2
    assert all(len(line) <= 100 for line in lines)
    assert words.startswith(lines[1].strip())


def test_an_answer_that_broke_off_is_shown_anew() -> None:
    heard = (Heard(0, said("One.", "Two.")[:50]), Heard(0, state="anew"), Heard(0, said("One.", "Two.")), done(0))
    assert shown(["A"], *heard) == [
        "[A]",
        "  One.",
        "  ... the answer was interrupted and starts again:",
        "  One.",
        "  Two.",
    ]


def test_what_broke_off_before_it_was_shown_is_not_spoken_of() -> None:
    heard = (Heard(1, said("x")), Heard(1, state="anew"), done(0), Heard(1, said("y")), done(1))
    assert shown(["A", "B"], *heard) == ["[B]", "  y"]


def test_the_end_of_an_answer_that_was_cut_is_shown_too() -> None:
    assert shown(["A"], Heard(0, '{"sentences": [{"text": "Half a sen'), done(0)) == ["[A]", "  Half a sen"]


def test_nothing_that_it_says_acts_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    model = ScriptedModel(lambda *_: {"sentences": [{"text": "a\x1b]0;owned\x07 \u202eb\rc"}]})
    Aloud(model, say_aloud).complete_all([Request("prose", "", "", label="\x1b[31mA")])
    err = capsys.readouterr().err
    assert "owned" in err
    assert not {"\x1b", "\x07", "\u202e", "\r"} & set(err)
    assert err.startswith("what the model writes, not yet checked:\n")


def test_only_prose_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    model = ScriptedModel(lambda *_: {"sentences": [{"text": "a query"}]})
    aloud = Aloud(model, say_aloud)
    aloud.complete(Request("queries", "", ""))
    aloud.complete_all([Request("ranking", "", "")])
    assert capsys.readouterr().err == ""
    assert not aloud.heard
    assert len(model.requests) == 2


def test_summaries_that_are_asked_for_beside_the_prose_are_not_shown() -> None:
    lines: list[str] = []
    model = ScriptedModel(lambda _, request: {"sentences": [{"text": f"{request.label} said."}]})
    requests = [
        Request("prose", "", "", label="A"),
        Request("summaries", "", "", label="B"),
        Request("prose", "", "", label="C"),
    ]
    Aloud(model, lines.append).complete_all(requests)
    assert lines[1:] == ["[A]", "  A said.", "[C]", "  C said."]
    Aloud(model, lines.append).complete_all([Request("judge", "", "", label="D")])
    assert len(lines) == 5
