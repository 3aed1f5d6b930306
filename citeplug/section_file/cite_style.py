"""Citations in LaTeX: the commands for a section of a draft, the keys that they can name, and those that a piece cites.

BibTeX takes more keys than a citation command; what each takes was tried with pdfLaTeX, BibTeX and Biber
(`tests/typeset/test_keys.py`). The keys that a piece cites are found from its text alone: macros are not expanded.
"""

import re
from dataclasses import dataclass

from citeplug.records.draft import Draft
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_NATBIB = _TABLES.words("natbib")
_NAMED_STYLES = _TABLES.words("named_styles")
# The yearly files of conferences load natbib, and their styles have names.
_CONFERENCES = re.compile(
    r"(?:icml|neurips|nips|iclr|colm|aaai|acl|emnlp|naacl|eacl|uai|corl|aastex|ametsocv)_?\d[\d.]*(?:_conference)?"
)
_BIBLATEX = frozenset({"biblatex", "biblatex-chicago"})
# The style that goes with a class; None: the class sets its own.
_STYLES = {
    "ieeetran": "IEEEtran",
    "llncs": "splncs04",
    "acmart": "ACM-Reference-Format",
    "elsarticle": "elsarticle-num",
    "revtex4": None,
    "revtex4-1": None,
    "revtex4-2": None,
}
# Commands of apacite and harvard; if they are loaded with natbib's commands, the author's usage shows it.
_OTHER = {"apacite": ("cite", "citeA"), "harvard": ("cite", "citeasnoun"), "chicago": ("cite", "citeN")}
# White space and commas part keys; the rest acts in a document, or leaves it as something else than in the .bib.
_ACTS = re.compile(r"[\s,{}\\%#~\x00-\x1f\x7f-\x9f\ud800-\udfff]|\^\^")
# Biber does not read an entry whose key has one of these.
_BIBER = re.compile(r"[\"'()=]")
CITED = re.compile(r"\\[A-Za-z]*(?:cite|bibentry)[A-Za-z]*\*?((?:\s*\[[^\]]*\])*\s*(?:\{[^{}]*\})+)", re.IGNORECASE)
_GROUP = re.compile(r"\{([^{}]*)\}")
_TEXTUAL = frozenset(("citet", "textcite", "citeauthor", "citea", "citeasnoun", "citen"))
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")


@dataclass(frozen=True, slots=True)
class CiteStyle:
    r"""Command names without backslash.

    `parenthetical` prints a citation beside the text, `textual` one that is part of the sentence;
    `textual_first` is the same at the beginning of a sentence. Without `textual` the printer writes the names
    itself: `Surname et al.~\cite{key}`. `packages` are the draft's packages and class: they determine the
    available math commands.
    """

    parenthetical: str = "cite"
    textual: str | None = None
    textual_first: str | None = None
    packages: tuple[str, ...] = ()


def cite_style(draft: Draft) -> CiteStyle:
    """Choose commands of the draft's packages, class and bibliography style, by the author's usage."""
    used = {name.rstrip("*").lower(): count for name, count in _counts(draft)}
    document_class = (draft.document_class or "").lower()
    loaded = _loaded(draft)
    packages = (*draft.packages, *([document_class] if document_class else []))

    if loaded & _BIBLATEX or draft.bib_engine == "biber":
        return CiteStyle(
            _most_used(used, ("parencite", "autocite", "citep", "cite")),
            _most_used(used, ("textcite", "citet")),
            "Citet" if _most_used(used, ("textcite", "citet")) == "citet" else "Textcite",
            packages,
        )
    has_natbib = _loads_natbib(loaded)
    if used.get("citet") or has_natbib:
        # In a style without names \citet prints "(author?)"; if the author uses it, it works.
        names = bool(used.get("citet")) or _has_names(draft.bib_style or usual_style(draft))
        parenthetical = "citep" if used.get("citep") or has_natbib else "cite"
        return CiteStyle(
            parenthetical,
            "citet" if names else None,
            ("Citet" if has_natbib else "citet") if names else None,
            packages,
        )
    for package, (parenthetical, textual) in _OTHER.items():
        if package in loaded:
            return CiteStyle(parenthetical, textual, textual, packages)
    return CiteStyle("citep" if used.get("citep") and not used.get("cite") else "cite", None, None, packages)


def usual_style(draft: Draft) -> str | None:
    """Return the bibliography style for a draft that names none; None if its class sets one."""
    document_class = (draft.document_class or "").lower()
    if document_class in _STYLES:
        return _STYLES[document_class]
    return "plainnat" if _loads_natbib(_loaded(draft)) else "plain"


def _loaded(draft: Draft) -> set[str]:
    """Return the packages and the class, in lower case."""
    return {package.lower() for package in draft.packages} | {(draft.document_class or "").lower()}


def _loads_natbib(loaded: set[str]) -> bool:
    return any(name in _NATBIB or _CONFERENCES.fullmatch(name) for name in loaded)


def _counts(draft: Draft) -> list[tuple[str, int]]:
    if draft.cite_commands:
        return list(draft.cite_commands.items())
    return [(cite.command, 1) for cite in draft.cites]


def _most_used(used: dict[str, int], commands: tuple[str, ...]) -> str:
    """Return the command used most; the first if none is used."""
    return max(commands, key=lambda name: (used.get(name, 0), -commands.index(name)))


def _has_names(bib_style: str | None) -> bool:
    if bib_style is None:
        return True  # REVTeX's own
    name = bib_style.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".bst")
    return name in _NAMED_STYLES or bool(_CONFERENCES.fullmatch(name)) or name.endswith(("nat", "natnourl"))


def is_textual(command: str) -> bool:
    """Return True for a command, without its backslash, that prints the authors as a part of the sentence."""
    return command.rstrip("*").lower() in _TEXTUAL


def unfit_for_cite(key: str, *, biber: bool = False) -> str | None:
    """The reason why LaTeX cannot cite an entry by this key, as a message to its author; None if it can."""
    if not key:
        return "it is empty"
    if key == "*":
        return "it stands for all entries"
    match = _ACTS.search(key) or (_BIBER.search(key) if biber else None)
    if match is None:
        return None
    return f"it has “{match[0]}”" if match[0].isprintable() else f"it has the character U+{ord(match[0]):04X}"


def cited_keys(tex: str) -> set[str]:
    """Return the keys that a text cites, except in comments."""
    return set(keys_in_order(tex))


def keys_in_order(tex: str) -> list[str]:
    """Return the keys that a text cites, except in comments, each as often as it does."""
    bare = "\n".join(_COMMENT.sub(r"\1", line) for line in tex.splitlines())
    groups = (group for match in CITED.finditer(bare) for group in _GROUP.findall(match[1]))
    return [key.strip() for group in groups for key in group.split(",") if key.strip()]
