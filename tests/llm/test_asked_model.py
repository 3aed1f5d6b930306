"""The question before a model gets a draft for the first time, with the cost of the section."""

from pathlib import Path

import pytest

from citeplug.errors import Cancelled
from citeplug.llm.asked_model import ExpectedCost, asked_model
from citeplug.llm.chosen_model import Notice, Sending, Wanted, language_model
from citeplug.llm.guarded import CarefulModel
from citeplug.records.dialogue import Request
from citeplug.records.outcome import Options
from citeplug.settings.environment import read_settings
from tests.harness.anthropic_server import AnthropicServer


def silent(notice: Notice) -> None:
    raise AssertionError(notice)


@pytest.mark.parametrize(("llm", "said"), [("anthropic", "0.49"), ("anthropic:new", "")])
def test_the_question_and_the_progress_say_what_the_section_will_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, llm: str, said: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    told: list[str] = []
    expected = ExpectedCost(lambda stage, done, total: told.append(stage))
    with language_model(Wanted(llm), read_settings({"CITEPLUG_HOME": str(tmp_path)}), silent) as model:
        assert isinstance(model, CarefulModel)
        expected.model = model
        expected.begin(Options(breadth=15))
        expected.end(told.append)
    assert said == (f"{expected.dollars:.2f}" if expected.dollars else "")
    assert told == (["about $0.49 for 15 papers"] if said else [])


def test_without_a_model_nothing_is_said() -> None:
    told: list[str] = []
    expected = ExpectedCost(lambda stage, done, total: told.append(stage))
    expected.begin(Options())
    expected.end(told.append)
    assert (expected.dollars, told) == (0, [])


def test_nothing_is_sent_before_the_author_agreed_to_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.llm.chosen_model.on_loopback", lambda url: False)
    asked: list[str] = []

    def use(agreed: bool) -> None:
        expected = ExpectedCost(lambda stage, done, total: None)
        chosen = read_settings({"CITEPLUG_HOME": str(tmp_path), **server.environment()})

        def consent(question: Sending) -> bool:
            asked.append(str(question))
            return agreed

        with asked_model("anthropic", chosen, consent, expected) as model:
            assert model is not None
            model.complete(Request("prose", "", "Write."))

    with AnthropicServer().serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        with pytest.raises(Cancelled):
            use(agreed=False)
        assert server.requests == []
        use(agreed=True)
        use(agreed=False)  # once for each service
    assert len(server.requests) >= 1 and len(asked) == 2
    assert all(server.root in question for question in asked)


@pytest.mark.parametrize(
    ("config", "limit"),
    [
        ("", "No limit is set: max_cost in config.toml sets one."),
        ("[language_model]\nmax_cost = 1.5\n", "Your limit for a run is $1.50: no request goes beyond it."),
        (
            "[language_model]\nmax_cost = 2\nmax_tokens = 90000\n",
            "Your limit for a run is $2.00 and 90,000 tokens: no request goes beyond it.",
        ),
    ],
)
def test_the_question_says_what_the_run_may_cost_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str, limit: str
) -> None:
    monkeypatch.setattr("citeplug.llm.chosen_model.on_loopback", lambda url: False)
    (tmp_path / "config.toml").write_text(config, "utf-8")
    asked: list[str] = []
    expected = ExpectedCost(lambda stage, done, total: None)

    def refuse(question: Sending) -> bool:
        asked.append(str(question))
        return False

    with AnthropicServer().serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        chosen = read_settings({"CITEPLUG_HOME": str(tmp_path), **server.environment()})
        with pytest.raises(Cancelled), asked_model("anthropic", chosen, refuse, expected) as model:
            assert model is not None
            model.complete(Request("prose", "", "Write."))
    assert limit in asked[0]
