import gzip
import json
import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citeplug.bib.compare.verify import Against, check_entry, without_record
from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import render_entry
from citeplug.bib.write.keystyle import make_keys
from citeplug.bibtex.entries import parse_bib
from citeplug.records.entry_check import EntryCheck
from citeplug.records.paper import Paper
from tests.harness.papers import paper, papers

TODAY = date(2026, 1, 15)
DIALECTS = [
    Dialect("bibtex", "note"),
    Dialect("bibtex", "eprint", ("amssymb", "fontenc")),
    Dialect("bibtex", "journal"),
    Dialect("biber", "eprint"),
]
RIGHT = """@inproceedings{a, title={Attention Is All You Need}, eprint={1706.03762},
  author={Vaswani, Ashish and Shazeer, Noam and Parmar, Niki}, year={2017}}"""


def check(
    text: str, record: Paper | None = None, against: Against | None = "arxiv", complete: bool = False
) -> EntryCheck:
    (entry,) = parse_bib(text)
    if record is not None:
        return check_entry(entry, record, against=against)
    return without_record(entry, against=against, complete=complete, today=TODAY)


def verdict(
    text: str, record: Paper | None = None, against: Against | None = "arxiv", **known: bool
) -> tuple[str, str]:
    found = check(text, record, against, **known)
    return found.verdict, found.severity


def test_a_right_entry_is_verified_with_evidence() -> None:
    found = check(RIGHT, paper(doi="10.1/abcd"))
    assert (found.verdict, found.severity, found.arxiv_id) == ("verified", "none", "1706.03762")
    assert {item.field: item.verdict for item in found.fields} == {"title": "same", "author": "same", "year": "same"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2017", "2019"),  # arXiv's own export gives the latest version's year
        ("Attention Is All You Need", "{A}ttention is all you need"),
        (" and Shazeer, Noam and Parmar, Niki", " and others"),
        ("Vaswani, Ashish", "A. Vaswani"),
        ("eprint={1706.03762}", "journal={CoRR}, volume={abs/1706.03762}"),
        ("year={2017}", "date={2018-03-01}"),
        ("1706.03762", "arXiv:1706.03762v3"),
        ("1706.03762}", "1706.03762}, doi={10.48550/arXiv.1706.03762}"),
    ],
)
def test_what_right_entries_look_like_is_no_false_alarm(old: str, new: str) -> None:
    assert verdict(RIGHT.replace(old, new), paper(updated=date(2019, 5, 1))) == ("verified", "none")


@pytest.mark.parametrize(
    ("old", "new", "severity"),
    [
        ("Attention Is All You Need", "Deep Residual Learning for Image Recognition", "warning"),
        ("Attention Is All You Need", "Attention Is Not All You Need", "warning"),
        ("Vaswani, Ashish", "Vaswani, Bertram", "error"),
        ("Vaswani, Ashish and Shazeer, Noam", "Shazeer, Noam and Vaswani, Ashish", "warning"),
        ("Parmar, Niki", "Parmar, Niki and Doe, Jane", "error"),
        ("Vaswani, Ashish and Shazeer, Noam and Parmar, Niki", "He, Kaiming", "error"),
        ("2017", "2014", "warning"),
        ("2017", "2020", "warning"),
        ("year={2017}", "year={2017}, doi={10.1000/other}", "warning"),
        ("year={2017}", "year={2017}, url={https://arxiv.org/abs/1512.03385}", "error"),
    ],
)
def test_one_wrong_field_is_caught(old: str, new: str, severity: str) -> None:
    assert verdict(RIGHT.replace(old, new), paper(doi="10.1000/right")) == ("differs", severity)


def test_the_journal_s_year_counts_too() -> None:
    text = RIGHT.replace("year={2017}", "journal={Phys. Rev.}, year={2021}")
    assert verdict(text, paper(journal_ref="Phys. Rev. D 1 (2021) 5"))[0] == "verified"
    assert verdict(text, paper(journal_ref="Phys. Rev. D 1 (2019) 5")) == ("differs", "warning")


def test_a_former_title_in_arxiv_s_comment_counts() -> None:
    text = RIGHT.replace("Attention Is All You Need", "The Transformer")
    comment = '15 pages, formerly titled "The Transformer". Added figures'
    assert verdict(text, paper(comment=comment))[0] == "verified"
    assert verdict(text, paper()) == ("differs", "warning")


@pytest.mark.parametrize(
    "comment",
    [
        "Published under title: The Transformer, a Model of Sequences",
        'Appeared as "The Transformer, a Model of Sequences" in Proc. NIPS 2017',
        "9 pages; published in NIPS. Title changed from The Transformer, a Model of Sequences to the present one",
        'Title changed. Old title was "The Transformer, a Model of Sequences"',
        "v1 was titled `The Transformer, a Model of Sequences'",
        "Previous version of this paper was called ``The Transformer, a Model of Sequences''",
        "Extended version of the conference paper 'The Transformer, a Model of Sequences' (NIPS 2017)",
        "Accepted at NIPS under the title The Transformer, a Model of Sequences. 12 figures",
    ],
)
def test_another_title_that_arxiv_s_comment_tells_is_right(comment: str) -> None:
    text = RIGHT.replace("Attention Is All You Need", "The Transformer, a model of sequences")
    assert verdict(text, paper(comment=comment)) == ("verified", "none")


@pytest.mark.parametrize(
    "comment",
    [
        'Companion to our paper "The Transformer, a Model of Sequences"',
        'A sequel to our previous paper entitled "The Transformer, a Model of Sequences"',
        "Comparing to the paper The Transformer, a Model of Sequences, this one is shorter",
    ],
)
def test_the_title_of_a_companion_in_arxiv_s_comment_is_not_the_paper_s(comment: str) -> None:
    text = RIGHT.replace("Attention Is All You Need", "The Transformer, a model of sequences")
    assert verdict(text, paper(comment=comment)) == ("differs", "warning")


@pytest.mark.parametrize("form", ["(Full)", "(Extended Version)", "[Technical Report]", "-- extended abstract"])
def test_what_a_title_says_of_the_form_of_the_paper_is_no_difference(form: str) -> None:
    assert verdict(RIGHT.replace("You Need", f"You Need {form}"), paper()) == ("verified", "none")
    assert verdict(RIGHT, paper(title=f"Attention Is All You Need {form}")) == ("verified", "none")


def test_a_changed_title_beside_the_same_authors_is_a_warning_that_shows_both() -> None:
    found = check(RIGHT.replace("Attention Is All You Need", "The Transformer"), paper())
    assert (found.verdict, found.severity) == ("differs", "warning")
    assert "'The Transformer'" in found.message and "'Attention Is All You Need'" in found.message


@pytest.mark.parametrize("authors", ["He, Kaiming and others", "Vaswani, Ashish and He, Kaiming", "Shazeer, Noam"])
def test_another_title_beside_other_authors_is_an_error(authors: str) -> None:
    text = RIGHT.replace("Attention Is All You Need", "Residual Learning").replace(
        "Vaswani, Ashish and Shazeer, Noam and Parmar, Niki", authors
    )
    assert verdict(text, paper()) == ("differs", "error")


def test_an_id_alone_proves_nothing() -> None:
    assert verdict("@misc{a, eprint={1706.03762}}", paper()) == ("unchecked", "info")
    assert (
        verdict("@misc{a, eprint={1706.03762}, author={Vaswani, A. and others}, year=2017}", paper())[0] == "verified"
    )


def test_a_withdrawn_paper_is_only_possibly_so() -> None:
    gone = paper(comment="This paper has been withdrawn by the author")
    assert verdict(RIGHT, gone) == ("possibly_withdrawn", "warning")


def test_a_record_without_authors_is_compared_by_its_title_and_the_verdict_says_so() -> None:
    assert verdict(RIGHT, paper(authors=()))[0] == "verified"
    assert check(RIGHT, paper(authors=())).message == "title and year agree; the record has no authors to compare"
    assert verdict(RIGHT, paper(title="Something Else Entirely", authors=())) == ("differs", "warning")
    assert "no authors to compare" in check(RIGHT, paper(title="Something Else Entirely", authors=())).message


def test_not_found_is_a_verdict_only_where_it_is_known() -> None:
    assert verdict(RIGHT) == ("not_found", "error")
    assert verdict(RIGHT, None, "catalogue", complete=True) == ("not_found", "error")
    assert verdict(RIGHT, None, "catalogue") == ("unchecked", "info")
    assert verdict(RIGHT, None, None) == ("unchecked", "info")
    assert "may be incomplete" in check(RIGHT, None, "catalogue").message
    assert verdict(RIGHT.replace("1706.03762", "2612.00001"), None, "catalogue") == ("not_found", "error")


def test_an_entry_that_does_not_claim_arxiv_is_only_noted() -> None:
    assert verdict("@book{a, title={A Book}, author={Knuth, D.}}") == ("not_arxiv", "info")
    assert verdict("@misc{a, title={A Book}, journal={arXiv preprint}}") == ("not_found", "error")
    assert verdict("@misc{a, title={A Book}, journal={arXiv preprint}}", None, "catalogue") == ("unchecked", "info")


def rendered(written: Paper, dialect: Dialect, record: Paper) -> EntryCheck:
    return check(render_entry(written, "key", dialect), record, "catalogue")


@settings(max_examples=60, deadline=None)
@given(papers(), st.sampled_from(DIALECTS))
def test_a_rendered_entry_is_verified_against_its_own_record(record: Paper, dialect: Dialect) -> None:
    found = rendered(record, dialect, record)
    assert found.verdict == "verified", found.message


@settings(max_examples=60, deadline=None)
@given(papers(), papers(), st.sampled_from(["title", "authors", "order", "given name", "year", "doi"]))
def test_a_rendered_entry_with_one_corruption_is_not_verified(record: Paper, other: Paper, what: str) -> None:
    people = [author for author in record.authors if "Collaboration" not in author]
    wrong = record
    if what == "title":
        wrong = replace(record, title="Remarks about something that nobody would confuse with it: quantum tomatoes")
    elif what == "authors":
        assume(all("Collaboration" not in author for author in record.authors))
        wrong = replace(record, authors=("Xaver Quux", "Yolanda Zyzzyva"))
    elif what == "order":
        assume(len(people) > 1 and people[0].split()[-1] != people[1].split()[-1] and "-" not in "".join(people))
        wrong = replace(record, authors=(people[1], people[0], *people[2:]))
    elif what == "given name":
        assume(len(people) == len(record.authors))
        wrong = replace(record, authors=("Xqzw " + people[0].split()[-1], *people[1:]))
        assume(people[0].split()[-1] not in ("Jr.", "III"))
    elif what == "year":
        wrong = replace(
            record, published=record.published.replace(year=record.updated.year + 3, day=1), journal_ref=None
        )
        record = replace(record, journal_ref=None)
    else:
        record = replace(record, doi="10.1000/right")
        wrong = replace(record, doi="10.1000/wrong")
    assert rendered(wrong, DIALECTS[0], record).verdict in ("differs", "possibly_withdrawn")


@pytest.mark.shared_data
def test_three_thousand_real_records_are_verified_in_every_dialect(shared_data: Path) -> None:
    from citeplug.sources.snapshot import paper_from_record

    with gzip.open(shared_data / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        chosen = random.Random(7).sample(list(lines), 3000)
    records = [record for line in chosen if (record := paper_from_record(json.loads(line))).complete]
    keys = make_keys(records, [])
    for number, dialect in enumerate(DIALECTS):
        part = records[number :: len(DIALECTS)]
        found = [check(render_entry(record, keys[record.id.value], dialect), record, "catalogue") for record in part]
        assert [(c.arxiv_id, c.message) for c in found if c.verdict not in ("verified", "possibly_withdrawn")] == []
