"""Folding of names and titles to what two writers of the same thing have in common.

Unidecode is under the GPL, and pybtex takes for a particle only what is written in lower case.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from citeplug.text.tables import Tables
from citeplug.text.tex_text import decode_tex

_TABLES = Tables(__name__)
_CYRILLIC = _TABLES.pairs("cyrillic")
_TABLE = _TABLES.pairs("letters") | _CYRILLIC | {a.upper(): b.capitalize() for a, b in _CYRILLIC.items()}
for _greek in "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω":
    _name = unicodedata.name(_greek).split()[-1].replace("LAMDA", "LAMBDA")
    _TABLE[_greek] = _name.lower() if _greek.islower() else _name.capitalize()
_TABLE |= {"ϵ": "epsilon", "ϑ": "theta", "ϕ": "phi", "ϱ": "rho", "ϖ": "pi"}
_TRANSLATION = str.maketrans(_TABLE)

_PARTICLES = _TABLES.words("particles")
_ONLY_LOWER = _TABLES.words("only_lower")
_SUFFIX = re.compile(r"(?:jr|sr|jnr|snr)\.?|i{2,3}|iv|vi{0,3}|[2-4](?:nd|rd|th)|ph\.?\s?d\.?|m\.?d\.?", re.IGNORECASE)
_NO_LETTER = re.compile(r"[^\w]|_")
_COLLECTIVE = re.compile(
    r"\b(?:collaborations?|consortium|team|group|project|network|foundation|institute|committee|society|community|"
    r"laboratory|initiative|openai|alliance|coll)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in its four parts; any may be empty. A collaboration is all `family`."""

    given: str
    particles: str
    family: str
    suffix: str = ""

    @property
    def surname(self) -> str:
        """Particles and family name, as printed in running text."""
        return f"{self.particles} {self.family}".strip()


def fold(text: str) -> str:
    """ASCII with accents removed and special letters spelled out; case is kept.

    Letters of scripts that have no customary Latin form here stay as they are.
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_TRANSLATION))
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_TRANSLATION)


@lru_cache(8192)
def fold_title(title: str) -> str:
    r"""Lower-case words of letters and digits, one space between: TeX, accents and punctuation are gone.

    `The {$\alpha$}-{S}ch\"odinger` and `The α-Schödinger` both give `the alpha schodinger`.
    """
    return " ".join(re.findall(r"[^\W_]+", fold(decode_tex(title).lower()).lower()))


def is_collective(name: str) -> bool:
    """True if the name is a collaboration's and not a person's."""
    return _COLLECTIVE.search(name) is not None


@lru_cache(8192)
def split_name(text: str) -> Name:
    """Split "Given van der Family Jr.", or BibTeX's "van der Family, Jr., Given"; TeX is decoded first."""
    braced = re.fullmatch(r"\s*\{[^{}\\]*(?:\{[^{}]*\}[^{}]*)*\}\s*", text) is not None
    name = decode_tex(text)
    if not name or is_collective(name) or (braced and " " in name and "," not in name):
        return Name("", "", name)
    if "," in name:
        parts = [part.strip() for part in name.split(",")]
        suffix = parts[1] if len(parts) > 2 else ""
        forename = parts[-1]
        if len(parts) == 2 and _SUFFIX.fullmatch(forename):
            whole = split_name(parts[0])
            return Name(whole.given, whole.particles, whole.family, forename)
        words = parts[0].split()
        cut = _leading_particles(words)
        return Name(forename, " ".join(words[:cut]), " ".join(words[cut:]), suffix)
    words = name.split()
    suffix = ""
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) and not re.fullmatch(r"[IVX]\.?", words[-1]):
        suffix = words.pop()
    # The family name begins after the last particle; without one it is the last word.
    last = len(words) - 1
    start = last
    while start > 1 and _is_particle(words[start - 1], words, start - 1):
        start -= 1
    if start == 1 and last > 0 and words[0][0].islower() and _is_particle(words[0], words, 0):
        start = 0
    return Name(" ".join(words[:start]), " ".join(words[start:last]), words[last] if words else "", suffix)


def _is_particle(word: str, words: list[str], index: int) -> bool:
    bare = word.lower()
    if bare not in _PARTICLES:
        return False
    if word[0].islower() or word[0] == "'":
        return True
    # "Van Hung" may be a middle name; "Van de", "De La" and a lone Van, De, Von, ... before the name are not.
    return bare not in _ONLY_LOWER or any(w.lower() in _PARTICLES and w[0].islower() for w in words[index + 1 : -1])


def _leading_particles(words: list[str]) -> int:
    """The number of words before the comma that are particles; at least one word is left for the family."""
    cut = 0
    while cut < len(words) - 1 and words[cut].lower() in _PARTICLES:
        cut += 1
    return cut


@lru_cache(65536)
def fold_name(text: str) -> str:
    """Letters and digits of a name, lower-case ASCII: `Van de Sompel` gives `vandesompel`."""
    return _NO_LETTER.sub("", fold(text).lower())


_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "oe", "Ø": "Oe",
                           "å": "aa", "Å": "Aa", "ð": "dh", "ñ": "ny", "đ": "dj"})  # fmt: skip


@lru_cache(65536)
def name_forms(text: str) -> frozenset[str]:
    """The folded forms of a name: `Jörg` is written `jorg` by some and `joerg` by others."""
    return frozenset((fold_name(text), fold_name(text.translate(_DIGRAPHS)))) - {""}


def same_family(first: Name, second: Name) -> bool:
    """True if two surnames are the same, be particles and all words of a double name given or not.

    `Schroeder` is `Schröder`; `Beethoven` is `van Beethoven`; `Garcia Marquez` is `Marquez`.
    """
    ours, theirs = _surname_forms(first), _surname_forms(second)
    return bool(ours & theirs)


@lru_cache(65536)
def _surname_forms(name: Name) -> frozenset[str]:
    words = name.family.split()
    texts = {name.surname, name.family}
    if not is_collective(name.family) and len(words) > 1:
        texts |= {words[-1], words[0]}
    if "-" in name.family and len(words) == 1:
        texts |= {part for part in re.split("-", name.family) if len(part) > 3}
    return frozenset(form for text in texts for form in name_forms(text))
