"""What citeplug shows before it does anything: help, the language server's capabilities, the page's routes."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner


def help_texts() -> Iterator[tuple[str, str]]:
    """The help of the program and of each of its commands, by the words that call it."""
    from citeplug.cli.help_groups import HIDDEN_COMMANDS
    from citeplug.cli.main import cli

    def walk(command: click.Command, words: list[str]) -> Iterator[tuple[str, str]]:
        shown = CliRunner().invoke(cli, [*words, "--help"], prog_name="citeplug", terminal_width=100)
        yield " ".join(["citeplug", *words]), shown.output
        if isinstance(command, click.Group) and words != ["advanced"]:  # its commands are the program's own
            for name in [*command.commands, *(() if words else HIDDEN_COMMANDS)]:
                yield from walk(command.commands[name], [*words, name])

    yield from walk(cli, [])


def initialize_reply() -> str:
    """The language server's reply to an editor that can do what VS Code can."""
    import citeplug
    from citeplug.editor.greeting import greet

    can = {"workspace": {"applyEdit": True}, "window": {"workDoneProgress": True}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": can, "rootUri": None}}
    body = json.dumps(request).encode()
    reply = io.BytesIO()
    greet(io.BytesIO(b"Content-Length: %d\r\n\r\n" % len(body) + body), reply)
    said = json.loads(reply.getvalue().partition(b"\r\n\r\n")[2])
    return json.dumps(said, indent=1).replace(citeplug.__version__, "VERSION") + "\n"


def page_routes(folder: Path) -> str:
    """The methods and addresses that the review page of a project answers, without the random part of an address."""
    from citeplug.corpus.stores import settings
    from citeplug.web.checked_lists import CheckedLists
    from citeplug.web.guard import Secrets
    from citeplug.web.projects import Projects
    from citeplug.web.reviewing import Reviewing

    (folder / "main.tex").write_text("\\documentclass{article}\\begin{document}Text.\\end{document}\n", "utf-8")
    review = Reviewing(folder, settings(offline=True))
    try:
        projects = Projects([review], CheckedLists(review.chosen), Secrets(), review.chosen)
        bases = {pages.base: "/PROJECT" for pages in projects._pages}
        lines = []
        for route in projects.application().routes:
            path, methods = getattr(route, "path"), getattr(route, "methods", None)  # noqa: B009
            for base, word in bases.items():
                path = path.replace(base, word, 1) if path.startswith(base) else path
            lines.append(f"{','.join(sorted(methods or ['mounted']))} {path}")
    finally:
        review.close()
    return "\n".join(sorted(lines)) + "\n"
