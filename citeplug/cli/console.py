"""Shared by all commands: safe printing, diffs, JSON, exit codes of errors, and an end that is asked for."""

import errno
import json
import os
import re
import shutil
import signal
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, TextIO

import click

from citeplug.errors import Cancelled, CannotWrite, CiteplugError
from citeplug.files.atomic import unexpected
from citeplug.records.finding import Finding, Severity
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from rich.console import RenderableType

# Columns of what is no terminal, of one that does not say, and that a text gets at least beside its indentation.
_UNLIMITED, _USUAL, _NARROWEST = 100_000, 80, 20
_WORST_FIRST: Sequence[Severity] = ("error", "warning", "info", "none")
_STYLES: Mapping[str, str] = {
    "error": "bold red", "warning": "bold yellow", "info": "blue", "good": "green", "title": "bold", "key": "cyan",
    "command": "bold cyan", "number": "bold", "code": "dim", "aside": "dim",
}  # fmt: skip
_TRAILING = re.compile(r" +((?:\x1b\[0m)?)$")
_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def safe(text: str) -> str:
    """Return `text` with control characters replaced: a title must not move the cursor or colour the terminal."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "\ufffd" for c in text)


def print_json(value: Any) -> None:
    """Print one JSON document on stdout, in UTF-8 whatever the console's encoding is."""
    write_utf8(_as_json(value, 2) + "\n")


def print_json_line(value: Any) -> None:
    """Print one JSON document on a line of stdout, as `print_json`."""
    write_utf8(_as_json(value, None) + "\n")


def _as_json(value: Any, indent: int | None) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:  # JSON has no NaN and no infinity: they are absent
        plain = json.loads(json.dumps(value), parse_constant=lambda _: None)
        return json.dumps(plain, ensure_ascii=False, indent=indent)


def write_utf8(text: str) -> None:
    """Write to stdout as UTF-8, past the console's own encoding."""
    write_bytes(text.encode("utf-8", "replace"))


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout unchanged, line ends included."""
    with _writing():
        sys.stdout.flush()
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(data.decode("utf-8", "replace"))
        else:
            buffer.write(data)
        sys.stdout.flush()


# Words, or words and what they are: one of `_STYLES`.
Part = str | tuple[str, str]


def say(*parts: Part, lead: Part = "", hang: int = 0, err: bool = False) -> None:
    """Print a line for a reader, made safe for the terminal and for its encoding.

    A terminal breaks it at words, and indents what follows as its beginning, and `hang` further; `lead`, such as a
    number, stands before it and indents it. A pipe gets it whole and without colours.
    """
    stream = sys.stderr if err else sys.stdout
    with _writing():
        if not stream.isatty():
            click.echo("".join(words for words, _ in _printable((lead, *parts), stream)), err=err)
            return
        # Where a bar is shown, rich has taken the stream's place and prints above it; click would write past it.
        has_bar = hasattr(stream, "rich_proxied_file")
        for line in _wrapped(parts, lead, hang, stream):
            if has_bar:
                stream.write(f"{line}\n")
            else:
                click.echo(line, err=err)


def say_next(command: str, does: str, *, as_it_is: bool = False, err: bool = False) -> None:
    """Print the next command, and what it does, beneath it where there is no room; after an offline run it is offline
    too, unless it is to be printed `as_it_is`."""
    command = command if as_it_is else as_run(command)
    fits = not sys.stdout.isatty() or len(f"next: {command}    {does}") <= _width(sys.stdout)
    say((command, "command"), f"    {does}" if fits else f"\n{does}", lead="next: ", err=err)


def as_run(command: str) -> str:
    """The next command, offline after an offline run."""
    context = click.get_current_context(silent=True)
    takes_it = command.split()[1] in ("audit", "check", "fix", "papers", "related")
    return f"{command} --offline" if takes_it and context and context.params.get("offline") else command


def say_error(message: str, hint: str) -> None:
    """Print on stderr what is wrong, and beneath it what to do."""
    say(("citeplug:", "error"), f" {message}", err=True, hang=4)
    if hint:
        say(hint, lead="    ", err=True)


def say_warning(words: str) -> None:
    """Print a warning on stderr."""
    say(("warning", "warning"), f": {words}", err=True, hang=4)


def show_table(rows: Iterable[Sequence[Part]], heads: Sequence[str] = (), *, indent: int = 0, numbers: int = 0) -> None:
    """Print aligned columns, the last `numbers` of them to the right; a terminal's width is kept."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = list(rows)
    if not rows:
        return
    shape = box.SIMPLE_HEAD if heads and sys.stdout.isatty() else None
    table = Table(box=shape, show_header=bool(heads), show_edge=False, padding=(0, 2, 0, 0), pad_edge=False)
    cells = [[Text.assemble(*_printable([cell], sys.stdout)) for cell in row] for row in rows]
    width = max(map(len, (heads, *cells)), default=0)
    for at in range(width):
        table.add_column(heads[at] if heads else "", justify="right" if at >= width - numbers else "left")
    for row in cells:
        table.add_row(*row)
    with _writing():
        for line in _rendered(table, sys.stdout, indent):
            click.echo(" " * indent + _TRAILING.sub(r"\1", line))


def _printable(parts: Iterable[Part], stream: TextIO) -> Iterator[tuple[str, str]]:
    encoding = stream.encoding or "utf-8"
    for part in parts:
        words, kind = part if isinstance(part, tuple) else (part, "")
        yield safe(words).encode(encoding, "replace").decode(encoding), _STYLES.get(kind, "")


def _wrapped(parts: Iterable[Part], lead: Part, hang: int, stream: TextIO) -> Iterator[str]:
    from rich.text import Text

    first = Text.assemble(*_printable([lead], stream))
    for line in Text.assemble(*_printable(parts, stream)).split("\n", allow_blank=True):
        spaces = 0 if first else len(line.plain) - len(line.plain.lstrip(" "))
        indent = spaces + first.cell_len
        before = " " * spaces + "".join(_rendered(first, stream, 0))
        for text in _rendered(line[spaces:], stream, indent + hang):
            yield before + _TRAILING.sub(r"\1", text)
            before = " " * (indent + hang)
        first = Text(" " * first.cell_len)


def _rendered(shown: "RenderableType", stream: TextIO, indent: int) -> list[str]:
    """The lines of what rich draws, beside an indentation."""
    from rich.console import Console

    width = _width(stream) if stream.isatty() else _UNLIMITED
    colours: Literal["standard"] | None = "standard" if use_colour(stream) else None
    console = Console(
        width=max(width - indent, _NARROWEST), force_terminal=True, color_system=colours, highlight=False, emoji=False,
        markup=False, legacy_windows=False,
    )  # fmt: skip
    with console.capture() as drawn:
        console.print(shown)
    return drawn.get().removesuffix("\n").split("\n")


def _width(stream: TextIO) -> int:
    with suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or _USUAL
    return shutil.get_terminal_size().columns


def room(beside: int) -> int:
    """Columns of a line of stdout beside an indentation; a pipe has those of a usual terminal."""
    return max((_width(sys.stdout) if sys.stdout.isatty() else _USUAL) - beside, _NARROWEST)


def clipped(text: str, lines: int, beside: int) -> str:
    """As much of a text as fits `lines` lines of a terminal beside an indentation; whole where nobody looks."""
    parts = wrap(text, room(beside), max_lines=lines, placeholder=" ...", break_on_hyphens=False)
    return "\n".join(parts) if sys.stdout.isatty() else text


def say_aloud(line: str) -> None:
    """Print a line on stderr, beside the result on stdout; -q does not hide it."""
    say(line, err=True)


class _ReaderGone(Exception):
    """The reader of the output has closed its pipe, as `| head` does."""


@contextmanager
def _writing() -> Iterator[None]:
    # Before click sees the error: it ends a process whose reader has gone with 1, which here means findings.
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL):
            raise _ReaderGone from None
        raise CannotWrite(
            f"the output cannot be written: {error.strerror or error}", "check the file or program that receives it"
        ) from error


def use_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR")


def least_shown(verbosity: int) -> Severity:
    """Return the lowest severity of findings on a bibliography that are shown."""
    return "info" if verbosity > 0 else "error" if verbosity < 0 else "warning"


def counted(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def say_finding(finding: Finding, *, lead: str = "", err: bool = False) -> None:
    """Print `file:line:column: severity: message [code]`, and the fix: beneath it, or of mere information behind it."""
    place = ""
    if (file := finding.file) is not None:
        near = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
        place = ":".join(str(p) for p in (near, finding.line, finding.column) if p is not None) + ": "
    is_information = finding.severity == "info"
    behind = f"; {finding.fix}" if finding.fix and is_information else ""
    say(
        *(place, (finding.severity, finding.severity), f": {finding.message}{behind} ", (f"[{finding.code}]", "code")),
        lead=lead,
        err=err,
        hang=4,
    )
    if finding.fix and not is_information:
        say(finding.fix, lead=f"{' ' * len(lead)}    ", err=err)


def show_findings(findings: Iterable[Finding], verbosity: int) -> None:
    """Print findings on stderr, the worst first; with -q only warnings and errors."""
    for finding in sorted(_merged(findings), key=lambda finding: _WORST_FIRST.index(finding.severity)):
        if verbosity >= 0 or finding.severity in ("warning", "error"):
            say_finding(finding, err=True)


def _merged(findings: Iterable[Finding]) -> Iterable[Finding]:
    """Findings, those of one cause as one: "arXiv could not be queried; this was left out; that was left out"."""
    by_cause: dict[Finding, Finding] = {}
    for finding in findings:
        cause, _, outcome = finding.message.partition("; ")
        known = by_cause.setdefault(same := replace(finding, message=cause), finding)
        if outcome and known is not finding and outcome not in known.message:
            by_cause[same] = replace(known, message=f"{known.message}; {outcome}")
    return by_cause.values()


def finding_as_json(finding: Finding) -> dict[str, Any]:
    return fields_of(finding, "code severity message file line column fix")


def announce_query(query: str) -> None:
    """Show a query before it is sent to arXiv; -q does not hide it, since it may hold words of an unpublished draft."""
    say(f"asking arXiv: {query}", err=True)


def is_watched(verbosity: int, as_json: bool) -> bool:
    """Return True if the user follows stderr live: at a terminal, or with -v."""
    return verbosity > 0 or (verbosity == 0 and not as_json and sys.stderr.isatty())


@contextmanager
def cancellable(outcome: str, hint: str = "run the same command again to continue") -> Iterator[None]:
    """Make an interruption from the keyboard a `Cancelled` that says what became of the work."""
    try:
        yield
    except KeyboardInterrupt:
        raise Cancelled(f"cancelled; {outcome}", hint) from None


@contextmanager
def errors_end_the_process() -> Iterator[None]:
    """Turn expected errors into a message, a hint and an exit code, without a traceback."""
    try:
        yield
    except Cancelled as error:
        _die(str(error) or "cancelled", error.hint, 130)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        raise SystemExit(2) from None
    except click.ClickException as error:
        path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx is not None else ""
        # click names three options, of which the later ones are like nothing that was typed.
        meant = error.possibilities if isinstance(error, click.NoSuchOption) else None
        words = f"{error.message.rstrip('.')}. Did you mean '{meant[0]}'?" if meant else error.format_message()
        _die(words[:1].lower() + words[1:], f"see '{path} --help'" if path else "", 2)
    except (click.Abort, KeyboardInterrupt) as error:
        if isinstance(error, click.Abort) and sys.stderr.isatty():
            click.echo(err=True)  # the question's line is still open
        _die("cancelled", "", 130)
    except CiteplugError as error:
        if isinstance(error, CannotWrite):
            _close_output()
        _die(str(error), error.hint, error.exit_code)
    except (_ReaderGone, BrokenPipeError):
        # Not a failure: `head` closes its end of the pipe once it has enough.
        _close_output()
        raise SystemExit(0) from None
    except OSError as error:
        # Not 1, which means findings.
        shown = unexpected(error)
        _die(str(shown), shown.hint, shown.exit_code)
    except SystemExit:
        raise
    except ModuleNotFoundError as error:
        whole = "pip install citeplug; citeplug-check has what check, fix, cite and references need, and no more"
        hint = "pip install 'citeplug[web]'" if error.name == "jinja2" else whole
        _die(f"this command needs {error.name}, which is not installed", hint, 2)
    except BaseException as error:  # a panic of a library in Rust is no Exception
        from citeplug.cli.crash_log import keep_traceback

        log = keep_traceback(error)
        _die(f"unexpected error: {type(error).__name__}. Traceback: {log or 'could not be saved'}", "", 2)


def _die(message: str, hint: str, code: int) -> None:
    with suppress(OSError):  # the current folder may be gone
        message = message.replace(f"{Path.cwd()}{os.sep}", "")
    with suppress(_ReaderGone, CannotWrite):
        say_error(message, hint)
    raise SystemExit(code)


def _close_output() -> None:
    """Send unflushed output to the null device; Python would try to write it again at exit, and print an error."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


class _Terminated(BaseException):
    """The process received SIGTERM."""


@contextmanager
def ending_on_request() -> Iterator[None]:
    """End within a second, whatever is being computed: with 130 after Ctrl-C, with 0 after SIGTERM."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except (KeyboardInterrupt, _Terminated) as asked:
        click.echo("citeplug: stopped", err=True)
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        # A running model cannot be interrupted; and files and databases are complete at any moment.
        os._exit(130 if isinstance(asked, KeyboardInterrupt) else 0)
    finally:
        signal.signal(signal.SIGTERM, before)


def show_unwrapped(text: str) -> None:
    """Print what is to be copied: no line of it is broken."""
    with _writing():
        for line in text.splitlines():
            click.echo("".join(words for words, _ in _printable([line], sys.stdout)))


def show_unified(diff: str) -> None:
    """Print in colours and without control characters on a terminal; unchanged to a pipe, for `patch`."""
    if not sys.stdout.isatty():
        write_utf8(diff)
        return
    for line in diff.splitlines():
        colour = _DIFF_COLOURS.get(line[:1]) if use_colour(sys.stdout) and not line.startswith(("+++", "---")) else None
        click.echo(safe(line) if colour is None else click.style(safe(line), fg=colour))
