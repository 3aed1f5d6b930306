"""Clauses about one paper, each construction a way of saying one statement."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from citeplug.records.paper import Paper
from citeplug.text.cited_text import MARKER, copied_runs, words
from citeplug.text.folding import is_collective, split_name
from citeplug.text.inflection import BASE_OF_GERUND, base_of_third, number_of, past, third_person
from citeplug.text.lexicon import AUXILIARIES, CREATE, DOINGS, RESULT, SYNONYMS, VERBS
from citeplug.write.extractive.loosen import loosen
from citeplug.write.extractive.person import has_first_person
from citeplug.write.extractive.praise import without_praise
from citeplug.write.extractive.quoting import quote
from citeplug.write.extractive.reordering import fronted, passive, product_of
from citeplug.write.extractive.shortening import shorter_forms
from citeplug.write.extractive.statement import SLOT, Statement


@dataclass(frozen=True, slots=True)
class Phrase:
    """A clause about one paper, without capital and full stop, with its citation marker.

    `construction` names the way it was built. `close` says that eight or more words in a row remain the
    source's, in quotation marks unless it is `unquoted`. `predicate` is what can follow "and" after another clause
    with the same authors as its subject, "" if nothing can.
    """

    text: str
    construction: str
    statements: tuple[Statement, ...]
    close: bool = False
    unquoted: bool = False
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
    turns = len(SYNONYMS.get(statement.verb, (1, 2)))
    fronts = [statement.front]
    if statement.front and statement.kind != "claim" and statement.verb not in RESULT - CREATE:
        fronts.append("")  # it says more of the circumstances than of the object
    for form in shorter_forms(statement, limit)[:8]:
        body = without_praise(agree(form, plural=plural))
        seen: dict[str, Phrase] = {}
        for front in fronts:
            told = replace(statement, front=front)
            for turn in range(turns):
                for construction, clause in _clauses(told, form, body, paper, variant + turn):
                    known = seen.get(construction)
                    if known is None or known.close:
                        phrase = _finish(clause, construction, told, author(paper))
                        if phrase is not None and (known is None or not phrase.close):
                            seen[construction] = phrase
                if seen and not any(phrase.close for phrase in seen.values()):
                    break
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
        yield from _doing(statement, body, who, lead, is_plural(paper), variant)
        if not front:
            yield from fronted(statement, body, who, verb)
            yield from product_of(body, who)
            if not SLOT.search(form):
                yield from passive(statement, body, who, cite(paper.id.value), variant)
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
    if statement.past:
        return past(statement.verb)
    base = statement.verb
    if statement.kind != "question":
        head, _, rest = base.partition(" ")
        of_head = SYNONYMS[head] if head in ("aim", "seek") else (head,)
        choices = SYNONYMS.get(base) or tuple(f"{verb} {rest}".rstrip() for verb in of_head)
        slots = set(SLOT.findall(statement.text))
        choices = tuple(choice for choice in choices if choice not in slots) or (base,)
        base = choices[variant % len(choices)]
    if base.startswith("are "):
        return base if plural else "is " + base[4:]
    return base if plural else third_person(base)


_INFLUENCE = re.compile(r"^the (?P<noun>influence|impact|effect|effects) of (?P<cause>[^,]+?) on (?P<rest>.+)$")
_PROBLEM = re.compile(r"^the (?:\w+ )?(?:problem|task|question|issue|challenge) of (?P<verb>[a-z]+ing) (?P<rest>.+)$")
_ASK_HOW = frozenset("study investigate examine consider discuss explore".split())


def _doing(
    statement: Statement, body: str, who: str, lead: str, plural: bool, variant: int
) -> Iterator[tuple[str, str]]:
    """ "A study how to sort lists": of "the problem of sorting lists"."""
    verb = _verb(statement, plural, variant)
    if (match := _INFLUENCE.match(body)) and (number := number_of(match["cause"])):
        has = "has" if number == "one" else "have"
        yield "active", f"{lead}{who} {verb} the {match['noun']} that {match['cause']} {has} on {match['rest']}"
    match = _PROBLEM.match(body)
    if not match or SLOT.search(statement.text) or statement.past or re.search(r" and \w+ing\b", match["rest"]):
        return
    if statement.verb in _ASK_HOW and match["verb"] in BASE_OF_GERUND:
        yield "question", f"{lead}{who} {verb} how to {BASE_OF_GERUND[match['verb']]} {match['rest']}"
    elif statement.verb in ("address", "tackle", "consider", "study"):
        yield "active", f"{lead}{who} {'are' if plural else 'is'} concerned with {match['verb']} {match['rest']}"


_STATED = frozenset("show demonstrate find observe report argue note suggest prove establish conjecture".split())
_NOT_IN_A_SUBJECT = re.compile(
    r"^(?:if|when|what|how|whether|where|while|there|it|even|under|given|for|using|with|whenever|in|by|as|on|at)\b"
    r"|\b(?:that|which|who|if|when|where|while|whenever|it|their)\b"
)
_MANY = frozenset("are have do can may will cannot".split())
_OBJECT_START = re.compile(r"(?:the|an?|to|its|their|more|better|less|as|on|from|at least|at most|no|only)\b")


def _inserted(statement: Statement, body: str, who: str, plural: bool) -> Iterator[tuple[str, str]]:
    if statement.verb in _STATED:
        verb = past(statement.verb) if statement.past else statement.verb if plural else third_person(statement.verb)
        split = _at_verb(body)
        if split and not _NOT_IN_A_SUBJECT.search(split[0]):
            subject, finite, rest = split
            if " and " not in subject or finite in _MANY:
                yield "inserted", f"{subject}, {who} {verb}, {finite} {rest}"
    if statement.verb in ("find", "observe", "argue", "suggest", "report", "conclude") and not statement.refers:
        yield "according", f"according to {who}, {body}"


def _at_verb(clause: str) -> tuple[str, str, str] | None:
    """(subject, finite verb, rest) of a clause, if its verb is plain to see among the first words."""
    tokens = clause.split(" ")
    for index in range(1, min(len(tokens) - 1, 13)):
        token, rest = tokens[index], " ".join(tokens[index + 1 :])
        if tokens[index - 1].endswith(","):
            return None
        if token in AUXILIARIES or (
            token.endswith("s") and base_of_third(token) in VERBS | DOINGS and _OBJECT_START.match(rest)
        ):
            return (" ".join(tokens[:index]).removesuffix(" also"), token, rest) if "$" not in token else None
    return None


def _spoken_verb(text: str, who: str) -> str:
    """The word or two after the authors' names: "study", "focuses on"."""
    match = re.search(re.escape(who) + r" ([a-z]+(?: (?:on|at|with|to|into|forward|out|up))?)", text)
    return match.group(1) if match else ""


def _finish(clause: str, construction: str, statement: Statement, who: str) -> Phrase | None:
    """The clause, loosened and checked, in quotation marks where it must be; None if it cannot stand."""
    text = loosen(" ".join(clause.rstrip(" ,;:").split()), (statement.source,))
    if has_first_person(MARKER.sub("", text)) or re.search(
        r"[\ue000-\ue0ff\\{}]", re.sub(r"\$[^$]*\$", "", MARKER.sub("", text))
    ):
        return None
    if re.search(r"\b(?!that\b)(\w+) \1\b|(?<!\S)/(?!\S)|\b[A-Z]{5,}:", text):
        return None
    if construction in ("passive", "cited passive", "extraposed") and copied_runs(text, statement.source):
        return None
    close = bool(copied_runs(text, statement.source))
    marked = quote(text, statement.source, _spoken_verb(text, who)) if close else text
    said = marked or text
    if said.startswith("“") and said[1].islower():
        return None
    predicate = said.removeprefix(f"{who} ") if construction in ("active", "claim", "question") else ""
    return Phrase(said, construction, (statement,), close, marked is None, predicate if predicate != said else "")
