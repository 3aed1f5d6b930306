"""A sentence read as what its authors do: a verb that fits them, and what follows it, whole."""

import re
from dataclasses import dataclass

from citeplug.records.passage import Passage
from citeplug.related.write.extractive.wording import PAPER_NOUN, leans_outside
from citeplug.text.cited_text import words
from citeplug.text.inflection import BASE_OF_PARTICIPLE, BASE_OF_PAST, BASE_OF_THIRD, participle, past, third_person
from citeplug.text.letters import capital, lower_first
from citeplug.text.lexicon import DOINGS, VERBS
from citeplug.text.stop_words import STOPWORDS


@dataclass(frozen=True, slots=True)
class Contribution:
    """A contribution that authors state, in their own words.

    `verb` fits the authors, with what belongs to it ("propose", "has shown", "show that"); `said` is what follows it in
    the source, as plain text without its stop, and `front` what stands before the subject. `own` is the sentence as its
    authors say it, with the connectives at its front left out.
    `by_paper`: the sentence says that it is on this paper; `is_clause`: `said` is a clause and no object; `titled`: the
    title must stand before it, to say what it is on; `is_side`: the authors spoke of their work before it, so that it
    may be a side matter, or lean on that.
    `start` and `end` are the sentence's place in the abstract, or in the `passage` that it is from, code points,
    half-open. `joints` are the places in `said` of what joins a further verb of the authors' to what stands before, each
    with the words that fit the authors: ", and proposes" for ", and we propose". `thing` is what the authors made, by its
    noun or its name, if that and not the authors does what is told.
    """

    verb: str
    said: str
    front: str
    own: str
    start: int
    end: int
    weight: float
    by_paper: bool
    is_clause: bool = False
    titled: bool = False
    is_side: bool = False
    passage: Passage | None = None
    joints: tuple[tuple[int, int, str], ...] = ()
    thing: str = ""

    @property
    def makes(self) -> bool:
        """True if it says what its authors made."""
        return not (self.is_clause or self.thing) and any(_DEED.get(word) in MAKE for word in self.verb.split())

    @property
    def finds(self) -> bool:
        """True if it says what its authors found."""
        return self.is_clause and any(_DEED.get(word) in _FIND for word in self.verb.split())

    @property
    def looks(self) -> bool:
        """True if it says what its authors looked at, and not what they made or found."""
        return not (self.makes or self.finds) and any(_DEED.get(w) in _STUDY | _LOOKED_AT for w in self.verb.split())

    def follows(self, done: frozenset[str]) -> bool:
        """Return True if the main thing was said before: by `done`, the verbs of which the authors were the subject.

        For a sentence on what they made, that is making or finding something, for others any verb: where authors only
        looked at something, what they then make of it is the main thing.
        """
        return bool(done & (MAKE | _FIND) if self.makes else done)

    def repeats(self, other: "Contribution") -> bool:
        """Return True if it is the same sentence, or says half of what it says in the words of `other`."""
        mine = content_words(self.said)
        same = (self.passage, self.start) == (other.passage, other.start)
        return same or 2 * len(mine & content_words(other.said)) >= len(mine)

    def is_like(self, other: "Contribution") -> bool:
        """Return True if it says next to nothing but what `other` says, be it of another paper."""
        mine = content_words(self.said)
        return 5 * len(mine & content_words(other.said)) >= 4 * len(mine)


@dataclass(frozen=True, slots=True)
class Abstract:
    """The text of an abstract or of a paragraph; `plural`: its authors take a verb in the plural."""

    text: str
    title: str
    plural: bool
    is_draft: bool


# What a paper brings, what it finds, what it looks at; of other verbs the sentence says too little of the contribution.
MAKE = frozenset(
    "propose introduce present develop design devise construct build create formulate describe define implement".split()
)
_FIND = frozenset("show prove demonstrate find establish reveal derive identify obtain give provide argue".split())
_RESULT_FORMS = {
    f(verb): verb for verb in ("show", "demonstrate", "reveal", "establish", "prove") for f in (str, third_person, past)
}
_STUDY = frozenset(
    """study investigate examine analyze analyse explore compare evaluate extend generalize survey review characterize model
    apply adapt combine""".split()
)
# What is only begun, wished, seen or made use of.
_BEGUN = frozenset(
    """aim seek attempt try start begin point take assume consider turn hope ask conclude observe note use focus deal look
    rely illustrate need""".split()
)
# What authors only look at or aim at, and verbs of which the next word says what is done: "point out".
_LOOKED_AT = frozenset("consider observe focus aim seek".split())
_LIGHT = frozenset("make point put take carry go plan".split())
_ONLY_THAT = frozenset("show find reveal argue".split())  # "find an increase" is a step
STATING = MAKE | _FIND | _STUDY
_THIRD = "|".join(sorted(map(third_person, STATING)))

_CUE = re.compile(
    rf"^(?:In|Throughout|Within|With) (?:this|the present|our|the current|the) (?:[\w-]+ )?{PAPER_NOUN},? ",
    re.IGNORECASE,
)
_CUE_AFTER = re.compile(rf"^,? ?in (?:this|the present|our) (?:[\w-]+ )?{PAPER_NOUN},? ")
_CUE_AT_END = re.compile(rf",? in (?:this|the present|our) (?:[\w-]+ )?{PAPER_NOUN}$")
_OF_OURS = re.compile(r"\b(?:we|our|us|my|found|obtained|above|the)\b")
_LONG_FRONT = 8  # words
_SHORT_AIM = 5  # words: "To cut costs, in this paper"
_INTRODUCED = re.compile(r"(?<! is)(?<! are)(?<! was)(?<! were)(?<! been) \w+(?:ed|own)$")
_LABEL = re.compile(r"^(?:[A-Z][a-z]+|[A-Z]{5,})\s?[:.] ?(?=[A-Z])")
_CONNECTIVE = re.compile(
    r"^(?:Here|Herein|Specifically|In particular|More specifically|More precisely|To this end|To do so|"
    r"For this purpose|Therefore|Thus|Hence|Accordingly|Consequently|Moreover|Furthermore|In addition|Additionally|"
    r"First|Second|Third|Finally|Lastly),? "
    r"(?=we\b|I\b|this\b)",
)
# A purpose or a contrast restricts nothing.
_PURPOSE = re.compile(
    rf"^(?:To|In order to|While|Whereas|Although|Motivated by|Inspired by) [^;:$]{{3,200}}?, "
    rf"(?=(?:in this {PAPER_NOUN},? )?(?:we|I|this {PAPER_NOUN}) [a-z])"
)
# What a paper makes, it has made whatever stands before: of a finding that may be the condition.
_BEFORE_MAKING = re.compile(
    r"^[^.;:$]{3,160}?, "
    rf"(?=(?:we|I) (?:also )?(?:{'|'.join(sorted(MAKE))})\b|this {PAPER_NOUN} (?:{'|'.join(sorted(map(third_person, MAKE)))})\b)"
)
# So has it in the passive: "Considering the lanes beside it, a model is developed".
_BEFORE_PASSIVE = re.compile(
    r"^(?!(?:Recent|Previous|Tradition|Often|Usual|Typical|Common))[^.;:$]{3,160}?, "
    rf"(?=(?:an?|two|three) [^,.;:]{{20,250}} (?:is|are) (?:[a-z]+ly )?(?:{'|'.join(sorted(map(participle, MAKE)))})$)"
)
_FRONT = re.compile(
    r"^(?P<front>(?:Using|Based on|Building on|Inspired by|Motivated by|Drawing on|Under|Unlike|For|By \w+ing)\b"
    r"[^.;:,$]{3,60}(?<! them)(?<! it)(?<! this)(?<! these)), "
    r"(?=(?:we|I) )"
)
_SUBJECT = re.compile(
    rf"^(?P<who>[Ww]e|I|[Tt]he authors?|(?:[Tt]his|[Tt]he|[Tt]he present|[Tt]he current|[Oo]ur) (?:[\w-]+ )?{PAPER_NOUN})"
    r" (?P<also>also )?(?P<have>have )?(?P<adverb>[a-z]+ly )?(?P<verb>[a-z]+)"
    r"(?P<second> and (?:[a-z]+ly )?[a-z]+(?= ))?(?P<rest> .*)$"
)
_BY_AUTHORS = re.compile(
    rf"\b(?:[Ww]e|I|[Tt]he authors?|(?:[Tt]his|[Tt]he present|[Tt]he current|[Oo]ur) (?:[\w-]+ )?{PAPER_NOUN})"
    r"(?: (?:also|then|first|here|have|has|will|\w+ly))* (?P<verb>(?!we\b)[a-z]+)(?: and (?:[a-z]+ly )?(?P<second>[a-z]+))?"
)
_PASSIVE = re.compile(
    r"^(?P<article>An?|Two|Three)(?P<rest> [^.;:]{20,250}?) (?:is|was|are|were|has been|have been) "
    rf"(?P<verb>{'|'.join(sorted(map(participle, STATING)))})$"
)
# What begins otherwise may speak of what stands before it, or of nothing.
_BY_ITSELF = (
    r"^(?!(?:It|This|These|Those|They|Such|There|Here|Our|We|I|All|Both|Each|Many|Most|Some|In|On|By|For|With|As|To)\b)"
)
# "Exact solutions of heterotic string theory are described", but not "A protocol has recently been proposed by Bob".
_PASSIVE_ALONE = re.compile(
    rf"{_BY_ITSELF}(?P<said>[^,;:]{{20,200}}?)(?<! and) (?:(?:is|are) (?:[a-z]+ly )?"
    rf"(?P<verb>{'|'.join(sorted(map(participle, MAKE | _STUDY | {'obtain', 'derive', 'give'})))})"
    rf"|(?:was|were) (?P<done>{'|'.join(sorted(map(participle, _STUDY)))}))"
    r"(?: (?:in|for|by|within|using|through|and|with) [^;:]*)?$"
)
# "A parser is proposed to read logs": what it is for stands behind the verb, as it does behind "propose a parser".
_PASSIVE_ON = re.compile(
    rf"{_BY_ITSELF}(?P<said>[^,;:]{{12,200}}?)(?<! and) (?:is|are) (?:[a-z]+ly )?"
    rf"(?P<verb>{'|'.join(sorted(map(participle, MAKE | _STUDY | {'derive'})))})"
    r" (?P<lead>to|for|that|which|using|based on|by(?= \w+ing\b))(?P<on> (?![^;:]*(?:\band (?:is|are)\b|\b(?:is|are) (?:\w+ly )?\w+(?:ed|wn|en)$))[^;:]{10,250})$"
)
_CLAUSE_WITHIN = re.compile(r"\b(?:we|why|how|where|when|whether|if|because|while|is|are|was|were|has|have)\b")
# What is shown without saying by whom is shown by the authors.
_IT_IS_SHOWN = re.compile(rf"^[Ii]t is (?:[a-z]+ly )?(?P<verb>{'|'.join(sorted(map(participle, _FIND)))}) that ")
# So is what results show: "Our experiments on logs show that".
_RESULTS_SHOW = re.compile(
    r"^(?:(?:Our|The|These) (?:[\w-]+ ){0,2}|(?:Extensive|Numerical|Experimental|Simulation|Empirical|Theoretical) )?"
    r"(?:[Rr]esults?|[Ee]xperiments?|[Aa]nalys[ei]s|[Ss]imulations?|[Ff]indings?|[Ee]valuations?|[Ss]tudy|[Ii]nvestigations?)"
    r"(?: (?:on|with|for|of|in|using) [^,;:]{3,60}?)? (?:also |further |clearly )?"
    rf"(?P<verb>(?:{'|'.join(sorted(_RESULT_FORMS))})) that "
)
# "LogRead is a parser of logs", where the title begins with the name.
_NAMED = re.compile(r"^(?P<name>[\w+#-]+)(?: \([^()]*\))? is (?P<what>(?:an?|the) )")
_OFTEN = re.compile(
    r"\b(?:is|are) (?:often|usually|widely|commonly|frequently|typically|mainly|generally)\b|\b(?:that|which) (?:is|are)\b"
)
# Added behind a comma in the first person, and the sentence is whole without it: ", which allows us to read more logs".
_ASIDE = re.compile(r", (?:(?:in )?which|that|where) [^,;:]*\b(?:us|we|our)\b.*$")
_LEADS_UP = re.compile(
    r"(?:, (?:i\.e\.|where|given|since|because|if|when|while|whereas|in|for|by|using|with)|\bthat (?:when|if))\b"
    r"[^,]*(?:,[^,]*)?$"
)
_ADVERB = re.compile(r"^ (?P<adverb>here|forth|forward|[a-z]+ly)(?= (?:that|how|an?|the)\b)")
_BELONGS = re.compile(r"^ (?P<lead>that|how|what|which|whether|why|when|to what extent|if|on|with|to)\b(?!-)")
_FURTHER = re.compile(
    r"(?P<and>,? and|, but|, then|[,;])(?P<adverb> \w+ly| also| then| further)? (?P<verb>[a-z]{3,})"
    r"(?:(?P<lead> (?:that|how|whether)\b)|(?= (?:an?|the|its?|their|them|our|th[eo]se|this|several|some|two|three|new)\b))"
)
_TAKING = frozenset("use apply extend".split())  # "use that result"
_AND_THIRD = re.compile(rf"\band (?:\w+ly |also )?(?:{_THIRD})\b")
_OF_THING = re.compile(r"\b(?:to|can|may|will|that|which)\b")
_DEED = {form(verb): verb for verb in sorted(VERBS | DOINGS) for form in (third_person, past, str)}


def deeds(sentence: str) -> frozenset[str]:
    """The verbs, in their base form, of which a sentence says that its authors or their paper do them."""
    clauses = () if sentence.endswith("?") else _BY_AUTHORS.finditer(sentence)
    return frozenset(_DEED[verb] for clause in clauses for verb in clause.group("verb", "second") if verb in _DEED)


def without_label(sentence: str) -> str:
    """The sentence without the label of a structured abstract: "Results:"."""
    return _LABEL.sub("", sentence)


def read_statement(text: str, start: int, end: int, of: Abstract, *, any_verb: bool = False) -> Contribution | None:
    """The sentence as something that its authors do, its cue and connective left out.

    With `any_verb` that may be no contribution: what they only consider.
    """
    text = without_label(text)
    weight, own, front, text_cued, aim = 0.0, text, "", False, False
    for _ in range(2):
        if purpose := _PURPOSE.match(text):
            aim = aim or (purpose[0].startswith(("To ", "In order to ")) and len(purpose[0].split()) > _SHORT_AIM)
            own = text = text[purpose.end() :]
        if opened := _CUE.match(text):
            weight, text, text_cued = weight + 0.7, text[opened.end() :], True
        elif connective := _CONNECTIVE.match(text):
            weight -= 0.2
            own = text = text[connective.end() :]
    if at_end := _CUE_AT_END.search(text):
        weight, text = weight + 0.7, text[: at_end.start()]
        if _INTRODUCED.search(text):  # "a new analysis introduced in this paper"
            return None
    opening, before = (
        _FRONT.match(text[:1].upper() + text[1:]),
        _BEFORE_MAKING.match(text) or _BEFORE_PASSIVE.match(text),
    )
    if opening and (before is None or is_whole_front(opening["front"])):
        front, text = opening["front"], text[opening.end() :]
    elif before:
        own = text = text[before.end() :]
    joint: tuple[int, int, str] | None = None  # of what is told, in place of the verb that the authors now have
    if shown := _IT_IS_SHOWN.match(text):
        text = f"we {BASE_OF_PARTICIPLE[shown['verb']]} that {text[shown.end() :]}"
    elif not of.is_draft and (shown := _RESULTS_SHOW.match(text)):
        text = f"we {_RESULT_FORMS[shown['verb']]} that {text[shown.end() :]}"
    elif (passive := _PASSIVE.match(text[:1].upper() + text[1:])) and weight:
        text = f"we {BASE_OF_PARTICIPLE[passive['verb']]} {passive['article'].lower()}{passive['rest']}"
    elif (named := _NAMED.match(text)) and re.match(rf"{re.escape(named['name'])}(?::| [–—-])", of.title):
        joint = named.end("name"), named.start("what") - 1, ","
        text = f"we describe {text}"
    elif not (any_verb or _OFTEN.search(text)):
        small = frozenset(re.findall(r"\b[a-z]+\b", of.text))
        on, alone = _PASSIVE_ON.match(text), _PASSIVE_ALONE.match(text)
        if on and (done := _named_small(on["said"], small)) and (weight or re.match(r"(?:an?|two|three) ", done)):
            joint = len(done), len(done) + on.end("lead") - on.end("said"), f" {on['lead']}"
            text = f"we {BASE_OF_PARTICIPLE[on['verb']]} {done}{text[on.end('said') :]}"
        elif alone and (done := _named_small(alone["said"], small)):
            text = f"we {BASE_OF_PARTICIPLE[alone['verb'] or alone['done']]} {done}"
    match = _SUBJECT.match(text)
    if match is None:
        return None
    verb, rest = match["verb"], match["rest"]
    if cue := _CUE_AFTER.match(rest):
        weight, rest = weight + 0.7, " " + rest[cue.end() :].lstrip()
    by_paper = match["who"].lower() not in ("we", "i") and not match["who"].endswith("authors")
    base = _base(verb, by_paper=by_paper, participle=bool(match["have"]))
    if any_verb:
        base = _DEED.get(verb)
        base = None if base in _LIGHT | (_BEGUN - _LOOKED_AT) else base
    unchanged = of.is_draft or by_paper != of.plural
    # What is looked at to some end may be another matter than that.
    if base is None or (aim and base in _STUDY) or (by_paper and front) or (match["second"] and not unchanged):
        return None
    weight += 0.7 * by_paper - 0.6 * bool(match["also"])
    spoken = _agreeing(match, base, by_paper=by_paper, plural=of.plural)
    clause = _first_clause(_ASIDE.sub("", rest))
    if clause is None:
        return None
    rest = clause
    is_clause = False
    if adverb := _ADVERB.match(rest):
        spoken, rest = spoken + ("" if adverb["adverb"] == "here" else f" {adverb['adverb']}"), rest[adverb.end() :]
    if lead := _BELONGS.match(rest):
        spoken, rest, is_clause = f"{spoken} {lead['lead']}", rest[lead.end() :], lead["lead"] not in ("on", "with")
        weight += 2.8 if base in _FIND else 2.4 if base in STATING else 1.5
    elif base in _ONLY_THAT:
        return None
    else:
        weight += 3.0 if base in MAKE else 2.4 if base in STATING else 1.5
    cued = by_paper or at_end is not None or cue is not None or text_cued
    told = rest.strip()
    joints = _joints(told, verb, by_paper=by_paper, plural=of.plural)
    # Within a clause a further verb may be that of its subject.
    if joints is None or (is_clause and joints and not unchanged):
        return None
    joints = () if is_clause else joints
    if joint is not None:
        joints = joint, *joints
    own = capital(own) + "."
    return Contribution(spoken, told, front, own, start, end, weight, cued, is_clause, joints=joints)


def is_whole_front(front: str) -> bool:
    """Return True if what stands before the subject is brief, and of nothing that was said before it."""
    return len(front.split()) < _LONG_FRONT and not (_OF_OURS.search(front) or leans_outside(front))


def _named_small(told: str, small: frozenset[str]) -> str | None:
    """What stands at the head of a sentence as it would in the middle; None for what may be a name or not, or a clause."""
    lower = lower_first(told, small)
    return None if re.match(r"[A-Z][a-z]+\b", lower) or _CLAUSE_WITHIN.search(told) else lower


def _agreeing(match: re.Match[str], base: str, *, by_paper: bool, plural: bool) -> str:
    """The verb as it stands after the authors, with its adverb and its "have"."""
    have, verb = match["have"] or "", match["verb"]
    if plural:
        verb = base if by_paper else verb
    elif have:
        have = "has "
    elif verb == base:
        verb = third_person(verb)
    return f"{have}{match['adverb'] or ''}{verb}{match['second'] or ''}"


def _base(verb: str, *, by_paper: bool, participle: bool) -> str | None:
    """The verb of which this is a form that fits its subject, if it is one that states a contribution."""
    if by_paper:
        base = BASE_OF_THIRD.get(verb)
    else:
        base = BASE_OF_PARTICIPLE.get(verb) if participle else verb if verb in VERBS else BASE_OF_PAST.get(verb)
    return None if base in _BEGUN else base


def _first_clause(rest: str) -> str | None:
    """What follows the verb, up to a second clause with a subject of its own; None where the whole cannot be taken."""
    joint = re.search(r"(?:,|;|(?=,? and))(?: and| while| where)? (?:then |also |further )?we ", rest)
    if joint is None:
        return rest
    rest = rest[: joint.start()]
    # What leads up to the second clause stands with it: "where, in addition, we ...".
    return None if ":" in rest or _LEADS_UP.search(rest) else rest


def _joints(told: str, first: str, *, by_paper: bool, plural: bool) -> tuple[tuple[int, int, str], ...] | None:
    """The `joints` of what follows the `first` verb, as the source has it.

    A verb that may be the thing's is none of theirs: "a framework to analyse and compare the". None where that may be
    either, and does not fit the authors as it stands.
    """
    joints, start, unchanged = list[tuple[int, int, str]](), 0, by_paper != plural
    for match in _FURTHER.finditer(told):
        form, verb = match["verb"], _DEED.get(match["verb"])
        theirs = form.endswith("s") and form != verb if by_paper else (form == verb) == (first == _DEED.get(first))
        if not theirs and match["lead"] and verb is not None and not by_paper:
            return None  # "developed X, show that it reads logs": of two tenses
        if not theirs or (match["lead"] and verb in _TAKING):
            continue
        of_thing = not match["lead"] and _OF_THING.search(told[start : match.start()])
        if verb is not None and not of_thing:
            form = verb if by_paper and plural else third_person(verb) if form == verb and not plural else form
            joints.append(
                (match.start(), match.end(), f"{match['and']}{match['adverb'] or ''} {form}{match['lead'] or ''}")
            )
            start = match.end()
        elif not unchanged and (by_paper or verb is not None) and (not of_thing or match["and"].startswith(",")):
            return None
    # A verb without an article behind it may be a noun: "and presents corresponding parsers", "and designs for parsers".
    unsure = _AND_THIRD.search(told, start) if by_paper and plural else None
    return tuple(joints) if unsure is None else None


def content_words(text: str) -> frozenset[str]:
    return frozenset(words(text)) - STOPWORDS
