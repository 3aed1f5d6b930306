"""A day of an author's, while the watcher runs and is killed at random: no word is lost, and the section fits."""

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import citeplug.demo
from citeplug.project.find_project import find_project
from citeplug.related.section.status import state_of
from tests.e2e.conftest import Run
from tests.e2e.test_watch import Process
from tests.sync.watch.authors import Author
from tests.sync.watch.projects import change

HOURS = 12
TEX = ("pdflatex", "bibtex", "git")
# A class that is not everywhere, and figures that did not come with the sources.
STYLE = r"""\ProvidesPackage{nips2016}
\DeclareOption*{}
\ProcessOptions
\RequirePackage{natbib}
\AtBeginDocument{\renewcommand\includegraphics[2][]{}}
"""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    shutil.copytree(Path(citeplug.demo.__file__).parent / "example", tmp_path / "paper")
    return tmp_path / "paper" / "main.tex"


@pytest.fixture
def real(tmp_path: Path, shared_data: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    for file in (shared_data / "latex" / "mdeff+paper-cnn-graph-nips2016").glob("*.*"):
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "nips2016.sty").write_text(STYLE, "utf-8")
    return folder / "nips2016.tex"


def need_programs() -> None:
    for program in TEX:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


@pytest.mark.system
@pytest.mark.parametrize("seed", [1])
def test_a_day_with_the_example(run: Run, home: Path, example: Path, seed: int) -> None:
    need_programs()
    a_day(run, example, "A gate weighs", seed)


@pytest.mark.system
@pytest.mark.shared_data
def test_a_day_with_a_real_paper(run: Run, home: Path, real: Path) -> None:
    need_programs()
    a_day(run, real, "we are interested in", 2)


def a_day(run: Run, main: Path, where: str, seed: int) -> None:
    assert run("related", main, "--offline", "--insert").code == 0
    author, chance = Author(main, where, seed), random.Random(seed)
    watcher = Process(main)
    told = watcher.settle()
    try:
        for done in author.day(HOURS):
            if done == "revise_abstract" or chance.random() < 0.3:
                told += watcher.settle()
            else:
                time.sleep(chance.choice([0.0, 0.2, 0.6, 1.5]))
                if chance.random() < 0.4:
                    watcher.kill()
                    watcher = Process(main)
    finally:
        watcher.kill()
    assert "running" in told
    for _ in range(2):
        assert run("watch", main, "--once", "--offline").code == 0
        assert author.missing() == set(), author.log
        assert state_of(find_project(main)).condition == "current"
        author.switch_branch()
    typeset(main)
    a_clone_merges_alike(run, author)


def typeset(main: Path) -> None:
    """The draft compiles, and no citation is undefined."""
    tex = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", main.name]
    for command in (tex, ["bibtex", main.stem], tex, tex):
        done = subprocess.run(command, cwd=main.parent, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout[-3000:].decode("utf-8", "replace")
    log = main.with_suffix(".log").read_text("latin-1").replace("\n", "")
    assert "Citation" not in log, log[log.index("Citation") - 200 :][:600]


def a_clone_merges_alike(run: Run, author: Author) -> None:
    author.commit()
    clone = author.main.parents[1] / "clone" / author.main.name
    assert author.git("clone", "-q", ".", str(clone.parent))
    for main in (author.main, clone):
        change(main, author.where, f"{author.where} sampled walks and")
        assert run("watch", main, "--once", "--offline").code == 0
    for name in ("related.tex", "related.bib"):
        assert (clone.parent / name).read_bytes() == (author.main.parent / name).read_bytes()
