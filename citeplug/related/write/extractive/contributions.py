"""The sentences of an abstract that state its paper's contribution, each whole, as they can be reported of its authors."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.related.write.extractive.statements import (
    Abstract,
    Contribution,
    content_words,
    deeds,
    is_whole_front,
    read_statement,
    without_label,
)
from citeplug.related.write.extractive.wording import (
    LONGEST,
    PAPER_NOUN,
    is_named,
    leans_outside,
    lost_referents,
    readable,
)
from citeplug.text.cited_text import words
from citeplug.text.folding import is_collective, split_name
from citeplug.text.lexicon import BARE_PRODUCTS, PRAISE, PRAISE_OF_PRODUCTS
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem

_LEAST_WEIGHT = 1.5
_LEAST_WORDS = 5  # of what is said, without author and verb
_OF_A_MAIN = 1.8  # the least weight of a sentence that states the main thing
_OF_MAKING = 3.0  # the weight of a sentence on what was made
_LEAST_IN_CLAUSE = 8
_OF_A_TITLE = 1 / 2  # of its words, in a sentence that says what the paper is on
_OF_A_DRAFT = 1 / 4  # of its title's, in a sentence that says that it is the draft's contribution
_LEAST_FRESH = 2  # words that the title has not, of what is said after it
_LITTLE_BEYOND, _LESS_STALE = 3, 0.7  # words that neither the title has nor praise
_LEAST_BEYOND = 5  # words that the title has not, of what is said after the authors spoke of their work
_PROPOSING = frozenset(("propose", "present", "introduce"))
_MOST_SENTENCES = 40  # of an abstract that are looked at

# The contribution of another paper, or a step of this one.
_EARLIER = re.compile(
    r"^(?:As an? (?:example|application|illustration)|For (?:example|instance))\b|\b(?:(?:have|had|has) previously|our (?:prior|previous|earlier|recent)|in (?:prior|previous|earlier) (?:work|papers?)|"
    r"(?:we|paper|I) (?:have )?(?:then|next|firstly|initially|recently|finally|now|further|additionally)|the simpler one)\b",
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    r"^(?:\w+ )?(?:results?|experiments?|examples?)\b|source code|publicly available|open.sourced?\b|\bavailable (?:at|online|from|on|under)\b|supplementary|"
    r"(?:future|further) (?:work|research|directions)|\bour knowledge\b|experimental results|contributions? that"
)
# Said of a thing whatever it is: another sentence says more.
_PRAISING = re.compile(
    r"effectiveness|feasibility|usefulness|\b(?:state.of.the.art|superior|outperform|significant(?:ly)? improve)"
)
# "Our approach" is one that was spoken of before; "our parser of logs" is not.
_OUR_OWN = re.compile(r"(?<!^)(?<!, )\bour\b")
# Within a clause of a thing's, of authors who are several: "a parser that we call LogRead".
_WE, _WE_WITHIN = (
    re.compile(r"\bwe\b"),
    re.compile(r"(?:(?!\bwe\b).)*(?<![,;.:] )(?<!\band )(?<!\bthen )we(?!.*\bwe\b).*"),
)
_OF_US = re.compile(r"\b(?:[Ww]e|us|I(?!/)|my|ours)\b")
_OF_TWO = re.compile(r"the (?:former|latter|proposed|same|other)\b")
_THEIRS = re.compile(r"\b(?:they|their|them)\b")
_SEVERAL = re.compile(r"\w(?<![isu])s\b|\band\b|\bdata\b")
_THE_UNKNOWN = re.compile(r"the (?!(?:[\w-]+ ){1,5}(?:of|for|that|which|between|in|from)\b)")
# It may be of something that was said before: where there is another sentence, that is taken.
_DANGLING = re.compile(
    r"\bthe (?:problem|issue|challenge|task|method|approach|model|subject|project)s?\b(?! (?:of|that|in|for)\b)"
    r"|\borthogonal (?:approach|method)|\bthe (?:original|proposed|presented|developed|above|paper|two|three)\b"
    r"|\b(?:do|does|doing) so\b|\bthe desired\b|\binstead\b(?! of\b)|\bhowever\b|\bcurrent authors\b"
    r"|\bin (?:two|three|four|several|various) (?:\w+ )?(?:directions|ways|aspects|respects)\b(?!:)"
    r"|^(?:another|(?:\w+ ){0,3}its)\b|\bthe following\b|\bthe more general (?:case|setting)\b|\bboth (?:approaches|methods|models|problems)\b"
    r"|\balternative$|\b(?:a few|some) (?:\w+ )?(?:questions|issues|problems|aspects)\b"
)
# What a paper adds is not what it is on.
_ADDED = re.compile(
    r"^(?:Finally|Lastly|Also|Moreover|Furthermore|In addition|Additionally)\b|\b[Ww]e (?:also|additionally|finally|further|next|then)\b"
)
# "A novel deep network, dubbed N" says neither what it is for nor what sets it apart.
_OF_IT = re.compile(
    r"\b(?:for|to|that|which|of|with|by|from|in|on|using|based|between|under|via|through|as|where|whose|without|against"
    r"|into|over|among|across|is|are)\b"
)
_ALSO = re.compile(r"(?<!\bbut)(?<!\() also ")
_FURTHER_VERB = re.compile(r"(?:,|;|,? and|, but)(?: \w+)* \w+$")
_PARAGRAPH = re.compile(r"[^\n]+")
# In a full text: what is shown elsewhere, and the gap that a citation left.
_LEANING = re.compile(
    r"\b(?:[Ff]ig(?:ure|s?\.)|[Tt]ables?\b|[Ss]ec(?:tion|\.)|[Aa]ppendi|[Ee]q(?:uation|s?\.)|[Tt]heorem|[Ll]emma"
    r"|[Cc]orollar|[Pp]roposition|[Aa]lgorithm \d|[Cc]hapter|[Aa]ssumption|above\b|below\b|aforementioned|following\b"
    r"|previous(?:ly)?\b|earlier\b|here\b|now\b|next\b|then\b|such\b|these\b|those\b|latter\b|former\b)"
    r"|\(\s*[,;]?\s*\)|\[\s*\]|\b(?:of|in|by|from|with|to|and|the|as|on|for|see|e\.g\.|than)\s*[,.;:)]"
    r"|\b(?:of|in|by|from|with|the)\s+(?:is|are|was|were|to|and|of|in|by|from|that|which)\b|\s[,.;:]"
)


def find_contributions(paper: Paper, packages: tuple[str, ...] = ()) -> list[Contribution]:
    """Contributions that the abstract states, the main one first; empty if nothing is certain.

    The abstract's white space is collapsed; `packages` are those of the document that prints its math. A paper without
    an id is the draft, whose readers know what it speaks of.
    """
    of = Abstract(paper.abstract, paper.title, is_plural(paper), not paper.id.value)
    return list(_contributions(of, packages))


def find_in_passages(paper: Paper, passages: Iterable[Passage], packages: tuple[str, ...] = ()) -> list[Contribution]:
    """As `find_contributions`, of passages of the paper's full text; their order decides between equals.

    Sentences that lean on what stands around them, or that lost a citation or a formula, are left out.
    """
    contributions: list[Contribution] = []
    for passage in passages:
        for match in _PARAGRAPH.finditer(passage.text):
            for contribution in _contributions(Abstract(match[0], paper.title, is_plural(paper), False), packages):
                start, end = match.start() + contribution.start, match.start() + contribution.end
                if not _LEANING.search(passage.text[start:end]):
                    contributions.append(replace(contribution, start=start, end=end, passage=passage))
    return sorted(contributions, key=lambda contribution: -contribution.weight)


def find_deeds(paper: Paper, packages: tuple[str, ...] = ()) -> list[Contribution]:
    """What the authors say in whole sentences that they do, though it may be no contribution: "consider QCD on a circle".

    What has most words of the title comes first.
    """
    subject, of = stems_of(paper.title), Abstract(paper.abstract, paper.title, is_plural(paper), is_draft=False)
    contributions: list[Contribution] = []
    for start, end, sentence in whole_sentences(paper, packages, leaning=True):
        told = (
            None
            if _ADDED.search(sentence) or _TRIVIAL.search(sentence)
            else read_statement(sentence, start, end, of, any_verb=True)
        )
        shared = len(stems_of(sentence) & subject)
        fresh = told is not None and len(content_words(told.said) - content_words(paper.title)) >= _LEAST_FRESH
        leans = told is not None and (
            leans_outside(f"{told.front} {told.said}")
            or lost_referents(told.said, of.title, of.text[:start])[:1] == [0]
        )
        if told is not None and fresh and shared and not leans and _is_whole(told, paper):
            titled = not _names_subject(told, told.said, subject, _OF_A_TITLE)
            contributions.append(replace(told, weight=float(shared), titled=titled))
    return sorted(contributions, key=lambda contribution: -contribution.weight)


def is_main(told: Contribution) -> bool:
    """Return True if a sentence states the main thing that a paper does: what it made, or with some weight what it found."""
    return (
        is_told(told)
        and not (told.is_side or _ALSO.search(f" {told.own}"))
        and (told.makes or told.weight >= _OF_A_MAIN)
    )


def is_praise(text: str) -> bool:
    """Return True if a sentence says how good a work is, or where its code is, and not what it does."""
    return any(pattern.search(text) for pattern in (_TRIVIAL, _PRAISING, _OUR_OWN))


def dangles(text: str) -> bool:
    """Return True if a sentence may speak of something that was said before it."""
    return _DANGLING.search(text) is not None


def is_told(told: Contribution) -> bool:
    """Return True if a sentence tells something, and nothing that it does not say: what for, or what of it."""
    spoken_of = told.is_clause and told.said.startswith("our ")
    if spoken_of or any(pattern.search(told.said) for pattern in (_DANGLING, _TRIVIAL, _OUR_OWN)):
        return False
    if told.verb.startswith(("build", "define")):
        return False
    return told.is_clause or _OF_IT.search(told.said) is not None or is_named(told.said)


def _is_whole(told: Contribution, paper: Paper) -> bool:
    """Return True if what is told can be read without what the abstract says before it."""
    wording = told.said
    return not (
        told.front
        or _points_back(told)
        or len(wording.split()) < _LEAST_WORDS
        or _OF_US.search(wording)
        or _THE_UNKNOWN.match(wording)
    )


def _points_back(told: Contribution) -> bool:
    """Return True if what is told is of something that the abstract spoke of before: "compare our approach to others".

    "Present our parser of logs" says what it is; "their" is of several that must stand before it.
    """
    theirs = _THEIRS.search(told.said)
    alone = theirs is not None and _SEVERAL.search(told.said, 0, theirs.start()) is None
    return alone or _OF_TWO.match(told.said) is not None or (told.said.startswith("our ") and not told.makes)


def whole_sentences(
    paper: Paper, packages: tuple[str, ...], *, leaning: bool = False
) -> Iterator[tuple[int, int, str]]:
    """Place and words, without label and stop, of each sentence of the abstract that can be read by itself; `leaning`:
    also of those that say "this" of something else, which "in this paper" does."""
    for start, end in split_sentences(paper.abstract):
        sentence = readable(paper.abstract[start:end], packages)
        sentence = None if sentence is None else without_label(sentence).removesuffix(".")
        if sentence is None or not 5 <= len(words(sentence)) <= LONGEST:
            continue
        if leaning or not leans_outside(sentence):
            yield start, end, sentence


@lru_cache(maxsize=4096)
def _contributions(of: Abstract, packages: tuple[str, ...]) -> tuple[Contribution, ...]:
    topic, subject = content_words(of.title), stems_of(of.title)
    contributions: list[Contribution] = []
    done = frozenset[str]()
    for number, (start, end) in enumerate(split_sentences(of.text)[:_MOST_SENTENCES]):
        text = readable(of.text[start:end], packages)
        before, done = done, done | deeds(of.text[start:end])
        if text is None or _EARLIER.search(text):
            continue
        told = read_statement(text.removesuffix("."), start, end, of)
        if told is None:
            continue
        if not of.is_draft:
            told = _without_lost_end(told, of)
        spoken = f"{told.front} {told.said}".strip()
        if not _stands(told, spoken, plural=of.plural or of.is_draft):
            continue
        shared = stems_of(spoken) & subject
        # What they made they can call by a name that the title has not.
        if not shared and subject and told.weight < _OF_MAKING:
            continue
        weight = told.weight - 0.1 * number + 2.0 * len(shared) / max(4, len(subject))
        weight -= 1.5 * is_praise(spoken) + 0.5 * (len(spoken.split()) > 36)
        weight -= 1.5 * bool(_ALSO.search(f" {told.own}")) + 1.0 * bool(
            _WE.search(spoken)
        )  # a side matter, or half of one
        lost = [] if of.is_draft else lost_referents(told.said, of.title, of.text[:start])
        if lost[:1] == [0]:
            continue
        added = bool(before) and _ADDED.search(text) is not None
        weight -= 1.5 * dangles(told.said) + 1.0 * bool(lost) + 1.0 * added
        main = of.is_draft and (told.by_paper or told.verb in _PROPOSING)
        titled = not _names_subject(told, spoken, subject, _OF_A_DRAFT if main else _OF_A_TITLE)
        named = is_named(told.said)
        beyond = stems_of(told.said) - subject - SAYING_LITTLE
        # Beside the title, a sentence that says hardly more would say the same twice; one with less says too little. What
        # was made is better said in a sentence than by a title.
        fresh = beyond if titled else content_words(told.said) - topic
        weight -= _LESS_STALE * (len(beyond) < _LITTLE_BEYOND)
        if weight >= _LEAST_WEIGHT and (
            of.is_draft or len(fresh) >= _LEAST_FRESH or named or (told.makes and not titled)
        ):
            is_side = told.follows(before) and (titled or not (told.by_paper or named or len(beyond) >= _LEAST_BEYOND))
            is_side = is_side or (titled and added)
            contributions.append(replace(told, weight=weight, titled=titled, is_side=is_side))
    return tuple(
        sorted(contributions, key=lambda contribution: (contribution.is_side, -contribution.weight, contribution.start))
    )


def _without_lost_end(told: Contribution, of: Abstract) -> Contribution:
    """What is told without further things done to what the sentence does not name: ", and evaluate the full model"."""
    while told.joints:
        start, end, joint = told.joints[-1]
        last, rest = told.said[end:].strip(), told.said[:start]
        brief = re.match("an? ", last) and len(last.split()) <= _LEAST_WORDS and not _OF_IT.search(last)
        lost = lost_referents(last, f"{of.title} {rest}", of.text[: told.start])[:1] == [0]
        if not (_FURTHER_VERB.match(joint) and (brief or lost)) or len(rest.split()) < _LEAST_WORDS:
            break
        told = replace(told, said=rest.rstrip(",; "), joints=told.joints[:-1])
    return told


def _stands(told: Contribution, spoken: str, *, plural: bool) -> bool:
    """Return True if it is neither too long nor too little, and leans on nothing that it does not say."""
    wording = told.said
    if (
        not len(wording.split()) >= _LEAST_WORDS
        or len(spoken.split()) > LONGEST
        or len(content_words(wording) - BARE_PRODUCTS) < 4
    ):
        return False
    if re.search(
        rf"\b(?:this|these|our) (?:\w+ )?{PAPER_NOUN}\b|\bpeer-reviewed\b|\b(?:We|us|I(?!/)|my|[Oo]ur own)\b", spoken
    ) or (_WE.search(spoken) and not (plural and _WE_WITHIN.fullmatch(spoken))):
        return False
    if (
        wording.startswith(("as ", "them ")) or wording[0] in ",:;-" or wording[-1] in ",:;-" or wording.count(";") == 1
    ):  # of two clauses the second is no longer theirs
        return False
    if told.front and not is_whole_front(told.front):
        return False
    is_clause = told.is_clause
    if is_clause and len(wording.split()) < _LEAST_IN_CLAUSE:
        return False
    if _points_back(told):
        return False
    # "It" may be what the abstract spoke of before; within a clause it seldom is.
    if leans_outside(wording) or re.search(r"^it\b" if is_clause else r"\bit\b(?! (?:is|was|can be|may be) )", wording):
        return False
    return not (
        is_clause and re.match(r"(?:\w+ ){0,3}(?:more|similar|comparable|better|worse|faster)\b(?!.*\bthan\b)", wording)
    )


def _names_subject(told: Contribution, spoken: str, subject: frozenset[str], share: float) -> bool:
    """Return True if a sentence says what its paper is on: by a name that its title has, or that share of its words.

    Of sentences with less than half, read by somebody else, a third dangled: "a new random effects model to account for
    spatial dependence" (of extreme precipitation).
    """
    named = stems_of(told.said.split(" ", 1)[0]) & subject
    telling = subject - SAYING_LITTLE or subject
    return bool(named) or len(stems_of(spoken) & telling) >= share * len(telling)


def says_subject(told: Contribution, paper: Paper, beside: str) -> bool:
    """Return True if a sentence says, with the words `beside` it, what its paper is on."""
    return _names_subject(told, f"{told.front} {told.said} {beside}", stems_of(paper.title), _OF_A_TITLE)


def stems_of(text: str) -> frozenset[str]:
    return frozenset(map(stem, content_words(text)))


def is_plural(paper: Paper) -> bool:
    """Return True if the names that a textual citation prints are more than one: "Ho", "the CMS Collaboration" are not."""
    return len(paper.authors) != 1 and not (paper.authors and is_collective(split_name(paper.authors[0]).surname))


SAYING_LITTLE = frozenset(map(stem, BARE_PRODUCTS | PRAISE | PRAISE_OF_PRODUCTS | {"using", "based"}))
