"""The full text of a paper that is kept on this machine, and searches in all of them."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import Report, need_models
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.errors import UsageError
from citeplug.records.paper import shown_id
from citeplug.records.passage import FoundPassage, PaperText, Passage
from citeplug.settings.environment import Settings
from citeplug.text.folding import fold_title
from citeplug.text.identifiers import parse_id


def read_text(settings: Settings, name: str) -> tuple[PaperText, list[list[Passage]]]:
    """The newest text of a paper, or that of the version in `name`, and the passages of each section.

    Raises UsageError for what is no id, or for a paper whose text is not kept.
    """
    paper = parse_id(name)
    with closing(TextStore(settings.home)) as store:
        text = store.read(paper.value, paper.version)
    if text is None:
        raise UsageError(
            f"the text of {shown_id(str(paper))} is not on this machine",
            f"get it with 'citeplug fetch {paper} --online'",
        )
    by_section: list[list[Passage]] = [[] for _ in text.sections]
    for at, passage in placed_passages(text):
        by_section[at].append(passage)
    return text, by_section


def matching_sections(text: PaperText, wanted: str) -> list[int]:
    """Numbers, from 0, of the sections whose title has the words of `wanted`, or that is its number, from 1.

    Raises UsageError if there is none.
    """
    if wanted.isdigit() and 1 <= int(wanted) <= len(text.sections):
        return [int(wanted) - 1]
    words = fold_title(wanted).split()
    matching = [
        at for at, section in enumerate(text.sections) if words and set(words) <= set(fold_title(section.title).split())
    ]
    if not matching:
        raise UsageError(f"no section is titled {wanted!r}", "see the titles with 'citeplug paper ID'")
    return matching


@contextmanager
def open_passages(settings: Settings) -> Iterator[PassageSearch]:
    """Open a search over the texts on this machine. Raises ModelUnavailable for a model that is not there."""
    need_models(settings)
    with closing(TextStore(settings.home)) as store:
        yield PassageSearch(store, lambda: open_embedder(settings.embedder, settings.device))


def search_passages(
    settings: Settings, text: str, count: int, within: Sequence[str], *, wait: bool, report: Report
) -> list[FoundPassage]:
    """At most `count` passages, best first; `within` names papers. `wait`: embed all that was found by words.

    Raises UsageError for what is no id, or for a named paper without a text.
    """
    papers = [parse_id(name).value for name in within]
    with open_passages(settings) as search:
        for paper in papers:
            if not search.has(paper):
                raise UsageError(
                    f"the text of {shown_id(paper)} is not on this machine",
                    f"get it with 'citeplug fetch {paper} --online'",
                )
        return search.find(
            text,
            count,
            papers,
            seconds=None if wait else 2.0,
            tell=lambda done, total: report("embed passages", done, total),
        )
