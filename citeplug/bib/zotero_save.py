"""`citeplug library save`: put papers into a collection of Zotero, with PDF and tags, when the user asks for it.

An item's key follows from the paper's id, and a sync comes first: a save that broke off and is asked for again finds
what it made, and makes nothing twice. No write is repeated by itself.
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from citeplug.bib.check import open_lookup
from citeplug.bib.collect_library import LibraryReport
from citeplug.bib.library.zotero_items import item_name, names_of
from citeplug.bib.zotero_sync import ZoteroState, read_state, sync_within, write_state
from citeplug.corpus.fulltext.paper_pdf import pdf_of, with_pdf
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import CiteplugError, SourceUnavailable, UsageError
from citeplug.records.paper import ArxivId, Paper, shown_id
from citeplug.settings.environment import Settings
from citeplug.sources.zotero import MOST_OBJECTS, Denied, Zotero
from citeplug.text.folding import split_name
from citeplug.text.identifiers import parse_id

_OWN = "users/0"
_ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"  # of Zotero's keys
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class SavedPaper:
    """What became of a paper. `filed`: Zotero had it, and it is in the collection now; `there`: it was in it before."""

    id: str
    status: Literal["saved", "filed", "there", "failed"]
    item: str | None = None
    pdf: bool = False
    message: str = ""


@dataclass(slots=True)
class _Planned:
    paper: Paper
    status: Literal["saved", "filed", "there"]
    item: str
    objects: list[dict[str, Any]]
    attachment: str | None = None


def save_papers(
    settings: Settings, ids: Sequence[str], collection: str | None, tags: Sequence[str], report: Report
) -> list[SavedPaper]:
    """Save papers to Zotero, which asks the user for leave; `collection` is a name or a path, None for no collection.

    Raises UsageError on an unknown paper or collection, and if the user declines; SourceUnavailable.
    """
    zotero = Zotero(settings)
    zotero.need_writing()
    values = list(dict.fromkeys(parse_id(value).value for value in ids))
    papers = _records(values, settings)
    with open_corpus(settings) as corpus, corpus.one_change_of_library():
        sync_within(zotero, corpus, settings.home, LibraryReport(), report)
        state = read_state(settings.home)
        folder = None if collection is None else find_collection(state, collection)
        items = _items_of(corpus, set(values))
        planned = [_plan(zotero, papers[value], items.get(value), folder, tags) for value in values]
        with_file = with_pdf(values, settings)
        saved = _write(zotero, state, settings, planned, with_file)
        sync_within(zotero, corpus, settings.home, LibraryReport(), report)
    return saved


def _records(values: Sequence[str], settings: Settings) -> dict[str, Paper]:
    """The catalogue's records, and arXiv's of those that it lacks. Raises UsageError, SourceUnavailable."""
    with open_corpus(settings) as corpus:
        papers = dict(corpus.papers(values))
    if wanted := [ArxivId(value) for value in values if value not in papers]:
        with open_lookup(settings, search=False) as lookup:
            papers |= {paper.id.value: paper for paper in lookup.records(wanted).values()}
        if lookup.outage is not None:
            raise lookup.outage
    if missing := [value for value in values if value not in papers]:
        raise UsageError(f"there is no record of {', '.join(map(shown_id, missing))}", "check the id")
    return papers


def find_collection(state: ZoteroState, wanted: str) -> str:
    """The key of a collection of the user's own library, by its path or name. Raises UsageError."""
    paths = state.collections.get(_OWN, {})
    for form in (str, lambda path: path.rpartition("/")[2]):
        keys = [key for key, path in paths.items() if form(path).casefold() == wanted.casefold()]
        if len(keys) == 1:
            return keys[0]
        if keys:
            raise UsageError(f"Zotero has {len(keys)} collections {wanted}", "give the path, such as Thesis/Methods")
    known = ", ".join(sorted(paths.values())[:20]) or "none"
    raise UsageError(f"Zotero has no collection {wanted}", f"create it in Zotero, or give one of: {known}")


def _items_of(corpus: Corpus, values: Collection[str]) -> dict[str, str]:
    """The keys of these papers' items in the user's own library, by id."""
    own = item_name(_OWN, "")
    return {
        value: name.removeprefix(own)
        for value, holding in reversed(corpus.library.holdings())
        if value in values and holding.kind == "bib"
        for name in names_of(holding)
        if name.startswith(own)
    }


def _plan(zotero: Zotero, paper: Paper, key: str | None, folder: str | None, tags: Sequence[str]) -> _Planned:
    """What has to be written for a paper: nothing, a collection of its item `key`, or a new item."""
    item = zotero.item(_OWN, key) if key else None
    if item is None:
        key = _key(zotero, paper)
        return _Planned(paper, "saved", key, [_new_item(paper, key, folder, tags)])
    data = item["data"]
    inside = list(data.get("collections") or ())
    if folder is None or folder in inside:
        return _Planned(paper, "there", data["key"], [])
    patch = {"key": data["key"], "version": item["version"], "collections": [*inside, folder]}
    return _Planned(paper, "filed", data["key"], [patch])


def _key(zotero: Zotero, paper: Paper, part: str = "") -> str:
    digest = hashlib.sha256(f"{zotero.server} {paper.id.value}{part}".encode()).digest()
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest[:8])


def _new_item(paper: Paper, key: str, folder: str | None, tags: Sequence[str]) -> dict[str, Any]:
    names = [split_name(name) for name in paper.authors]
    return {
        "key": key,
        "version": 0,
        "itemType": "preprint",
        "title": paper.title,
        "creators": [
            {"creatorType": "author", "firstName": name.given, "lastName": f"{name.surname} {name.suffix}".strip()}
            if name.given
            else {"creatorType": "author", "name": name.surname}
            for name in names
        ],
        "abstractNote": paper.abstract,
        "date": paper.published.isoformat(),
        "repository": "arXiv",
        "archiveID": f"arXiv:{paper.id.value}",
        "url": f"https://arxiv.org/abs/{paper.id.value}",
        **({"DOI": paper.doi} if paper.doi else {}),
        "tags": [{"tag": tag} for tag in tags],
        "collections": [folder] if folder else [],
    }


def _attachment(zotero: Zotero, one: _Planned) -> dict[str, Any]:
    return {
        "key": _key(zotero, one.paper, " pdf"),
        "version": 0,
        "itemType": "attachment",
        "parentItem": one.item,
        "linkMode": "imported_file",
        "title": "Full Text PDF",
        "contentType": "application/pdf",
    }


def _write(
    zotero: Zotero, state: ZoteroState, settings: Settings, planned: Sequence[_Planned], with_file: set[str]
) -> list[SavedPaper]:
    if not any(one.objects for one in planned):
        return [SavedPaper(one.paper.id.value, one.status, one.item) for one in planned]
    key, lasting = (state.key, True) if state.key else _leave(zotero, state, settings)

    def written(objects: Sequence[dict[str, Any]]) -> dict[str, Any]:
        nonlocal key, lasting
        try:
            return zotero.write(_OWN, objects, key, secrets.token_hex(16))
        except Denied as error:
            if not error.expired:
                raise
            key, lasting = _leave(zotero, state, settings)  # it was refused, so nothing was written
            return zotero.write(_OWN, objects, key, secrets.token_hex(16))

    results: list[SavedPaper] = []
    for start in range(0, len(planned), MOST_OBJECTS // 2):
        batch = planned[start : start + MOST_OBJECTS // 2]
        for one in batch:
            # Leave for one write leaves none for a file.
            if lasting and one.status == "saved" and one.paper.id.value in with_file:
                one.objects.append(attachment := _attachment(zotero, one))
                one.attachment = attachment["key"]
        objects = [entry for one in batch for entry in one.objects]
        try:
            failed = written(objects)["failed"] if objects else {}
        except SourceUnavailable as error:
            hint = "run the same command again: it looks first at what was saved"
            raise SourceUnavailable(f"{error}; perhaps not all was saved", hint) from error
        why = {objects[int(number)]["key"]: str(failure.get("message", "")) for number, failure in failed.items()}
        results += [_result(one, why, partial(_upload, zotero, key, settings)) for one in batch]
        if not lasting and start + MOST_OBJECTS // 2 < len(planned):
            key, lasting = _leave(zotero, state, settings)
    return results


def _result(one: _Planned, why: dict[str, str], upload: Callable[[_Planned], str]) -> SavedPaper:
    value = one.paper.id.value
    if one.item in why:
        return SavedPaper(value, "failed", one.item, message=f"Zotero did not take it ({why[one.item]})")
    saved = SavedPaper(value, one.status, one.item)
    if one.attachment is None:
        return saved
    message = why.get(one.attachment) or upload(one)
    return replace(saved, pdf=not message, message=f"without its PDF: {message}" if message else "")


def _upload(zotero: Zotero, key: str, settings: Settings, one: _Planned) -> str:
    """Send the PDF of a new item; a message if that failed: the item is saved all the same."""
    try:
        content = pdf_of(one.paper.id.value, settings)
        words = "".join(letter for letter in one.paper.title if letter.isalnum() or letter in " -_")
        name = f"{words[:_LONGEST_NAME].strip() or 'paper'}.pdf"
        md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
        zotero.upload(_OWN, one.attachment or "", key, name, content, md5, int(time.time() * 1000))
    except CiteplugError as error:
        return str(error)
    return ""


def _leave(zotero: Zotero, state: ZoteroState, settings: Settings) -> tuple[str, bool]:
    """The user's leave to write; remembered if it is given for good."""
    state.key = None
    key, lasting = zotero.authorize()
    if lasting:
        state.key = key
    write_state(settings.home, state)
    return key, lasting
