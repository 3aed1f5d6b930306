"""English words by which authors speak of their own work, and of the works of others."""

import re

PAPER = r"(?:paper|work|study|article|survey|note|report|talk|letter|thesis)"
THIS = rf"this {PAPER}"
FIRST_PERSON = r"(?:we|our|ours|us|I|my)"
WE = rf"(?:we|I|(?:this|the present|the|our) {PAPER})"
OWN = re.compile(
    rf"\b(?:we|our (?!understanding|knowledge|universe)|{THIS}|here)\b"
    r"|\b(?:is|are) (?:presented|proposed|introduced|studied|considered|derived|discussed)\b",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"^(?:However|Nevertheless|Nonetheless|Despite|Although|While|Existing|Previous|Prior|Current|Recent|Most|Many)\b"
    r"|\b(?:existing|previous(?:ly)?|prior|earlier|conventional|traditional|state[- ]of[- ]the[- ]art|current|recent"
    r"|other|various works|most|removes?|without|relax\w*|overcom\w+|hope)\b",
    re.IGNORECASE,
)
