"""What a paper's abstract says of the paper's own contribution, as parts from which a sentence can be made."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from citeplug.records.paper import Paper
from citeplug.write.attribution import words
from citeplug.write.lexicon import (
    AMBIGUOUS,
    AUXILIARIES,
    BASE_OF_PARTICIPLE,
    BASE_OF_PAST,
    BASE_OF_THIRD,
    CLAIM,
    CREATE,
    NEGATIONS,
    PRODUCTS,
    RESULT,
    STOPWORDS,
    STUDY,
    VERBS,
)
from citeplug.write.person import PAPER_NOUN, points_outside, third_person_text
from citeplug.write.plaintext import plain_text
from citeplug.write.sentences import split_sentences

Kind = Literal["object", "claim", "question", "method", "named"]

# A verb that must agree with the paper's authors stands between these two.
SLOT = re.compile("\ue010([^\ue011]*)\ue011")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that an abstract says of its paper.

    `object`: the authors `verb` `text`, a noun phrase. `claim`: they `verb` that `text`. `question`: they
    `verb` `text`, which begins with how, whether, ... `method`: `verb` is a noun phrase ("method") of theirs,
    `text` its predicate. `named`: `verb` is a name, `text` what it is said to be.
    `verb` is a base form, perhaps with a particle; `past` says that it stands in the past. Further verbs
    of the authors in `text` are marked (`SLOT`). `front` is an adverbial that opens the sentence. `start`
    and `end` are places in the abstract with white space collapsed, `source` the plain text found there.
    `weight`: how much of the contribution it tells; larger is better. `refers`: needs the authors named.
    """

    kind: Kind
    verb: str
    text: str
    start: int
    end: int
    source: str
    weight: float
    front: str = ""
    past: bool = False
    refers: bool = False


_WE = re.compile(r"\b(?:[Ww]e|I|[Tt]he (?:present )?authors?|[Aa]uthors) (?=[a-z])")
_PAPER = re.compile(
    r"\b(?:[Tt]his|[Tt]he present|[Oo]ur|[Tt]he current|[Tt]he|[Tt]he proposed|[Pp]resent) (?:\w+ )?"
    + PAPER_NOUN
    + r" (?=[a-z])"
)
_AIM = re.compile(
    r"\b(?:[Tt]he|[Oo]ur|[Oo]ne|[Aa]n?) (?:\w+ )?(?:aim|goal|purpose|objective|intention|intent|object) (?:of (?:this|the present|our|the) "
    r"(?:\w+ )?" + PAPER_NOUN + r"|here)? ?(?:is|was) to (?P<rest>.+)"
)
_IT_IS = re.compile(
    r"^(?:and )?[Ii]t (?:is|was|has been) (?:also |then |further |moreover |first |finally |\w+ly )?(?P<verb>\w+)(?P<out> out)?,? that (?P<rest>.+)"
)
_RESULTS = re.compile(
    r"(?:^|, )(?:(?:[Tt]he|[Oo]ur|[Tt]hese|[Ee]xtensive|[Nn]umerical|[Ee]xperimental|[Ss]imulation|[Ee]mpirical|[Tt]heoretical)\s+)"
    r"(?:\w+ ){0,3}(?:results|experiments|simulations|analysis|findings|evaluation|evaluations|calculations|study|studies|examples|tests)"
    r" (?:\w+ly |also |further )?(?P<verb>show|shows|demonstrate|demonstrates|suggest|suggests|indicate|indicates|reveal|reveals|confirm|confirms) that (?P<rest>.+)"
)
_PASSIVE = re.compile(
    r"^(?P<subject>.+?) (?P<aux>is|are|was|were|has been|have been) (?P<adverb>(?:also|then|further|first|here|\w+ly) )?(?P<verb>[a-z]+)(?P<rest>(?:[ ,].*)?)$"
)
_OURS = re.compile(
    r"^(?:[Oo]ur|[Tt]he (?:newly )?(?:proposed|developed|presented|introduced|resulting|new)) (?P<noun>(?:[\w-]+ ){0,3}?[\w-]+) (?:also |then |\w+ly )?(?P<verb>[a-z]+) (?P<rest>.+)$"
)

_OPENERS = re.compile(
    r"^(?:(?:[Hh]owever|[Tt]herefore|[Tt]hus|[Hh]ence|[Mm]oreover|[Ff]urthermore|[Ii]n addition|[Aa]dditionally|[Ff]inally|"
    r"[Ss]pecifically|[Ii]n particular|[Mm]ore (?:specifically|precisely|generally|concretely)|[Cc]onsequently|[Aa]ccordingly|[Aa]lso|[Hh]ere|[Ff]irst(?:ly)?|"
    r"[Ss]econd(?:ly)?|[Tt]hird(?:ly)?|[Ll]ast(?:ly)?|[Tt]hen|[Nn]ext|[Nn]ow|[Ii]n contrast|[Bb]y contrast|[Oo]n the other hand|[Ii]nstead|"
    r"[Ii]n fact|[Ii]ndeed|[Ii]n detail|[Ss]imilarly|[Ll]ikewise|[Mm]eanwhile|[Ii]n summary|[Ii]n short|[Oo]verall|[Tt]o sum up|[Ii]n conclusion|"
    r"[Tt]o (?:this|that) end|[Ii]n (?:this|that) (?:direction|respect|regard|vein|spirit|context|sense|way)|[Ff]or (?:this|that) purpose|"
    r"[Aa]s a (?:result|consequence|first step|by-product|byproduct|case study|proof of concept|corollary)|[Tt]o (?:our|the best of our) (?:best )?knowledge|"
    r"[Ff]or the first time|[Bb]riefly|[Tt]o begin with|[Ii]n a nutshell|[Nn]amely|[Aa]nd|[Bb]ut|[Ss]o|[Aa]fter that|[Ii]n this case|[Mm]otivated by this(?: \w+)?|"
    r"[Tt]o (?:address|overcome|solve|tackle|remedy|mitigate|alleviate|fill|bridge|meet|resolve|achieve|handle|cope with|deal with|do) (?:this|these|that|those|such|the above|it|so)\b[^,]*|"
    r"[Ii]n (?:this|the present|our|the current) (?:\w+ )?" + PAPER_NOUN + r"),?\s+)+"
)
_CONDITION = re.compile(
    r"^(?:[Ii]f|[Ww]hen|[Uu]nder|[Aa]ssuming|[Gg]iven|[Ss]uppose|[Pp]rovided|[Uu]nless|[Ww]henever|[Ff]or|[Ww]ith|[Ii]n the|[Ii]n case|[Aa]s|[Ww]here|[Aa]t|[Oo]nly)\b"
)
_KEPT_FRONT = re.compile(
    r"^(?:[Ff]or|[Tt]o|[Bb]y|[Uu]sing|[Bb]ased on|[Bb]uilding on|[Mm]otivated by|[Ii]nspired by|[Ss]tarting from|[Ff]rom|[Vv]ia|[Ww]ithin|[Uu]nder|"
    r"[Cc]ombining|[Ee]xploiting|[Ll]everaging|[Ff]ollowing|[Rr]ather than|[Ii]nstead of|[Ww]ith|[Ii]n|[Oo]n|[Aa]ssuming|[Uu]nlike)\b"
)
_ADVERBS = frozenset(
    """also then first here thus therefore hence next further finally instead now moreover furthermore additionally
    again both secondly still even explicitly""".split()
)
_NOT_ADVERBS = frozenset("apply rely supply multiply imply comply reply only rarely hardly nearly".split())
_PARTICLES: dict[str, tuple[str, ...]] = {
    "focus": (
        "on",
        "our attention on",
        "attention on",
        "primarily on",
        "mainly on",
        "here on",
        "specifically on",
        "particularly on",
    ),
    "concentrate": ("on", "our attention on"),
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
    "set": ("up", "out to"),
    "aim": ("at", "to"),
    "seek": ("to",),
    "attempt": ("to",),
    "try": ("to",),
    "start": ("from",),
    "contribute": ("to",),
    "point": ("out",),
    "concern": ("",),
}
_MUST_HAVE_PARTICLE = frozenset(
    "focus concentrate deal look elaborate carry rely turn work comment put set aim attempt try point".split()
)
_QUESTION = re.compile(r"^(?:how|whether|why|what|when|which|to what extent|if|where)\b")
_DANGLING_DEFINITE = re.compile(
    r"\bthe (?:algorithms?|methods?|models?|approach|system|scheme|problem|technique|framework|paper|results?|theory|procedure|protocol|network|architecture|"
    r"formula|equations?|solutions?|analysis|data|dataset|theorem|construction|performance|tool|design|implementation|game|task|two|three|idea|concept)"
    r"(?=$|[,.;]| and\b| is\b| are\b| can\b| has\b| have\b| under\b| on\b| with\b| by\b| using\b| through\b| as\b)"
)


def find_statements(paper: Paper, commands: frozenset[str]) -> list[Statement]:
    """What the abstract says of its paper, most telling first; empty if nothing can be said with confidence.

    `commands`: what math may contain (`math_commands`).
    """
    return contribution_statements(paper.abstract, paper.title, commands)


def contribution_statements(abstract: str, title: str, commands: frozenset[str]) -> list[Statement]:
    """As `find_statements`, for any abstract with its white space collapsed."""
    found: list[Statement] = []
    topic = {word for word in words(title) if word not in STOPWORDS}
    places = split_sentences(abstract)
    for number, (start, end) in enumerate(places):
        plain = plain_text(abstract[start:end], commands)
        if plain is None or not _english(plain):
            continue
        cue = bool(
            re.search(r"\b(?:[Ii]n|[Tt]hroughout) (?:this|the present|our|the current) (?:\w+ )?" + PAPER_NOUN, plain)
        )
        for statement in _of_sentence(_tidy(plain), title, first=number == 0):
            shared = len(topic & set(words(statement.text + " " + statement.front + " " + statement.verb)))
            weight = statement.weight + (0.6 if cue else 0.0) + 1.5 * shared / max(4, len(topic))
            weight -= 0.05 * max(0, number - 1)
            found.append(replace(statement, start=start, end=end, source=plain, weight=weight))
    return sorted(found, key=lambda s: (-s.weight, s.start))


def _english(text: str) -> bool:
    said = words(text)
    return len(said) >= 4 and sum(word in STOPWORDS for word in said) >= 0.12 * len(said) and not _foreign(said)


def _foreign(said: list[str]) -> bool:
    return sum(word in _FOREIGN for word in said) >= 2


_FOREIGN = frozenset(
    "le la les des une dans nous est sont et du der die das und wir ein eine ist el los del una por que para il gli".split()
)


def _tidy(plain: str) -> str:
    """Without the final stop, asides and references to the literature."""
    text = plain.rstrip().rstrip(".!?").rstrip()
    pieces = re.split(r"(\$[^$]*\$)", text)
    for index in range(0, len(pieces), 2):
        piece = pieces[index]
        piece = re.sub(r"\s*\[[^\]]{0,40}\]", "", piece)
        for _ in range(2):
            piece = re.sub(r"(?<=[\s\w”])\s+\([^()]*\)(?=$|[\s,.;:)])", "", piece)
        pieces[index] = piece
    text = "".join(pieces)
    text = re.sub(r"\s+\([^()]*\)(?=$|[\s,.;:])", "", text)  # asides with math in them
    text = re.sub(r"\s*[—–]\s?[^—–]{3,}\s?[—–](?=\s)|\s+[-—–] [^—–]{3,} [-—–](?=\s)", "", text)
    text = re.sub(r"\s+,", ",", text)
    return " ".join(text.split())


def _of_sentence(text: str, title: str, *, first: bool) -> Iterator[Statement]:
    bare = _OPENERS.sub("", text)
    if match := _IT_IS.match(bare):
        yield from _claim(BASE_OF_PARTICIPLE.get(match["verb"], ""), match["rest"], 1.9, out=bool(match["out"]))
        return
    if match := _RESULTS.search(bare):
        yield from _claim(BASE_OF_THIRD.get(match["verb"], match["verb"]), match["rest"], 1.2)
        return
    if match := _AIM.search(bare):
        if match.start() < 4:
            yield from _predicate("aim to " + match["rest"], 2.3, singular=False)
        return
    if match := _WE.search(bare):
        front, usable, conditional = _lead(bare[: match.start()])
        if usable:
            for statement in _predicate(bare[match.end() :], 2.0, singular=False):
                if (conditional and statement.kind == "claim") or (conditional and statement.verb in RESULT and not front):
                    continue
                yield replace(statement, front=front)
            return
    if (match := _PAPER.search(bare)) and match.start() < 40:
        front, usable, conditional = _lead(bare[: match.start()])
        if usable and not conditional:
            for statement in _predicate(bare[match.end() :], 2.2, singular=True):
                yield replace(statement, front=front)
        return
    if match := _OURS.match(bare):
        yield from _method(match)
        return
    yield from _named(bare, title)
    yield from _passive(bare, cued=bare != text, first=first)


def _lead(lead: str) -> tuple[str, bool, bool]:
    """(what of it to keep, whether a main clause follows it, whether it restricts what follows)."""
    lead = lead.strip()
    bare = _OPENERS.sub("", lead + " ").strip().rstrip(",").strip()
    if not bare:
        return "", True, False
    conditional = bool(_CONDITION.match(bare))
    ends_clause = lead.endswith((",", ";", ":", ", and", ", so", " and", "—", "–")) or bool(
        re.search(r"[,;] (?:and|so|but|then|hence|thus|therefore|here)$", lead)
    )
    opens_with_adverbial = bool(_KEPT_FRONT.match(bare)) and not (set(words(bare)) & AUXILIARIES) and "," not in bare
    if not ends_clause and not (opens_with_adverbial and len(bare.split()) <= 12):
        return "", False, False
    if opens_with_adverbial and len(bare.split()) <= 14 and not lead.endswith(" and"):
        kept = third_person_text(bare)
        if kept and kept == bare and not points_outside(kept, before=99) and not _DANGLING_DEFINITE.search(kept):
            return kept, True, conditional
    return "", True, conditional


def _predicate(text: str, weight: float, *, singular: bool) -> Iterator[Statement]:
    """Statements from what follows "we" or, `singular`, "this paper"."""
    tokens = text.split()
    while tokens and _is_adverb(tokens[0]):
        weight -= (
            0.25 if tokens[0].strip(",") in ("also", "then", "further", "finally", "additionally", "next") else 0.0
        )
        tokens = tokens[1:]
    if tokens and tokens[0] in ("will", "shall"):
        tokens = tokens[1:]
    while tokens and _is_adverb(tokens[0]):
        tokens = tokens[1:]
    if not tokens:
        return
    if tokens[0] in ("is", "are", "was", "were"):
        yield from _copular(tokens, weight)
        return
    verb, was_past, tokens = _verb(tokens, singular)
    if not verb or not tokens:
        return
    if verb == "make" and tokens[:2] == ["use", "of"]:
        verb, tokens = "use", tokens[2:]
    while (
        tokens
        and tokens[0].endswith(("ly", "ly,"))
        and tokens[0].strip(",") not in _NOT_ADVERBS
        and len(tokens) > 3
        and tokens[0].strip(",") not in ("early", "family")
    ):
        tokens = tokens[1:]
    rest = " ".join(tokens)
    if verb in ("aim to", "seek to", "attempt to", "try to", "set out to"):
        inner = tokens[0]
        if inner not in VERBS:
            return
        verb, rest, weight = f"{verb} {inner}", " ".join(tokens[1:]), weight - 0.2
    elif verb == "aim at":
        return
    head = verb.split()[0]
    if head in CLAIM and rest.startswith(("that ", "out that ")):
        yield from _claim(
            head, rest.split("that ", 1)[1], weight, out=rest.startswith("out"), past=was_past, singular=singular
        )
    elif head in ("show", "prove", "find", "argue", "observe", "conclude", "demonstrate", "conjecture") and _is_clause(
        rest
    ):
        yield from _claim(head, rest, weight - 0.2, past=was_past, singular=singular)
    elif _QUESTION.match(rest):
        if rest.startswith("if "):
            rest = "whether " + rest[3:]
        yield from _complement("question", verb, rest, weight + _verb_weight(head) - 0.3, was_past, singular)
    elif rest.split()[0] not in ("to", "that", "as", "and", "by", "is", "are", "it", "from", "in", "of", "not"):
        yield from _complement("object", verb, rest, weight + _verb_weight(head), was_past, singular)


def _verb(tokens: list[str], singular: bool) -> tuple[str, bool, list[str]]:
    """(base form with its particle, whether it stood in the past, the words after it); "" if unknown."""
    word = tokens[0]
    was_past = False
    if word in ("have", "has") and len(tokens) > 1:
        rest = tokens[2:] if _is_adverb(tokens[1]) or tokens[1] == "recently" else tokens[1:]
        base = BASE_OF_PARTICIPLE.get(rest[0], "") if rest else ""
        tokens = rest
    elif singular and word in BASE_OF_THIRD:
        base = BASE_OF_THIRD[word]
    elif word in VERBS:
        base = word
    elif word in BASE_OF_PAST:
        base, was_past = BASE_OF_PAST[word], True
    else:
        base = "concern" if word == "concerns" else ""
    if not base:
        return "", False, []
    after = " ".join(tokens[1:])
    for particle in sorted(_PARTICLES.get(base, ()), key=len, reverse=True):
        if particle and after.startswith(particle + " "):
            return (
                f"{base} {particle.split()[-1] if particle != 'out to' else particle}",
                was_past,
                after[len(particle) + 1 :].split(),
            )
    if base in _MUST_HAVE_PARTICLE:
        return "", False, []
    return base, was_past, tokens[1:]


def _copular(tokens: list[str], weight: float) -> Iterator[Statement]:
    rest = " ".join(tokens[1:])
    for pattern, verb in (
        (r"(?:devoted|dedicated) to (?:the |a )?(?:study|investigation|analysis|examination) of (.+)", "study"),
        (r"(?:devoted|dedicated) to (.+)", "treat"),
        (r"(?:concerned|interested) (?:with|in) (.+)", "are concerned with"),
        (r"(?:a|an) (?:\w+ )?(?:survey|review|overview) (?:of|on) (.+)", "survey"),
        (r"(?:a|an) (?:\w+ )?introduction to (.+)", "give an introduction to"),
        (r"about (.+)", "write about"),
    ):
        if match := re.match(pattern, rest):
            yield from _complement("object", verb, match.group(1), weight + 0.4, False, False)
            return


def _claim(
    verb: str, rest: str, weight: float, *, out: bool = False, past: bool = False, singular: bool = False
) -> Iterator[Statement]:
    if out and verb == "point":
        verb = "point out"
    elif verb not in CLAIM and verb not in ("indicate", "believe"):
        return
    yield from _complement("claim", verb, rest, weight + 0.1, past, singular)


def _complement(kind: Kind, verb: str, rest: str, weight: float, was_past: bool, singular: bool) -> Iterator[Statement]:
    text = rest.strip().rstrip(",;:")
    text = re.split(r"; | [—–-] |: (?=[a-z(])", text)[0]
    # A second main clause of the authors' is another statement.
    text = re.split(
        r",? and (?:that )?(?:finally |then |also )?(?:we|in particular|this|it is|these)\b|, (?:but|so) we\b|, (?:where|which|that) we (?!call|term|name|dub|refer)",
        text,
    )[0]
    changed = third_person_text(text)
    if changed is None:
        return
    changed = _mark_verbs(changed, was_past, singular)
    if changed is None or points_outside(changed):
        return
    if _DANGLING_DEFINITE.search(changed):
        weight -= 0.8
    if re.search(r"\bexperiment|\bevaluat|numerical|simulations?\b", changed.split(",")[0]) and kind == "object":
        weight -= 0.4
    if re.match(
        r"(?:some|an?) (?:numerical |experimental |illustrative |simple )?(?:examples?|applications?|experiments?|evaluation|comparison)|the (?:performance|effectiveness|efficacy|usefulness|feasibility|results)",
        changed,
    ):
        weight -= 0.9
    refers = bool(re.search(r"\b(?:they|their|them|theirs)\b", changed)) and changed != text
    yield Statement(kind, verb, changed, 0, 0, "", weight, past=was_past, refers=refers)


def _mark_verbs(text: str, was_past: bool, singular: bool) -> str | None:
    """Mark further verbs whose subject is the authors; None if it cannot be told whether they are."""
    if was_past:
        return text

    def mark(match: re.Match[str]) -> str:
        word = match["verb"]
        base = BASE_OF_THIRD.get(word) if singular else (word if word in VERBS else None)
        if base is None:
            return match.group()
        follows = text[match.end() :].split()[:1]
        is_verb = base not in AMBIGUOUS or (
            follows and follows[0] in ("a", "an", "the", "that", "how", "their", "its", "them", "it", "several", "two")
        )
        subordinate = re.search(
            r"\b(?:to|that|which|who|how|whether|where|can|could|may|will|would|must|should|not)\b",
            text[: match.start()],
        )
        if not is_verb or subordinate:
            return match.group() if is_verb is False or not singular else match.group() + "\ue012"
        return f"{match['before']}\ue010{base}\ue011"

    marked = re.sub(
        r"(?P<before>(?:, and|, then|,| and)(?: then| also| further| finally| \w+ly)? )(?P<verb>[a-z]+)\b", mark, text
    )
    if "\ue012" in marked:  # "a method that learns X and shows Y": whose verb is the second?
        cut = marked[: marked.index("\ue012")]
        cut = re.sub(r"(?:,? and|,)(?: \w+)? \w+$", "", cut)
        return cut if len(cut.split()) >= 4 else None
    return marked


def _method(match: re.Match[str]) -> Iterator[Statement]:
    noun, verb, rest = match["noun"], match["verb"], match["rest"]
    head = noun.split()[-1]
    if head not in PRODUCTS or set(noun.split()) & STOPWORDS:
        return
    if not (
        verb in AUXILIARIES
        or (verb.endswith("s") and not head.endswith("s"))
        or (head.endswith("s") and not verb.endswith("s"))
    ):
        return
    if verb in ("and", "or", "which", "that", "for", "of", "on", "in", "with", "based", "using") or verb.endswith(
        ("ed", "ing")
    ):
        return
    text = third_person_text(f"{verb} {rest}")
    if text is None or points_outside(text, before=4):
        return
    yield Statement("method", noun, text, 0, 0, "", 1.3, refers="their" in text)


def _named(text: str, title: str) -> Iterator[Statement]:
    """ "NAME is a ..." where the title carries the name."""
    match = re.match(r"^(?P<name>(?:[A-Z][\w+/-]*)(?: [A-Z][\w+/-]*){0,2}) (?:is|are) (?P<rest>(?:an?|the) .+)$", text)
    if not match or not re.match(r"(?:.{0,40}[:(-] ?)?" + re.escape(match["name"]) + r"\s*[:(,-]", title + " ("):
        return
    rest = third_person_text(match["rest"].split("; ")[0])
    if rest and not points_outside(rest):
        yield Statement("named", match["name"], rest, 0, 0, "", 2.4, refers="their" in rest)


_PASSIVE_SURE = frozenset(
    """propose present introduce study investigate discuss analyze analyse calculate compute examine review construct
    prove derive explore formulate outline report survey describe develop demonstrate address evaluate compare""".split()
)
_BACKGROUND = re.compile(
    r"^(?:in recent years|recently|many|most|several|various|traditionally|currently|existing|previous|a (?:lot|number) of|much|often|today|there|it|some authors)\b",
    re.IGNORECASE,
)


def _passive(text: str, *, cued: bool, first: bool) -> Iterator[Statement]:
    match = _PASSIVE.match(text)
    if not match:
        return
    subject, rest = match["subject"], match["rest"].strip(" ,")
    verb = BASE_OF_PARTICIPLE.get(match["verb"], "")
    if not verb or verb not in CREATE | STUDY | RESULT or _BACKGROUND.match(subject):
        return
    if match["aux"] in ("has been", "have been", "was", "were") and not cued and match["aux"].endswith("been"):
        return
    if verb not in _PASSIVE_SURE and not cued:
        return
    if (match["adverb"] or "").strip() in (
        "often",
        "usually",
        "widely",
        "commonly",
        "typically",
        "generally",
        "frequently",
        "only",
        "rarely",
        "traditionally",
        "normally",
    ):
        return
    if re.search(r"\b(?:that|which|who|if|when|because|although|while|since|where|how)\b", subject) or set(
        words(subject)
    ) & (AUXILIARIES | NEGATIONS):
        return
    if re.match(r"(?:by (?!\w+ing\b)|to be\b|as\b|one of|that\b|out\b|on\b|to\b)", rest) or len(subject.split()) > 22:
        return
    rest = re.split(r",? and (?=[^,]* (?:is|are|was|were)\b)|; |, (?:while|whereas|but|and)\b", rest)[0]
    adjunct = ""
    if re.match(r"(?:for|using|based on|in|on|from|under|via|with|within|which|at|over|by \w+ing|through|of)\b", rest):
        adjunct = rest
    front = ""
    if "," in subject:
        head, _, tail = subject.rpartition(", ")
        if _KEPT_FRONT.match(head) and "," not in head and len(head.split()) <= 12:
            front, subject = head, tail
        elif not re.search(r",? and |, \w+ing |, an? ", subject):
            return
    lowered = lower_first(subject)
    phrase = f"{lowered} {adjunct}".strip()
    if front and (points_outside(front, before=99) or third_person_text(front) != front):
        return
    for statement in _complement(
        "object",
        verb,
        phrase,
        (1.6 if cued else 1.1) + _verb_weight(verb) - (0.4 if first and not cued else 0),
        False,
        False,
    ):
        yield replace(statement, front=front)


def lower_first(text: str) -> str:
    """The text with its first letter small, unless it seems to be a name, an acronym or a symbol."""
    head = text.split(" ", 1)[0]
    if not head[:1].isupper() or (not head[1:].islower() and len(head) > 1):
        return text
    if head.lower() in STOPWORDS or _looks_common(head.lower()):
        return text[0].lower() + text[1:]
    return text


_COMMON_ENDINGS = (
    "tion", "tions", "sion", "sions", "ment", "ments", "ness", "ity", "ities", "ing", "ings", "ive", "ical", "ous", "able", "ible", "ance", "ence",
    "ship", "ism", "ogy", "ics", "graphy", "ual", "ial", "ional", "ary", "less", "ful", "wise", "ly", "ated", "ized", "ised", "sis", "ics", "ory",
)  # fmt: skip
_COMMON_WORDS = frozenset(
    """deep large small graph graphs neural network networks data model models system systems machine image images text
    wave waves field fields string strings gauge quantum black white high low fast new novel bounds bound upper lower
    exact general special sparse dense linear random finite infinite local global open closed mass heavy light
    results methods algorithms techniques formulas formulae properties effects aspects examples conditions
    supersymmetric topological dynamic dynamical static effective classical modern recent semi weak strong
    online offline mobile wireless cloud web software hardware source code user users human social game games time
    space type types order energy matter color colour state states point points line lines word words speech
    video object objects feature features test tests tree trees set sets group groups matrix matrices vector vectors
    tensor kernel kernels cluster clusters problem problems theory theories part parts use work case cases""".split()
)


def _looks_common(word: str) -> bool:
    return (
        word in VERBS or word in _COMMON_WORDS or word in PRODUCTS or (len(word) > 6 and word.endswith(_COMMON_ENDINGS))
    )


def _is_adverb(token: str) -> bool:
    word = token.strip(",")
    return word in _ADVERBS or (word.endswith("ly") and word not in _NOT_ADVERBS)


def _is_clause(text: str) -> bool:
    """Whether a statement without "that" follows: a finite verb before any relative pronoun."""
    for token in text.split()[:14]:
        word = token.strip(",").lower()
        if word in ("that", "which", "who", "how", "whether", "where", "of", "for", "to"):
            return word in ("of", "for") and _is_clause_after(text)
        if word in AUXILIARIES:
            return True
    return False


def _is_clause_after(text: str) -> bool:
    match = re.match(r"(?:[\w-]+ ){1,4}(?:of|for) (?:[\w-]+ ){1,4}(?:is|are|can|has|have|cannot)\b", text)
    return match is not None


def _verb_weight(verb: str) -> float:
    if verb in ("propose", "introduce", "present", "develop"):
        return 1.0
    if verb in CREATE:
        return 0.7
    if verb in (
        "study",
        "investigate",
        "examine",
        "address",
        "tackle",
        "consider",
        "survey",
        "review",
        "analyze",
        "analyse",
        "explore",
        "discuss",
        "focus",
        "extend",
        "generalize",
        "deal",
        "are",
    ):
        return 0.7
    if verb in RESULT:
        return 0.3
    if verb in STUDY:
        return 0.2
    return -0.4
