"""What others may put into a project, a source or a PDF: every command ends in time and memory, and writes nothing."""

import json
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from citeplug.corpus.fulltext.text_reader import TextReader
from citeplug.errors import Unfit
from tests.corpus.fulltext.sources import BBL, paper_tex, tar_gz
from tests.harness.pdf_files import paper_pdf
from tests.torture.case import Case, Loss
from tests.torture.judge import restore, state_of
from tests.torture.merging import EXAMPLE

_MEMORY, _SECONDS = 2_000_000_000, 120  # for each command; without harm it needs a third, and a few seconds
_NAMES = (".env", "latexmkrc", "mine.sty", "part.tex", "references.bib", ".gitignore", ".citeplug", "main.bbl")
_GROWTH = (
    "\\def\\a{x}" + "".join(f"\\def\\{b}{{\\{a}\\{a}\\{a}}}" for a, b in pairwise("abcdefghijklmnop")) + "\\p",
    "\\newcommand{\\b}[1]{#1#1\\b{#1#1}}\\b{x}",
    "\\input{main}\\input{part}",
    "{" * 50_000,
    "$" * 50_001,
    "\\begin{equation}" * 20_000,
    "\\cite{" + "a," * 50_000 + "}",
    "\\if" * 50_000,
)  # fmt: skip


def _special(folder: Path, chance: random.Random) -> Path:
    """A pipe, a device, a folder, a loop or a file larger than the memory, in the place of a file."""
    path = folder / chance.choice(_NAMES)
    path.unlink(missing_ok=True)
    makes: list[Callable[[], object]] = [
        lambda: os.mkfifo(path),
        lambda: path.symlink_to("/dev/zero"),
        path.mkdir,
        lambda: path.symlink_to(path.name),
        lambda: path.open("wb").truncate(10**10),
    ]
    chance.choice(makes)()
    return folder / "main.tex"


def _folder_file(folder: Path, chance: random.Random) -> Path:
    """Settings that came with a project, of citeplug and of others."""
    name = chance.choice((".env", "citeplug.toml", "latexmkrc", ".citeplug/provenance.json", "pyproject.toml"))
    (folder / name).parent.mkdir(exist_ok=True)
    lines = (b"CITEPLUG_HOME=/nowhere\nANTHROPIC_BASE_URL=http://127.0.0.1:9\n", b"[draft]\nmain = '/etc/passwd'\n")
    odd = (b"$ENV{'PATH'}='.'; system('touch ran');\n", b'{"sections": ' + b"[" * 100_000, chance.randbytes(300))
    (folder / name).write_bytes(chance.choice(lines + odd))
    return folder / "main.tex"


def _growing(folder: Path, chance: random.Random) -> Path:
    """TeX that stands for more than a machine holds."""
    main = folder / "main.tex"
    text = main.read_text("utf-8")
    main.write_text(text.replace(r"\begin{document}", r"\begin{document} " + chance.choice(_GROWTH), 1), "utf-8")
    return main


def _zipped(folder: Path, chance: random.Random) -> Path:
    """A project in a zip that is damaged, unpacks to much, or has names that lead elsewhere."""
    packed = folder / "paper.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("main.tex", "references.bib"):
            archive.write(folder / name, name)
        names = ("../up.tex", "/etc/x.tex", "a" * 300 + ".tex", "x\0y.tex", "MAIN.tex", "main.tex/part.tex")
        archive.writestr(chance.choice(names), b"x")
        archive.writestr("big.tex", b"\0" * chance.choice((0, 100_000_000)))
    if chance.random() < 0.5:
        packed.write_bytes(mangled(packed.read_bytes(), chance))
    return packed


_KINDS = {"special file": _special, "file of the folder": _folder_file, "TeX growth": _growing, "zip": _zipped}


def play_project(case: Case) -> None:
    """Commands that only read, on a project with one such thing in it."""
    name, make = list(_KINDS.items())[case.number % len(_KINDS)]
    folder = case.folder / "paper"
    restore(folder, state_of(EXAMPLE))
    main = str(make(folder, case.chance))
    before = _small(folder)
    commands = [["draft", main], ["check", main, "--offline"], ["related", main, "--offline", "--dry-run"]]
    if main.endswith(".zip"):
        commands = [["related", main, "--offline", "-o", str(case.folder / "out.zip")]]
    child = [sys.executable, "-m", "tests.e2e.hostile_child", str(_MEMORY), str(_SECONDS)]
    limit = _SECONDS * len(commands) + 60
    ended = subprocess.run(child, input=json.dumps(commands).encode(), capture_output=True, timeout=limit, check=False)
    if ended.returncode:
        raise Loss(f"{name}: the process ended with {ended.returncode}: {ended.stderr.decode()[-2000:]}")
    for words, done in zip(commands, json.loads(ended.stdout)["done"], strict=True):
        if done["code"] in ("late", "died") or "Traceback" in done["said"]:
            raise Loss(f"{name}: {words[0]} ended with {done['code']}: {done['said'][-2000:]}")
        case.counts[f"{name}, {words[0]} ended with {done['code']}"] += 1
    if _small(folder) != before:
        raise Loss(f"{name}: a command that only reads wrote into the project")


def _small(folder: Path) -> dict[str, bytes | int]:
    """The files, and of those that are larger than the memory the sizes."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name: size if (size := path.stat().st_size) > 10**8 else path.read_bytes() for path in files}


def play_text(case: Case) -> None:
    """A damaged source or PDF, in the process that reads them: a text, or the reason why there is none."""
    chance = case.chance
    pdf = paper_pdf("Message Passing", [("Introduction", "We pass messages on graphs. " * 60)])
    tex: dict[str, bytes | str] = {
        "main.tex": paper_tex(method=chance.choice(_GROWTH)),
        "main.bbl": BBL,
        "é" * 200 + ".tex": b"x",
    }
    name, data = chance.choice([("PDF", pdf), ("source", tar_gz(tex)), ("page", b"<!---->" * 420 + b"<html>")])
    with TextReader() as reader:
        try:
            reader.read_eprint(mangled(data, chance) if chance.random() < 0.7 else data)
        except Unfit as error:
            if error.code in ("too_slow", "memory") or "was stopped" in str(error):
                raise Loss(f"{name}: {error}", {"data": data}) from None
            case.counts[f"{name}, {error.code}"] += 1
        else:
            case.counts[f"{name}, read"] += 1


def mangled(data: bytes, chance: random.Random) -> bytes:
    """`data` with bytes cut, doubled or drawn anew."""
    for _ in range(chance.randrange(1, 6)):
        at, length = chance.randrange(len(data) + 1), chance.randrange(1, 200)
        middle = chance.choice([b"", data[at : at + length] * 3, chance.randbytes(length)])
        data = data[:at] + middle + data[at + length :]
    return data
