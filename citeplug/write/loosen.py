"""Loosen wording that follows its source too closely, without changing what it says.

Function words, set phrases and the form of modifiers are exchanged where eight or more words in a row are the
source's; content words, numbers and negations are not touched.
"""

import re
from collections.abc import Callable

from citeplug.write.attribution import copied_runs
from citeplug.write.lexicon import AUXILIARIES, PRAISE, PRODUCTS, VERBS, gerund

Replacement = str | Callable[[re.Match[str]], str | None]

_PRODUCT = "(?:" + "|".join(sorted(PRODUCTS, key=len, reverse=True)) + ")"
_GERUNDS = {gerund(verb): verb for verb in VERBS}
_MORE_VERBS = """accelerate access accommodate achieve acquire adjust align allocate alleviate annotate assign attain
    automate avoid balance bridge capture choose clean combine compose compress correct correlate count cover
    customize debug decide decrease decompose deduce defend delete deploy detect diagnose differentiate discover
    discriminate distinguish distribute edit elicit eliminate encourage enforce enhance enrich ensure enumerate
    execute expand extrapolate extract facilitate fill filter find fit forecast fuse gain generate guarantee guide
    handle help identify incorporate increase index inspect interact interpolate investigate isolate join keep
    lift locate maintain manage manipulate match mine mitigate model monitor move navigate obtain organize
    overcome partition perform plan precode predict preserve prevent prioritize process produce protect prune query
    reach reason reconstruct recover rectify reduce regularize remove render reorder replace resolve respond
    restore retrieve reuse reveal schedule search select separate share solve specify speed stabilize store
    strengthen synthesize synthesise target teach trace transfer transform transmit tune understand update
    validate verify visualize visualise write reason recognize recognise learn check""".split()
_GERUNDS |= {gerund(verb): verb for verb in _MORE_VERBS}
_DOUBLED = {"planning": "plan", "fitting": "fit", "transferring": "transfer", "transmitting": "transmit", "embedding": "", "modelling": "model", "controlling": "control", "mapping": "map", "stating": ""}  # fmt: skip
_GERUNDS = {form: base for form, base in (_GERUNDS | _DOUBLED).items() if base}
_INFINITIVES = {base: form for form, base in _GERUNDS.items()}
_THIRD_ENDING = re.compile(r"[a-z]{3,}s$")


def _to_infinitive(match: re.Match[str]) -> str | None:
    base = _GERUNDS.get(match["verb"])
    return f"{match['noun']} to {base}" if base else None


def _to_gerund(match: re.Match[str]) -> str | None:
    form = _INFINITIVES.get(match["verb"])
    return f"{match['noun']} for {form}" if form else None


def _relative(word: str) -> Callable[[re.Match[str]], str | None]:
    def swap(match: re.Match[str]) -> str | None:
        verb = match["verb"]
        if verb in AUXILIARIES or (_THIRD_ENDING.match(verb) and not verb.endswith("ss")):
            return f"{match['noun']} {word} {verb}"
        return None

    return swap


_RULES: list[tuple[re.Pattern[str], Replacement]] = [
    (re.compile(r"\bin order to\b|\bso as to\b"), "to"),
    (re.compile(r"\bas well as\b"), "and"),
    (re.compile(r"\b(?:which|that) (?:is|are) (?=(?:based|defined|given|obtained|generated|used|induced|described|determined|designed|trained|caused|called|known|constructed|built|derived)\b)"), ""),
    (re.compile(r"\ba (?:wide |broad |large )?(?:variety|range) of\b"), "various"),
    (re.compile(r"\ba large number of\b"), "many"),
    (re.compile(r"\b(?:is|are) (?:able to|capable of) (?=[a-z]+\b(?<!ing))"), "can "),
    (re.compile(r"\bby means of\b"), "with"),
    (re.compile(r"\bby using\b|\bby the use of\b|\bwith the use of\b"), "with"),
    (re.compile(r"\bthrough the use of\b"), "through"),
    (re.compile(r"\bon the basis of\b"), "based on"),
    (re.compile(r"\bin the presence of\b"), "under"),
    (re.compile(rf"(?<=\b)(?P<noun>{_PRODUCT}|problems?|tasks?) for (?P<verb>[a-z]+ing)\b"), _to_infinitive),
    (re.compile(rf"(?<=\b)(?P<noun>{_PRODUCT}) to (?P<verb>[a-z]+)\b"), _to_gerund),
    (re.compile(rf"(?P<noun>\b{_PRODUCT}) that (?P<verb>[a-z]+)\b"), _relative("which")),
    (re.compile(rf"(?P<noun>\b{_PRODUCT}) which (?P<verb>[a-z]+)\b"), _relative("that")),
    (re.compile(rf"(?<=\b)({_PRODUCT}) based on\b"), r"\1 built on"),
    (re.compile(r"\bbased on\b(?! (?:which|whether|how))"), "on the basis of"),
    (re.compile(r"(?<!by )\busing (?=(?:an?|the|only|[a-z]+) )"), "by means of "),
    (re.compile(r"\bsuch as\b"), "including"),
    (re.compile(r"\bcapable of ([a-z]+ing)\b"), lambda m: f"able to {_GERUNDS[m.group(1)]}" if m.group(1) in _GERUNDS else None),
    (re.compile(r"\bconsisting of\b"), "made up of"),
    (re.compile(r"\bin which\b"), "where"),
    (re.compile(r"(?<=[a-z]) where (?=(?:the|a|an|each|some|all|both|no|one|many|agents|nodes|users)\b)"), " in which "),
    (re.compile(r"\bdue to\b"), "because of"),
    (re.compile(r"\bwith respect to\b"), "relative to"),
    (re.compile(r"\bcompared to\b"), "compared with"),
    (re.compile(r"\bcompared with\b"), "compared to"),
    (re.compile(r"\btogether with\b"), "along with"),
    (re.compile(r"\balong with\b"), "together with"),
    (re.compile(r"\bvia\b"), "through"),
    (re.compile(r"\bwithin (?=(?:the|a|an)\b)"), "in "),
    (re.compile(r"\bupon\b"), "on"),
    (re.compile(r"\btowards\b"), "toward"),
    (re.compile(r"\bthroughout\b"), "across"),
    (re.compile(r"\bin the context of\b|\bin the case of\b|\bin the setting of\b"), "for"),
    (re.compile(r"\b(?:because|since) (?=(?:the|it|they|a)\b)"), "as "),
    (re.compile(r"\beven though\b|\balthough\b"), "though"),
    (re.compile(r"\bwhereas\b"), "while"),
    (re.compile(r"\bso that\b"), "such that"),
    (re.compile(r"\balmost\b"), "nearly"),
    (re.compile(r"\bboth (?=[\w-]+ and )"), ""),
    (re.compile(r", and (?=(?:an?|the|their) )"), " together with "),
    (re.compile(r"(?<=[a-z]) and (?=(?:an?|their) )"), " as well as "),
    (re.compile(r"\bthe (?:problem|task|question|issue) of (?=(?:the|an?)\b)"), ""),
    (re.compile(rf"(?<=\b)({_PRODUCT}) with (?=(?:an?|the) )"), r"\1 having "),
    (re.compile(rf"(?<=\b)({_PRODUCT}) for (?=(?:the|an?) )"), r"\1 aimed at "),
]  # fmt: skip


def without_praise(text: str) -> str:
    """The text without the adjectives and adverbs by which authors recommend their work."""
    tokens = text.split(" ")
    kept: list[str] = []
    for index, token in enumerate(tokens):
        bare = token.rstrip(",")
        before = kept[-1].lower() if kept else ""
        if bare in PRAISE and index + 1 < len(tokens) and _droppable(token, before, tokens[index + 1]):
            if token.endswith(",") and before.rstrip(",") in ("a", "an"):
                continue
            continue
        kept.append(token)
    text = " ".join(kept)
    text = re.sub(r"\b([Aa])n?(?= (?:and|yet|but) )(?: and| yet| but) ", r"\1 ", text)
    return _fix_articles(text)


def _droppable(token: str, before: str, after: str) -> bool:
    if before in (
        "more",
        "most",
        "less",
        "as",
        "not",
        "is",
        "are",
        "be",
        "so",
        "too",
        "and",
        "or",
        "but",
        "yet",
        "both",
    ):
        return False
    return not re.match(
        r"(?:and|or|but|yet|than|to|in|for|of|as|by|enough|when|with|at|on)\b", after
    ) and not token.endswith((".", ";"))


def _fix_articles(text: str) -> str:
    def fix(match: re.Match[str]) -> str:
        article, word = match["article"], match["word"]
        return f"{article[0]}{'n' if _vowel_sound(word) else ''} {word}"

    return re.sub(r"\b(?P<article>an?|An?) (?P<word>[A-Za-z][\w-]*)", fix, text)


_VOWEL_LETTERS = "AEFHILMNORSX"


def _vowel_sound(word: str) -> bool:
    if re.match(r"[A-Z]{2,}|[A-Z]$|[A-Z]-|[A-Z]\d", word) and not re.match(
        r"(?:LA|RA|SA|NA|MA|FA|HA|LI|MI|NI|RI|SI|FI|NO|RO|SO|LO|MO|RE|SE|NE|LE|ME|FE|HE|SU|RU|LU|MU|NU|FU|HI|HO|HY)[A-Z]{2,}",
        word,
    ):
        return word[0] in _VOWEL_LETTERS
    lower = word.lower()
    if re.match(r"(?:uni(?!n|m)|use|usu|util|ubiq|u-|eu|one|once|uk)", lower):
        return False
    return lower[0] in "aeiou" or lower.startswith(("hour", "honest", "heir"))


def loosen(text: str, sources: tuple[str, ...], n: int = 8) -> str:
    """`text` with as few exchanges as it takes so that no `n` words in a row are those of a source.

    Where that cannot be reached the runs that remain are as short as the exchanges make them.
    """
    for _ in range(12):
        runs = [run for source in sources for run in copied_runs(text, source, n)]
        if not runs:
            return text
        start, end = max(runs, key=lambda run: run[1] - run[0])
        changed = _exchange(text, start, end)
        if changed is None:
            return text
        text = changed
    return text


def _exchange(text: str, start: int, end: int) -> str | None:
    """The exchange nearest the middle of the run, None if no rule fits inside it."""
    middle = (start + end) / 2
    best: tuple[float, str] | None = None
    for rank, (pattern, replacement) in enumerate(_RULES):
        for match in pattern.finditer(text, start, end):
            if "$" in match.group() or text[: match.start()].count("$") % 2:
                continue
            new = replacement(match) if callable(replacement) else match.expand(replacement)
            if new is None:
                continue
            distance = abs((match.start() + match.end()) / 2 - middle) + 0.2 * rank
            changed = text[: match.start()] + new + text[match.end() :]
            changed = re.sub(r" {2,}", " ", changed).replace(" ,", ",")
            if (best is None or distance < best[0]) and _settled(changed, text):
                best = distance, changed
    return best[1] if best else None


def _settled(changed: str, text: str) -> bool:
    # Two rules that undo each other would go round for ever; a repeated phrase reads badly.
    return changed != text and not re.search(
        r"\b(by means of|built on|on the basis of|as well as|together with|made up of|aimed at|having)\b.*\b\1\b",
        changed,
    )
