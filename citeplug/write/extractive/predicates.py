"""Read what follows "we" or "this paper": the verb, and what it says."""

import re
from collections.abc import Iterator

from citeplug.text.inflection import BASE_OF_GERUND, BASE_OF_PARTICIPLE, BASE_OF_PAST, BASE_OF_THIRD, base_of_third
from citeplug.text.lexicon import AMBIGUOUS, AUXILIARIES, CLAIM, CREATE, RESULT, STUDY, VERBS
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.person import third_person_text
from citeplug.write.extractive.statement import Kind, Statement

_ADVERBS = frozenset(
    """also then first here thus therefore hence next further finally instead now moreover furthermore additionally
    again both secondly still even explicitly""".split()
)
_SEQUEL = frozenset("also then further finally additionally next".split())
_NOT_ADVERBS = frozenset("apply rely supply multiply imply comply reply only rarely hardly nearly early".split())
_PARTICLES: dict[str, tuple[str, ...]] = {
    "focus": ("our attention on", "attention on", "primarily on", "mainly on", "here on", "specifically on", "particularly on", "on"),
    "concentrate": ("our attention on", "on"),
    "deal": ("with",),
    "look": ("at", "into", "for"),
    "report": ("on",),
    "elaborate": ("on", "upon"),
    "carry": ("out",),
    "rely": ("on",),
    "turn": ("to",),
    "work": ("on",),
    "comment": ("on",),
    "put": ("forward", "forth"),
    "set": ("out to", "up"),
    "aim": ("to",),
    "seek": ("to",),
    "attempt": ("to",),
    "try": ("to",),
    "propose": ("to",),
    "start": ("from",),
    "contribute": ("to",),
    "point": ("out",),
}  # fmt: skip
_WANT_PARTICLE = frozenset(
    "focus concentrate deal look elaborate carry rely turn work comment put set aim seek attempt try point start".split()
)
_QUESTION = re.compile(r"(?:how|whether|why|what|when|which|to what extent|if|where)\b")
_NOT_AN_OBJECT = frozenset(
    "to that as and by is are it from in of not on with for at through using via under after before during without within between among over into upon".split()
)
_COPULAR = [
    (re.compile(pattern), verb)
    for pattern, verb in (
        (r"(?:devoted|dedicated) to (?:the |a )?(?:study|investigation|analysis|examination) of (.+)", "study"),
        (r"(?:devoted|dedicated) to (.+)", "treat"),
        (r"(?:concerned|interested) (?:with|in) (.+)", "are concerned with"),
        (r"(?:a|an) (?:\w+ )?(?:survey|review|overview) (?:of|on) (.+)", "survey"),
        (r"(?:a|an) (?:\w+ )?introduction to (.+)", "give an introduction to"),
        (r"about (.+)", "write about"),
    )
]
_NEXT_CLAUSE = re.compile(
    r",? and (?:that )?(?:finally |then |also |thus |hence )?(?:we|in particular|this|it is|these|the (?:results?|method|algorithm|paper))\b"
    r"|,? (?:but|so|as|since|because) (?:that )?we\b|, (?:where|which|that) we (?!call|term|name|dub|refer)"
)
_TO_THIS_END = re.compile(
    r",? (?:in order )?(?:to|for|thus|thereby) (?:address|solv|tackl|overcom|handl|resolv|mitigat|remedy|alleviat|fill|bridg|achiev|deal with|do|answer|cope with)(?:e|ing)?"
    r" (?:this|these|those|such|the above|it|so)\b[^,]*$"
)
# What is always there, and says little of what the paper is about.
_MINOR = re.compile(
    r"(?:some|an?) (?:numerical |experimental |illustrative |simple )?(?:examples?|applications?|experiments?|evaluation|comparison)"
    r"|the (?:performance|effectiveness|efficacy|usefulness|feasibility|results|advantages|validity|idea|main)|(?:their )?advantages|(?:extensive |numerical )?experiments|"
    r"(?:several|some|the|two|three|new|various|specific|important|open) (?:\w+ )?(?:problems|results|issues|examples|questions|challenges|experiments|cases)$|\S+ (?:\S+ )?following"
)
_CODE = re.compile(
    r"\b(?:their|the|all) (?:\w+ )?(?:code|implementation|weights|findings|contribution|ranking|software|source|data)\b|\bcode\b"
)
_LEANS = re.compile(
    r"(?:an?|the|its|their)? ?(?:two |three |four |five )?(?:similar|another|other|different|further|additional|alternative|resulting|same|corresponding|"
    r"associated|respective|second|third|latter|generalized version|more|better|two more)\b"
)
_DEFINITE = re.compile(
    r"\b(?:the|their) (?:algorithms?|methods?|models?|approach|system|scheme|problem|technique|framework|paper|results?|theory|procedure|protocol|network|"
    r"architecture|formula|equations?|solutions?|analysis|data|dataset|theorem|construction|performance|tool|design|implementation|game|task|two|three|"
    r"idea|concept|process|mechanism|structure|former|question|questions|issue|issues|objective|topic|properties|property)"
    r"(?=$|[,.;]| (?:and|is|are|can|has|have|under|on|with|by|using|through|as|through)\b)"
)


def predicate(text: str, weight: float, *, of_paper: bool) -> Iterator[Statement]:
    """Statements from what follows "we" or, `of_paper`, "this paper"; none if it is not understood."""
    tokens = text.split()
    while tokens and (_is_adverb(tokens[0]) or tokens[0] in ("will", "shall")):
        weight -= 0.25 if tokens[0].strip(",") in _SEQUEL else 0.0
        tokens = tokens[1:]
    if not tokens:
        return
    if tokens[0] in ("is", "are", "am", "was", "were"):
        if len(tokens) > 2 and tokens[1] in BASE_OF_GERUND:
            tokens = [BASE_OF_GERUND[tokens[1]], *tokens[2:]]
            of_paper = False
        else:
            yield from _copular(" ".join(tokens[1:]), weight)
            return
    verb, past, tokens = _verb(tokens, of_paper=of_paper)
    if len(tokens) > 3 and tokens[0].strip(",").endswith("ly") and tokens[1] in ("a", "an", "the", "that", "how"):
        tokens = tokens[1:]
    if len(tokens) > 2 and tokens[0] == "and" and _verb(tokens[1:], of_paper=of_paper)[0]:
        tokens = _verb(tokens[1:], of_paper=of_paper)[2]
    if not verb or not tokens:
        return
    rest = " ".join(tokens)
    if verb == "make" and rest.startswith("use of "):
        verb, rest = "use", rest.removeprefix("use of ")
    if verb.endswith(" to") and verb not in ("turn to", "contribute to"):
        if tokens[0] not in VERBS or len(tokens) < 2:
            return
        verb, rest, weight = f"{verb} {tokens[0]}", " ".join(tokens[1:]), weight - 0.2
    yield from _said(verb, rest, weight, past=past, of_paper=of_paper)


def _said(verb: str, rest: str, weight: float, *, past: bool, of_paper: bool) -> Iterator[Statement]:
    head = verb.split()[0]
    stated = re.match(r"(?:out )?that,? (.+)", rest)
    if head in CLAIM and stated:
        yield from claim(verb, stated[1], weight, past=past, of_paper=of_paper)
    elif head in ("show", "prove", "find", "argue", "observe", "conclude", "demonstrate", "conjecture") and _is_clause(
        rest
    ):
        yield from claim(head, rest, weight - 0.2, past=past, of_paper=of_paper)
    elif _QUESTION.match(rest):
        rest = re.sub(r"^if ", "whether ", rest)
        yield from complement("question", verb, rest, weight + verb_weight(verb) - 0.3, past=past, of_paper=of_paper)
    elif rest.split()[0].strip(",") not in _NOT_AN_OBJECT:
        yield from complement("object", verb, rest, weight + verb_weight(verb), past=past, of_paper=of_paper)


def _verb(tokens: list[str], *, of_paper: bool) -> tuple[str, bool, list[str]]:
    """(base form with its particle, whether it stood in the past, the words after it); "" if unknown."""
    past = False
    if tokens[0] in ("have", "has") and len(tokens) > 1:
        tokens = tokens[2:] if _is_adverb(tokens[1]) else tokens[1:]
        base = BASE_OF_PARTICIPLE.get(tokens[0], "") if tokens else ""
    elif of_paper and tokens[0] in BASE_OF_THIRD:
        base = BASE_OF_THIRD[tokens[0]]
    elif tokens[0] in VERBS:
        base = tokens[0]
    else:
        past = tokens[0] in BASE_OF_PAST
        again = tokens[0].removeprefix("re-")
        if again in VERBS and not of_paper and again != tokens[0]:
            return tokens[0], False, tokens[1:]
        base = BASE_OF_PAST.get(tokens[0]) or _unlisted(tokens, of_paper=of_paper)
    after = " ".join(tokens[1:])
    for particle in _PARTICLES.get(base, ()):
        if after.startswith(particle + " "):
            short = particle if particle == "out to" else particle.split()[-1]
            return f"{base} {short}", past, after[len(particle) + 1 :].split()
    return ("", False, []) if not base or base in _WANT_PARTICLE else (base, past, tokens[1:])


def _unlisted(tokens: list[str], *, of_paper: bool) -> str:
    """The base of a verb that no list has, known by the object that follows it."""
    word = tokens[0]
    if not word.isalpha() or not word.islower() or word in STOPWORDS | AUXILIARIES or len(tokens) < 3:
        return ""
    if tokens[1] not in ("a", "an", "the", "how", "several", "two", "three", "some"):
        return ""
    if of_paper:
        return base_of_third(word) if word.endswith("s") else ""
    return "" if word.endswith(("s", "ed", "ing", "ly")) and not word.endswith("ss") else word


def _copular(rest: str, weight: float) -> Iterator[Statement]:
    for pattern, verb in _COPULAR:
        if match := pattern.match(rest):
            yield from complement("object", verb, match.group(1), weight + 0.4)
            return


# That a method beats others says nothing of what it is.
_OWN_PRAISE = re.compile(
    r"(?:our|their|the|this)(?: \w+)? (?:methods?|models?|approach(?:es)?|frameworks?|algorithms?|systems?|networks?|solutions?)(?: \w+ly)?"
    r" (?:out|achiev|perform|obtain|improv|surpass|yield|beat|gain|exceed|is|are)"
)


def claim(verb: str, rest: str, weight: float, *, past: bool = False, of_paper: bool = False) -> Iterator[Statement]:
    """The statement that `rest` holds; none if `verb` does not state."""
    if _OWN_PRAISE.match(rest):
        weight -= 1.0
    if verb.split()[0] in CLAIM or verb in ("indicate", "believe"):
        yield from complement("claim", verb, rest, weight + 0.1, past=past, of_paper=of_paper)


def complement(
    kind: Kind, verb: str, rest: str, weight: float, *, past: bool = False, of_paper: bool = False
) -> Iterator[Statement]:
    """The statement with `rest` as what the verb says, in the third person; none if that is not safe."""
    text = re.sub(r"^(\S+(?: \S+)?): (?=(?:an?|the) )", r"\1, ", rest.strip().rstrip(",;:"))
    text = re.split(r"; | [—–] | - (?=[a-z])|: (?=[a-z(])", text)[0]
    text = _NEXT_CLAUSE.split(text)[0]
    text = _TO_THIS_END.sub("", text)
    changed = third_person_text(text)
    if not past:
        changed = _with_marked_verbs(changed, of_paper=of_paper)
    if not changed:
        return
    if _DEFINITE.search(changed):
        weight -= 1.2
    if _LEANS.match(changed):
        weight -= 0.9
    if kind == "object" and re.search(r"\bexperiment|\bevaluat|numerical|simulations?\b", changed.split(",")[0]):
        weight -= 0.4
    if _MINOR.match(changed) or _CODE.search(changed.split(",")[0]):
        weight -= 1.0
    refers = bool(re.search(r"\b(?:they|their|them|theirs)\b", changed)) and changed != text
    yield Statement(kind, verb, changed, weight, past=past, refers=refers)


_SURE_VERBS = frozenset("show prove demonstrate present propose introduce discuss describe derive provide give".split())
_OBJECT_STARTS = frozenset("a an the that how their its them it several two new some".split())
_SUBORDINATE = re.compile(
    r"\b(?:to|that|which|who|how|whether|where|can|could|may|will|would|must|should|not|by|when)\b"
)
_UNSURE = "\ue012"


def _with_marked_verbs(text: str, *, of_paper: bool) -> str:
    """Mark further verbs whose subject is the authors; the text ends before one of which that cannot be told."""

    def mark(match: re.Match[str]) -> str:
        word = match["verb"]
        follows = text[match.end() :].split()[:1]
        starts_object = bool(follows) and follows[0] in _OBJECT_STARTS
        base = BASE_OF_THIRD.get(word) if of_paper else (word if word in VERBS else None)
        if base is None and starts_object and match["before"].lstrip(", ").startswith("and"):
            base = _unlisted([word, follows[0], ""], of_paper=of_paper)
        if not base:
            return match.group()
        if (
            follows
            and follows[0] in ("on", "in", "with", "for", "through", "by", "using", "as", "at", "from")
            and base not in _WANT_PARTICLE
        ):
            return match.group() + _UNSURE
        if base in AMBIGUOUS and not starts_object:
            return match.group()
        if _SUBORDINATE.search(text[: match.start()]) and not (base in _SURE_VERBS and starts_object and not of_paper):
            # "a method that learns X and shows Y": whose verb is the second?
            return match.group() + (_UNSURE if of_paper else "")
        return f"{match['before']}\ue010{base}\ue011"

    marked = re.sub(
        r"(?P<before>(?:, and|, then|,| and)(?: then| also| further| finally| \w+ly)? )(?P<verb>[a-z]+)\b", mark, text
    )
    if _UNSURE not in marked:
        return marked
    return re.sub(r"(?:,? and|,)(?: \w+)? \w+$", "", marked[: marked.index(_UNSURE)])


def _is_adverb(token: str) -> bool:
    word = token.strip(",")
    return (
        word in _ADVERBS
        or word == "recently"
        or (word.endswith("ly") and word not in _NOT_ADVERBS and word not in VERBS)
    )


def _is_clause(text: str) -> bool:
    """Whether a statement without "that" follows: a finite verb before any relative pronoun."""
    for token in text.split()[:14]:
        word = token.strip(",").lower()
        if word in ("that", "which", "who", "how", "whether", "where", "when", "if", "while", "whose"):
            return False
        if word in AUXILIARIES:
            return True
    return False


_TOPICAL = frozenset(
    """study investigate examine address tackle consider survey review analyze analyse explore discuss focus extend
    generalize generalise deal""".split()
)


def verb_weight(verb: str) -> float:
    """How much a verb promises to tell of what the paper contributes."""
    head = verb.split()[0]
    if verb in ("propose", "introduce", "present", "develop"):
        return 1.0
    if head in CREATE or head in _TOPICAL or verb.startswith("are concerned"):
        return 0.7
    if head in RESULT:
        return 0.3
    if head in STUDY:
        return 0.2
    return -1.5 if head in ("start", "begin", "need", "take", "set") else -0.6
