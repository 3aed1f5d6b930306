from pathlib import Path

import pytest

from citeplug.errors import UsageError
from citeplug.settings.user_toml import Preferences, Watching, read_preferences

WHOLE = """
[language_model]
use = "anthropic"
model = "claude-opus-5-5"
max_cost = 2
max_tokens = 400000
at_once = 2

[language_model.stages]
ranking = "claude-haiku-5-5"

[watch]
language_model = true
max_cost_per_day = 0.5
max_tokens_per_day = 200000
"""


def read(home: Path, text: str) -> Preferences:
    (home / "config.toml").write_text(text, encoding="utf-8")
    return read_preferences(home)


def test_without_a_file_no_model_is_asked(tmp_path: Path) -> None:
    assert read_preferences(tmp_path) == Preferences()
    assert Preferences().use == "none"


def test_everything_that_can_be_settled_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE) == Preferences(
        "anthropic", "claude-opus-5-5", {"ranking": "claude-haiku-5-5"}, 2.0, 400_000, 2, Watching(True, 0.5, 200_000)
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[language_model", "not TOML"),
        ("[language_modle]\nuse = 'anthropic'", "unknown key language_modle"),
        ("[language_model]\nmax_costs = 1", "unknown key language_model.max_costs"),
        ("[language_model.stages]\nwriting = 'x'", "unknown key language_model.stages.writing"),
        ("[language_model.stages]\nprose = 1", "stages.prose has a value of the wrong type"),
        ("language_model = 1", "language_model has a value of the wrong type"),
        ("[language_model]\nmax_cost = 0", "max_cost is out of range"),
        ("[language_model]\nmax_cost = inf", "max_cost is out of range"),
        ("[language_model]\nmax_cost = nan", "max_cost is out of range"),
        ("[language_model]\nmax_cost = true", "max_cost has a value of the wrong type"),
        ("[language_model]\nmax_tokens = 1.5", "max_tokens has a value of the wrong type"),
        ("[language_model]\nmax_tokens = 0", "max_tokens is out of range"),
        ("[language_model]\nat_once = 1000", "at_once is out of range"),
        ("[language_model]\nuse = ''", "use is empty"),
        ("[watch]\nlanguage_model = 'yes'", "language_model is neither true nor false"),
        ("[watch]\nbudget = 1", "unknown key watch.budget"),
        ("[watch]\nmax_cost_per_day = -1", "max_cost_per_day is out of range"),
        ("[watch]\nmax_cost_per_day = 0x" + "f" * 5_000, "max_cost_per_day is out of range"),
        ("a = " + "1" * 5_000, "is not TOML"),
        ("a = " + "[" * 5_000, "is not TOML"),
        ("watch = 1", "watch has a value of the wrong type"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read(tmp_path, text)


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe[")
    with pytest.raises(UsageError, match="cannot be read"):
        read_preferences(tmp_path)


def test_the_vectors_that_sections_are_chosen_by_can_be_settled(tmp_path: Path) -> None:
    assert read(tmp_path, "").dense is None
    assert read(tmp_path, 'dense = "whole"').dense == "whole"
    for wrong in ('"all"', "true", "[]"):
        with pytest.raises(UsageError, match="dense is out of range"):
            read(tmp_path, f"dense = {wrong}")
