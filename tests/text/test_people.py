import pytest

from citeplug.text.folding import split_name
from citeplug.text.people import compare_authors, named_works, same_person, split_authors

VASWANI = ("Ashish Vaswani", "Noam Shazeer", "Łukasz Kaiser", "Aidan N. Gomez")


@pytest.mark.parametrize(
    "given",
    [
        "Vaswani, Ashish and Shazeer, Noam and Kaiser, {\\L}ukasz and Gomez, Aidan N.",
        "Ashish Vaswani and Noam Shazeer and Lukasz Kaiser and Aidan Gomez",
        "A. Vaswani and N. Shazeer and L. Kaiser and A.N. Gomez",
        "Vaswani, A. and others",
        "Vaswani, Ashish and Shazeer, Noam and others",
        "Vaswani et al.",
        "Vaswani et al., Ashish",
        "Vaswani and Shazeer and Kaiser and Gomez",
        "Ashish Vaswani, Noam Shazeer, Łukasz Kaiser \\& Aidan Gomez",
        "Vaswani Ashish and Shazeer Noam and Kaiser Lukasz and Gomez Aidan",
        "Ashish Vaswani 0001 and Noam Shazeer and Lukasz Kaiser 0002 and Aidan Gomez",
        "{Ashish Vaswani} and {Noam Shazeer} and {Lukasz Kaiser} and {Aidan N. Gomez}",
    ],
)
def test_the_same_authors_in_another_writing(given: str) -> None:
    assert compare_authors(given, VASWANI).degree == "same"


@pytest.mark.parametrize(
    ("given", "degree"),
    [
        ("Shazeer, Noam and Vaswani, Ashish and Kaiser, Lukasz and Gomez, Aidan", "close"),
        ("Vaswani, Ashish and Shazeer, Noam", "close"),
        ("Vaswani, Ashish and Shazeer, Nina and others", "other"),
        ("Vaswani, Ashish and Shazeer, Noam and Kaiser, Lukasz and Gomez, Bert", "other"),
        ("Vaswani, Ashish and Shazeer, Noam and Kaiser, Lukasz and Gomez, Aidan and Doe, Jane", "other"),
        ("Hinton, Geoffrey and others", "other"),
        ("Shazeer, Noam and others", "close"),
    ],
)
def test_other_authors_are_told_from_missing_or_reordered_ones(given: str, degree: str) -> None:
    assert compare_authors(given, VASWANI).degree == degree


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Schröder, Jörg", "Joerg Schroeder"),
        ("Van de Sompel, Herbert", "Herbert Van de Sompel"),
        ("Sompel, Herbert", "Herbert van de Sompel"),
        ("Garc{\\'\\i}a M{\\'a}rquez, Gabriel", "Gabriel García Márquez"),
        ("J.-P. Serre", "Jean-Pierre Serre"),
        ("JP Serre", "Jean Pierre Serre"),
        ("Bob Carpenter", "Robert Carpenter"),
        ("Davis, Jr., Sammy", "Sammy Davis"),
        ("Øystein Strømer", "Oystein Stroemer"),
        ("K. Simonyan", "Karen Simonyan"),
        ("Erdős, P.", "Paul Erd\\H{o}s"),
        ("Hideo Ohno-Machado", "Hideo Machado"),
        ("Wei Wang", "Wang Wei"),
    ],
)
def test_one_person_in_two_writings(first: str, second: str) -> None:
    assert same_person(split_name(first), split_name(second))
    assert same_person(split_name(second), split_name(first))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("John Smith", "James Smith"),
        ("J. Smith", "K. Smith"),
        ("J. A. Smith", "J. B. Smith"),
        ("John Smith", "John Smyth"),
    ],
)
def test_two_persons_are_two(first: str, second: str) -> None:
    assert not same_person(split_name(first), split_name(second))


def test_collaborations_stand_beside_people() -> None:
    record = ("ATLAS Collaboration", "Georges Aad", "Brad Abbott")
    assert compare_authors("Aad, Georges and others", record).degree == "same"
    assert compare_authors("{The ATLAS Collaboration}", record).degree == "same"
    assert compare_authors("{The ATLAS collaboration} and Aad, G. and Abbott, B.", record).degree == "same"
    assert compare_authors("{CMS Collaboration}", record).degree == "other"


def test_and_inside_braces_joins_nothing() -> None:
    assert split_authors("{Barnes and Noble} and Smith, J. and others") == (["{Barnes and Noble}", "Smith, J."], True)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("Vaswani, Ashish and Kaiser, Lukasz and Gomez, Aidan", "Noam Shazeer is missing"),
        ("Shazeer, Noam and Kaiser, Lukasz and Gomez, Aidan", "Ashish Vaswani is missing"),
        ("Vaswani, Ashish and Shazeer, Noam and Kaiser, Lukasz", "Aidan N. Gomez is missing"),
        ("Vaswani, Ashish and Gomez, Aidan", "2 of 4 authors are missing: Noam Shazeer, Łukasz Kaiser"),
        ("Gomez, A. and Vaswani, A. and Shazeer, N.", "Łukasz Kaiser is missing, and the authors are in another order"),
        ("Shazeer, Noam and Vaswani, Ashish and Kaiser, Lukasz and Gomez, Aidan", "the authors are in another order"),
    ],
)  # fmt: skip
def test_an_author_who_is_missing_is_named(given: str, why: str) -> None:
    assert compare_authors(given, VASWANI).why == why


def test_keys_that_are_words_of_their_own_give_way_to_names() -> None:
    names = {"kipf": "Kipf and Welling 2017"}
    assert named_works("similar to kipf, not kipfler or a-kipf", names) == (
        "similar to Kipf and Welling 2017, not kipfler or a-kipf"
    )
    assert named_works("kipf", {}) == "kipf"
