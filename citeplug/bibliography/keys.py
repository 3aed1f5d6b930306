"""Citation keys for new entries: surname, year, first telling word of the title."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, product
from string import ascii_lowercase

from citeplug.records.draft import BibEntry
from citeplug.records.folding import fold_name, fold_title, is_collective, split_name
from citeplug.records.paper import Paper

_STOP_WORDS = frozenset(
    """a an and are as at be by do does for from how if in into is it its no not of on or our some than that the their
    there these this to toward towards under up upon using via was we what when where which who why with within
    without can via over s t d l la le les der die das ein eine un une el los las""".split()
)
_LONGEST_WORD = 20
_EVIDENCE, _SHARE = 5, 0.8  # entries, and share of them, that must follow a form before it counts as a habit


@dataclass(frozen=True, slots=True)
class KeyForm:
    """How a key is put together. `order` is `syw`, `sy` or `swy`: surname, year, word."""

    order: str = "syw"
    separator: str = ""
    capital_surname: bool = False
    capital_word: bool = False

    def join(self, surname: str, year: str, word: str) -> str:
        parts = {
            "s": surname.capitalize() if self.capital_surname else surname,
            "y": year,
            "w": word.capitalize() if self.capital_word else word,
        }
        return self.separator.join(filter(None, (parts[part] for part in self.order)))


_FORMS = tuple(
    KeyForm(order, separator, capital, capital_word)
    for order, separator, capital in product(("syw", "sy", "swy"), ("", "_", ":", "-"), (False, True))
    for capital_word in ((False, True) if "w" in order else (False,))
)


def make_keys(papers: Sequence[Paper], taken: Collection[str], learn_from: Sequence[BibEntry] = ()) -> dict[str, str]:
    """A new key for each paper, by arXiv id: ASCII letters, digits and the separators `_:-` alone.

    `vaswani2017attention`, `vandesompel2004rethinking`; two alike get a letter at the end, the older paper
    first. No key equals one of `taken` or another, whatever the case. Where most entries of `learn_from`
    have keys of another form (`Vaswani:2017`), that form is used.
    """
    form = learn_form(learn_from)
    used = {key.lower() for key in taken}
    keys: dict[str, str] = {}
    # By age, and not by place in the text, so that moving a sentence renames nothing.
    for paper in sorted({paper.id.value: paper for paper in papers}.values(), key=lambda p: (p.published, p.id.value)):
        base = form.join(*_parts(paper))
        keys[paper.id.value] = key = next(key for key in _variants(base) if key.lower() not in used)
        used.add(key.lower())
    return {paper.id.value: keys[paper.id.value] for paper in papers}


def learn_form(entries: Sequence[BibEntry]) -> KeyForm:
    """The form that at least four of five of the author's keys have, if there are five to judge by."""
    fits: Counter[KeyForm] = Counter()
    judged = 0
    for entry in entries:
        author, year, title = (entry.fields.get(name, "") for name in ("author", "year", "title"))
        digits = re.search(r"\b(?:19|20)\d\d\b", year or entry.fields.get("date", ""))
        first = re.split(r"\s+and\s+", author.strip())[0]
        if not first or digits is None or not title:
            continue
        judged += 1
        bare = re.sub(r"[a-z]$", "", entry.key) if entry.key[-2:-1].isdigit() else entry.key
        for form in _FORMS:
            made = form.join(_surname(first), digits[0], _title_word(title))
            if made in (entry.key, bare):
                fits[form] += 1
    if not fits or judged < _EVIDENCE:
        return KeyForm()
    best, number = fits.most_common(1)[0]
    return best if number >= _SHARE * judged else KeyForm()


def _parts(paper: Paper) -> tuple[str, str, str]:
    surname = _surname(paper.authors[0]) if paper.authors else ""
    return surname or "arxiv", str(paper.published.year), _title_word(paper.title)


def _surname(author: str) -> str:
    name = split_name(author)
    surname = name.surname
    if is_collective(surname):
        kept = [word for word in surname.split() if not is_collective(word) and word.lower() not in ("the", "for")]
        surname = kept[0] if kept else surname
    return re.sub(r"[^a-z0-9]", "", fold_name(surname))


def _title_word(title: str) -> str:
    words = [re.sub(r"[^a-z0-9]", "", word) for word in fold_title(title).split()]
    telling = [word for word in words if len(word) > 1 and word not in _STOP_WORDS and not word.isdigit()]
    return next(iter(telling or filter(None, words)), "")[:_LONGEST_WORD]


def _variants(base: str) -> Iterator[str]:
    """`base`, then with `a` to `z`, then with `aa`, ..."""
    yield base
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            yield base + "".join(letters)
