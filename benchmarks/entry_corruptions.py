"""Entries that are wrong in one way each, made from real records: what a checker has to catch."""

import random
import re
from collections.abc import Callable, Mapping, Sequence

from benchmarks.entry_styles import CLAIMING, WITH_ID, Draft, ascii_surname, write
from citeplug.records.paper import Paper
from citeplug.text.folding import is_collective, split_name

_INVENTED = ("Xavier Quillfeather", "Marit Oldenkamp", "Rupert Ashgrove", "Chiara Belmondi", "Tomoko Harugawa")
_GIVEN = ("Bertram", "Ottilie", "Zebedee", "Ludmila", "Quentin", "Wolfram", "Ximena", "Yolanda", "Ursula", "Hjalmar")
_WORDS = ("Quantum", "Adversarial", "Hyperbolic", "Marine", "Sparse", "Federated", "Thermal", "Judicial", "Avian")

Make = Callable[[Paper, Sequence[Paper], random.Random], Draft | None]


def _people(record: Paper) -> list[str]:
    return [author for author in record.authors if not is_collective(author)]


def _strangers(record: Paper, other: Paper) -> bool:
    return not {ascii_surname(a) for a in record.authors} & {ascii_surname(a) for a in other.authors}


def mixed_title(others: Sequence[Paper], rng: random.Random) -> str:
    """The beginning of one title and the end of another: what a model invents."""
    long = [paper.title.split() for paper in others if len(paper.title.split()) > 3]
    first, second = rng.sample(long, 2)
    return " ".join([*first[: len(first) // 2 + 1], *second[len(second) // 2 :]])


def _with(record: Paper, rng: random.Random, styles: Sequence[str] = WITH_ID) -> Draft:
    return write(record, rng, rng.choice(styles), plain=True)


def _replace_id(draft: Draft, old: str, new: str) -> Draft:
    draft.fields = {name: text.replace(old, new) for name, text in draft.fields.items()}
    return draft


def wrong_title(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """The right id and authors, the title of another paper."""
    draft = _with(record, rng)
    draft.title = others[0].title
    return draft


def wrong_authors(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """The right id and title, the authors of another paper."""
    if not _people(others[0]) or not _strangers(record, others[0]) or not _people(record):
        return None
    draft = _with(record, rng)
    draft.authors = list(others[0].authors)
    return draft


def swapped_and_invented(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """Two authors have changed places, and one more is invented."""
    if len(_people(record)) < 2 or len(_people(record)) != len(record.authors):
        return None
    draft = _with(record, rng, CLAIMING)
    authors = list(record.authors)
    authors[0], authors[1] = authors[1], authors[0]
    draft.authors = [*authors, rng.choice(_INVENTED)]
    return draft


def changed_given_name(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """One author has another given name."""
    named = [i for i, a in enumerate(record.authors) if _written_out(a)]
    if not named:
        return None
    draft = _with(record, rng, CLAIMING)
    place = rng.choice(named)
    name = split_name(record.authors[place])
    others_given = [given for given in _GIVEN if given[0] != name.given[0] and given[0] != name.family[0]]
    draft.authors = list(record.authors)
    draft.authors[place] = f"{name.surname}, {rng.choice(others_given)}"
    return draft


def _written_out(author: str) -> bool:
    name = split_name(author)
    return not is_collective(author) and re.fullmatch(r"[A-Z][a-z]{2,}", name.given) is not None and not name.suffix


def invented_under_a_real_id(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """Title and authors are invented; the id is some paper's."""
    draft = _with(record, rng)
    draft.title = mixed_title(others, rng)
    draft.authors = rng.sample(_INVENTED, 3)
    return draft


def invented_id(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """A title of nobody, real people, and an id that looks right and does not exist."""
    if "/" in record.id.value:
        return None
    draft = _with(others[0], rng)
    draft.title = mixed_title(others[1:], rng)
    digits = "9" + record.id.value.split(".")[1][1:]
    return _replace_id(draft, others[0].id.value, f"{record.id.value.split('.')[0]}.{digits}")


def id_of_another(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """All is right but the id."""
    return _replace_id(_with(record, rng), record.id.value, others[0].id.value)


def chimera(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """Title and some authors of one paper, the other authors and the year of another, its id too."""
    if not _strangers(record, others[0]) or not _people(others[0]):
        return None
    draft = _replace_id(_with(record, rng), record.id.value, others[0].id.value)
    draft.authors = [*record.authors[: max(1, len(record.authors) // 2)], *others[0].authors[-2:]]
    draft.year = others[0].published.year
    return draft


def doi_of_another(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """A right entry with an eprint, and the DOI of another paper beside it."""
    owner = next((paper for paper in others if paper.doi and paper.doi != record.doi), None)
    if owner is None:
        return None
    draft = _with(record, rng, [name for name in WITH_ID if name not in ("DataCite", "Zotero")])
    draft.fields["doi"] = owner.doi or ""
    return draft


def wrong_year(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """The year is three or four off, before the first version or after the last."""
    draft = _with(record, rng, CLAIMING)
    off = rng.choice((3, 4))
    draft.year = rng.choice((record.published.year - off, max(record.published, record.updated).year + off))
    return draft


def title_of_nobody(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """An invented title that claims arXiv, without an id."""
    draft = write(record, rng, "arXiv without an id", plain=True)
    draft.title = mixed_title(others, rng)
    return draft


def invented_author(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """One author too many."""
    if not _people(record):
        return None
    draft = _with(record, rng, CLAIMING)
    draft.authors = list(record.authors)
    draft.authors.insert(rng.randint(0, len(draft.authors)), rng.choice(_INVENTED))
    return draft


def missing_author(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """One author too few, and no `and others`."""
    if len(_people(record)) < 2 or len(_people(record)) != len(record.authors):
        return None
    draft = _with(record, rng, CLAIMING)
    del draft.authors[rng.randrange(len(draft.authors))]
    return draft


def mangled_title(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """One word of the title is another."""
    words = record.title.split()
    places = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if len(words) < 4 or not places:
        return None
    draft = _with(record, rng)
    words[rng.choice(places)] = rng.choice([word for word in _WORDS if word.lower() not in record.title.lower()])
    draft.title = " ".join(words)
    return draft


def misspelt_surname(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """One surname is another."""
    named = [i for i, a in enumerate(record.authors) if _written_out(a)]
    if not named or not _people(others[0]) or not _strangers(record, others[0]):
        return None
    draft = _with(record, rng, CLAIMING)
    place = rng.choice(named)
    draft.authors = list(record.authors)
    draft.authors[place] = f"{split_name(_people(others[0])[0]).surname}, {split_name(record.authors[place]).given}"
    return draft


def month_to_come(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """An id of a month that has not come yet."""
    draft = _with(record, rng)
    draft.title = mixed_title(others, rng)
    return _replace_id(draft, record.id.value, f"31{rng.randint(1, 12):02}.{rng.randint(1, 19999):05}")


def two_ids(record: Paper, others: Sequence[Paper], rng: random.Random) -> Draft | None:
    """The eprint is right, the address is another paper's."""
    draft = write(record, rng, rng.choice(("arXiv's export", "Mendeley", "DBLP")), plain=True)
    draft.fields["url"] = f"https://arxiv.org/abs/{others[0].id.value}"
    return draft


CORRUPTIONS: Mapping[str, Make] = {
    "right id, wrong title": wrong_title,
    "right title, wrong authors": wrong_authors,
    "order swapped, one invented": swapped_and_invented,
    "changed given name": changed_given_name,
    "invented paper, real id": invented_under_a_real_id,
    "invented paper, invented id": invented_id,
    "id of another paper": id_of_another,
    "chimera of two papers": chimera,
    "DOI of another paper": doi_of_another,
    "year off by 3 or 4": wrong_year,
    "title of nobody, claims arXiv": title_of_nobody,
    "one author invented": invented_author,
    "one author missing": missing_author,
    "one word of the title wrong": mangled_title,
    "surname of somebody else": misspelt_surname,
    "id of a month to come": month_to_come,
    "two ids": two_ids,
}
