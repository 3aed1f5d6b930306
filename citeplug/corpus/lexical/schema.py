"""Fields and tokens of the lexical index, in tantivy's terms; a change of these wants another `lexical.NAME`."""

import re
from functools import cache, lru_cache
from typing import Any

from citeplug.corpus.catalogue import Texts
from citeplug.records.paper import Filter
from citeplug.text.cleaning import encodable

_BOOSTS = {"title": 2.0, "author": 2.0, "text": 1.0}
_MOST_WORDS = 20
_SHORTEST_PART = 3  # letters of a word that is still being typed
TOKENS = "citeplug"  # the name under which the analyzer is registered


def make_schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("title", tokenizer_name=TOKENS, index_option="freq")
    builder.add_text_field("text", tokenizer_name=TOKENS, index_option="freq")
    builder.add_text_field("author", tokenizer_name=TOKENS, index_option="basic")
    builder.add_text_field("category", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("published", indexed=True, fast=True)
    return builder.build()


@cache
def analyzer() -> Any:
    import tantivy

    steps = (
        tantivy.Filter.remove_long(60),
        tantivy.Filter.lowercase(),
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.stopword("english"),
        tantivy.Filter.stemmer("english"),
    )
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in steps:
        builder = builder.filter(step)
    return builder.build()


def make_document(record: Texts) -> Any:
    import tantivy

    document = tantivy.Document()
    document.add_text("id", record.id)
    document.add_text("title", record.title)
    document.add_text("text", f"{record.title}. {record.abstract}")
    document.add_text("author", record.authors)
    for name in _category_prefixes(record.categories):
        document.add_text("category", name)
    document.add_unsigned("published", day_number(record.published))
    return document


@lru_cache(maxsize=10_000)
def _category_prefixes(categories: str) -> frozenset[str]:
    """Return each category and its archive: `cs.LG` gives `cs.LG` and `cs`."""
    names: set[str] = set()
    for category in categories.split():
        parts = category.split(".")
        names.update(".".join(parts[: count + 1]) for count in range(len(parts)))
    return frozenset(names)


def day_number(iso_day: str) -> int:
    return int(iso_day.replace("-", ""))


def filter_clauses(schema: Any, where: Filter) -> list[tuple[Any, Any]]:
    """Return the filter as clauses that add nothing to the score."""
    import tantivy

    query, must, must_not = tantivy.Query, tantivy.Occur.Must, tantivy.Occur.MustNot
    clauses = []
    if where.before is not None:
        last = day_number(where.before.isoformat())
        kind = tantivy.FieldType.Unsigned
        clauses.append((must, query.range_query(schema, "published", kind, 0, last, include_upper=False)))
    if where.categories:
        clauses.append((must, query.term_set_query(schema, "category", [encodable(name) for name in where.categories])))
    if where.among is not None:
        clauses.append((must, query.term_set_query(schema, "id", [encodable(value) for value in where.among])))
    if where.exclude:
        clauses.append((must_not, query.term_set_query(schema, "id", [encodable(value) for value in where.exclude])))
    return [(occur, query.const_score_query(clause, 0.0)) for occur, clause in clauses]


def words_query(text: str, schema: Any) -> Any:
    """Return the query for records that have each word of `text` in title, authors, year or abstract; None without any.

    The last word may be the beginning of one. A word counts most in the title and among the authors.
    """
    import tantivy

    query, must, should = tantivy.Query, tantivy.Occur.Must, tantivy.Occur.Should
    kind = tantivy.FieldType.Unsigned
    clauses = []
    words = re.findall(r"[^\W_]+", encodable(text[:500]))[:_MOST_WORDS]
    for number, word in enumerate(words, 1):
        terms = analyzer().analyze(word)
        if not terms:
            continue  # a stop word
        ways = [
            query.boost_query(query.term_query(schema, field, terms[0], "freq"), boost)
            for field, boost in _BOOSTS.items()
        ]
        if number == len(words) and len(word) >= _SHORTEST_PART:
            ways += [query.fuzzy_term_query(schema, field, terms[0], distance=0, prefix=True) for field in _BOOSTS]
        if re.fullmatch(r"(?:19|20)\d\d", word):
            year = int(word) * 10_000
            ways.append(query.range_query(schema, "published", kind, year, year + 9_999))
        clauses.append((must, query.boolean_query([(should, way) for way in ways])))
    return query.boolean_query(clauses) if clauses else None
