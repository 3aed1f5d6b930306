"""Noun phrases of a title and an abstract, good enough to stand alone: as a heading, or as a topic."""

import re
from dataclasses import dataclass

from citeplug.records.paper import Paper
from citeplug.write.inflection import gerund, participle, past, third_person
from citeplug.write.lexicon import AMBIGUOUS, PRAISE, STOPWORDS, VERBS
from citeplug.write.plaintext import plain_text

Phrases = dict[str, "NounPhrase"]


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """`display`: as it would stand in the middle of a sentence. `weight`: larger where the title has it."""

    display: str
    weight: float


_VERB_FORMS = frozenset(
    form
    for verb in VERBS
    for form in (
        (participle(verb), past(verb))
        if verb in AMBIGUOUS
        else (verb, third_person(verb), participle(verb), past(verb), gerund(verb))
    )
) - frozenset(
    "learning embedding tracking ranking sampling clustering encoding decoding training testing mapping report reports".split()
)
_MORE_BREAKS = frozenset(
    """allow allows allowing enable enables enabling require requires requiring provide achieves achieving outperforms outperform
    include includes including lead leads leading become becomes remain remains contain contains containing consist consists
    consisting involve involves involving depend depends arise arises exist exists exhibit exhibits rise
    recent recently existing current previous prior proposed new known called related various different several
    important significant major main key good best better large-scale-based able unable due according particular certain
    given general common possible available necessary challenging popular traditional conventional standard typical
    paper work article study letter note results result approach approaches way ways problem problems issue issues
    use aspects aspect case cases part number variety range lot example examples novel terms
    today years year ago simple future further total respective corresponding widely currently real
    successful successfully towards toward show shows shown via versus using based driven like non et al
    et i.e e.g respect order addition contrast fact end context presence absence amount one two three four five
    much little whole entire overall specific additional similar suitable appropriate crucial essential useful help helps need needs
    without yielding obtain obtains makes making make take takes taken being having
    thing things kind kinds sort sorts type types field area areas topic topics question questions answer answers
    introduction overview survey review tutorial perspective proceedings workshop report thesis part remarks comments""".split()
)
_BREAKS = STOPWORDS | PRAISE | _VERB_FORMS | _MORE_BREAKS
_ADJECTIVE = re.compile(
    r".*(?:ical|ional|ual|ial|eous|ious|ful|less|able|ible|ive|ary|ular|atic|istic|etic|ent|ant|ic|al|ous|ed|aware|free|wise|level|scale|driven|based|like|efficient|specific|oriented|independent|dependent|invariant|guided|assisted|agnostic|complete|hard)$"
)
_NOUNS_ANYWAY = frozenset(
    """music logic topic metric traffic arithmetic heuristic graphic statistic magnetic-field critic clinic rhetoric
    signal kernel retrieval removal proposal trial journal arrival interval potential material integral principal
    functional differential exponential polynomial rational tutorial manual animal hospital denial capital terminal
    goal renewal disposal approval dual polynomial propositional residual individual
    agent content document component environment event movement measurement experiment deployment management assignment
    alignment investment development improvement enhancement refinement segment segment statement argument element
    treatment assessment employment engagement placement moment coefficient gradient patient constant participant variant
    invariant plant determinant accident talent parent client current quotient transient exponent ingredient entanglement
    variable table cable observable ensemble
    objective perspective alternative derivative archive drive narrative incentive adjective
    vocabulary dictionary summary library boundary glossary commentary
    speed feed seed need embed bed
    level scale space language database dataset model singular molecular
    virus corpus consensus status campus calculus radius locus focus apparatus
    tree free degree""".split()
)
_BAD_LAST = frozenset(
    "based using driven aware approach approaches method methods problem problems study studies paper work use way results result analysis".split()
)
_FINE_SINGLE = re.compile(
    r"^(?:[A-Z][\w-]*[A-Z][\w-]*|[a-z]+(?:tion|ity|ment|ness|ism|ology|ometry|ography|gravity|cosmology)s?)$"
)
_LINKS = frozenset({"of", "in", "for", "on"})


def noun_phrases(paper: Paper) -> Phrases:
    """Noun phrases of one to five words by their lower-case singular form."""
    title = _readable(paper.title)
    abstract = _readable(paper.abstract)
    lower = {word for word in re.findall(r"(?<![A-Za-z$\\])[a-z][a-z-]+", abstract + " " + _after_first(title))}
    found: Phrases = {}
    for text, weight in ((title, 2.0), (abstract, 1.0)):
        for chunk in _chunks(text):
            for size in range(1, 6):
                if size > len(chunk):
                    break
                # The head stands last: a shorter phrase is the end of a longer one, or the whole.
                phrase = chunk[-size:]
                if not _stands_alone(phrase, lower):
                    continue
                display = " ".join(_in_sentence(word, lower) for word in phrase)
                key = normal_form(display)
                if not key:
                    continue
                bonus = 0.5 if size == len(chunk) else 0.0
                old = found.get(key)
                total = (old.weight if old else 0.0) + weight + bonus
                found[key] = NounPhrase(old.display if old else display, min(total, 8.0))
    return found


def normal_form(phrase: str) -> str:
    """Lower case, with the last word in the singular, to tell the same phrase by."""
    tokens = phrase.lower().split()
    last = tokens[-1]
    if last.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif last.endswith("s") and not last.endswith(("ss", "us", "is", "ics")):
        last = last[:-1]
    return " ".join([*tokens[:-1], last])


def _readable(text: str) -> str:
    plain = plain_text(text)
    if plain is None:
        plain = re.sub(r"\\[A-Za-z]+|[{}\\]", " ", re.sub(r"\$[^$]*\$", " ; ", text))
    return re.sub(r"\$[^$]*\$", " ; ", plain)


def _after_first(text: str) -> str:
    return text.partition(" ")[2]


def _chunks(text: str) -> list[list[str]]:
    """Runs of words between function words, verbs and punctuation."""
    chunks: list[list[str]] = []
    current: list[str] = []
    for token in re.findall(r"[A-Za-z][\w'’]*(?:[-–][\w'’]+)*|\d[\w-]*|[^\s\w]", text):
        word = token.lower()
        if (
            not token[0].isalpha()
            or word in _BREAKS
            or (word.endswith("ly") and len(word) > 4 and word not in ("family", "anomaly", "assembly", "supply"))
        ):
            if current:
                chunks.append(current)
            current = []
        else:
            current.append(token)
    if current:
        chunks.append(current)
    return [chunk[:-1] if chunk[-1].lower() in _BAD_LAST else chunk for chunk in chunks if len(chunk) <= 7]


def _stands_alone(phrase: list[str], lower: set[str]) -> bool:
    last, first = phrase[-1], phrase[0]
    word = last.lower()
    if len(phrase) == 1 and not (_FINE_SINGLE.match(last) and len(last) > 2):
        return False
    if word in _BAD_LAST or (len(word) < 3 and not last.isupper()):
        return False
    if (
        _ADJECTIVE.match(word)
        and word not in _NOUNS_ANYWAY
        and word.rstrip("s") not in _NOUNS_ANYWAY
        and not last.isupper()
    ):
        return False
    if (word.endswith("ing") and len(phrase) == 1) or first.lower().endswith("'s") or last.endswith("'s"):
        return False
    return not any(len(part) == 1 and part.islower() for part in phrase) and len(" ".join(phrase)) <= 60


def _in_sentence(word: str, lower: set[str]) -> str:
    if word[0].isupper() and (word[1:].islower() or re.match(r"^[A-Z][a-z]+(?:-[A-Za-z][a-z]+)+$", word)):
        small = word.lower()
        if (
            small in lower
            or small.rstrip("s") in lower
            or small + "s" in lower
            or all(part in lower for part in small.split("-"))
        ):
            return small
    return word
