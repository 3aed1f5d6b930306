import json
import subprocess
import sys
import threading
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from citeplug.errors import SourceUnavailable
from citeplug.records.paper import ArxivId
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.http import Patience
from tests.harness.arxiv_server import ArxivServer, Asked, FastClock, Fault, paper
from tests.sources.conftest import Open

DPR = ArxivId("2004.04906")


def test_a_lookup_and_a_search_bring_whole_records(server: ArxivServer, source: ArxivSource) -> None:
    wanted = paper("2004.04906v3", "Dense Passage Retrieval", "We retrieve passages.", categories=("cs.CL", "cs.IR"))
    server.add(wanted)
    assert source.fetch([DPR]) == {DPR: wanted}
    assert source.search("dense passage retrieval", 5) == [wanted]
    assert source.requests_made == len(server.requests) == 2


def test_nothing_asked_is_nothing_sent(server: ArxivServer, source: ArxivSource) -> None:
    assert source.fetch([]) == {}
    assert source.search("", 5) == []
    assert source.search("the of and", 5) == []
    assert source.search("rings", 0) == []
    assert server.requests == []


def test_search_gives_at_most_the_limit_best_first(server: ArxivServer, source: ArxivSource) -> None:
    server.add(*(paper(f"1501.{n:05}", f"Rings {n}") for n in range(1, 31)))
    assert [p.id.value for p in source.search("rings", 3)] == ["1501.00001", "1501.00002", "1501.00003"]


def test_search_leaves_out_papers_of_the_day_and_later(server: ArxivServer, source: ArxivSource) -> None:
    server.add(
        paper("1501.00001", "Rings", published=date(2015, 1, 9)),
        paper("1501.00002", "Rings", published=date(2015, 1, 10)),
        paper("1501.00003", "Rings", published=date(2015, 1, 11)),
    )
    assert [p.id.value for p in source.search("rings", 5, before=date(2015, 1, 10))] == ["1501.00001"]


def test_search_does_not_trust_the_server_with_the_date(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1501.00002", "Rings", published=date(2015, 1, 10)))
    status, body, _ = server.answer(_asked("all:rings"))
    server.fail_always(Fault.feed(body, status))
    assert source.search("rings", 5, before=date(2015, 1, 10)) == []


def test_where_no_paper_has_all_words_any_will_do(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1501.00001", "Rings of integers"))
    assert [p.id.value for p in source.search("rings chocolate", 5)] == ["1501.00001"]
    assert server.asked_queries() == ["(all:rings AND all:chocolate)", "(all:rings OR all:chocolate)"]


def test_a_long_abstract_makes_a_short_request(server: ArxivServer, source: ArxivSource) -> None:
    text = "Retrieval. " + " ".join(f"Word{n}ing the passages of documents with encoders." for n in range(400))
    source.search(text, 20, before=date(2020, 1, 1))
    assert all(len(request.path) < 600 for request in server.requests)


def test_requests_are_gets_without_a_body(server: ArxivServer, source: ArxivSource) -> None:
    source.fetch([DPR])
    source.search("rings", 5)
    assert {r.method for r in server.requests} == {"GET"}
    assert not any("content-length" in r.headers for r in server.requests)


# Offline


def test_offline_every_call_fails_at_once_and_sends_nothing(server: ArxivServer, open_source: Open) -> None:
    source = open_source(offline=True)
    for call in (lambda: source.fetch([DPR]), lambda: source.search("rings", 5), lambda: source.fetch([])):
        with pytest.raises(SourceUnavailable, match="offline"):
            call()
    assert server.requests == []


# What was answered once


def test_an_answer_is_not_asked_for_again(server: ArxivServer, open_source: Open) -> None:
    server.add(paper("2004.04906v3", "Dense Passage Retrieval"))
    first, second = open_source(), open_source()
    assert first.fetch([DPR]) == second.fetch([DPR])
    assert first.search("dense retrieval", 5) == second.search("dense retrieval", 5)
    assert second.requests_made == 0


def test_an_unversioned_answer_holds_for_a_day_and_a_version_for_good(
    server: ArxivServer, open_source: Open, clock: FastClock
) -> None:
    server.add(paper("2004.04906v3", "Dense Passage Retrieval"))
    open_source().fetch([DPR])
    clock.sleep(25 * 3600)
    again = open_source()
    again.fetch([ArxivId(DPR.value, 3)])
    assert again.requests_made == 0
    again.fetch([DPR])
    assert again.requests_made == 1


def test_that_there_is_no_such_paper_holds_for_an_hour(
    server: ArxivServer, open_source: Open, clock: FastClock
) -> None:
    source = open_source()
    assert source.fetch([DPR]) == source.fetch([DPR]) == {}
    assert source.requests_made == 1
    clock.sleep(3700)
    server.add(paper("2004.04906", "Dense Passage Retrieval"))
    assert list(source.fetch([DPR])) == [DPR]


def test_what_a_search_said_is_no_answer_to_a_lookup(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("2004.04906", "Dense Passage Retrieval"))
    server.lie("2004.04906", "A paper about fish")
    assert source.search("dense retrieval", 5)[0].title == "Dense Passage Retrieval"
    assert source.fetch([DPR])[DPR].title == "A paper about fish"


def test_another_server_is_asked_anew(server: ArxivServer, open_source: Open) -> None:
    server.add(paper("2004.04906", "Dense Passage Retrieval"))
    open_source().fetch([DPR])
    with ArxivServer(paper("2004.04906", "Another title")).serve() as other:
        assert open_source(arxiv_url=other.url).fetch([DPR])[DPR].title == "Another title"


def test_an_outage_is_not_kept_as_an_answer(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("2004.04906", "Dense Passage Retrieval"))
    server.fail(Fault.http(503), times=4)
    with pytest.raises(SourceUnavailable):
        source.fetch([DPR])
    assert list(source.fetch([DPR])) == [DPR]


def test_what_was_answered_before_an_outage_is_kept(server: ArxivServer, source: ArxivSource) -> None:
    many = [paper(f"1501.{n:05}", f"Paper {n}") for n in range(1, 151)]
    server.add(*many)
    server.replay(lambda asked: Fault.http(503) if len(server.requests) > 1 else None)
    with pytest.raises(SourceUnavailable):
        source.fetch([ArxivId(p.id.value) for p in many])
    before = source.requests_made
    assert len(source.fetch([ArxivId(p.id.value) for p in many[:100]])) == 100
    assert source.requests_made == before


# Answers that are none


@pytest.mark.parametrize(
    "fault",
    [
        Fault.page(),
        Fault.http(503),
        Fault.http(500, atom=True),
        Fault.cut_off(),
        Fault.cut_off(400),
        Fault.cut_off(700, length=False),
        Fault.feed(b""),
        Fault.feed(b"\x00\xff\xfe"),
        Fault.feed(b'{"error": "no"}'),
        Fault.error_entry("internal error"),
        Fault(403, b"<html>Forbidden</html>"),
        Fault(404, b"not here"),
        Fault(414, b"<html>too long</html>"),
    ],
    ids=lambda fault: f"{fault.status}-{fault.cut}-{(fault.body or b'')[:12]!r}",
)
def test_what_is_no_answer_is_an_outage_with_a_hint(server: ArxivServer, source: ArxivSource, fault: Fault) -> None:
    server.add(paper("2004.04906", "Dense Passage Retrieval"), paper("1001.0001", "Another"))
    server.fail_always(fault)
    with pytest.raises(SourceUnavailable, match="arXiv could not be queried") as caught:
        source.fetch([DPR, ArxivId("1001.0001")])
    assert caught.value.hint
    assert len(server.requests) <= 4


@pytest.mark.parametrize(
    "fault", [Fault.page(), Fault.http(502), Fault.cut_off(), Fault.cut_off(500), Fault.cut_off(500, length=False)]
)
def test_what_passes_is_waited_out(server: ArxivServer, source: ArxivSource, fault: Fault) -> None:
    server.add(paper("2004.04906", "Dense Passage Retrieval"))
    server.fail(fault)
    assert list(source.fetch([DPR])) == [DPR]


def test_a_feed_with_a_document_type_is_refused(server: ArxivServer, source: ArxivSource) -> None:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY l0 "ha">{lines}]><feed xmlns="http://www.w3.org/2005/Atom">'
    server.fail_always(Fault.feed((bomb + "<title>&l9;</title></feed>").encode()))
    with pytest.raises(SourceUnavailable, match="document type"):
        source.fetch([DPR])


def test_a_gigantic_reply_is_not_read_to_its_end(server: ArxivServer, open_source: Open) -> None:
    server.fail_always(Fault.gigantic(3 * 2**20))
    with pytest.raises(SourceUnavailable, match="larger than 1 MB"):
        open_source(patience=Patience(size=2**20)).fetch([DPR])
    assert len(server.requests) == 1


def test_nobody_listening_is_said_at_once(open_source: Open, clock: FastClock) -> None:
    with pytest.raises(SourceUnavailable, match="no connection") as caught:
        open_source(arxiv_url="http://127.0.0.1:9/api/query").fetch([DPR])
    assert caught.value.hint == "check your connection, and run it again"
    assert clock.slept == []


def test_control_characters_and_escapes_are_taken_out(server: ArxivServer, source: ArxivSource) -> None:
    server.add(
        paper("2004.04906", "Dense \x9b31mPassage\u202e Retrieval", "One\x85two", authors=("Ada\x9d0;x\x9c L.",))
    )
    (found,) = source.fetch([DPR]).values()
    assert (found.title, found.abstract, found.authors) == ("Dense Passage Retrieval", "One two", ("Ada L.",))


def test_stray_control_characters_do_not_spoil_a_feed(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("2004.04906", "Dense \x1b[31mPassage\x00 Retrieval"))
    assert source.fetch([DPR])[DPR].title == "Dense Passage Retrieval"


# Manners


def test_processes_take_turns_at_the_agreed_pace(server: ArxivServer, tmp_path: Path) -> None:
    server.add(*(paper(f"1501.{n:05}", f"Paper {n}") for n in range(1, 7)))
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from citeplug.sources.arxiv import ArxivSource\n"
        "from citeplug.records.paper import ArxivId\n"
        "from citeplug.settings.environment import Settings\n"
        "source = ArxivSource(Settings(Path(sys.argv[1]), sys.argv[2], arxiv_delay=0.3))\n"
        "for value in sys.argv[3:]:\n"
        "    assert len(source.fetch([ArxivId(value)])) == 1\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "home"), server.url, *values])
        for values in (["1501.00001", "1501.00002", "1501.00003"], ["1501.00004", "1501.00005", "1501.00006"])
    ]
    assert [run.wait(60) for run in runs] == [0, 0]
    asked = sorted(server.requests, key=lambda request: request.at)
    assert len(asked) == 6
    assert server.most_at_once == 1
    assert all(late.at - early.at >= 0.3 for early, late in pairwise(asked))


def test_threads_have_one_connection_at_a_time(server: ArxivServer, open_source: Open) -> None:
    server.add(*(paper(f"1501.{n:05}", f"Paper {n}") for n in range(1, 7)))
    server.fail(Fault.slow(0.05), times=6)
    source = open_source()
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(len(source.fetch([ArxivId(f"1501.{n:05}")]))))
        for n in range(1, 7)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [1] * 6
    assert server.most_at_once == 1


def test_a_pause_that_the_server_asks_for_binds_the_next_process_too(
    server: ArxivServer, open_source: Open, clock: FastClock
) -> None:
    server.fail(Fault.too_fast("300"))
    with pytest.raises(SourceUnavailable, match="429") as caught:
        open_source().fetch([DPR])
    assert "5 minutes" in caught.value.hint
    with pytest.raises(SourceUnavailable, match="asks to wait 5 minutes"):
        open_source().fetch([DPR])
    assert len(server.requests) == 1
    clock.sleep(301)
    assert open_source().fetch([DPR]) == {}


def test_importing_the_adapter_loads_no_network_code() -> None:
    code = "import sys, citeplug.sources.arxiv; print([m for m in ('arxiv', 'requests', 'lxml') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert json.loads(done.stdout.replace("'", '"')) == []


def test_a_home_that_cannot_be_written_is_an_outage_with_a_hint(server: ArxivServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    source = ArxivSource(Settings(tmp_path / "file" / "home", server.url, arxiv_delay=0.0))
    with pytest.raises(SourceUnavailable, match="pace") as caught:
        source.fetch([DPR])
    assert "CITEPLUG_HOME" in caught.value.hint
    assert server.requests == []


def test_credentials_of_the_user_are_not_sent(
    server: ArxivServer, source: ArxivSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("default login me password secret", encoding="utf-8")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    source.fetch([DPR])
    assert "authorization" not in server.requests[0].headers


def _asked(query: str) -> Asked:
    return Asked("GET", "/", {"search_query": query}, {}, 0.0)


def test_the_queries_sent_can_be_shown_word_for_word(server: ArxivServer, source: ArxivSource) -> None:
    server.add(paper("1501.00001", "Rings of integers"))
    source.search("rings of integers", 5)
    source.search("rings of integers", 5)
    assert list(source.queries) == server.asked_queries() == ["(all:rings AND all:integers)"]
