"""What texts on this machine state of a work: what it does and reports, and its limits, by itself or by those that cite it."""

import re
from collections.abc import Iterator, Sequence

from citeplug.records.gaps import StatedPassage
from citeplug.records.paper import Paper
from citeplug.records.passage import Mentioned, PaperText
from citeplug.related.limits import is_limit_of_cited, limits_in_text, limits_of_own
from citeplug.related.papers import gist_of
from citeplug.related.write.extractive.contributions import find_contributions
from citeplug.text.sentences import split_sentences

# What a sentence of an abstract says of its own work, where no model judges it. A cell is word for word and is left empty
# in doubt: a sentence that these miss costs a cell, and one that they take wrongly still stands as its authors wrote it.
_REPORTS = re.compile(
    r"\b(?:outperform|surpass|exceed|achiev|attain)|\b(?:improv|reduc|sav|rais)(?:es?|ed|ing)\b"
    r"|\b(?:state[- ]of[- ]the[- ]art|(?:new |the )best|on par|superior|competitive|comparable|effectiveness|advantages?|gains?|fast(?:er)?)\b"
    r"|\bmore (?:accurate|efficient|robust|effective|stable)\b|\d ?\\?%"
    r"|\b(?:we|results?|experiments?|simulations?|analysis|evaluations?|study|work|paper) (?:\w+ ){0,8}?"
    r"(?:show|demonstrat|prov[ei]|f[io]+nd|found|observ|reveal|confirm|indicat|validat|verif)",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"\b(?:we|our|it|this|the (?:proposed|resulting|new|paper|method|approach|model|algorithm)|experiment\w*|empirical\w*"
    r"|results?|simulations?|evaluat\w+)\b",
    re.IGNORECASE,
)
_NO_REPORT = re.compile(
    r"^(?:However|Although|While|Despite|Existing|Previous|Recent|Many|Most)\b"
    r"|\b(?:(?<!the )propos\w+|introduc\w+|present|presents|aims?|will|we (?:then )?(?:develop|provide|study|describe)|how to)\b",
    re.IGNORECASE,
)
_MOST = 6  # limits of one work that are compared with the draft


def contribution_of(paper: Paper) -> StatedPassage | None:
    """The sentence of the abstract that states the main contribution; None where none plainly does."""
    if paper.abstract_kind == "draft":
        return None
    contributions = find_contributions(paper)
    return _in_abstract(paper, contributions[0].start, contributions[0].end) if contributions else None


def does_of(paper: Paper) -> StatedPassage | None:
    """The main contribution, or else the first sentence in which the abstract speaks of the work; of a summary the first."""
    text = gist_of(paper) if paper.has_abstract else ""
    speaks = paper.abstract_kind == "summary" or _OF_ITSELF.search(text)
    at = paper.abstract.find(text)
    return contribution_of(paper) or (_in_abstract(paper, at, at + len(text)) if text and speaks and at >= 0 else None)


def result_of(paper: Paper) -> StatedPassage | None:
    """The last sentence of the abstract that reports what came of the work; None where none plainly does.

    A summary speaks of nothing but the work.
    """
    places = split_sentences(paper.abstract)[1:] if paper.has_abstract else []
    does = does_of(paper)
    for start, end in reversed(places):
        sentence = paper.abstract[start:end]
        own = paper.abstract_kind == "summary" or _OF_ITSELF.search(sentence)
        other = (does is None or does.start != start) and not _NO_REPORT.search(sentence)
        if own and other and _REPORTS.search(sentence):
            return _in_abstract(paper, start, end)
    return None


def limits_of(paper: Paper, text: PaperText | None, mentions: Sequence[Mentioned]) -> list[StatedPassage]:
    """The limits that are stated, the likeliest first: by its full text, its abstract, and others that cite it."""
    return list(_limits(paper, text, mentions))[:_MOST]


def _limits(paper: Paper, text: PaperText | None, mentions: Sequence[Mentioned]) -> Iterator[StatedPassage]:
    value = paper.id.value
    for at, start, end in limits_in_text(text) if text is not None else ():
        section = text.sections[at] if text is not None else None
        if section is not None:
            yield StatedPassage(section.text[start:end], "full text", value, section.title, start, end)
    if paper.abstract_kind == "abstract":
        for start, end in limits_of_own(paper.abstract):
            yield _in_abstract(paper, start, end)
    for mention in mentions:
        if is_limit_of_cited(mention.sentence):
            yield StatedPassage(mention.sentence, "citation", mention.citing, mention.section)


def _in_abstract(paper: Paper, start: int, end: int) -> StatedPassage:
    return StatedPassage(paper.abstract[start:end], "abstract", paper.id.value, "", start, end)
