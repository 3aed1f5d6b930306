import json

import pytest

from citeplug.project.provenance import read_record, recorded_blocks

RECORD = {
    "format": 1,
    "sentences": [
        {"paragraph": "p1", "text": "One  thing.", "status": "accepted"},
        {"paragraph": "p1", "text": "Another.", "status": "unreviewed"},
    ],
    "blocks": {"related.tex": [{"hash": "0a1b2c3d", "heading": "H", "papers": ["1706.02216"]}]},
    "deleted": {"related.tex": [{"hash": "ffffffff", "heading": "G", "papers": []}], "other.tex": [{}]},
}


def lines(record: object) -> str:
    return json.dumps(record, indent=1) + "\n"


def test_a_record_in_conflict_gives_one_side_and_what_was_accepted_on_either() -> None:
    other = json.loads(lines(RECORD).replace("unreviewed", "accepted"))
    ours, theirs = lines(RECORD), lines(other)
    record = read_record(f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> branch\n")
    assert {sentence["status"] for sentence in record["sentences"]} == {"accepted"}
    assert read_record(f"<<<<<<< HEAD\n{ours[:30]}\n=======\n{theirs}>>>>>>> branch\n") == other


@pytest.mark.parametrize("text", [None, "", "{", "[]", "7", "<<<<<<< a\n{\n", "[" * 100_000, '"' + "x" * 10])
def test_a_damaged_record_says_nothing(text: str | None) -> None:
    assert read_record(text) == {}


def test_blocks_that_were_there_or_deleted_are_told_by_file() -> None:
    assert [gone.hash for gone in recorded_blocks(RECORD, "related.tex")] == ["0a1b2c3d", "ffffffff"]
    assert recorded_blocks(RECORD, "other.tex") == []
    assert recorded_blocks({"blocks": [], "deleted": {"a": 3}}, "a") == []
