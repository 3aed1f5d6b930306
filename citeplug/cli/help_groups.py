"""Help under headings: the everyday options of a command first, and the commands by what they are for.

No library does it at this price: cloup adds 30 ms to every start, rich-click draws with rich, which takes longer than
the whole of `citeplug --help` may.
"""

import importlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, cast

import click

from citeplug.cli.console import use_colour

_COLUMN = 20  # columns of an option; what is longer stands in a line of its own
_SWITCH = re.compile(r"--([\w-]+) / --no-\1")
EVERYDAY = "Everyday options"
_GROUPS: Mapping[str, Sequence[str]] = {
    "Which papers": (
        "count", "sort", "new", "since", "breadth", "before", "first_day", "categories", "topics", "pin", "exclude",
        "missing", "queries", "papers", "library", "cited", "shortlist", "questions", "deep", "rounds", "seeds", "most",
        "passages", "within", "wait",
    ),
    "The text": ("columns", "words", "table", "plan_only", "plan_text", "replan", "only"),
    "A conversation": ("chat", "resume"),
    "Blind review": ("anonymous", "authors"),
    "Services and models": ("offline", "online", "sources", "llm", "models", "max_cost"),
    "Files and output": (
        "form", "whole", "fail_on", "baseline", "write_baseline",
        "out", "bib", "insert", "sentence", "save", "changed_only", "force", "dry_run", "diff", "as_json", "quiet",
        "verbose", "_click_default_help",
    ),
    "For experts": (
        "diversity", "rank", "depth", "whole_draft", "as_published", "strategy", "summaries", "polish", "quotes",
        "pinpoint", "model_queries", "max_tokens",
    ),
}  # fmt: skip


class Formatter(click.HelpFormatter):
    """Headings and names stand out on a terminal, and all sections of a help share one column."""

    names = 0  # columns of the names, in every section

    def write_heading(self, heading: str) -> None:
        super().write_heading(_styled(heading, bold=True))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _COLUMN, col_spacing: int = 2) -> None:
        rows = list(rows)
        width = self.names or min(max(len(name) for name, _ in rows), col_max)
        super().write_dl([(_styled(f"{name:{width}}", fg="cyan"), words) for name, words in rows], width, col_spacing)


def _styled(words: str, **style: Any) -> str:
    return click.style(words, **style) if use_colour(sys.stdout) else words


click.Context.formatter_class = Formatter  # of every command and group


class WholeGroup(click.Group):
    """A group whose help gives the first sentence of a command in full; click's own cuts it to a line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, one.get_short_help_str(limit=200)) for name, one in sorted(self.commands.items())]
            )


class GroupedCommand(click.Command):
    """A command whose help has its `everyday` options first, at most five, and the others under headings."""

    def __init__(self, *args: object, everyday: Sequence[str] = (), **values: object) -> None:
        super().__init__(*args, **values)  # type: ignore[arg-type]
        self._everyday = everyday

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(ctx, formatter)
        super().format_epilog(ctx, formatter)  # the example, which so many options would push off the screen

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pass

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: list[tuple[str, list[tuple[str, str]]]] = []
        for heading, parameters in self._grouped(ctx):
            records = [
                (_SWITCH.sub(r"--[no-]\1", record[0]), record[1])
                for option in parameters
                if (record := option.get_help_record(ctx)) is not None
            ]
            if records:
                sections.append((heading, records))
        _write_sections(formatter, sections)

    def _grouped(self, ctx: click.Context) -> Iterator[tuple[str, list[click.Option]]]:
        left = {
            option.name: option
            for option in self.get_params(ctx)
            if isinstance(option, click.Option) and not option.hidden
        }
        for heading, names in {EVERYDAY: self._everyday, **_GROUPS}.items():
            yield heading, [left.pop(name) for name in names if name in left]
        yield "Other options", list(left.values())


def _write_sections(formatter: click.HelpFormatter, sections: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> None:
    if isinstance(formatter, Formatter):
        widths = (len(name) for _, rows in sections for name, _ in rows)
        formatter.names = max((width for width in widths if width <= _COLUMN), default=0)
    for heading, rows in sections:
        with formatter.section(heading):
            formatter.write_dl(rows)


# Commands by what they are for, each with the module `commands_...` that it is in, loaded when it is called, and its
# help in one line, shown without loading it.
Commands = Mapping[str, Mapping[str, tuple[str, str]]]
EVERYDAY_COMMANDS: Commands = {
    "Begin": {
        "demo": ("related", "Make an example project in DIR and write its section, offline."),
        "start": ("start", "Get your first papers, from arXiv or from files of your own."),
        "doctor": ("doctor", "Check what citeplug needs on this machine, and say how to fix it."),
    },
    "Find papers": {
        "papers": ("papers", "List the papers that a draft should discuss, best first, and why."),
        "search": ("index", "Search the catalogue, or with --passages the full texts."),
        "ask": ("ask", "Answer a question from papers, or say that none answers it."),
    },
    "Write the section": {
        "related": ("related", "Write related.tex and related.bib: a source for every sentence."),
        "review": ("review", "Review a section in your browser, beside its sources."),
        "status": ("section", "Show the state of a section, and what to do next."),
        "watch": ("watch", "Keep the section up to date while you write, until Ctrl-C."),
        "overleaf": ("overleaf", "Work with a project on Overleaf, in its own page or by git."),
        "remove": ("section", "Remove citeplug's section from a project."),
    },
    "Put references right": {
        "audit": ("audit", "Find wrong references and missing papers, as a reviewer would."),
        "check": ("check", "Compare every entry of a bibliography with arXiv's record."),
        "fix": ("bib", "Correct certain errors in a bibliography; no other byte changes."),
        "cite": ("bib", "Print the entry of a paper, or append it to your .bib file."),
    },
    "Everything else": {
        "advanced": ("advanced", "All other commands: sections, catalogue, full texts, evaluation."),
    },
}
# `citeplug advanced --help` shows these; they are called by their names alone, too.
ADVANCED_COMMANDS: Commands = {
    "Write": {
        "gaps": ("gaps", "Show what the discussed works leave open, and what you address."),
        "table": ("table", "Write related-table.tex, which compares the discussed works."),
    },
    "Review": {
        "section": ("section", "Accept, reject, edit or move parts of a section."),
    },
    "Papers on this machine": {
        "index": ("index", "Manage the catalogue: the records of papers on this machine."),
        "library": ("library", "Manage your own .bib files and PDFs, searched along with arXiv's."),
        "graph": ("graph", "Manage the citation graph: which paper cites which."),
        "fetch": ("texts", "Download and keep the full texts of papers."),
        "paper": ("texts", "Show a paper's text, its references, or what others say about it."),
        "prepare": ("prepare", "Collect the questions that papers answer, with the answers."),
    },
    "Evaluate": {
        "evaluate": ("evaluate", "Measure what citeplug or another system finds and writes."),
    },
    "Set up": {
        "init": ("init", "Show how a project is read, and write a commented citeplug.toml."),
        "lsp": ("lsp", "Run the language server for editors."),
    },
}


# Earlier names of what other commands do now, by their modules; no help shows them.
HIDDEN_COMMANDS: Mapping[str, str] = {
    "plan": "related",
    "news": "papers",
    "draft": "section",
    "accept": "section",
    "reject": "section",
    "edit": "section",
    "move": "section",
    "strip": "section",
    "read": "texts",
    "references": "graph",
    "mentions": "graph",
}


class _Loaded(Mapping[str, click.Command]):
    """The commands of these groups by name; to get one loads its module.

    So does that of one that is `hidden`, by name and module, which is neither listed nor suggested.
    """

    def __init__(self, *groups: Mapping[str, tuple[str, str]], hidden: Mapping[str, str]) -> None:
        self._modules = {name: module for group in groups for name, (module, _) in group.items()}
        self._hidden = hidden

    def __getitem__(self, name: str) -> click.Command:
        module = importlib.import_module(f"citeplug.cli.commands_{self._modules.get(name) or self._hidden[name]}")
        command: click.Command = getattr(module, name)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class GroupedCommands(click.Group):
    """A group of commands that are loaded when they are called; its help has those `shown` by what they are for.

    The `others`, and those `hidden` in the named modules, are called by their names, and not shown.
    """

    def __init__(
        self, *, shown: Commands, others: Commands | None = None, hidden: Mapping[str, str], **values: Any
    ) -> None:
        self._shown = shown
        loaded = _Loaded(*shown.values(), *(others or {}).values(), hidden=hidden)
        super().__init__(commands=cast(MutableMapping[str, click.Command], loaded), **values)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        if isinstance(formatter, Formatter):
            formatter.names = 0  # options have a column of their own
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = {heading: [(name, line) for name, (_, line) in group.items()] for heading, group in self._shown.items()}
        _write_sections(formatter, list(rows.items()))
