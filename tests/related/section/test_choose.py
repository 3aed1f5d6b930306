"""The author's word on a paper in citeplug.toml: written where it belongs, all else as it was."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import UsageError
from citeplug.related.section.choose import with_choice

WRITTEN = """# ours
root = "main.tex"

[related]   # the section
breadth = 12
pin = [
  "1706.03762",  # attention
]
"""


def test_a_new_file_says_what_it_is() -> None:
    text = with_choice("", "1907.10903", "pin")
    assert text.startswith("# ")
    assert tomllib.loads(text) == {"related": {"pin": ["1907.10903"]}}


def test_comments_and_layout_stay() -> None:
    text = with_choice(WRITTEN, "1907.10903", "pin")
    assert all(line in text for line in WRITTEN.splitlines() if "attention" not in line)
    assert "# attention" in text
    assert tomllib.loads(text)["related"] == {"breadth": 12, "pin": ["1706.03762", "1907.10903"]}


def test_a_paper_is_in_one_list_at_most() -> None:
    text = with_choice(WRITTEN, "1706.03762", "exclude")
    assert tomllib.loads(text)["related"] == {"breadth": 12, "pin": [], "exclude": ["1706.03762"]}
    text = with_choice(text, "1706.03762", "none")
    assert tomllib.loads(text)["related"] == {"breadth": 12, "pin": [], "exclude": []}


def test_a_name_that_stands_alone_becomes_a_list() -> None:
    text = with_choice('[related]\npin = "1706.03762"\n', "1907.10903", "pin")
    assert tomllib.loads(text) == {"related": {"pin": ["1706.03762", "1907.10903"]}}


@pytest.mark.parametrize("text", ["[related", "related = 3\n", "[related]\npin = 4\n"])
def test_what_cannot_be_read_is_not_touched(text: str) -> None:
    with pytest.raises(UsageError, match=r"citeplug\.toml"):
        with_choice(text, "1907.10903", "pin")


IDS = st.sampled_from(["1706.03762", "1907.10903", "hep-th/9901001"])


@given(st.lists(st.tuples(IDS, st.sampled_from(["pin", "exclude", "none"]))))
def test_the_last_word_counts(words: list[tuple[str, str]]) -> None:
    text = WRITTEN
    for arxiv_id, choice in words:
        text = with_choice(text, arxiv_id, choice)  # type: ignore[arg-type]
    said = tomllib.loads(text)["related"]
    last = {"1706.03762": "pin", **dict(words)}
    for name in ("pin", "exclude"):
        assert sorted(said.get(name, [])) == sorted(value for value, choice in last.items() if choice == name)
