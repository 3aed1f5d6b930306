"""The one table of docs/configuration.md says what the code does."""

import re
from pathlib import Path

import click

from citeplug.cli.main import cli
from citeplug.latex.document_options import _KEYS, _LISTS
from citeplug.latex.sty import package_file
from citeplug.records.outcome import Options
from citeplug.records.setting import Setting
from citeplug.settings.known_settings import JOINED, OF_A_RUN, OUT, SETTINGS
from citeplug.settings.project_toml import users_own
from citeplug.settings.user_toml import PREFERENCES

TEXT = (Path(__file__).parents[1] / "docs" / "configuration.md").read_text("utf-8")
ROWS = {
    cells[0]: cells[2:]
    for line in TEXT.splitlines()
    if line.startswith("| `") and len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 8 and cells[1]
}
WORDS = {None: "none", (): "none"}
TOLD = {
    "breadth": "`20`, with a model 25",
    "words": "as needed",
    "categories": "all",
    "root": "the one that is found",
    "before": "today",
    "deep": "where enough lists are known",
    "quotes": "yes",
    "pinpoint": "no",
    "whole_draft": "no",
    "rank": "`permutation` with a model, else `hybrid`",
}


def name(setting: Setting) -> str:
    return {"strategy": "style", "first_day": "from"}.get(setting.name, setting.name)


def code(text: str | None) -> str:
    return f"`{text}`" if text else "–"


def test_every_setting_has_its_row_with_its_places_default_and_range() -> None:
    for setting in SETTINGS:
        default = TOLD.get(setting.name) or WORDS.get(setting.default, f"`{setting.default}`")
        row = [code(setting.option), code(setting.document), code(setting.toml), "–", default, setting.range]
        assert ROWS[f"`{name(setting)}`"] == row


def test_what_is_yours_alone_can_be_said_nowhere_else() -> None:
    ours = {f"`{name(setting)}`" for setting in SETTINGS}
    for setting, row in ROWS.items():
        if setting not in ours:
            assert row[1:3] == ["–", "–"], setting


def test_every_setting_of_the_table_that_a_project_may_try_is_refused_by_name() -> None:
    ours = {name(setting) for setting in SETTINGS}
    for setting in ROWS:
        for bare in re.findall(r"`([a-z_]+)`", setting):
            assert bare in ours or bare == "plan_text" or users_own(bare), bare


def test_every_key_of_the_users_own_file_has_a_row() -> None:
    told = re.findall(r"`([a-z_.]+)`", " ".join(f"{name} {row[3]}" for name, row in ROWS.items()))
    keys = {"language_model.stages" if key.startswith("language_model.stages.") else key for key in PREFERENCES}
    assert keys <= set(told) and {key for key in told if key.partition(".")[0] == "language_model"} <= keys


def test_the_options_of_the_command_line_are_options_of_a_command() -> None:
    known = {
        option
        for command in (cli.commands["related"], cli.commands["check"], cli.commands["search"])
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    assert {option for row in ROWS.values() for option in re.findall(r"--[a-z-]+", row[0])} <= known


def test_the_table_of_settings_agrees_with_the_options_of_a_run() -> None:
    for setting in OF_A_RUN:
        assert getattr(Options(), setting.name) == setting.default
    keys = {setting.document for setting in (*OF_A_RUN, OUT) if setting.document and "\\" not in setting.document}
    assert set(_KEYS) == keys and set(_LISTS) == set(JOINED)


def test_the_latex_package_knows_the_same_options() -> None:
    listed = re.search(r"\{ (breadth [a-z, ]+) \}", package_file().read_text("utf-8"))
    assert listed is not None and {key.strip() for key in listed[1].split(",")} == set(_KEYS)
