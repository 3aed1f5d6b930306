"""Reader and writer of `.citeplug/provenance.json`."""

import json
from typing import Any

import pytest

from citeplug.project.provenance import parse_provenance, print_provenance, recorded_blocks, rejected_sentences
from citeplug.records.provenance import NOTHING_RECORDED, Provenance, RecordedBlock

RECORD: dict[str, Any] = {
    "citeplug": "0.1.0",
    "format": 1,
    "made_by": "language model",
    "inputs": {"title": "0123456789abcdef"},
    "options": {"breadth": 10, "words": None, "pin": ["1706.02216"], "configured": {}},
    "quotes_from": {"1706.02216": "arXiv's abstract"},
    "sentences": [
        {
            "paragraph": "p1",
            "text": "One  thing.",
            "tex": "One thing.",
            "kind": "paper",
            "cites": ["1706.02216"],
            "sources": [
                {
                    "arxiv_id": "1706.02216",
                    "version": 4,
                    "start": 0,
                    "end": 3,
                    "quote": "thé",
                    "of": "full text",
                    "section": "Method",
                    "page": 3,
                    "newer": 5,
                }
            ],
            "attribution": 0.8667,
            "status": "accepted",
            "by": "gpt",
            "judgement": {"verdict": "partly", "unsupported": "thing", "by": "judge", "suspicion": ""},
        },
        {
            "paragraph": "p1",
            "text": "Another.",
            "tex": "Another.",
            "kind": "topic",
            "cites": [],
            "sources": [],
            "attribution": None,
            "status": "unreviewed",
            "by": None,
            "judgement": None,
        },
    ],
    "entries": [
        {
            "key": "a",
            "arxiv_id": "1706.02216",
            "origin": "generated",
            "verdict": "differs",
            "checked_against": "catalogue",
            "evidence": [{"field": "year", "given": "2016", "found": None, "verdict": "differs"}],
        }
    ],
    "blocks": {"related.tex": [{"hash": "0a1b2c3d", "heading": "H", "papers": ["1706.02216"]}]},
    "deleted": {"related.tex": [{"hash": "ffffffff", "heading": "G", "papers": []}], "other.tex": []},
    "written": {"related.tex": "00", "related.bib": "11"},
    "made_on": "2026-11-21",
    "inserted": [{"file": "main.tex", "text": "\\input{related}"}],
}
ODD: dict[str, Any] = {
    "options": {"nested": [[{"text": "a\n  b\t\x01é\u2028"}], [], {}]},
    "large": {"whole": 2**70, "part": 0.1},
}
PLANNED = {"blocks": {"related.tex": []}, "deleted": {"related.tex": []}, "written": {"related.tex": "00"}}


def lines(record: object) -> str:
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def read(record: object) -> Provenance:
    return parse_provenance(lines(record))


@pytest.mark.parametrize(
    "record", [RECORD, PLANNED, ODD, {"nested": ODD["options"]}, {"inserted": RECORD["inserted"]}, {"inputs": {}}]
)
def test_what_is_read_is_written_again_to_the_byte(record: dict[str, Any]) -> None:
    assert print_provenance(read(record)).decode() == lines(record)


def test_a_record_in_conflict_gives_one_side_and_what_was_accepted_on_either() -> None:
    other = json.loads(lines(RECORD).replace("unreviewed", "accepted"))
    ours, theirs = lines(RECORD), lines(other)
    record = parse_provenance(f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> branch\n")
    assert {sentence.status for sentence in record.sentences} == {"accepted"}
    assert parse_provenance(f"<<<<<<< HEAD\n{ours[:30]}\n=======\n{theirs}>>>>>>> branch\n") == read(other)


def test_what_either_side_of_a_conflict_rejects_is_rejected() -> None:
    rejected = json.loads(lines(RECORD).replace("unreviewed", "rejected").replace('"accepted"', '"rejected"'))
    gone = {**RECORD, "sentences": []}
    for ours, theirs in ((RECORD, rejected), (rejected, RECORD), (gone, rejected), (rejected, gone)):
        record = parse_provenance(f"<<<<<<< HEAD\n{lines(ours)}=======\n{lines(theirs)}>>>>>>> branch\n")
        assert [sentence.status for sentence in record.sentences] == ["rejected"] * len(RECORD["sentences"])


def test_a_rejected_sentence_that_is_in_the_section_again_was_put_back() -> None:
    record = read({**RECORD, "sentences": [{**RECORD["sentences"][0], "status": "rejected"}]})
    assert [each.words for each in rejected_sentences(record, "Another\nthing.")] == ["One thing."]
    assert rejected_sentences(record, "Before.\nOne\n  thing.\nAfter.") == []


@pytest.mark.parametrize("text", [None, "", "{", "[]", "7", "<<<<<<< a\n{\n", "[" * 100_000, '"' + "x" * 10])
def test_a_damaged_record_says_nothing(text: str | None) -> None:
    assert parse_provenance(text) == NOTHING_RECORDED


@pytest.mark.parametrize("damage", [None, 7, "x", [3], {"a": 3}, [{"b": None}], 10**400])
def test_a_damaged_part_leaves_the_others(damage: object) -> None:
    whole = read(RECORD)
    for name in RECORD:
        found = read({**RECORD, name: damage})
        others = [other for other in RECORD if other != name]
        assert all(getattr(found, other) == getattr(whole, other) for other in others if other != "sentences"), name
        assert [each.text for each in found.sentences if each.text] == (
            [] if name == "sentences" else ["One  thing.", "Another."]
        )
    for name in RECORD["sentences"][0]:
        sentences = [{**RECORD["sentences"][0], name: damage}, RECORD["sentences"][1]]
        assert read({**RECORD, "sentences": sentences}).sentences[1] == whole.sentences[1]


def test_a_record_without_the_fields_of_today_is_read() -> None:
    old = json.loads(lines(RECORD))
    for name in ("quotes_from", "blocks", "deleted", "written", "made_on", "inserted"):
        del old[name]
    for sentence in old["sentences"]:
        del sentence["tex"], sentence["by"], sentence["status"], sentence["judgement"]
    for name in ("of", "section", "page", "newer"):
        del old["sentences"][0]["sources"][0][name]
    record = read(old)
    assert [(each.text, each.tex, each.status) for each in record.sentences] == [
        ("One  thing.", None, "unreviewed"),
        ("Another.", None, "unreviewed"),
    ]
    assert [each.judgement for each in record.sentences] == [None, None]
    assert [(each.of, each.section, each.page) for each in record.sentences[0].sources] == [("abstract", None, None)]
    assert (record.written, record.made_on, record.inserted) == ({}, None, ())
    assert "tex" not in json.loads(print_provenance(record))["sentences"][0]


def test_fields_of_a_newer_citeplug_are_kept() -> None:
    new = json.loads(lines(RECORD))
    for place in (new, new["sentences"][0], new["sentences"][0]["sources"][0], new["entries"][0]):
        place["sheet"] = {"number": 3}
        place["others"] = None
    assert json.loads(print_provenance(read({**new, "format": 2}))) == {**new, "format": 2}


def test_a_letter_that_is_none_is_no_error() -> None:
    record = parse_provenance('{"sentences": [{"text": "\\ud800"}]}')
    assert b'"text": "?"' in print_provenance(record)


def test_blocks_that_were_there_or_deleted_are_told_by_file() -> None:
    record = read(RECORD)
    assert recorded_blocks(record, "related.tex") == [
        RecordedBlock("0a1b2c3d", "H", ("1706.02216",)),
        RecordedBlock("ffffffff", "G", ()),
    ]
    assert recorded_blocks(record, "other.tex") == []
    assert recorded_blocks(read({"blocks": [], "deleted": {"a": 3}}), "a") == []
