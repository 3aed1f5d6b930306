from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.sentences import split_sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "We use e.g. Gaussian noise, i.e. Brownian motion, cf. Smith et al. (2010).",
        "See Fig. 3 and Eq. 4 for the results vs. the baseline.",
        "The error is 0.5 at $n=1.5$. in all cases",
        "Methods (see Sec. 2. And 3.) are compared.",
        "The theory of J. Doe and M. C. Escher holds.",
        "Kubica et al. (Inf. Process. Let., 2013) and R. May agree.",
        "By Smith et al.~\\cite{a} and by Jones et al. \\cite{b} it holds.",
        "Code is at https://example.org/a.b.html and works.",
    ],
)
def test_these_stops_end_no_sentence(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One thing. Another thing.", ["One thing.", "Another thing."]),
        ("Does it work? It does! Good.", ["Does it work?", "It does!", "Good."]),
        ("We cite Smith et al. We then prove it.", ["We cite Smith et al.", "We then prove it."]),
        ("It holds for $x$. The rest follows.", ["It holds for $x$.", "The rest follows."]),
        ('He said "yes." Then he left.', ['He said "yes."', "Then he left."]),
        ("There is no space.The next one follows.", ["There is no space.", "The next one follows."]),
        ("Crashes, etc. Is it possible?", ["Crashes, etc.", "Is it possible?"]),
        ("We train an ANN. Due to this it works.", ["We train an ANN.", "Due to this it works."]),
        ("It holds. (This is new.) For all $n$ too.", ["It holds.", "(This is new.)", "For all $n$ too."]),
        ("It holds\n\\cite{a}.\n  The rest\nfollows.", ["It holds\n\\cite{a}.", "The rest\nfollows."]),
        ("No stop at the end", ["No stop at the end"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


def test_an_empty_text_has_no_sentences() -> None:
    assert split_sentences("") == []


@given(st.text(st.sampled_from("ab AB.!?$()'\"\\{}0 "), max_size=80))
def test_the_sentences_cover_the_text_in_order(text: str) -> None:
    text = " ".join(text.split())
    assert " ".join(split(text)).replace(" ", "") == text.replace(" ", "")
    places = split_sentences(text)
    assert all(start < end for start, end in places)
    assert all(before[1] <= after[0] for before, after in pairwise(places))
