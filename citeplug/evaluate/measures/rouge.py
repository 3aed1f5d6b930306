"""ROUGE-1, ROUGE-2 and ROUGE-L of a text beside the real one (LitLLM, Tables 4, 6 and 7, after Lin, 2004).

LitLLM takes them from Hugging Face's evaluate 0.4.0, which is rouge-score without stemming; its means are medians of
1,000 bootstrap means, drawn without a seed, which moves the last digit.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_ASCII = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Rouge:
    """Each 0 to 1; `f1` is what is published, times 100."""

    precision: float
    recall: float
    f1: float


def rouge_n(text: str, reference: str, n: int, *, as_published: bool = False) -> Rouge:
    """Return the overlap of runs of `n` words, each counted at most as often as the other text has it.

    As published a word is a run of a-z and 0-9: "Erdős" is two, and a text in another script has none. Corrected, it is
    a run of letters and digits of any script; on ASCII both are the same.
    """
    said, given = _runs(_words(text, as_published), n), _runs(_words(reference, as_published), n)
    return _rouge((said & given).total(), said.total(), given.total())


def rouge_l(text: str, reference: str, *, as_published: bool = False) -> Rouge:
    """Return the longest common subsequence of words; words as for `rouge_n`."""
    said, given = _words(text, as_published), _words(reference, as_published)
    return _rouge(_common_subsequence(said, given), len(said), len(given))


def _words(text: str, as_published: bool) -> list[str]:
    return _ASCII.findall(text.lower()) if as_published else _WORD.findall(text.casefold())


def _runs(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


def _rouge(common: int, said: int, given: int) -> Rouge:
    precision, recall = common / max(said, 1), common / max(given, 1)
    return Rouge(precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0)


def _common_subsequence(said: Sequence[str], given: Sequence[str]) -> int:
    """Length of the longest common subsequence, a row of the table in one integer (Hyyrö, 2004)."""
    places: dict[str, int] = {}
    for at, word in enumerate(given):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(given)) - 1
    row = every
    for word in said:
        hits = row & places.get(word, 0)
        row = ((row + hits) | (row - hits)) & every
    return len(given) - row.bit_count()
