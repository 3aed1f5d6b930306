import os
import subprocess
import sys
from pathlib import Path

import pytest

from citeplug.cli.crash_log import keep_traceback

CRASH = """
import sys
from citeplug.cli import console, main
def crash(**_):
    if {prints}: console.print_json({{"done": True}})
    raise {error}
main.cli.commands["draft"].callback = crash
sys.argv = ["citeplug", "draft", "main.tex", "--json"]
main.main()
"""


def crash(error: str, prints: bool = False, **env: str) -> subprocess.CompletedProcess[str]:
    code = CRASH.format(error=error, prints=prints)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **env}
    )


@pytest.mark.parametrize(
    "error", ["KeyError('x')", "RecursionError", "MemoryError", "type('Panic', (BaseException,), {})"]
)
def test_an_unforeseen_error_is_one_line_that_names_its_traceback_and_exits_2(tmp_path: Path, error: str) -> None:
    done = crash(error, CITEPLUG_HOME=str(tmp_path / "home"))
    (log,) = (tmp_path / "home" / "logs").iterdir()
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert line.startswith("citeplug: unexpected error: ") and line.endswith(str(log))
    assert "in crash" in log.read_text("utf-8")


def test_after_an_unforeseen_error_stdout_is_still_one_document(tmp_path: Path) -> None:
    done = crash("KeyError", prints=True, CITEPLUG_HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, '{\n  "done": true\n}\n')


@pytest.mark.parametrize("home", ["~nobody-of-this-name/x", os.devnull + "/home"])
def test_where_the_data_directory_takes_no_log_it_is_in_the_temporary_one(tmp_path: Path, home: str) -> None:
    done = crash("KeyError", CITEPLUG_HOME=home, TMPDIR=str(tmp_path), TEMP=str(tmp_path))
    (log,) = tmp_path.iterdir()
    assert done.stderr.rstrip().endswith(str(log))


def test_the_last_ten_tracebacks_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path))
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "of-the-user.log").touch()
    kept = [keep_traceback(KeyError(number)) for number in range(13)]
    left = set((tmp_path / "logs").iterdir())
    assert len(left) == 11
    assert kept[-1] in left
