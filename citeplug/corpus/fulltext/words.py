"""The words by which passages are found: lower case, without accents and stop words, stemmed."""

from functools import cache
from typing import Any


def words_of(text: str) -> list[str]:
    """The words of a text in order. Any text is valid; words of more than 60 letters are left out."""
    storable = text.encode("utf-8", "replace").decode("utf-8")
    return [str(word) for word in _analyzer().analyze(storable)]


@cache
def _analyzer() -> Any:
    # Tantivy's, as in the index of abstracts: SQLite's own has neither stop words nor this stemmer.
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (
        tantivy.Filter.remove_long(60),
        tantivy.Filter.lowercase(),
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.stopword("english"),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(step)
    return builder.build()
