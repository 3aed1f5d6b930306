"""Checks in code of what a model says of a paper: what the text does not bear out is dropped, and counted by reason."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from citeplug.prepare.by_model.prompt import LABELS, MOST_PAIRS, MOST_VALUES, VERBATIM, Said, shown_texts
from citeplug.prepare.questions import near_duplicates
from citeplug.records.prepared import Fact, Pair, PaperSource, Place
from citeplug.related.attribute.claims import unsourced
from citeplug.text.cited_text import words
from citeplug.text.folding import fold_title
from citeplug.text.quotation import find_quote

_LONGEST_QUESTION = 60  # words
_LONGEST_ANSWER = 120
_FEWEST = 3  # words of a question
PAPER = re.compile(
    r"\b(?:(?:[Tt]his|[Tt]hese|[Pp]resent(?:ed)?|[Oo]ur|[Aa]bove) (?:\w+ )?"
    r"(?:papers?|documents?|texts?|articles?|stud(?:y|ies)|manuscripts?|passages?|abstracts?|authors?|researchers?|works?)"
    r"|[Tt]he (?:\w+ )?(?:papers?|articles?|study|manuscript|abstract|authors?|researchers?)"
    r"|(?:in|of|by|from|to) the (?:text|document|passage)|[Ww]e|[Oo]ur)\b"
)
LINK = re.compile(r"https?://|www\.|\\[A-Za-z]{2,}|```|<[/a-z]")


@dataclass(slots=True)
class Checked:
    """What holds of a model's answer; `dropped` counts the rest by reason.

    `no_quotation`: what is quoted is not in the text word for word; `names_the_paper`: the question speaks of it;
    `invented`: a number, name, link or markup that the quoted passage lacks; `invented_field`: a value that the text
    lacks, or has no quotation; `repeated`: a near-duplicate; `too_long`: or too short, or beyond what was asked for.
    """

    facts: list[Fact] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def check_prepared(said: Iterable[Said], source: PaperSource) -> Checked:
    """Keep what the text that the model was shown bears out word for word."""
    texts = shown_texts(source)
    done = Checked()
    for each in said:
        if each.kind:
            _check_field(each, texts, done)
        else:
            _check_pair(each, source, texts, done)
    return done


def _check_field(said: Said, texts: Mapping[int, str], done: Checked) -> None:
    kind = said.kind
    where = _verbatim(said.value, texts) if kind in VERBATIM else _quoted(said, texts)
    if where is None or not said.value or (kind in LABELS and len(said.value.split()) > 6):
        done.dropped["invented_field"] += 1
        return
    same = [fact for fact in done.facts if fact.kind == kind]
    if any(fold_title(fact.value) == fold_title(said.value) for fact in same):
        done.dropped["repeated"] += 1
    elif len(same) >= MOST_VALUES.get(kind, 1):
        done.dropped["too_long"] += 1
    else:
        done.facts.append(Fact(kind, said.value, texts[where.passage][where.start : where.end], where))


def _check_pair(said: Said, source: PaperSource, texts: Mapping[int, str], done: Checked) -> None:
    reason = _doubt(said, source)
    where = _quoted(said, texts) if reason is None else None
    if reason is None and where is None:
        reason = "no_quotation"
    if reason is None and where is not None:
        reason = _invention(said, source, texts[where.passage])
    if reason is None and any(near_duplicates(said.question, pair.question) for pair in done.pairs):
        reason = "repeated"
    if reason is None and len(done.pairs) >= MOST_PAIRS:
        reason = "too_long"
    if reason is not None or where is None:
        done.dropped[reason or "no_quotation"] += 1
        return
    quote = texts[where.passage][where.start : where.end]
    done.pairs.append(Pair(said.question, said.value, quote, where))


def _doubt(said: Said, source: PaperSource) -> str | None:
    """The reason against a question and an answer by themselves."""
    asked, answered = len(said.question.split()), len(said.value.split())
    if not (_FEWEST <= asked <= _LONGEST_QUESTION and 1 <= answered <= _LONGEST_ANSWER):
        return "too_long"
    title = fold_title(source.title)
    if PAPER.search(said.question) or (len(words(title)) > _FEWEST and title in fold_title(said.question)):
        return "names_the_paper"
    return None


def _invention(said: Said, source: PaperSource, text: str) -> str | None:
    given = [text, source.title]
    if LINK.search(f"{said.question} {said.value}"):
        return "invented"
    known = [*given, source.abstract]
    return "invented" if any(unsourced(said.value, given)) or any(unsourced(said.question, known)) else None


def _quoted(said: Said, texts: Mapping[int, str]) -> Place | None:
    """The place of the quotation: in the passage that was named, else in another one."""
    order = sorted(texts, key=lambda passage: (passage != said.passage, passage))
    for passage in order:
        if (found := find_quote(said.quote, texts[passage])) is not None:
            return Place(passage, *found)
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
