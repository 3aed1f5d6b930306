"""The cost of a section, said in the editor before it is asked for."""

from pathlib import Path

import pytest

from citeplug.llm.asked_model import ExpectedCost
from citeplug.llm.chosen_model import Notice, Wanted, language_model
from citeplug.llm.guarded import CarefulModel
from citeplug.records.outcome import Options
from citeplug.settings.environment import read_settings


def silent(notice: Notice) -> None:
    raise AssertionError(notice)


@pytest.mark.parametrize(("llm", "said"), [("anthropic", " This section costs about $0.49."), ("anthropic:new", "")])
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
    assert expected.sentence == said
    assert told == (["about $0.49 for 15 papers"] if said else [])


def test_without_a_model_nothing_is_said() -> None:
    told: list[str] = []
    expected = ExpectedCost(lambda stage, done, total: told.append(stage))
    expected.begin(Options())
    expected.end(told.append)
    assert (expected.sentence, told) == ("", [])
