"""`citeplug doctor`."""

from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.cli.console import print_json, safe, say
from citeplug.cli.options import AsJson, OfflineOptions
from citeplug.cli.parameters import command, option, parameters
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.doctor.checks import Result

_MARKS = {"ok": "ok", "hint": "hint", "problem": "PROBLEM", "skipped": "-"}


@parameters
class DoctorParams(OfflineOptions, AsJson):
    quick: bool = option("Leave out slow checks: the model's weights, the language server.")


@command("Example: citeplug doctor --offline")
def doctor(params: DoctorParams) -> None:
    """Check what citeplug needs on this machine, and say what to do about what is wrong.

    Nothing is changed. Without --offline one request goes to arXiv, for a record that has nothing to do with you. Ends
    with exit code 1 if there is a problem; hints do not count.
    """
    from citeplug.doctor.examine import examine

    results = examine(Path.cwd(), offline=params.offline, quick=params.quick)
    problems = sum(result.state == "problem" for result in results)
    if params.as_json:
        print_json({"problems": problems, "checks": [_as_json(result) for result in results]})
    else:
        _show(results, problems)
    if problems:
        raise SystemExit(1)


def _as_json(result: "Result") -> dict[str, str | None]:
    return {
        **fields_of(result, "name state"),
        "message": safe(result.message),
        "fix": safe(result.fix) if result.fix else None,
    }


def _show(results: "list[Result]", problems: int) -> None:
    wide = max(len(result.name) for result in results)
    for result in results:
        say(f"{_MARKS[result.state]:8}{result.name:{wide}}  {' '.join(result.message.split())}")
        if result.fix:
            say(f"{'':8}{'':{wide}}  -> {result.fix}")
    say()
    say("no problems" if not problems else f"{problems} problem{'s' * (problems != 1)}")
