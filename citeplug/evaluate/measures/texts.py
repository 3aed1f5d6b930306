"""Measures of a text: ROUGE (LitLLM, Tables 4, 6 and 7, after Lin, 2004), nuggets (DeepScholar-Bench,
arXiv:2508.20033, after TREC RAG's AutoNuggetizer), adherence to a plan (LitLLM, Table 8), and answers and refusals
(TruthReader, section 5.2).

LitLLM takes ROUGE from Hugging Face's evaluate 0.4.0, which is rouge-score without stemming; its means are medians of
1,000 bootstrap means, drawn without a seed, which moves the last digit. The last five need no judge and have names of
their own: they stand in for judged measures, and say less.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from citeplug.text.cited_text import MARKER, QUOTED, copied_runs, words
from citeplug.text.quotation import find_quote
from citeplug.text.stems import content_stems

_ASCII = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"[^\W_]+")

Importance = Literal["vital", "okay"]
Support = Literal["support", "partial_support", "not_support"]
Scope = Literal["all", "vital", "weighted"]
_PARTLY = 0.5

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Overlap:
    """Of a text and a reference. `f1` is what is published, times 100."""

    precision: float
    recall: float
    f1: float


def rouge_n(text: str, reference: str, n: int, *, as_published: bool = False) -> Overlap:
    """Return the overlap of runs of `n` words, counted at most as often as the other has them (ROUGE-1, ROUGE-2).

    As published a word is a run of a-z and 0-9: "Erdős" is two, and a text in another script has none. Corrected, it is
    a run of letters and digits of any script; on ASCII both are the same.
    """
    text_runs, reference_runs = _runs(_words(text, as_published), n), _runs(_words(reference, as_published), n)
    return _rouge((text_runs & reference_runs).total(), text_runs.total(), reference_runs.total())


def rouge_l(text: str, reference: str, *, as_published: bool = False) -> Overlap:
    """Return the longest common subsequence of words (ROUGE-L); words as for `rouge_n`."""
    text_words, reference_words = _words(text, as_published), _words(reference, as_published)
    return _rouge(_common_subsequence(text_words, reference_words), len(text_words), len(reference_words))


def _words(text: str, as_published: bool) -> list[str]:
    return _ASCII.findall(text.lower()) if as_published else _WORD.findall(text.casefold())


def _runs(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


def _rouge(common: int, in_text: int, in_reference: int) -> Overlap:
    return overlap(common / max(in_text, 1), common / max(in_reference, 1))


def overlap(precision: float, recall: float) -> Overlap:
    """Both with their harmonic mean, which is 0 where one of them is not above 0."""
    return Overlap(
        precision, recall, 2 * precision * recall / (precision + recall) if min(precision, recall) > 0 else 0.0
    )


def _common_subsequence(text_words: Sequence[str], reference_words: Sequence[str]) -> int:
    """Length of the longest common subsequence, a row of the table in one integer (Hyyrö, 2004)."""
    places: dict[str, int] = {}
    for at, word in enumerate(reference_words):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(reference_words)) - 1
    row = every
    for word in text_words:
        hits = row & places.get(word, 0)
        row = ((row + hits) | (row - hits)) & every
    return len(reference_words) - row.bit_count()


@dataclass(frozen=True, slots=True)
class JudgedNugget:
    """A fact that the real text states: its importance, and how far the text in question has it."""

    importance: Importance
    support: Support


def nugget_coverage(nuggets: Sequence[JudgedNugget], among: Scope = "all", *, strict: bool = False) -> float | None:
    """Return the mean support of the nuggets (DeepScholar-Bench): 1 for support, half for partial support.

    With `strict` partial support counts nothing. `vital` counts these alone, `weighted` an okay nugget half. None
    without such nuggets.
    """
    weights = {"vital": 1.0, "okay": {"all": 1.0, "vital": 0.0, "weighted": 0.5}[among]}
    worth = {"support": 1.0, "partial_support": 0.0 if strict else _PARTLY, "not_support": 0.0}
    total = sum(weights[nugget.importance] for nugget in nuggets)
    return sum(weights[nugget.importance] * worth[nugget.support] for nugget in nuggets) / total if total else None


def nugget_coverages(nuggets: Sequence[JudgedNugget]) -> Iterator[tuple[str, float | None]]:
    """Yield the coverage of all nuggets, of the vital ones and weighted, each strict too, with its name."""
    scopes: tuple[Scope, ...] = ("all", "vital", "weighted")
    for among in scopes:
        yield f"nugget coverage, {among}", nugget_coverage(nuggets, among)
        yield f"nugget coverage, {among}, strict", nugget_coverage(nuggets, among, strict=True)


def plan_adherence(sentences: int, planned: int, *, as_published: bool = False) -> float:
    """Return by how many sentences a text is off its plan; 0 where it follows it (LitLLM, Table 8).

    The table has the share of texts that follow their plans, and the mean and the maximum of the differences. They are
    distances here. As published they have a sign, more sentences than planned being positive, so that texts too long
    and too short cancel: GPT-4 has a mean of -0.01 where 60.7 % of its texts follow the plan.
    """
    difference = float(sentences - planned)
    return difference if as_published else abs(difference)


def answer_accuracy(answerable: bool, refused: bool, correct: bool | None) -> float | None:
    """Return 1 or 0 for an answerable question, 0 where it was refused (TruthReader, section 5.2, Table 2).

    None for others, and where nobody judged.
    """
    if not answerable:
        return None
    if refused:
        return 0.0
    return None if correct is None else float(correct)


def refusal_recall(answerable: bool, refused: bool) -> float | None:
    """Return 1 or 0 for an unanswerable question (TruthReader, section 5.2, Table 2); None for others."""
    return None if answerable else float(refused)


def over_refusal(answerable: bool, refused: bool) -> float | None:
    """Return 1 or 0 for an answerable question, 1 if it was refused; None for others.

    TruthReader does not report it: a system that refuses all has a refusal recall of 1.
    """
    return float(refused) if answerable else None


def validity_of_quotations(quotes: Iterable[tuple[str, str]]) -> float | None:
    """Return the share of the quotations that their source has word for word; pairs of quotation and source.

    None without quotations. One of fewer than five words counts as not found: any text has it.
    """
    is_verbatim = [find_quote(quote, source) is not None for quote, source in quotes]
    return sum(is_verbatim) / len(is_verbatim) if is_verbatim else None


def share_of_copied_runs(text: str, sources: Sequence[str], n: int = 8) -> float | None:
    """Return the share of the words, outside of quotation marks, in runs of `n` or more that a source has too.

    None without words.
    """
    total = copied = 0
    for piece in QUOTED.split(text):
        total += len(words(piece))
        runs = {at for source in sources for run in copied_runs(piece, source, n) for at in range(*run)}
        # A run ends with a word, so that its letters are those of whole words.
        copied += len(words("".join(letter if at in runs else " " for at, letter in enumerate(piece))))
    return copied / total if total else None


def reality_of_keys(cited: Collection[str], known: Collection[str]) -> float | None:
    """Return the share of the cited papers that exist; None without citations."""
    return len(set(cited).intersection(known)) / len(set(cited)) if cited else None


def agreement_of_numbers(sentences: Iterable[tuple[str, str]]) -> float | None:
    """Return the share of the numbers in digits that the sentence's own sources have; pairs of sentence and sources.

    None without numbers. 1,000 and 1000 are one number, 4.0 and 4 are two.
    """
    agree = [number in set(_numbers(sources)) for text, sources in sentences for number in _numbers(text)]
    return sum(agree) / len(agree) if agree else None


def words_of_nuggets(text: str, nuggets: Sequence[str]) -> float | None:
    """Return the mean share of a nugget's words that the text has, by stems and without stop words.

    None without nuggets that have words.
    """
    text_stems = content_stems(text)
    shares = [len(own & text_stems) / len(own) for own in map(content_stems, nuggets) if own]
    return sum(shares) / len(shares) if shares else None


def _numbers(text: str) -> list[str]:
    return [re.sub(r",(?=\d{3}(?!\d))", "", number) for number in _NUMBER.findall(MARKER.sub(" ", text))]
