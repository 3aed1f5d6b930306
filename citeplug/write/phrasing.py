"""Clauses about one paper, each construction a way of saying one statement."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeplug.records.folding import is_collective, split_name
from citeplug.records.paper import Paper
from citeplug.write.attribution import MARKER, words
from citeplug.write.inflection import participle, past, third_person
from citeplug.write.lexicon import CREATE, PASSIVE_SYNONYMS, PREPOSITIONS, PRODUCTS, SYNONYMS
from citeplug.write.loosen import loosen
from citeplug.write.person import has_first_person
from citeplug.write.praise import without_praise
from citeplug.write.quoting import quote
from citeplug.write.shortening import shorter_forms
from citeplug.write.statement import SLOT, Statement


@dataclass(frozen=True, slots=True)
class Phrase:
    """A clause about one paper, without capital and full stop, with its citation marker.

    `construction` names the way it was built. `close` says that eight or more words in a row remain the
    source's, in quotation marks. `predicate` is what can follow "and" after another clause with the same
    authors as its subject, "" if nothing can.
    """

    text: str
    construction: str
    statements: tuple[Statement, ...]
    close: bool = False
    predicate: str = ""

    @property
    def author_first(self) -> bool:
        return self.text.startswith("{{author:")

    @property
    def length(self) -> int:
        """Words, with two for the citation."""
        return len(words(self.text)) + 2


def author(paper: Paper) -> str:
    """The marker of a textual citation."""
    return f"{{{{author:{paper.id.value}}}}}"


def cite(*ids: str) -> str:
    """The marker of a parenthetical citation."""
    return f"{{{{cite:{','.join(ids)}}}}}"


def is_plural(paper: Paper) -> bool:
    """Whether the names that a textual citation prints are more than one: "Ho", "the CMS Collaboration" are not."""
    return len(paper.authors) != 1 and not (paper.authors and is_collective(split_name(paper.authors[0]).surname))


def agree(text: str, *, plural: bool) -> str:
    """The text with its marked verbs in the number of their subject."""
    return SLOT.sub(lambda m: m.group(1) if plural else third_person(m.group(1)), text)


def phrases(statement: Statement, paper: Paper, limit: int = 30, variant: int = 0) -> Iterator[Phrase]:
    """Ways of saying `statement` in at most about `limit` words.

    `variant` turns the choice among verbs that say the same.
    """
    plural = is_plural(paper)
    for form in shorter_forms(statement, limit)[:5]:
        body = without_praise(agree(form, plural=plural))
        seen: dict[str, Phrase] = {}
        for turn in range(len(SYNONYMS.get(statement.verb, "x"))):
            for construction, clause in _clauses(statement, form, body, paper, variant + turn):
                known = seen.get(construction)
                if known is not None and not known.close:
                    continue
                phrase = _finish(clause, construction, statement, author(paper))
                if phrase is not None and (known is None or not phrase.close):
                    seen[construction] = phrase
            if seen and not any(phrase.close for phrase in seen.values()):
                break
        yield from seen.values()


def _clauses(statement: Statement, form: str, body: str, paper: Paper, variant: int) -> Iterator[tuple[str, str]]:
    who = author(paper)
    front = without_praise(statement.front)
    lead = f"{front}, " if front else ""
    verb = _verb(statement, is_plural(paper), variant)
    if statement.kind == "object":
        yield "active", f"{lead}{who} {verb} {body}"
        if not front:
            yield from _purpose_first(statement, body, who, verb)
            yield from _product_of(body, who)
            if not SLOT.search(form):
                yield from _passive(statement, body, paper, variant)
    elif statement.kind == "claim":
        yield "claim", f"{lead}{who} {verb} that {body}"
        if not lead:
            yield from _inserted(statement, body, who, is_plural(paper))
    elif statement.kind == "question":
        yield "question", f"{lead}{who} {verb} {body}"
    elif statement.kind == "method":
        yield "method", f"the {without_praise(statement.verb)} of {who} {body}"
    else:
        yield "named", f"{statement.verb} {cite(paper.id.value)} is {body}"


def _verb(statement: Statement, plural: bool, variant: int) -> str:
    base = statement.verb
    if statement.past:
        return past(base)
    if statement.kind != "question":
        slots = set(SLOT.findall(statement.text))
        choices = [choice for choice in SYNONYMS.get(base, (base,)) if choice not in slots] or [base]
        base = choices[variant % len(choices)]
    if base.startswith("are "):
        return base if plural else "is " + base[4:]
    return base if plural else third_person(base)


_PURPOSE = re.compile(r"^(?P<core>an? (?:[\w-]+ ){0,6}?(?P<noun>[\w-]+)) (?P<purpose>(?:for|to) .+)$")
_NOT_A_PURPOSE = re.compile(
    r",|:|\b(?:that|which|where|who|based|their|its|it|use|them)\b|\band (?:an?|the|show|prove)\b|^to (?:the|an?|this|each|all|any)\b|^for (?:an?|any|every|each|all) \S+$"
)


def _purpose_first(statement: Statement, body: str, who: str, verb: str) -> Iterator[tuple[str, str]]:
    """ "To sort lists, A propose an algorithm": of "an algorithm to sort lists"."""
    match = _PURPOSE.match(body)
    if not match or match["noun"] not in PRODUCTS or statement.verb not in CREATE or SLOT.search(statement.text):
        return
    purpose = match["purpose"]
    if 4 <= len(purpose.split()) <= 14 and not _NOT_A_PURPOSE.search(purpose) and len(match["core"].split()) > 2:
        yield "purpose first", f"{purpose}, {who} {verb} {match['core']}"


def _product_of(body: str, who: str) -> Iterator[tuple[str, str]]:
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
_PASSIVE_PARTICLES = frozenset(("look at", "put forward", "take up", "turn to", "deal with", "report on"))


def _passive(statement: Statement, body: str, paper: Paper, variant: int) -> Iterator[tuple[str, str]]:
    if statement.refers or (" " in statement.verb and statement.verb not in _PASSIVE_PARTICLES):
        return
    choices = PASSIVE_SYNONYMS.get(statement.verb, (statement.verb,))
    done = participle(choices[variant % len(choices)])
    number = number_of(body)
    if number is None or statement.verb in ("concern", "contribute"):
        return
    be = "is" if number == "one" else "are"
    match = _HEAD.match(body)
    if (
        match
        and statement.verb in CREATE
        and len(match["core"].split()) >= 3
        and not re.match(r"to (?:the|an?)\b", match["rest"])
    ):
        yield "extraposed", f"{match['core']} {be} {done} by {author(paper)} {match['rest']}"
    if len(body.split()) <= 13 and not re.search(r",|\b(?:that|which|where|who|based|using)\b", body):
        yield "passive", f"{body} {be} {done} by {author(paper)}"
        have = "has" if number == "one" else "have"
        yield "cited passive", f"{body} {have} been {done} {cite(paper.id.value)}"


_AFTER_HEAD = re.compile(
    r"\b(?:of|for|in|on|with|by|from|to|at|via|through|using|under|over|into|between|among|within|without|that|which|"
    r"where|whose|based|called|named|against|as|across|about)\b|,"
)


def number_of(phrase: str) -> str | None:
    """Whether a noun phrase is "one" or "many"; None if that is not plain."""
    head = _AFTER_HEAD.split(phrase)[0]
    tokens = head.split()
    if (
        not tokens
        or re.search(r" (?:and|or) ", f" {head} ")
        or "$" in tokens[-1]
        or not tokens[-1].replace("-", "").isalpha()
    ):
        return None
    if re.search(r",? (?:and|as well as|together with) (?:an?|the|their)\b", phrase) or ", and" in phrase:
        return None
    last = tokens[-1]
    many = last.endswith("s") and not last.endswith(("ss", "us", "is", "ics"))
    if tokens[0] in ("a", "an", "one", "each", "every"):
        return None if last in ("number", "variety", "range", "series", "couple") or many else "one"
    if tokens[0] in ("several", "two", "three", "four", "five", "many", "various", "some", "both", "all"):
        return "many" if many else None
    if last.endswith("ing"):
        return None
    if many:
        return "many"
    return "one" if tokens[0] == "the" and not last.endswith(("a", "ae", "i", "ics", "s")) else None


_STATED = ("show", "demonstrate", "find", "observe", "report", "argue", "note", "suggest")
_SUBJECT = re.compile(
    r"^(?P<subject>(?:[\w$\\-]+ ){1,9}?[\w-]+) (?P<aux>is|are|can|cannot|has|have|may|does|do|will) (?P<rest>.+)$"
)
_NOT_A_SUBJECT = re.compile(
    r"\b(?:that|which|who|if|when|where|while|there|it|for any|for every|for all|even|under|given|and)\b"
)


def _inserted(statement: Statement, body: str, who: str, plural: bool) -> Iterator[tuple[str, str]]:
    if statement.verb in _STATED:
        verb = past(statement.verb) if statement.past else statement.verb if plural else third_person(statement.verb)
        match = _SUBJECT.match(body)
        if match and not _NOT_A_SUBJECT.search(match["subject"]) and not re.search(r"\btheir\b", match["subject"]):
            yield "inserted", f"{match['subject']}, {who} {verb}, {match['aux']} {match['rest']}"
    if statement.verb in ("find", "observe", "argue", "suggest", "report", "conclude") and not statement.refers:
        yield "according", f"according to {who}, {body}"


def _finish(clause: str, construction: str, statement: Statement, who: str) -> Phrase | None:
    """The clause, loosened and checked, in quotation marks where it must be; None if it cannot stand."""
    text = loosen(" ".join(clause.rstrip(" ,;:").split()), (statement.source,))
    if has_first_person(MARKER.sub("", text)) or re.search(
        r"[\ue000-\ue0ff\\{}]", re.sub(r"\$[^$]*\$", "", MARKER.sub("", text))
    ):
        return None
    if re.search(r"\b(?!that\b)(\w+) \1\b", text):
        return None
    marked = quote(text, statement.source)
    if marked is None:
        return None
    predicate = marked.removeprefix(f"{who} ") if construction in ("active", "claim", "question") else ""
    return Phrase(marked, construction, (statement,), marked != text, predicate if predicate != marked else "")
