"""Help under headings: the everyday options of a command first, and the commands by what they are for.

No library does it at this price: cloup adds 30 ms to every start, rich-click draws with rich, which takes longer than
the whole of `citeplug --help` may.
"""

from collections.abc import Iterator, Mapping, Sequence

import click

EVERYDAY = "Everyday options"
_GROUPS: Mapping[str, Sequence[str]] = {
    "Which papers": (
        "count", "since", "breadth", "diversity", "before", "categories", "topics", "pin", "exclude", "missing",
        "queries", "papers", "library", "cited", "shortlist", "questions",
        "rank", "augment", "deep", "rounds", "seeds", "most", "depth", "whole_draft", "as_published", "passages",
        "within",
    ),
    "The text": (
        "words", "plan_text", "replan", "only", "strategy", "summaries", "polish", "quotes", "pinpoint",
    ),
    "A conversation": ("chat", "resume"),
    "With a language model": ("llm", "models", "max_cost", "max_tokens"),
    "What may be asked": ("offline", "online", "sources"),
    "Files and output": (
        "form", "whole", "fail_on", "baseline", "write_baseline",
        "out", "bib", "insert", "sentence", "save", "changed_only", "force", "dry_run", "diff", "as_json", "quiet",
        "verbose", "_click_default_help",
    ),
    "Models on this machine": ("embedder", "rescorer", "device", "wait"),
}  # fmt: skip


class GroupedCommand(click.Command):
    """A command whose help has its `everyday` options first, at most five, and the others under headings."""

    def __init__(self, *args: object, everyday: Sequence[str] = (), **values: object) -> None:
        super().__init__(*args, **values)  # type: ignore[arg-type]
        self._everyday = everyday

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, parameters in self._grouped(ctx):
            records = [record for each in parameters if (record := each.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def _grouped(self, ctx: click.Context) -> Iterator[tuple[str, list[click.Option]]]:
        left = {each.name: each for each in self.get_params(ctx) if isinstance(each, click.Option)}
        for heading, names in {EVERYDAY: self._everyday, **_GROUPS}.items():
            yield heading, [left.pop(name) for name in names if name in left]
        yield "Other options", list(left.values())


COMMANDS: Mapping[str, Sequence[str]] = {
    "Write": ("related", "papers", "news", "ask", "gaps", "plan", "watch", "status"),
    "Review": ("review", "accept", "reject", "edit", "move", "strip", "remove"),
    "Bibliography": ("audit", "check", "fix", "cite", "references", "mentions"),
    "Papers on this machine": ("search", "index", "library", "graph", "fetch", "read", "prepare"),
    "Measure": ("evaluate",),
    "Set up": ("demo", "start", "init", "doctor", "lsp", "overleaf", "draft"),
}


class GroupedCommands(click.Group):
    """A group whose help has its commands by what they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        left = {name: command for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))}
        groups = [(heading, [name for name in names if name in left]) for heading, names in COMMANDS.items()]
        grouped = {name for _, names in groups for name in names}
        for heading, names in [*groups, ("More", [name for name in left if name not in grouped])]:
            if names:
                with formatter.section(heading):
                    formatter.write_dl([(name, left[name].get_short_help_str(limit=200)) for name in names])
