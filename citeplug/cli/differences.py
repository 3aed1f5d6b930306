"""Diffs, printed."""

import sys

import click

from citeplug.cli.console import safe, use_colour, write_utf8

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def show_unified(diff: str) -> None:
    """Print in colours and without control characters on a terminal; unchanged to a pipe, for `patch`."""
    if not sys.stdout.isatty():
        write_utf8(diff)
        return
    for line in diff.splitlines():
        colour = _COLOURS.get(line[:1]) if use_colour(sys.stdout) and not line.startswith(("+++", "---")) else None
        click.echo(click.style(safe(line), fg=colour))
