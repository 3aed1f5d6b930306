"""What a paper's abstract says of the paper's own contribution, as parts from which a sentence can be made."""

import re
from collections.abc import Iterator
from dataclasses import replace

from citeplug.records.paper import Paper
from citeplug.text.cited_text import words
from citeplug.text.plaintext import HOLE, plain_text
from citeplug.text.sentences import split_sentences
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.person import PAPER_NOUN
from citeplug.write.extractive.statement import Statement
from citeplug.write.extractive.subjects import of_sentence, speaks_of_paper

_CUE = re.compile(rf"\b(?:[Ii]n|[Tt]hroughout) (?:this|the present|our|the current) (?:\w+ )?{PAPER_NOUN}")
# Structured abstracts name their parts: "Results: ...".
LABEL = re.compile(
    r"^(?:Results?|Motivations?|Backgrounds?|Methods?|Conclusions?|Objectives?|Purpose|Aims?|Goals?|Summary|Introduction|"
    r"Availability(?: and [Ii]mplementation)?|Design|Findings|Context|Approach|Discussion|Problem|Materials and [Mm]ethods|"
    r"[A-Z]{5,}(?: AND [A-Z]+)*)\s?[:.] ?(?=[A-Z])"
)
# A reference that the sentence needs: "in [3], ...".
_SYNTACTIC = re.compile(
    r"\b([Ii]n|[Bb]y|[Ff]rom|[Oo]f|[Tt]o|[Ss]ee|[Ww]ith)\s+(?:\[[^\]]{0,40}\]|\([^()]{0,80}\d{4}[^()]{0,20}\))"
)
# Two of these in a sentence, and it is not English.
_FOREIGN = frozenset(
    "le la les des une dans nous est sont et du der die das und wir ein eine ist el los del una por que para il gli".split()
)


def find_statements(paper: Paper, packages: tuple[str, ...] = ()) -> list[Statement]:
    """What the abstract says of its paper, most telling first; empty if nothing can be said with confidence.

    `packages` are those of the document that will print the statements' math.
    """
    return contribution_statements(paper.abstract, paper.title, packages)


def contribution_statements(abstract: str, title: str, packages: tuple[str, ...] = ()) -> list[Statement]:
    """As `find_statements`, for any abstract with its white space collapsed."""
    found: list[Statement] = []
    topic = {word for word in words(title) if word not in STOPWORDS}
    small = frozenset(re.findall(r"(?<![\w$\\])[a-z]{3,}", abstract))
    after_paper = False
    for number, (start, end) in enumerate(split_sentences(abstract)):
        plain = plain_text(abstract[start:end], packages, holes=True)
        if plain is None or not _english(plain):
            continue
        text = _tidy(plain)
        for statement in of_sentence(text, title, small, first=number == 0, after_paper=after_paper):
            said = set(words(f"{statement.front} {statement.verb} {statement.text}"))
            weight = statement.weight + (0.6 if _CUE.search(plain) else 0.0) - 0.05 * max(0, number - 1)
            weight += 2.0 * len(topic & said) / max(4, len(topic))
            found.append(replace(statement, start=start, end=end, source=plain, weight=weight))
        after_paper = speaks_of_paper(text)
    return sorted(found, key=lambda s: (-s.weight, s.start))


def _english(text: str) -> bool:
    said = words(text)
    foreign = sum(word in _FOREIGN for word in said)
    return len(said) >= 4 and foreign < 2 and sum(word in STOPWORDS for word in said) >= 0.12 * len(said)


def _tidy(plain: str) -> str:
    """Without the final stop, asides and references to the literature."""
    text = LABEL.sub("", plain.rstrip().rstrip(".!?").rstrip())
    text = re.sub(r"\s+\(\$[^$]*\$\)", "", text)
    text = "".join(_outside_math(text))
    text = re.sub(r"(?<![=<>~\s])\s+\([^()]*\)(?=$|[\s,.;:])", "", text)  # asides with math in them
    text = re.sub(r"\s*[—–]\s?[^—–]{3,}\s?[—–](?=\s)|\s+[-—–] [^—–]{3,} [-—–](?=\s)", "", text)
    text = re.sub(r"(?<=[A-Z][a-z]{2}) - (?=[A-Z])|(?<=[a-z]) - (?=[A-Z][a-z]+ )", "-", text)
    return " ".join(re.sub(r"\s+,", ",", text).split())


def _outside_math(text: str) -> Iterator[str]:
    for index, piece in enumerate(re.split(r"(\$[^$]*\$)", text)):
        if index % 2:
            yield piece
            continue
        piece = _SYNTACTIC.sub(rf"\1 {HOLE}", piece)
        piece = re.sub(r"\s*\[[^\]]{0,90}\]", "", piece)
        for _ in range(2):
            piece = re.sub(r"(?<=[\s\w”])\s+\([^()]*\)(?=$|[\s,.;:)])", "", piece)
        yield piece
