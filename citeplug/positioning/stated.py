"""What texts on this machine state of a work: its contribution, and its limits by the work itself or by those that cite it."""

from collections.abc import Iterator, Sequence

from citeplug.records.gaps import StatedPassage
from citeplug.records.paper import Paper
from citeplug.records.passage import Mentioned, PaperText
from citeplug.related.limits import is_limit_of_cited, limits_in_text, limits_of_own
from citeplug.related.write.extractive.contributions import find_contributions

_MOST = 6  # limits of one work that are compared with the draft


def contribution_of(paper: Paper) -> StatedPassage | None:
    """The sentence of the abstract that states the main contribution; None where none plainly does."""
    if paper.abstract_kind == "draft":
        return None
    contributions = find_contributions(paper)
    return _in_abstract(paper, contributions[0].start, contributions[0].end) if contributions else None


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
