"""Whether the fields of an entry say what a record says: titles, authors, years, DOIs, one function each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from citeplug.records.draft import BibEntry
from citeplug.records.folding import Name, fold_name, fold_title, is_collective, name_forms, same_family, split_name

Degree = Literal["same", "close", "other"]
Forms = frozenset[str]

_NICKNAMES = tuple(frozenset(names) for names in (
    ("bob", "rob", "robert", "bobby"), ("bill", "will", "william", "billy"), ("mike", "michael"), ("tom", "thomas"),
    ("jim", "james", "jamie"), ("joe", "joseph"), ("tony", "anthony"), ("dick", "rick", "richard"), ("dave", "david"),
    ("andy", "andrew"), ("steve", "steven", "stephen"), ("kate", "katherine", "catherine", "kathryn"),
    ("ed", "edward", "ted"),
    ("jack", "john", "johnny"), ("hank", "henry", "harry"), ("larry", "lawrence", "laurence"), ("chuck", "charles"),
    ("sasha", "alexander", "alexandra", "aleksandr"), ("liz", "beth", "elizabeth"), ("peggy", "margaret", "maggie"),
    ("nick", "nicholas", "nikolaus"), ("jeff", "jeffrey", "geoff", "geoffrey"), ("misha", "mikhail"),
    ("jerry", "gerald"),
))  # fmt: skip
_SUBTITLE = re.compile(r"\s*(?::|\s[-–—]+\s|---?|\.\s|\?|—)\s*")
_NOISE = re.compile(r"\b\d{4}\b\s*$")  # DBLP tells namesakes apart by 0001, 0002, ...
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_GRAMMAR = frozenset(
    "a an the of for in on at to from by with and or via using towards toward into is are its as new some".split()
)
_PART = re.compile(r"(?:[ivx]+|\d+|part|revisited|extended|erratum|addendum|corrigendum|reply|comment|version)$")
_WRONG_WORD = 0.75  # two spellings of one word share so much of their letters
_CLOSE_TITLE = 0.85
_MOST_INITIALS = 6  # written together, without stops
_SUBTITLE_WORDS, _SUBTITLE_LETTERS = 2, 10  # a shorter part of a title may belong to anything
_SHORT_LETTERS = 2  # unless the authors are the same


def compare_titles(given: str, found: str, *, same_authors: bool = False) -> Degree:
    """`same`: equal when folded, or one lacks the other's subtitle; `close`: a few letters or words apart.

    With `same_authors` a main title of one word is enough: "Algorand" and "Algorand: A Fast Ledger".
    """
    ours, theirs = _squeezed(given), _squeezed(found)
    if not ours or not theirs:
        return "same" if given.strip() == found.strip() else "other"
    if ours == theirs or ours in _main_titles(found, same_authors) or theirs in _main_titles(given, same_authors):
        return "same"
    words = SequenceMatcher(None, fold_title(given).split(), fold_title(found).split(), autojunk=False).ratio()
    letters = SequenceMatcher(None, ours, theirs, autojunk=False)
    if words >= _CLOSE_TITLE or (letters.quick_ratio() >= _CLOSE_TITLE and letters.ratio() >= _CLOSE_TITLE):
        return "close"
    return "other"


def share_of_words(given: str, found: str) -> float:
    """0 to 1: how many of the shorter title's words, those of grammar aside, the other one has too."""
    ours, theirs = ({word for word in fold_title(text).split() if word not in _GRAMMAR} for text in (given, found))
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


def misspelt(given: str, found: str, *, word_by_word: bool) -> bool:
    """Whether two close titles are one, mangled, and not those of two papers of the same people.

    Parts, numbers and the like tell two papers apart. With `word_by_word` each word that differs has to have
    its counterpart, spelt alike.
    """
    ours, theirs = fold_title(given).split(), fold_title(found).split()
    for what, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        if any(_PART.match(word) for word in (*ours[a:b], *theirs[c:d])):
            return False
        if word_by_word and not all(_alike_words(*pair) for pair in zip_longest(ours[a:b], theirs[c:d], fillvalue="")):
            return False
    return True


def other_part(given: str, found: str) -> bool:
    """Whether two titles differ in nothing but the number of a part, or in being a comment, a reply, ..."""
    apart = set(fold_title(given).split()) ^ set(fold_title(found).split())
    return bool(apart) and all(_PART.match(word) for word in apart)


def _alike_words(one: str, other: str) -> bool:
    if not one or not other:
        return (one or other) in _GRAMMAR
    return SequenceMatcher(None, one, other).ratio() >= _WRONG_WORD


def share_of_surnames(given: str, found: Sequence[str]) -> float:
    """0 to 1: how many of the surnames in an author field are among the record's."""
    names = [split_name(_NOISE.sub("", name)) for name in split_authors(given)[0]]
    others = [split_name(name) for name in found]
    return sum(any(same_family(name, other) for other in others) for name in names) / len(names) if names else 0.0


def _squeezed(title: str) -> str:
    """Folded, without spaces, and without letters that ASCII cannot show: an entry for BibTeX lost those."""
    folded = fold_title(title).replace(" ", "")
    return "".join(letter for letter in folded if letter.isascii()) or folded


def _main_titles(title: str, same_authors: bool) -> set[str]:
    """What stands before a subtitle, where that is long enough to name a paper."""
    words, letters = (1, _SHORT_LETTERS) if same_authors else (_SUBTITLE_WORDS, _SUBTITLE_LETTERS)
    mains = set()
    for match in _SUBTITLE.finditer(title):
        main = title[: match.start()]
        if len(fold_title(main).split()) >= words and len(_squeezed(main)) >= letters:
            mains.add(_squeezed(main))
    return mains


def years_in(text: str | None) -> list[int]:
    """Years from 1900 to 2099 that stand by themselves in `text`."""
    return [int(year) for year in _YEAR.findall(text or "")]


def entry_year(entry: BibEntry) -> int | None:
    """The year of an entry's `year` or `date`."""
    return next(iter(years_in(entry.fields.get("year") or entry.fields.get("date"))), None)


@dataclass(frozen=True, slots=True)
class AuthorsCompared:
    """`same`; `close`: the right people, but incomplete or in another order; `other`: someone else among them."""

    degree: Degree
    why: str = ""


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


def compare_authors(given: str, found: Sequence[str]) -> AuthorsCompared:
    """Compare an author field with a record's authors, in order, given names compatible.

    Initials fit what they abbreviate, middle names may be missing, `and others` may cut the list. Names of
    collaborations are compared only where there is nobody else.
    """
    names, cut = split_authors(given)
    compared = _compare_lists(names, cut, found)
    if compared.degree != "same" and len(names) <= 2:
        # Not BibTeX's way, but what authors write: "A. Smith, B. Jones \\& C. Doe".
        listed = [name for name in re.split(r"\s*(?:[,;&]|\\&|\band\b)\s*", given) if name.strip()]
        if len(listed) > len(names) and _compare_lists(listed, cut, found).degree == "same":
            return AuthorsCompared("same")
    return compared


def _compare_lists(names: Sequence[str], cut: bool, found: Sequence[str]) -> AuthorsCompared:
    ours = [split_name(_NOISE.sub("", name)) for name in names]
    theirs = [split_name(name) for name in found if any(letter.isalnum() for letter in name)]
    our_people, their_people = _people(ours), _people(theirs)
    if not our_people or not their_people:
        return _compare_collectives(ours, theirs)
    ours, theirs = our_people, their_people
    pairs = list(zip(ours, theirs, strict=False))
    if all(same_person(a, b) for a, b in pairs):
        if len(ours) == len(theirs) or (cut and len(ours) < len(theirs)):
            return AuthorsCompared("same")
        if len(ours) < len(theirs):
            return AuthorsCompared("close", f"{len(theirs) - len(ours)} of {len(theirs)} authors are missing")
        return AuthorsCompared("other", f"{_shown(ours[len(theirs)])} is not among the authors")
    strangers = [name for name in ours if not any(same_person(name, other) for other in theirs)]
    if strangers:
        return AuthorsCompared("other", f"{_shown(strangers[0])} is not among the authors")
    return AuthorsCompared("close", "the authors are in another order")


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
        return AuthorsCompared("same") if alike else AuthorsCompared("other", "it is another collaboration")
    return AuthorsCompared("close", "one side names a collaboration, the other people")


def _group(name: Name) -> str:
    words = re.sub(
        r"\b(?:the|for|on behalf of|collaborations?|consortium|team|group|et al)\b", " ", name.family.lower()
    )
    return fold_name(words) or fold_name(name.family)


def same_person(first: Name, second: Name) -> bool:
    """Whether two names can be one person's: surnames alike, given names not at odds."""
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
    """Whether two lists of given names can be one person's: the shorter one is found in the longer, in order."""
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
