"""What the command line and the environment mean together."""

from pathlib import Path

import pytest

from citeplug.corpus.stores import _store, settings
from citeplug.errors import UsageError
from citeplug.settings.environment import Settings, read_settings


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_offline_reaches_a_chroma_server_on_this_machine(url: str) -> None:
    assert _store(Path("home"), "m", Settings(Path("home"), offline=True, chroma_url=url)).shared


@pytest.mark.parametrize("url", ["http://chroma.example.org:8000", "http://10.0.0.7:8000", "http://127.example.org"])
def test_offline_leaves_a_chroma_server_elsewhere_alone(url: str) -> None:
    assert not _store(Path("home"), "m", Settings(Path("home"), offline=True, chroma_url=url)).shared
    assert _store(Path("home"), "m", Settings(Path("home"), offline=False, chroma_url=url)).shared


def test_the_environment_can_be_offline_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_OFFLINE", "1")
    assert settings().offline
    with pytest.raises(UsageError):
        settings(online=True)


@pytest.mark.parametrize("delay", ["0.5", "-1", "soon", "nan"])
def test_arxivs_own_hosts_are_never_asked_faster_than_they_allow(delay: str) -> None:
    with pytest.raises(UsageError):
        read_settings({"CITEPLUG_ARXIV_DELAY": delay})


def test_another_host_may_be_asked_faster() -> None:
    read = read_settings({"CITEPLUG_ARXIV_DELAY": "0", "CITEPLUG_ARXIV_URL": "http://127.0.0.1:9/api/query"})
    assert read.arxiv_delay == 0


def test_a_url_of_another_kind_is_refused() -> None:
    with pytest.raises(UsageError):
        read_settings({"CITEPLUG_ARXIV_URL": "file:///etc/passwd"})
