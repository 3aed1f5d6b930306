"""The command line before any work: start-up, usage errors, safe printing."""

import json
import math
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from citeplug.cli.commands_overleaf import sync
from citeplug.cli.commands_related import related
from citeplug.cli.commands_watch import watch
from citeplug.cli.console import print_json, print_json_line, safe
from citeplug.cli.main import cli
from citeplug.cli.options import Number
from citeplug.cli.progress import Lines, progress
from citeplug.settings.known_settings import SETTINGS

pytestmark = [pytest.mark.slow, pytest.mark.own_interpreter]

HEAVY = tuple("torch chromadb sentence_transformers onnxruntime numpy arxiv requests rich sklearn tantivy ".split())


def citeplug(*args: str, cwd: Path | None = None, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "citeplug", *args],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, contextlib\nfrom citeplug.cli.main import cli\n"
        "with contextlib.suppress(SystemExit): cli(['--help'])\n"
        f"print([m for m in sys.modules if m in {HEAVY!r} or '.commands_' in m], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_draft_loads_neither_model_nor_store(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    main.write_text(
        "\\documentclass{article}\\begin{document}\\begin{abstract}A.\\end{abstract}\\end{document}", "utf-8"
    )
    code = (
        "import sys, contextlib\nfrom citeplug.cli.main import cli\n"
        f"with contextlib.suppress(SystemExit): cli(['draft', {str(main)!r}])\n"
        f"print([m for m in {('torch', 'chromadb', 'sentence_transformers', 'onnxruntime')!r} if m in sys.modules],"
        " file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip().splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", ["draft", "related", "plan", "search", "demo", "index"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = citeplug(command, *(["add"] if command == "index" else []), "--help")
    assert done.returncode == 0
    assert "Example:" in done.stdout


@pytest.mark.parametrize("name", ["breadth", "depth", "diversity", "words"])
def test_numbers_are_bounded_as_the_table_of_settings_says(name: str) -> None:
    (setting,) = (setting for setting in SETTINGS if setting.name == name)
    context = click.Context(related, parent=click.Context(cli, **cli.context_settings))
    number = Number(setting)
    assert [number.convert(str(value), None, context) for value in (setting.least, setting.most)] == [
        setting.least,
        setting.most,
    ]
    for beyond in (setting.least - 1, setting.most + 1, "many"):
        with pytest.raises(click.BadParameter, match=f"from {setting.least:g} to {setting.most:g}"):
            number.convert(str(beyond), None, context)
    assert f"\n  --{name} " in related.get_help(context)  # which leaves the range to the message


def test_watch_and_overleaf_sync_have_the_same_options_of_upkeep() -> None:
    shared = {"offline", "online", "breadth", "diversity", "embedder", "rescorer", "device"}
    of_both = [{option.name: option.to_info_dict() for option in command.params} for command in (watch, sync)]
    for name in shared:
        assert of_both[0][name] == of_both[1][name]


def test_an_unknown_option_is_wrong_usage() -> None:
    assert citeplug("related", "--nonsense").returncode == 2


def test_a_missing_draft_is_unreadable_input_with_a_hint(tmp_path: Path) -> None:
    done = citeplug("draft", str(tmp_path / "nothing.tex"))
    assert done.returncode == 2
    assert "nothing.tex" in done.stderr
    assert "Traceback" not in done.stderr


def test_online_and_offline_contradict_each_other(tmp_path: Path) -> None:
    done = citeplug("search", "graphs", "--online", "--offline")
    assert done.returncode == 2
    assert "cannot be combined" in done.stderr


def test_search_in_an_empty_catalogue_says_the_way_out() -> None:
    done = citeplug("search", "graphs")
    assert done.returncode == 3
    assert "citeplug start" in done.stderr


def test_search_wants_either_text_or_queries() -> None:
    assert citeplug("search").returncode == 2


def add_one_paper(tmp_path: Path) -> None:
    library = tmp_path / "library.jsonl"
    record = {
        "id": "1706.03762",
        "authors": "Ashish Vaswani",
        "title": "Attention",
        "categories": "cs.CL",
        "abstract": "Attention alone.",
        "versions": [{"version": "v1", "created": "2017-06-12"}],
        "update_date": "2017-06-12",
    }
    library.write_text(json.dumps(record) + "\n", "utf-8")
    assert citeplug("index", "add", str(library)).returncode == 0


def test_a_query_file_with_a_broken_line_names_the_line(tmp_path: Path) -> None:
    add_one_paper(tmp_path)
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"query_id": "a", "text": "attention", "before": null, "exclude": []}\n{"text": \n', "utf-8")
    done = citeplug("search", "--queries", str(queries), "--json")
    assert done.returncode == 2
    assert "line 2" in done.stderr
    assert json.loads(done.stdout.splitlines()[0])["results"][0]["id"] == "1706.03762"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_a_query_of_a_pipe_is_answered_at_once_and_an_interrupt_then_ends_with_130(tmp_path: Path) -> None:
    add_one_paper(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "citeplug", "search", "--queries", "-", "--offline"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout
    process.stdin.write('{"query_id": "a", "text": "attention"}\n')
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["query_id"] == "a"
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "cancelled" in shown
    assert "Traceback" not in shown


def test_json_output_has_null_where_a_number_is_not_finite(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    print_json({"é": [math.nan, -math.inf, 1.5, "NaN"]})
    print_json_line({"é": math.inf})
    first, _, second = capsysbinary.readouterr().out.decode().rstrip().rpartition("\n")
    assert json.loads(first) == {"é": [None, None, 1.5, "NaN"]}
    assert second == '{"é": null}'


def test_control_characters_never_reach_the_terminal() -> None:
    assert safe("a\x1b[31mb\u202ec\nd") == "a\ufffd[31mb\ufffdc\nd"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_an_index_of_an_endless_line_shows_progress_and_once_interrupted_says_what_is_kept(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    with records.open("wb") as file:
        file.truncate(500_000_000_000)  # takes no place on the disk, and minutes to read
    process = subprocess.Popen(
        [sys.executable, "-m", "citeplug", "index", "add", str(records)], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("adding papers")
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "are kept" in shown
    assert "Traceback" not in shown


@pytest.fixture
def talkative(tmp_path: Path) -> list[str]:
    """A command that prints more than a pipe holds."""
    main = tmp_path / "main.tex"
    text = "\\documentclass{article}\\begin{document}\\section{A}" + "A word. " * 40_000 + "\\end{document}"
    main.write_text(text, "utf-8")
    return [sys.executable, "-m", "citeplug", "draft", str(main), "--json"]


def test_a_reader_that_goes_early_is_no_failure(talkative: list[str]) -> None:
    process = subprocess.Popen(talkative, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    shown = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert b"Error" not in shown and b"Traceback" not in shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_said(talkative: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(talkative, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("citeplug: the output cannot be written")
    assert "Traceback" not in done.stderr and "ignored" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="closed streams are inherited otherwise there")
def test_closed_streams_do_no_harm(talkative: list[str]) -> None:
    import shlex

    assert subprocess.run(["/bin/sh", "-c", shlex.join(talkative) + " >&- 2>&-"], check=False).returncode == 0


def test_a_program_that_reads_along_is_told_each_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITEPLUG_PROGRESS", "json")
    with progress(0, as_json=True) as reporter:
        reporter.update("embed", 3, 4)
    assert [json.loads(line) for line in capsys.readouterr().err.splitlines()] == [
        {"stage": "embed", "done": 3, "total": 4}
    ]


def test_in_a_pipe_progress_is_a_line_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 2.0, 20.0, 40.0])
    lines = Lines(clock=lambda: next(clock))
    for done in (0, 100, 200):
        lines.update("embed", done, 60_200)
    lines.update("embed", 400, None)
    assert capsys.readouterr().err.splitlines() == [
        "reading abstracts ...",
        "reading abstracts: 200 of 60,200, about 100 min left",
        "reading abstracts: 400, 10/s",
    ]
