"""Questions that a paper answers, made without a model from what its authors state, and answered in their words."""

import re
from collections.abc import Iterator, Sequence

from citeplug.prepare.quantities import has_quantity
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.prepared import Pair, PaperSource, Place
from citeplug.related.write.extractive.contributions import find_contributions, find_in_passages
from citeplug.related.write.extractive.statements import Contribution
from citeplug.text.cited_text import words
from citeplug.text.inflection import BASE_OF_PAST, BASE_OF_THIRD, participle
from citeplug.text.letters import lower_first
from citeplug.text.lexicon import VERBS
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import content_stems

MOST = 8  # questions of a paper; the published method makes 5 or 6 of most
_OF_TEXT = 5  # of its full text
_LONGEST = 40  # words of a question
_LONGEST_TITLE = 16  # words of a title that can be the subject of a question
_NAMES_IT = 0.66  # share of the title's words by which a question says itself what it is on
_SAME = 0.8  # share of a question's words that another one has
_SHORT = 3  # words that say something
_COINED = re.compile(r"^(?P<name>[A-Z][\w+-]*(?:[A-Z\d][\w+-]*|(?<=[a-z])))\s*:\s")
_MAKING = frozenset(
    "propose introduce present develop design devise construct build create formulate describe define implement"
    " provide give offer conduct perform derive".split()
)
_ASKING = re.compile(r"\b(?:how|what|which|whether|why|when|to what extent|if)$")
_INDEFINITE = re.compile(r"^(?:a|an|the first)\s+(?P<what>.+)$")
_PLURAL = re.compile(r"^(?:two|three|four|several|some|new|novel)\s")
_FEW = re.compile(r"^(?:several|some)\s+")
_NAMED = re.compile(
    r"^(?:the )?(?P<name>[A-Z][\w+-]*(?: [A-Z][\w+-]*){0,3}|[a-z]+\d[\w+-]*)(?: \([^()]{1,60}\))?(?:,| is) (?:an?|the|which) "
)
# A further clause asks for more than a simple question does.
_ASIDE = re.compile(r",? (?:showing|wherein|while|whereas|thus|thereby)\b.*$|, (?:which|where|as well as)\b.*$")
# What the authors do beside it: "analyze X, and give conditions on Y".
_BESIDE = re.compile(
    r",? and (?:(?:also|then|further) (?P<next>[a-z]+)"
    r"|(?P<verb>[a-z]+) (?:an?|the|that|how|whether|its|their|some|several|new|conditions))\b.*$"
)
_UNASKED = frozenset(
    "extend extends extended generalize generalizes generalized apply applies use uses adapt adapts".split()
)
_IS_A = re.compile(r"^is (?:an?|the) ")
_RESULT = re.compile(
    r"^(?:achieves?|attains?|reaches|reach|obtains?|outperforms?|improves?|reduces?|yields?|surpass(?:es)?)\b"
)


def make_pairs(source: PaperSource, paper: Paper) -> tuple[Pair, ...]:
    """Questions that the abstract answers, the main one first, then those of the full text, without near-duplicates.

    `paper` is the record with its abstract as in `source`.
    """
    own = _distinct([*_of_abstract(source, paper)])[:MOST]
    return tuple(_distinct([*own, *_of_text(source, paper)])[: len(own) + _OF_TEXT][:MOST])


def ask_for(told: Contribution, title: str) -> str | None:
    """The question that a stated contribution answers; None if there is no plain one.

    "Which method for X has been proposed?" of "we propose a method for X", "Is it known that X?" of "we show that X".
    What says nothing without its paper's title has the title before it, unless it has nearly all words of it.
    """
    clause = _alone(_ASIDE.sub("", told.said.strip().rstrip(".")))
    named = _NAMED.match(told.said) if _making(told) else None
    if len(clause.split()) > _LONGEST:
        return None
    asking = _ASKING.search(told.verb)
    if asking:
        question = f"Is it known whether {clause}?" if asking[0] == "if" else f"What is known of {asking[0]} {clause}?"
    elif told.verb.endswith("that"):
        question = f"Is it known that {clause}?"
    elif told.verb == "propose to":
        question = f"Has it been proposed to {clause}?"
    elif told.verb.split()[-1] in _UNASKED or told.verb.endswith(" to"):
        return None
    elif named is not None:
        return f"What is {named['name']}?"
    else:
        question = _of_object(told, clause)
    if told.titled and len(content_stems(question) & content_stems(title)) < _NAMES_IT * len(content_stems(title)):
        if len(title.split()) > _LONGEST_TITLE or not title.isprintable() or "“" in title:
            return None
        question = f"On “{title.rstrip(' .:')}”: {lower_first(question)}"
    return question


def _alone(clause: str) -> str:
    """What is said, without a second thing that the authors do."""
    for match in _BESIDE.finditer(clause):
        if (match["verb"] or match["next"]) in VERBS:
            return clause[: match.start()]
    return clause


def _making(told: Contribution) -> str | None:
    """The base of the verb, if it is one of making."""
    verb = told.verb.split()[-1]
    base = verb if verb in _MAKING else BASE_OF_THIRD.get(verb) or BASE_OF_PAST.get(verb)
    return base if base in _MAKING else None


def _of_object(told: Contribution, clause: str) -> str:
    """The question after an object: what is made is asked for by its kind."""
    if base := _making(told):
        if match := _INDEFINITE.match(clause):
            return f"Which {match['what']} has been {participle(base)}?"
        if _PLURAL.match(clause):
            return f"Which {_FEW.sub('', clause)} have been {participle(base)}?"
    return f"What is known of {clause}?"


def _of_abstract(source: PaperSource, paper: Paper) -> Iterator[Pair]:
    for told in find_contributions(paper):
        question = ask_for(told, source.title)
        if question is not None:
            quote = source.abstract[told.start : told.end]
            yield Pair(question, quote, quote, Place(0, told.start, told.end))
    yield from _of_name(source)


def _of_text(source: PaperSource, paper: Paper) -> Iterator[Pair]:
    by_number: dict[int, Passage] = {passage.number: passage for passage in source.passages}
    for told in find_in_passages(paper, source.passages):
        question = ask_for(told, source.title)
        if question is not None and told.passage is not None:
            quote = by_number[told.passage.number].text[told.start : told.end]
            yield Pair(question, quote, quote, Place(told.passage.number, told.start, told.end))


def _of_name(source: PaperSource) -> Iterator[Pair]:
    """Questions about what the paper names, as "DropEdge" of "DropEdge: ...", from sentences that begin with it."""
    coined = _COINED.match(source.title)
    if coined is None:
        return
    name = coined["name"]
    for start, end in split_sentences(source.abstract):
        quote = source.abstract[start:end]
        match = re.match(
            rf"(?:(?:Our|The) )?{re.escape(name)}(?:,[^,]{{1,60}},)? (?:[a-z]+ly )?(?P<rest>[a-z].*)$", quote
        )
        if match is None or len(quote.split()) > _LONGEST + 10:
            continue
        verb = match["rest"].split()[0]
        place = Place(0, start, end)
        if _IS_A.match(match["rest"]):
            yield Pair(f"What is {name}?", quote, quote, place)
        elif _RESULT.match(match["rest"]) and has_quantity(match["rest"]):
            yield Pair(f"Which results does {name} reach?", quote, quote, place)
        elif verb.endswith("s") and verb not in ("is", "has"):
            yield Pair(f"What does {name} do?", quote, quote, place)


def _distinct(pairs: Sequence[Pair]) -> list[Pair]:
    """Without questions that repeat an earlier one, or its answer."""
    distinct: list[Pair] = []
    for pair in pairs:
        if not any(pair.place == other.place or near_duplicates(pair.question, other.question) for other in distinct):
            distinct.append(pair)
    return distinct


def near_duplicates(one: str, other: str) -> bool:
    """True if nearly all words of each of two questions are those of the other; of short ones all words count."""
    mine, theirs = content_stems(one), content_stems(other)
    if min(len(mine), len(theirs)) < _SHORT:
        mine, theirs = frozenset(words(one)), frozenset(words(other))
    return len(mine & theirs) >= _SAME * max(len(mine), len(theirs), 1)
