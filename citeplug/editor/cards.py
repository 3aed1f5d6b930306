"""Cards: text on a paper, or on a generated sentence, for hovers and completions.

Entries and records are untrusted text: none of it becomes a link, a command or markup.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from urllib.parse import quote

from citeplug.editor.capabilities import ServerCommand
from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.records.debate import Debate
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck
from citeplug.records.paper import Paper, shown_id
from citeplug.records.provenance import RecordedSource
from citeplug.records.work import SERVICE_NAMES
from citeplug.related.attribute.support import Support, matching, support_of
from citeplug.related.rank import proved
from citeplug.related.section.accept import Recorded, abstract_in_words, is_summary
from citeplug.text.cleaning import plain
from citeplug.text.identifiers import as_arxiv_id
from citeplug.text.people import cited_people
from citeplug.text.sentences import split_sentences
from citeplug.text.tex_text import decode_tex

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!&~$@])")
_LINKED = re.compile(r"(?i)(://|\bwww\.|\bmailto:)")
_LONGEST = 1500  # characters of an abstract
_MOST_AUTHORS = 6
_MOST_PLACES = 8
_LONGEST_QUOTE = 600
_LABEL = 30  # characters of a title
_VENUES = ("journal", "journaltitle", "booktitle", "howpublished", "publisher", "school", "institution")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_VERDICTS = {
    "verified": "✓ Verified",
    "differs": "✗ Differs from the record",
    "not_found": "✗ Not found",
    "possibly_withdrawn": "⚠ Possibly withdrawn",
    "not_arxiv": "Not on arXiv",
    "unchecked": "Not checked",
}
_COMPARABLE = "Crossref may have a record: citeplug check --sources crossref"
_CLOSENESS: Mapping[Support, str] = {
    "weak": "Weakly supported: compare it",
    "close": "Close to its source",
    "verbatim": "In its source's words",
}
_RECORDS: Mapping[str, str] = {
    "arxiv": "arXiv",
    "catalogue": "your catalogue",
    "library": "your library",
    **{str(service): name for service, name in SERVICE_NAMES.items()},
}


@dataclass(frozen=True, slots=True)
class Card:
    """Text on a paper. All but `links` is plain text; these are (text, address), to arXiv and doi.org alone.

    `verdict` is that of a check, with its evidence; it comes first, since it decides whether all else holds.
    """

    title: str
    quotes: tuple[tuple[str, str, bool], ...] = ()  # what a passage is from, the passage, whether it is a summary
    beside: str = ""  # a text: the passages stand closely, and their words that it has too are bold
    actions: tuple[tuple[str, str], ...] = ()  # words and a command of the server's, for a client that runs them
    verdict: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    abstract: str = ""
    lines: tuple[str, ...] = ()

    def markdown(self) -> str:
        parts = ["  \n".join(escape(line) for line in self.verdict)] if self.verdict else []
        parts += [f"**{escape(self.title)}**"] if self.title else []
        for of, words, is_a_summary in self.quotes:
            marked = self._marked(words) if is_a_summary else f"“{self._marked(words)}”"
            parts += [f"{escape(of)}  \n{marked}"] if self.beside else [f"**{escape(of)}**", f"> {escape(words)}"]
        actions = [f"[{escape(words)}](command:{command})" for words, command in self.actions]
        about = [*self.first, *([self._who()] if self._who() else [])]
        parts += ["  \n".join(escape(line) for line in about)] if about else []
        if self.abstract:
            parts.append(escape(self.abstract))
        if self.links:
            parts.append(" · ".join(f"[{escape(text)}]({address})" for text, address in self.links))
        *above, last = self.lines or ("",)
        # What can be done and how things stand share a line: a hover lies on the text.
        lines = [*map(escape, above), " · ".join(filter(None, (*actions, escape(last))))]
        parts += ["  \n".join(filter(None, lines))] if any(lines) else []
        return "\n\n".join(parts)

    def plain(self) -> str:
        links = " · ".join(text for text, _ in self.links)
        quotes = (f"{of}: {words}" for of, words, _ in self.quotes)
        parts = (
            "\n".join(self.verdict),
            self.title,
            *quotes,
            *self.first,
            self._who(),
            self.abstract,
            links,
            *self.lines,
        )
        return "\n\n".join(part for part in parts if part)

    def in_brief(self) -> "Card":
        """Return the card with the first sentence of the abstract: a hover lies on the text."""
        places = split_sentences(self.abstract)
        return replace(self, abstract=self.abstract[: places[0][1]]) if places else self

    def _marked(self, words: str) -> str:
        """Escape words, those bold that `beside` has too."""
        stretches = matching(words, [self.beside])
        return "".join(f"**{escape(text)}**" if shared else _spaced(text) for text, shared in stretches)

    def _who(self) -> str:
        names = list(self.authors[:_MOST_AUTHORS])
        if len(self.authors) > _MOST_AUTHORS:
            names.append("and others")
        return ", ".join(names)


def escape(text: str) -> str:
    """Escape text for Markdown, on one line; addresses in it do not become links."""
    return _LINKED.sub("\\1\u2060", _MARKUP.sub(r"\\\1", plain(text)))


def _spaced(text: str) -> str:
    """Escape a stretch of a line for Markdown; the spaces at its ends stay."""
    return f"{' ' * text[:1].isspace()}{escape(text)}{' ' * (len(text) > 1 and text[-1:].isspace())}"


def entry_card(
    entry: BibEntry,
    record: Paper | None,
    check: EntryCheck | None,
    places: Sequence[str] = (),
    debate: Debate | None = None,
) -> Card:
    """Make the card of an entry; `record` is the catalogue's for its id, `places` are other places that cite it.

    `debate` is a model's on the paper, as recorded.
    """
    fields = {name: decode_tex(value) for name, value in entry.fields.items() if name in _SHOWN}
    title = fields.get("title") or (plain(entry.fields.get("text", ""))[:300] or entry.key)
    year = fields.get("year") or fields.get("date", "")[:4]
    venue = next((fields[name] for name in _VENUES if fields.get(name)), "")
    abstract = record.abstract if record is not None else fields.get("abstract", "")
    published = " · ".join(plain(part) for part in (venue, year) if part)
    lines = []
    if places:
        lines.append("Cited in " + ", ".join(places))
    if debate is not None and record is not None:
        lines += proved(debate, record.abstract).lines
    if check is not None and check.verdict == "not_arxiv":
        lines.append(_COMPARABLE)
    return Card(
        title=plain(title),
        verdict=tuple(_verification(check)) if check is not None else (),
        first=(published,) if published else (),
        authors=tuple(plain(name) for name in _names(fields.get("author", ""))),
        links=_links(entry.arxiv_id, entry.doi),
        abstract=_cut(plain(abstract)),
        lines=tuple(lines),
    )


def key_card(
    entry: BibEntry, here: Stretch, snapshot: Snapshot, record: Paper | None, check: EntryCheck | None
) -> Card:
    """Make the card of an entry with the places, other than `here`, that cite it."""
    places: dict[tuple[str, int], None] = {}
    for mention in snapshot.mentions.get(entry.key, ()):
        lined = snapshot.texts.get(mention.place.file)
        if lined is not None and mention.place != here:
            places[mention.place.file.name, lined.line_of(mention.place.start) + 1] = None
    files = ["", *(file for file, _ in places)]
    # The name of a file once: what follows it are lines of the same.
    shown = [str(line) if file == last else f"{file}:{line}" for last, (file, line) in zip(files, places, strict=False)]
    if len(shown) > _MOST_PLACES:
        shown = [*shown[:_MOST_PLACES], f"{len(shown) - _MOST_PLACES} more"]
    debates = {} if snapshot.section is None else snapshot.section.debates
    return entry_card(entry, record, check, shown, debates.get(entry.arxiv_id or ""))


def sentence_card(
    sentence: Recorded,
    snapshot: Snapshot,
    uri: str | None = None,
    papers: Mapping[str, Paper] = MappingProxyType({}),
) -> Card:
    """Make the card of a generated sentence: its sources first, which is what one decides by.

    `uri` is that of its document where the client can run commands from a hover; `papers` are the catalogue's records.
    """
    lines, quotes = [], []
    if sentence.kind == "topic":
        lines.append("Its sources are those of the sentences below it")
    for source in sentence.sources:
        entry = snapshot.entry_of(source.arxiv_id)
        title = [source_title(entry)] if entry is not None and source.of != "title" else []  # a passage says it
        parts = (source_name(source, entry), *title)
        words = plain(source.quote)
        cut = f"{words[:_LONGEST_QUOTE]}{'…' if len(words) > _LONGEST_QUOTE else ''}"
        place = source_place(source, sentence.quotes_from, papers)
        quotes.append((" · ".join((*parts, place)), cut, is_summary(source, papers.get(source.arxiv_id or ""))))
    actions = []
    if uri is not None:
        argument = quote(json.dumps([{"uri": uri, "place": sentence.place}]), safe="")
        actions = [
            (words, f"{command}?{argument}")
            for words, command in (("Accept", ServerCommand.ACCEPT), ("Reject", ServerCommand.REJECT))
            if command != ServerCommand.ACCEPT or sentence.status != "accepted"
        ]
    if (judgement := sentence.judgement) is not None and (judged := judgement.doubt or judgement.verdict):
        by = f" ({plain(judgement.by)})" if judgement.by else ""
        lines.append(f"{'Judged' if judgement.verdict else 'Doubt'}: {plain(judged)}{by}")
    state = ["You accepted it" if sentence.status == "accepted" else "Not reviewed yet"]
    lines.append(" · ".join(filter(None, (*state, closeness(sentence, papers)))))
    beside = "" if uri is None else decode_tex(sentence.text)
    return Card("", tuple(quotes), beside, tuple(actions), lines=tuple(lines))


def closeness(sentence: Recorded, papers: Mapping[str, Paper]) -> str:
    """Say how close a sentence is to its sources, empty for one that cites nothing; `papers` are known ones by id."""
    support = support_of(sentence, [papers[cite] for cite in sentence.cites if cite in papers])
    if support is None:
        return "Only names these works" if sentence.cites else ""
    return _CLOSENESS[support]


def source_title(entry: BibEntry | None) -> str:
    """Return the title of a source's entry as a reader sees it."""
    return "" if entry is None else plain(decode_tex(entry.fields.get("title", "")))


def source_name(source: RecordedSource, entry: BibEntry | None) -> str:
    """Name the paper of a source as a reader does, such as "Hamilton et al. 2017"; or the draft."""
    if source.arxiv_id is None:
        return "Your draft"
    if entry is None:
        return shown_id(source.arxiv_id)
    return entry_label(entry)


def entry_label(entry: BibEntry) -> str:
    """Return the short label of an entry's paper."""
    year = entry.fields.get("year") or entry.fields.get("date", "")[:4]
    return paper_label(tuple(entry_authors(entry)), year, entry.fields.get("title", ""))


def entry_authors(entry: BibEntry) -> list[str]:
    """Return the names in their order, as "Given Family"; "others" for more."""
    return _names(decode_tex(entry.fields.get("author") or entry.fields.get("editor", "")))


def source_place(source: RecordedSource, quotes_from: Mapping[str, str], papers: Mapping[str, Paper]) -> str:
    """Where in its text a passage is; `quotes_from` is the record's, `papers` are known ones by their ids."""
    if is_summary(source, papers.get(source.arxiv_id or "")):
        return "summary"
    if source.arxiv_id is None:
        return plain(source.section) if source.section else "abstract"
    page = f"page {source.page}" if source.page is not None else ""
    older = f"version {source.version}, while {source.newer} is known" if source.newer is not None else ""
    text = "" if source.section and source.of == "full text" else abstract_in_words(source, quotes_from) or source.of
    return ", ".join(filter(None, (text, plain(source.section), page, older)))


def paper_label(authors: tuple[str, ...], year: str, title: str) -> str:
    """Return a short label of a paper, such as "Hamilton et al. 2017"; editors cut long hints."""
    who = cited_people([plain(author) for author in authors if author != "others"], more="others" in authors)
    return " ".join(part for part in (who, plain(year)) if part) or plain(title)[:_LABEL] or "?"


def paper_card(paper: Paper) -> Card:
    """Make the card of a record of the catalogue."""
    about = [paper.journal_ref or " ".join(paper.categories[:3]), str(paper.published.year)]
    kind = ("A summary, not arXiv's abstract.",) if paper.abstract_kind == "summary" else ()
    return Card(
        title=decode_tex(paper.title, keep_math=True),
        first=(" · ".join(part for part in about if part),),
        authors=paper.authors,
        links=_links(paper.id.value, paper.doi),
        abstract=_cut(decode_tex(paper.abstract, keep_math=True)),
        lines=kind,
    )


def _verification(check: EntryCheck) -> list[str]:
    service = check.checked_against
    name = _RECORDS.get(service or "", service) if check.verdict != "unchecked" else None
    against = f" · checked against {name}" if name else ""
    lines = [f"{_VERDICTS[check.verdict]}{against}"]
    if check.verdict == "not_arxiv":
        lines.append("not compared with a record")
    elif check.message:
        lines.append(plain(check.message))
    for evidence in check.fields:
        if evidence.verdict == "differs":
            entered, recorded = (plain(text or "(nothing)") for text in (evidence.given, evidence.found))
            lines.append(f"{evidence.field}: {entered} → {recorded}")
    return lines


def _links(arxiv_id: str | None, doi: str | None) -> tuple[tuple[str, str], ...]:
    lines = []
    if address := arxiv_address(arxiv_id):
        lines.append((f"arXiv:{arxiv_id}", address))
    if address := doi_address(doi):
        lines.append((f"doi:{doi}", address))
    return tuple(lines)


def arxiv_address(arxiv_id: str | None) -> str | None:
    """Return arXiv's page of an id; None for an invalid id."""
    value = as_arxiv_id(arxiv_id or "")
    return value and f"https://arxiv.org/abs/{value}"


def doi_address(doi: str | None) -> str | None:
    """Return the page of a DOI; None for an invalid one."""
    match = _DOI.search(doi or "")
    return "https://doi.org/" + quote(match[0], safe="/:;.-_") if match else None


_SHOWN = frozenset({"title", "author", "year", "date", "abstract", *_VENUES})


def _names(author: str) -> list[str]:
    """Return names in their order, as "Given Family"."""
    names = []
    for name in re.split(r"\s+and\s+", author):
        family, comma, forename = name.partition(",")
        names.append(" ".join(f"{forename} {family}".split()) if comma else name.strip())
    return [name for name in names if name]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
