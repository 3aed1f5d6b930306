"""The commands that are not shown at the top: they are called with `advanced` or without it."""

import click

from citeplug.cli.help_groups import ADVANCED_COMMANDS, HIDDEN_COMMANDS, GroupedCommands


@click.group(cls=GroupedCommands, shown=ADVANCED_COMMANDS, hidden=HIDDEN_COMMANDS)
def advanced() -> None:
    """All other commands: sections, catalogue, full texts, evaluation.

    Each also works without the word `advanced`.

    \b
    The same twice:
      citeplug advanced index info
      citeplug index info
    """
