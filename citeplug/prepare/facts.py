"""Fields of a paper by pattern, each with the words in which it stands: code addresses, metrics, named theorems."""

import re
from collections.abc import Iterator

from citeplug.records.prepared import Fact, PaperSource, Place
from citeplug.text.sentences import split_sentences
from citeplug.text.stop_words import STOPWORDS

_MOST = 20  # of a kind
_ADDRESS = re.compile(
    r"(?:https?://)?(?:www\.)?(?:github\.com|gitlab\.[a-z.]{2,20}|bitbucket\.org|codeberg\.org|huggingface\.co"
    r"|sourceforge\.net/projects|zenodo\.org/records?|[\w-]{1,39}\.github\.io)/[\w./~%+-]{2,150}",
    re.IGNORECASE,
)
_METRIC = re.compile(
    r"\b(?:[Mm]acro-|[Mm]icro-)?(?:F1(?:[- ](?:score|measure))?|F-(?:score|measure))|\b(?:BLEU|ROUGE|METEOR|chrF|CIDEr)"
    r"(?:-(?:\d|L|SU4|W))?\b|\b(?:m?IoU|mAP|AUROC|AUPRC|AUC|ROC|RMSE|PSNR|SSIM|LPIPS|FID|MRR|n?DCG|WER|CER|MAPE)(?:@\d+)?\b"
    r"|\b(?:[Rr]ecall|[Pp]recision|[Hh]its|R|P)@\d+\b|\b[Tt]op-\d (?:accuracy|error)\b|\bperplexity\b"
    r"|\b(?:[Ww]ord|[Cc]haracter|[Ee]qual) error rate\b"
    r"|\b[Mm]ean (?:average precision|reciprocal rank)\b|\b[Mm]ean (?:squared|absolute) error\b"
    r"|\b(?:[Cc]lassification|[Tt]est|[Bb]alanced) accuracy\b"
    r"|\b[Aa]ccuracy(?= (?:of|is|by|from|up to)(?: up to| about| over)? \d)"
    r"|(?<=% )accuracy\b"
)
_THEOREM = re.compile(
    r"\b(?P<name>(?:[A-Z][\w'’.]{0,30}(?:[-–]{1,2}[A-Z][\w'’.]{0,30}){0,3}\s{1,3}){1,3})"
    r"(?:(?:[Ff]ixed[- ][Pp]oint|[Mm]inimax|[Ll]imit|[Rr]epresentation|[Ee]xtension|[Uu]niqueness|[Cc]ompactness)\s+)?"
    r"(?:[Tt]heorem|[Ll]emma|[Ii]nequality|[Cc]onjecture(?! (?:that|is|about)\b))\b(?! [Pp]rov)"
)
# Numbered ones are the paper's own, and these are no names.
_NO_NAME = STOPWORDS | frozenset(
    "main new novel assuming using applying given theorem lemma corollary proposition conjecture inequality".split()
)


def find_facts(source: PaperSource) -> tuple[Fact, ...]:
    """The fields of a paper that stand in its text, each value once, where it stands first."""
    facts: dict[tuple[str, str], Fact] = {}
    for passage, text in source.texts().items():
        for kind, start, end in (*_addresses(text), *_metrics(text), *_theorems(text)):
            value = " ".join(text[start:end].split())
            key = kind, value.lower().removeprefix("https://").removeprefix("http://")
            if key not in facts and sum(known == kind for known, _ in facts) < _MOST:
                facts[key] = Fact(kind, value, text[start:end], Place(passage, start, end))
    return tuple(facts.values())


def _addresses(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _ADDRESS.finditer(text):
        yield "code", match.start(), match.start() + len(match[0].rstrip(".-/"))


def _metrics(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _METRIC.finditer(text):
        yield "metric", match.start(), match.end()


def _theorems(text: str) -> Iterator[tuple[str, int, int]]:
    begins = {start for start, _ in split_sentences(text)}
    for match in _THEOREM.finditer(text):
        start = match.start()
        names = match["name"].split()
        # The first word of a sentence has its capital for that, and an initial is little of a name.
        while names and (
            names[0].endswith(".") or names[0].lower() in _NO_NAME or (start in begins and len(names) > 1)
        ):
            start = text.index(names[1], start + len(names[0])) if len(names) > 1 else match.end("name")
            names = names[1:]
        sure = start not in begins or "-" in text[start : match.end("name")] or "'" in match["name"]
        if names and sure and not any(name.strip(".").lower() in _NO_NAME for name in names):
            yield "theorem", start, match.end()
