"""Commands of LaTeX and its common packages, by what they mean to a reader of text: the lists of `tables.toml`.

pylatexenc's table says how many arguments a command takes, and not whether they are text.
"""

import re

from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
SECTIONS = _TABLES.numbers("sections")
STRUCTURE = _TABLES.words("structure") | SECTIONS.keys()
QUOTING_CITES = _TABLES.words("quoting_cites")
_CITES = _TABLES.words("cites", "quoting_cites")
_MULTIPLE = re.compile(r"(?i)^(?:auto|paren|text|foot|smart|super)?cites$|^footcitetexts$")
_NOT_CITES = re.compile(rf"(?i)^{_TABLES.pattern('no_cites')}$")
_CITE_LIKE = re.compile(
    r"^(?:[A-Za-z]*[cC]ites?|[A-Za-z]{0,12}[cC]ite(?:[tpAN]|s|alp|alt|author|year|yearpar|n|num)?|[cC]ite[A-Za-z]+)$"
)
KNOWN_CITES = _CITES | {name[0].upper() + name[1:] for name in _CITES}


def is_cite(name: str) -> bool:
    """True if a command of this name (without backslash and star) cites keys."""
    if "@" in name or _NOT_CITES.match(name):
        return False
    return name in KNOWN_CITES or _CITE_LIKE.match(name) is not None


def cites_many_times(name: str) -> bool:
    """True if it takes `[..][..]{keys}` repeatedly (biblatex's `\\cites` family)."""
    return _MULTIPLE.match(name) is not None


VERBATIM_ENVIRONMENTS = _TABLES.words("verbatim_environments")
COMMENT_ENVIRONMENTS = _TABLES.words("comment_environments")
DROPPED_ENVIRONMENTS = _TABLES.words("dropped_environments")
MATH_ENVIRONMENTS = _TABLES.words("math_environments")
ENVIRONMENT_ARGUMENTS = _TABLES.numbers("environment_arguments")
DROPPED_ARGUMENTS = {
    name: count
    for count, names in enumerate(("drops_one", "drops_two", "drops_three"), start=1)
    for name in _TABLES.ordered(names)
}
KEEPS_FIRST = _TABLES.words("keeps_first")
DIMENSIONS = _TABLES.words("dimensions")
LAYOUT: dict[str, str] = {
    **dict.fromkeys(_TABLES.ordered("paragraph_ends"), "\n\n"),
    **dict.fromkeys(_TABLES.ordered("spaces"), " "),
    **_TABLES.values("shorthands"),
}
