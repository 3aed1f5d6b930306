"""The sentences of an abstract that state its paper's contribution, each whole, as they can be reported of its authors."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.text.cited_text import words
from citeplug.text.folding import is_collective, split_name
from citeplug.text.inflection import BASE_OF_PARTICIPLE, BASE_OF_PAST, BASE_OF_THIRD, participle, past, third_person
from citeplug.text.letters import capital
from citeplug.text.lexicon import BARE_PRODUCTS, PRAISE, VERBS
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.noun_groups import has_faulty_article, is_named, is_plain_object
from citeplug.write.extractive.pointers import PAPER_NOUN, leans_outside, repeats_definite, starts_with_a_thing
from citeplug.write.extractive.wording import LONGEST, expansions, readable, unexplained_symbols

_LEAST_WEIGHT = 2.5
_LEAST_WORDS = 7  # of what is said, without author and verb
_LEAST_IN_CLAUSE = 8
_MOST_SENTENCES = 40  # of an abstract that are looked at


@dataclass(frozen=True, slots=True)
class Contribution:
    """A contribution that authors state, in their own words.

    `verb` fits the authors, with what belongs to it ("propose", "has shown", "show that"); `said` is what follows it in
    the source, as plain text without its stop, and `front` what stands before the subject. `own` is the sentence as its
    authors say it, with the connectives at its front left out. `long` holds what the abstract writes out for acronyms.
    `by_paper`: the sentence says that it is on this paper; `is_clause`: `said` is a clause and no object; `titled`: the
    title must stand before it, to say what it is on.
    `start` and `end` are the sentence's place in the abstract, or in the `passage` that it is from, code points,
    half-open.
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
    long: tuple[tuple[str, str], ...] = ()
    passage: Passage | None = None

    def repeats(self, other: "Contribution") -> bool:
        """Return True if it is the same sentence, or says half of what it says in the words of `other`."""
        mine = _content(self.said)
        same = (self.passage, self.start) == (other.passage, other.start)
        return same or 2 * len(mine & _content(other.said)) >= len(mine)

    def is_like(self, other: "Contribution") -> bool:
        """Return True if it says next to nothing but what `other` says, be it of another paper."""
        mine = _content(self.said)
        return 5 * len(mine & _content(other.said)) >= 4 * len(mine)


# What a paper brings, what it finds, what it looks at; of other verbs the sentence says too little of the contribution.
_MAKE = frozenset(
    "propose introduce present develop design devise construct build create formulate describe define implement".split()
)
_FIND = frozenset(
    "show prove demonstrate find establish reveal derive identify obtain give provide argue observe".split()
)
_STUDY = frozenset(
    """study investigate examine analyze analyse explore compare evaluate extend generalize survey review characterize model
    apply adapt combine""".split()
)
# What is only begun or wished.
_BEGUN = frozenset("aim seek attempt try start begin point take assume consider turn hope ask conclude".split())
_ONLY_THAT = frozenset("show find observe reveal argue".split())  # "observe an increase" is a step
_STATING = _MAKE | _FIND | _STUDY
_THIRD = "|".join(sorted(map(third_person, _STATING)))

_CUE = re.compile(
    rf"^(?:In|Throughout|Within|With) (?:this|the present|our|the current|the) (?:[\w-]+ )?{PAPER_NOUN},? ",
    re.IGNORECASE,
)
_CUE_AFTER = re.compile(rf"^,? ?in (?:this|the present|our) (?:[\w-]+ )?{PAPER_NOUN},? ")
_CUE_AT_END = re.compile(rf",? in (?:this|the present|our) (?:[\w-]+ )?{PAPER_NOUN}$")
_LABEL = re.compile(r"^(?:[A-Z][a-z]+|[A-Z]{5,})\s?[:.] ?(?=[A-Z])")
_CONNECTIVE = re.compile(
    r"^(?:Here|Herein|Specifically|In particular|More specifically|More precisely|To this end|To that end|To do so|"
    r"For this purpose|Therefore|Thus|Hence|Accordingly|Consequently|Moreover|Furthermore|In addition|Additionally|"
    r"First|Second|Third|Finally|Lastly|(?:To|In order to) \w+ (?:this|these|such) (?:[\w-]+ ){0,3}[\w-]+),? "
    r"(?=we\b|I\b|this\b)",
)
# A purpose or a contrast restricts nothing.
_PURPOSE = re.compile(
    rf"^(?:To|In order to|While|Whereas|Although|Motivated by|Inspired by) [^;:$]{{3,200}}?, "
    rf"(?=(?:in this {PAPER_NOUN},? )?(?:we|I|this {PAPER_NOUN}) [a-z])"
)
# What a paper makes, it has made whatever stands before: of a finding that may be the condition.
_BEFORE_MAKING = re.compile(rf"^[^.;:$]{{3,160}}?, (?=(?:we|I) (?:also )?(?:{'|'.join(sorted(_MAKE))})\b)")
_FRONT = re.compile(
    r"^(?P<front>(?:Using|Based on|Building on|Inspired by|Motivated by|Drawing on|Under|Unlike|By \w+ing)\b[^.;:,$]{3,60}), "
    r"(?=(?:we|I) )"
)
_OF_OURS = re.compile(r"\b(?:we|our|us|my|found|obtained|above|the)\b")
_SUBJECT = re.compile(
    rf"^(?P<who>[Ww]e|I|[Tt]he authors?|(?:[Tt]his|[Tt]he|[Tt]he present|[Tt]he current|[Oo]ur) (?:[\w-]+ )?{PAPER_NOUN})"
    r" (?P<also>also )?(?P<have>have )?(?P<adverb>[a-z]+ly )?(?P<verb>[a-z]+)"
    r"(?P<second> and (?:[a-z]+ly )?[a-z]+(?= ))?(?P<rest> .*)$"
)
_PASSIVE = re.compile(
    r"^(?P<article>An?|Two|Three)(?P<rest> [^.;:]{20,250}?) (?:is|was|are|were|has been|have been) "
    rf"(?P<verb>{'|'.join(sorted(map(participle, _STATING)))})$"
)
_BELONGS = re.compile(r"^ (?P<lead>that|how|what|which|whether|why|when|to what extent|if|on|with|to)\b(?!-)")
# The contribution of another paper, a step of this one, or what is no research paper.
_EARLIER = re.compile(
    r"\b(?:(?:have|had|has) previously|our (?:prior|previous|earlier|recent)|in (?:prior|previous|earlier) (?:work|papers?)|"
    r"(?:we|paper|I) (?:have )?(?:then|next|firstly|initially|recently|finally|now|further)|the simpler one)\b",
    re.IGNORECASE,
)
_NO_PAPER = re.compile(
    r"\b(?:keynote|lecture|this talk|tutorial|proceedings|this volume|special issue)\b", re.IGNORECASE
)
_TRIVIAL = re.compile(
    r"source code|publicly available|open.sourced?\b|\bavailable (?:at|online|from|on|under)\b|supplementary|"
    r"future (?:work|research|directions)|\bour\b|effectiveness|feasibility|usefulness|experimental results|"
    r"\b(?:state.of.the.art|superior|outperform|significant(?:ly)? improve)"
)
_PARAGRAPH = re.compile(r"[^\n]+")
# In a full text: what is shown elsewhere, and the gap that a citation left.
_LEANING = re.compile(
    r"\b(?:[Ff]ig(?:ure|s?\.)|[Tt]ables?\b|[Ss]ec(?:tion|\.)|[Aa]ppendi|[Ee]q(?:uation|s?\.)|[Tt]heorem|[Ll]emma"
    r"|[Cc]orollar|[Pp]roposition|[Aa]lgorithm \d|[Cc]hapter|[Aa]ssumption|above\b|below\b|aforementioned|following\b"
    r"|previous(?:ly)?\b|earlier\b|here\b|now\b|next\b|then\b|such\b|these\b|those\b|latter\b|former\b)"
    r"|\(\s*[,;]?\s*\)|\[\s*\]|\b(?:of|in|by|from|with|to|and|the|as|on|for|see|e\.g\.|than)\s*[,.;:)]"
    r"|\b(?:of|in|by|from|with|the)\s+(?:is|are|was|were|to|and|of|in|by|from|that|which)\b|\s[,.;:]"
)
_LIST = re.compile(
    r"\b(?:not only|not just|on the one hand|firstly|(?<!\bthe )(?<!\bat )first(?!.*\b(?:then|second)\b)|\(?i\)|\([123]\)|\([abc]\))(?=\W|$)",
    re.IGNORECASE,
)


def find_contributions(paper: Paper, packages: tuple[str, ...] = ()) -> list[Contribution]:
    """Contributions that the abstract states, the main one first; empty if nothing is certain.

    The abstract's white space is collapsed; `packages` are those of the document that prints its math. A paper without
    an id is the draft, whose readers know what it speaks of.
    """
    return list(_contributions(_Text(paper.abstract, paper.title, is_plural(paper), not paper.id.value), packages))


def find_in_passages(paper: Paper, passages: Iterable[Passage], packages: tuple[str, ...] = ()) -> list[Contribution]:
    """As `find_contributions`, of passages of the paper's full text; their order decides between equals.

    Sentences that lean on what stands around them, or that lost a citation or a formula, are left out.
    """
    found: list[Contribution] = []
    for passage in passages:
        for match in _PARAGRAPH.finditer(passage.text):
            for each in _contributions(_Text(match[0], paper.title, is_plural(paper), False), packages):
                start, end = match.start() + each.start, match.start() + each.end
                if not _LEANING.search(passage.text[start:end]):
                    found.append(replace(each, start=start, end=end, passage=passage))
    return sorted(found, key=lambda each: -each.weight)


@dataclass(frozen=True, slots=True)
class _Text:
    """An abstract or a paragraph; `plural`: its authors take a verb in the plural."""

    text: str
    title: str
    plural: bool
    is_draft: bool


@lru_cache(maxsize=4096)
def _contributions(of: _Text, packages: tuple[str, ...]) -> tuple[Contribution, ...]:
    if _NO_PAPER.search(of.text):
        return ()
    topic, subject = _content(of.title), _stems(of.title)
    found: list[Contribution] = []
    for number, (start, end) in enumerate(split_sentences(of.text)[:_MOST_SENTENCES]):
        text = readable(of.text[start:end], packages)
        if text is None or _EARLIER.search(text):
            continue
        told = _told(text.removesuffix("."), start, end, of)
        if told is None:
            continue
        spoken = f"{told.front} {told.said}".strip()
        long = expansions(spoken, of.text, of.title, of.text[:start])
        titled = not _stands(told, spoken, of.text[:start])
        if long is None or (titled and not _stands(told, spoken, of.text[:start], of.title)):
            continue
        shared = _stems(spoken) & subject
        if not shared and subject:
            continue
        weight = told.weight - 0.1 * number + 2.0 * len(shared) / max(4, len(subject)) - 0.3 * len(long)
        weight -= 1.5 * bool(_TRIVIAL.search(spoken)) + 0.5 * (len(spoken.split()) > 36)
        weight -= 1.5 * (" also " in f" {told.own} ")  # a side matter
        titled = titled or not ((of.is_draft and told.by_paper) or _names_subject(told, spoken, subject))
        fresh = _stems(told.said) - subject - _SAYING_LITTLE if titled else _content(told.said) - topic
        if weight >= _LEAST_WEIGHT and len(fresh) >= 2:
            found.append(replace(told, weight=weight, titled=titled, long=tuple(long.items())))
    return tuple(sorted(found, key=lambda each: (-each.weight, each.start)))


def _told(text: str, start: int, end: int, of: _Text) -> Contribution | None:
    """The sentence as something that its authors do, its cue and connective left out."""
    text = _LABEL.sub("", text)
    weight, own, front, text_cued = 0.0, text, "", False
    for _ in range(2):
        if purpose := _PURPOSE.match(text):
            own = text = text[purpose.end() :]
        if opened := _CUE.match(text):
            weight, text, text_cued = weight + 0.7, text[opened.end() :], True
        elif connective := _CONNECTIVE.match(text):
            weight -= 0.2
            own = text = text[connective.end() :]
    if at_end := _CUE_AT_END.search(text):
        weight, text = weight + 0.7, text[: at_end.start()]
    if opening := _FRONT.match(text[:1].upper() + text[1:]):
        front, text = opening["front"], text[opening.end() :]
    elif before := _BEFORE_MAKING.match(text):
        own = text = text[before.end() :]
    if (passive := _PASSIVE.match(text[:1].upper() + text[1:])) and weight:
        text = f"we {BASE_OF_PARTICIPLE[passive['verb']]} {passive['article'].lower()}{passive['rest']}"
    match = _SUBJECT.match(text)
    if match is None:
        return None
    verb, rest = match["verb"], match["rest"]
    if cue := _CUE_AFTER.match(rest):
        weight, rest = weight + 0.7, " " + rest[cue.end() :].lstrip()
    by_paper = match["who"].lower() not in ("we", "i") and not match["who"].endswith("authors")
    base = _base(verb, by_paper=by_paper, participle=bool(match["have"]))
    unchanged = of.is_draft or by_paper != of.plural
    if base is None or (by_paper and front) or (match["second"] and not unchanged):
        return None
    weight += 0.7 * by_paper - 0.6 * bool(match["also"])
    spoken = _agreeing(match, base, by_paper=by_paper, plural=of.plural)
    rest, complete = _first_clause(rest, by_paper=by_paper, unchanged=unchanged)
    if not complete:
        return None
    is_clause = False
    if lead := _BELONGS.match(rest):
        spoken, rest, is_clause = f"{spoken} {lead['lead']}", rest[lead.end() :], lead["lead"] not in ("on", "with")
        weight += 2.8 if base in _FIND else 2.4 if base in _STATING else 1.5
    elif base in _ONLY_THAT:
        return None
    else:
        weight += 3.0 if base in _MAKE else 2.4 if base in _STATING else 1.5
    cued = by_paper or at_end is not None or cue is not None or text_cued
    return Contribution(spoken, rest.strip(), front, capital(own) + ".", start, end, weight, cued, is_clause)


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


def _first_clause(rest: str, *, by_paper: bool, unchanged: bool) -> tuple[str, bool]:
    """What follows the verb, up to a second clause with a subject of its own; False where the whole cannot be taken.

    A second verb of the paper's cannot follow several authors, and that of several authors cannot follow one; it can
    if the first verb stays `unchanged`.
    """
    joint = re.search(r"(?:,|;|(?=,? and))(?: and| while| where)? (?:then |also |further )?we ", rest)
    if joint:
        rest = rest[: joint.start()]
        if ":" in rest:
            return rest, False
    if unchanged:
        return rest, True
    if by_paper and re.search(
        rf"\band (?:\w+ly |also )?(?:{_THIRD})\b|\band\b.*\b(?:{_THIRD}) (?:an?|the|that|how)\b", rest
    ):
        return rest, False
    second = r"[a-z]+s" if by_paper else "|".join(sorted(VERBS | frozenset(map(past, VERBS))))
    follows = r"an?|the|that|how|whether|its?|their|them|to|in|several|some|two|three|new"
    verb = re.search(rf"(?:,|;|,? and|,? but|,? then)(?: \w+ly| also| then)? (?:{second}) (?:{follows})\b", rest)
    # "a framework to analyse and compare the": a verb of the thing's.
    of_thing = (
        verb and not _BELONGS.match(rest) and re.search(r"\b(?:to|can|may|will|that|which)\b", rest[: verb.start()])
    )
    return rest, verb is None or bool(of_thing)


def _stands(told: Contribution, spoken: str, before: str, title: str = "") -> bool:
    """Return True if it is neither too long nor too little, and leans on nothing that it does not say.

    `before` is what the abstract says before the sentence, `title` what stands before it in the section.
    """
    said = told.said
    if (
        not len(said.split()) >= _LEAST_WORDS
        or len(spoken.split()) > LONGEST
        or len(_content(said) - BARE_PRODUCTS) < 4
    ):
        return False
    if unexplained_symbols(spoken) or _LIST.search(spoken) or has_faulty_article(spoken):
        return False
    if re.search(
        rf"\b(?:this|these|our) (?:\w+ )?{PAPER_NOUN}\b|\bpeer-reviewed\b|\b(?:[Ww]e|us|I|my|[Oo]ur own)\b", spoken
    ):
        return False
    if said[0] in ",:;-" or said[-1] in ",:;-":
        return False
    if told.front and (len(told.front.split()) >= 8 or _OF_OURS.search(told.front) or leans_outside(told.front)):
        return False
    is_clause = told.is_clause
    if is_clause and len(said.split()) < _LEAST_IN_CLAUSE:
        return False
    if leans_outside(said) or repeats_definite(said, before, title, is_clause=is_clause):
        return False
    if (is_clause or title) and starts_with_a_thing(said):
        return False
    if is_clause:
        return not re.match(r"(?:\w+ ){0,3}(?:more|similar|comparable|better|worse|faster)\b(?!.*\bthan\b)", said)
    # Of a thing alone, "it" may be what the abstract spoke of before.
    if re.search(r"\bit\b(?! (?:is|was|can be|may be) )", said):
        return False
    return is_plain_object(said, may_be_definite=bool(_STUDIED & set(told.verb.split()))) or is_named(said)


# What is looked at may be well known: "study the impact of".
_STUDIED = _STUDY | frozenset(map(past, _STUDY)) | frozenset(map(third_person, _STUDY))


def _names_subject(told: Contribution, spoken: str, subject: frozenset[str]) -> bool:
    """Return True if a sentence says what its paper is on: by a name that its title has, or half of the title's words.

    Of sentences with less, read by somebody else, a third dangled: "a new random effects model to account for spatial
    dependence" (of extreme precipitation).
    """
    return bool(_stems(told.said.split(" ", 1)[0]) & subject) or 2 * len(_stems(spoken) & subject) >= len(subject)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, _content(text)))


def _content(text: str) -> frozenset[str]:
    return frozenset(words(text)) - STOPWORDS


def is_plural(paper: Paper) -> bool:
    """Return True if the names that a textual citation prints are more than one: "Ho", "the CMS Collaboration" are not."""
    return len(paper.authors) != 1 and not (paper.authors and is_collective(split_name(paper.authors[0]).surname))


_SAYING_LITTLE = frozenset(map(stem, BARE_PRODUCTS | PRAISE))
