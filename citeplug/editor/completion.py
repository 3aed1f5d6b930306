"""Completion of keys: what fits the sentence, then the rest of the project's entries and papers of the catalogue."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp

from citeplug.bib.write.keystyle import KeyFacts, make_key
from citeplug.editor.capabilities import ServerCommand
from citeplug.editor.cards import arxiv_address, entry_label, paper_label
from citeplug.editor.citing import Typing
from citeplug.editor.documents import Document, Documents, range_in
from citeplug.editor.matching import Words, fits, words_of
from citeplug.editor.proposed import as_written
from citeplug.editor.state import Offered
from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper, library_id, shown_id
from citeplug.records.work import OwnEntry
from citeplug.section_file.cite_style import unfit_for_cite
from citeplug.text.asked_words import words_of_question
from citeplug.text.cleaning import plain
from citeplug.text.compare import paper_year
from citeplug.text.folding import fold, split_name
from citeplug.text.people import split_authors
from citeplug.text.sameness import describe_paper
from citeplug.text.tex_text import decode_tex

_MOST_PAPERS = 10
_OWN, _NEW = "★", "+"  # beside a key: it has an entry, or it gets one when it is chosen
_IN, _NOT_IN = "in the bibliography", "added to the bibliography when you choose it"
_LATER = 2  # places by which shared words come after meaning


def own_items(typing: Typing, document: Document, offered: Offered, documents: Documents) -> list[lsp.CompletionItem]:
    """Return items for the project's own entries that can be cited, in their order."""
    beside = set(typing.others)
    biber = offered.snapshot.draft.bib_engine == "biber"
    place = range_in(document.lined, typing.start, typing.end, documents)
    return [
        _item(
            entry.key,
            _Shown(_title(entry.fields.get("title", "")), _surname(entry), _year(entry), _OWN),
            typing,
            place,
            {"uri": document.uri, "key": entry.key, **_told(entry)},
        )
        for entry in offered.snapshot.index.matches(typing.typed)
        if entry.key not in beside and unfit_for_cite(entry.key, biber=biber) is None
    ]


def paper_items(
    typing: Typing,
    document: Document,
    offered: Offered,
    near: Sequence[Paper],
    named: Sequence[Paper],
    documents: Documents,
    own: Mapping[str, OwnEntry],
) -> list[lsp.CompletionItem]:
    """Return items for papers without an entry, and for those whose entry what was typed does not find.

    `near` are papers on the sentence, of which those come first that fit what was typed; `named` are those that the
    typed words found. Choosing a paper without an entry cites it, and a command adds its entry; `own` are those of the
    author's library, by id.
    """
    taken = {key.lower() for key in offered.snapshot.entries}
    place = range_in(document.lined, typing.start, typing.end, documents)
    shown = {*typing.others, *(entry.key for entry in offered.snapshot.index.matches(typing.typed))}
    items: list[lsp.CompletionItem] = []
    for paper in {paper.id.value: paper for paper in (*_fitting(near, typing), *named)}.values():
        entry = offered.own.entry_of(describe_paper(paper))
        key = entry.key if entry is not None else _key(paper, taken, offered, own.get(paper.id.value))
        if key is None or key in shown:
            continue
        shown.add(key)
        about = [_IN if entry is not None else _NOT_IN]
        if mine := own.get(paper.id.value):
            about = [*(["in your library"] if paper.id.on_arxiv else []), *about, *mine.collections]
        data = {"uri": document.uri, "arxiv_id": paper.id.value}
        title, mark, year = _title(paper.title), _NEW if entry is None else _OWN, str(paper_year(paper, entry) or "")
        told = _told(entry) if entry is not None else {"title": title, "by": paper_label(paper.authors, year, title)}
        item = _item(key, _Shown(title, _family(paper.authors), year, mark), typing, place, data | told)
        item.detail = f"{mark} {', '.join((shown_id(paper.id.value), *about))}"
        if entry is None:
            item.kind = lsp.CompletionItemKind.Text  # another icon than that of the author's own entries
            command, argument = ServerCommand.ADD_ENTRY, {**data, "key": key}
            item.command = lsp.Command(title="Add an entry", command=command, arguments=[argument])
        items.append(item)
        if len(items) == _MOST_PAPERS:
            break
    return items


def in_order(
    own: Sequence[lsp.CompletionItem],
    papers: Sequence[lsp.CompletionItem],
    typing: Typing,
    sentence: str,
    offered: Offered,
    near: Sequence[Paper],
) -> list[lsp.CompletionItem]:
    """Return the items of both, what fits the sentence and what was typed first.

    Three orders take turns: the papers by the meaning of the sentence, the entries by what was typed, and, a little
    later, the entries by the words that their titles share with the sentence.
    """
    fitting = _fitting(near, typing)
    entries = (offered.own.entry_of(describe_paper(paper)) for paper in fitting) if fitting else ()
    keys = {paper.id.value: entry.key for paper, entry in zip(fitting, entries, strict=True) if entry is not None}
    turns: dict[str, int] = {}
    for later, order in (
        (0, [keys.get(paper.id.value, paper.id.value) for paper in fitting]),
        (0, [_name(item) for item in own] if typing.typed else []),
        (_LATER, [entry.key for entry in offered.snapshot.index.sharing(sentence)]),
    ):
        for turn, name in enumerate(order, later):
            turns[name] = min(turn, turns.get(name, turn))
    last = len(turns) + _LATER
    items = sorted((*own, *papers), key=lambda item: turns.get(_name(item), last))
    for number, item in enumerate(items):
        item.sort_text = f"{number:04}"
    return items


def _name(item: lsp.CompletionItem) -> str:
    """Return the name of an item in the orders: its key if it has an entry, else its paper's id."""
    data = item.data if isinstance(item.data, dict) else {}
    return item.label if item.command is None else str(data.get("arxiv_id"))


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is beside a key."""

    title: str
    surname: str
    year: str
    mark: str


def _item(key: str, shown: _Shown, typing: Typing, place: lsp.Range, data: Mapping[str, str]) -> lsp.CompletionItem:
    # VS Code cuts a row at its end, so the title is there; a `description` at the right would cut what is before it.
    # Year and name come first, unless the key says them.
    folded = fold(key).lower()
    parts = " ".join(part for part in (shown.year, shown.surname) if part and fold(part).lower() not in folded)
    about = " · ".join(filter(None, (parts, shown.title)))
    return lsp.CompletionItem(
        label=key,
        label_details=lsp.CompletionItemLabelDetails(detail=f"  {shown.mark} {about}".rstrip()),
        kind=lsp.CompletionItemKind.Reference,
        detail=f"{shown.mark} {_IN}",
        filter_text=typing.typed or key,
        text_edit=lsp.TextEdit(range=place, new_text=key),
        data=dict(data),
    )


def _fitting(near: Sequence[Paper], typing: Typing) -> list[Paper]:
    return [paper for paper in near if fits(_words(paper), typing.typed)]


def found_papers(text: str, papers: Sequence[Paper], offered: Offered) -> list[dict[str, Any]]:
    """Return papers as the answer of a search, each with the key of its entry, whether that is cited, and the words of
    `text` that it has. The project's own entries that have all of its words come first, in the catalogue or not."""
    from citeplug.related.papers import contribution_of  # what it loads is not waited for by a first completion

    snapshot = offered.snapshot
    rows: dict[str, dict[str, Any]] = {}
    for paper in papers:
        entry = offered.own.entry_of(describe_paper(paper))
        rows[entry.key if entry is not None else paper.id.value] = {
            "arxiv_id": paper.id.value,
            "title": plain(decode_tex(paper.title, keep_math=True)),
            "authors": list(paper.authors),
            "year": paper_year(paper, entry),
            "abstract": plain(decode_tex(paper.abstract, keep_math=True)),
            "contribution": plain(decode_tex(contribution_of(paper), keep_math=True)),
            "key": entry.key if entry is not None else None,
            "cited": entry is not None and entry.key in snapshot.mentions,
            "reasons": [{"text": words} for words in [words_of_question(text, paper)] if words],
            "url": arxiv_address(paper.id.value),
        }
    own: list[dict[str, Any]] = []
    for entry in snapshot.index.matches(text)[:_MOST_PAPERS] if any(map(str.isalnum, text)) else ():
        row = rows.pop(entry.key, None) or as_written(library_id(entry.key).value, None, snapshot)
        own += [row | {"cited": entry.key in snapshot.mentions}] if row is not None else []
    return [*own, *rows.values()]


def _words(paper: Paper) -> Words:
    return words_of("", " and ".join(paper.authors), paper.title, str(paper.published.year))


def _key(paper: Paper, taken: Collection[str], offered: Offered, own: OwnEntry | None) -> str | None:
    """Return the key for a paper's entry, the author's own if the library has one that can be cited and is free.

    None for a work outside arXiv whose own key is taken.
    """
    if own is not None and own.key.lower() not in taken and unfit_for_cite(own.key) is None:
        return own.key
    if not paper.id.on_arxiv and (own is None or own.key.lower() in taken):
        return None
    return make_key(KeyFacts.of_paper(paper), set(taken), offered.style)


def _year(entry: BibEntry) -> str:
    return plain(entry.fields.get("year") or entry.fields.get("date", "")[:4])


def _told(entry: BibEntry) -> dict[str, str]:
    """What a client that lays out its rows itself shows of an entry, and the name of its file."""
    return {"title": _title(entry.fields.get("title", "")), "by": entry_label(entry), "file": entry.span.file.name}


def _surname(entry: BibEntry) -> str:
    names, _ = split_authors(entry.fields.get("author") or entry.fields.get("editor", ""))
    return _family([decode_tex(name) for name in names[:1]])


def _family(authors: Sequence[str]) -> str:
    return plain(split_name(authors[0]).surname) if authors else ""


def _title(title: str) -> str:
    return plain(decode_tex(title, keep_math=True))
