"""A project at a server like Overleaf's, clones of it, and somebody who writes in the browser."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.conftest import DRAFT, Run, home, run
from tests.harness.git_server import TOKEN, USER, GitServer, Web, git, identify

__all__ = ["home", "run"]

REFS = "@misc{other,\n  title = {Something Else},\n  year = 2001\n}\n"
ABSTRACT = "learns node representations by attention"


@dataclass
class Project:
    """`url` is what the authors' clones come from."""

    server: GitServer
    web: Web
    url: str
    folder: Path

    def clone(self, name: str = "paper") -> Path:
        """An author's clone; returns its main file."""
        folder = self.folder / name
        git(self.folder, "clone", "-q", self.url, str(folder))
        identify(folder, name.capitalize())
        return folder / "main.tex"

    def at_the_server(self, name: str) -> str:
        return git(self.server.bare, "show", f"master:{name}")


@pytest.fixture(scope="session")
def first_section(library_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the draft, its section written and read."""
    from citeplug.corpus.stores import settings
    from citeplug.records.outcome import Options
    from citeplug.related.job import write_related
    from citeplug.related.tools import Job

    folder = tmp_path_factory.mktemp("written") / "paper"
    folder.mkdir()
    (folder / "main.tex").write_bytes(DRAFT.encode())
    (folder / "refs.bib").write_bytes(REFS.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(library_home))
        job = Job(folder / "main.tex", Options(), insert=True)
        write_related(job, settings(offline=True), online=False, report=lambda *_: None)
    return folder


@pytest.fixture
def git_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own git configuration, with a credential helper that knows the token."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    kept = tmp_path / "credentials"
    settings = tmp_path / "gitconfig"
    settings.write_text(f"[credential]\n\thelper = store --file='{kept.as_posix()}'\n", "utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "0")
    return settings


@pytest.fixture
def bare_project(tmp_path: Path, git_settings: Path, home: Path) -> Iterator[Project]:
    """A project that holds the draft alone."""
    yield from _project(tmp_path, {"main.tex": DRAFT.encode(), "refs.bib": REFS.encode()})


@pytest.fixture
def project(tmp_path: Path, git_settings: Path, home: Path, first_section: Path) -> Iterator[Project]:
    """A project that has its section already."""
    files = {
        file.relative_to(first_section).as_posix(): file.read_bytes()
        for file in first_section.rglob("*")
        if file.is_file()
    }
    yield from _project(tmp_path, files)


def _project(tmp_path: Path, files: dict[str, bytes]) -> Iterator[Project]:
    server = GitServer(tmp_path)
    web = Web(server, tmp_path / "web")
    web.write(dict(files), "draft")
    server.guard()
    with server.serve() as address:
        host = address.rpartition("/")[0]
        (tmp_path / "credentials").write_text(host.replace("://", f"://{USER}:{TOKEN}@") + "\n", "utf-8")
        yield Project(server, web, address.replace("://", f"://{USER}@"), tmp_path)


@pytest.fixture
def sync(run: Run) -> Callable[..., object]:
    """Run `citeplug overleaf sync` on the clone of this main file."""

    def call(main: Path, *words: str) -> object:
        return run("overleaf", "sync", main.parent, "--offline", *words)

    return call
