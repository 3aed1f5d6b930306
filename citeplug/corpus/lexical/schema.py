"""Fields and tokens of the lexical index, in tantivy's terms; a change of these wants another `lexical.NAME`."""

import re
from collections.abc import Collection
from datetime import date
from functools import cache, lru_cache
from typing import Any

from citeplug.corpus.catalogue import Texts
from citeplug.records.paper import Filter
from citeplug.text.cleaning import encodable

# The text has the title, too: a word counts three times there.
_BOOSTS = {"title": 2.0, "author": 2.0, "text": 1.0}
WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 20
_SHORTEST_PART = 3  # letters of a word that is still being typed
TOKENS, NAMES = "citeplug", "citeplug-names"  # the names under which the analyzers are registered


def make_schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("title", tokenizer_name=TOKENS, index_option="freq")
    builder.add_text_field("text", tokenizer_name=TOKENS, index_option="freq")
    builder.add_text_field("author", tokenizer_name=NAMES, index_option="basic")
    builder.add_text_field("category", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("published", indexed=True, fast=True)
    return builder.build()


@cache
def analyzer() -> Any:
    """The analyzer of titles and abstracts: English stems, without stop words."""
    import tantivy

    return _analyzer(tantivy.Filter.stopword("english"), tantivy.Filter.stemmer("english"))


@cache
def names_analyzer() -> Any:
    """The analyzer of authors: a name has no stem."""
    return _analyzer()


def _analyzer(*more: Any) -> Any:
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (tantivy.Filter.remove_long(60), tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold(), *more):
        builder = builder.filter(step)
    return builder.build()


def make_usable(index: Any) -> None:
    """Let an index that was just opened or made read its fields, and be read anew only by `reload`.

    tantivy's own reader watches the folder in a thread and writes a lock file there, even while the folder is deleted.
    """
    index.config_reader("manual")
    index.register_tokenizer(TOKENS, analyzer())
    index.register_tokenizer(NAMES, names_analyzer())


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
    if where.before is not None or where.first_day is not None:
        first, last = ((day or date.min).isoformat() for day in (where.first_day, where.before or date.max))
        days = map(day_number, (first, last))
        kind = tantivy.FieldType.Unsigned
        clauses.append((must, query.range_query(schema, "published", kind, *days, include_upper=False)))
    if where.categories:
        clauses.append((must, query.term_set_query(schema, "category", [encodable(name) for name in where.categories])))
    if where.among is not None:
        clauses.append((must, query.term_set_query(schema, "id", [encodable(value) for value in where.among])))
    if where.exclude:
        clauses.append((must_not, query.term_set_query(schema, "id", [encodable(value) for value in where.exclude])))
    return [(occur, query.const_score_query(clause, 0.0)) for occur, clause in clauses]


def words_query(text: str, schema: Any, names: Collection[str] = (), *, every: bool = True) -> Any:
    """Return the query for records that have each word of `text` in title, authors, year or abstract; None without any.

    With `every` False they have at least one, and each of `names`. The last word may be the beginning of one. A word
    counts most in the title and among the authors; one of `names` is looked for among the authors alone.
    """
    import tantivy

    query, must, should = tantivy.Query, tantivy.Occur.Must, tantivy.Occur.Should
    kind = tantivy.FieldType.Unsigned
    clauses = []
    words = WORD.findall(encodable(text[:500]))[:_MOST_WORDS]
    for number, word in enumerate(words, 1):
        terms = analyzer().analyze(word)
        if not terms:
            continue  # a stop word
        fields = ("author",) if word in names else tuple(_BOOSTS)
        by_field = {field: (names_analyzer().analyze(word) if field == "author" else terms)[0] for field in fields}
        ways = [
            query.boost_query(query.term_query(schema, field, term, "freq"), _BOOSTS[field])
            for field, term in by_field.items()
        ]
        if number == len(words) and len(word) >= _SHORTEST_PART:
            ways += [
                query.fuzzy_term_query(schema, field, term, distance=0, prefix=True) for field, term in by_field.items()
            ]
        if re.fullmatch(r"(?:19|20)\d\d", word):
            year = int(word) * 10_000
            ways.append(query.range_query(schema, "published", kind, year, year + 9_999))
        clauses.append(
            (must if every or word in names else should, query.boolean_query([(should, way) for way in ways]))
        )
    return query.boolean_query(clauses) if clauses else None
