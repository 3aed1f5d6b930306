import re
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "citeplug"
TABLES = sorted(PACKAGE.rglob("tables.toml"))


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.parent.name)
def test_every_table_is_read_by_the_module_that_it_is_named_after(file: Path) -> None:
    for module, tables in tomllib.loads(file.read_text("utf-8")).items():
        named = set(re.findall(r"[\"'](\w+)[\"']", (file.parent / f"{module}.py").read_text("utf-8")))
        assert {name for name in tables if name not in named and not name.endswith("_required")} == set()


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.parent.name)
def test_no_word_is_twice_in_a_list(file: Path) -> None:
    for tables in tomllib.loads(file.read_text("utf-8")).values():
        for words in tables.values():
            if isinstance(words, str):
                assert len(set(words.split())) == len(words.split())
