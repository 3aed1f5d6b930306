"""A catalogue made once from the demo's library, and the command run in this process."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import citeplug.demo
from citeplug.cli.main import main
from citeplug.related.plan.from_clusters import CONTRIBUTE, RELATE

LIBRARY = Path(citeplug.demo.__file__).parent / "library.jsonl"


@dataclass(frozen=True)
class Done:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run `citeplug ARGS...` in this process, so that models and libraries are loaded once for all tests."""
    for name in ("COLUMNS", "LINES"):  # xdist tells its workers the size of its terminal
        monkeypatch.delenv(name, raising=False)

    def call(*args: object) -> Done:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["citeplug", *map(str, args)])
        with pytest.raises(SystemExit) as end:
            main()
            raise SystemExit(0)
        shown = capfd.readouterr()
        assert "citeplug: unexpected error" not in shown.err, shown.err
        code = end.value.code
        return Done(code if isinstance(code, int) else int(code is not None), shown.out, shown.err)

    return call


@pytest.fixture
def home(library_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home that all tests of a process share; a test with settings of its own takes `own_home`."""
    monkeypatch.setenv("CITEPLUG_HOME", str(library_home))
    yield library_home
    assert not (library_home / "config.toml").exists()


@pytest.fixture
def own_home(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, for a test that changes it."""
    copy = Path(shutil.copytree(home, tmp_path / "own-home", symlinks=True))
    monkeypatch.setenv("CITEPLUG_HOME", str(copy))
    return copy


def ask_for_contribution(main: Path, run: Run) -> None:
    """Have the plan ask for the draft's own sentence: a change of the abstract changes it."""
    section = main.parent / "related.tex"
    plan = section.read_text("utf-8")
    assert RELATE in plan
    section.write_text(plan.replace(RELATE, CONTRIBUTE), "utf-8")
    assert run("related", main, "--offline").code == 0


@pytest.fixture(scope="session")
def sections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of the draft with a section, each written by the first test that wants it."""
    return tmp_path_factory.mktemp("sections")


def _write_once(kept: Path, run: Run, project: Path, *options: str) -> Path:
    if kept.exists():
        shutil.copytree(kept, project.parent, dirs_exist_ok=True)
    else:
        assert run("related", project, "--offline", *options).code == 0
        shutil.copytree(project.parent, kept)
    return project


@pytest.fixture
def written(sections: Path, run: Run, home: Path, project: Path) -> Path:
    """A draft whose section is written and put in; returns its main file."""
    return _write_once(sections / "put in", run, project, "--insert")


@pytest.fixture
def written_apart(sections: Path, run: Run, home: Path, project: Path) -> Path:
    """A draft whose section is written and not put in; returns its main file."""
    return _write_once(sections / "apart", run, project)


DRAFT = r"""\documentclass{article}
\usepackage{natbib}
\newcommand{\method}{GraphThing}
\title{\method: Message Passing on Large Graphs}
\begin{document}
\maketitle
\begin{abstract}
Neural networks on graphs are hard to scale to graphs with millions of nodes. We propose \method, a graph
neural network that samples neighbours and learns node representations by attention. We show how sampling
and attention can be combined, and we study the expressive power of the resulting model.
\end{abstract}
\section{Introduction}
Graph neural networks learn representations of nodes by passing messages between neighbours.
\section{Method}
We sample neighbours and weigh them by attention.
\section{Conclusion}
We conclude.
\bibliographystyle{plainnat}
\bibliography{refs}
\end{document}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A draft on the theme of the library; returns its main file."""
    folder = tmp_path / "paper with spaces"
    folder.mkdir()
    (folder / "main.tex").write_bytes(DRAFT.encode())
    (folder / "refs.bib").write_bytes(b"@misc{other,\n  title = {Something Else},\n  year = 2001\n}\n")
    return folder / "main.tex"
