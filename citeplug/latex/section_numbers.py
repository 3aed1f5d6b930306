r"""Numbers of a document's sections as LaTeX prints them, where the source alone says what they are."""

import re

from citeplug.latex.parse import Facts, Heading

# Classes that number sections 1, 1.1; in the other ones they may be Roman, begin anew, or have no number.
_ARABIC = re.compile(
    r"(?:ext)?(?:article|report|book)|amsart|amsproc|scr(?:artcl|reprt|book)|memoir|acmart|sig-?(?:conf|plan|alternate).*"
    r"|llncs|lncs|svjour3?|svmult|sn-jnl|elsart(?:icle)?|cas-[sd]c|mnras|mn2e|aa|aastex\d*|emulateapj|jmlr.*|eptcs"
    r"|lipics.*|oasics.*|siamart.*|siamltex|imsart|iopart|quantumarticle|scipost|jhep\d*|easychair|ceurart",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"ieeetran|ieeeconf|revtex4(?:-[12])?", re.IGNORECASE)
_UNNUMBERED = re.compile(r"aaai\d*|nature|pnas\w*|titlesec|sectsty", re.IGNORECASE)
_PRINTED = ("thechapter", "thesection", "thesubsection")
# What numbers otherwise from here on.
_CHANGED = re.compile(
    r"\\(?:setcounter|addtocounter|stepcounter|refstepcounter|counterwithin\*?|counterwithout\*?|numberwithin)\s*\{"
    r"(?:chapter|section|subsection)\}"
    r"|\\setcounter\s*\{secnumdepth\}\s*\{\s*(?:-\s*\d|[01])\s*\}"
    r"|\\@addtoreset"
)
_APPENDIX = re.compile(r"\\(?:appendix|appendices)(?![A-Za-z])|\\begin\s*\{(?:sub)?append(?:ix|ices)\}")
_STAR = re.compile(r"\\[A-Za-z]+\s*\*")
_DEEPEST = 2  # subsections: what is below is cited by these
_MOST = 99  # sections; a document with more is no paper


def section_places(facts: Facts) -> dict[int, str]:
    """The places that a citation can name, such as `Sec. 3.2` and `App. B`, by where their headings start.

    A heading without a number has none, and what is below a subsection has that of the subsection.
    """
    string, stream = facts.string, facts.stream
    loaded = [each.name for each in stream.packages]
    if any(name in stream.macros for name in _PRINTED) or any(map(_UNNUMBERED.fullmatch, loaded)):
        return {}
    name = stream.document_class or ""
    roman = _ROMAN.fullmatch(name) is not None
    if not roman and not _ARABIC.fullmatch(name):
        return {}
    # Physical Review Letters prints headings without numbers.
    if roman and re.search(r"\\documentclass\s*\[[^\]]*\bprl\b", string):
        return {}
    changed = _CHANGED.search(string)
    appendix = _APPENDIX.search(string, facts.body)
    numbered = _Numbers(roman, appendix.start() if appendix else len(string))
    headings = sorted(facts.headings, key=lambda heading: heading.start)
    if changed is not None:
        headings = [heading for heading in headings if heading.start < changed.start()]
    return {
        heading.start: numbered.next(heading, _STAR.match(string, heading.start) is not None) for heading in headings
    }


class _Numbers:
    """LaTeX's counters of chapters, sections and subsections."""

    def __init__(self, roman: bool, appendix: int) -> None:
        self._roman = roman
        self._appendix = appendix
        self._counts = [0, 0, 0]
        self._last = ""
        self._begun = False

    def next(self, heading: Heading, starred: bool) -> str:
        level = max(heading.level, 0)
        if level > _DEEPEST:
            return self._last
        behind = heading.start > self._appendix
        if behind and not self._begun:
            self._begun, self._counts = True, [0, 0, 0]
        if starred:
            self._last = ""
            return ""
        self._counts[level] += 1
        self._counts[level + 1 :] = [0] * (_DEEPEST - level)
        self._last = self._shown(level, behind)
        return self._last

    def _shown(self, level: int, behind: bool) -> str:
        counts = self._counts[: level + 1] if self._counts[0] else self._counts[1 : level + 1]
        if not counts or not all(0 < count <= _MOST for count in counts) or level == 0:
            return ""
        if behind:
            letter = chr(ord("A") + counts[0] - 1) if counts[0] <= 26 else ""
            return f"App. {'.'.join([letter, *map(str, counts[1:])])}" if letter else ""
        if self._roman:
            return f"Sec. {_roman(counts[0])}"
        return f"Sec. {'.'.join(map(str, counts))}"


def _roman(number: int) -> str:
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    return tens[number // 10] + ones[number % 10]
