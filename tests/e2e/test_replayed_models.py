"""`citeplug related` on three drafts, with a strong model's replies sent as Anthropic's service sends them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.e2e.conftest import Done, Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault, Said
from tests.harness.replayed_model import BREADTH, DRAFTS, Replay, stage_of

Spoil = Callable[[Replay, Request], Said]
Play = Callable[..., tuple[Done, Replay]]


@pytest.fixture
def play(run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    def call(name: str, *more: str, spoil: Spoil | None = None) -> tuple[Done, Replay]:
        model = Replay(name)
        (home / "language-models.sqlite").unlink(missing_ok=True)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        main = model.write_draft(folder)
        script: Callable[[Request], Said] = model if spoil is None else lambda request: spoil(model, request)
        with AnthropicServer(script).serve() as server:
            for variable, value in server.environment().items():
                monkeypatch.setenv(variable, value)
            ask = ("related", main, "--offline", "--breadth", str(BREADTH), "--llm", "anthropic", "--json", *more)
            done = run(*ask)
        assert done.code == 0, done.err
        return done, model

    return call


def sentences_of(done: Done) -> list[dict[str, Any]]:
    return [sentence for p in done.json["section"]["paragraphs"] for sentence in p["sentences"]]


def codes_of(done: Done) -> set[str]:
    return {finding["code"] for finding in done.json["findings"]}


def bare(text: str) -> str:
    """The words of a sentence, without citations, symbols and quotation marks."""
    return " ".join(re.findall(r"[a-z]+", re.sub(r"\[[^]]*\]|\\\w+\{[^}]*\}|\$[^$]*\$", " ", text).lower()))


def expected(model: Replay) -> list[str]:
    """The sentences of the last word on each: repaired, polished, or as they were written at first."""
    said = model.said
    found = []
    for heading, items in said["prose"].items():
        texts = [item["text"] for item in items]
        for part, repair in said["repairs"].items():
            texts = [(repair["text"] if repair else "") if part in text else text for text in texts]
        for parts, text in said["polish"].get(heading, []):
            if text:
                texts = [*(each for each in texts if not any(part in each for part in parts)), text]
        found += [text for text in texts if text]
    return found


@pytest.mark.parametrize("name", DRAFTS)
def test_all_that_is_true_is_in_the_section_as_it_was_written(play: Play, name: str) -> None:
    done, model = play(name)
    assert not codes_of(done) & {"claim_suspected", "claim_unsupported", "sentence_replaced", "polish_refused"}
    written = [bare(sentence["text"]) for sentence in sentences_of(done)]
    for text in expected(model):
        # Names of authors stand where the reply has a handle.
        pieces = [bare(piece) for piece in re.split(r"\[@[^]]*\]", text)]
        assert any(all(piece in each for piece in pieces) for each in written), text
    assert len(written) == len(expected(model))
    assert {s["judgement"]["verdict"] for s in sentences_of(done)} == {"entailed"}
    assert {cite["arxiv_id"] for s in sentences_of(done) for cite in s["cites"]} == set(model.papers)


@pytest.mark.parametrize("name", DRAFTS)
def test_what_is_false_is_repaired_or_left_out_and_reported(play: Play, name: str) -> None:
    done, model = play(name)
    for part, repair in model.said["repairs"].items():
        assert part not in done.json["tex_content"]
        reported = [f["message"] for f in done.json["findings"] if f["code"] == "sentence_dropped"]
        assert any(part in message for message in reported) == (repair is None)


def test_a_stream_that_is_cut_is_asked_for_again(play: Play) -> None:
    whole, _ = play("robust")
    cut: list[str] = []

    def spoil(model: Replay, request: Request) -> Said:
        answer = model(request)
        if stage_of(request) in ("prose", "judge") and request.prompt not in cut:
            cut.append(request.prompt)
            return Fault.cut_off(4)
        return answer

    done, _ = play("robust", spoil=spoil)
    assert len(cut) >= 4
    assert done.json["tex_content"] == whole.json["tex_content"]


def test_a_model_that_repeats_itself_for_ever_ends_in_a_whole_section(play: Play) -> None:
    def spoil(model: Replay, request: Request) -> Said:
        if stage_of(request) != "prose":
            return model(request)
        return Answer('{"sentences": [' + '{"line": 1, "kind": "paper", "text": "So it is [1].", "quotes": []}, ' * 400)

    done, model = play("sessions", spoil=spoil)
    cited = {cite["arxiv_id"] for s in sentences_of(done) for cite in s["cites"]}
    reported = " ".join(f["message"] for f in done.json["findings"] if f["code"] == "paper_not_written")
    assert cited <= set(model.papers)
    assert all(value in cited or value in reported for value in model.papers)
    assert len(done.json["section"]["paragraphs"]) == len(model.said["plan"])
    assert "So it is" not in done.json["tex_content"]


@pytest.mark.parametrize("tokens", ["2000", "9000", "15000"])
def test_a_budget_that_is_used_up_anywhere_ends_in_a_whole_section(play: Play, tokens: str) -> None:
    done, _ = play("depth", "--max-tokens", tokens)
    assert "budget_reached" in codes_of(done)
    assert done.json["section"]["paragraphs"]
    shortlist = {item["arxiv_id"] for item in done.json["shortlist"]}
    assert {cite["arxiv_id"] for s in sentences_of(done) for cite in s["cites"]} <= shortlist
    assert all(s["sources"] for s in sentences_of(done))
