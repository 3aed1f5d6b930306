"""`citeplug doctor`."""

import platform
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from citeplug import __version__
from citeplug.cli.console import counted, print_json, safe, say, say_next
from citeplug.cli.options import OfflineOptions, Output
from citeplug.cli.parameters import command, option, parameters
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.doctor.checks import Result

# States, the worst first, each with its mark and style.
_MARKS = {"problem": ("PROBLEM", "error"), "hint": ("hint", "warning"), "ok": ("ok", "good"), "skipped": ("-", "aside")}
_TO_DO = ("problem", "hint")
_NOTHING_TO_DO = (("ok", "ok"), ("skipped", "unused"))


@parameters
class DoctorParams(OfflineOptions, Output):
    quick: bool = option("Skip the slow checks: the model's weights and the language server.")
    report: bool = option("Print what a bug report should say of this machine: no path, key or text of yours is in it.")


@command("Example: citeplug doctor --offline")
def doctor(params: DoctorParams) -> None:
    """Check what citeplug needs on this machine, and say how to fix it.

    Nothing is changed. Without --offline, one request goes to arXiv, for a record that has nothing to do with you. The
    exit code is 1 if there is a problem; hints do not count.
    """
    from citeplug.doctor.examine import examine

    results = examine(Path.cwd(), offline=params.offline, quick=params.quick)
    problems = sum(result.state == "problem" for result in results)
    if params.report:
        _show_report(results)
    elif params.as_json:
        print_json({"problems": problems, "checks": [_as_json(result) for result in results]})
    else:
        _show(results, problems, everything=params.level > 0)
    if problems:
        raise SystemExit(1)


def _show_report(results: "list[Result]") -> None:
    """The states alone: a message may name a folder, and a folder its owner."""

    print(f"citeplug {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    named = {"chromadb", "citeplug-check", "click", "numpy", "onnxruntime", "tantivy"}
    print(
        ", ".join(sorted(f"{package.name} {package.version}" for package in distributions() if package.name in named))
    )
    for state in _MARKS:
        if names := [result.name for result in results if result.state == state]:
            print(f"{state}: {', '.join(names)}")


def _as_json(result: "Result") -> dict[str, str | None]:
    return {
        **fields_of(result, "name state"),
        "message": safe(result.message),
        "fix": safe(result.fix) if result.fix else None,
    }


def _show(results: "list[Result]", problems: int, *, everything: bool) -> None:
    """Print what is to be done, then what needs nothing: by name alone, unless `everything` is wanted."""
    hints = sum(result.state == "hint" for result in results)
    count = counted(problems, "problem", "problems") if problems else "no problems"
    say((count, "error" if problems else "good"), f", {counted(hints, 'hint', 'hints')}" if hints else "", "\n")
    wide = max(len(result.name) for result in results)
    for result in sorted(results, key=lambda result: list(_MARKS).index(result.state)):
        mark, style = _MARKS[result.state]
        if everything or result.state in _TO_DO:
            say(" ".join(result.message.split()), lead=(f"{mark:8}{result.name:{wide}}  ", style))
            if result.fix:
                say(result.fix, lead=f"{'':8}{'':{wide}}  -> ")
    for state, words in () if everything else _NOTHING_TO_DO:
        names = [result.name for result in results if result.state == state]
        say(", ".join(names), lead=(f"{words:8}", _MARKS[state][1])) if names else None
    if not everything:
        say_next("citeplug doctor -v", "shows the details of every check")
