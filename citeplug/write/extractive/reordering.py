"""Clauses that tell of an object in another order than "A propose X": what it is for first, or the object first.

Each gives pairs of a construction's name and a clause, none where English would not bear it. `who` is the marker of the
authors, `body` the object as it is told of them.
"""

import re
from collections.abc import Iterator

from citeplug.text.cited_text import words
from citeplug.text.inflection import BASE_OF_GERUND, number_of, participle
from citeplug.text.lexicon import AUXILIARIES, CREATE, DOINGS, PASSIVE_SYNONYMS, PREPOSITIONS, PRODUCTS, RESULT, VERBS
from citeplug.write.extractive.shortening import is_vague, may_end
from citeplug.write.extractive.statement import SLOT, Statement

# What may stand before the authors instead of behind the object: "to sort lists", "using heaps", "in dense graphs".
_ADJUNCT = re.compile(
    r" (?P<adjunct>(?:for \w+ing|to [a-z]+|using|based on|by \w+ing|through|via|for|in|under) (?:[^,]+))$"
)
_NOT_FRONTED = re.compile(
    r",|:|\b(?:that|which|where|who|whose|their|its|it|them|such as|as|called|then|they|related|similar|same|other|another)\b|\band (?:an?|the|show|prove)\b"
    r"|^to (?:the|an?|all|any|each)\b|^\w+ (?:an?|any|every|each|all) \S+$"
)


def fronted(statement: Statement, body: str, who: str, verb: str) -> Iterator[tuple[str, str]]:
    """ "To sort lists, A propose an algorithm": of "an algorithm for sorting lists"."""
    if SLOT.search(statement.text) or ":" in body:
        return
    for start in re.finditer(r" (?=(?:for|to|using|based|by|through|via|in|under) )", body):
        if adjunct := _ADJUNCT.match(body, start.start()):
            yield from _with_front(statement, body, adjunct, who, verb)


def _with_front(
    statement: Statement, body: str, match: re.Match[str], who: str, verb: str
) -> Iterator[tuple[str, str]]:
    core, adjunct = body[: match.start()], match["adjunct"]
    head = adjunct.split()[0]
    if set(words(adjunct)) & AUXILIARIES or (head in ("for", "in", "under") and is_vague(core)):
        return
    # "In the moduli space": which one is told by what goes before it.
    if head in ("in", "under") and re.match(r"\w+ the\b|.* in ", adjunct):
        return
    if "," in core and not re.fullmatch(r"[^,]+, (?:an?|the|called|named|[A-Z]\S*)\b[^,]*", core):
        return
    purpose = re.match(r"for (?P<verb>\w+ing) (?=\w)(?!and )", adjunct)
    if not 3 <= len(adjunct.split()) <= 13 or _NOT_FRONTED.search(adjunct) or not may_end(core, adjunct):
        return
    if purpose and purpose["verb"] in BASE_OF_GERUND and not re.search(r" and \w+ing\b", adjunct):
        if statement.verb not in CREATE:
            return
        adjunct = f"to {BASE_OF_GERUND[purpose['verb']]} {adjunct[purpose.end() :]}"
    elif (
        (head == "to" and (statement.verb not in CREATE or adjunct.split()[1] not in VERBS | DOINGS))
        or (head == "for" and (purpose or statement.verb in RESULT - CREATE))
        or (
            head in ("in", "under")
            and (statement.verb in RESULT or re.match(r"in (?:order|terms|addition|case|particular|\w+ing)\b", adjunct))
        )
    ):
        return
    yield "fronted", f"{adjunct}, {who} {verb} {core}"


def product_of(body: str, who: str) -> Iterator[tuple[str, str]]:
    """ "The parser of A reads logs": of "a parser that reads logs"."""
    match = re.match(
        r"^an? (?P<core>(?:[\w-]+ ){0,4}?(?P<noun>[\w-]+)),? (?:that|which) (?P<verb>can|is|has|[a-z]{3,}s) (?P<rest>.+)$",
        body,
    )
    if not match or match["noun"] not in PRODUCTS or match["verb"].endswith("ss") or match["noun"].endswith("s"):
        return
    if set(words(match["core"])) & (PREPOSITIONS | {"to"}) or re.search(
        r"\b(?:they|their|and|called)\b", match["rest"]
    ):
        return
    yield "product of", f"the {match['core']} of {who} {match['verb']} {match['rest']}"


_HEAD = re.compile(
    r"^(?P<core>(?:an?|the|two|three|several) (?:[\w-]+ ){0,5}?[\w-]+) (?P<rest>(?:for|to|that|which|based on|in which|where|aimed at) .+)$"
)
# "Compare X with Y": the passive would tear the two apart.
_TAKES_TWO = frozenset(
    "compare apply combine relate link connect contrast use model train map reduce concern contribute".split()
)
# With these between a subject and its verb the reader loses the thread.
_NOT_BEFORE_VERB = re.compile(
    r",|:|\b(?:that|which|where|who|when|while|based|using|from|by|through|via|with|without|under|to|as|on|into|over|against)\b"
)
_PASSIVE_PARTICLES = frozenset(("look at", "put forward", "take up", "turn to", "deal with", "report on"))


def passive(statement: Statement, body: str, who: str, cited: str, variant: int) -> Iterator[tuple[str, str]]:
    if (
        statement.refers
        or statement.verb in _TAKES_TWO
        or (" " in statement.verb and statement.verb not in _PASSIVE_PARTICLES)
    ):
        return
    choices = PASSIVE_SYNONYMS.get(statement.verb, (statement.verb,))
    done = participle(choices[variant % len(choices)])
    number = number_of(body)
    if number is None:
        return
    be = "is" if number == "one" else "are"
    match = _HEAD.match(body)
    if match and statement.verb in CREATE and len(match["core"].split()) >= 3 and _parts(match["core"], match["rest"]):
        yield "extraposed", f"{match['core']} {be} {done} by {who} {match['rest']}"
    if len(body.split()) <= 13 and not _NOT_BEFORE_VERB.search(body):
        yield "passive", f"{body} {be} {done} by {who}"
        have = "has" if number == "one" else "have"
        yield "cited passive", f"{body} {have} been {done} {cited}"


_EITHER_NUMBER = frozenset("can may will could might would should must".split())


def _parts(core: str, rest: str) -> bool:
    """Whether the verb may come between a noun phrase and what modifies it."""
    if rest.startswith("to ") and rest.split()[1] not in VERBS | DOINGS:
        return False
    if relative := re.match(r"(?:that|which) (?P<verb>[a-z]+)", rest):
        # Torn from its noun, a relative clause is read with the subject, and must agree with it.
        verb = relative["verb"]
        one = verb in ("is", "was", "has") or (verb.endswith("s") and not verb.endswith("ss"))
        return verb in _EITHER_NUMBER or one == (number_of(core) == "one")
    return re.match(r"where\b", rest) is not None or may_end(core, rest)
