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
        ("[language_model.stages]\nprose = 1", "language_model.stages.prose must be a name"),
        ("language_model = 1", "language_model is a table"),
        ("[language_model]\nmax_cost = 0", "language_model.max_cost must be a number from 0.0001 to 1000000000000"),
        ("[language_model]\nmax_cost = inf", "language_model.max_cost must be a number"),
        ("[language_model]\nmax_cost = nan", "language_model.max_cost must be a number"),
        ("[language_model]\nmax_cost = true", "language_model.max_cost must be a number"),
        ("[language_model]\nmax_tokens = 1.5", "language_model.max_tokens must be a whole number"),
        ("[language_model]\nmax_tokens = 0", "language_model.max_tokens must be a whole number from 1"),
        ("[language_model]\nat_once = 1000", "language_model.at_once must be a whole number from 1 to 64"),
        ("[language_model]\nuse = ''", "language_model.use must be a name"),
        ("[watch]\nlanguage_model = 'yes'", "watch.language_model must be true or false"),
        ("[watch]\nbudget = 1", "unknown key watch.budget"),
        ("[watch]\nmax_cost_per_day = -1", "watch.max_cost_per_day must be a number from 0.0001"),
        ("[watch]\nmax_cost_per_day = 0x" + "f" * 5_000, "watch.max_cost_per_day must be a number from 0.0001"),
        ("a = " + "1" * 5_000, "is not TOML"),
        ("a = " + "[" * 5_000, "is not TOML"),
        ("watch = 1", "watch is a table"),
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
        with pytest.raises(UsageError, match="dense must be one of candidates, all-candidates, whole"):
            read(tmp_path, f"dense = {wrong}")
