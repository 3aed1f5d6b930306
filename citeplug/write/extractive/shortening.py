"""Shorter forms of a statement that are still true of the paper."""

import re
from itertools import pairwise

from citeplug.text.cited_text import words
from citeplug.text.inflection import BASE_OF_GERUND
from citeplug.text.lexicon import (
    AUXILIARIES,
    BARE_PRODUCTS,
    CREATE,
    DOINGS,
    NEGATIONS,
    PREPOSITIONS,
    PRODUCTS,
    RESULT,
    VERBS,
)
from citeplug.text.nounlists import is_adjective
from citeplug.text.plaintext import HOLE
from citeplug.write.extractive.person import points_outside
from citeplug.write.extractive.statement import Statement

# Before these a noun phrase may end: what follows only adds to it.
_CUTS = re.compile(
    r", (?:which|where|with|thus|thereby|allowing|enabling|leading|making|while|so|such as|based|using|called|named|"
    r"i\.e\.|e\.g\.|in particular|including|namely|ranging|yielding|resulting|especially|particularly|whose|but|for|by|"
    r"in|from|as|to|and (?:thus|thereby|hence|then|also)|\w+ing|\w+ed)\b"
    r"|,? (?:such as|in order to|so that|so as to|by (?:means of|using|\w+ing)|based on|using|via|through|which|that|"
    r"where|while|when|in which|thereby|thus|as introduced|as well as|able to|capable of)\b"
    r"| (?:for|with|in|under|to|from|over|at|across)\b|,? and (?=\ue010)|, and\b|:(?= )"
)
# "define A, prove B" is left of "define A, prove B, and show C".
_LAST_VERB = re.compile(r", (\ue010[^\ue010]*)$")
_CLAIM_CUTS = re.compile(r", (?:which|thereby|thus|making|leading|whereas|while|and (?:that|hence|thus)|but)\b")
_QUESTION_CUTS = re.compile(r",? (?=and \ue010)|, (?:which|thereby|thus|and)\b|; ")
# These nouns want the preposition that follows them.
_ALWAYS_KEEP = frozenset(
    """based compared related depending relying subject due according capable able independent dependent similar equivalent
    applied leading focused respect interested approaches need how what between analogous close limited restricted equal linked
    devoted belonging corresponding ones one those that ability attempt attempts effect effects impact influence reference
    order regard terms view light case presence absence number set class family type kind form part existence series range
    sequence context known used defined given""".split()
)
_KEEPS = {
    "to": frozenset(
        """approach access addition application applications response responses contrast relation connection connections extension
        extensions generalization generalizations generalisation contribution contributions correction corrections attention
        solution solutions reduction reductions introduction way ways transition analogue alternative alternatives counterpart
        link links path paths exposure resistance adaptation robustness sensitivity""".split()
    ),
    "in": frozenset(
        "interest increase decrease change changes advances role insight insights trust use aspect aspects".split()
    ),
    "for": frozenset("need evidence support search demand account responsible".split()),
    "with": frozenset("connection interaction interactions accordance line agreement comparison problems".split()),
    "from": frozenset("transition shift deviation deviations".split()),
    "under": frozenset(),
    "over": frozenset("control advantage advantages improvement improvements".split()),
}
_BAD_END = frozenset(
    """a an the of for in on with by from to at via through using and or as that which where whose is are was be than
    between into such both not no only under over their its this these very more most less based each any some can
    without within across during has have had solely mainly e.g i.e it they them one two three first second new
    better different various several other another many novel also even rely relies depends depend stands case cases
    terms order way manner context presence instead up out off down forth along away rather yet still correspond corresponds relate lead leads refer belong consist consists""".split()
)
# Adjectives and participles that want what followed them.
_UNFINISHED = frozenset(
    """written built given taken known shown made found drawn chosen seen necessary available possible required present
    relevant due able suitable subject prior similar equal larger smaller higher lower likely deep large small big high low old long
    short fast slow good bad full strong weak hard soft wide main same real""".split()
)
# "examples to show why known methods": a question cut before its verb.
_ASKS_WITHOUT_VERB = re.compile(
    r"\b(?:how|why|whether|what)\b(?!.*\b(?:is|are|was|were|can|could|may|might|will|has|have|do|does|to)\b)"
)
# Verbs of two words that want an object: "gives rise" to what?
_WANTS_OBJECT = re.compile(
    r"\b(?:gi\w+ rise|ga\w+ rise|ma[kd]\w+ use|ta\w+ (?:care|account|advantage)|pa\w+ attention)$"
)
_WANTS_OF = re.compile(
    r"\b(?:and|or) the \w+$|\b(?:allow|enabl|permitt|mak|lett)ing (?:the |an? )?\w+$"
)  # "scores and the confidence": in what?
_ENUMERATION = re.compile(r"\((?:[ivx]{1,4}|\d|[a-d])\)|(?:^|\s)(?:[ivx]{1,4}|\d|[a-d])\)")
NOUN_ING = re.compile(
    r"(?:learn|train|cluster|embed|encod|decod|process|reason|plan|schedul|rout|match|model|sampl|min|filter|check|test|"
    r"track|segment|forecast|tun|prun|cod|comput|network|pric|rank|pool|mapp|pars|program|brows|shar|cach|stream|"
    r"mean|set|sett|build|engineer|hash|lens|scatter|coupl|break|order|spac|render|imag|sens|cross|bind|stor|labell?|"
    r"question.answer|answer|caption|pars|tagg|smooth|steer|beamform|listen|hear|understand|mak|solv|writ|read|search)ing"
)


def shorter_forms(statement: Statement, limit: int) -> list[str]:
    """The text of `statement`, and what is left of it at each safe cut, of at most `limit` words, longest first.

    A claim is cut only before clauses that add to it, never before its conditions; nothing is cut that
    holds a negation. Forms with a `HOLE` in them are left out.
    """
    text = statement.text
    if statement.kind == "object":
        cuts = [match for match in _CUTS.finditer(text) if _may_cut(text, match, statement)]
    else:
        pattern = _QUESTION_CUTS if statement.kind == "question" else _CLAIM_CUTS
        cuts = [match for match in pattern.finditer(text) if not _negates(text[match.start() :])]
    forms = dict.fromkeys([text, *(_LAST_VERB.sub(r" and \1", text[: match.start()]) for match in cuts)])
    kept = [form for form in forms if 3 <= len(form.split()) <= limit and _whole(form, cut=form != text)]
    if statement.kind == "object":
        kept = [form for form in kept if not is_vague(form)]
        kept = [form for form in kept if not _BARE_DEFINITE.fullmatch(form) or set(words(form)) & PREPOSITIONS]
    return sorted(kept, key=lambda form: -len(form.split()))


def _negates(text: str) -> bool:
    return bool(set(words(text)) & (NEGATIONS - {"few", "little"}))


def is_vague(phrase: str) -> bool:
    """Whether a noun phrase names no more than its kind: "results", "a method", "the consequences"."""
    return not any(word not in PREPOSITIONS | BARE_PRODUCTS | _EMPTY | _VAGUE for word in words(phrase))


# Nouns that want "of what".
_VAGUE = frozenset(
    """results result uncertainties uncertainty consequences consequence couplings coupling effects effect properties property
    aspects aspect problems problem issues issue questions question prospects sensitivity corrections correction conditions
    condition bounds bound limits values value measurements evidence implications implication relations relation solutions
    expansion expansions formula formulas formulae equations equation status situation role size point points structure
    structures intrinsic theoretical asymptotic numerical analytical experimental recent exact possible""".split()
)


def may_end(kept: str, gone: str) -> bool:
    """Whether `kept` can stand as a noun phrase when `gone`, which began with a preposition, is taken from its end."""
    return _may_part(kept, gone, gone.split()[0], marked=False, comma=False) and _whole(kept, cut=True)


def _may_cut(text: str, match: re.Match[str], statement: Statement) -> bool:
    kept, gone = text[: match.start()], text[match.start() :]
    if _negates(gone) or not kept.strip():
        return False
    marked = gone.lstrip(", ").startswith("and \ue010")
    # What is proved or found holds under its conditions, not without them.
    if statement.verb in RESULT - CREATE and not marked and _CONDITIONS.search(gone):
        return False
    head = match.group().strip(" ,:").split(" ")[0] or ":"
    specific = [w for w in words(kept) if w not in PREPOSITIONS and w not in BARE_PRODUCTS and w not in _EMPTY]
    return len(specific) >= 2 and _may_part(kept, gone, head, marked=marked, comma=match.group().startswith(","))


def _may_part(kept: str, gone: str, head: str, *, marked: bool, comma: bool) -> bool:
    if kept.count("$") % 2 or kept.count("“") != kept.count("”"):
        return False
    last = kept.split()[-1].rstrip(",").lower()
    if last in PREPOSITIONS or (head in _KEEPS and last in _ALWAYS_KEEP | _KEEPS[head]):
        return False
    if head != ":" and not comma and not _complete_without(last, head):
        return False
    if head == "to" and (_WANTS_TO.search(kept) or _HOW.search(kept)):
        return False
    if last[0] != kept.split()[-1][0] and re.search(r"[A-Z]", " ".join(gone.split()[1:4])):
        return False  # in the middle of a name, such as "Voices from a Distance"
    if (head == "to" and re.search(r"\bfrom\b[^,]*$", kept)) or (head in ("and", "to", "as") and "between" in kept):
        return False
    if re.search(r"\bfrom\b(?!.* to\b)", kept) and re.match(r"[^;]{0,80}\bto (?!\w+ing\b)", gone):
        return False
    return not (
        head == "and"
        and not marked
        and (re.search(r"\b(?:both|either)\b|,", kept) or not re.search(r" (?:of|for|in|with|on) [^,]*$", kept))
    )


_WANTS_TO = re.compile(
    r"\b(?:allow|enabl|permit|requir|forc|caus|help|encourag|expect|ask|train|teach|need|lead|tend|fail|aim|try|seek|attempt|appl|extend|"
    r"generali|reduc|map|transform|convert|transfer|assign|relat|compar|adapt|contribut|connect|link|add)\w*\b[^,]*$"
)
_HOW = re.compile(r"\b(?:how|what|which|where|when|whether|whom?)(?: \w+)?$")  # "learns how far to look"
_CONDITIONS = re.compile(r"\b(?:if|when|under|for|assuming|in|provided|unless|only|where|with|between|to|on)\b")
# "The estimates": which ones? A name tells, and so does what follows the noun.
_BARE_DEFINITE = re.compile(r"the (?:[a-z-]+ ){0,4}[a-z-]+")
_RELATIVE = frozenset("that which where while when using based via through such so whose".split())
_EMPTY = frozenset(
    "a an the to new novel general simple efficient two three some several various different its their".split()
)


def _complete_without(last: str, head: str) -> bool:
    """Whether the word before a cut can do without what `head` begins."""
    if last.endswith("ing") and not NOUN_ING.fullmatch(last):
        return False
    if last.endswith("ed"):
        return head in ("where", "while", "thereby", "thus")
    return (
        last not in BASE_OF_GERUND.values()
        or head not in ("on", "to", "with", "from", "over", "at")
        or last in PRODUCTS
    )


def _whole(text: str, *, cut: bool) -> bool:
    bare = text.rstrip(",")
    tokens = bare.split()
    last = tokens[-1].lower()
    if (
        HOLE in bare
        or points_outside(bare)
        or bare.endswith("\ue011")
        or last in _BAD_END
        or bare.count("$") % 2
        or bare.count("(") != bare.count(")")
    ):
        return False
    if (
        bare.count("“") != bare.count("”")
        or _ENUMERATION.search(bare)
        or re.search(r"\b(?:both|either|between)\b(?!.* (?:and|or) )", bare)
    ):
        return False
    if cut and (
        last in _UNFINISHED
        or is_adjective(tokens[-1])
        or (last.endswith("ed") and last not in ("speed", "need", "seed", "feed", "embed"))
    ):
        return False
    if cut and (
        re.search(r", \w+$", bare)
        or _WANTS_OBJECT.search(bare)
        or _WANTS_OF.search(bare)
        or _ASKS_WITHOUT_VERB.search(bare)
    ):
        return False
    if cut and (_ends_in_bare_clause(tokens) or (len(tokens) > 2 and tokens[-2] == "to" and tokens[-1].islower())):
        return False
    return not (cut and last.endswith("ly") and len(tokens) > 2 and tokens[-2].lower() in AUXILIARIES)


def _may_be_finite(token: str) -> bool:
    word = token.strip(",").lower()
    return word in AUXILIARIES | VERBS | DOINGS or word.endswith(("s", "ed", "d"))


def _ends_in_bare_clause(tokens: list[str]) -> bool:
    """Whether a relative clause was cut down to its verb: "a method that relies"."""
    for position, (word, following) in enumerate(pairwise(tokens)):
        if word.lower().strip(",") in ("that", "which", "who", "where", "when", "whose"):
            clause = tokens[position + 1 :]
            if len(clause) <= 4 and not any(map(_may_be_finite, clause)):
                return True
            if len(clause) == 1 or (following in AUXILIARIES and len(clause) <= 2):
                return True
    return False
