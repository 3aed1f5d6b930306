"""Papers as authors name them: by a key of the draft or of the library, by arXiv id, or by title."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from citeplug.errors import UsageError
from citeplug.records.draft import Draft
from citeplug.records.paper import LIBRARY, shown_id
from citeplug.records.work import Holding
from citeplug.text.compare import compare_titles, entry_title, most_like
from citeplug.text.folding import fold_title
from citeplug.text.identifiers import as_arxiv_id

if TYPE_CHECKING:
    from citeplug.corpus.index import Corpus

OpenCorpus = Callable[[], AbstractContextManager["Corpus"]]

_TITLES = 8  # records of the catalogue to choose among


def in_draft(names: Iterable[str], draft: Draft) -> dict[str, str]:
    """The papers of `names` that the draft makes certain: arXiv ids where they have one, else keys of its entries."""
    by_key = {entry.key: entry.arxiv_id or entry.key for entry in draft.entries}
    by_title = {fold_title(entry_title(entry)): by_key[entry.key] for entry in draft.entries}
    by_title.pop("", None)
    certain = {name: by_key.get(name) or as_arxiv_id(name) or by_title.get(fold_title(name)) for name in names}
    return {name: value for name, value in certain.items() if value is not None}


def on_this_machine(
    names: Sequence[str], draft: Draft, open_corpus: OpenCorpus, need: Sequence[str] = ()
) -> dict[str, str]:
    """As `in_draft`, and as the catalogue and the author's library know them; works of the library alone by `lib:` id.

    Raises UsageError where one of the names in `need` is unknown.
    """
    known = in_draft(names, draft)
    if all(as_arxiv_id(known.get(name, "")) for name in names):
        return known
    with open_corpus() as corpus:
        holdings = corpus.library.holdings()
        known |= _known(names, known, draft, corpus, holdings)
        for name in need:
            if name not in known:
                raise _unknown(name, draft, corpus, holdings)
    return known


def _known(
    names: Sequence[str],
    certain: Mapping[str, str],
    draft: Draft,
    corpus: "Corpus",
    holdings: Sequence[tuple[str, Holding]],
) -> dict[str, str]:
    from citeplug.related.retrieve.cited_papers import papers_of_entries  # imported here: `status` does without numpy

    works = {key: value for value, holding in reversed(holdings) for key in (holding.key, value) if key}
    entries = {entry.key: entry for entry in draft.entries}
    known: dict[str, str | None] = {}
    for name in names:
        value = certain.get(name)
        if value is None:
            known[name] = works.get(name) or _of_title(name, corpus, holdings)
        elif value in entries:  # an entry without an arXiv id: the catalogue may have the paper nevertheless
            paper = papers_of_entries([entries[value]], corpus, corpus).get(value)
            known[name] = works.get(value, value) if paper is None else paper.id.value
    return {name: value for name, value in known.items() if value is not None}


def _of_title(title: str, corpus: "Corpus", holdings: Sequence[tuple[str, Holding]]) -> str | None:
    """The one paper that has this title; None if there are several."""
    titles = {value: holding.title for value, holding in holdings}
    titles |= {paper.id.value: paper.title for paper in corpus.by_title(title, _TITLES)}
    same = [value for value, other in titles.items() if other and compare_titles(title, other) == "same"]
    exact = [value for value in same if fold_title(titles[value]) == fold_title(title)]
    return next(iter(exact or same)) if len(exact or same) == 1 else None


def _unknown(name: str, draft: Draft, corpus: "Corpus", holdings: Sequence[tuple[str, Holding]]) -> UsageError:
    shown = {holding.key: holding.key for _, holding in holdings} | {entry.key: entry.key for entry in draft.entries}
    shown |= {paper.title: f"{shown_id(paper.id.value)}, {paper.title}" for paper in corpus.by_title(name, _TITLES)}
    shown |= {holding.title: holding.key or value.removeprefix(LIBRARY) for value, holding in holdings}
    shown |= {entry_title(entry): entry.key for entry in draft.entries}
    folded = {fold_title(text) or text: label for text, label in shown.items() if text}
    close = most_like(fold_title(name) or name, folded, 0.5)
    return UsageError(
        f"no paper is known as {name!r}",
        f"did you mean {folded[close]}?" if close else "give a key of your bibliography, an arXiv id or a title",
    )
