"""citeplug.toml: what it may say, and what is said of the rest."""

from dataclasses import fields
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import UnreadableInput
from citeplug.settings.environment import Settings
from citeplug.settings.project_toml import FILE, find_configuration, read_configuration, read_root
from citeplug.settings.user_toml import PREFERENCES

ALL = """\
root = "main.tex"

[related]
breadth = 12
depth = 0
diversity = 0.5
words = 400
before = 2026-01-01
style = "per-cite"
rank = "hybrid"
categories = ["cs.CL"]
pin = ["2004.04906"]
exclude = ["smith2020"]
out = "sections/related.tex"
bib = "related.bib"

[check]
fail_on = "warning"
"""


def toml(folder: Path, text: str | bytes) -> Path:
    path = folder / FILE
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(folder: Path, text: str | bytes) -> str:
    path = toml(folder, text)
    with pytest.raises(UnreadableInput) as error:
        read_configuration(folder)
    assert error.value.hint
    return f"{error.value} ({error.value.hint})".replace(str(path), FILE)


def test_every_key_is_read(tmp_path: Path) -> None:
    toml(tmp_path, ALL)
    read = read_configuration(tmp_path)
    assert read.values == {
        "root": "main.tex",
        "breadth": 12,
        "depth": 0,
        "diversity": 0.5,
        "words": 400,
        "before": date(2026, 1, 1),
        "strategy": "per-cite",
        "rank": "hybrid",
        "categories": ("cs.CL",),
        "pin": ("2004.04906",),
        "exclude": ("smith2020",),
        "out": "sections/related.tex",
        "bib": "related.bib",
        "fail_on": "warning",
    }
    assert read.lines["breadth"] == 4 and read.plain["before"] == "2026-01-01"
    assert read_root(tmp_path) == ("main.tex", 1)


def test_without_a_file_nothing_is_said(tmp_path: Path) -> None:
    assert read_configuration(tmp_path).values == {} and read_root(tmp_path) is None


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "[related]\n", "\ufeff[related]\r\nbreadth = 3\r\n"])
def test_an_empty_file_a_byte_order_mark_and_line_ends_of_windows_are_fine(tmp_path: Path, text: str) -> None:
    toml(tmp_path, text)
    assert set(read_configuration(tmp_path).values) <= {"breadth"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[related]\n\nbredth = 3",
            "citeplug.toml:3: unknown key related.bredth (did you mean breadth below [related]?)",
        ),
        ("breadth = 3", "citeplug.toml:1: unknown key breadth (did you mean breadth below [related]?)"),
        ("[related]\nroot = 'x.tex'", "citeplug.toml:2: unknown key related.root (did you mean root at the top?)"),
        ("[related]\nstrategy = 'plan'", "did you mean style below [related]?"),
        ("[relatd]\nbreadth = 3", "citeplug.toml:1: unknown key relatd (did you mean [related]?)"),
        ("related = 3", "citeplug.toml:1: related is a table"),
        (
            "[related]\nllm = 'anthropic'",
            "citeplug.toml:2: a project may not set related.llm (set it on the command line, or",
        ),
        ("[language_model]\nuse = 'openai'", "citeplug.toml:1: a project may not set language_model"),
        ("[related]\nmax-cost = 5", "may not set related.max-cost"),
        ("online = true", "cannot consent"),
        ("[related]\narxiv_url = 'http://x'", "set it in the environment"),
        ("embedder = 'x'", "set it in the environment"),
        ("rescorer = './model'", "set it in the environment"),
        ("device = 'cuda'", "set it in the environment"),
        ("[related]\nbreadth = '3'", "citeplug.toml:2: related.breadth must be a whole number from 1 to 100"),
        ("[related]\nbreadth = true", "must be a whole number"),
        ("[related]\nbreadth = 2.0", "must be a whole number"),
        ("[related]\nbreadth = [3]", "must be a whole number"),
        ("[related]\ndiversity = inf", "must be a number from 0 to 1"),
        ("[related]\nwords = 3", "must be a whole number from 30 to 5000"),
        ("[related]\nbefore = 2026-01-01T00:00:00", "must be a day"),
        ("[related]\ncategories = 3", "must be arXiv categories"),
        ("[related]\ncategories = ['cs; rm']", "must be arXiv categories"),
        ("[related]\nout = '../x.tex'", "must be the relative path of a .tex file in the project"),
        ("[related]\nout = '/tmp/x.tex'", "must be the relative path"),
        ("[related]\nout = 'a\\b.tex'", "must be the relative path"),
        ("[related]\nbib = '.citeplug/x.bib'", "must be the relative path"),
        ("[check]\nfail_on = 'info'", "must be one of error, warning, never"),
        ("[related]\nbreadth = 3\nbreadth = 4", "citeplug.toml:3: it is not TOML"),
        ("[related\n", "citeplug.toml:1: it is not TOML"),
        ("a = '''", "it is not TOML"),
        (b"# caf\xe9\n", "citeplug.toml:1: it is not UTF-8"),
        (b"\xff\xfer\x00o\x00", "citeplug.toml:1: it is not UTF-8"),
        (b"#" * 200_000, "is larger than"),
        ("a = " + "[" * 5_000, "TOML"),
        ("a = " + "1" * 5_000, "too many digits"),
        ("[related]\nbreadth = 0x" + "f" * 5_000, "must be a whole number from 1 to 100"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    assert said in refusal(tmp_path, text)


@pytest.mark.parametrize("table", ["", "related.", "check."])
def test_what_is_the_users_own_is_refused_wherever_it_stands(tmp_path: Path, table: str) -> None:
    names = {key.rpartition(".")[2] for key in PREFERENCES} | {entry.name for entry in fields(Settings)}
    for name in sorted(names | {"online", "sources", "api_key", "base_url", "plan_text", "as_published"}):
        assert "a project may not set" in refusal(tmp_path, f"{table}{name} = 1")


def test_a_folder_in_its_place_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(UnreadableInput, match="is a folder"):
        read_configuration(tmp_path)


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "secret").write_text("breadth = 3", encoding="utf-8")
    try:
        (project / FILE).symlink_to(tmp_path / "secret")
    except OSError:
        pytest.skip("this system lets nobody make links")
    (project / ".git").mkdir()
    with pytest.raises(UnreadableInput, match="leads out of the project"):
        read_configuration(project)
    (tmp_path / "secret").unlink()
    with pytest.raises(UnreadableInput):
        read_configuration(project)


def test_the_nearest_file_counts_up_to_the_top_of_the_repository(tmp_path: Path) -> None:
    deep = tmp_path / "repository" / "papers" / "one" / "src"
    deep.mkdir(parents=True)
    toml(tmp_path, "[related]\nbreadth = 1\n")
    (tmp_path / "repository" / ".git").mkdir()
    assert find_configuration(deep) is None
    far = toml(tmp_path / "repository", "[related]\nbreadth = 2\n")
    assert find_configuration(deep) == far
    near = toml(deep.parent, "[related]\nbreadth = 3\n")
    assert find_configuration(deep) == near
    (deep / ".citeplug").mkdir()  # the record of a run bounds nothing
    assert find_configuration(deep) == near


def test_a_project_named_by_way_of_another_repository_is_not_in_it(tmp_path: Path) -> None:
    (tmp_path / "other" / ".git").mkdir(parents=True)
    toml(tmp_path / "other", "[related]\nbreadth = 1\n")
    own = toml(tmp_path, "[related]\nbreadth = 2\n")
    assert find_configuration(tmp_path / "other" / "..") == own
    assert read_configuration(tmp_path / "other" / "..").values["breadth"] == 2


def test_without_a_repository_the_folder_above_is_the_last(tmp_path: Path) -> None:
    deep = tmp_path / "one" / "two"
    deep.mkdir(parents=True)
    toml(tmp_path, "")
    assert find_configuration(deep) is None
    assert find_configuration(deep.parent) == tmp_path / FILE


def test_the_users_home_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    toml(tmp_path, "")
    (tmp_path / "paper").mkdir()
    assert find_configuration(tmp_path / "paper") is None
    assert find_configuration(tmp_path) is None


@given(st.text(max_size=60))
def test_whatever_it_holds_it_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    toml(folder, f"[related]\n{text}".encode("utf-8", "surrogatepass"))
    try:
        read_configuration(folder)
    except UnreadableInput as error:
        assert str(folder) in str(error)
