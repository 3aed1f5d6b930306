"""The sentences of an abstract that state its paper's contribution, each whole, as they can be reported of its authors."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from citeplug.records.paper import Paper
from citeplug.text.cited_text import words
from citeplug.text.inflection import BASE_OF_PARTICIPLE, BASE_OF_PAST, BASE_OF_THIRD, past, third_person
from citeplug.text.lexicon import BARE_PRODUCTS, CREATE, RESULT, STUDY, VERBS
from citeplug.text.sentences import split_sentences
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.pointers import PAPER_NOUN, leans_outside, starts_with_a_thing
from citeplug.write.extractive.wording import LONGEST, expansions, readable, unexplained_symbols

_LEAST_WEIGHT = 1.8
_MOST_SENTENCES = 40  # of an abstract that are looked at


@dataclass(frozen=True, slots=True)
class Contribution:
    """A contribution that authors state, in their own words.

    `subject` is "authors", or the plural noun of theirs that shows it ("experiments"). `verb` is in the plural, with
    what belongs to it ("propose", "have shown", "focus on", "show that"); `said` is what follows it in the source, as
    plain text without its stop, and `front` what stands before the subject. `own` is the sentence as its authors say
    it, with the connectives at its front left out. `long` holds what the abstract writes out for acronyms. `start` and
    `end` are the sentence's place in the abstract, code points, half-open. `part` says that `said` is one of two clauses.
    """

    subject: str
    verb: str
    said: str
    front: str
    own: str
    start: int
    end: int
    weight: float
    long: tuple[tuple[str, str], ...] = ()
    part: bool = False

    def repeats(self, other: "Contribution") -> bool:
        """Return True if it is the same sentence, or says half of what it says in the words of `other`."""
        mine = _content(self.said)
        return self.start == other.start or 2 * len(mine & _content(other.said)) >= len(mine)


_OPENINGS = "(?:[Ii]n|[Tt]hroughout|[Ww]ithin|[Ww]ith)"
_CUE = re.compile(rf"^{_OPENINGS} (?:this|the present|our|the current|the) (?:[\w-]+ )?{PAPER_NOUN},? ", re.IGNORECASE)
_CUE_AFTER = re.compile(rf"^,? ?in (?:this|the present|our) (?:[\w-]+ )?{PAPER_NOUN},? ")
_CUE_AT_END = re.compile(rf",? in (?:this|the present|our) (?:[\w-]+ )?{PAPER_NOUN}$")
_LABEL = re.compile(
    r"^(?:Results?|Motivations?|Background|Methods?|Conclusions?|Objectives?|Purpose|Aims?|Goals?|Summary|Introduction|"
    r"Design|Findings|Context|Approach|Discussion|Problem|Contributions?|Abstract|[A-Z]{5,})\s?[:.] ?(?=[A-Z])"
)
_CONNECTIVE = re.compile(
    r"^(?:Here|Herein|Specifically|In particular|More specifically|More precisely|Concretely|To this end|To that end|"
    r"To do so|For this purpose|Therefore|Thus|Hence|Accordingly|Consequently|As a result|Furthermore|Moreover|In addition|"
    r"Additionally|Finally|Lastly|Also|Inspired by this|Motivated by this|Based on this|"
    r"(?:To|In order to) (?:address|tackle|overcome|solve|remedy|alleviate|mitigate|resolve|fill|bridge|close|meet|handle) "
    r"(?:this|these|that|those|the above|such) (?:[\w-]+ ){0,3}[\w-]+),? (?=we\b|I\b|this\b|a\b|an\b|the\b)",
)
_LATE = re.compile(
    r"^(?:Furthermore|Moreover|In addition|Additionally|Finally|Lastly|Also|As a result|Consequently|Hence|Thus)\b"
)
_FRONT = re.compile(
    r"^(?P<front>(?:Using|Based on|Building on|Building upon|Inspired by|Motivated by|Drawing on|Leveraging|Exploiting|"
    r"Combining|Extending|Assuming|Under|Given|For|With|Within|From|By \w+ing|Unlike|Through|Via|As an? (?!example)|Instead of|"
    r"Rather than|To \w+)\b[^.;:]{3,110}?), (?=(?:we|I) )"
)
_ADVERB = r"(?:(?:[a-z]+ly|also|further|hereby|herein|here|thus|therefore|hence) )?"
# Of one's own work, or of what the abstract said before.
_OPEN_FRONT = re.compile(
    r"\b(?:we|our|us|I|my|found|obtained|above)\b|^(?:To \w+|Based on|Given|For|From) the\b", re.IGNORECASE
)
_WE = re.compile(
    rf"^(?:[Ww]e|I|[Tt]he authors?) (?P<adverb>{_ADVERB})(?P<have>have )?(?P<again>{_ADVERB})(?P<verb>[a-z]+)\b(?P<rest>.*)$"
)
_PAPER = re.compile(
    rf"^(?:[Tt]his|[Tt]he|[Tt]he present|[Tt]he current|[Oo]ur) (?:[\w-]+ )?{PAPER_NOUN} (?P<adverb>{_ADVERB})(?P<verb>[a-z]+)\b(?P<rest>.*)$"
)
_AIM = re.compile(
    rf"^(?:[Tt]he|[Oo]ur) (?:main |primary |overall )?(?:aim|goal|purpose|objective) of (?:this|the present|our) {PAPER_NOUN} is to (?P<rest>[a-z]+ .*)$"
)
_EVIDENCE = re.compile(
    r"^Our (?P<noun>(?:[\w-]+ ){0,2}(?:results|experiments|simulations|findings|experimental results|evaluations|analyses)) "
    r"(?P<verb>show|demonstrate|indicate|suggest|reveal|confirm|showed|demonstrated|indicated|suggested|revealed|confirmed) that (?P<rest>.*)$"
)
_IT_IS = re.compile(
    r"^[Ii]t is (?:also )?(?P<verb>shown|proved|proven|demonstrated|argued|found|observed) that (?P<rest>.*)$"
)
_PASSIVE = re.compile(
    r"^(?P<subject>[A-Z][^.;:]{8,200}?) (?:is|are|was|were) (?:also )?(?P<verb>proposed|presented|introduced|developed|described|investigated|"
    r"studied|considered|derived|analy[sz]ed|discussed|examined|constructed|given|reviewed|suggested|explored|addressed)$"
)
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|can|may|will|we|that|which|because|while|whereas|although)\b")
_BELONGS = re.compile(
    r"^ (?P<lead>(?:that|to (?:what|which) extent|how to|how|whether|why|when|where|what|if|on|upon|with|at|into|for|out|to|towards?)\b(?!-)(?: (?P<to>[a-z]+(?: that| how| whether)?)(?= ))?)"
)
_ORDER = re.compile(r"\b(?:we|I) (?:then|next|first|finally|now|start|begin)\b")
_TRIVIAL = re.compile(
    r"source code|publicly available|\bopen.sourced?\b|\bavailable (?:at|online|from|on|under)\b|supplementary|"
    r"future (?:work|research|directions|developments)|conclude (?:with|by)|this talk|open (?:problems|questions|issues)|"
    r"\b(?:several|some|various|possible|potential|more) (?:insights|applications|examples|implications|challenges|results|remarks|comments)\b|"
    r"\bour (?:own |proposed )?(?:results|settings|findings|code|recent|previous|earlier|ongoing)\b|effectiveness|different from (?:existing|previous)|relevant (?:published )?works?|shed (?:new )?light|"
    r"\b(?:state.of.the.art|superior|outperform)"
)
_HALF = re.compile(r"\b(?:not only|not just|on the one hand|firstly|first|\(?i\)|\(1\)|\(a\))(?=\W|$)", re.IGNORECASE)
_OTHER_HALF = re.compile(
    r"\b(?:but|also|on the other|second|secondly|\(?ii\)|\(2\)|\(b\)|then|time|order)(?=\W|$)", re.IGNORECASE
)
_COMPARATIVE = re.compile(r" an? (?:\w+ )?(?:faster|simpler|better|more \w+|improved|different)\b(?!.*\bthan\b)")
# Verbs that no noun looks like: after "and" they begin a finding of their own.
_SURE = frozenset(
    "show prove demonstrate provide propose introduce describe derive develop discuss evaluate analyze analyse".split()
)
_SURE |= frozenset(third_person(verb) for verb in _SURE) | frozenset(map(past, _SURE))
_WEAK = frozenset(
    """assume note take start begin try turn set put carry motivate release point look make use employ utilize utilise
    perform conduct train work give ask collect ignore discuss consider claim conjecture suggest argue hope believe expect
    run apply test validate evaluate measure report observe confirm verify illustrate document express write
    let know need want""".split()
)
_NEVER = frozenset(
    "assume note take start begin try turn put carry release point look make let know need want expect hope believe".split()
)


# The contribution of another paper, or one of several that the sentence does not name.
_EARLIER = re.compile(
    r"\b(?:(?:have|had|has) previously|our (?:prior|previous|earlier|recent)|in (?:prior|previous|earlier) (?:work|papers?)|"
    r"(?:we|paper) finally|the simpler one)\b",
    re.IGNORECASE,
)


def find_contributions(paper: Paper, packages: tuple[str, ...] = ()) -> list[Contribution]:
    """Contributions that the abstract states, the main one first; empty if nothing is certain.

    The abstract's white space is collapsed; `packages` are those of the document that prints its math.
    """
    return list(_contributions(paper.abstract, paper.title, packages))


@lru_cache(maxsize=4096)
def _contributions(abstract: str, title: str, packages: tuple[str, ...]) -> tuple[Contribution, ...]:
    topic = _content(title)
    found: list[Contribution] = []
    for number, (start, end) in enumerate(split_sentences(abstract)[:_MOST_SENTENCES]):
        text = readable(abstract[start:end], packages)
        if text is None or _EARLIER.search(text):
            continue
        told = _told(text.removesuffix("."), start, end)
        if told is None:
            continue
        spoken = f"{told.front} {told.said}".strip()
        long = expansions(spoken, abstract, title)
        if long is None or not _stands(told, spoken, topic):
            continue
        weight = (
            told.weight - 0.08 * number + 2.0 * len(_content(spoken) & topic) / max(4, len(topic)) - 0.3 * len(long)
        )
        weight -= 1.5 * bool(_TRIVIAL.search(spoken)) + 0.3 * bool(re.search(r"\bour\b", spoken))
        weight -= 0.5 * (len(spoken.split()) > 36)
        if weight >= _LEAST_WEIGHT:
            found.append(replace(told, weight=weight, long=tuple(long.items())))
    return tuple(sorted(found, key=lambda each: (-each.weight, each.start)))


def _told(text: str, start: int, end: int) -> Contribution | None:
    """The sentence as something that its authors do, its cue and connective left out."""
    text = _LABEL.sub("", text)
    weight, own = 0.0, text
    for _ in range(2):
        if cue := _CUE.match(text):
            weight, text = weight + 1.0, text[cue.end() :]
        elif connective := _CONNECTIVE.match(text):
            weight -= 0.8 if _LATE.match(text) else 0.0
            text = text[connective.end() :]
            own = text[0].upper() + text[1:]
    if at_end := _CUE_AT_END.search(text):
        weight, text = weight + 1.0, text[: at_end.start()]
    front = ""
    if opening := _FRONT.match(text[0].upper() + text[1:]):
        front = opening["front"]
        weight, text = weight - 0.4, text[opening.end() :]
    for read in (_by_authors, _by_paper, _by_evidence, _in_the_passive):
        told = read(text, Contribution("authors", "", "", front, own + ".", start, end, weight))
        if told is not None:
            return told
    return None


def _by_authors(text: str, frame: Contribution) -> Contribution | None:
    match = _WE.match(text)
    if not match or (match["again"] and match["adverb"]):
        return None
    verb, rest = match["verb"], match["rest"]
    base = verb if verb in VERBS else BASE_OF_PAST.get(verb)
    if match["have"]:
        base = BASE_OF_PARTICIPLE.get(verb, base) if verb not in VERBS else None
    if base is None:
        return None
    if cue := _CUE_AFTER.match(rest):
        frame, rest = replace(frame, weight=frame.weight + 1.0), " " + rest[cue.end() :].lstrip()
    adverb = match["adverb"] or match["again"]
    if adverb.strip() in ("also", "further"):
        frame = replace(frame, weight=frame.weight - 0.6)
    adverb = adverb if adverb.endswith("ly ") else ""
    tense = past if verb != base else None
    forms = frozenset(map(past, VERBS)) | {"showed"} if tense and not match["have"] else VERBS
    return _finish(frame, base, f"{match['have'] or ''}{adverb}{verb}", rest, forms)


def _by_paper(text: str, frame: Contribution) -> Contribution | None:
    if aim := _AIM.match(text):
        return _finish(replace(frame, weight=frame.weight + 0.6), "propose", "aim", f" to {aim['rest']}", VERBS)
    match = _PAPER.match(text)
    base = BASE_OF_THIRD.get(match["verb"]) if match else None
    if match is None or base is None or frame.front or match["verb"] == "is":
        return None
    adverb = match["adverb"] if match["adverb"].endswith("ly ") else ""
    cue = _CUE_AFTER.match(match["rest"])
    rest = " " + match["rest"][cue.end() :].lstrip() if cue else match["rest"]
    told = _finish(replace(frame, weight=frame.weight + 0.8), base, f"{adverb}{base}", rest, frozenset(BASE_OF_THIRD))
    # A second verb in the singular cannot follow the authors.
    return (
        None
        if told and re.search(rf"\b(?:and|but|then) (?:{_ADVERB})(?:{'|'.join(BASE_OF_THIRD)})\b", told.said)
        else told
    )


def _by_evidence(text: str, frame: Contribution) -> Contribution | None:
    if match := _EVIDENCE.match(text):
        noun, verb = match["noun"], f"{match['verb']} that"
        return (
            replace(frame, subject=noun, verb=verb, said=match["rest"], weight=frame.weight + 2.0)
            if not frame.front
            else None
        )
    if match := _IT_IS.match(text):
        base = BASE_OF_PARTICIPLE.get(match["verb"], "show")
        return _finish(frame, base, base, f" that {match['rest']}", frozenset())
    return None


def _in_the_passive(text: str, frame: Contribution) -> Contribution | None:
    match = _PASSIVE.match(text[:1].upper() + text[1:]) if frame.weight >= 1.0 else None
    if match is None or frame.front or _FINITE.search(match["subject"]):
        return None
    article, _, rest = match["subject"].partition(" ")
    verb = match["verb"]
    base = BASE_OF_PARTICIPLE.get(verb) or BASE_OF_PAST.get(verb)
    if article not in ("A", "An", "The") or base is None:
        return None
    spoken = verb if re.search(rf" (?:was|were) (?:also )?{verb}$", text) else base
    return _finish(frame, base, f"{spoken} {article.lower()}", f" {rest}", frozenset())


def _finish(frame: Contribution, base: str, verb: str, rest: str, forms: frozenset[str]) -> Contribution | None:
    """The frame with its verb, what belongs to it, and the clause that follows; None if there is none.

    `forms` are those of a second verb with the same subject: what follows it is a finding of its own.
    """
    if base in _NEVER or (base == "conclude" and not rest.startswith(" that ")) or not rest.startswith(" "):
        return None
    weight = frame.weight
    weight += 3.0 if base in CREATE else 2.2 if base in RESULT else 2.0 if base in STUDY else 1.4
    weight -= 0.7 if base in _WEAK else 0.0
    weight -= 0.5 if _COMPARATIVE.match(rest) else 0.0
    if match := _BELONGS.match(rest):
        lead, following = match["lead"], match["to"]
        if following and not (following.split()[0] in VERBS and lead.startswith("to ")):
            lead = lead.removesuffix(f" {following}")
        verb, rest = f"{verb} {lead}", rest[1 + len(lead) :]
    rest = rest.strip().lstrip(",").strip()
    said, part = _first_clause(rest, forms)
    if said is None:
        return None
    return replace(frame, verb=verb, said=said, weight=weight - 0.2 * part, part=part)


def _first_clause(rest: str, forms: frozenset[str]) -> tuple[str | None, bool]:
    """The sentence up to a second finding with the same subject; None where that is not certain, or would not be whole."""
    joint = re.search(
        r"(?:,|;)? (?:and|while|but|where|which|for which|thus|hence)(?: then| also| further| thus| hence)? we [a-z]+ |[;:] we ",
        rest,
    )
    ends = [joint.start()] if joint else []
    if singular := re.search(r",? and (?:is|has|was|can|will) ", rest) if "shows" in forms else None:
        ends.append(singular.start())
    for match in re.finditer(
        r"(?:,|,? (?:and|but|then))(?: then| also| further| finally| thus| hence| [a-z]+ly)* (?P<verb>[a-z]+)\b"
        r"(?: (?P<next>that|how|whether|the|an?|its|their|our|several|some|two|new|it|them|him|both|to|on|upon|with|for|from|how)\b)?",
        rest,
    ):
        if match["verb"] not in forms or (match["next"] is None and match["verb"] not in _SURE):
            continue
        if match["next"] not in ("that", "how", "whether") and re.search(
            r"\b(?:to|can|may|will|that) (?:\w+ly )?[a-z]+\b", rest[: match.start()]
        ):
            continue  # "a way to analyse and compare the ..."
        ends.append(match.start())
    if not ends:
        return rest, False
    said, tail = rest[: min(ends)].rstrip(" ,;:"), rest[min(ends) :]
    if re.match(r",? but\b|[;,]? (?:where|which|for which)\b", tail) or re.search(
        r"\b(?:if|when|under|provided|unless|only|whenever|except|both|either|neither|between|not only|if and)\b", rest
    ):
        return None, True
    return (said, True) if len(said.split()) >= 6 else (None, True)


def _stands(told: Contribution, spoken: str, topic: frozenset[str]) -> bool:
    """Return True if it is neither too long nor too little, and leans on nothing that it does not say."""
    content = _content(told.said)
    if (
        not 6 <= len(spoken.split()) + 2 <= LONGEST
        or len(content - BARE_PRODUCTS) < 4
        or len(told.said.split()) < 6
        or not content - topic
    ):
        return False
    if len(content - topic) < 2 or unexplained_symbols(spoken) or _ORDER.search(spoken):
        return False
    if re.search(rf"\b(?:this|these|our) (?:\w+ )?{PAPER_NOUN}\b|:$|\b(?:we|us|I|my)\b", spoken) or told.said.endswith(
        (",", ":", ";", "-")
    ):
        return False
    if (
        re.match(r"(?:\w+ ){0,3}(?:more|similar|analogous|comparable|better|worse|faster)\b(?!.*\bthan\b)", told.said)
        and " that" in told.verb
    ):
        return False
    if " that" in told.verb and starts_with_a_thing(told.said):
        return False
    if _HALF.search(spoken) and not _OTHER_HALF.search(spoken):
        return False
    if _OPEN_FRONT.search(told.front) or len(told.front.split()) > 14:
        return False
    return not leans_outside(told.said) and not (told.front and leans_outside(told.front))


def _content(text: str) -> frozenset[str]:
    return frozenset(words(text)) - STOPWORDS
