"""Digests of records and texts."""

import json
from datetime import date

from citeplug.corpus.record_rows import canonical, embedded_text, record_digest, text_digest
from tests.corpus.records import make_paper


def test_every_field_counts_for_the_digest() -> None:
    variants = [
        make_paper(), make_paper("1706.03763"), make_paper(version=2), make_paper(title="t"), make_paper(abstract="a"),
        make_paper(authors=()), make_paper(published=date(2017, 6, 11)), make_paper(updated=date(2018, 1, 1)),
        make_paper(categories=("cs.LG", "cs.CL")), make_paper(doi="d"), make_paper(journal_ref="d"),
        make_paper(comment="d"), make_paper(abstract_kind="summary"),
    ]  # fmt: skip
    assert len({record_digest(paper) for paper in variants}) == len(variants)


def test_the_serialised_record_is_plain_json_with_sorted_keys() -> None:
    read = json.loads(canonical(make_paper(title="Über $\\alpha$")))
    assert read["title"] == "Über $\\alpha$"
    assert list(read) == sorted(read)


def test_only_title_and_abstract_are_embedded() -> None:
    assert embedded_text(make_paper(title="T", abstract="A.")) == "T. A."
    assert text_digest(make_paper(doi="10.1/x")) == text_digest(make_paper())
    assert text_digest(make_paper(abstract="Other.")) != text_digest(make_paper())


def test_digests_do_not_change_from_one_release_to_the_next() -> None:
    assert record_digest(make_paper()).hex().startswith("2d1eaf1846a2e5a3")
    assert text_digest(make_paper()).hex().startswith("60af5f7a1ebc4ef7")
