"""Help is short at the top: at most five everyday options, everything else under a heading."""

import click
import pytest
from click.testing import CliRunner

from citeplug.cli.help_groups import ADVANCED_COMMANDS, EVERYDAY, EVERYDAY_COMMANDS, HIDDEN_COMMANDS, GroupedCommand
from citeplug.cli.main import cli

GROUPED = [name for name, command in cli.commands.items() if isinstance(command, GroupedCommand)]


def sections(text: str) -> dict[str, list[str]]:
    """Names of options or commands by heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in text.splitlines():
        if line and not line.startswith(" "):
            heading = line.rstrip(":")
        elif line.startswith("  ") and not line.startswith("   "):
            found.setdefault(heading, []).append(line.split()[0].rstrip(","))
    return found


@pytest.mark.parametrize("name", GROUPED)
def test_at_most_five_everyday_options_and_none_without_a_heading(name: str) -> None:
    shown = sections(CliRunner().invoke(cli, [name, "--help"]).output)
    assert len(shown[EVERYDAY]) == 5
    assert "Other options" not in shown
    command = cli.commands[name]
    options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    listed = [each for heading, names in shown.items() if heading != f"Usage: {name}" for each in names]
    assert sum(each.startswith("-") for each in listed) == len(options) + 1  # and --help


def test_every_command_with_many_options_is_grouped() -> None:
    many = {
        name for name, command in cli.commands.items() if sum(isinstance(p, click.Option) for p in command.params) > 16
    }
    assert many <= set(GROUPED)


@pytest.mark.parametrize("name", list(cli.commands))
def test_the_help_of_all_commands_says_of_each_what_its_own_says(name: str) -> None:
    said = {
        name: line
        for group in (*EVERYDAY_COMMANDS.values(), *ADVANCED_COMMANDS.values())
        for name, (_, line) in group.items()
    }
    assert (name in HIDDEN_COMMANDS) or said[name] == cli.commands[name].get_short_help_str(limit=200)


def test_sixteen_commands_are_shown_and_all_others_stand_behind_one() -> None:
    first = sections(CliRunner().invoke(cli, ["--help"]).output)
    rest = sections(CliRunner().invoke(cli, ["advanced", "--help"]).output)
    shown = [name for heading in EVERYDAY_COMMANDS for name in first[heading]]
    others = [name for heading in ADVANCED_COMMANDS for name in rest[heading]]
    assert len(shown) == 16 + 1 and "advanced" in shown
    assert sorted([*shown, *others]) == sorted(cli.commands)
    assert all(cli.commands[name] for name in HIDDEN_COMMANDS)


def test_an_advanced_command_is_the_same_with_and_without_the_word() -> None:
    alone, behind = (CliRunner().invoke(cli, [*words, "strip", "--help"]) for words in ([], ["advanced"]))
    assert alone.exit_code == behind.exit_code == 0
    assert alone.output.split(" strip ", 1)[1] == behind.output.split(" strip ", 1)[1]


def test_the_help_of_the_longest_command_fits_on_seventy_lines_of_a_usual_terminal() -> None:
    shown = CliRunner().invoke(cli, ["related", "--help"], terminal_width=80).output.splitlines()
    assert len(shown) <= 70 and max(map(len, shown)) <= 80
    assert len({line.index(line[2:].split("  ")[-1].strip()) for line in shown if line.startswith("  --")}) == 1


def test_a_group_gives_the_first_sentence_of_a_command_in_full() -> None:
    shown = CliRunner().invoke(cli, ["section", "--help"], terminal_width=80).output
    assert "..." not in shown.partition("Commands:")[2] and "arXiv publishes sources" in " ".join(shown.split())
