"""Citation keys for new entries: in the author's own style, else surname, year, first telling word of the title."""

from collections.abc import Collection, Iterator, Sequence
from itertools import count, product
from string import ascii_lowercase

from citeplug.bib.write.key_parts import KeyFacts
from citeplug.bib.write.keystyle import DEFAULT, KeyStyle, learn_style
from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper


def make_keys(papers: Sequence[Paper], taken: Collection[str], learn_from: Sequence[BibEntry] = ()) -> dict[str, str]:
    """A new key for each paper, by arXiv id: ASCII letters, digits and the separators `_:.+/-` alone.

    `vaswani2017attention`, `vandesompel2004rethinking`; two alike get a letter at the end, the older paper
    first. No key equals one of `taken` or another, whatever the case. Where the entries of `learn_from` have keys
    of another style (`Vaswani:2017`), that style is used.
    """
    style = learn_style(learn_from) or DEFAULT
    used = {key.lower() for key in taken}
    keys: dict[str, str] = {}
    # By age, and not by place in the text, so that moving a sentence renames nothing.
    for paper in sorted({paper.id.value: paper for paper in papers}.values(), key=lambda p: (p.published, p.id.value)):
        keys[paper.id.value] = key = make_key(KeyFacts.of_paper(paper), used, style)
        used.add(key.lower())
    return {paper.id.value: keys[paper.id.value] for paper in papers}


def make_key(facts: KeyFacts, taken: Collection[str], style: KeyStyle = DEFAULT) -> str:
    """A key of this style that is none of `taken`, which are in small letters, whatever its own case."""
    base = style.key(facts) or DEFAULT.key(facts)
    if not any(facts.people) or not base[:1].isalnum():
        base = f"arxiv{base}" if facts.arxiv_id else f"anonymous{base}"
    return next(key for key in _variants(base, style.letters) if key.lower() not in taken)


def _variants(base: str, letters: int) -> Iterator[str]:
    """`base`, then with `a` to `z`, then with `aa`, ...; from `letters` letters on where there are always some."""
    if not letters:
        yield base
    for length in count(letters or 1):
        for ending in product(ascii_lowercase, repeat=length):
            yield base + "".join(ending)
