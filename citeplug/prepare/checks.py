"""Checks in code of what a model says of a paper: what the text does not bear out is dropped, and counted by reason."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from citeplug.prepare.questions import near_duplicates
from citeplug.records.prepared import Fact, Pair, PaperSource, Place, Prepared
from citeplug.related.attribute.claims import unsourced
from citeplug.text.cited_text import words
from citeplug.text.folding import fold_title
from citeplug.text.quotation import find_quote

MOST_PAIRS = 12
# Values of these stand in the text word for word; the others are labels, each with a quotation.
VERBATIM = ("code", "theorem", "company", "metric")
LABELS = ("field", "application")
MOST_VALUES = {"field": 3, "application": 3, "code": 2, "theorem": 3, "company": 3, "metric": 5}

_LONGEST_LABEL = 6  # words
_LONGEST_QUESTION = 60
_LONGEST_ANSWER = 120
_FEWEST = 3  # words of a question
PAPER = re.compile(
    r"\b(?:(?:[Tt]his|[Tt]hese|[Pp]resent(?:ed)?|[Oo]ur|[Aa]bove) (?:\w+ )?"
    r"(?:papers?|documents?|texts?|articles?|stud(?:y|ies)|manuscripts?|passages?|abstracts?|authors?|researchers?|works?)"
    r"|[Tt]he (?:\w+ )?(?:papers?|articles?|study|manuscript|abstract|authors?|researchers?)"
    r"|(?:in|of|by|from|to) the (?:text|document|passage)|[Ww]e|[Oo]ur)\b"
)
LINK = re.compile(r"https?://|www\.|\\[A-Za-z]{2,}|```|<[/a-z]")


@dataclass(frozen=True, slots=True)
class ModelValue:
    """A value of a field, or the answer of a pair, as a model gave it. `question` is empty for a field, `kind` for a pair.

    `passage` is None where no number could be read.
    """

    kind: str
    question: str
    value: str
    passage: int | None
    quote: str


def check_prepared(
    values: Iterable[ModelValue], source: PaperSource, texts: Mapping[int, str], made_by: str
) -> Prepared:
    """Keep what `texts`, those that the model was shown by passage, bear out word for word; count the rest by reason.

    `no_quotation`: what is quoted is not in the text word for word; `names_the_paper`: the question speaks of it;
    `invented`: a number, name, link or markup that the quoted passage lacks; `invented_field`: a value that the text
    lacks, or has no quotation; `repeated`: a near-duplicate; `too_long`: or too short, or beyond what was asked for.
    """
    facts: list[Fact] = []
    pairs: list[Pair] = []
    dropped: Counter[str] = Counter()
    for value in values:
        checked = _fact(value, texts, facts) if value.kind else _pair(value, source, texts, pairs)
        if isinstance(checked, Fact):
            facts.append(checked)
        elif isinstance(checked, Pair):
            pairs.append(checked)
        else:
            dropped[checked] += 1
    paper = source.paper, source.title, source.version, source.of, source.digest
    return Prepared(*paper, made_by, tuple(facts), tuple(pairs), dict(dropped))


def _fact(value: ModelValue, texts: Mapping[int, str], facts: Sequence[Fact]) -> Fact | str:
    """The field that a value gives, or the reason against it."""
    kind = value.kind
    place = _verbatim(value.value, texts) if kind in VERBATIM else _quoted(value, texts)
    if place is None or not value.value or (kind in LABELS and len(value.value.split()) > _LONGEST_LABEL):
        return "invented_field"
    same = [fact for fact in facts if fact.kind == kind]
    if any(fold_title(fact.value) == fold_title(value.value) for fact in same):
        return "repeated"
    if len(same) >= MOST_VALUES.get(kind, 1):
        return "too_long"
    return Fact(kind, value.value, texts[place.passage][place.start : place.end], place)


def _pair(value: ModelValue, source: PaperSource, texts: Mapping[int, str], pairs: Sequence[Pair]) -> Pair | str:
    """The pair that a value gives, or the reason against it."""
    question, answer, title = value.question, value.value, fold_title(source.title)
    lengths = len(question.split()), len(answer.split())
    if not (_FEWEST <= lengths[0] <= _LONGEST_QUESTION and 1 <= lengths[1] <= _LONGEST_ANSWER):
        return "too_long"
    if PAPER.search(question) or (len(words(title)) > _FEWEST and title in fold_title(question)):
        return "names_the_paper"
    place = _quoted(value, texts)
    if place is None:
        return "no_quotation"
    text = texts[place.passage]
    known = [text, source.title]
    invented = any(unsourced(answer, known)) or any(unsourced(question, [*known, source.abstract]))
    if LINK.search(f"{question} {answer}") or invented:
        return "invented"
    if any(near_duplicates(question, pair.question) for pair in pairs):
        return "repeated"
    if len(pairs) >= MOST_PAIRS:
        return "too_long"
    return Pair(question, answer, text[place.start : place.end], place)


def _quoted(value: ModelValue, texts: Mapping[int, str]) -> Place | None:
    """The place of the quotation: in the passage that was named, else in another one."""
    for passage in sorted(texts, key=lambda passage: (passage != value.passage, passage)):
        if (span := find_quote(value.quote, texts[passage])) is not None:
            return Place(passage, *span)
    return None


def _verbatim(value: str, texts: Mapping[int, str]) -> Place | None:
    """The first place of a value as the text writes it, whole words, whatever its case."""
    if not any(letter.isalnum() for letter in value):
        return None
    pattern = r"\s+".join(re.escape(part) for part in value.split())
    for passage, text in texts.items():
        if match := re.search(rf"(?<![^\W_]){pattern}(?![^\W_])", text, re.IGNORECASE):
            return Place(passage, *match.span())
    return None
