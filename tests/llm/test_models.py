"""Which language model is asked, with what, and what never is."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from citeplug.errors import Cancelled, ModelUnavailable, NotSent, UsageError
from citeplug.llm import api_keys, chosen_model
from citeplug.llm.chosen_model import Notice, Wanted, language_model
from citeplug.llm.dry_run import Rehearsal
from citeplug.llm.expected_cost import expected_cost
from citeplug.llm.guarded import CarefulModel
from citeplug.llm.known_models import CHEAPER_MODELS, DEFAULT_MODELS, KNOWN, Service
from citeplug.records.dialogue import Request
from citeplug.records.outcome import Options
from citeplug.settings.environment import OPENAI_URL, read_settings
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.openai_server import OpenAIServer

CLAUDE = DEFAULT_MODELS["anthropic"]
GUIDE = Path(__file__).parents[2] / "docs" / "models.md"


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer("All is well.").serve() as running:
        yield running


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server on this machine counts as one on the network."""
    monkeypatch.setattr(chosen_model, "on_loopback", lambda url: False)


def silent(notice: Notice) -> None:
    raise AssertionError(f"announced: {notice}")


def ask(prompt: str = "p", **more: Any) -> Request:
    return Request(more.pop("stage", "prose"), "s", prompt, **more)


@contextmanager
def opened(
    home: Path, environ: dict[str, str], *, announce: Any = silent, offline: bool = False, **wanted: Any
) -> Iterator[CarefulModel | Rehearsal | None]:
    chosen = replace(read_settings({"CITEPLUG_HOME": str(home), **environ}), offline=offline)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environ.items():
            patch.setenv(name, value)
        with language_model(Wanted(**wanted), chosen, announce) as model:
            yield model


def name_of(model: CarefulModel | Rehearsal | None) -> str | None:
    return None if model is None else model.name


def test_a_key_in_the_environment_is_no_consent(server: AnthropicServer, tmp_path: Path) -> None:
    environ = {**server.environment(), "OPENAI_API_KEY": "sk-x"}
    with opened(tmp_path, environ) as model:
        assert model is None
    with opened(tmp_path, environ, llm="none") as model:
        assert model is None


def test_a_service_that_is_named_is_asked_by_its_strongest_model(server: AnthropicServer, tmp_path: Path) -> None:
    with opened(tmp_path, server.environment(), llm="anthropic") as model:
        assert isinstance(model, CarefulModel)
        assert model.name == f"anthropic:{CLAUDE}"
        assert model.complete(ask()).text == "All is well."
    assert server.requests[0].body["model"] == CLAUDE
    assert (tmp_path / "language-models.sqlite").exists()


def test_the_default_models_are_named_by_the_installed_clients_and_priced() -> None:
    from anthropic.types.model import Model
    from openai.types.shared.chat_model import ChatModel

    assert DEFAULT_MODELS["anthropic"] in get_args(get_args(Model)[0])
    assert DEFAULT_MODELS["openai"] in get_args(ChatModel)
    assert set(DEFAULT_MODELS.values()) <= KNOWN.keys()
    for service, cheaper in CHEAPER_MODELS.items():
        default = KNOWN[DEFAULT_MODELS[service]].prices[-1]
        assert all(KNOWN[name].prices[-1].tokens_out < default.tokens_out for name in cheaper.values())


@pytest.mark.parametrize("service", DEFAULT_MODELS)
def test_a_section_of_15_papers_costs_less_than_half_a_dollar_at_the_default_models(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "https://api.anthropic.com" if service == "anthropic" else OPENAI_URL
    environ = {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k", "ANTHROPIC_BASE_URL": url, "OPENAI_BASE_URL": url}
    with opened(tmp_path, environ, llm=service) as model:
        assert isinstance(model, CarefulModel)
        whole = expected_cost(model, Options(breadth=15))
        assert whole is not None
        assert 0.1 < whole < 0.5
        for cheaper in (Options(breadth=15, polish=False), Options(breadth=15, strategy="plan"), Options(breadth=5)):
            assert (expected_cost(model, cheaper) or 0) < whole
        assert (expected_cost(model, Options(breadth=15, rank="debate")) or 0) > whole
        row = next(line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith(f"| `--llm {service}`"))
        prices = [expected_cost(model, Options(breadth=breadth)) or 0 for breadth in (25, 10)]
        # The guide's prices are citeplug's own estimates, to five cents.
        assert row.split(" | ")[1:3] == [f"about {5 * round(20 * price)} cents" for price in prices]
    with opened(tmp_path, environ, llm=f"{service}:unheard-of") as model:
        assert isinstance(model, CarefulModel)
        assert expected_cost(model, Options()) is None


@pytest.mark.parametrize(
    ("llm", "names", "default", "by_stage"),
    [
        ("anthropic:claude-opus-5-5", (), "claude-opus-5-5", {}),
        ("anthropic", ("claude-opus-5-5",), "claude-opus-5-5", {}),
        ("anthropic", (), CLAUDE, CHEAPER_MODELS["anthropic"]),
        (
            "anthropic",
            ("rank=claude-haiku-5-5", "summary=x", "judge=y"),
            CLAUDE,
            {"ranking": "claude-haiku-5-5", "summaries": "x", "judge": "y"},
        ),
        ("anthropic:a", ("b", "plan=c", "prose=d"), "b", {"plan": "c", "prose": "d"}),
    ],
)
def test_models_are_named_for_all_stages_or_for_one(
    llm: str, names: tuple[str, ...], default: str, by_stage: dict[str, str], tmp_path: Path
) -> None:
    with opened(tmp_path, {}, llm=llm, models=names, rehearse=True) as model:
        assert isinstance(model, Rehearsal)
        assert model._models.default == default
        assert model._models.by_stage == by_stage


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"llm": "claude"}, "not a language model service"),
        ({"llm": "none:x"}, "not a language model service"),
        ({"max_cost": 1.0}, "need a language model"),
        ({"models": ("x",)}, "need a language model"),
        ({"llm": "anthropic", "models": ("prosa=x",)}, "is not valid"),
        ({"llm": "anthropic", "models": ("",)}, "is not valid"),
    ],
)
def test_what_cannot_be_meant_is_refused(wanted: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=words), opened(tmp_path, {"ANTHROPIC_API_KEY": "k"}, **wanted):
        pass


def test_the_users_own_settings_are_consent_and_the_command_line_goes_before_them(
    server: AnthropicServer, tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text(
        '[language_model]\nuse = "anthropic"\nmodel = "claude-opus-5-5"\n'
        '[language_model.stages]\nranking = "claude-haiku-5-5"\n',
        encoding="utf-8",
    )
    with opened(tmp_path, server.environment()) as model:
        assert isinstance(model, CarefulModel)
        model.complete_all([ask("1"), ask("2", stage="ranking")])
    assert {asked.body["model"] for asked in server.requests} == {"claude-opus-5-5", "claude-haiku-5-5"}
    with opened(tmp_path, server.environment(), llm="none") as model:
        assert model is None
    with opened(tmp_path, server.environment(), models=("claude-sonnet-5-5",)) as model:
        assert isinstance(model, CarefulModel)
        assert model._models.all() == ("claude-sonnet-5-5",)


def test_without_a_key_the_way_to_one_is_told(tmp_path: Path, far: None) -> None:
    with (
        pytest.raises(ModelUnavailable, match="no key for anthropic") as caught,
        opened(tmp_path, {}, llm="anthropic"),
    ):
        pass
    assert "ANTHROPIC_API_KEY" in caught.value.hint
    assert "keyring set citeplug anthropic" in caught.value.hint


def test_a_server_on_this_machine_needs_no_key(tmp_path: Path) -> None:
    with AnthropicServer("Here.").serve() as server:
        environ = {"ANTHROPIC_BASE_URL": server.root}
        with opened(tmp_path, environ, llm="anthropic", offline=True) as model:
            assert isinstance(model, CarefulModel)
            assert model.complete(ask()).text == "Here."


def test_offline_no_other_machine_is_asked(server: AnthropicServer, tmp_path: Path, far: None) -> None:
    with (
        pytest.raises(UsageError, match="cannot be combined"),
        opened(tmp_path, server.environment(), llm="anthropic", offline=True),
    ):
        pass


def test_the_only_model_of_a_server_on_this_machine_need_not_be_named(tmp_path: Path) -> None:
    with OpenAIServer("Here.").serve() as server:
        server.models = frozenset({"qwen3:8b"})
        with opened(tmp_path, server.environment(), llm="openai") as model:
            assert isinstance(model, CarefulModel)
            assert model.name == "openai:qwen3:8b"
            assert model.complete(ask()).text == "Here."
        server.models = frozenset({"qwen3:8b", "llama"})
        with (
            pytest.raises(UsageError, match="it has llama, qwen3:8b"),
            opened(tmp_path, server.environment(), llm="openai"),
        ):
            pass
        with opened(tmp_path, server.environment(), llm="openai:llama") as model:
            assert name_of(model) == "openai:llama"


def test_a_server_that_lists_no_models_is_told_about(tmp_path: Path) -> None:
    with OpenAIServer().serve() as gone:
        pass
    with (
        pytest.raises(ModelUnavailable, match="does not list its models"),
        opened(tmp_path, gone.environment(), llm="openai"),
    ):
        pass


def test_a_bound_in_dollars_needs_known_prices(tmp_path: Path, far: None) -> None:
    environ = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "https://api.anthropic.com"}
    with (
        pytest.raises(UsageError, match="the price of claude-next is not known") as caught,
        opened(tmp_path, environ, llm="anthropic:claude-next", max_cost=1.0),
    ):
        pass
    assert "--max-tokens" in caught.value.hint
    with opened(tmp_path, environ, llm="anthropic:claude-next", max_tokens=1000) as model:
        assert isinstance(model, CarefulModel)
        assert not model.priced


def test_what_goes_first_is_shown_once_for_each_service(server: AnthropicServer, tmp_path: Path, far: None) -> None:
    announced: list[Notice] = []
    for prompt in ("first", "second"):
        with opened(tmp_path, server.environment(), llm="anthropic", announce=announced.append) as model:
            assert isinstance(model, CarefulModel)
            model.complete(ask(prompt))
    (notice,) = announced
    assert (notice.service, notice.place, notice.model, notice.request.prompt) == (
        "anthropic",
        server.root,
        CLAUDE,
        "first",
    )
    with (
        AnthropicServer("Elsewhere.").serve() as other,
        opened(tmp_path, other.environment(), llm="anthropic", announce=announced.append) as model,
    ):
        assert isinstance(model, CarefulModel)
        model.complete(ask("third"))
    assert len(announced) == 2


def test_what_was_forbidden_is_not_remembered_as_told(server: AnthropicServer, tmp_path: Path, far: None) -> None:
    def forbid(_: Notice) -> None:
        raise Cancelled("no")

    for _ in range(2):
        with opened(tmp_path, server.environment(), llm="anthropic", announce=forbid) as model:
            assert isinstance(model, CarefulModel)
            with pytest.raises(Cancelled):
                model.complete(ask())
    assert server.requests == []


@pytest.mark.parametrize("damage", ["", "{", "[]", "null"])
def test_a_damaged_memory_of_what_was_told_only_tells_again(
    server: AnthropicServer, tmp_path: Path, far: None, damage: str
) -> None:
    (tmp_path / "consent.json").write_text(damage, encoding="utf-8")
    announced: list[Notice] = []
    with opened(tmp_path, server.environment(), llm="anthropic", announce=announced.append) as model:
        assert isinstance(model, CarefulModel)
        model.complete(ask())
    assert len(announced) == 1


def test_a_rehearsal_sends_nothing_and_lists_what_would_be_sent(server: AnthropicServer, tmp_path: Path) -> None:
    with opened(tmp_path, server.environment(), llm="anthropic") as model:
        assert isinstance(model, CarefulModel)
        model.complete(ask("kept"))
    before = len(server.requests)
    with opened(tmp_path, server.environment(), llm="anthropic", rehearse=True) as model:
        assert isinstance(model, Rehearsal)
        assert model.complete(ask("kept")).text == "All is well."
        with pytest.raises(NotSent):
            model.complete(ask("new"))
        assert [type(reply) for reply in model.complete_all([ask("new"), ask("newer")])] == [NotSent, NotSent]
        assert [planned.request.prompt for planned in model.planned] == ["new", "newer"]
    assert len(server.requests) == before


def test_a_rehearsal_needs_neither_key_nor_network(tmp_path: Path, far: None) -> None:
    environ = {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}
    with opened(tmp_path, environ, llm="anthropic", rehearse=True, offline=True) as model:
        assert isinstance(model, Rehearsal)
        with pytest.raises(NotSent):
            model.complete(ask("x" * 700, max_tokens=1000))
        (planned,) = model.planned
    assert 150 < planned.tokens_in < 300
    assert planned.most_cost == pytest.approx((701 + 1000) * 5 / 1e6 + 9000 * 20 / 1e6)


def test_addresses_that_cannot_be_are_refused_when_they_are_needed(tmp_path: Path) -> None:
    environ = {"ANTHROPIC_BASE_URL": "file:///etc/passwd", "ANTHROPIC_API_KEY": "k"}
    with opened(tmp_path, environ) as model:
        assert model is None
    with pytest.raises(UsageError, match="ANTHROPIC_BASE_URL"), opened(tmp_path, environ, llm="anthropic"):
        pass


def test_a_key_is_found_in_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring
    import keyring.backend

    class Ring(keyring.backend.KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return {("citeplug", "anthropic"): "from-ring"}.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None: ...

        def delete_password(self, service: str, username: str) -> None: ...

    old = keyring.get_keyring()
    keyring.set_keyring(Ring())  # type: ignore[no-untyped-call]
    try:
        found = api_keys.find_key("anthropic", {})
        assert found is not None
        assert found.value == "from-ring"
        assert "from-ring" not in repr(found)
        assert api_keys.find_key("openai", {}) is None
        preferred = api_keys.find_key("anthropic", {"ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_API_KEY": "k"})
        assert preferred == api_keys.Key("k")
        assert api_keys.find_key("anthropic", {"ANTHROPIC_AUTH_TOKEN": "t"}) == api_keys.Key("t", bearer=True)
    finally:
        keyring.set_keyring(old)


@pytest.mark.parametrize("value", ["sk-\u201cquoted\u201d", "two words", "line\nbreak"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(value: str) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        api_keys.find_key("openai", {"OPENAI_API_KEY": value})
    assert value not in f"{caught.value}{caught.value.hint}"


def test_help_loads_no_client() -> None:
    code = (
        "import sys; sys.argv = ['citeplug', 'related', '--help']\n"
        "from citeplug.cli.main import cli\n"
        "cli.main(['related', '--help'], standalone_mode=False)\n"
        "import citeplug.llm.chosen_model\n"
        "assert not {'anthropic', 'openai', 'httpx2', 'keyring'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
