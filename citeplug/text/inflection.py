"""Forms of English verbs."""

from citeplug.text.lexicon import VERBS

_THIRD = {"have": "has", "are": "is", "do": "does", "go": "goes"}
_PARTICIPLE = {
    "show": "shown", "find": "found", "build": "built", "give": "given", "make": "made", "put": "put",
    "set": "set", "take": "taken", "begin": "begun", "deal": "dealt", "seek": "sought", "write": "written",
    "cast": "cast", "learn": "learned", "model": "modelled", "understand": "understood", "choose": "chosen",
}  # fmt: skip
_PAST = {"show": "showed", "give": "gave", "take": "took", "begin": "began", "write": "wrote", "choose": "chose"}
_DOUBLING = frozenset("map set put begin run cut plan control submit get fit transfer occur refer let stop".split())
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_VOWELS = "aeiou"


def third_person(verb: str) -> str:
    """ "proposes" of "propose"; of several words the first is inflected ("puts forward")."""
    head, _, rest = verb.partition(" ")
    if head in _THIRD:
        form = _THIRD[head]
    elif head.endswith(_SIBILANTS):
        form = head + "es"
    elif head.endswith("y") and head[-2] not in _VOWELS:
        form = head[:-1] + "ies"
    else:
        form = head + "s"
    return f"{form} {rest}".rstrip()


def participle(verb: str) -> str:
    """ "proposed" of "propose", "shown" of "show"."""
    return _with_ed(verb, _PARTICIPLE)


def past(verb: str) -> str:
    """ "proposed" of "propose", "showed" of "show"."""
    return _with_ed(verb, _PARTICIPLE | _PAST)


def gerund(verb: str) -> str:
    """ "proposing" of "propose"."""
    head, _, rest = verb.partition(" ")
    if head in _DOUBLING:
        form = head + head[-1] + "ing"
    elif head.endswith("e") and not head.endswith(("ee", "oe", "ye")) and head not in ("be", "are"):
        form = head[:-1] + "ing"
    else:
        form = {"are": "being"}.get(head, head + "ing")
    return f"{form} {rest}".rstrip()


def _with_ed(verb: str, irregular: dict[str, str]) -> str:
    head, _, rest = verb.partition(" ")
    if head in irregular:
        form = irregular[head]
    elif head.endswith("e"):
        form = head + "d"
    elif head.endswith("y") and head[-2] not in _VOWELS:
        form = head[:-1] + "ied"
    elif head in _DOUBLING:
        form = head + head[-1] + "ed"
    else:
        form = head + "ed"
    return f"{form} {rest}".rstrip()


# Every form of the verbs by which papers speak of themselves, with its base.
BASE_OF_THIRD = {third_person(verb): verb for verb in VERBS}
BASE_OF_PAST = {past(verb): verb for verb in VERBS} | {"modeled": "model"}
BASE_OF_PARTICIPLE = {participle(verb): verb for verb in VERBS} | {"proven": "prove", "modeled": "model"}
