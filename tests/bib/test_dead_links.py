"""Links in entries: which are asked for, and what is said of them."""

from pathlib import Path

import pytest

from citeplug.bib.check import check_bibliography
from citeplug.bib.dead_links import links_of
from citeplug.bibtex.entries import read_bib
from citeplug.errors import UsageError
from citeplug.settings.environment import Settings
from tests.sources.test_links import WebServer, web

__all__ = ["web"]


@pytest.mark.parametrize(
    ("field", "links"),
    [
        (r"url = {http://www.cs.uu.nl/\~{}foo/x\_y}", ["http://www.cs.uu.nl/~foo/x_y"]),
        (r"url = {http://x.org/{\textasciitilde}foo}", ["http://x.org/~foo"]),
        (r"howpublished = {\url{https://x.org/a_b%20c}}", ["https://x.org/a_b%20c"]),
        (r"howpublished = {\url{www.x.org/a}}", ["http://www.x.org/a"]),
        (r"note = {See (https://x.org/a_(b)), and \href{https://y.org/c}{there}.}", None),
        (r"note = {Accessed at https://x.org/a, 2020-01-01.}", ["https://x.org/a"]),
        ("url = {https://x.org/a\n   b}", []),
        (r"title = {https://x.org/a}", []),
    ],
)
def test_links_are_read_as_latex_prints_them(field: str, links: list[str] | None) -> None:
    entry = read_bib(f"@misc{{a, {field}}}", Path("refs.bib")).entries[0]
    expected = ["https://x.org/a_(b)", "https://y.org/c"] if links is None else links
    assert [url for _, url in links_of(entry)] == expected


def test_a_dead_link_is_a_warning_on_its_entry_and_a_refusal_a_note_on_the_run(
    tmp_path: Path, web: tuple[WebServer, str]
) -> None:
    url = web[1]
    bib = tmp_path / "refs.bib"
    bib.write_text(
        f"@misc{{gone, title = {{Gone}}, url = {{{url}/404}}, note = {{{url}/404}}}}\n"
        f"@misc{{here, title = {{Here}}, howpublished = {{\\url{{{url}/200}}}}}}\n"
        f"@misc{{shut, title = {{Shut}}, note = {{At {url}/403, and http://10.0.0.1/x.}}}}\n"
    )
    said: list[str] = []
    before = bib.read_bytes()
    report = check_bibliography(
        [bib],
        Settings(tmp_path / "home", arxiv_url=f"{url}/500", arxiv_delay=0, link_hosts=("127.0.0.1",)),
        report=lambda *_: None,
        announce_service=said.append,
        links=True,
    )
    dead = [(entry.key, f.message) for entry in report.entries for f in entry.findings if f.code == "dead_link"]
    assert dead == [("gone", f"the link in url is dead, it answered 404 Not Found: {url}/404")]
    notes = [finding.message for finding in report.findings if finding.code == "link_unchecked"]
    assert len(notes) == 1 and notes[0].startswith("2 of 4 links could not be checked: ")
    assert said == ["asking 2 web servers for the 4 links in these entries"]
    assert bib.read_bytes() == before


def test_links_are_asked_for_only_if_that_is_said_and_not_offline(tmp_path: Path, web: tuple[WebServer, str]) -> None:
    server, url = web
    bib = tmp_path / "refs.bib"
    bib.write_text(f"@misc{{gone, title = {{Gone}}, url = {{{url}/404}}}}\n")
    offline = Settings(tmp_path / "home", offline=True, link_hosts=("127.0.0.1",))
    check_bibliography([bib], offline, report=lambda *_: None, camera_ready=True)
    with pytest.raises(UsageError, match="--links and --offline"):
        check_bibliography([bib], offline, report=lambda *_: None, links=True)
    assert server.asked == []
