from citeplug.bib.compare.corrections import id_changes, malformed_changes
from citeplug.bibtex.entries import parse_bib
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import FieldChange
from tests.harness.papers import paper


def entry(fields: str) -> BibEntry:
    (found,) = parse_bib("@misc{k, title={Attention Is All You Need}, " + fields + "}")
    return found


def changed(changes: list[FieldChange]) -> dict[str, str | None]:
    return {change.field: change.value for change in changes}


def test_an_id_is_replaced_in_every_field_that_carries_it_with_its_version() -> None:
    found = entry("eprint={1512.03385v2}, doi={10.48550/arXiv.1512.03385}, note={arXiv:1512.03385 [cs.CV]}")
    assert changed(id_changes(found, paper())) == {
        "eprint": "1706.03762",
        "doi": "10.48550/arXiv.1706.03762",
        "note": "arXiv:1706.03762 [cs.CV]",
    }


def test_no_longer_number_that_contains_the_id_is_touched() -> None:
    found = entry("eprint={1512.0338}, note={arXiv:1512.03385}, isbn={11512.0338}")
    assert set(changed(id_changes(found, paper()))) <= {"eprint", "note"}


def test_files_abstracts_and_titles_keep_what_they_say() -> None:
    found = entry("eprint={1512.03385}, file={papers/1512.03385.pdf}, abstract={as arXiv:1512.03385 did}")
    assert changed(id_changes(found, paper())) == {"eprint": "1706.03762"}


def test_a_damaged_id_is_replaced_where_it_stands() -> None:
    assert changed(malformed_changes(entry("journal={arXiv preprint arXiv:1706.376}"), paper())) == {
        "journal": "arXiv preprint arXiv:1706.03762"
    }
    assert changed(malformed_changes(entry("eprint={17060.3762}, archivePrefix={arXiv}"), paper())) == {
        "eprint": "1706.03762"
    }


def test_dates_pages_and_other_archives_are_no_damaged_ids() -> None:
    assert malformed_changes(entry("note={arXiv preprint, read 20170612}"), paper()) == []
    assert malformed_changes(entry("journal={Nature}, volume={12.5}, pages={100--1234}"), paper()) == []
    assert malformed_changes(entry("eprint={hal-01234567}, eprinttype={hal}"), paper()) == []
    assert malformed_changes(entry("eprint={https://x.org/10.1093/17060.pdf}"), paper()) == []
