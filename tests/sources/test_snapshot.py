"""Reading the public snapshot."""

import gzip
import json
import random
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from citeplug.errors import UnreadableInput
from citeplug.files.json_lines import LONGEST_LINE
from citeplug.sources.snapshot import SnapshotReader, paper_from_record
from citeplug.text.cleaning import plain
from tests.corpus.records import make_record, write_snapshot


def lines(count: int) -> bytes:
    return "".join(json.dumps(make_record(number)) + "\n" for number in range(count)).encode()


def as_zip(data: bytes, path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/", "")
        archive.writestr("folder/snapshot.json", data)


def as_two_frames(data: bytes, path: Path) -> None:
    half = data.index(b"\n", len(data) // 2) + 1
    path.write_bytes(zstandard.compress(data[:half]) + zstandard.compress(data[half:]))


@pytest.mark.parametrize(
    "write",
    [
        lambda data, path: path.write_bytes(data),
        lambda data, path: path.write_bytes(b"\xef\xbb\xbf" + data),
        lambda data, path: path.write_bytes(data.replace(b"\n", b"\r\n")),
        lambda data, path: path.write_bytes(gzip.compress(data)),
        lambda data, path: path.write_bytes(gzip.compress(data[:500]) + gzip.compress(data[500:])),
        lambda data, path: path.write_bytes(zstandard.compress(data)),
        as_two_frames,
        as_zip,
    ],
    ids=["plain", "bom", "crlf", "gz", "two gz members", "zst", "two zst frames", "zip"],
)
def test_every_kind_of_file_is_told_by_its_first_bytes(write: Any, tmp_path: Path) -> None:
    write(lines(300), tmp_path / "snapshot")
    reader = SnapshotReader(tmp_path / "snapshot")
    papers = list(reader)
    assert [paper.title for paper in papers] == [f"On problem number {number}" for number in range(300)]
    assert (reader.skipped, reader.truncated, reader.consumed) == (0, None, reader.size)


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gz", "zst"])
def test_a_file_that_was_cut_short_gives_what_was_read_and_says_so(compress: Any, tmp_path: Path) -> None:
    # Random words: buffers of the readers hold less than the file.
    words = random.Random(1).randbytes(600_000).hex()
    records = (make_record(n, abstract=words[400 * n : 400 * n + 400]) for n in range(3000))
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    whole = compress(data)
    (tmp_path / "cut").write_bytes(whole[: len(whole) * 2 // 3])
    reader = SnapshotReader(tmp_path / "cut")
    assert 0 < len(list(reader)) < 3000
    assert reader.truncated is not None
    assert "truncated" in reader.truncated


def test_a_zip_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    as_zip(lines(300), tmp_path / "cut.zip")
    data = (tmp_path / "cut.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(data[: len(data) // 2])
    with pytest.raises(UnreadableInput, match=r"cut\.zip"):
        list(SnapshotReader(tmp_path / "cut.zip"))


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_missing_file_and_a_folder_are_refused_at_once(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput) as caught:
        SnapshotReader(tmp_path / name)
    assert caught.value.hint


def test_unusable_lines_are_counted_and_their_ids_remembered(tmp_path: Path) -> None:
    good = make_record(1)
    path = write_snapshot(
        tmp_path / "mixed.jsonl",
        [good, "{", "[]", "3", "null", '"text"', '{"id": "no id", "title": "x"}', '{"id": "1801.00009", "title": ""}',
         '{"id": "1801.00010", "title": "cut of', "", "   ", "[" * 100_000, make_record(2)],
    )  # fmt: skip
    reader = SnapshotReader(path)
    assert [paper.id.value for paper in reader] == ["1801.00001", "1801.00002"]
    assert reader.skipped == 9
    assert reader.unread == {"1801.00009", "1801.00010"}


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"x" * (LONGEST_LINE + 10) + b"\n" + lines(2))
    reader = SnapshotReader(path)
    assert len(list(reader)) == 2
    assert reader.skipped == 1


def test_white_space_is_collapsed_and_latex_kept() -> None:
    record = make_record(1, title=" The $k$-pebble\n  game ", abstract="  Fra\\\"iss\\'e\nlimits.\n")
    paper = paper_from_record(record)
    assert paper.title == "The $k$-pebble game"
    assert paper.abstract == "Fra\\\"iss\\'e limits."


def test_terminal_escapes_and_lone_surrogates_are_taken_out() -> None:
    paper = paper_from_record(make_record(1, title="a\x1b[31mred\x1b[0m\ud800b"))
    assert paper.title == "aredb"
    paper.title.encode("utf-8")


@given(st.text(alphabet=st.sampled_from("ab \n\t\x1b[]m\x85\u202e\x9b\ufeff\xa0\u2028é")))
def test_the_short_way_through_the_cleaning_gives_the_same(text: str) -> None:
    assert paper_from_record(make_record(1, abstract=text)).abstract == plain(text)


@pytest.mark.parametrize(
    ("versions", "update_date", "published", "updated", "version"),
    [
        ([{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}], "2008-11-26", (2007, 4, 2), (2008, 11, 26), 1),
        ([{"version": "v1", "created": "2011-06-25"}], None, (2011, 6, 25), (2011, 6, 25), 1),
        ([{"version": "v1", "created": "2011-06-25T10:00:00Z"}, {"version": "v2", "created": "Tue, 5 Jul 2011 00:00:00 GMT"}], None, (2011, 6, 25), (2011, 7, 5), 2),  # noqa: E501
        ([], None, (2018, 1, 1), (2018, 1, 1), None),
        (None, "nonsense", (2018, 1, 1), (2018, 1, 1), None),
        ([{"version": "vX", "created": "31 February"}, 7], "2018-02-30", (2018, 1, 1), (2018, 1, 1), None),
        ([{"version": "v1", "created": "2018-01-20"}], "2017-01-01", (2018, 1, 20), (2018, 1, 20), 1),
    ],
)  # fmt: skip
def test_dates_of_either_form_are_read_and_the_month_of_the_id_stands_in(
    versions: Any, update_date: Any, published: Any, updated: Any, version: Any
) -> None:
    paper = paper_from_record(make_record(5, versions=versions, update_date=update_date))
    assert (paper.published, paper.updated) == (date(*published), date(*updated))
    assert paper.id.version == version


def test_parsed_authors_win_over_the_free_string() -> None:
    paper = paper_from_record(make_record(1, authors="N. N.", authors_parsed=[["Streinu", "Ileana", ""]]))
    assert paper.authors == ("Ileana Streinu",)


def test_a_list_of_names_serves_as_authors_too() -> None:
    assert paper_from_record(make_record(1, authors=["Ada Lovelace"])).authors == ("Ada Lovelace",)


@pytest.mark.parametrize("authors", ["", None, [], 5, {}])
def test_a_record_without_authors_is_accepted_as_incomplete(authors: Any) -> None:
    paper = paper_from_record(make_record(1, authors=authors))
    assert paper.authors == ()
    assert not paper.complete


def test_a_summary_is_said_to_be_one() -> None:
    assert paper_from_record(make_record(1, abstract_kind="summary")).abstract_kind == "summary"
    assert paper_from_record(make_record(1, abstract_kind="nonsense")).abstract_kind == "abstract"


def test_identifiers_of_the_old_scheme_and_versions_in_them_are_read() -> None:
    paper = paper_from_record(make_record(1, id="math.GT/0309136v2"))
    assert (paper.id.value, paper.id.version) == ("math/0309136", 2)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(make_record(1))), anything))
def test_a_record_of_any_shape_is_a_paper_or_a_value_error(fields: dict[str, Any]) -> None:
    record = {**make_record(1), "authors_parsed": None, **fields}
    try:
        paper = paper_from_record(record)
    except ValueError:
        return
    assert paper.title


@pytest.mark.shared_data
def test_the_real_sample_is_read_without_loss(shared_data: Path) -> None:
    with gzip.open(shared_data / "arxiv_sample.jsonl.gz", "rb") as stream:
        raw = [json.loads(next(stream)) for _ in range(3000)]
    papers = [paper_from_record(record) for record in raw]
    assert [paper.id.value for paper in papers] == [record["id"] for record in raw]
    assert all(paper.abstract and paper.title for paper in papers)
    named = [paper for paper, record in zip(papers, raw, strict=True) if record["authors"]]
    assert all(paper.authors for paper in named)
    assert not any(set("(){}") & set(name) for paper in named for name in paper.authors if "\\" not in name)


@pytest.mark.shared_data
def test_lines_of_the_real_snapshot_are_read(shared_data: Path) -> None:
    first, second = SnapshotReader(shared_data / "feeds" / "kaggle_lines.jsonl")
    assert first.authors == ("Ileana Streinu", "Louis Theran")
    assert first.categories == ("math.CO", "cs.CG")
    assert second.published == date(2025, 8, 6)
    assert second.authors == ("Nuo Chen", "Yicheng Tong", "Jiaying Wu")
