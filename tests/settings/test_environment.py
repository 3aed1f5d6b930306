import pytest

from citeplug.errors import UsageError
from citeplug.settings.environment import CROSSREF_URL, DBLP_URL, OPENALEX_URL, read_settings, way_online


def test_the_services_have_their_own_addresses_and_no_sender_is_made_up() -> None:
    read = read_settings({})
    assert (read.crossref_url, read.openalex_url, read.dblp_url) == (CROSSREF_URL, OPENALEX_URL, DBLP_URL)
    assert (read.mailto, read.openalex_key, read.sources_delay) == (None, None, None)


def test_addresses_of_mirrors_and_the_users_own_address_are_read() -> None:
    read = read_settings(
        {
            "CITEPLUG_DBLP_URL": "http://127.0.0.1:8000/search/publ/api",
            "CITEPLUG_MAILTO": "mailto:ada@example.org",
            "OPENALEX_API_KEY": " key ",
            "CITEPLUG_SOURCES_DELAY": "0.5",
        }
    )
    assert read.dblp_url == "http://127.0.0.1:8000/search/publ/api"
    assert (read.mailto, read.openalex_key, read.sources_delay) == ("ada@example.org", "key", 0.5)


def test_models_and_their_device_are_the_users_own_to_name() -> None:
    read = read_settings({})
    assert (read.embedder, read.rescorer, read.device) == (None, None, None)
    read = read_settings({"CITEPLUG_RESCORER": "~/model", "CITEPLUG_DEVICE": " CUDA:1"})
    assert (read.rescorer, read.device) == ("~/model", "cuda:1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CITEPLUG_CROSSREF_URL", "file:///etc/passwd"),
        ("CITEPLUG_OPENALEX_URL", "http://"),
        ("CITEPLUG_DBLP_URL", "http://[::1"),
        ("CITEPLUG_MAILTO", "ada"),
        ("CITEPLUG_MAILTO", "ada@example.org\r\nX-Evil: 1"),
        ("OPENALEX_API_KEY", "a b"),
        ("CITEPLUG_SOURCES_DELAY", "soon"),
        ("CITEPLUG_SOURCES_DELAY", "-1"),
        ("CITEPLUG_SOURCES_DELAY", "nan"),
        ("CITEPLUG_DEVICE", "gpu"),
        ("CITEPLUG_DEVICE", "cuda:-1"),
        ("CITEPLUG_DEVICE", "meta"),
        ("CITEPLUG_HOME", "~nobody-of-this-name/x"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=name):
        read_settings({name: value})


@pytest.mark.parametrize("value", [None, "", " ", "0", "1"])
def test_who_is_offline_is_told_what_made_it_so(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CITEPLUG_OFFLINE", raising=False)
    if value is not None:
        monkeypatch.setenv("CITEPLUG_OFFLINE", value)
    assert way_online() == ("unset CITEPLUG_OFFLINE" if read_settings().offline else "run without --offline")
