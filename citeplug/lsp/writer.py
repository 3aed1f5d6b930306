"""`python -m citeplug.lsp.writer`: writes one section, in a process of its own that can be ended at any moment.

Reads one line of JSON from standard input, `{root, given, insert}`, and prints one for each step, `{stage, done,
total}`, and at the end `{files, findings}` or `{error, hint}`. Ends when standard input is closed.
"""

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any, TextIO

from citeplug.build.related import Job, write_related
from citeplug.build.stores import settings
from citeplug.errors import CiteplugError
from citeplug.records.outcome import Options


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    try:
        _say(out, _written(asked, out))
    except CiteplugError as error:
        _say(out, {"error": str(error), "hint": error.hint})
    out.flush()
    os._exit(0)  # no thread is waited for: all that is written is whole


def _written(asked: dict[str, Any], out: TextIO) -> dict[str, Any]:
    job = Job(Path(asked["root"]), Options(), given=asked["given"], insert=asked["insert"])

    def report(stage: str, done: int, total: int | None) -> None:
        _say(out, {"stage": stage, "done": done, "total": total})

    written = write_related(job, settings(offline=True), online=False, report=report)
    findings = [{"code": each.code, "message": each.message} for each in written.outcome.findings]
    return {"files": [str(path) for path in written.files], "findings": findings}


def _say(out: TextIO, message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


def _end_with_the_server() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
