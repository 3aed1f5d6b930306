"""The command line. Each command is thin: it reads options, calls one function, prints the result."""

import os
import sys
from pathlib import Path

import click

import citeplug
from citeplug.cli.console import errors_end_the_process
from citeplug.cli.help_groups import ADVANCED_COMMANDS, EVERYDAY_COMMANDS, HIDDEN_COMMANDS, GroupedCommands

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

_EPILOG = """Every command takes -q to print less and -v to print more (-vv: even more). 'citeplug init' writes a
citeplug.toml that explains every setting.

Exit codes: 0 done; 1 findings, or a file of yours would have been overwritten; 2 wrong usage, unreadable input, or
output that could not be written; 3 a source could not be reached; 130 cancelled."""


@click.group(
    cls=GroupedCommands,
    shown=EVERYDAY_COMMANDS,
    others=ADVANCED_COMMANDS,
    hidden=HIDDEN_COMMANDS,
    context_settings=CONTEXT,
    epilog=_EPILOG,
)
@click.version_option(citeplug.__version__, prog_name="citeplug")
def cli() -> None:
    """Related work for LaTeX authors: real citations, and a source for every sentence.

    \b
    First steps:
      citeplug demo                       write the section of an example
      citeplug start main.tex             get your first papers
      citeplug related main.tex           write related.tex and related.bib
      citeplug review main.tex            read each sentence beside its source
      citeplug related main.tex --insert  add the section to your draft
    """


def main() -> None:
    """Run the command line; every expected failure becomes a message and an exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started the process
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        # A console that cannot show a character shows a question mark instead of failing.
        getattr(getattr(sys, name), "reconfigure", lambda **_: None)(errors="replace")
    with errors_end_the_process():
        # Not click's standalone mode: that ends an interrupted run with 1, which here means findings.
        code = cli.main(standalone_mode=False)
        raise SystemExit(code if isinstance(code, int) else 0)
