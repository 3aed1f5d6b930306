"""Drafts for tests of retrieval, without reading any file."""

from pathlib import Path

from citeplug.records.draft import BibEntry, Cite, Draft, DraftSection, Span

HERE = Span(Path("/paper/main.tex"), 0, 0, 1)


def section(title: str, text: str, level: int = 1) -> DraftSection:
    return DraftSection(level, title, text, HERE)


def entry(key: str, title: str = "", arxiv_id: str | None = None) -> BibEntry:
    return BibEntry(key, "misc", {"title": title}, HERE, arxiv_id)


def draft(
    title: str = "",
    abstract: str = "",
    *sections: DraftSection,
    entries: tuple[BibEntry, ...] = (),
    cited: tuple[str, ...] = (),
    related_work: DraftSection | None = None,
    root: Path = Path("/paper/main.tex"),
) -> Draft:
    cites = (Cite(cited, "cite", HERE),) if cited else ()
    return Draft(root, (root,), title, abstract, sections, cites=cites, entries=entries, related_work=related_work)
