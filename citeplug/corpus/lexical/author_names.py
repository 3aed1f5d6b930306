"""Which words of a query are names of authors."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.lexical.schema import WORD, analyzer, names_analyzer
from citeplug.text.cleaning import encodable
from citeplug.text.folding import Name, split_name

_WORDS_TO_A_NAME = 3  # records with a word in their text for each with it among its authors
_BEARERS = 30  # records by whose authors a surname is told from a given name


def names_in(text: str, schema: Any, searcher: Any, catalogue: Catalogue) -> list[str]:
    """Return the words of `text` that are names of authors, as an index of `schema` and `searcher` knows them.

    A word is one if it stands among the authors more often than in texts, is a surname there ("Adam" is a given name,
    and an optimizer), and fewer write of it and the other words ("Ricci flow") than have it as a name; if it and the
    word beside it are the names of one author; if it follows an initial with its full stop; or if a paper has it among
    its authors together with all such names: "Welling" has the stem of "well", and is a name beside "Kipf".
    """
    text = encodable(text[:500])
    names_of: dict[str, str] = {}  # as among the authors
    stems: dict[str, str] = {}
    for word in dict.fromkeys(WORD.findall(text)):
        stemmed, folded = analyzer().analyze(word), names_analyzer().analyze(word)
        if stemmed and folded:
            stems[word] = stemmed[0]
            if len(word) > 1 and searcher.doc_freq("author", folded[0]):
                names_of[word] = folded[0]
    common = [
        word
        for word, name in names_of.items()
        if searcher.doc_freq("text", stems[word]) <= _WORDS_TO_A_NAME * searcher.doc_freq("author", name)
    ]

    def people(*words: str) -> list[Name]:
        ids, _ = _having([("author", names_of[word]) for word in words], _BEARERS, schema, searcher)
        return [split_name(name) for paper in catalogue.papers(ids).values() for name in paper.authors]

    def is_topic(word: str) -> bool:
        others = [("text", stem) for other, stem in stems.items() if other not in common]
        written, bearing = (
            _having([one, *others], 1, schema, searcher)[1]
            for one in (("text", stems[word]), ("author", names_of[word]))
        )
        return bool(others) and written > bearing

    names = [word for word in names_of if re.search(rf"\b[^\W\d_]\.[\s-]*{word}\b", text)]
    for first, second in pairwise(names_of):
        if _is_person(names_of[first], names_of[second], people(first, second)):
            names += [word for word in (first, second) if word not in names]
    names += [
        word
        for word in common
        if word not in names and _is_surname(names_of[word], people(word)) and (names or not is_topic(word))
    ]
    for word in [word for word in names_of if word not in names] if names else ():
        if _having([("author", names_of[name]) for name in (*names, word)], 1, schema, searcher)[1]:
            names.append(word)
    return names


def _having(terms: Sequence[tuple[str, str]], most: int, schema: Any, searcher: Any) -> tuple[list[str], int]:
    """At most `most` ids of the records that have all these terms in these fields, and the number of all."""
    import tantivy

    clauses = [(tantivy.Occur.Must, tantivy.Query.term_query(schema, field, term)) for field, term in terms]
    hits = searcher.search(tantivy.Query.boolean_query(clauses), limit=most, count=True)
    return [searcher.doc(address).get_first("id") for _, address in hits.hits], int(hits.count)


def _is_surname(term: str, people: Sequence[Name]) -> bool:
    """Return True if `term` is a surname of these people at least as often as another of their names."""
    surnames = sum(term in names_analyzer().analyze(person.family) for person in people)
    return surnames >= max(1, sum(term in _other_names(person) for person in people))


def _is_person(given_name: str, surname: str, people: Sequence[Name]) -> bool:
    return any(
        given_name in _other_names(person) and surname in names_analyzer().analyze(person.family) for person in people
    )


def _other_names(person: Name) -> list[str]:
    return list(names_analyzer().analyze(f"{person.given} {person.particles}"))
