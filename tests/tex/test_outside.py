import pytest

from citeplug.tex.edits import read_related, untouched
from citeplug.tex.outside import around_blocks


def block(name: str, text: str = "Text.") -> str:
    from citeplug.tex.edits import text_hash

    return f"% citeplug:begin {name} sentences=0 words=25\n{text}\n% citeplug:end {name} sha256={text_hash(text)}\n"


def test_what_stands_around_the_blocks_stays_where_it_is() -> None:
    old = f"% citeplug: 1\n% Mine.\n{block('p1')}Between.\n{block('p2')}Behind.\n"
    new = f"% citeplug: 1\n{block('p1', 'New.')}\n{block('p2', 'Newer.')}"
    assert untouched(old)
    assert around_blocks(old, new) == (
        f"% citeplug: 1\n% Mine.\n{block('p1', 'New.')}Between.\n{block('p2', 'Newer.')}Behind.\n"
    )


@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_nothing_is_lost_when_the_number_of_blocks_changes(count: int) -> None:
    old = f"% citeplug: 1\nBefore.\n{block('p1')}Between.\n{block('p2')}Behind.\n"
    new = "% citeplug: 1\n" + "\n".join(block(f"p{number + 1}", "New.") for number in range(count))
    made = around_blocks(old, new)
    assert [line for line in made.splitlines() if line in ("Before.", "Between.", "Behind.")] == [
        "Before.",
        "Between.",
        "Behind.",
    ]
    assert [found.text for found in read_related(made).blocks] == ["New."] * count
    assert untouched(made) or count == 0
    assert around_blocks(made, new) == made or count == 0


def test_the_line_ends_of_the_file_are_kept() -> None:
    old = f"Before.\n{block('p1')}Behind.\n".replace("\n", "\r\n")
    made = around_blocks(old, f"% citeplug: 1\n{block('p1', 'New.')}")
    assert made.count("\n") == made.count("\r\n")
    assert made.startswith("% citeplug: 1\r\nBefore.\r\n")


def test_a_block_without_an_end_does_not_run_into_what_follows() -> None:
    old = "% citeplug: 1\nBefore.\n% citeplug:begin p1\n% citeplug:1 say it [1706.03762]"
    made = around_blocks(old, f"% citeplug: 1\n{block('p1', 'New.')}")
    assert made == f"% citeplug: 1\nBefore.\n{block('p1', 'New.')}"


def test_a_file_with_nothing_of_the_author_s_is_made_anew() -> None:
    new = f"% citeplug: 1\n{block('p1', 'New.')}"
    assert around_blocks(f"% citeplug: 1\n\n{block('p1')}\n\n", new) == new
    assert around_blocks("", new) == new
