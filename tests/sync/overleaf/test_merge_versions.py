"""Two records of how a section was made become one."""

from citeplug.records.provenance import (
    NOTHING_RECORDED,
    Provenance,
    RecordedBlock,
    RecordedEntry,
    RecordedSentence,
    Status,
)
from citeplug.sync.overleaf.merge_versions import merge_records

BLOCK = "% citeplug:begin {name}\nText.\n% citeplug:end {name} sha256={sha}\n"


def section(**blocks: str) -> str:
    return "% citeplug: 1\n" + "".join(BLOCK.format(name=name, sha=sha) for name, sha in blocks.items())


def sentence(text: str, status: Status = "unreviewed") -> RecordedSentence:
    return RecordedSentence("p1", text, status=status)


def test_sentences_and_entries_of_both_are_there_and_what_either_accepted() -> None:
    a, b = RecordedEntry("a"), RecordedEntry("b")
    theirs = Provenance(sentences=(sentence("One."),), entries=(a,), inputs={"title": "x"})
    ours = Provenance(sentences=(sentence("One.", "accepted"), sentence("Two.")), entries=(a, b))
    record = merge_records(theirs, ours, before="", after="", section="related.tex")
    assert record.sentences == (sentence("One.", "accepted"), sentence("Two."))
    assert record.entries == (a, b)
    assert record.inputs == {}


def test_what_was_made_anew_is_not_taken_for_deleted_and_what_was_deleted_stays_so() -> None:
    def blocks(*hashes: str) -> Provenance:
        return Provenance(blocks={"related.tex": tuple(RecordedBlock(sha, "", ()) for sha in hashes)})

    before = section(p1="00000001", p2="00000002")
    after = section(p1="0000000b")
    record = merge_records(
        blocks("0000000a", "00000002"), blocks("0000000b"), before=before, after=after, section="related.tex"
    )
    assert {each.hash for each in record.blocks["related.tex"]} == {"0000000b", "00000002"}


def test_a_side_that_records_nothing_adds_nothing() -> None:
    one = Provenance(sentences=(sentence("One."),), deleted={"a.tex": (RecordedBlock("00000001", "", ()),)})
    for sides in ((one, NOTHING_RECORDED), (NOTHING_RECORDED, one)):
        record = merge_records(*sides, before="", after="", section="related.tex")
        assert (record.sentences, record.deleted) == (one.sentences, one.deleted)
