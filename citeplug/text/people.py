"""Comparison of two lists of authors, in whatever form the names are written.

nameparser and pybtex split one name; neither says whether two names can be one person's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from citeplug.text.compare import Degree
from citeplug.text.folding import Name, fold_name, is_collective, name_forms, same_family, split_name
from citeplug.text.tables import Tables

Forms = frozenset[str]

_NICKNAMES = tuple(frozenset(names.split()) for names in Tables(__name__).values("nicknames"))
_NOISE = re.compile(r"\b\d{4}\b\s*$")  # DBLP tells namesakes apart by 0001, 0002, ...
_MOST_NAMED = 3
_MOST_INITIALS = 6  # written together, without stops


@dataclass(frozen=True, slots=True)
class AuthorsCompared:
    """`same`; `close`: the right people, but incomplete or in another order; `other`: someone else among them.

    `everyone`: nobody is missing on either side, in whatever order they are.
    """

    degree: Degree
    why: str = ""
    everyone: bool = False


def cited_people(names: Sequence[str], *, more: bool = False) -> str:
    """The people of a work as a text cites them: `Smith`, `Smith and Li`, `Smith et al.`; empty without names."""
    surnames = [split_name(name).surname for name in names[:3]]
    return f"{surnames[0]} et al." if surnames and (more or len(surnames) > 2) else " and ".join(surnames)


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def named_works(text: str, names: Mapping[str, str]) -> str:
    """A text in which keys that are words of their own have the names of their works in their place."""
    either = "|".join(map(re.escape, names))
    return re.sub(rf"(?<!\S)(?:{either})(?=[\s,.;]|$)", lambda match: names[match[0]], text) if names else text


def split_authors(text: str) -> tuple[list[str], bool]:
    """The names of an author field, and whether it ends in `and others`."""
    names, depth, start = [], 0, 0
    for match in re.finditer(r"[{}]|\s+and\s+", text):
        if match[0] in "{}":
            depth += 1 if match[0] == "{" else -1
        elif depth == 0:
            names.append(text[start : match.start()])
            start = match.end()
    names.append(text[start:])
    names = [" ".join(name.split()) for name in names]
    open_end = bool(names) and re.fullmatch(r"\{?(?:others|et\.?\s*al\.?)\}?", names[-1], re.IGNORECASE) is not None
    if open_end:
        names.pop()
    elif names and (cut := re.search(r",?\s+et\.?\s*al\b\.?", names[-1], re.IGNORECASE)):
        names[-1], open_end = names[-1][: cut.start()] + names[-1][cut.end() :], True
    return [name for name in names if any(letter.isalnum() for letter in name)], open_end


def compare_authors(entered: str, recorded: Sequence[str]) -> AuthorsCompared:
    """Compare an author field with a record's authors, in order, given names compatible.

    Initials fit what they abbreviate, middle names may be missing, `and others` may cut the list. Names of
    collaborations are compared only where there is nobody else.
    """
    names, cut = split_authors(entered)
    compared = compare_names(names, cut, recorded)
    if compared.degree != "same" and len(names) <= 2:
        # Not BibTeX's way, but what authors write: "A. Smith, B. Jones \\& C. Doe".
        listed = [name for name in re.split(r"\s*(?:[,;&]|\\&|\band\b)\s*", entered) if name.strip()]
        if len(listed) > len(names) and compare_names(listed, cut, recorded).degree == "same":
            return AuthorsCompared("same", everyone=True)
    return compared


def compare_names(names: Sequence[str], cut: bool, recorded: Sequence[str]) -> AuthorsCompared:
    """As `compare_authors`, for names by themselves; `cut`: the list ends in `and others`."""
    ours = [split_name(_NOISE.sub("", name)) for name in names]
    theirs = [split_name(name) for name in recorded if any(letter.isalnum() for letter in name)]
    our_people, their_people = _people(ours), _people(theirs)
    if not our_people or not their_people:
        return _compare_collectives(ours, theirs)
    ours, theirs = our_people, their_people
    in_pairs = all(same_person(a, b) for a, b in zip(ours, theirs, strict=False))
    if in_pairs and (len(ours) == len(theirs) or (cut and len(ours) < len(theirs))):
        return AuthorsCompared("same", everyone=True)
    if in_pairs and len(ours) > len(theirs):
        return AuthorsCompared("other", f"{_shown(ours[len(theirs)])} is not among the authors")
    strangers = [name for name in ours if not any(same_person(name, other) for other in theirs)]
    if strangers:
        return AuthorsCompared("other", f"{_shown(strangers[0])} is not among the authors")
    missing = [name for name in theirs if not any(same_person(name, other) for other in ours)]
    if len(ours) < len(theirs) and _are_in_order(ours, theirs):
        missing = missing or theirs[len(ours) :]
        return AuthorsCompared("close", _said_to_miss(missing, len(theirs)))
    order = "the authors are in another order"
    if missing:
        return AuthorsCompared("close", f"{_said_to_miss(missing, len(theirs))}, and {order}")
    return AuthorsCompared("close", order, everyone=len(ours) == len(theirs))


def _are_in_order(ours: Sequence[Name], theirs: Sequence[Name]) -> bool:
    """True if the longer list has all of the shorter one in its order."""
    others = iter(theirs)
    return all(any(same_person(name, other) for other in others) for name in ours)


def _said_to_miss(missing: Sequence[Name], number: int) -> str:
    if len(missing) == 1:
        return f"{_shown(missing[0])} is missing"
    named = ", ".join(map(_shown, missing[:_MOST_NAMED])) + (", ..." if len(missing) > _MOST_NAMED else "")
    return f"{len(missing)} of {number} authors are missing: {named}"


def _people(names: Sequence[Name]) -> list[Name]:
    return [name for name in names if not is_collective(name.family)]


def _compare_collectives(ours: Sequence[Name], theirs: Sequence[Name]) -> AuthorsCompared:
    """One side names a collaboration alone; the other may name it, or its members."""
    our_groups = {_group(name) for name in ours if is_collective(name.family)}
    their_groups = {_group(name) for name in theirs if is_collective(name.family)}
    if not ours or not theirs:
        return AuthorsCompared("other", "there are no names to compare")
    if our_groups and their_groups:
        alike = any(a in b or b in a for a in our_groups for b in their_groups)
        return (
            AuthorsCompared("same", everyone=True) if alike else AuthorsCompared("other", "it is another collaboration")
        )
    return AuthorsCompared("close", "one side names a collaboration, the other people")


def _group(name: Name) -> str:
    words = re.sub(
        r"\b(?:the|for|on behalf of|collaborations?|consortium|team|group|et al)\b", " ", name.family.lower()
    )
    return fold_name(words) or fold_name(name.family)


@lru_cache(4096)  # lists are compared both ways, and each name of one with all of the other
def same_person(first: Name, second: Name) -> bool:
    """True if two names can be one person's: surnames alike, given names not at odds."""
    whole, other = name_forms(_whole(first)), name_forms(_whole(second))
    if _tokens(first) == _tokens(second) or whole & other:
        return True
    # "De Giacomo" alone is a surname, though its first word could be a given name.
    if whole & name_forms(second.surname) or other & name_forms(first.surname):
        return True
    return any(
        same_family(ours, second) and any(_compatible(a, b) for a in _given_names(ours) for b in _given_names(second))
        for ours in (first, *_turned(first))
    )


def _turned(name: Name) -> list[Name]:
    """The name with family and given name in the other order, as some cultures and tools write it."""
    if name.particles or name.suffix or not re.fullmatch(r"[^\s.]{2,}", name.given):
        return []
    return [Name(name.family, "", name.given)]


def _whole(name: Name) -> str:
    return f"{name.given}{name.particles}{name.family}{name.suffix}"


@lru_cache(65536)
def _tokens(name: Name) -> tuple[str, ...]:
    text = f"{name.given} {name.particles} {name.family}"
    return tuple(sorted(fold_name(word) for word in re.split(r"[\s-]+", text) if fold_name(word)))


def _given_names(name: Name) -> list[list[Forms]]:
    """Given names as words; `JR` may be initials written together, or a name of its own."""
    words = [word for word in re.split(r"[\s.~-]+", name.given) if word]
    apart = [
        letter for word in words for letter in (word if len(word) <= _MOST_INITIALS and word.isupper() else [word])
    ]
    readings = [words] if apart == words else [words, apart]
    return [[forms for word in reading if (forms := name_forms(word))] for reading in readings]


def _compatible(ours: Sequence[Forms], theirs: Sequence[Forms]) -> bool:
    """True if two lists of given names can be one person's: the shorter one is found in the longer, in order."""
    if not ours or not theirs:
        return True
    if {"".join(map(min, ours))} == {"".join(map(min, theirs))}:
        return True
    if not _alike(ours[0], theirs[0]):
        # "J. Robert" may be given as "Robert", but never without any name in common that is written out.
        longer, shorter = sorted((ours, theirs), key=len, reverse=True)
        return len(shorter) == 1 and len(min(shorter[0])) > 2 and shorter[0] in longer[1:]
    return _in_order(ours[1:], theirs[1:])


def _in_order(ours: Sequence[Forms], theirs: Sequence[Forms]) -> bool:
    if not ours or not theirs:
        return True
    shorter, longer = sorted((ours, theirs), key=len)
    position = 0
    for name in shorter:
        while position < len(longer) and not _alike(name, longer[position]):
            position += 1
        if position == len(longer):
            return False
        position += 1
    return True


def _alike(first: Forms, second: Forms) -> bool:
    """Equal, one the beginning of the other, or customary short forms."""
    if any(a.startswith(b) or b.startswith(a) for a in first for b in second):
        return True
    return any(first & group and second & group for group in _NICKNAMES)


def _shown(name: Name) -> str:
    return " ".join(filter(None, [name.given, name.particles, name.family, name.suffix]))


def share_of_surnames(entered: str, recorded: Sequence[str]) -> float:
    """0 to 1: how many of the surnames in an author field are among the record's."""
    names = [split_name(_NOISE.sub("", name)) for name in split_authors(entered)[0]]
    others = [split_name(name) for name in recorded]
    return sum(any(same_family(name, other) for other in others) for name in names) / len(names) if names else 0.0
