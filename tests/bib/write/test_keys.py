import re
from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from citeplug.bib.write.keystyle import make_keys
from citeplug.records.draft import BibEntry, Span
from citeplug.records.paper import Paper
from tests.harness.papers import paper, papers


def key_of(record: Paper, taken: tuple[str, ...] = ()) -> str:
    return make_keys([record], taken)[record.id.value]


def entry(key: str, author: str, year: str, title: str) -> BibEntry:
    return BibEntry(key, "misc", {"author": author, "year": year, "title": title}, Span(Path("a.bib"), 0, 0, 1))


def test_a_key_is_surname_year_and_first_telling_word() -> None:
    assert key_of(paper()) == "vaswani2017attention"
    assert key_of(paper(title="On the Convergence of Adam")) == "vaswani2017convergence"


def test_all_particles_belong_to_the_surname() -> None:
    assert key_of(paper(authors=("Herbert Van de Sompel",))) == "vandesompel2017attention"
    assert key_of(paper(authors=("Aaron van den Oord",))) == "vandenoord2017attention"


def test_letters_that_unicode_does_not_decompose_are_spelled_out() -> None:
    names = {
        "Bjarne Strømer": "stromer",
        "Ida Groß": "gross",
        "Łukasz Łoś": "los",
        "Đặng Ðorđe": "dorde",
        "I. Yıldız": "yildiz",
    }
    assert {name: re.sub(r"\d.*", "", key_of(paper(authors=(name,)))) for name in names} == names


def test_a_collaboration_gives_its_name() -> None:
    assert key_of(paper(authors=("The ATLAS Collaboration",))).startswith("atlas2017")


def test_a_title_without_a_telling_word_still_gives_a_key() -> None:
    assert key_of(paper(title="0")) == "vaswani20170"
    assert key_of(paper(title="$\\to$")) == "vaswani2017"


def test_two_alike_get_letters_the_older_first_whatever_their_order() -> None:
    old, new = paper("1706.00001", published=date(2017, 6, 1)), paper("1706.00002", published=date(2017, 6, 2))
    expected = {"1706.00001": "vaswani2017attention", "1706.00002": "vaswani2017attentiona"}
    assert make_keys([old, new], []) == make_keys([new, old], []) == expected


def test_a_key_of_the_draft_is_never_taken_again_in_any_case() -> None:
    assert key_of(paper(), ("Vaswani2017Attention",)) == "vaswani2017attentiona"


def test_the_author_s_own_form_of_keys_is_learnt() -> None:
    titles = ["Deep Nets", "On Graphs", "The Trees", "A Forest", "Some Leaves"]
    entries = [entry(f"Smith:{2000 + n}", "Smith, Jo", str(2000 + n), title) for n, title in enumerate(titles)]
    assert make_keys([paper()], [], entries)["1706.03762"] == "Vaswani:2017"
    assert make_keys([paper()], [], entries[:3])["1706.03762"] == "vaswani2017attention"


@settings(max_examples=30, deadline=None)
@given(st.lists(papers(), max_size=6), st.lists(st.sampled_from(["a2000b", "X"])))
def test_keys_are_legal_and_all_different(records: list[Paper], taken: list[str]) -> None:
    keys = make_keys(records, taken)
    assert set(keys) == {record.id.value for record in records}
    assert all(re.fullmatch(r"[a-z0-9]+", key) for key in keys.values())
    every = [key.lower() for key in keys.values()] + [key.lower() for key in set(taken)]
    assert len(set(every)) == len(every)
