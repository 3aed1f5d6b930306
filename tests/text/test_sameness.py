import time

import pytest

from citeplug.text.sameness import Described, Register, nearly_same, same_paper

TITLE = "Attention Is All You Need"
NAMES = ("Ashish Vaswani", "Noam Shazeer", "Niki Parmar")


def described(title: str = TITLE, names: tuple[str, ...] = NAMES, **known: object) -> Described:
    return Described(title, names, **known)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "by"),
    [
        (described(arxiv_id="1706.03762"), described("Other", ("Jane Doe",), arxiv_id="1706.03762"), "arxiv"),
        (described(arxiv_id="1706.03762"), described(arxiv_id="1706.03763"), None),
        (described(dois=frozenset({"10.1/a"})), described(TITLE, (), dois=frozenset({"10.1/a"})), "doi"),
        (described(dois=frozenset({"10.1/a"})), described("A Book", ("Jane Doe",), dois=frozenset({"10.1/a"})), None),
        (described(dois=frozenset({"10.1/a"})), described(dois=frozenset({"10.1/b"})), None),
        (described(dois=frozenset({"10.1/a"})), described(dois=frozenset({"10.1/b"}), of_arxiv=True), "title"),
        (described(), described(names=NAMES[::-1]), "title"),
        (described(), described(names=("A. Vaswani",), cut=True), "title"),
        (described(), described(names=("Ashish Vaswani", "Jane Doe")), "title"),
        (described(), described(names=NAMES[1:]), "title"),
        (described(), described(names=("Jane Doe", *NAMES[1:])), None),
        (described(), described(names=()), None),
        (described(first=2017, last=2017), described(first=2019, last=2019), "title"),
        (described(first=2017, last=2017), described(first=2024, last=2024), None),
        (described("Editorial"), described("Editorial"), None),
        (described("Algorand"), described("Algorand"), "title"),
        (described("Algorand"), described("Algorand", NAMES[:1]), None),
        (described("Flow in Sand"), described("Flow in Sand: A Survey"), "title"),
        (described("Flow in Sand"), described("Flow in Sand: A Survey", NAMES[:1]), None),
    ],
)  # fmt: skip
def test_two_descriptions_are_of_one_paper_or_not(one: Described, other: Described, by: str | None) -> None:
    assert same_paper(one, other) == by
    assert same_paper(other, one) == by


def test_a_title_that_thousands_have_takes_no_time_of_thousands() -> None:
    register: Register[int] = Register()
    for number in range(5_000):
        register.add(described(names=(f"Jane {chr(65 + number % 26)}oe{number}",)), number)
    start = time.process_time()
    for _ in range(20):
        assert list(register.same(described())) == []
    assert time.process_time() - start < 5


def test_what_is_the_same_is_found_among_many_in_the_order_in_which_it_came() -> None:
    register: Register[int] = Register()
    for number in range(100):
        register.add(described(f"Paper number {number} of many", arxiv_id=f"2001.{number:05}"), number)
    register.add(described("Paper number 7 of many"), 100)
    wanted = described("Paper number 7 of many: the whole story", arxiv_id="2001.00007")
    assert list(register.same(wanted)) == [("arxiv", 7), ("title", 100)]


def test_titles_that_differ_by_a_word_under_all_the_same_people_are_nearly_the_same() -> None:
    entry = Described("Gaussian Process Covariance Kernels for Pattern Discovery", ("Wilson, Andrew", "Adams, Ryan"))
    paper = Described("Gaussian Process Kernels for Pattern Discovery", ("Andrew Wilson", "Ryan Adams"))
    assert same_paper(entry, paper) is None
    assert nearly_same(entry, paper)
    assert not nearly_same(entry, Described(paper.title, ("Somebody Else",)))
    assert not nearly_same(entry, Described("Scalable Inference in Structured Models", paper.names))
    assert not nearly_same(entry, Described("", ()))
