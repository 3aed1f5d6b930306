"""Which sentences are claims about others' work without a citation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.latex.prose import uncited_claims

CITE = "\\cite{key}"


def claims(text: str) -> list[str]:
    cited, at = [], text.find(CITE)
    while at >= 0:
        cited.append((at, at + len(CITE)))
        at = text.find(CITE, at + 1)
    return [text[start:end] for start, end in uncited_claims(text, 0, len(text), cited)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Several studies have shown that such models fail on long documents.",
        "It is well known that deep networks are hard to train without normalisation.",
        "Evolutionary algorithms have been applied successfully to a wide array of problems.",
        "A large body of work studies attention in graph neural networks.",
        "Many\nprobabilistic models focus on such samples % a remark. Another\r\nonly, and neglect the rest of them.",
        "Smith et al. improve the bound for sparse graphs by a constant factor.",
    ],
)
def test_what_says_that_others_did_something_is_a_claim(sentence: str) -> None:
    assert claims(f"First words. {sentence} Last words, which are few.") == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Several studies have shown that such models fail on long documents \\cite{key}.",
        "Our method has been applied successfully to a wide array of other problems.",
        "They have been applied successfully to a wide array of other problems since then.",
        "In this section we discuss how several studies have shown such models to fail.",
        "No previous work has studied the problem of attention in graphs of that size.",
        "The convolution is a linear operator on signals over regular grids.",
        "% Several studies have shown that such models fail on long documents.",
        "\\begin{equation} a \\end{equation}",
    ],
)
def test_what_is_about_the_paper_itself_or_nobody_is_none(sentence: str) -> None:
    assert claims(f"First words.\n{sentence}\nLast words, which are few.") == []


def test_a_sentence_that_leads_to_citations_or_follows_one_is_none() -> None:
    claim = "Several studies have shown that such models fail on long documents."
    assert claims(f"{claim} One of them is new {CITE}.") == []
    assert claims(f"One of them is new {CITE}. {claim}") == []
    assert claims(f"{claim}\n\nOne of them is new {CITE}.") == [claim]
    assert claims(f"{claim}\r\nOne of them is new {CITE}.") == []


def test_the_bibliography_is_no_part_of_the_section() -> None:
    assert claims("Words.\n\\bibliography{refs}\nSeveral studies have shown that such models fail on documents.") == []


@given(st.text(alphabet="ab .\n\r%\\{}$[]", max_size=200), st.integers(0, 50))
def test_any_text_is_looked_through(text: str, start: int) -> None:
    for first, last in uncited_claims(text, start, len(text), []):
        assert start <= first < last <= len(text)
