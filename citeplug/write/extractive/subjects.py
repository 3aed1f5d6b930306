"""Find where a sentence of an abstract speaks of the paper: "we", "this paper", "the aim is", "X is proposed"."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from citeplug.text.cited_text import words
from citeplug.text.inflection import BASE_OF_GERUND, BASE_OF_PARTICIPLE, BASE_OF_THIRD
from citeplug.text.letters import lower_first
from citeplug.text.lexicon import AUXILIARIES, CREATE, NEGATIONS, PRODUCTS, RESULT, STUDY
from citeplug.text.plaintext import HOLE
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.person import PAPER_NOUN, points_outside, third_person_text
from citeplug.write.extractive.predicates import claim, complement, predicate, verb_weight
from citeplug.write.extractive.statement import Statement

_WE = re.compile(r"\b(?:[Ww]e|I|(?:[Tt]he )?(?:present )?[Aa]uthors?) (?=[a-z])")
_PAPER = re.compile(
    rf"\b(?:[Tt]his|[Tt]he present|[Oo]ur|[Tt]he current|[Tt]he|[Pp]resent) (?:\w+ )?{PAPER_NOUN} (?=[a-z])"
)
_AIM = re.compile(
    r"^(?:[Tt]he |[Oo]ur |[Oo]ne |[Aa]n? )?(?:\w+ )?(?:[Aa]im|[Gg]oal|[Pp]urpose|[Oo]bjective|[Ii]ntention|[Ii]ntent|[Oo]bject)"
    rf"(?: of (?:this|the present|our|the) (?:\w+ )?{PAPER_NOUN}|,? here)? ?(?:is|was) to (?P<rest>.+)"
)
_IT_IS = re.compile(
    r"^(?:and )?[Ii]t (?:is|was|has been) (?:also |then |further |moreover |first |finally |\w+ly )?(?P<verb>\w+)(?P<out> out)?,? that,? "
    r"(?P<rest>.+)"
)
_RESULTS = re.compile(
    r"(?:^|, )(?:(?:[Tt]he|[Oo]ur|[Tt]hese|[Ee]xtensive|[Nn]umerical|[Ee]xperimental|[Ss]imulation|[Ee]mpirical|[Tt]heoretical|[Ii]ts)\s+)"
    r"(?:\w+ ){0,3}(?:results|experiments|simulations|analysis|findings|evaluation|evaluations|calculations|study|studies|examples|tests)"
    r" (?:\w+ly |also |further )?(?P<verb>show|shows|demonstrate|demonstrates|suggest|suggests|indicate|indicates|reveal|reveals|"
    r"confirm|confirms) that,? (?P<rest>.+)"
)
_PASSIVE = re.compile(
    r"^(?P<subject>.+?) (?P<aux>is|are|was|were|has been|have been) (?P<adverb>(?:also|then|further|first|here|\w+ly) )?(?P<verb>[a-z]+)"
    r"(?P<rest>(?:[ ,].*)?)$"
)
_OURS = re.compile(
    r"^(?:[Oo]ur|[Tt]he (?:newly )?(?:proposed|developed|presented|introduced|new)) (?P<noun>(?:[\w-]+ ){0,3}?[\w-]+) (?:also |then |\w+ly )?"
    r"(?P<verb>[a-z]+) (?P<rest>.+)$"
)
_PRESENTED = re.compile(
    r"^(?P<verb>Presented|Described|Proposed|Reported|Discussed|Introduced|Given|Developed)(?: here| herein)? (?:is|are) (?P<rest>(?:an?|the) .+)"
)
OPENERS = re.compile(
    r"^(?:(?:[Hh]owever|[Tt]herefore|[Tt]hus|[Hh]ence|[Mm]oreover|[Ff]urthermore|[Ii]n addition(?! to)|[Aa]dditionally|[Ff]inally|[Ss]pecifically|"
    r"[Ii]n particular|[Mm]ore (?:specifically|precisely|generally|concretely)|[Cc]onsequently|[Aa]ccordingly|[Aa]lso|[Hh]ere|[Ff]irst(?:ly)?|"
    r"[Ss]econd(?:ly)?|[Tt]hird(?:ly)?|[Ll]ast(?:ly)?|[Tt]hen|[Nn]ext|[Nn]ow|[Ii]n contrast(?! (?:to|with))|[Bb]y contrast(?! (?:to|with))|[Oo]n the other hand|[Ii]nstead|"
    r"[Ii]n (?:fact|detail|summary|short|conclusion|turn|response|essence|general|practice)|[Ii]ndeed|[Ss]imilarly|[Ll]ikewise|[Mm]eanwhile|[Oo]verall|"
    r"[Tt]o sum up|[Tt]o (?:this|that) (?:end|aim)|[Ii]n (?:this|that) (?:direction|respect|regard|vein|spirit|context|sense|way|setting)|"
    r"[Ff]or (?:this|that) (?:purpose|reason)|[Ww]ith this (?:goal|aim|motivation)(?: in mind)?|[Aa]t the same time|[Uu]nlike (?:previous|prior|existing) (?:work|works|methods|approaches)|"
    r"[Aa]s (?:a|an) (?:result|consequence|first step|by-product|byproduct|case study|proof of concept|corollary|application|example)|"
    r"[Tt]o (?:our|the best of our) (?:best )?knowledge|[Ff]or (?:the first time|example|instance)|[Bb]riefly|[Tt]o begin with|[Ii]n a nutshell|[Nn]amely|[Aa]nd|[Bb]ut|[Ss]o|"
    r"[Aa]fter that|[Ii]n this case|(?:[Mm]otivated|[Ii]nspired) by (?:this|these|such)(?: \w+)?|[Bb]ased on (?:this|these|such)(?: \w+)?|"
    r"[Tt]o (?:address|overcome|solve|tackle|remedy|mitigate|alleviate|fill|bridge|meet|resolve|achieve|handle|cope with|deal with|do|answer) (?:this|"
    r"these|that|those|such|the above|it|so)\b[^,]*|"
    rf"[Ii]n (?:this|the present|our|the current) (?:\w+ )?{PAPER_NOUN}),?\s+)+"
)
_CONDITION = re.compile(
    r"(?:[Ii]f|[Ww]hen|[Uu]nder|[Aa]ssuming|[Gg]iven|[Ss]uppose|[Pp]rovided|[Uu]nless|[Ww]henever|[Ff]or|[Ww]ith|[Ii]n the|[Ii]n case|[Aa]s|"
    r"[Ww]here|[Aa]t|[Oo]nly|[Ii]n)\b"
)
_KEPT_FRONT = re.compile(
    r"(?:[Ff]or|[Tt]o|[Bb]y|[Uu]sing|[Bb]ased on|[Bb]uilding on|[Mm]otivated by|[Ii]nspired by|[Ss]tarting from|[Ff]rom|[Vv]ia|[Tt]hrough|[Ww]ithin|"
    r"[Uu]nder|[Cc]ombining|[Ee]xploiting|[Ll]everaging|[Ff]ollowing|[Rr]ather than|[Ii]nstead of|[Ww]ith|[Ii]n|[Oo]n|[Aa]ssuming|[Uu]nlike|"
    r"[Mm]aking use of|[Ww]ithout)\b"
)
# What is said to stand in another paper is not this one's.
_ELSEWHERE = re.compile(
    r"\b(?:earlier|previous|companion|separate|another|forthcoming|future|prior|recent) (?:\w+ )?(?:paper|papers|work|works|article|study|publications?)\b"
)
_OPENED = re.compile(r"[,;] (?:and|so|but|then|hence|thus|therefore|here)$")


_BY_PROPOSING = re.compile(
    r",? by (?P<verb>proposing|introducing|presenting|developing|designing|constructing) (?P<rest>(?:an?|the|two|three|several) .+)$"
)
_OWN = re.compile(rf"\b(?:we|our|this {PAPER_NOUN}|the present {PAPER_NOUN})\b", re.IGNORECASE)


def of_sentence(
    text: str, title: str, small: Collection[str], *, first: bool, after_paper: bool
) -> Iterator[Statement]:
    """What one plain sentence, without its stop, says of the paper.

    `small` are words that the abstract has in small letters. `first`: it opens the abstract. `after_paper`: "it" means the paper of the sentence before.
    """
    bare = OPENERS.sub("", text)
    if (match := _BY_PROPOSING.search(bare)) and _OWN.search(bare[: match.start()]):
        verb = BASE_OF_GERUND[match["verb"]]
        yield from complement("object", verb, match["rest"], 1.9 + verb_weight(verb))
    if match := _IT_IS.match(bare):
        verb = BASE_OF_PARTICIPLE.get(match["verb"], "") + (match["out"] or "")
        if verb != "note":
            yield from claim(verb, match["rest"], 1.9) if verb else ()
    elif match := _RESULTS.search(bare):
        yield from claim(BASE_OF_THIRD.get(match["verb"], match["verb"]), match["rest"], 1.2)
    elif match := _AIM.match(bare):
        yield from predicate("aim to " + match["rest"], 2.3, of_paper=False)
    elif match := _WE.search(bare):
        yield from _spoken(bare, match, 2.0, of_paper=" author " in f" {match.group().lower()}")
    elif (match := _PAPER.search(bare)) and match.start() < 200:
        yield from _spoken(bare, match, 2.2, of_paper=True)
    elif after_paper and (match := re.match(r"It (?=[a-z]+s\b)", bare)):
        yield from _spoken(bare, match, 1.9, of_paper=True)
    elif match := _PRESENTED.match(bare):
        verb = BASE_OF_PARTICIPLE[match["verb"].lower()]
        yield from complement("object", verb, match["rest"], 1.9 + verb_weight(verb))
    elif match := _OURS.match(bare):
        yield from _method(match)
    else:
        yield from _named(bare, title)
        yield from _passive(bare, small, cued=bare != text, first=first)


def speaks_of_paper(text: str) -> bool:
    """Whether the paper is the sentence's subject, so that "it" may mean the paper in the next one."""
    return bool(re.match(rf"(?:This|The|The present) (?:\w+ )?{PAPER_NOUN} [a-z]+s\b", text))


def _spoken(bare: str, match: re.Match[str], weight: float, *, of_paper: bool) -> Iterator[Statement]:
    front, usable, restricts = _lead(bare[: match.start()])
    if not usable:
        return
    for statement in predicate(bare[match.end() :], weight, of_paper=of_paper):
        if restricts and not front and (statement.kind == "claim" or statement.verb in RESULT - CREATE):
            continue
        yield replace(statement, front=front)


def _lead(lead: str) -> tuple[str, bool, bool]:
    """(what of it to keep, whether a main clause follows it, whether it restricts what follows)."""
    lead = lead.strip()
    bare = OPENERS.sub("", lead + " ").strip().rstrip(",").strip()
    if _ELSEWHERE.search(lead):
        return "", False, False
    if not bare:
        return "", True, False
    adverbial = bool(_KEPT_FRONT.match(bare)) and not set(words(bare)) & AUXILIARIES and "," not in bare
    ends = lead.endswith((",", ";", ":", " and", "—", "–")) or bool(_OPENED.search(lead))
    if not ends and not (adverbial and len(bare.split()) <= 12):
        return "", False, False
    if adverbial and len(bare.split()) <= 14 and not lead.endswith(" and"):
        kept = third_person_text(bare)
        if (
            kept == bare
            and HOLE not in kept
            and not points_outside(kept, before=99)
            and not re.search(r"\bthe \w+$|\b(?:similar|same|other|another|above)\b", kept)
        ):
            return kept, True, True
    return "", True, bool(_CONDITION.match(bare))


def _method(match: re.Match[str]) -> Iterator[Statement]:
    noun, verb, rest = match["noun"], match["verb"], match["rest"]
    head = noun.split()[-1]
    many = head.endswith("s")
    if head not in PRODUCTS or set(noun.split()) & STOPWORDS or verb in STOPWORDS - AUXILIARIES:
        return
    if verb.endswith(("ed", "ing")) or not (verb in AUXILIARIES or verb.endswith("s") != many):
        return
    text = third_person_text(f"{verb} {rest}")
    yield Statement("method", noun, text, 1.3, refers="their" in text)


def _named(text: str, title: str) -> Iterator[Statement]:
    """ "NAME is a ..." where the title carries the name."""
    match = re.match(r"(?P<name>(?:[A-Z][\w+/-]*)(?: [A-Z][\w+/-]*){0,2}) is (?P<rest>an? .+)$", text)
    if not match or not re.match(r"(?:.{0,40}[:(-] ?)?" + re.escape(match["name"]) + r"\s*[:(,-]", title + " ("):
        return
    rest = third_person_text(match["rest"].split("; ")[0])
    yield Statement("named", match["name"], rest, 2.4, refers="their" in rest)


_SURE = frozenset(
    """propose present introduce study investigate discuss analyze analyse calculate compute examine review construct
    prove derive explore formulate outline report survey describe develop demonstrate address evaluate compare
    generalize generalise extend""".split()
)
_BACKGROUND = re.compile(
    r"(?:in recent years|recently|many|most|several|various|traditionally|currently|existing|previous|a (?:lot|number) of|much|often|today|there|it|"
    r"some authors)\b",
    re.IGNORECASE,
)
_HABIT = frozenset(
    "often usually widely commonly typically generally frequently only rarely traditionally normally".split()
)
_CLAUSE_WORDS = re.compile(r"\b(?:that|which|who|if|when|because|although|while|since|where|how)\b")
_ADJUNCT = re.compile(r"(?:for|using|based on|in|on|from|under|via|with|within|which|at|over|by \w+ing|through|of)\b")


def _passive(text: str, small: Collection[str], *, cued: bool, first: bool) -> Iterator[Statement]:
    match = _PASSIVE.match(text)
    verb = BASE_OF_PARTICIPLE.get(match["verb"], "") if match else ""
    if (
        not match
        or verb not in CREATE | STUDY | RESULT
        or (not cued and (verb not in _SURE or match["aux"].endswith("been")))
    ):
        return
    subject, rest = match["subject"], match["rest"].strip(" ,")
    if _BACKGROUND.match(subject) or (match["adverb"] or "").strip() in _HABIT or len(subject.split()) > 22:
        return
    if _CLAUSE_WORDS.search(subject) or set(words(subject)) & (AUXILIARIES | NEGATIONS):
        return
    to_ground = verb in ("generalize", "generalise", "extend") and rest.startswith("to ")
    if re.match(r"(?:by (?!\w+ing\b)|to\b|as\b|one of|that\b|out\b|on\b)", rest) and not to_ground:
        return
    rest = re.split(r",? and (?=[^,]* (?:is|are|was|were)\b)|; |, (?:while|whereas|but|and)\b", rest)[0]
    front, subject = _fronted(subject)
    if not subject:
        return
    adjunct = rest if _ADJUNCT.match(rest) or to_ground else ""
    weight = (1.6 if cued else 1.1) + verb_weight(verb) - (0.4 if first and not cued else 0.0)
    for statement in complement("object", verb, f"{lower_first(subject, small)} {adjunct}".strip(), weight):
        yield replace(statement, front=front)


def _fronted(subject: str) -> tuple[str, str]:
    """(an adverbial before the subject, the subject); "" for both if the commas mean something else."""
    if "," not in subject:
        return "", subject
    front, _, rest = subject.rpartition(", ")
    if _KEPT_FRONT.match(front) and "," not in front and len(front.split()) <= 12:
        fine = HOLE not in front and not points_outside(front, before=99) and third_person_text(front) == front
        return (front, rest) if fine else ("", "")
    return ("", subject) if re.search(r",? and |, \w+ing |, an? ", subject) else ("", "")
