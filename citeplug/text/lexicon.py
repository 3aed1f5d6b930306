"""Closed lists of English words: verbs, praise, nouns for what papers make. What each is for `tables.toml` says."""

from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
CREATE, STUDY, RESULT, OTHER = map(_TABLES.words, ("create", "study", "result", "other"))
VERBS = CREATE | STUDY | RESULT | OTHER
DOINGS = _TABLES.words("doings")
AMBIGUOUS = _TABLES.words("ambiguous")
PRAISE = _TABLES.words("praise")
PRAISE_OF_PRODUCTS = _TABLES.words("praise_of_products")
PRODUCTS = _TABLES.words("products")
BARE_PRODUCTS = _TABLES.words("bare_products")
