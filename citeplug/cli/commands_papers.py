"""`citeplug papers`: the reading list of a draft, and what is new on it."""

import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeplug.cli import sending
from citeplug.cli.console import (
    Part,
    announce_query,
    clipped,
    counted,
    print_json,
    room,
    say,
    say_aloud,
    say_next,
    show_findings,
)
from citeplug.cli.options import ModelOptions, Output, PaperOptions, language_model_option, setting_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.cli.results import about_paper
from citeplug.errors import UsageError
from citeplug.llm.chosen_model import language_model
from citeplug.records.debate import debate_as_json
from citeplug.records.finding import without_names
from citeplug.records.json_form import fields_of
from citeplug.records.outcome import Options
from citeplug.records.paper import shown_id

if TYPE_CHECKING:
    from citeplug.llm.chosen_model import Wanted
    from citeplug.records.news import NewPaper, News
    from citeplug.records.outcome import OutsideWork
    from citeplug.related.papers import ListedPaper, Listing


_BESIDE = " " * 5  # the lines of a paper beneath its title
_LINES = 2  # of a paper's own words
_MOST, _SHOWN = 20, 8  # papers that are listed, and in words unless more are asked for


@parameters
class NewsParams(PaperOptions, Output):
    main: Path = argument("[MAIN.tex|DIR|PAPER.pdf|TEXT]", default=Path())
    count: int | None = option("Maximum number of papers. [default: 20]", "-k", between=(1, 600))
    missing: bool = option("Only papers that the draft does not cite.")
    new: bool = option("Only papers added since the section was written.")
    since: date | None = option("With --new: papers added on DATE or later.")

    @property
    def most(self) -> int:
        return self.count or _MOST


@parameters
class PapersParams(ModelOptions, NewsParams):
    count: int | None = option("Maximum number of papers. [default: 8; with --json 20]", "-k", between=(1, 600))
    sort: Literal["relevance", "year", "citations"] = option(
        "Order: relevance, year (newest first) or citations.",
        default="relevance",
        metavar="ORDER",
    )
    text: str | None = option("Use this text as the draft (- as MAIN.tex reads stdin).")
    llm: str | None = language_model_option(
        "It is sent your draft and ranks the papers. Default: none; with --rank, as set in your config.toml."
    )
    rank: str | None = setting_option("rank", metavar="R")

    @property
    def given_text(self) -> bytes | None:
        """The text that stands for a draft; None for a file or folder. Raises UsageError for both."""
        if self.text is None:
            return sys.stdin.buffer.read() if str(self.main) == "-" else None
        if self.main != Path():
            raise UsageError("--text and a file cannot be given together", f"leave out --text, or {self.main}")
        return self.text.encode("utf-8", "surrogateescape")

    @property
    def named(self) -> tuple[str, ...]:
        """The file or folder as it was given, for a shell."""
        return () if self.main == Path() else (shlex.quote(str(self.main)),)

    @property
    def wanted(self) -> "Wanted":
        """The language model asked for; none, whatever config.toml says, unless the user speaks of one here."""
        return replace(self.model(), llm=self.llm or ("none" if self.rank is None else None))


@command(
    "Example: citeplug papers main.tex --missing -k 30",
    everyday=("count", "missing", "text", "online", "as_json"),
)
def papers(params: PapersParams) -> None:
    """List the papers that a draft should discuss, best first, and why."""
    if params.new:
        if params.text is not None:
            raise UsageError("--new works on a project, not on a text", "leave out --text, or --new")
        if params.llm is not None or params.rank is not None:
            raise UsageError("--new does not rank with a language model", "leave out --llm and --rank, or --new")
        _list_news(params)
        return
    text = params.given_text
    if params.since is not None:
        raise UsageError("--since needs --new", "add --new, or leave it out")
    settings = params.settings_for(params.main)
    with language_model(params.wanted, settings, sending.announce_listing) as model, params.progress() as reporter:
        # Loaded beneath the progress, since it takes a second.
        from citeplug.related.papers import list_for_draft
        from citeplug.related.progress import FurtherSources
        from citeplug.related.tools import Job

        listing = list_for_draft(
            Job(params.main, Options(), given=params.overrides, further=FurtherSources(announce=say_aloud)),
            settings,
            online=params.online,
            report=reporter.update,
            announce=announce_query,
            model=model,
            most=params.most,
            missing=params.missing,
            apart=not (params.missing or params.as_json),
            text=text,
            sort=params.sort,
        )
    if params.as_json:
        print_json([_as_json(listed) for listed in listing.papers])
    else:
        _show(listing, params)
        _show_outside(() if listing.graph is None else listing.graph.not_on_arxiv)
        sending.show(model, params.level)
    # That more papers are listed here than fit the draft is seen.
    findings = [finding for finding in listing.findings if finding.code != "papers_left_out"]
    if params.level <= 0:  # the years stand in the list
        short = "; papers in the list are newer"
        findings = [without_names(finding, "newer_than_draft", short) for finding in findings]
    show_findings(findings, params.level)
    if text is None and not params.as_json and params.level >= 0 and any(listed.chosen for listed in listing.papers):
        say_next(" ".join(("citeplug related", *params.named)), "writes a section on them")


@command(
    "Example: citeplug news main.tex --since 2026-01-31", everyday=("since", "count", "online", "before", "as_json")
)
def news(params: NewsParams) -> None:
    """List new papers that your draft should discuss: those added to the catalogue since its section was written.

    These are the papers of 'citeplug papers --missing' that came with 'citeplug index update' or 'index add'. A paper
    that states what your draft contributes comes first, as concurrent work. Writes nothing.
    """
    _list_news(params)


def _list_news(params: NewsParams) -> None:
    from citeplug.project.find_project import find_project
    from citeplug.related.news import find_news

    settings = params.settings_for(params.main)
    with params.progress() as reporter:
        arrivals = find_news(
            find_project(params.main),
            settings,
            since=None if params.since is None else datetime.combine(params.since, time()).astimezone(),
            online=params.online,
            report=reporter.update,
            overrides=params.overrides,
            most=params.most,
            announce=announce_query,
        )
    if params.as_json:
        print_json(_news_as_json(arrivals))
    else:
        _show_news(arrivals)
    show_findings(arrivals.findings, params.level)


def _as_json(listed: "ListedPaper") -> dict[str, Any]:
    paper = listed.paper
    return {
        "arxiv_id": paper.id.value,
        "on_arxiv": paper.id.on_arxiv,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": listed.year,
        "published": paper.published.isoformat(),
        "categories": list(paper.categories),
        "score": None if listed.score is None else round(listed.score, 4),
        "chosen": listed.chosen,
        "pinned": listed.choice == "pin",
        "cited_as": listed.key if listed.cited else None,
        "entry": listed.key,
        "found_by": list(listed.found_by),
        "reasons": [asdict(reason) for reason in listed.reasons],
        "debate": debate_as_json(listed.debate),
        "citations": listed.citations,
        "library": None if listed.own is None else {"key": listed.own.key, "collections": list(listed.own.collections)},
    }


def _show(listing: "Listing", params: PapersParams) -> None:
    """What the draft does not cite yet, best first, and below it what it cites already."""
    everything, names = params.level > 0, listing.names
    new = [listed for listed in listing.papers if not listed.cited]
    cited = [listed for listed in listing.papers if listed.cited]
    shown = new if everything else new[: params.count or _SHOWN]
    if not listing.papers and not params.missing:
        say("No papers were found.")
    elif not new:
        say("The draft cites every paper that was found.")
    else:
        farther = sum(not listed.chosen for listed in shown)
        count = f" {len(shown)}" + (f" of {len(new)}" if new[len(shown) :] else "")
        say(("Not cited yet", "title"), count + (f", {farther} of them farther from the draft" if farther else ""))
    for number, listed in enumerate(shown, 1):
        if not listed.chosen and number > 1 and shown[number - 2].chosen:
            say("\nFarther from the draft; the section would leave them out")
        _show_paper(number, listed, names, everything=everything)
    if new[len(shown) :]:
        say(f"\n{len(new) - len(shown)} more (-k {len(new)} shows them)")
    if cited:
        more = "" if everything else " (-v lists them in full)"
        say("\n" * bool(new), ("Cited already", "title"), f" {len(cited)}{more}")
    for number, listed in enumerate(cited if everything else (), 1):
        _show_paper(number, listed, names, everything=True)
    if cited and not everything:
        say((", ".join(listed.key or listed.paper.title for listed in cited), "key"), lead="  ")


def _show_paper(number: int, listed: "ListedPaper", names: Mapping[str, str], *, everything: bool) -> None:
    from citeplug.related.papers import contribution_of
    from citeplug.related.section.in_print import in_names

    say()
    say((listed.paper.title, "title"), lead=f"{number:3}. ")
    say(*about_paper(listed.paper, listed.year), *_marks(listed), lead=_BESIDE)
    # What is near is quoted from the abstract, a sentence long.
    why = [
        text.partition(": “")[0] if reason.kind == "meaning" and not everything else text
        for reason in listed.reasons
        for text in (in_names(reason, names),)
    ]
    if why:
        say("; ".join(why) if everything else _one_line(why, room(len(_BESIDE))), lead=_BESIDE)
    if sentence := contribution_of(listed.paper):
        say((sentence if everything else clipped(sentence, _LINES, len(_BESIDE)), "aside"), lead=_BESIDE)
    for line in () if listed.debate is None else listed.debate.lines:
        say(line, lead=_BESIDE)


def _one_line(reasons: list[str], width: int) -> str:
    """As many reasons as stand in a line, the first in any case."""
    line = reasons[0]
    for reason in reasons[1:]:
        if len(f"{line}; {reason}") <= width:
            line = f"{line}; {reason}"
    return line


def _show_outside(works: "tuple[OutsideWork, ...]") -> None:
    if not works:
        return
    say("\nCited by several papers that you cite, and not on arXiv as far as your catalogue knows:")
    for work in works:
        year = f" ({work.year})" if work.year else ""
        say((work.title, "title"), f"{year}, by {', '.join(work.cited_by)}", lead=_BESIDE)


def _marks(listed: "ListedPaper") -> Iterator[Part]:
    if listed.citations is not None:
        yield f" · cited by {listed.citations:,} in your graph"
    if listed.cited:
        is_named = listed.key is not None and shown_id(listed.paper.id.value).startswith(f"{listed.key} ")
        yield from (" · ", ("cited" if is_named else f"cited as {listed.key}", "good"))
    elif listed.key is not None:
        yield from (" · ", (f"in your bibliography as {listed.key}, not cited", "info"))
    if listed.own is not None:
        collections = f" ({', '.join(listed.own.collections)})" if listed.own.collections else ""
        yield f" · in your library as {listed.own.key}{collections}"
    if listed.choice == "pin":
        yield from (" · ", ("pinned", "good"))


def _news_as_json(result: "News") -> dict[str, Any]:
    return {
        "root": str(result.root),
        "since": result.since.isoformat(timespec="seconds"),
        "arrived": result.arrived,
        "papers": [_new_as_json(paper) for paper in result.papers],
    }


def _new_as_json(new: "NewPaper") -> dict[str, Any]:
    paper, claim = new.paper, new.claim
    return {
        "arxiv_id": paper.id.value,
        **fields_of(paper, "title authors published"),
        "reasons": [asdict(reason) for reason in new.reasons],
        "claim": None if claim is None else {**asdict(claim), "cosine": round(claim.cosine, 4)},
    }


def _show_news(result: "News") -> None:
    since = f"since {result.since.astimezone():%Y-%m-%d %H:%M}"
    arrived = counted(result.arrived, "record", "records")
    if not result.papers:
        say(f"Nothing new for this draft: {arrived} added {since}")
        return
    say(f"{counted(len(result.papers), 'new paper', 'new papers')} for this draft; {arrived} added {since}:")
    for number, paper in enumerate(result.papers, 1):
        claim = paper.claim
        mark = "" if claim is None else "concurrent work: " if claim.concurrent else "the same claim: "
        say()
        say((mark, "warning"), (paper.paper.title, "title"), lead=f"{number:3}. ")
        say(*about_paper(paper.paper), lead=_BESIDE)
        if claim is not None:
            say(f"“{claim.said}”", lead=f"{_BESIDE}you:   ")
            say(f"“{claim.quote}”", lead=f"{_BESIDE}there: ")
        if paper.reasons:
            say("; ".join(reason.text for reason in paper.reasons), lead=f"{_BESIDE}Why: ")
