"""`citeplug lsp`."""

import os
import sys
from io import BufferedReader, BufferedWriter, FileIO

from citeplug.cli.options import Params
from citeplug.cli.parameters import command, option, parameters


@parameters
class LspParams(Params):
    port: int | None = option("Listen on loopback, to debug.", "--tcp", between=(1, 65535), metavar="PORT")
    stdio: bool = option("The default; some editors ask for it.", hidden=True)


@command("Example: citeplug lsp")
def lsp(params: LspParams) -> None:
    """Run the language server for editors.

    Editors start it and talk to it over standard input and output; docs/lsp.md says how to set them up. Nothing is
    sent over the network unless your editor's settings allow it.
    """
    from citeplug.editor.greeting import greet

    settings = params.settings_for(None)
    if params.port is not None:
        from citeplug.editor.server import serve_tcp

        serve_tcp(settings, params.port)
        return
    reader, writer = _pipes()
    greeted = greet(reader, writer)
    if greeted is None:
        raise SystemExit(1)
    from citeplug.editor.server import serve_stdio

    code = serve_stdio(settings, greeted, reader, writer)
    # A thread that still reads or searches is not waited for: files are replaced whole, never half-written.
    os._exit(code)


def _pipes() -> tuple[BufferedReader, BufferedWriter]:
    """Return the editor's two pipes, and send everything else that is printed to standard error."""
    sys.stdout.flush()
    reader, writer = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return BufferedReader(FileIO(reader, "r")), BufferedWriter(FileIO(writer, "w"))
