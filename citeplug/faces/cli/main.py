"""The command line. Each command is thin: it reads options, calls one function, prints the result."""

import os
import sys
from pathlib import Path

import click

import citeplug
from citeplug.faces.cli import (
    commands_ask,
    commands_audit,
    commands_bib,
    commands_check,
    commands_doctor,
    commands_edit,
    commands_evaluate,
    commands_gaps,
    commands_graph,
    commands_index,
    commands_init,
    commands_library,
    commands_lsp,
    commands_news,
    commands_overleaf,
    commands_papers,
    commands_prepare,
    commands_related,
    commands_review,
    commands_section,
    commands_start,
    commands_texts,
    commands_watch,
)
from citeplug.faces.cli.console import errors_end_the_process
from citeplug.faces.cli.help_groups import GroupedCommands

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=GroupedCommands, context_settings=CONTEXT)
@click.version_option(citeplug.__version__, prog_name="citeplug")
def cli() -> None:
    """Related work for LaTeX authors: real citations, and a source for every sentence.

    \b
    First steps:
      citeplug demo                       write the section of an example project, offline
      citeplug start main.tex             get the first papers: near your draft, your own, a field, all of arXiv
      citeplug papers main.tex            list the papers that your draft should discuss, and why
      citeplug related main.tex           write related.tex and related.bib beside your draft

    \b
    Exit codes: 0 done; 1 findings, or a file of yours would be overwritten; 2 wrong usage,
    unreadable input, or output that cannot be written; 3 a source could not be reached; 130 cancelled.
    """


for command in (
    *commands_start.COMMANDS,
    *commands_papers.COMMANDS,
    *commands_ask.COMMANDS,
    *commands_related.COMMANDS,
    *commands_index.COMMANDS,
    *commands_library.COMMANDS,
    *commands_graph.COMMANDS,
    *commands_texts.COMMANDS,
    *commands_prepare.COMMANDS,
    *commands_gaps.COMMANDS,
    *commands_audit.COMMANDS,
    *commands_news.COMMANDS,
    *commands_check.COMMANDS,
    *commands_bib.COMMANDS,
    *commands_section.COMMANDS,
    *commands_edit.COMMANDS,
    *commands_review.COMMANDS,
    *commands_watch.COMMANDS,
    *commands_evaluate.COMMANDS,
    *commands_doctor.COMMANDS,
    *commands_init.COMMANDS,
    *commands_lsp.COMMANDS,
    *commands_overleaf.COMMANDS,
):
    cli.add_command(command)


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
