"""Lists of words and tables of signs that the code needs and does not decide: data, in `tables.toml` beside the module.

A list is one string, its words separated by white space; so is a table of `sign=meaning`.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _read(package: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(package).joinpath("tables.toml").read_text("utf-8"))


class Tables:
    """The tables of a module, which gives its `__name__`."""

    def __init__(self, module: str) -> None:
        package, _, name = module.rpartition(".")
        self._tables = _read(package)[name]

    def words(self, *names: str) -> frozenset[str]:
        """The words of these lists."""
        return frozenset(word for name in names for word in self.ordered(name))

    def ordered(self, name: str) -> list[str]:
        words: list[str] = self._tables[name].split()
        return words

    def pattern(self, name: str) -> str:
        """A regular expression of which each word, a pattern itself, is an alternative."""
        return f"(?:{'|'.join(self.ordered(name))})"

    def pairs(self, name: str) -> dict[str, str]:
        """The table of `sign=meaning`, in its order."""
        return dict(item.split("=", 1) for item in self.ordered(name))

    def numbers(self, name: str) -> dict[str, int]:
        """The table of `sign=number`."""
        return {sign: int(number) for sign, number in self.pairs(name).items()}

    def values(self, name: str) -> Any:
        """A value of TOML as it is."""
        return self._tables[name]
