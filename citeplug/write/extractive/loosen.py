"""Loosen wording that follows its source too closely, without changing what it says.

Function words, set phrases and the form of modifiers are exchanged where eight or more words in a row are the
source's; nouns, numbers and negations are not touched.
"""

import re
from collections.abc import Callable, Sequence

from citeplug.text.cited_text import copied_runs
from citeplug.text.inflection import BASE_OF_GERUND, GERUND_OF_BASE, base_of_third, gerund, third_person
from citeplug.text.lexicon import AUXILIARIES, DOINGS, NOMINAL, PREPOSITIONS, PRODUCTS, VERBS
from citeplug.write.extractive.shortening import NOUN_ING

Exchange = str | Callable[[re.Match[str]], str | None]

ADJECTIVE = r"[a-z-]{3,}(?:ical|ional|ual|ous|ful|able|ible|ive|atic|otic|etic|ary|ular|ant|less|ic)\b"
_PRODUCT = r"\b(?:" + "|".join(sorted(PRODUCTS, key=len, reverse=True)) + ")"


def _to_infinitive(match: re.Match[str]) -> str | None:
    base, second = BASE_OF_GERUND.get(match["verb"]), BASE_OF_GERUND.get(match["second"] or "")
    if not base or bool(match["second"]) != bool(second):
        return None
    return f"{match['noun']} to {base}" + (f" and {second}" if second else "")


def _to_gerund(match: re.Match[str]) -> str | None:
    form, second = GERUND_OF_BASE.get(match["verb"]), GERUND_OF_BASE.get(match["second"] or "")
    if not form or bool(match["second"]) != bool(second):
        return None
    return f"{match['noun']} for {form}" + (f" and {second}" if second else "")


def _doing(match: re.Match[str]) -> str | None:
    """ "for the detection of errors": "for detecting errors"."""
    form = NOMINAL.get(match["noun"])
    return f"{match['before']} {form} " if form else None


def _participial(match: re.Match[str]) -> str | None:
    """ "graphs that contain cycles": "graphs containing cycles"."""
    verb = match["verb"]
    base = verb if verb in VERBS | DOINGS else base_of_third(verb) if verb.endswith("s") else ""
    if base not in VERBS | DOINGS or verb in AUXILIARIES:
        return None
    return f"{match['noun']} {gerund(base)}"


def _able(match: re.Match[str]) -> str | None:
    return f"{match['noun']} able to {match['verb']}" if match["verb"] in VERBS | DOINGS else None


def _relative(word: str) -> Callable[[re.Match[str]], str | None]:
    def swap(match: re.Match[str]) -> str | None:
        verb = match["verb"]
        if verb in AUXILIARIES or (verb.endswith("s") and not verb.endswith("ss") and len(verb) > 3):
            return f"{match['noun']} {word} {verb}"
        return None

    return swap


def _can(match: re.Match[str]) -> str | None:
    base = BASE_OF_GERUND.get(match["verb"])
    return f"able to {base}" if base else None


def _with_relative(match: re.Match[str]) -> str | None:
    """ "an approach combining both": "an approach that combines both"."""
    if NOUN_ING.fullmatch(match["verb"]) or match["noun"].endswith("s"):
        return None  # "representation learning" is one thing
    base = BASE_OF_GERUND.get(match["verb"])
    return f"{match['noun']} that {third_person(base)} " if base else None


def _doing_it(match: re.Match[str]) -> str | None:
    """ "a view, which treats both": "a view, treating both"."""
    base = base_of_third(match["verb"])
    return f", {gerund(base)} " if base in VERBS | DOINGS else None


def _at_doing(match: re.Match[str]) -> str | None:
    form = GERUND_OF_BASE.get(match["verb"])
    return f"{match['noun']} at {form}" if form else None


def _by_means(match: re.Match[str]) -> str | None:
    return None if match["before"].lower() in PREPOSITIONS else f"{match['before']} by means of "


def _as_well_as(match: re.Match[str]) -> str | None:
    """ "cost and time" as "cost as well as time", where no verb must agree and no pair is split."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if re.search(r"\b(?:between|both|either|that|whether|how)\b|,[^,]*$", before) or re.match(
        r"\w+ing\b|(?:the|a|an)\b", after
    ):
        return None
    if (
        set(after.split()) & AUXILIARIES
        or after.split()[0] in VERBS | DOINGS
        or base_of_third(after.split()[0]) in VERBS
    ):
        return None
    return " as well as "


_RULES: list[tuple[str, Exchange]] = [
    (r"\bin order to\b|\bso as to\b", "to"),
    (r"\b(?:which|that) (?:is|are) (?=(?:based|defined|given|obtained|generated|used|induced|described|determined|designed|"
     r"trained|caused|called|known|constructed|built|derived)\b)", ""),
    (r"\ba (?:wide |broad |large )?(?:variety|range) of\b", "various"),
    (r"\ba large number of\b", "many"),
    (r"\b(?:is|are) (?:able|capable) to\b", "can"),
    (r"\bby (?:means of|using|the use of)\b|\bwith the (?:use|help) of\b", "with"),
    (r"\bBy (?:means of|using|the use of)\b", "With"),
    (r"\bthrough the use of\b", "through"),
    (r"\bon the basis of\b", "based on"),
    (rf"(?P<noun>{_PRODUCT}|\bproblem|\btask) for (?P<verb>[a-z]+ing)\b(?: and (?P<second>[a-z]+ing)\b)?(?! or)(?!,)", _to_infinitive),
    (rf"(?P<noun>{_PRODUCT}) to (?P<verb>[a-z]+)\b(?: and (?P<second>[a-z]+)\b)?(?! or )(?!,)", _to_gerund),
    (r"(?<=[a-z] )(?P<before>for|in|of|on|by|with|from) (?:the )?(?P<noun>[a-z]+) of (?=\w)", _doing),
    (rf"(?P<noun>{_PRODUCT}) that (?P<verb>[a-z]+)\b", _relative("which")),
    (rf"(?P<noun>{_PRODUCT}) which (?P<verb>[a-z]+)\b", _relative("that")),
    (r"(?P<noun>\b[a-z]+s) that can (?P<verb>[a-z]+)\b(?! (?:and|or)\b)", _able),
    (rf"(?P<noun>{_PRODUCT}) (?:that|which) can (?P<verb>[a-z]+)\b(?! (?:and|or)\b)", _able),
    (r"(?P<noun>\b[a-z-]{4,}) (?:that|which) (?P<verb>[a-z]{4,})\b(?! (?:and|or)\b)(?=(?: the| an?| both| all| only| its| no)? \w)", _participial),
    (rf"({_PRODUCT}) based on\b", r"\1 built on"),
    (r"\bbased (solely|only|entirely|purely|mainly|primarily|largely) on\b", r"resting \1 on"),
    (r"(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!instead )(?<!rather )(?<!being )\bbased on\b(?! (?:which|whether|how))", "on the basis of"),
    (r"\bnamed\b(?! entit)", "called"),
    (r"\bcalled\b", "named"),
    (r"(?P<before>\b[\w-]+) using (?=(?:an?|the) |[a-z]+ )", _by_means),
    (rf"(?P<noun>\ban? (?:[\w-]+ ){{0,4}}?{_PRODUCT}) (?P<verb>[a-z]+ing) (?=(?:the|an?|both|all|[a-z]+) )", _with_relative),
    (rf"(?<= )(?P<first>{ADJECTIVE}) and (?=(?:non-)?{ADJECTIVE} [a-z])", r"\g<first> as well as "),
    (r", which (?P<verb>[a-z]{4,}s) (?=[a-z])(?!.* and [a-z]+s\b)", _doing_it),
    (r"\b(?P<noun>attempts?) to (?P<verb>[a-z]+)\b", _at_doing),
    (r"\bsuch as\b", "including"),
    (r"\bcapable of (?P<verb>[a-z]+ing)\b", _can),
    (r"\bconsisting of\b", "made up of"),
    (r"\bin which\b", "where"),
    (r"(?<=[a-z]) where (?=(?:the|a|an|each|some|all|both|no|one|many)\b)", " in which "),
    (r"\bdue to\b(?! [A-Z])", "because of"),
    (r"\bwith respect to\b", "relative to"),
    (r"\bcompared to\b", "compared with"),
    (r"\bcompared with\b", "compared to"),
    (r"\btogether with\b", "along with"),
    (r"\balong with\b", "together with"),
    (r"\bvia\b", "through"),
    (r"\bwithin (?=(?:the|a|an)\b)", "in "),
    (r"\bupon\b", "on"),
    (r"\btowards\b", "toward"),
    (r"\bthroughout\b", "across"),
    (r"\bin the (?:context|setting|framework) of\b", "in"),
    (r"\b(?:because|since) (?=(?:the|it|they|a)\b)", "as "),
    (r"\beven though\b|\balthough\b", "though"),
    (r"\bwhereas\b", "while"),
    (r"\bboth (?=[\w-]+ and )", ""),
    (r"(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bit )(?<!\bas )(?<!\bso )(?<!more )(?<!most )(?<!\bnot )(?<!very )\b(?:appropriate|suitable|particular|certain|respective|overall|entire|underlying|necessary|desired|well-known|"
     r"important|challenging|inherent) (?=[a-z])", ""),
    (r"(?<=[a-z] )(?<!more )(?<!most )(?<!less )(?<!not )(?<!as )(?<!so )(?:automatically|directly|explicitly|naturally|accurately|reliably|dynamically|actively|rapidly|quickly|seamlessly|"
     r"precisely|correctly|adaptively|flexibly|intelligently) (?=[a-z]+)", ""),
    (r", and (?=(?:an?|the|their) )", " together with "),
    (r"(?<=[a-z]) and (?=(?:an?|their) )", " as well as "),
    (
        r"\b(study|studies|consider|considers|investigate|investigates|examine|examines|discuss|discusses|address|addresses)"
        r" the (?:problem|task|question|issue|topic) of (?!\w+ing\b)",
        r"\1 ",
    ),
    (rf"({_PRODUCT}) with (?=(?:an?|the) )", r"\1 having "),
    (r"(?<=[a-z]) and (?=[a-z]+(?:$|,| (?:of|for|in|on|with|to|from|by|using|at|under|over)\b))", _as_well_as),
    (r"(?<=[a-z]s) containing (?=[a-z])", " with "),
    (r"(?<=[a-z]) including (?=[a-z])", ", among them "),
]  # fmt: skip
_COMPILED = [(re.compile(pattern), exchange) for pattern, exchange in _RULES]
_ONCE = re.compile(
    r"\b(by means of|built on|on the basis of|as well as|together with|made up of|having|able to|among them)\b.*\b\1\b"
)


def loosen(text: str, sources: Sequence[str], n: int = 8) -> str:
    """`text` with as few exchanges as it takes so that no `n` words in a row are those of a source.

    Where that cannot be reached, the runs that remain are as short as the exchanges make them.
    """
    for _ in range(12):
        runs = [run for source in sources for run in copied_runs(text, source, n)]
        if not runs:
            return text
        changed = _exchange(text, *max(runs, key=lambda run: run[1] - run[0]))
        if changed is None:
            return text
        text = changed
    return text


def _exchange(text: str, start: int, end: int) -> str | None:
    """`text` after the exchange nearest the middle of the run, None if no rule fits inside it."""
    middle = (start + end) / 2
    best: tuple[float, str] | None = None
    for rank, (pattern, exchange) in enumerate(_COMPILED):
        for match in pattern.finditer(text, start, end):
            if "$" in match.group() or text[: match.start()].count("$") % 2:
                continue
            new = exchange(match) if callable(exchange) else match.expand(exchange)
            if new is None:
                continue
            changed = re.sub(r" {2,}", " ", text[: match.start()] + new + text[match.end() :]).replace(" ,", ",")
            distance = abs((match.start() + match.end()) / 2 - middle) + 0.3 * rank
            if (best is None or distance < best[0]) and changed != text and not _ONCE.search(changed):
                best = distance, changed
    return best[1] if best else None
