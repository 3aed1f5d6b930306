"""`citeplug fetch` and `citeplug read`: full texts of papers."""

from typing import TYPE_CHECKING, Any

from citeplug.cli.console import cancellable, counted, finding_as_json, print_json, say, say_next, show_findings
from citeplug.cli.options import OfflineOptions, Output, Papers
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import UsageError
from citeplug.records.json_form import fields_of
from citeplug.records.paper import shown_id
from citeplug.records.passage import SOURCE_NAMES

if TYPE_CHECKING:
    from citeplug.records.passage import FoundPassage, PaperText, Passage


@parameters
class FetchParams(Papers, OfflineOptions, Output):
    online: bool = option("Fetch from arXiv: only the ids of the papers are sent.")


@command("Example: citeplug fetch --cited main.tex --online", not_shown=("papers",))
def fetch(params: FetchParams) -> None:
    """Download and keep the full texts of papers.

    It takes the LaTeX source from arXiv, or the PDF if there is none: one every three seconds, and each only once.
    Files that you gave to 'citeplug library add' are read where they are. After an outage, run it again to continue.
    """
    from citeplug.corpus.fulltext.fetch_texts import fetch_texts
    from citeplug.related.paper_sets import resolve_papers
    from citeplug.text.identifiers import parse_id

    settings = params.settings_for(params.cited or params.shortlist)
    papers = params.paper_set
    with cancellable("what was fetched is kept"), params.progress() as reporter:
        wanted = resolve_papers(papers, settings, reporter.update)
        named = {parse_id(name).value for name in papers.ids}
        done = fetch_texts(settings, wanted, reporter.update, online=params.online, named=named)
    counts = {name: getattr(done, name) for name in ("kept", "fetched", "own", "missing", "left")}
    if params.as_json:
        print_json({**counts, "findings": [finding_as_json(finding) for finding in done.findings]})
    elif params.level >= 0:
        fetched = counted(done.fetched, "text", "texts")
        say(f"{fetched} fetched, {done.own:,} read from your files, {done.kept:,} already here")
        if done.missing or done.left:
            say(f"without a text: {done.missing:,}; left to fetch: {done.left:,}")
    show_findings(
        tuple(finding for finding in done.findings if params.level > 0 or finding.severity != "info"), params.level
    )
    if done.left:
        raise SystemExit(3)
    if done.missing or any(finding.severity == "warning" for finding in done.findings):
        raise SystemExit(1)


@parameters
class ReadParams(Output):
    name: str = argument("ID")
    section: str | None = option(
        "Show only this section: words from its title, or its number in the list.", metavar="S"
    )


@command("Example: citeplug read 1706.03762 --section 'related work'")
def read(params: ReadParams) -> None:
    """Show a paper's structure or, with --section, a part of its text."""
    _read(params)


@parameters
class PaperParams(ReadParams):
    references: bool = option("List its references instead, and the arXiv paper that each refers to.")
    citations: bool = option("List the sentences that cite it instead, in the full texts on this machine.")


@command("Example: citeplug paper 1706.03762 --references")
def paper(params: PaperParams) -> None:
    """Show a paper's text, its references, or what others say about it.

    Texts come with 'citeplug fetch'. Nothing is sent anywhere.
    """
    from citeplug.cli.commands_graph import show_citation_contexts, show_references

    if sum((params.references, params.citations, params.section is not None)) > 1:
        raise UsageError("--section, --references and --citations cannot be combined", "give one of them")
    if params.references:
        show_references(params.name, params)
    elif params.citations:
        show_citation_contexts(params.name, params)
    else:
        _read(params)


def _read(params: ReadParams) -> None:
    from citeplug.corpus.fulltext.read_text import matching_sections, read_text

    text, passages = read_text(params.settings(), params.name)
    shown = matching_sections(text, params.section) if params.section is not None else None
    if params.as_json:
        print_json(_as_json(text, passages, shown))
    elif shown is None:
        _show_structure(text, passages, params.level)
    else:
        for at in shown:
            heading = text.sections[at].title or "(before the first heading)"
            say((f"{'#' * max(1, text.sections[at].level)} {heading}\n", "title"))
            say(text.sections[at].text + "\n")


def _as_json(text: "PaperText", passages: "list[list[Passage]]", shown: list[int] | None) -> dict[str, Any]:
    sections = [
        {
            **fields_of(section, "title level"),
            "passages": [
                {
                    **fields_of(passage, "number page start end"),
                    "caption": passage.start >= section.captions,
                    "text": passage.text,
                }
                for passage in inside
            ],
        }
        for at, (section, inside) in enumerate(zip(text.sections, passages, strict=True))
        if shown is None or at in shown
    ]
    references = [
        fields_of(reference, "number key raw arxiv_id doi title year")
        # As 'citeplug references' has it; a list that was only read is resolved by what it prints alone.
        | {"how": "printed_id" if reference.arxiv_id else "none"}
        for reference in text.references
    ]
    return {
        "id": text.paper,
        **fields_of(text, "version source title"),
        "sections": sections,
        "references": references,
    }


def _show_structure(text: "PaperText", passages: "list[list[Passage]]", level: int) -> None:

    version = f"v{text.version}" if text.version else ""
    say((text.title or "(no title was found)", "title"))
    say(f"{shown_id(text.paper)}{version}, from {SOURCE_NAMES[text.source]}")
    for number, (section, inside) in enumerate(zip(text.sections, passages, strict=True), 1):
        page = f", page {inside[0].page}" if inside and inside[0].page else ""
        title = section.title or "(before the first heading)"
        words = counted(len(section.text.split()), "word", "words")
        say(title, (f" ({words}{page})", "aside"), lead=f"{number:>3}. {'  ' * max(0, section.level - 1)}")
        if level > 0:
            for below in inside:
                say(below.text, lead=f"     [{below.number}] ")
    say(counted(len(text.references), "reference", "references"))
    say_next(f"citeplug paper {text.paper} --section S", "shows a section's text")


def passage_as_json(hit: "FoundPassage") -> dict[str, Any]:
    passage = hit.passage
    return {
        "id": passage.paper,
        **fields_of(passage, "version section page number start end text source"),
        "score": round(hit.score, 6),
        "found_by": list(hit.found_by),
    }


def show_passages(passages: "list[FoundPassage]") -> None:
    """A numbered list for a reader, each passage with its place."""

    if not passages:
        say("No passages were found. 'citeplug fetch' gets the texts that are searched.")
    for number, hit in enumerate(passages, 1):
        passage = hit.passage
        version = f"v{passage.version}" if passage.version else ""
        page = f", page {passage.page}" if passage.page else ""
        section = f", {passage.section}" if passage.section else ""
        say((shown_id(passage.paper) + version, "key"), f"{section}{page} [{passage.number}]", lead=f"{number:>3}. ")
        say(f"     {passage.text}")
