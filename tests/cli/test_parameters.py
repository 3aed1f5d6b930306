"""A record of parameters becomes a click command: the types of its fields say what is read."""

from datetime import date
from pathlib import Path
from typing import Literal

import click
import pytest
from click.testing import CliRunner

from citeplug.cli.main import cli
from citeplug.cli.options import UpkeepOptions
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.records.outcome import Options
from citeplug.records.setting import settings_of


@parameters
class Shared:
    flag: bool = option("A flag.")
    count: int = option("A count.", "-k", default=3, between=(1, 5))


@parameters
class Every(Shared):
    main: Path = argument("MAIN")
    rest: tuple[str, ...] = argument("[REST]...")
    tri: bool | None = option("Yes, no, or neither.")
    on: bool = option("On unless said otherwise.", default=True)
    kind: Literal["a", "b"] = option("One of two.", default="a")
    day: date | None = option("A day.")
    names: tuple[str, ...] = option("Names.", "--name")


def run(*arguments: str) -> Every | str:
    received: list[Every] = []

    @command("Example.")
    def every(params: Every) -> None:
        """Do something."""
        received.append(params)

    done = CliRunner().invoke(every, arguments)
    return received[0] if received else done.output


def test_what_is_left_out_is_the_default_of_the_field() -> None:
    assert run("a.tex") == Every(main=Path("a.tex"), rest=(), names=())


def test_each_type_reads_its_own_values() -> None:
    words = "a.tex x y --flag -k 5 --no-tri --no-on --kind b --day 2024-05-06 --name p --name q".split()
    expected = Every(
        main=Path("a.tex"),
        rest=("x", "y"),
        flag=True,
        count=5,
        tri=False,
        on=False,
        kind="b",
        day=date(2024, 5, 6),
        names=("p", "q"),
    )
    assert run(*words) == expected


@pytest.mark.parametrize("words", ["", "a.tex -k 6", "a.tex --kind c", "a.tex --day yesterday", "a.tex --nosuch"])
def test_a_value_that_the_type_does_not_have_is_refused(words: str) -> None:
    said = run(*words.split())
    assert isinstance(said, str) and "Error" in said


def test_a_records_own_options_are_shown_before_those_that_it_inherits() -> None:
    shown = run("--help")
    assert isinstance(shown, str)
    assert shown.index("--tri") < shown.index("--flag") < shown.index("-k N")
    assert "[default: 3]" in shown and "[default: a]" in shown


def test_an_option_of_a_run_bears_the_name_that_its_setting_has() -> None:
    """The command line, the document and citeplug.toml speak of one table: the fields of `Options`."""
    related = cli.commands["related"]
    options = {name for parameter in related.params for name in parameter.opts}
    assert {setting.option for setting in settings_of(Options)} <= options


def test_models_on_this_machine_are_settings_that_help_does_not_show() -> None:
    watch = cli.commands["watch"]
    hidden = {each.name for each in watch.params if isinstance(each, click.Option) and each.hidden}
    assert hidden >= {"embedder", "device", "rescorer"}
    assert UpkeepOptions(embedder="./model").embedder == "./model"


def test_what_help_does_not_show_is_taken_all_the_same() -> None:
    """Options that every command has, that another one replaces, or that belong into a file of settings."""
    shown = CliRunner().invoke(cli, ["--help"]).output
    assert "-q to print less" in shown and "citeplug.toml" in shown
    for name, options in {
        "audit": ("breadth", "before", "pin", "models", "max_tokens", "as_json", "quiet"),
        "watch": ("breadth", "diversity", "verbose"),
        "fetch": ("papers",),
    }.items():
        by_name = {each.name: each for each in cli.commands[name].params if isinstance(each, click.Option)}
        text = CliRunner().invoke(cli, [name, "--help"]).output
        assert all(by_name[option].hidden and f" {by_name[option].opts[-1]} " not in text for option in options)
