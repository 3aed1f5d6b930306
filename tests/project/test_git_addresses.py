"""Which addresses are taken, and that none is shown with a secret."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import UnsafeProject
from citeplug.project.git_addresses import read_address, redacted

TOKEN = "olp_" + "Ab3" * 12


@pytest.mark.parametrize(
    ("text", "protocols", "host"),
    [
        ("https://git.overleaf.com/0123456789abcdef01234567", "https:ssh", "git.overleaf.com"),
        ("https://git@git.overleaf.com/0123456789abcdef01234567", "https:ssh", "git.overleaf.com"),
        ("git@github.com:me/paper.git", "ssh:https", "github.com"),
        ("ssh://git@host:2222/paper.git", "ssh:https", "host"),
        ("http://127.0.0.1:8080/paper.git", "http", "127.0.0.1"),
        ("git://host/paper.git", "git", "host"),
    ],
)
def test_usual_addresses_are_taken_with_their_protocol_alone(text: str, protocols: str, host: str) -> None:
    read = read_address(text)
    assert (read.text, read.protocols, read.host) == (text, protocols, host)


def test_a_folder_is_an_address_and_may_be_asked_as_a_file_alone(tmp_path: Path) -> None:
    assert read_address(str(tmp_path)).protocols == "file"
    assert read_address(tmp_path.as_uri()).protocols == "file"


def test_the_page_of_a_project_stands_for_its_repository() -> None:
    page = "https://www.overleaf.com/project/0123456789abcdef01234567"
    assert read_address(page).text == "https://git@git.overleaf.com/0123456789abcdef01234567"
    assert read_address(page + "/file?x=1").text == read_address(page).text


@pytest.mark.parametrize(
    "text",
    ["-u", "--upload-pack=touch x", "ext::sh -c id", "fd::17", "https://h/x\n-y", "", " ", "\x1b[2J", "file::/x",
     "ftp://host/x", "javascript://x", "http://example.org/x.git", "ssh://-oProxyCommand=id/x", "-oProxyCommand=id:x",
     "https://[::1", "https://user@-host/x", "nowhere/at/all", "ssh://-x@host/y"],
)  # fmt: skip
def test_what_could_start_a_program_or_tell_a_token_is_refused(text: str) -> None:
    with pytest.raises(UnsafeProject) as refused:
        read_address(text)
    assert refused.value.hint


@pytest.mark.parametrize(
    "text",
    [
        f"https://git:{TOKEN}@git.overleaf.com/0123456789abcdef01234567",
        f"https://{TOKEN}@git.overleaf.com/0123456789abcdef01234567",
        f"https://git.overleaf.com/0123456789abcdef01234567?token={TOKEN}",
        "https://me:secret@host/x.git",
        "https://:secret@host/x.git",
    ],
)
def test_an_address_with_a_secret_is_refused_with_the_one_to_use(text: str) -> None:
    with pytest.raises(UnsafeProject) as refused:
        read_address(text)
    said = f"{refused.value} {refused.value.hint}"
    assert "secret" not in said.replace("holds a secret", "")
    assert TOKEN not in said
    assert "https://git@" in said
    assert "credential helper" in said


SECRET = st.text(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%!$&+=,;~*()_-.", min_size=1, max_size=40
)


@given(SECRET, st.sampled_from(["https", "http", "ssh", "git+x"]), st.sampled_from(["", "git", "me"]))
def test_no_password_in_any_text_survives(secret: str, scheme: str, user: str) -> None:
    shown = redacted(f"fatal: unable to access '{scheme}://{user}:ZZ{secret}ZZ@host.org/x.git/': refused")
    assert f"ZZ{secret}ZZ" not in shown
    assert "host.org/x.git" in shown


@given(st.text(max_size=80))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    assert redacted(redacted(text)) == redacted(text)


def test_tokens_are_hidden_wherever_they_stand() -> None:
    assert TOKEN not in redacted(f"remote: the token {TOKEN} has expired")
    assert "git@host" in redacted("https://git@host/x")
