"""Remarks of authors to each other in a draft, which are no part of the text."""

import re

from citeplug.latex.macros import Macro

_COLORED = re.compile(r"\\(?:text)?color\b|\\marginpar\b|\\marginnote\b|\\todo\b|\\fbox\b")
_COLOR_OR_COMMAND = re.compile(r"\\(?:text)?color\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}|\\[A-Za-z@]+|#\d")
_REMARK_NAME = re.compile(r"(?i)note|comment|todo|fixme|remark|query")
_SPEAKER = re.compile(r"[A-Za-z]{2,}\s*[:\]-]|\[\s*\]|[A-Z]{2,}|<<|>>")


def is_remark(macro: Macro) -> bool:
    r"""True if a macro is one for remarks, as `\newcommand{\ann}[1]{\textcolor{red}{Ann: #1}}` is."""
    if len(macro.parameters) != 1 or not _COLORED.search(macro.body):
        return False
    said = _COLOR_OR_COMMAND.sub("", macro.body)
    return _REMARK_NAME.search(macro.name) is not None or _SPEAKER.search(said) is not None
