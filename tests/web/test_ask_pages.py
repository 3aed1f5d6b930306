"""Questions in the review page, by its forms alone."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.ask import conversations
from tests.ask.by_model.asked import judged, passages_in, said, verdicts
from tests.harness.anthropic_server import AnthropicServer
from tests.web.browser import Browser, Reply, reviewed

QUESTION = "How do graph attention networks weigh the neighbours of a node?"
NOT_THERE = "Which graph networks were trained on bananas?"


@pytest.fixture
def settled(written: Path, library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of their own, where a model elsewhere is named; every server counts as elsewhere."""
    own = Path(shutil.copytree(library_home, tmp_path / "home", symlinks=True))
    monkeypatch.setenv("CITEPLUG_HOME", str(own))
    monkeypatch.setattr("citeplug.llm.chosen_model.on_loopback", lambda url: False)
    (own / "config.toml").write_text('[language_model]\nuse = "anthropic"\n', "utf-8")
    return own


@pytest.fixture
def asked(written: Path) -> Iterator[Browser]:
    """A browser on the page of questions, with a draft that has its own bibliography."""
    (written.parent / "refs.bib").write_text("@misc{other,\n  title = {Something Else},\n  year = 2001\n}\n", "utf-8")
    with reviewed(written) as browser:
        browser.start()
        browser.open("/ask")
        yield browser


def ask(browser: Browser, question: str, **fields: str) -> str:
    reply = browser.send("/ask", question=question, **fields)
    assert reply.status in (200, 303), reply.text
    browser.finish()
    return browser.open("/ask")


def test_an_answer_has_its_status_its_attribution_and_its_citations_which_open_the_passage(asked: Browser) -> None:
    page = ask(asked, QUESTION)
    assert "in its source’s words" in page and "% of its words are in the passages it cites" in page
    assert "Searched" in page
    link = re.search(r'href="(/ask\?turn=1&sentence=1&citation=1)#passage"', page)
    assert link is not None
    passage = asked.open(link[1])
    (mark,) = re.findall(r"<mark>(.*?)</mark>", passage)
    assert f"</ul>{mark}" in passage and "https://arxiv.org/abs/" in passage  # a summary by others: no quotation marks
    for odd in (
        "turn=2&sentence=1",
        "turn=1&sentence=99",
        "turn=x&sentence=",
        "turn=1&sentence=0",
        "turn=²&sentence=1",
    ):
        reply = asked.ask("GET", f"/ask?{odd.replace('²', '%C2%B2')}&citation=77")
        assert reply.status == 409 and "no such part" in reply.text


def test_a_refusal_says_what_was_looked_through_and_shows_the_nearest_passages(asked: Browser) -> None:
    page = ask(asked, NOT_THERE)
    assert "None of these texts answers the question." in page and "Nearest to the question" in page
    passage = asked.open("/ask?turn=1&sentence=0&citation=1")
    assert "<mark>" in passage


def test_the_conversation_is_the_one_that_the_command_keeps_and_a_new_one_begins(
    asked: Browser, written: Path, home: Path
) -> None:
    ask(asked, QUESTION)
    kept = conversations.resume(home, written)
    assert [turn.question for turn in kept.turns] == [QUESTION]
    kept.add(kept.turns[0])  # as a terminal would that goes on with it
    assert asked.open("/ask").count('class="turn"') == 2
    page = asked.send("/ask/new").text
    assert "No questions yet" in page
    assert ask(asked, NOT_THERE).count('class="turn"') == 1
    assert len(conversations.resume(home, written).turns) == 1


def test_an_empty_question_is_refused(asked: Browser) -> None:
    reply = asked.send("/ask", question=" ?! ")
    assert reply.status == 409 and "the question is empty" in reply.text


def form_of(reply: Reply) -> dict[str, str]:
    """The hidden fields of the form that inserts."""
    form = reply.text.partition('method="post" action="/ask/insert"')[2].partition("</form>")[0]
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))


def choose(browser: Browser, words: str, group: str = "Draft") -> Reply:
    """Choose the paragraph of draft or section that has these words for the first sentence of the first answer."""
    page = browser.open("/ask/insert?turn=1&sentence=1").partition(f'<optgroup label="{group}')[2]
    found = re.search(rf'<option value="(\w+)">[^<]*{re.escape(words)}', page)
    assert found is not None, page
    return browser.ask("GET", f"/ask/insert?turn=1&sentence=1&paragraph={found[1]}")


def test_a_sentence_goes_to_the_end_of_a_paragraph_of_the_draft_after_a_preview(asked: Browser, written: Path) -> None:
    ask(asked, QUESTION)
    before = written.read_text("utf-8")
    preview = choose(asked, "We sample neighbours")
    assert "What would change" in preview.text and "<ins>+" in preview.text
    assert written.read_text("utf-8") == before
    reply = asked.send("/ask/insert", **form_of(preview))
    assert reply.status == 200 and "The sentence was added to the draft" in reply.text
    lines = written.read_text("utf-8").splitlines()
    line = lines[lines.index("We sample neighbours and weigh them by attention.") + 1]
    key = re.search(r"\\cite\w*\{([^}]+)\}", line)
    entries = [(written.parent / name).read_text("utf-8") for name in ("refs.bib", "related.bib")]
    assert key is not None and sum(f"{{{key[1]}," in each for each in entries) == 1
    assert written.read_text("utf-8") == before.replace("by attention.\n\\section", f"by attention.\n{line}\n\\section")
    record = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    assert [each["tex"] for each in record["asked"]] == [line]
    assert asked.send("/ask/insert", **form_of(preview)).status == 409  # the paragraph has another end now
    assert asked.send("/undo").status == 200
    assert written.read_text("utf-8") == before
    record = json.loads((written.parent / ".citeplug" / "provenance.json").read_text("utf-8"))
    assert not record.get("asked") and record["history"][-1]["what"] == "deleted"


def test_a_sentence_goes_into_the_section_where_it_stays_when_that_is_written_again(
    asked: Browser, written: Path
) -> None:
    ask(asked, QUESTION)
    section = written.parent / "related.tex"
    text = section.read_text("utf-8")
    reply = asked.send("/ask/insert", **form_of(choose(asked, "", "Section")))
    assert reply.status == 200, reply.text
    (new,) = Counter(section.read_text("utf-8").splitlines()) - Counter(text.splitlines())
    assert "attention" in new
    asked.open()
    asked.send("/write")
    assert new in section.read_text("utf-8")


def test_what_changed_since_the_preview_is_left_alone(asked: Browser, written: Path) -> None:
    ask(asked, QUESTION)
    fields = form_of(choose(asked, "We sample neighbours"))
    written.write_text(written.read_text("utf-8").replace("We sample", "Here we sample"), "utf-8")
    before = written.read_text("utf-8")
    reply = asked.send("/ask/insert", **fields)
    assert reply.status == 409 and "changed meanwhile" in reply.text
    assert asked.send("/ask/insert", **{**fields, "words": "Another sentence."}).status == 409
    assert asked.send("/ask/insert", **{**fields, "paragraph": "../main.tex"}).status == 409
    assert written.read_text("utf-8") == before


def test_text_of_questions_and_papers_is_no_markup(asked: Browser) -> None:
    bad = "What are <script>alert(1)</script><img src=x> graph attention networks?"
    ask(asked, bad)
    for path in ("/ask", "/ask?turn=1&sentence=0&citation=1"):
        data = asked.ask("GET", path).data
        assert b"<script>alert" not in data and b"<img" not in data


def reply_of(request: Any) -> dict[str, Any]:
    if "sentence 1, from" in request.prompt:
        return verdicts(*(["entailed"] * len(judged(request))))
    shown = passages_in(request)
    quotes = [{"passage": n, "quote": " ".join(shown[n].split()[:7])} for n in sorted(shown)[:2]]
    return said({"text": "Networks on graphs can be learned.", "quotes": quotes})


def test_a_hosted_model_gets_nothing_before_the_author_saw_what_and_agreed(
    written: Path, settled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AnthropicServer(reply_of).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        with reviewed(written, offline=False) as browser:
            browser.start()
            assert "worded by anthropic, which gets your question" in browser.open("/ask")
            ask(browser, QUESTION)
            assert server.requests == []  # unless the form says otherwise, the papers' own words answer
            page = ask(browser, QUESTION, by="model")
            assert server.requests == [] and "Send this?" in page
            place = re.search(r'name="consent" value="([^"]+)"', page)
            assert place is not None and "What would be sent first" in page
            page = ask(browser, QUESTION, by="model", consent="another place")
            assert server.requests == [] and "Send this?" in page
            page = ask(browser, QUESTION, by="model", consent=place[1])
            assert server.requests and "Networks on graphs can be learned." in page
            assert "Send this?" not in page
            page = ask(browser, "And what is learned on graphs by attention?", by="model")
            assert "Send this?" not in page  # once for each service


def test_a_key_alone_is_no_consent(written: Path, settled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    (settled / "config.toml").unlink()
    with reviewed(written, offline=False) as browser:
        browser.start()
        assert 'value="model"' not in browser.open("/ask")


def test_offline_no_hosted_model_is_offered(written: Path, settled: Path) -> None:
    with reviewed(written) as browser:
        browser.start()
        assert 'value="model"' not in browser.open("/ask")
        assert "Send this?" not in ask(browser, QUESTION, by="model")
