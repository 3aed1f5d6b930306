"""`citeplug lsp`."""

import os
import sys
from io import BufferedReader, BufferedWriter, FileIO

import click


@click.command(epilog="Example: citeplug lsp")
@click.option("--tcp", "port", type=click.IntRange(1, 65535), metavar="PORT", help="Listen on loopback, to debug.")
@click.option("--stdio", is_flag=True, hidden=True, help="The usual way; some editors name it.")
def lsp(port: int | None, stdio: bool) -> None:
    """Run the language server, for editors.

    Editors start it and talk to it over standard input and output; docs/lsp.md says how to set them up. Nothing is
    sent over the network unless your editor's settings allow it.
    """
    from citeplug.corpus.stores import for_project
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.editor.greeting import greet

    chosen = for_project(settings_of())
    if port is not None:
        from citeplug.editor.server import serve_tcp

        serve_tcp(chosen, port)
        return
    reader, writer = _pipes()
    greeted = greet(reader, writer)
    if greeted is None:
        raise SystemExit(1)
    from citeplug.editor.server import serve_stdio

    code = serve_stdio(chosen, greeted, reader, writer)
    # A thread that still reads or searches is not waited for: files are replaced whole, never half-written.
    os._exit(code)


def _pipes() -> tuple[BufferedReader, BufferedWriter]:
    """Return the editor's two pipes, and send everything else that is printed to standard error."""
    sys.stdout.flush()
    reader, writer = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return BufferedReader(FileIO(reader, "r")), BufferedWriter(FileIO(writer, "w"))
