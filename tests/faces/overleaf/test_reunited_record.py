"""Two records of how a section was made become one."""

from citeplug.faces.overleaf.reunited_record import reunite_records

BLOCK = "% citeplug:begin {name}\nText.\n% citeplug:end {name} sha256={sha}\n"


def section(**blocks: str) -> str:
    return "% citeplug: 1\n" + "".join(BLOCK.format(name=name, sha=sha) for name, sha in blocks.items())


def sentence(text: str, status: str = "unreviewed") -> dict[str, str]:
    return {"paragraph": "p1", "text": text, "status": status}


def test_sentences_and_entries_of_both_are_there_and_what_either_accepted() -> None:
    theirs = {"sentences": [sentence("One.")], "entries": [{"key": "a"}], "inputs": {"title": "x"}}
    ours = {"sentences": [sentence("One.", "accepted"), sentence("Two.")], "entries": [{"key": "a"}, {"key": "b"}]}
    record = reunite_records(theirs, ours, before="", after="", section="related.tex")
    assert record["sentences"] == [sentence("One.", "accepted"), sentence("Two.")]
    assert [entry["key"] for entry in record["entries"]] == ["a", "b"]
    assert record["inputs"] == {}


def test_what_was_made_anew_is_not_taken_for_deleted_and_what_was_deleted_stays_so() -> None:
    def blocks(*hashes: str) -> dict[str, object]:
        return {"blocks": {"related.tex": [{"hash": sha, "heading": "", "papers": []} for sha in hashes]}}

    before = section(p1="00000001", p2="00000002")
    after = section(p1="0000000b")
    record = reunite_records(
        blocks("0000000a", "00000002"), blocks("0000000b"), before=before, after=after, section="related.tex"
    )
    assert {each["hash"] for each in record["blocks"]["related.tex"]} == {"0000000b", "00000002"}


def test_damaged_records_make_one_that_can_be_read() -> None:
    record = reunite_records(
        {"sentences": "x", "blocks": []}, {"deleted": {"a": 3}}, before="", after="", section="related.tex"
    )
    assert record["sentences"] == []
