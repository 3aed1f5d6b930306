"""A watcher that may ask a language model: by the user's own setting alone, and within the day's bound."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.stores import settings
from citeplug.errors import UsageError
from citeplug.llm.allowance import Allowance, allowance
from citeplug.llm.daily_limit import Amount, DailyLimit
from citeplug.records.dialogue import Request
from citeplug.settings.environment import ANTHROPIC_URL
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.scripted_models import honest, read_prompt
from tests.sync.watch.projects import PATIENCE, Heard, change, watching

ABSTRACT = "learns node representations by attention"
MARK = "Relatedly, "


class Script:
    """Answers honestly; waits first, if it is told to."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.go_on.set()
        self.asked = threading.Event()

    def __call__(self, request: Request) -> Any:
        self.asked.set()
        self.go_on.wait(PATIENCE)
        return honest(read_prompt(request))


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def server(script: Script, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer(script).serve() as running:
        for name, value in running.environment("sk-secret-key-0123456789").items():
            monkeypatch.setenv(name, value)
        yield running


@pytest.fixture
def own_home(written: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the catalogue, with settings of its own."""
    shutil.copytree(home, tmp_path / "home", symlinks=True)
    (tmp_path / "home" / "language-models.sqlite").unlink(missing_ok=True)
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def settle(home: Path, watch: str, use: str = "anthropic") -> None:
    (home / "config.toml").write_text(f'[language_model]\nuse = "{use}"\n[watch]\n{watch}\n', "utf-8")


@contextmanager
def asking(main: Path) -> Iterator[Heard]:
    allowed = allowance(settings(offline=True), lambda notice: None)
    assert allowed is not None
    with watching(main, allowed) as heard:
        yield heard


def test_a_watcher_asks_a_model_that_the_user_settled_for_it(
    written: Path, own_home: Path, server: AnthropicServer
) -> None:
    settle(own_home, "language_model = true\nmax_tokens_per_day = 2000000")
    with asking(written) as heard:
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        assert heard.next("written", "due", "failed").kind == "written"
        assert MARK in (written.parent / "related.tex").read_text("utf-8")
        # A section that a model wrote is made anew by it too.
        change(written, "by gates", "by walks")
        assert heard.next("written", "current", "due", "failed").kind in ("written", "current")
    assert server.requests
    assert DailyLimit(own_home, None, 1).spent().tokens > 0


def test_without_the_setting_nothing_is_sent_though_a_model_is_settled(
    written: Path, own_home: Path, server: AnthropicServer
) -> None:
    (own_home / "config.toml").write_text('[language_model]\nuse = "anthropic"\n', "utf-8")
    assert allowance(settings(offline=True), lambda notice: None) is None
    with watching(written) as heard:
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        heard.next("written")
    assert not server.requests


def test_when_the_day_is_spent_the_section_is_due_and_stays_as_it_is(
    written: Path, own_home: Path, server: AnthropicServer
) -> None:
    settle(own_home, "language_model = true\nmax_tokens_per_day = 3000")
    section = written.parent / "related.tex"
    before = section.read_bytes()
    with asking(written) as heard:
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        told = heard.next("written", "due", "failed")
        assert (told.kind, "of today's 3000" in told.message) == ("due", True)
        assert "goes on tomorrow" in told.hint
        # Not even the rest is spent on what cannot be finished.
        DailyLimit(own_home, None, 3000).take(Amount(0, DailyLimit(own_home, None, 3000).left().tokens))
        change(written, "by gates", "by walks")
        assert "is used up" in heard.next("written", "due", "failed").message
        heard.silence(1.0)
    assert section.read_bytes() == before
    assert DailyLimit(own_home, None, 3000).spent().tokens <= 3000


def test_a_model_that_is_at_work_is_left_when_the_draft_changes(
    written: Path, own_home: Path, server: AnthropicServer, script: Script
) -> None:
    settle(own_home, "language_model = true")
    script.go_on.clear()
    with asking(written) as heard:
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        heard.next("running")
        assert script.asked.wait(PATIENCE)
        change(written, "by gates", "by walks")
        assert heard.next("cancelled", "written").kind == "cancelled"
        script.go_on.set()
        assert heard.next("written", "failed").kind == "written"


def test_an_outage_of_the_model_leaves_the_section_as_it_is(
    written: Path, own_home: Path, server: AnthropicServer
) -> None:
    from tests.harness.model_server import Fault

    settle(own_home, "language_model = true")
    server.fail_always(Fault.http(401, "no"))
    before = (written.parent / "related.tex").read_bytes()
    with asking(written) as heard:
        change(written, ABSTRACT, "tells the classes of nodes by gates")
        assert heard.next("written", "failed").kind == "failed"
    assert (written.parent / "related.tex").read_bytes() == before


@pytest.mark.parametrize(
    ("watch", "use", "words"),
    [
        ("language_model = true", "anthropic", "only with a daily limit"),
        ("language_model = true\nmax_cost_per_day = 1", "none", "no model is chosen"),
    ],
)
def test_a_hosted_model_wants_a_bound_and_a_name(tmp_path: Path, watch: str, use: str, words: str) -> None:
    settle(tmp_path, watch, use)
    chosen = replace(settings(), home=tmp_path, anthropic_url=ANTHROPIC_URL)
    with pytest.raises(UsageError, match=words):
        allowance(chosen, lambda notice: None)
    settle(tmp_path, "language_model = true\nmax_cost_per_day = 0.5")
    allowed = allowance(chosen, lambda notice: None)
    assert isinstance(allowed, Allowance)
    assert allowed.limit is not None
