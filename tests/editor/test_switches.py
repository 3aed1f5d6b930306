"""What users switch on and off."""

import pytest

from citeplug.editor.switches import Switches, read_switches


@pytest.mark.parametrize(
    "sent",
    [
        {"completion": {"enabled": False, "arxiv": False}},
        {"completion.enabled": False, "completion.arxiv": False},
        {"citeplug": {"completion": {"enabled": False, "arxiv": False}}},
    ],
)
def test_settings_may_be_nested_or_have_dots(sent: object) -> None:
    assert read_switches(sent) == Switches(completion=False, completion_arxiv=False)


@pytest.mark.parametrize(
    "sent",
    [None, 5, [], {"completion": 1}, {"hover.enabled": "no"}, {"diagnostics": {"lowSupport": 7}}, {"rootFile": 3}],
)
def test_what_is_of_another_kind_changes_nothing(sent: object) -> None:
    assert read_switches(sent) == Switches()


def test_what_is_not_said_stays() -> None:
    before = read_switches({"hover": {"enabled": False}, "rootFile": "/a/main.tex"})
    assert read_switches({"diagnostics": {"lowSupport": 0.2}}, before) == Switches(
        hover=False, low_support=0.2, root_file="/a/main.tex"
    )


def test_only_the_users_editor_may_allow_the_network_and_anybody_forbid_it() -> None:
    allows, forbids = {"diagnostics": {"network": True}}, {"diagnostics.network": False}
    assert not read_switches(allows).network
    allowed = read_switches(allows, first=True)
    assert allowed.network
    assert read_switches({"hover.enabled": True}, allowed).network
    assert not read_switches(forbids, allowed).network
