"""Numbers recomputed from public outputs: small files of their form, fetched over loopback."""

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks import report_published
from tests.harness.loopback import Loopback, LoopbackHandler

SCORES = b'title,score_source,score_ours\n"Two\nlines",7,8\nAnother,9,8\n'


@dataclass
class Files:
    """A server of `files` by path; `asked` are the paths that were asked for."""

    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    root: str = ""


@pytest.fixture
def server() -> Iterator[Files]:
    served = Files()

    class Handler(LoopbackHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            body = served.files.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

    with Loopback[None]().listening(Handler) as served.root:
        yield served


def outputs(
    tmp_path: Path, server: Files, body: bytes = SCORES, *, mean: float = 8, over: str = "sample", name: str = "/a.csv"
) -> Path:
    """A list of one output, which holds `body`."""
    file = tmp_path / "outputs.toml"
    columns = f'score_source = {{system = "Source", mean = {mean}, deviation = {1.41 if over == "sample" else 1.0}}}\n'
    file.write_text(
        f'[[output]]\nwhat = "quality"\nsource = "A paper, Table 1"\nurl = "{server.root}{name}"\n'
        f'sha256 = "{hashlib.sha256(body).hexdigest()}"\nover = "{over}"\n[output.columns]\n{columns}'
        'score_ours = {system = "Ours", mean = 8, deviation = 0}\n',
        "utf-8",
    )
    return file


def report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, file: Path, *options: str
) -> tuple[int, str]:
    words = ["report_published", "--outputs", str(file), "--home", str(tmp_path / "home"), *options]
    monkeypatch.setattr(sys, "argv", words)
    return report_published.main(), capsys.readouterr().out


@pytest.mark.parametrize("over", ["sample", "population"])
def test_a_table_is_recomputed_and_fetched_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, server: Files, over: str
) -> None:
    server.files["/a.csv"] = SCORES
    file = outputs(tmp_path, server, over=over)
    code, said = report(monkeypatch, capsys, tmp_path, file, "--fetch")
    deviation = "1.41" if over == "sample" else "1.00"
    assert code == 0 and f"published 8.00 ± {deviation}, recomputed 8.00 ± {deviation} of 2" in said
    assert "none skipped" in said and hashlib.sha256(SCORES).hexdigest() in said
    assert report(monkeypatch, capsys, tmp_path, file) == (code, said) and server.asked == ["/a.csv"]


def test_without_consent_nothing_is_fetched(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, server: Files
) -> None:
    server.files["/a.csv"] = SCORES
    code, said = report(monkeypatch, capsys, tmp_path, outputs(tmp_path, server))
    assert code == 0 and "skipped: it was not fetched" in said and "1 of 1 skipped" in said and server.asked == []


def test_what_is_listed_here_is_said_to_be_of_a_copy_and_fetched_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, said = report(monkeypatch, capsys, tmp_path, report_published.OUTPUTS)
    assert code == 0 and "were not confirmed" in said
    assert said.count("skipped: it was not fetched") == 3 and "3 of 3 skipped" in said


def test_a_number_that_is_not_the_published_one_is_marked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, server: Files
) -> None:
    server.files["/a.csv"] = SCORES
    code, said = report(monkeypatch, capsys, tmp_path, outputs(tmp_path, server, mean=8.01), "--fetch")
    assert code == 1 and said.count("DIFFERS") == 1


@pytest.mark.parametrize(
    ("served", "pinned", "said"),
    [
        (None, SCORES, "it answers 404"),
        (SCORES + b"More,1,2\n", SCORES, "it has other bytes"),
        (b"title,score\nOne,1\n", b"title,score\nOne,1\n", "not of the form"),
        (SCORES.replace(b"9", b"nan"), SCORES.replace(b"9", b"nan"), "one that is no number"),
        (SCORES.replace(b"9", b""), SCORES.replace(b"9", b""), "not of the form"),
        (b"\xff\xfe", b"\xff\xfe", "not of the form"),
        (SCORES[:-12], SCORES[:-12], "fewer than two values"),
    ],
)
def test_an_output_that_cannot_be_used_is_skipped_and_named(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    server: Files,
    served: bytes | None,
    pinned: bytes,
    said: str,
) -> None:
    if served is not None:
        server.files["/a.csv"] = served
    code, printed = report(monkeypatch, capsys, tmp_path, outputs(tmp_path, server, pinned), "--fetch")
    assert code == 0 and f"{server.root}/a.csv" in printed and said in printed and "1 of 1 skipped" in printed


def test_every_pinned_address_holds_a_commit_and_a_digest() -> None:
    for output in report_published.read_outputs(report_published.OUTPUTS).outputs:
        assert output.url.startswith("https://raw.githubusercontent.com/") and len(output.url.split("/")[5]) == 40
        assert len(output.sha256) == 64 and output.over in ("sample", "population") and output.columns
