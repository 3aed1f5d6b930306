"""Dates of papers beside that of the draft: what is newer than the author asked for, or than the draft itself."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from citeplug.errors import CiteplugError
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Paper, shown_id
from citeplug.text.compare import entry_year, years_in

_BY_DATE, _BY_CITATIONS = "\\date", "the newest work that your own text cites"
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
_FEWEST_DATED = 5  # citations: the newest of a few says little of when they were gathered
_MOST_FILES = 100
_SECONDS = 1.0  # for git
_NAMED = 5


@dataclass(frozen=True, slots=True)
class DraftDate:
    """When a draft was written, by what it says. `shown` is a year or a day, `by` where it is from, `end` the first
    day after it."""

    shown: str
    by: str
    end: date


def date_findings(draft: Draft, options: Options, papers: Iterable[Paper]) -> list[Finding]:
    """Findings on papers that a section or a plan cites, or a list proposes.

    `newer_than_before` where papers that the author planned or pinned are not older than the cut-off; they stay. Where
    no cut-off is given, `newer_than_draft` if the draft seems to be older than some of the papers.
    """
    papers = list({paper.id.value: paper for paper in papers if paper.id.on_arxiv}.values())
    if options.before is not None:
        newer = [paper for paper in papers if paper.published >= options.before]
        return [_newer_than_before(newer, options.before)] if newer else []
    written, newer = newer_than(draft, papers)
    return [_newer_than_draft(newer, written)] if written is not None and newer else []


def newer_than(draft: Draft, papers: Iterable[Paper]) -> tuple[DraftDate | None, list[Paper]]:
    """The date of the draft, if it says one, and those of `papers` that are on arXiv and newer."""
    papers = [paper for paper in papers if paper.id.on_arxiv]
    if not papers:
        return None, []
    written = date_of_draft(draft, no_later_than=max(paper.published for paper in papers))
    return written, [paper for paper in papers if written is not None and paper.published >= written.end]


def later_than(draft: Draft, papers: Iterable[Paper]) -> list[Paper]:
    """Those of `papers` that are newer than the author says the draft is.

    What it cites, or its last commit, says only when it was left: who writes on wants the newest works first.
    """
    written, newer = newer_than(draft, papers) if years_in(draft.date) else (None, [])
    return newer if written is not None and written.by == _BY_DATE else []


def date_of_draft(draft: Draft, no_later_than: date = date.max) -> DraftDate | None:
    """The date of `\\date`, the year in the names of class and packages, git's last commit of the files, or the year of
    the newest citation: the first of these that is not before the newest citation.

    None where nothing says it, or where it is after `no_later_than`. Only years and ISO dates are read, which need no
    language.
    """
    years = _cited_years(draft)
    latest = _of_year(max(years), _BY_CITATIONS) if years else None
    if latest is not None and latest.end > no_later_than:
        return None  # and git need not be asked
    least = date(max(years), 1, 1) if years else date.min
    dated = next((stated for stated in _stated(draft) if stated.end > least), None) or _by_git(draft)
    if dated is not None and dated.end > least:
        return dated
    return latest if len(years) >= _FEWEST_DATED else None


def _stated(draft: Draft) -> Iterator[DraftDate]:
    """Return the date that the document gives."""
    if match := _DAY.search(draft.date):
        with suppress(ValueError):
            yield _of_day(date.fromisoformat(match.group()), _BY_DATE)
    package = max(draft.packages, key=lambda name: max(years_in(name), default=0), default="")
    named = (draft.document_class, "the year of its class"), (package, f"the year of its package {package}")
    for text, by in ((draft.date, _BY_DATE), *named):
        if years := years_in(text):
            yield _of_year(max(years), by)


def _cited_years(draft: Draft) -> list[int]:
    """The years of what the text cites; of a paper that is named by its arXiv id, those of the id."""
    keys = {key for cite in draft.cites for key in cite.keys}
    entries = [entry for entry in draft.entries if entry.key in keys]
    years = [ArxivId(entry.arxiv_id).month.year if entry.arxiv_id else entry_year(entry) for entry in entries]
    return [year for year in years if year is not None]


def _by_git(draft: Draft) -> DraftDate | None:
    """The day of the last commit that changed the draft's files. None without git, or where it knows none of them."""
    from citeplug.project.git import Git

    folder = draft.root.parent
    files = [path.name if path.parent == folder else str(path) for path in draft.files[:_MOST_FILES]]
    words = ("--literal-pathspecs", "log", "-1", "--format=%cs", "--no-show-signature", "--", *files)
    try:
        result = Git(folder).run(*words, env={"GIT_NO_LAZY_FETCH": "1"}, may_fail=True, seconds=_SECONDS)
        return None if result.code else _of_day(date.fromisoformat(result.text), "its last commit")
    except (CiteplugError, ValueError):
        return None


def _of_year(year: int, by: str) -> DraftDate:
    return DraftDate(str(year), by, date(year + 1, 1, 1))


def _of_day(day: date, by: str) -> DraftDate:
    return DraftDate(day.isoformat(), by, day + timedelta(days=1))


def _newer_than_before(newer: Sequence[Paper], before: date) -> Finding:
    return Finding(
        "newer_than_before",
        "warning",
        f"--before {before}, but {_named(newer)} in a plan or in --pin {_are(newer)} not older, and"
        f" {'stay' if len(newer) > 1 else 'stays'}",
        fix="remove them from the plan or the pins, or make a new plan with --replan",
    )


def _newer_than_draft(newer: Sequence[Paper], written: DraftDate) -> Finding:
    return Finding(
        "newer_than_draft",
        "info",
        f"the draft seems to be from {written.shown} ({written.by}): {_named(newer)} {_are(newer)} newer",
        fix=f"if you want older papers only: --before {written.end}",
    )


def _named(papers: Sequence[Paper]) -> str:
    names = [shown_id(paper.id.value) for paper in papers[:_NAMED]]
    more = len(papers) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _are(papers: Sequence[Paper]) -> str:
    return "are" if len(papers) > 1 else "is"
