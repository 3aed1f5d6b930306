"""Help under headings: the everyday options of a command first, and the commands by what they are for.

No library does it at this price: cloup adds 30 ms to every start, rich-click draws with rich, which takes longer than
the whole of `citeplug --help` may.
"""

import importlib
import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any, cast

import click

_SWITCH = re.compile(r"--([\w-]+) / --no-\1")
EVERYDAY = "Everyday options"
_GROUPS: Mapping[str, Sequence[str]] = {
    "Which papers": (
        "count", "sort", "new", "since", "breadth", "diversity", "before", "first_day", "categories", "topics", "pin",
        "exclude", "missing",
        "queries", "papers", "library", "cited", "shortlist", "questions",
        "rank", "deep", "rounds", "seeds", "most", "depth", "whole_draft", "as_published", "passages",
        "within", "wait",
    ),
    "The text": (
        "columns", "words", "table", "plan_only", "plan_text", "replan", "only", "strategy", "summaries", "polish",
        "quotes", "pinpoint",
    ),
    "A conversation": ("chat", "resume"),
    "Blind review": ("anonymous", "authors"),
    "With a language model": ("llm", "models", "model_queries", "max_cost", "max_tokens"),
    "What may be contacted": ("offline", "online", "sources"),
    "Files and output": (
        "form", "whole", "fail_on", "baseline", "write_baseline",
        "out", "bib", "insert", "sentence", "save", "changed_only", "force", "dry_run", "diff", "as_json", "quiet",
        "verbose", "_click_default_help",
    ),
}  # fmt: skip


class GroupedCommand(click.Command):
    """A command whose help has its `everyday` options first, at most five, and the others under headings."""

    def __init__(self, *args: object, everyday: Sequence[str] = (), **values: object) -> None:
        super().__init__(*args, **values)  # type: ignore[arg-type]
        self._everyday = everyday

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, parameters in self._grouped(ctx):
            records = [
                (_SWITCH.sub(r"--[no-]\1", record[0]), record[1])
                for option in parameters
                if (record := option.get_help_record(ctx)) is not None
            ]
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def _grouped(self, ctx: click.Context) -> Iterator[tuple[str, list[click.Option]]]:
        left = {each.name: each for each in self.get_params(ctx) if isinstance(each, click.Option) and not each.hidden}
        for heading, names in {EVERYDAY: self._everyday, **_GROUPS}.items():
            yield heading, [left.pop(name) for name in names if name in left]
        yield "Other options", list(left.values())


# Commands by what they are for, each with the module `commands_...` that it is in, loaded when it is called, and its
# help in one line, shown without loading it.
Commands = Mapping[str, Mapping[str, tuple[str, str]]]
EVERYDAY_COMMANDS: Commands = {
    "Write": {
        "start": (
            "start",
            "Get your first papers: those near your draft, your own, a field of arXiv, or all of arXiv.",
        ),
        "papers": ("papers", "List the papers that a draft should discuss, best first, and why; writes nothing."),
        "related": (
            "related",
            "Write related.tex and related.bib for a draft: real citations, and a source for every sentence.",
        ),
        "review": (
            "review",
            "Review a section in your browser: its plan, its text, and the source of each sentence.",
        ),
        "status": (
            "section",
            "Show what is current, out of date, edited, unreviewed or unverified in a section, and what to do next.",
        ),
        "watch": ("watch", "Keep the section up to date while you write, until Ctrl-C."),
        "overleaf": ("overleaf", "Work with a project on Overleaf, in its own page or by git."),
        "remove": ("section", "Remove citeplug's section from a project."),
    },
    "References": {
        "check": ("check", "Compare every entry of a bibliography with arXiv's record of the paper."),
        "cite": ("bib", "Print the bibliography entry for a paper, or append it to your .bib file."),
        "audit": ("audit", "Read your draft as a reviewer would: are its references right, and what is missing?"),
    },
    "Papers": {
        "ask": ("ask", "Answer a question from papers, or say that none of them answers it."),
    },
    "Set up": {
        "demo": ("related", "Make an example project in DIR (default: citeplug-demo) and write its section, offline."),
        "doctor": ("doctor", "Check that this machine has what citeplug needs, and say how to fix what is wrong."),
        "advanced": ("advanced", "All other commands: editing a section, the catalogue, full texts, evaluation."),
    },
}
# `citeplug advanced --help` shows these; they are called by their names alone, too.
ADVANCED_COMMANDS: Commands = {
    "Write": {
        "gaps": ("gaps", "Show what the works discussed in a draft leave open, and where the draft addresses it."),
        "table": (
            "table",
            "Write related-table.tex: the works discussed in a draft, compared side by side.",
        ),
    },
    "Review": {
        "section": (
            "section",
            "Change a written section: accept, reject, edit or move its parts, or strip its comments.",
        ),
    },
    "Bibliography": {
        "fix": ("bib", "Correct the certain errors in a bibliography; every other byte stays as it is."),
    },
    "Papers on this machine": {
        "search": ("index", "Search the catalogue by words and by meaning; with --passages, the full texts of papers."),
        "index": ("index", "Manage the catalogue: the records of papers on this machine."),
        "library": (
            "library",
            "Manage your own .bib files and PDFs, which are searched and cited along with arXiv's papers.",
        ),
        "graph": ("graph", "Manage the citation graph: which paper cites which."),
        "fetch": ("texts", "Download and keep the full texts of papers."),
        "paper": (
            "texts",
            "Show a paper: the structure of its text, a section, its references, or what others say about it.",
        ),
        "prepare": (
            "prepare",
            "Collect the questions that papers answer, each with the sentence that answers it.",
        ),
    },
    "Evaluate": {
        "evaluate": (
            "evaluate",
            "Measure what citeplug or another system finds and writes, as the published systems were measured.",
        ),
    },
    "Set up": {
        "init": (
            "init",
            "Show what was found in a project, and write a commented citeplug.toml next to its main document.",
        ),
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(name) for group in self._shown.values() for name in group)  # one column for all groups
        for heading, group in self._shown.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", line) for name, (_, line) in group.items()])
