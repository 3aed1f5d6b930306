"""Links in entries that lead nowhere, for `citeplug check --links`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding
from citeplug.settings.environment import Settings
from citeplug.sources.links import ask_links

_FIELDS = ("url", "howpublished", "note")
_TILDE = r"\\~\{\}|\{\\textasciitilde\s*(?:\{\})?\}|\\textasciitilde(?:\{\}|\s)?|\{\\~\{?\}?\}"
_LINK = re.compile(rf"(?:https?://|(?<![\w./@-])www\.)(?:{_TILDE}|\\[_%#&~$]|\{{\\?[_%#&~$]\}}|[^\s{{}}<>\"|\\^`])+")
_OWN_CHECK = re.compile(r"(?:^|\.)(?:arxiv|doi)\.org$")  # an id, which the check compares with its record


def links_of(entry: BibEntry) -> Iterator[tuple[str, str]]:
    """Yield the name of the field and the address of each link; one that is broken over lines is left out."""
    for name in _FIELDS:
        text = entry.fields.get(name, "").strip()
        for match in _LINK.finditer(text):
            if name == "url" and re.search(r"\s", text[match.start() :].rstrip("} ")):
                continue
            url = re.sub(r"[{}]", "", re.sub(r"\{?\\([_%#&~$])\}?", r"\1", re.sub(_TILDE, "~", match[0])))
            url = url.rstrip(".,;:'!?*")
            url = url.removesuffix(")") if url.count(")") > url.count("(") else url
            yield name, url if "://" in url else f"http://{url}"


def check_links(
    entries: Sequence[BibEntry],
    checks: Sequence[EntryCheck],
    settings: Settings,
    report: Callable[[int, int], None],
    announce: Callable[[str], None],
) -> tuple[list[EntryCheck], tuple[Finding, ...]]:
    """Return the checks with the links that are dead, and a finding on those that could not be decided."""
    links = [[(field, url) for field, url in links_of(entry) if not _is_checked(url)] for entry in entries]
    urls = list(dict.fromkeys(url for some in links for _, url in some))
    if not urls:
        return list(checks), ()
    hosts = {urlsplit(url).netloc for url in urls}
    announce(
        f"asking {len(hosts)} web {'server' if len(hosts) == 1 else 'servers'} for the"
        f" {'link' if len(urls) == 1 else f'{len(urls)} links'} in these entries"
    )
    answers = ask_links(urls, settings, report)
    done = []
    for entry, check, some in zip(entries, checks, links, strict=True):
        dead = tuple(
            Finding(
                "dead_link",
                "warning",
                f"the link in {field} is dead, {answers[url].reason}: {url}",
                entry.span.file,
                entry.span.line,
                None,
                "look for where the page is now, or for a copy in an archive",
            )
            for url, field in {url: field for field, url in reversed(some)}.items()
            if answers[url].state == "dead"
        )
        done.append(replace(check, findings=(*check.findings, *dead)))
    reasons = Counter(answer.reason for answer in answers.values() if answer.state == "undecided")
    if not reasons:
        return done, ()
    why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
    message = f"{sum(reasons.values())} of {len(urls)} links could not be checked: {why}"
    return done, (Finding("link_unchecked", "info", message, fix="open them yourself"),)


def _is_checked(url: str) -> bool:
    try:
        return _OWN_CHECK.search((urlsplit(url).hostname or "").lower()) is not None
    except ValueError:
        return True
