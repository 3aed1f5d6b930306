import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.quotation import SHORTEST, find_quote

TEXT = (
    "We show that \\emph{G\\\"odel} numbers -- of type $\\alpha$ -- aren't ``un-supervised'' learning. "
    "Our self-supervised nets reach 5\\% error, and a rate of -3.5 in non-linear models."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("show that Gödel numbers – of type α", 'show that \\emph{G\\"odel} numbers -- of type $\\alpha'),
        ("we show that  Gödel\nnumbers", 'We show that \\emph{G\\"odel} numbers'),
        (
            "“aren't “un-supervised” learning. Our self-supervised nets”",
            "aren't ``un-supervised'' learning. Our self-supervised nets",
        ),
        ("Our self-supervised nets reach 5% error.", "Our self-supervised nets reach 5\\% error"),
    ],
)
def test_white_space_tex_quotes_and_dashes_do_not_matter(quote: str, found: str) -> None:
    place = find_quote(quote, TEXT)
    assert place is not None
    assert TEXT[slice(*place)] == found


@pytest.mark.parametrize(
    "quote",
    [
        "supervised nets reach 5% error, and",  # of "self-supervised"
        "supervised” learning. Our self-supervised nets",  # of "un-supervised"
        "linear models. We show that numbers",
        "a rate of 3.5 in non-linear models",  # the sign
        "nets reach 5 error, and a rate",  # the unit
        "our self-supervised nets reach ... a rate of",
        "self-supervised nets",
        "we show that Godel numbers are",
        "",
    ],
)
def test_what_the_text_does_not_say_word_for_word_is_not_found(quote: str) -> None:
    assert find_quote(quote, TEXT) is None


def test_a_quotation_cannot_end_inside_a_number() -> None:
    assert find_quote("it is faster by about 12", "It is faster by about 12.5 times.") is None
    assert find_quote("it is faster by about 12", "It is faster by about 12%.") is None


def test_four_words_are_too_few() -> None:
    assert SHORTEST == 5
    assert find_quote("one two three four", "one two three four five six") is None
    assert find_quote("one two three four five", "one two three four five six") == (0, 23)


def test_an_endless_quotation_is_refused() -> None:
    assert find_quote("word " * 100_000, "word " * 100_000) is None


_words = st.lists(st.text("abcdefgh-αβé'", min_size=1, max_size=6), min_size=8, max_size=14)


@given(_words, st.integers(0, 2), st.integers(5, 7))
def test_whole_words_of_a_text_are_found_in_it(words: list[str], start: int, count: int) -> None:
    words = [f"w{word.strip('-')}w" for word in words]
    text = " ".join(words)
    quote = "  ".join(words[start : start + count]).upper()
    place = find_quote(quote, text)
    assert place is not None
    assert text[slice(*place)] == " ".join(words[start : start + count])


@given(st.text(max_size=80), st.text(max_size=120))
def test_any_text_can_be_looked_up_in_any_other(quote: str, text: str) -> None:
    place = find_quote(quote, text)
    assert place is None or 0 <= place[0] < place[1] <= len(text)
