"""A project with a written section, and its page."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.corpus.stores import settings
from citeplug.records.outcome import Options
from citeplug.related.job import write_related
from citeplug.related.tools import Job
from tests.e2e.conftest import DRAFT, home, own_home, project
from tests.web.browser import Browser, reviewed

__all__ = ["home", "own_home", "project"]


@pytest.fixture(scope="session")
def written_once(library_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a draft with its section."""
    folder = tmp_path_factory.mktemp("written") / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(DRAFT, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(library_home))
        job = Job(folder / "main.tex", Options(), given={}, insert=True)
        write_related(job, settings(offline=True), online=False, report=lambda *_: None)
    return folder


@pytest.fixture
def written(written_once: Path, home: Path, tmp_path: Path) -> Path:
    """A copy of that folder; returns its main file."""
    return Path(shutil.copytree(written_once, tmp_path / "a paper")) / "main.tex"


@pytest.fixture
def browser(written: Path) -> Iterator[Browser]:
    """A browser that has opened the page."""
    with reviewed(written) as browser:
        browser.start()
        yield browser
