"""Values of fields as LaTeX, in the manner of the file that they go into."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import print_author, print_title, printable_doi
from citeplug.bibtex.places import is_balanced
from citeplug.records.draft import BibEntry
from citeplug.text.cleaning import plain
from citeplug.text.folding import fold_title, split_name
from citeplug.text.people import same_person, split_authors
from citeplug.text.tex_text import decode_tex

NAMES = frozenset("author editor translator bookauthor editora editorb shortauthor".split())
_TITLES = frozenset("title subtitle".split())
# These hold no LaTeX to be set, and are left verbatim.
_VERBATIM = frozenset("doi url eprint arxivid arxiv arxiv_id arxiv-id eprintid archiveprefix eprinttype file".split())
_NUMBERS = frozenset("year date".split())
_UNSAFE = re.compile(r"[\s{}\\%\"]")
_COMMANDS = re.compile(r"\\[A-Za-z]")
_ACCENTED = re.compile(r"\\[`'^~=.\"](?![A-Za-z]{2})|\\[uvHcdbrk]\s*\{|\\(?:o|O|l|L|ae|AE|oe|OE|aa|AA|ss|i|j)\b")
_DOI_START = re.compile(r"\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ID_START = re.compile(r"\s*(?:arxiv:\s*|https?://arxiv\.org/abs/)", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+")
_PIECE = re.compile(r"\s+|(?<!\\)\$(?:[^$\\]|\\.)*\$|\\.|.", re.DOTALL)
_WORD = re.compile(r"[\w.]")


class Unprintable(Exception):
    """A value that cannot be put into the file without a risk; the text says why."""


@dataclass(frozen=True, slots=True)
class BibConventions:
    """The conventions of a file for its text.

    `unicode_names` and `unicode_text`: letters beyond ASCII stay as they are. `given_first`: names are
    written "Given Family". `doi_signs`: what the file makes of `_` in a DOI, None if that is not known.
    """

    dialect: Dialect = field(default_factory=Dialect)
    unicode_names: bool = False
    unicode_text: bool = False
    given_first: bool = False
    doi_signs: str | None = None

    def printing(self, *, names: bool = False) -> Dialect:
        """The dialect for printing: Unicode where the file has it."""
        unicode = self.unicode_names if names else self.unicode_text
        return replace(self.dialect, engine="biber" if unicode else "bibtex")


def learn_writing(entries: Sequence[BibEntry], dialect: Dialect, *, encodes: bool = True) -> BibConventions:
    """The writing that most entries show. `encodes` False: the file's encoding cannot take other letters."""
    orders: Counter[bool] = Counter()
    raw: Counter[bool] = Counter()
    commands: Counter[bool] = Counter()
    signs: Counter[str] = Counter()
    for entry in entries:
        for name, value in entry.fields.items():
            of_names = name in NAMES
            if of_names:
                orders.update(order for name in split_authors(value)[0] if (order := _is_given_first(name)) is not None)
            if name == "doi" and "_" in value:
                signs[r"\_" if r"\_" in value else "_"] += 1
            if name not in _VERBATIM and name not in ("abstract", "annote", "keywords", "note"):
                raw[of_names] += not value.isascii() and any(letter.isalpha() for letter in value if letter > "\x7f")
                commands[of_names] += _ACCENTED.search(value) is not None
    biber = dialect.prints_unicode
    if not raw[False] and not commands[False]:  # what the names show holds for titles as well
        raw[False], commands[False] = raw[True], commands[True]
    return BibConventions(
        dialect,
        unicode_names=encodes and (raw[True] > commands[True] or (biber and not commands[True])),
        unicode_text=encodes and (raw[False] > commands[False] or (biber and not commands[False])),
        given_first=orders[True] > orders[False],
        doi_signs=signs.most_common(1)[0][0] if signs else "_" if biber else None,
    )


def _is_given_first(name: str) -> bool | None:
    """None where the name shows no order: one word, or a group in braces."""
    if name.startswith("{") and name.endswith("}"):
        return None
    if "," in name:
        return False
    return True if " " in name else None


def print_value(name: str, value: str, old: str | None, writing: BibConventions) -> str:
    """The LaTeX of a field's new value; `old` is the one that it replaces, as written without its delimiters.

    What the two have in common stays as the author wrote it, and `old` itself comes back where it says the same.
    Raises Unprintable if the value cannot be written there.
    """
    name = name.lower()
    if name in NAMES:
        latex = _print_names(value, old, writing)
    elif name in _VERBATIM:
        latex = _print_verbatim(name, value, old, writing)
    elif name in _TITLES:
        latex = _print_title(value, old, writing)
    elif name in _NUMBERS:
        latex = old if old is not None and old.strip() == value.strip() else value.strip()
        if not re.fullmatch(r"[\d/.-]+", latex.strip()):
            raise Unprintable(f"{plain(value)} is not a date")
    else:
        latex = _print_text(value, old, writing)
    if not is_balanced(latex) or not latex.strip():
        raise Unprintable("the value cannot be written with balanced braces")
    return latex


# Names


def _print_names(value: str, old: str | None, writing: BibConventions) -> str:
    wanted = [name for name in _AND.split(plain(value)) if name]
    written, cut = split_authors(old or "")
    unicode = writing.unicode_names or (old is not None and not old.isascii())
    orders = Counter(order for name in written if (order := _is_given_first(name)) is not None)
    given_first = orders[True] > orders[False] if orders else writing.given_first
    dialect = replace(writing.dialect, engine="biber" if unicode else "bibtex")
    left = [(name, split_name(name)) for name in written]
    names = []
    for author in wanted:
        if author.lower() == "others":
            names.append("others")
            continue
        new = split_name(author)
        pair_before = next((pair for pair in left if same_person(pair[1], new) and is_balanced(pair[0])), None)
        if pair_before is not None:
            left.remove(pair_before)
            names.append(pair_before[0])
        else:
            names.append(print_name(author, dialect, given_first=given_first))
    names = [name for name in names if name]
    if names == written and not cut:
        return old or ""
    return _joined(names, _AND.findall(old or ""))


def _joined(names: Sequence[str], separators: Sequence[str]) -> str:
    """The names with the line breaks where the author had them."""
    joined = "".join(name + separators[number] for number, name in enumerate(names[:-1]) if number < len(separators))
    return joined + " and ".join(names[min(len(separators), len(names) - 1) :])


def print_name(author: str, dialect: Dialect, *, given_first: bool) -> str:
    """One name in the order of the file, where BibTeX then still knows its parts."""
    written = print_author(author, dialect)
    if not given_first or written.startswith("{"):
        return written
    name = split_name(plain(author))
    words = f"{name.particles} {name.family}".split()
    simple = name.given and not name.suffix and len(name.family.split()) == 1 and name.family[:1].isupper()
    if not simple or any(not word[:1].islower() for word in words[:-1]):
        return written
    family, forenames = written.split(", ", 1)
    # In BibTeX the first word in small letters begins the surname.
    return f"{forenames} {family}" if not any(word[:1].islower() for word in name.given.split()) else written


# Titles


def _print_title(value: str, old: str | None, writing: BibConventions) -> str:
    printed = print_title(value, writing.printing())
    if old is None or not printed:
        return printed
    before, inner, after = _unwrapped(old)
    merged = before + _merge(inner, printed) + after
    if is_balanced(merged) and fold_title(merged) == fold_title(printed):
        return merged
    return before + printed + after if is_balanced(inner) else printed


def _unwrapped(value: str) -> tuple[str, str, str]:
    """The outer braces of a value that is wholly in braces, and what they hold."""
    before = after = ""
    inner = value.strip()
    while inner.startswith("{") and inner.endswith("}") and is_balanced(inner[1:-1]) and not inner.startswith("{\\"):
        before, inner, after = before + "{", inner[1:-1].strip(), "}" + after
    if not before:
        return "", value, ""
    return before, inner, after


def _merge(old: str, new: str) -> str:
    """`new`, with the words that `old` has too left as they are written there."""
    gaps, ours = _words(old)
    theirs = _words(new)[1]
    merged = gaps[0]
    matcher = SequenceMatcher(None, list(map(_said, ours)), list(map(_said, theirs)), autojunk=False)
    first = True
    for what, a, b, c, d in matcher.get_opcodes():
        words = ours[a:b] if what == "equal" else theirs[c:d]
        for offset, word in enumerate(words):
            gap = gaps[a + offset] if a + offset < len(ours) and a + offset < b else " "
            merged += word if first else (gap or " ") + word
            first = False
    return merged + gaps[-1]


def _said(word: str) -> str:
    return fold_title(word) or decode_tex(word)


def _words(text: str) -> tuple[list[str], list[str]]:
    """The white space before each word and behind the last, and the words; braces and math hold a word together."""
    gaps, words, depth = [""], [""], 0
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece.isspace() and depth <= 0:
            if words[-1]:
                gaps.append(piece)
                words.append("")
            else:
                gaps[-1] += piece
            continue
        depth += {"{": 1, "}": -1}.get(piece, 0)
        words[-1] += piece
    if not words[-1]:
        words.pop()
    else:
        gaps.append("")
    return gaps, words


# Other text


def _print_text(value: str, old: str | None, writing: BibConventions) -> str:
    printed = writing.printing().latex(value)
    if old is None:
        return printed
    if decode_tex(old) in (decode_tex(printed), value):
        return old
    changed = _change_within(old, decode_tex(old), value, decode_tex)
    if changed is not None:
        return changed
    if _COMMANDS.search(old):
        raise Unprintable("the field has commands in it that would be lost")
    return printed


def _change_within(old: str, printed: str, wanted: str, decode: Callable[[str], str]) -> str | None:
    """`old` with the one stretch replaced in which its text, `printed`, differs from `wanted`."""
    start = 0
    while start < min(len(printed), len(wanted)) and printed[start] == wanted[start]:
        start += 1
    end = 0
    while end < min(len(printed), len(wanted)) - start and printed[-1 - end] == wanted[-1 - end]:
        end += 1
    # Whole words, so that the stretch is found only where it is.
    while start and _WORD.match(printed[start - 1]):
        start -= 1
    while end and _WORD.match(printed[len(printed) - end]):
        end -= 1
    gone, put = printed[start : len(printed) - end], wanted[start : len(wanted) - end]
    if not gone or old.count(gone) != 1 or _UNSAFE.search(put) or any(sign in put for sign in "&#_$~^<>"):
        return None
    changed = old.replace(gone, put)
    return changed if decode(changed) == wanted else None


def _without_backslashes(text: str) -> str:
    return text.replace("\\", "")


def _print_verbatim(name: str, value: str, old: str | None, writing: BibConventions) -> str:
    value = value.strip()
    start = (_DOI_START if name == "doi" else _ID_START).match(old or "") if name in ("doi", "eprint") else None
    if old is not None:
        bare = _without_backslashes(old[start.end() :] if start else old).strip()
        if bare == value or (name == "doi" and bare.lower() == value.lower()):
            return old
        within = _change_within(old, _without_backslashes(old), value, _without_backslashes)
        if within is not None and start is None:
            return within
    if _UNSAFE.search(value) or not value.isascii():
        raise Unprintable("it has characters that the field cannot hold")
    if name == "doi" and printable_doi(value, writing.dialect) is None:
        if writing.doi_signs is None or not re.fullmatch(r"[A-Za-z0-9./():;_-]+", value):
            raise Unprintable(f"the DOI {value} has characters that stop LaTeX in some styles")
        value = value.replace("_", writing.doi_signs)
    return (start[0] if start else "") + value
