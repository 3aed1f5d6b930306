import pytest

from citeplug.text.stems import stem


@pytest.mark.parametrize(
    "words",
    [
        "networks network networking networked",
        "detects detection detected",
        "efficient efficiency efficiently",
        "cnn cnns",
        "svm svms",
    ],
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("words", ["string strong", "general gene", "news newton", "css cs"])
def test_other_words_have_others(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 2


def test_what_is_no_english_word_stays() -> None:
    assert [stem(text) for text in ("", "gpt-4", "größer", "图")] == ["", "gpt-4", "größer", "图"]
