"""`citeplug audit --anonymous --llm`: what is sent and when, and what becomes of the verdicts."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.audit.drafts import write_draft
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault

BARN = "The horses of the Kladruby stud, where both of us ride, were filmed."
THANKS = "We thank Maria Schmidt for the cover."
TEXT = f"""Graphs are counted by paths in this section of the paper.

{BARN}
{THANKS}

% To Ann: the referees in Brno will not like this.
"""
WORDS = "the Kladruby stud, where both of us ride"


def residue(request: Request, sentence: str, /, **changes: Any) -> dict[str, Any]:
    """A verdict on the sentence, by the number under which it was shown."""
    shown = re.search(rf"^(\d+)(?: \(comment\))?: {re.escape(sentence)}", request.prompt, re.MULTILINE)
    assert shown is not None, request.prompt
    item = {"sentence": int(shown[1]), "words": WORDS, "category": "author_named", "wording": "Horses were filmed."}
    return {**item, **changes}


def on_barn(**changes: Any) -> Any:
    return lambda request: {"residues": [residue(request, BARN, **changes)]}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[AnthropicServer]:
    with AnthropicServer(on_barn()).serve() as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield served


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return write_draft(tmp_path, TEXT)


def findings(run: Run, draft: Path, *options: str) -> list[dict[str, Any]]:
    done = run("audit", draft, "--anonymous", "--llm", "anthropic", "--json", *options)
    listed: list[dict[str, Any]] = done.json["findings"]
    return listed


def test_what_no_pattern_foresees_is_reported_with_its_line_and_a_wording(
    run: Run, server: AnthropicServer, draft: Path
) -> None:
    (barn,) = [finding for finding in findings(run, draft) if WORDS in finding["message"]]
    assert draft.read_text("utf-8").splitlines()[barn["line"] - 1] == BARN
    assert (barn["code"], barn["severity"]) == ("author_named", "warning")
    assert barn["fix"] == "for instance: “Horses were filmed.”"


def test_without_llm_on_the_command_line_nothing_is_sent(run: Run, server: AnthropicServer, draft: Path) -> None:
    done = run("audit", draft, "--anonymous", "--json")
    assert server.requests == [] and [finding["code"] for finding in done.json["findings"]] == ["people_thanked"]


def test_a_model_of_the_users_configuration_is_not_sent_a_blind_draft(
    run: Run, server: AnthropicServer, draft: Path, own_home: Path
) -> None:
    (own_home / "config.toml").write_text('[language_model]\nuse = "anthropic"\n', "utf-8")
    run("audit", draft, "--anonymous", "--json")
    assert server.requests == []


def test_a_dry_run_lists_the_requests_and_sends_none(run: Run, server: AnthropicServer, draft: Path) -> None:
    done = run("audit", draft, "--anonymous", "--llm", "anthropic", "--dry-run", "--json")
    (request,) = done.json["would_send"]["requests"]
    assert BARN in request["prompt"] and server.requests == []
    assert [finding["code"] for finding in done.json["findings"]] == ["people_thanked"]


def test_sentences_that_can_tell_nothing_are_not_sent_and_comments_are_marked(
    run: Run, server: AnthropicServer, draft: Path
) -> None:
    prompts: list[str] = []

    def script(request: Request) -> dict[str, Any]:
        prompts.append(request.prompt)
        return {"residues": []}

    server.script = script
    findings(run, draft, "--author", "Zoe Quux")
    (prompt,) = prompts
    assert "Graphs are counted" not in prompt and "Quux" not in prompt and "# Related work" in prompt
    assert "(comment): To Ann:" in prompt and "<material" in prompt


@pytest.mark.parametrize(
    "changes",
    [
        {"words": "the Kladruby stud farm"},
        {"words": ""},
        {"words": "…"},
        {"sentence": 99},
        {"sentence": None},
        {"category": "gossip"},
        {"category": ["author_named"]},
    ],
)
def test_a_verdict_that_quotes_nothing_of_the_sentence_is_dropped(
    run: Run, server: AnthropicServer, draft: Path, changes: dict[str, Any]
) -> None:
    server.script = on_barn(**changes)
    assert [finding["code"] for finding in findings(run, draft)] == ["people_thanked"]


@pytest.mark.parametrize("wording", ["", f"Horses of {WORDS} were filmed.", "Horses were filmed [@nobody]."])
def test_a_wording_that_still_tells_or_cites_what_the_sentence_does_not_is_not_offered(
    run: Run, server: AnthropicServer, draft: Path, wording: str
) -> None:
    server.script = on_barn(wording=wording)
    (barn,) = [finding for finding in findings(run, draft) if WORDS in finding["message"]]
    assert barn["fix"] == "leave it out, or say what kind of place or person it is"


def test_what_a_pattern_has_reported_is_not_reported_twice(run: Run, server: AnthropicServer, draft: Path) -> None:
    changes = {"words": "Maria Schmidt", "category": "people_thanked", "wording": ""}
    server.script = lambda request: {"residues": [residue(request, THANKS, **changes)] * 2}
    assert [finding["code"] for finding in findings(run, draft)] == ["people_thanked"]


def test_what_a_comment_tells_is_information(run: Run, server: AnthropicServer, draft: Path) -> None:
    server.script = lambda request: {"residues": [residue(request, "To Ann:", words="To Ann", wording="")]}
    (note,) = [finding for finding in findings(run, draft) if "To Ann" in finding["message"]]
    assert note["severity"] == "info" and note["message"].startswith("not printed, but in the source: ")


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (lambda _: Fault.http(401), "model_unavailable"),
        (lambda _: {"verdicts": []}, "answer_unreadable"),
        (lambda _: Answer("", stop="refusal"), "answer_unreadable"),
    ],
)
def test_a_model_that_fails_leaves_what_the_patterns_found(
    run: Run, server: AnthropicServer, draft: Path, script: Any, code: str
) -> None:
    server.script = script
    assert {finding["code"] for finding in findings(run, draft)} == {"people_thanked", code}


def test_a_budget_that_is_used_up_is_named_and_nothing_is_sent(run: Run, server: AnthropicServer, draft: Path) -> None:
    codes = {finding["code"] for finding in findings(run, draft, "--max-tokens", "10")}
    assert codes == {"people_thanked", "budget_reached"} and server.requests == []
