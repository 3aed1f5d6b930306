"""Right entries that are unlike their record all the same: what a checker may remark on, and must not accuse."""

import random
from collections.abc import Callable, Mapping, Sequence

from benchmarks.entry_corruptions import mixed_title
from benchmarks.entry_styles import CLAIMING, WITH_ID, Draft, write
from citeplug.records.paper import Paper
from citeplug.text.folding import is_collective, split_name

Make = Callable[[Paper, Sequence[Paper], random.Random], Draft | None]


def renamed_since(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """The entry has a former title."""
    draft = write(record, rng, rng.choice(WITH_ID), plain=True)
    draft.title = _former_title(record, others, rng)
    return draft


def _former_title(record: Paper, others: Sequence[Paper], rng: random.Random) -> str:
    """Half of the words are others, or all of them."""
    words, new = record.title.split(), mixed_title(others, rng)
    half = " ".join([*words[: (len(words) + 1) // 2], *new.split()[: len(words) // 2]])
    return rng.choice((half, new))


def one_author_missing(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """Somebody joined the authors later, or was left out in copying."""
    if len(record.authors) < 2 or any(map(is_collective, record.authors)):
        return None
    draft = write(record, rng, rng.choice(CLAIMING), plain=True)
    del draft.authors[rng.randrange(len(draft.authors))]
    return draft


def initials_only(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """`Gomez AN`, as PubMed has it, `A. N. Gomez`, `Gomez, A.N.` or `Gomez, A.`."""
    people = [split_name(author) for author in record.authors if not is_collective(author)]
    # A few records give initials in the place of family names.
    if len(people) < len(record.authors) or any(not name.given or name.family.isupper() for name in people):
        return None
    draft = write(record, rng, rng.choice(CLAIMING), plain=True)
    form = rng.choice(("{family} {letters}", "{dots} {family}", "{family}, {dots}", "{family}, {first}."))
    draft.authors = [_with_initials(name.given, name.surname, form) for name in people]
    return draft


def _with_initials(given: str, family: str, form: str) -> str:
    letters = [word[0].upper() for word in given.replace("-", " ").split() if word[0].isalpha()] or [given[0]]
    if " " in family and ", " not in form:
        form = "{family}, {dots}"
    dots = ".".join(letters) + "."
    return form.format(family=family, letters="".join(letters), dots=dots, first=letters[0])


def record_without_authors(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """The entry has authors, the record, which is without, has none; in one of three the title was changed too."""
    draft = write(record, rng, rng.choice(WITH_ID), plain=True)
    draft.authors = list(others[0].authors)
    if rng.random() < 1 / 3:
        draft.title = _former_title(record, others, rng)
    return draft


VARIANTS: Mapping[str, Make] = {
    "renamed since": renamed_since,
    "an author missing": one_author_missing,
    "initials only": initials_only,
    "record without authors": record_without_authors,
}
