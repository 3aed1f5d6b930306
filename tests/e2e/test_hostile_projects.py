"""Projects with names in them that belong to no ordinary file, or to more than there is memory for.

Each command on each of them ends in time and in bounded memory, and says which file it is about and what is wrong with
it. A writer of the project's history can make all of this: git carries links, and an archive carries pipes.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import DRAFT
from tests.editor.wire import Wire

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has no pipes in folders, nor limits of this kind")

SECONDS = 20
MEMORY = 1_000_000_000  # bytes of address space; the same commands on a harmless project need 700 MB
HUGE = 10_000_000_000
BODY = DRAFT.replace(r"\section{Method}", "\\section{Method}\n\\input{part}").replace("{natbib}", "{natbib,mine}")
PIPE = "it is a pipe, not a file"
PLACE = BODY[: BODY.index(r"\input{part}")].count("\n") + 1  # the line of \input
BIB_PLACE = BODY[: BODY.index(r"\bibliography{")].count("\n") + 1

READING = ("draft", "check", "related", "plan", "status", "fix", "init", "watch")
WRITTEN = ("related", "status", "accept", "strip", "watch")
FINDING = ("draft", "status", "init")
ALL = (*dict.fromkeys((*READING, *WRITTEN)), "cite")


def command(name: str, folder: Path) -> list[str]:
    main, section = str(folder / "main.tex"), str(folder / "related.tex")
    return {
        "draft": ["draft", main],
        "check": ["check", main, "--offline", "--fail-on", "never"],
        "plan": ["plan", main, "--offline", "--force"],
        "status": ["status", main],
        "fix": ["fix", main, "--offline", "--dry-run"],
        "strip": ["strip", section, "-o", str(folder / "plain.tex")],
        "accept": ["accept", main, "--all"],
        "init": ["init", main],
        "cite": ["cite", "2004.04906", "--offline", "--append", str(folder / "refs.bib")],
        "watch": ["watch", main, "--offline", "--once"],
        "related": ["related", main, "--offline"],
    }[name]


@dataclass(frozen=True)
class Hostile:
    """`make` puts it into a folder with a written project; `said` is what commands tell of it, by command."""

    name: str
    make: Callable[[Path], object]
    said: dict[str, str] = field(default_factory=dict)
    commands: tuple[str, ...] = ALL


def each(commands: tuple[str, ...], words: str) -> dict[str, str]:
    return dict.fromkeys(commands, words)


def put(name: str, make: Callable[[Path], object]) -> Callable[[Path], object]:
    """What `make` makes, in the place of a file of the project."""

    def instead(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        make(path)

    return instead


def sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(HUGE)


def link_to(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


def a_base(make: Callable[[Path], object]) -> Callable[[Path], object]:
    """In the place of every base of a merge."""

    def instead(folder: Path) -> None:
        found = [path for path in (folder / ".citeplug" / "base").iterdir() if not path.name.startswith("entry")]
        assert found
        for path in found:
            path.unlink()
            make(path)

    return instead


def many(folder: Path) -> None:
    """200,000 files: empty ones, which are links to one, since that takes a tenth of the time."""
    first = folder / "data" / "0"
    first.parent.mkdir()
    first.touch()
    for number in range(1, 200_000):
        if number % 30_000 == 0:  # some file systems bound the links to one file
            first = folder / "data" / f"{number}"
            first.touch()
        else:
            os.link(first, folder / "data" / f"{number}.tex")


INPUT = f"main.tex:{PLACE}:1: warning: part"
BIB = f"main.tex:{BIB_PLACE}: error: refs.bib cannot be read: "
TOLD = ("draft", "related", "plan")  # these tell all that is doubtful about the draft
SAID_OF_BIB = ("draft", "check", "fix", "related")
USES_MAIN = tuple(name for name in ALL if name not in ("strip", "cite"))

CASES = [
    Hostile("harmless", lambda folder: None),
    Hostile("z.tex links to a device", put("z.tex", link_to("/dev/zero"))),
    Hostile("main.tex is a pipe", put("main.tex", os.mkfifo), each(USES_MAIN, f"main.tex cannot be read: {PIPE}")),
    Hostile(
        "main.tex is larger than is read",
        put("main.tex", sparse),
        each(USES_MAIN, "main.tex cannot be read: it is larger than 20 MB"),
    ),
    Hostile("refs.bib is a pipe", put("refs.bib", os.mkfifo), each(SAID_OF_BIB, BIB + PIPE)),
    Hostile("refs.bib is a folder", put("refs.bib", Path.mkdir), each(SAID_OF_BIB, BIB + "it is a folder")),
    Hostile("refs.bib is larger than is read", put("refs.bib", sparse), each(SAID_OF_BIB, BIB + "it is larger than")),
    Hostile("part.tex is a pipe", put("part.tex", os.mkfifo), each(TOLD, f"{INPUT} cannot be read: {PIPE}")),
    Hostile(
        "part.tex links to a device", put("part.tex", link_to("/dev/zero")), each(TOLD, f"{INPUT} cannot be read: ")
    ),
    Hostile(
        "part.tex links out of the project",
        put("part.tex", link_to("/etc/passwd")),
        each(TOLD, f"{INPUT} lies outside the project and is not read"),
    ),
    Hostile(
        "part.tex links to itself",
        put("part.tex", link_to("part.tex")),
        each(TOLD, f"{INPUT} cannot be read: Too many levels of symbolic links"),
    ),
    Hostile(
        "part.tex is larger than is read",
        put("part.tex", sparse),
        each(TOLD, f"{INPUT}.tex cannot be read: it is larger than 20 MB"),
    ),
    Hostile("mine.sty is a pipe", put("mine.sty", os.mkfifo), each(TOLD, f"mine.sty cannot be read: {PIPE}")),
    Hostile(
        "related.tex is a pipe", put("related.tex", os.mkfifo), each(WRITTEN, f"related.tex cannot be read: {PIPE}")
    ),
    Hostile(
        "related.tex is larger than is read",
        put("related.tex", sparse),
        each(WRITTEN, "related.tex cannot be read: it is larger than 20 MB"),
    ),
    Hostile(
        "related.bib is a pipe",
        put("related.bib", os.mkfifo),
        each(("related",), f"related.bib cannot be read: {PIPE}"),
    ),
    Hostile(
        "related.bib is larger than is read",
        put("related.bib", sparse),
        each(("related",), "related.bib cannot be read: it is larger than"),
    ),
    Hostile(
        "the record is a pipe",
        put(".citeplug/provenance.json", os.mkfifo),
        each(("related", "status", "accept", "watch"), f"provenance.json cannot be read: {PIPE}"),
    ),
    Hostile(
        "the record is larger than is read",
        put(".citeplug/provenance.json", sparse),
        each(("related", "status", "accept", "watch"), "provenance.json cannot be read: it is larger than 20 MB"),
    ),
    Hostile("a base is a pipe", a_base(os.mkfifo), commands=WRITTEN),
    Hostile("a base is larger than is read", a_base(sparse), commands=WRITTEN),
    Hostile(
        "citeplug.toml is a pipe",
        put("citeplug.toml", os.mkfifo),
        each(("related", "status", "plan", "init", "watch"), f"citeplug.toml cannot be read: {PIPE}"),
    ),
    Hostile("latexmkrc is a pipe", put("latexmkrc", os.mkfifo), commands=FINDING),
    Hostile("latexmkrc is larger than is read", put("latexmkrc", sparse), commands=FINDING),
    Hostile("there are 200,000 files", many),
]


@pytest.fixture(scope="session")
def written_project(library_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a section; to be copied, not changed. What models are converted to lies in `library_home` now."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "main.tex").write_text(BODY, "utf-8")
    (folder / "part.tex").write_text("We weigh neighbours.\n", "utf-8")
    (folder / "mine.sty").write_text("\\newcommand{\\mine}{ours}\n", "utf-8")
    (folder / "refs.bib").write_text("@misc{other,\n  title = {Something Else},\n  year = 2001\n}\n", "utf-8")
    arguments = ["related", str(folder / "main.tex"), "--offline", "--breadth", "4", "-q"]
    subprocess.run([sys.executable, "-m", "citeplug", *arguments], env=environment(library_home), check=True)
    return folder


def environment(home: Path) -> dict[str, str]:
    # One thread: each of another's has address space of its own, as many as there are processors.
    return {**os.environ, "CITEPLUG_HOME": str(home), "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


def run_bounded(commands: list[list[str]], home: Path) -> Any:
    """What became of each command, run one after the other in a process of bounded memory."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.hostile_child", str(MEMORY), str(SECONDS)],
        input=json.dumps(commands),
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=SECONDS * len(commands) + 60,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_command_ends_in_time_and_memory_and_says_what_is_wrong(
    case: Hostile, written_project: Path, library_home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "paper"
    shutil.copytree(written_project, folder)
    case.make(folder)
    ran = run_bounded([command(name, folder) for name in case.commands], library_home)
    wrong = {
        name: done
        for name, done in zip(case.commands, ran["done"], strict=True)
        if done["code"] not in (0, 1, 2) or "Traceback" in done["said"] or case.said.get(name, "") not in done["said"]
    }
    assert not wrong
    assert ran["peak"] < MEMORY


@pytest.mark.parametrize(
    ("name", "make", "code"),
    [
        ("refs.bib", os.mkfifo, "unreadable_bib"),
        ("refs.bib", sparse, "unreadable_bib"),
        ("part.tex", os.mkfifo, None),
        ("part.tex", link_to("/dev/zero"), None),
        ("part.tex", sparse, None),
        ("citeplug.toml", os.mkfifo, None),
        (".citeplug/provenance.json", os.mkfifo, None),
        ("related.tex", sparse, None),
    ],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "__name__", ""),
)
def test_the_language_server_answers_about_a_hostile_project(
    name: str,
    make: Callable[[Path], object],
    code: str | None,
    written_project: Path,
    library_home: Path,
    tmp_path: Path,
) -> None:
    folder = tmp_path / "paper"
    shutil.copytree(written_project, folder)
    put(name, make)(folder)
    with Wire(library_home) as wire:
        wire.initialize({"textDocument": {"publishDiagnostics": {}}})
        wire.open(folder / "main.tex", BODY)
        symbols = wire.ask(2, "textDocument/documentSymbol", folder / "main.tex", 0, 0)
        assert symbols and resident(wire.process.pid) < MEMORY
        while code is not None:
            said = wire.hear(SECONDS)
            if said.get("method") == "textDocument/publishDiagnostics" and code in str(said["params"]["diagnostics"]):
                break


def resident(process: int) -> int:
    """Bytes; 0 where the system does not tell."""
    status = Path(f"/proc/{process}/status")
    lines = status.read_text("utf-8").splitlines() if status.exists() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)
