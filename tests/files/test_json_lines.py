import gzip
import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import UnreadableInput
from citeplug.files import json_lines
from citeplug.files.json_lines import LONGEST_LINE, JsonLines, read_json

MILLIONS = 20_000_000


def steps(work: Callable[[], object]) -> int:
    """The lines of the reader's own code that are run."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace if frame.f_code.co_filename == json_lines.__file__ else None

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


def test_millions_of_blank_lines_are_read_in_steps_of_a_megabyte(tmp_path: Path) -> None:
    path = tmp_path / "blank.gz"
    path.write_bytes(gzip.compress(b"\n" * MILLIONS + b"{}\n", 1))
    found: list[tuple[int, bytes]] = []
    assert steps(lambda: found.extend(JsonLines(path).lines())) < 20_000
    assert found == [(MILLIONS + 1, b"{}\n")]


@given(
    st.lists(st.sampled_from([b"{}", b" \t", b"", b"  [1]", b"\xef\xbb\xbf{}", b"x" * 40, b"\r"]), max_size=30),
    st.integers(1, 50),
    st.booleans(),
)
def test_lines_and_their_numbers_are_those_of_the_file_however_it_is_cut(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], block: int, ends: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    data = b"\n".join(lines) + b"\n" * ends
    path.write_bytes(data)
    wanted = [
        (number, line.lstrip(b"\t\n\v\f\r "))
        for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True), 1)
        if line.strip()
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_lines, "_BLOCK", max(block, 3))
        assert list(JsonLines(path).lines()) == wanted


def test_of_a_line_that_is_too_long_the_rest_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"{}\n" + b"x" * (3 * LONGEST_LINE) + b"\n\n{}")
    reader = JsonLines(path)
    assert list(reader.lines()) == [(1, b"{}\n"), (4, b"{}")]
    assert reader.skipped == 1
    with pytest.raises(UnreadableInput, match="line 2 is longer than 16 MB"):
        list(JsonLines(path, whole=True).lines())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a file"),
        (os.mkfifo, "it is a pipe, not a file"),
        (Path.mkdir, "it is a folder, not a file"),
        (lambda path: path.symlink_to(path), "symbolic links"),
    ],
    ids=["device", "pipe", "folder", "loop"],
)
def test_what_is_no_file_is_refused_before_it_is_opened(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "x.jsonl")
    with pytest.raises(UnreadableInput, match=said):
        JsonLines(tmp_path / "x.jsonl")


def test_each_block_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(random.Random(1).randbytes(5 << 20))
    reader = JsonLines(tmp_path / "x")
    seen: list[int] = []
    reader.on_block = lambda: seen.append(reader.consumed)
    list(reader.lines())
    assert len(seen) >= 5 and seen == sorted(seen) and seen[-1] == reader.size


@pytest.mark.parametrize(
    "line",
    ["[" * 100_000, '{"a":' * 100_000, "NaN", '{"a": -Infinity}', "1e999", "1" * 5_000, "{", b"\xff"],
    ids=lambda line: str(line[:8]),
)
def test_what_json_has_not_is_a_value_error(line: str | bytes) -> None:
    with pytest.raises(ValueError):
        read_json(line if isinstance(line, bytes) else line.encode())


@given(st.recursive(st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(), st.lists))
def test_what_json_has_is_read(value: object) -> None:
    assert read_json(json.dumps(value).encode()) == value
