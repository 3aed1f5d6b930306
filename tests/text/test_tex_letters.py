"""pylatexenc's table, as far as the printer and the readers of TeX rely on it."""

import pytest

from citeplug.text.tex_text import (
    FUNCTIONS,
    GREEK,
    LETTERS,
    MARKS,
    SIGN_SYNONYMS,
    SIGNS,
    T1_LETTERS,
    TEXT_SIGNS,
    commands_for,
    meaning,
)


@pytest.mark.parametrize("names", [LETTERS | MARKS, T1_LETTERS, GREEK, SIGNS], ids=["text", "T1", "Greek", "math"])
def test_each_sign_that_is_printed_has_one_command(names: frozenset[str]) -> None:
    assert sorted(commands_for(names).values()) == sorted(names)


def test_every_name_in_the_tables_is_known_to_print_something() -> None:
    assert all(meaning(name) for name in TEXT_SIGNS | SIGN_SYNONYMS | FUNCTIONS)


@pytest.mark.parametrize(
    ("name", "printed"), [("alpha", "α"), ("ss", "ß"), ("to", "→"), ("leqslant", "≤"), ("euro", "€"), ("rtimes", "⋊")]
)
def test_a_command_stands_for_what_it_prints(name: str, printed: str) -> None:
    assert meaning(name) == printed


@pytest.mark.parametrize("name", ["cite", "ref", "today", "frac", "sqrt", "footnote", "mymacro", "", "'"])
def test_what_prints_no_single_sign_has_no_meaning(name: str) -> None:
    assert meaning(name) is None
