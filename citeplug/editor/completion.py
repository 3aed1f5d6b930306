"""Completion of keys: the project's own entries, then papers of the catalogue."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from lsprotocol import types as lsp

from citeplug.bib.write.keystyle import KeyFacts, make_key
from citeplug.editor.capabilities import ServerCommand
from citeplug.editor.cards import arxiv_address
from citeplug.editor.citing import Typing
from citeplug.editor.documents import Document, Documents, range_in
from citeplug.editor.matching import Words, fits, words_of
from citeplug.editor.state import Offered
from citeplug.records.draft import BibEntry
from citeplug.records.paper import Paper, shown_id
from citeplug.records.work import OwnEntry
from citeplug.section_file.cite_style import unfit_for_cite
from citeplug.text.cleaning import plain
from citeplug.text.sameness import describe_paper
from citeplug.text.tex_text import decode_tex

_MOST_PAPERS = 10
_TITLE, _LABEL = 80, 38  # characters; a longer label leaves no room for the year in VS Code


def own_items(typing: Typing, document: Document, offered: Offered, documents: Documents) -> list[lsp.CompletionItem]:
    """Return items for the project's own entries that can be cited, in their order."""
    beside = set(typing.others)
    biber = offered.snapshot.draft.bib_engine == "biber"
    found = [
        entry
        for entry in offered.snapshot.index.matches(typing.typed)
        if entry.key not in beside and unfit_for_cite(entry.key, biber=biber) is None
    ]
    place = range_in(document.lined, typing.start, typing.end, documents)
    return [
        lsp.CompletionItem(
            label=entry.key,
            label_details=lsp.CompletionItemLabelDetails(
                detail="  " + " · ".join(filter(None, (_year(entry), title := _title(entry.fields.get("title", "")))))
            ),
            kind=lsp.CompletionItemKind.Reference,
            detail=title,
            filter_text=typing.typed or entry.key,
            sort_text=f"0{number:04}",
            text_edit=lsp.TextEdit(range=place, new_text=entry.key),
            data={"uri": document.uri, "key": entry.key},
        )
        for number, entry in enumerate(found)
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
    """Return items for papers, those with an entry too, unless what was typed finds that entry or it is beside.

    `near` are papers on the sentence, of which those come first that fit what was typed; `named` are those that the
    typed words found. Choosing a paper without an entry cites it, and a command adds its entry; `own` are those of the
    author's library, by id.
    """
    taken = {key.lower() for key in offered.snapshot.entries}
    place = range_in(document.lined, typing.start, typing.end, documents)
    shown = {*typing.others, *(entry.key for entry in offered.snapshot.index.matches(typing.typed))}
    first = [paper for paper in near if fits(_words(paper), typing.typed)]
    items: list[lsp.CompletionItem] = []
    for paper in {paper.id.value: paper for paper in (*first, *named)}.values():
        entry = offered.own.entry_of(describe_paper(paper))
        key = entry.key if entry is not None else _key(paper, taken, offered, own.get(paper.id.value))
        if key is None or key in shown:
            continue
        shown.add(key)
        about = ["in the bibliography" if entry is not None else "not in the bibliography yet"]
        if mine := own.get(paper.id.value):
            about = [*(["in your library"] if paper.id.on_arxiv else []), *about, *mine.collections]
        argument = {"uri": document.uri, "arxiv_id": paper.id.value, "key": key}
        command = None
        if entry is None:
            command = lsp.Command(title="Add an entry", command=ServerCommand.ADD_ENTRY, arguments=[argument])
        items.append(
            lsp.CompletionItem(
                label=_title(paper.title, _LABEL),
                label_details=lsp.CompletionItemLabelDetails(description=str(paper.published.year)),
                # Another icon than that of the author's own entries.
                kind=lsp.CompletionItemKind.Text if entry is None else lsp.CompletionItemKind.Reference,
                detail=", ".join((shown_id(paper.id.value), *about)),
                filter_text=typing.typed or key,
                sort_text=f"1{len(items):04}",
                text_edit=lsp.TextEdit(range=place, new_text=key),
                command=command,
                data={"uri": document.uri, "arxiv_id": paper.id.value},
            )
        )
        if len(items) == _MOST_PAPERS:
            break
    return items


def found_papers(papers: Sequence[Paper], offered: Offered) -> list[dict[str, Any]]:
    """Return papers as the answer of a search, each with the key of its entry, and whether that is cited."""
    from citeplug.related.papers import contribution_of  # what it loads is not waited for by a first completion

    found = []
    for paper in papers:
        entry = offered.own.entry_of(describe_paper(paper))
        found.append(
            {
                "arxiv_id": paper.id.value,
                "title": plain(decode_tex(paper.title, keep_math=True)),
                "authors": list(paper.authors),
                "year": paper.published.year,
                "abstract": plain(decode_tex(paper.abstract, keep_math=True)),
                "contribution": plain(decode_tex(contribution_of(paper), keep_math=True)),
                "key": entry.key if entry is not None else None,
                "cited": entry is not None and entry.key in offered.snapshot.mentions,
                "url": arxiv_address(paper.id.value),
            }
        )
    return found


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


def _title(title: str, longest: int = _TITLE) -> str:
    text = plain(decode_tex(title, keep_math=True))
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
