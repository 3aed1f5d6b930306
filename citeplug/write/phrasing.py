"""Sentences about one paper, each construction a way of saying one statement."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeplug.records.paper import Paper
from citeplug.write.attribution import MARKER, copied_runs, words
from citeplug.write.lexicon import (
    BARE_PRODUCTS,
    CREATE,
    NEGATIONS,
    PASSIVE_SYNONYMS,
    PREPOSITIONS,
    PRODUCTS,
    RESULT,
    SYNONYMS,
    participle,
    past,
    third_person,
)
from citeplug.write.loosen import loosen, without_praise
from citeplug.write.person import has_first_person
from citeplug.write.statements import SLOT, Statement


@dataclass(frozen=True, slots=True)
class Phrase:
    """A clause about one paper, without capital and full stop, with its citation marker.

    `construction` names the way it was built; `author_first` says that it begins with the authors;
    `close` that eight or more words in a row remain the source's, and stand in quotation marks.
    """

    text: str
    construction: str
    statement: Statement
    author_first: bool
    close: bool = False

    @property
    def length(self) -> int:
        return len(words(self.text)) + 2


def author(paper: Paper) -> str:
    """The marker of a textual citation."""
    return f"{{{{author:{paper.id.value}}}}}"


def cite(*ids: str) -> str:
    """The marker of a parenthetical citation."""
    return f"{{{{cite:{','.join(ids)}}}}}"


def agree(text: str, plural: bool) -> str:
    """The text with its marked verbs in the number of the authors."""
    return SLOT.sub(lambda m: m.group(1) if plural else third_person(m.group(1)), text)


def phrases(statement: Statement, paper: Paper, limit: int = 30, variant: int = 0) -> Iterator[Phrase]:
    """Ways of saying `statement` in at most about `limit` words, plain ones first.

    `variant` turns the choice among verbs that say the same.
    """
    plural = len(paper.authors) != 1
    who = author(paper)
    for text in shorter_forms(statement, limit):
        body = without_praise(agree(text, plural))
        front = without_praise(statement.front)
        for construction, sentence in _constructions(statement, body, front, who, plural, variant, paper):
            finished = _finish(sentence, statement)
            if finished is not None:
                said, close = finished
                yield Phrase(said, construction, statement, said.startswith("{{author:"), close)


def _constructions(
    statement: Statement, body: str, front: str, who: str, plural: bool, variant: int, paper: Paper
) -> Iterator[tuple[str, str]]:
    verb = _verb(statement, plural, variant)
    lead = f"{front}, " if front else ""
    if statement.kind == "object":
        yield "active", f"{lead}{who} {verb} {body}"
        if not front:
            yield from _purpose_first(statement, body, who, verb)
            yield from _product_of(body, who)
        if not front and not SLOT.search(statement.text):
            yield from _passive(statement, body, who, paper, variant)
    elif statement.kind == "claim":
        yield "claim", f"{lead}{who} {verb} that {body}"
        yield from _inserted(statement, body, who, lead, plural)
    elif statement.kind == "question":
        yield "question", f"{lead}{who} {verb} {body}"
    elif statement.kind == "method":
        yield "method", f"the {without_praise(statement.verb)} of {who} {body}"
    elif statement.kind == "named":
        yield "named", f"{statement.verb} {cite(paper.id.value)} is {body}"


def _verb(statement: Statement, plural: bool, variant: int) -> str:
    base = statement.verb
    if statement.past:
        return past(base)
    if statement.kind != "question":
        choices = SYNONYMS.get(base, (base,))
        base = choices[variant % len(choices)]
    if statement.kind == "claim" and base == "give":
        base = statement.verb
    if base.startswith("are "):
        return base if plural else "is " + base[4:]
    return base if plural else third_person(base)


def _purpose_first(statement: Statement, body: str, who: str, verb: str) -> Iterator[tuple[str, str]]:
    match = re.match(r"^(?P<core>an? (?:[\w-]+ ){0,6}?(?P<noun>[\w-]+)) (?P<purpose>(?:for|to) .+)$", body)
    if not match or match["noun"] not in PRODUCTS or statement.verb not in CREATE:
        return
    purpose = match["purpose"]
    if re.match(r"to (?:the|an?|this|their|its)\b", purpose) or len(purpose.split()) < 3 or len(purpose.split()) > 16:
        return
    if re.search(
        r",|\bthat\b|\bwhich\b|\bwhere\b|\bbased\b|\band (?:an?|the|show|prove)\b|\b(?:their|its|it)\b", purpose
    ):
        return
    yield "purpose first", f"{purpose}, {who} {verb} {match['core']}"


def _product_of(body: str, who: str) -> Iterator[tuple[str, str]]:
    match = re.match(
        r"^an? (?P<core>(?:[\w-]+ ){0,4}?(?P<noun>[\w-]+)),? (?:that|which) (?P<verb>can|is|has|[a-z]{3,}s) (?P<rest>.+)$",
        body,
    )
    if not match or match["noun"] not in PRODUCTS or match["verb"].endswith("ss"):
        return
    if set(words(match["core"])) & (PREPOSITIONS | {"to"}) or re.search(r"\b(?:they|their)\b", match["rest"]):
        return
    yield "product of", f"the {match['core']} of {who} {match['verb']} {match['rest']}"


def _passive(statement: Statement, body: str, who: str, paper: Paper, variant: int) -> Iterator[tuple[str, str]]:
    if (" " in statement.verb and statement.verb not in ("look at", "deal with", "put forward")) or statement.refers:
        return
    number = number_of(body)
    if number is None or len(body.split()) > 17 or statement.verb in ("are concerned with", "concern", "contribute"):
        return
    choices = PASSIVE_SYNONYMS.get(statement.verb, (statement.verb,))
    done = participle(choices[variant % len(choices)])
    be = "is" if number == "one" else "are"
    yield "passive", f"{body} {be} {done} by {who}"


def number_of(phrase: str) -> str | None:
    """Whether a noun phrase is "one" or "many"; None if that is not plain."""
    head = re.split(
        r"\b(?:of|for|in|on|with|by|from|to|at|via|through|using|under|over|into|between|among|within|without|that|which|"
        r"where|whose|based|called|named|against|as)\b|,",
        phrase,
    )[0]
    tokens = head.split()
    if not tokens or " and " in f" {head} " or " or " in f" {head} " or "$" in tokens[-1]:
        return None
    if re.search(r",? and (?:an?|the|their)? ?[\w-]+(?: [\w-]+)?$", phrase) or ", and" in phrase:
        return None
    last = tokens[-1]
    if tokens[0] in ("a", "an", "one", "each", "every"):
        return (
            "one"
            if not re.match(r"(?:number|variety|range|series|set|class|family)$", last) or tokens[0] != "a"
            else None
        )
    if tokens[0] in (
        "several",
        "two",
        "three",
        "four",
        "five",
        "many",
        "various",
        "some",
        "both",
        "all",
    ) and last.endswith("s"):
        return "many"
    if last.endswith("ing") or not last.isalpha():
        return None
    if last.endswith("s") and not last.endswith(("ss", "us", "is", "ics")):
        return "many"
    return "one" if tokens[0] == "the" and not last.endswith(("a", "ae", "i", "ics", "s", "data")) else None


def _inserted(statement: Statement, body: str, who: str, lead: str, plural: bool) -> Iterator[tuple[str, str]]:
    if lead:
        return
    if statement.verb in ("show", "demonstrate", "find", "observe", "report", "argue", "note", "suggest"):
        verb = statement.verb if plural else third_person(statement.verb)
        if statement.past:
            verb = past(statement.verb)
        match = re.match(
            r"^(?P<subject>(?:[\w$\\-]+ ){1,9}?[\w-]+) (?P<aux>is|are|can|cannot|has|have|may|does|do|will) (?P<rest>.+)$",
            body,
        )
        if match and not re.search(
            r"\b(?:that|which|who|if|when|where|while|there|it|for any|for every|for all|even|under|given)\b",
            match["subject"],
        ):
            yield "inserted", f"{match['subject']}, {who} {verb}, {match['aux']} {match['rest']}"
    if statement.verb in ("find", "observe", "argue", "suggest", "report", "conclude") and not statement.refers:
        yield "according", f"according to {who}, {body}"


_CUTS = re.compile(
    r", (?:which|where|with|thus|thereby|allowing|enabling|leading|making|while|so|such as|based|using|called|named|i\.e\.|e\.g\.|in particular|including|namely|"
    r"ranging|yielding|resulting|especially|particularly|and (?:thus|thereby|hence|then|also)|whose|but|for|by|in|from|as)\b"
    r"|,? (?:such as|in order to|so that|so as to|by (?:means of|using|\w+ing)|based on|using|via|through|which|that|where|while|when|in which|thereby|thus)\b"
    r"| (?:for|with|in|under|to|from|on|over|at|across|as well as)\b|,? and (?=\ue010)|, and\b"
)
_KEEPS_PREPOSITION = frozenset(
    """based compared related depending relying subject due according capable able independent dependent similar
    equivalent applied leading focused respect interest interested approach approaches access addition
    application applications response responses order regard contrast relation connection connections extension
    extensions generalization generalizations generalisation contributions contribution corrections correction reference attention
    known used defined given obtained trained designed aimed robust relevant tailored adapted together along
    solution solutions way ways ability need how what from between analogous close limited restricted equal
    reduction reductions linked devoted belonging corresponding effect effects impact influence introduction insight insights
    increase decrease changes change advances focus emphasis problem possibility ones one those that attempt attempts transition""".split()
)


def shorter_forms(statement: Statement, limit: int) -> list[str]:
    """The statement's text, and shorter forms of it that are still true, those near the limit first."""
    text = statement.text
    count = len(text.split())
    forms = [text] if count <= limit else []
    if statement.kind == "claim":
        forms += [
            text[: m.start()]
            for m in re.finditer(
                r", (?:which|thereby|thus|making|leading|whereas|while|and (?:that|hence|thus))\b", text
            )
        ]
    elif statement.kind == "question":
        forms += [text[: m.start()] for m in re.finditer(r",? (?=and \ue010)|, (?:which|thereby|thus|and)\b|; ", text)]
    else:
        forms += [text[: m.start()] for m in _CUTS.finditer(text) if _may_cut(text, m, statement)]
    forms = [form for form in dict.fromkeys(forms) if 4 <= len(form.split()) <= limit and _whole(form)]
    return sorted(forms, key=lambda form: -len(form.split()))[:4]


def _may_cut(text: str, match: re.Match[str], statement: Statement) -> bool:
    kept, gone = text[: match.start()], text[match.start() :]
    if (
        kept.count("$") % 2
        or set(words(gone)) & NEGATIONS - {"not", "few", "little"}
        or re.search(r"\bnot\b(?! only)", gone)
    ):
        return False
    if (
        statement.verb in RESULT
        and statement.verb not in CREATE
        and re.search(r"\b(?:if|when|under|for|assuming|in|provided|unless|only)\b", gone)
        and "\ue010" not in gone[:8]
    ):
        return False
    tokens = kept.split()
    last = tokens[-1].rstrip(",").lower()
    head = match.group().strip(" ,").split()[0]
    if (
        last in PREPOSITIONS
        or last in _KEEPS_PREPOSITION
        or (last.endswith(("ed", "ing")) and head not in ("and", "while", "where", "such", "in", "by", "which"))
    ):
        return False
    if (head == "to" and re.search(r"\bfrom\b[^,]*$", kept)) or (head in ("and", "to", "as") and "between" in kept):
        return False
    if head == "and" and re.search(r"\b(?:both|either)\b|,", kept):
        return False
    content = [w for w in words(kept) if w not in PREPOSITIONS and w not in ("a", "an", "the", "to", "new", "novel")]
    specific = [w for w in content if w not in BARE_PRODUCTS]
    return len(specific) >= 3


_BAD_END = frozenset(
    """a an the of for in on with by from to at via through using and or as that which where whose is are was be than
    between into such both not no only under over their its this these very more most less based each any some""".split()
)


def _whole(text: str) -> bool:
    bare = text.rstrip(",")
    last = bare.split()[-1].lower()
    if last in _BAD_END or bare.count("$") % 2 or bare.count("(") != bare.count(")"):
        return False
    if bare.count("“") != bare.count("”") or re.search(r"\((?:i{1,3}|\d|[abc])\)|\b[12]\)", bare):
        return False
    return not re.search(r"\b(?:both|either|between)\b(?!.* (?:and|or) )", bare)


def _finish(sentence: str, statement: Statement) -> tuple[str, bool] | None:
    """The clause, loosened, checked, and in quotation marks where it must be; None if it cannot stand."""
    sentence = " ".join(sentence.rstrip(" ,;:").split())
    sentence = loosen(sentence, (statement.source,))
    if has_first_person(MARKER.sub("", sentence)) or re.search(
        r"[\ue000-\ue0ff\\]", re.sub(r"\$[^$]*\$", "", sentence)
    ):
        return None
    if re.search(r"\b(\w+) \1\b(?<!that that)", sentence):
        return None
    runs = copied_runs(sentence, statement.source)
    if not runs:
        return sentence, False
    if "“" in sentence or len(runs) > 1:
        return None
    start, end = _around_math(sentence, *runs[0])
    quoted = sentence[start:end]
    if len(words(quoted)) > 24:
        return None
    return f"{sentence[:start]}“{quoted}”{sentence[end:]}", True


def _around_math(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch, grown so that it does not end inside a formula or a compound."""
    while start > 0 and (text[:start].count("$") % 2 or text[start - 1] not in " “("):
        start -= 1
    while end < len(text) and (text[:end].count("$") % 2 or text[end] not in " ,.;:)”"):
        end += 1
    return start, end
