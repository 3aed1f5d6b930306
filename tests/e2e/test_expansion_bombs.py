"""Drafts and bibliographies that stand for more than a machine holds: each command ends, and names file, line, bound.

Each runs as a child of its own with 20 s of processor time, which a loaded machine does not stretch, and little memory.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

_SECONDS = 20  # of processor time
_ADDRESSES = 4_000_000_000  # bytes: the store and the models map far more than they use
_MEMORY = 1_000_000_000  # bytes that are really in use
_ROOT = Path(__file__).parents[2]


class Ended(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


# The command, which leaves behind how many bytes of memory it has had at most.
_MEASURED = """
from pathlib import Path
from citeplug.__main__ import main
from tests.e2e.hostile_child import peak
try:
    main()
finally:
    Path("peak").write_text(str(peak()))
"""


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))


def _within_limits(folder: Path, *args: object) -> Ended:
    """Run `citeplug ARGS...` in the folder; it must end by itself, without a traceback, within the limits."""
    command = [sys.executable, "-c", _MEASURED, *map(str, args)]
    environment = os.environ | {"CITEPLUG_OFFLINE": "1", "PYTHONPATH": str(_ROOT)}
    with (folder / "out").open("wb+") as out, (folder / "err").open("wb+") as err:
        child = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=err, preexec_fn=_limit)
        child.wait()
    ended = Ended(child.returncode, *((folder / name).read_text(errors="replace") for name in ("out", "err")))
    assert ended.code >= 0, f"ended by signal {-ended.code}: {ended.err[-500:]}"
    assert "Traceback" not in ended.err
    assert "mistake of citeplug" not in ended.err
    assert int((folder / "peak").read_text()) < _MEMORY
    return ended


def _strings(lines: int = 60) -> str:
    doubled = "\n".join(f"@string{{s{n + 1} = s{n} # s{n}}}" for n in range(lines))
    fine = "@article{fine, title = {A Fine Paper}, author = {Ada Writer}, year = 2001}"
    bomb = f"@article{{bomb, title = s{lines}, author = {{Bob Writer}}, year = 2000}}"
    return f"@string{{s0 = {{ab}}}}\n{doubled}\n{bomb}\n{fine}\n"


def _macros(innermost: str, twice: str = "}{@ @", lines: int = 18) -> str:
    """The definitions of `\\Qa` and others, each twice the one before (`@`); the last is `\\Qz`."""
    names = [*(f"Q{chr(97 + n)}" for n in range(lines)), "Qz"]
    first = f"\\newcommand{{\\{names[0]}{twice.partition('{')[0]}{{{innermost}}}"
    doubled = ["\\newcommand{\\" + b + twice.replace("@", "\\" + a) + "}" for a, b in pairwise(names)]
    return "\n".join([first, *doubled])


def _draft(body: str = "", preamble: str = "", abstract: str = "We study graphs, and we propose a network.") -> str:
    return (
        f"\\documentclass{{article}}\n{preamble}\n\\title{{Attention on Graphs}}\n\\begin{{document}}\n\\maketitle\n"
        f"\\begin{{abstract}}\n{abstract}\n\\end{{abstract}}\n\\section{{Before}}\nGraphs \\cite{{fine}}.\n{body}\n"
        "\\section{Behind}\nThe end.\n\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n"
    )


def _nested(opening: str, closing: str = "}", depth: int = 3000) -> str:
    return opening * depth + "x" + closing * depth


Bomb = Callable[[], str]
_OVER: dict[str, tuple[Bomb, str]] = {
    "text in an abstract": (lambda: _draft(preamble=_macros("text"), abstract="\\Qz"), "200,"),
    "text in a thousand sections": (
        lambda: _draft("\\section{a}\\Qz\n" * 1000, _macros("text")),
        "200,",
    ),
    "keys": (lambda: _draft("\\cite{\\Qz}", _macros("a,")), "20,000 "),
    "citations": (lambda: _draft("\\Qz", _macros("\\cite{a}")), "10,0"),
    "headings": (lambda: _draft("\\Qz", _macros("\\section{a} b")), "10,0"),
    "conditionals": (lambda: _draft("\\Qz\\section{\\Qz}", _macros("\\ifx\\a\\b c\\fi")), "10,0"),
    "names of bibliographies": (lambda: _draft("\\bibliography{\\Qz}", _macros("a,")), "20,000 "),
    "arguments": (
        lambda: _draft("\\Qz{\\emph{a}}", _macros("#1", "}[1]{@{#1#1}", lines=25)),
        "200,",
    ),
}


@pytest.mark.parametrize("case", _OVER)
def test_macros_that_double_each_other_are_left_where_they_stand_for_too_much(
    case: str, home: Path, tmp_path: Path
) -> None:
    bomb, bound = _OVER[case]
    (tmp_path / "main.tex").write_text(bomb())
    (tmp_path / "refs.bib").write_text("@misc{fine, title = {Fine}}\n")
    draft = _within_limits(tmp_path, "draft", "main.tex", "--json").json
    found = [each for each in draft["findings"] if each["code"] == "expansion_limit"]
    assert found
    assert Path(found[0]["file"]).name == "main.tex"
    assert found[0]["line"] > 1
    assert bound in found[0]["message"]
    assert draft["sections"][0]["title"] == "Before"
    assert draft["title"] == "Attention on Graphs"
    assert draft["cites"][0]["keys"] == ["fine"]


_DEEP = {
    "headings": _nested("\\section{", depth=1500),
    "citations": _nested("\\cite{", depth=6000),
    "bibliographies": _nested("\\bibliography{"),
    "titles": _nested("\\title{"),
    "references": _nested("\\bibitem{", depth=6000),
    "footnotes": _nested("\\footnote{"),
    "choices": _nested("\\ifthenelse{a}{"),
    "files that may be there": _nested("\\InputIfFileExists{no}{}{"),
    "braces": "{" * 100_000 + "}" * 100_000,
    "abstracts without end": "\\begin{abstract}" * 6000,
    "papers to discuss": _nested("\\citeplugpin{", depth=6000),
    "plans": "\\begin{citeplugplan}x\n\\end{citeplugplan}\n" * 6000,
}


@pytest.mark.parametrize("case", _DEEP)
def test_what_stands_in_itself_a_thousand_times_is_read_in_no_time(case: str, home: Path, tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(_draft(_DEEP[case]))
    (tmp_path / "refs.bib").write_text("@misc{fine, title = {Fine}}\n")
    draft = _within_limits(tmp_path, "draft", "main.tex", "--json").json
    assert draft["sections"][0]["title"] == "Before"


def test_an_abstract_of_empty_lines_is_read_in_no_time(home: Path, tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(_draft(abstract="We study graphs." + "\n" * 20_000 + "They are large."))
    draft = _within_limits(tmp_path, "draft", "main.tex", "--json").json
    assert draft["abstract"].startswith("We study graphs.")


@pytest.fixture
def bombs(tmp_path: Path) -> Path:
    """A project with one of each kind; returns its folder."""
    body = f"\\cite{{bomb}}\n\\section{{a}}\\Qz\n{_DEEP['headings']}\n{_DEEP['choices']}\n"
    (tmp_path / "main.tex").write_text(_draft(body, _macros("text"), abstract="We study \\Qz graphs."))
    (tmp_path / "refs.bib").write_text(_strings())
    return tmp_path


def _bounds(findings: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Code and file of the findings that tell of a bound, each with its line."""
    told = [f for f in findings if f["code"] in ("expansion_limit", "draft_too_large", "bibliography_too_large")]
    assert all(finding["line"] and any(map(str.isdigit, finding["message"])) for finding in told)
    return {(finding["code"], Path(finding["file"]).name) for finding in told}


@pytest.mark.parametrize("named", ["refs.bib", "main.tex"])
def test_check_tells_where_strings_stand_for_too_much(named: str, home: Path, bombs: Path) -> None:
    ended = _within_limits(bombs, "check", named, "--offline", "--format", "json")
    assert {each["key"] for each in ended.json} >= {"bomb", "fine"}
    assert ("expansion_limit", "refs.bib") in _bounds([f for each in ended.json for f in each["findings"]])


@pytest.mark.parametrize("named", ["refs.bib", "main.tex"])
def test_fix_leaves_what_stands_for_too_much_alone(named: str, home: Path, bombs: Path) -> None:
    before = (bombs / "refs.bib").read_bytes()
    _within_limits(bombs, "fix", named, "--offline")
    assert (bombs / "refs.bib").read_bytes() == before


def test_related_tells_where_macros_stand_for_too_much(home: Path, bombs: Path) -> None:
    ended = _within_limits(bombs, "related", "main.tex", "--offline", "--json")
    assert ended.code == 0
    assert _bounds(ended.json["findings"]) >= {("expansion_limit", "main.tex"), ("expansion_limit", "refs.bib")}


@pytest.mark.parametrize("command", [["plan", "main.tex"], ["status", "main.tex"]])
def test_plan_and_status_end(command: list[str], home: Path, bombs: Path) -> None:
    assert _within_limits(bombs, *command).code in (0, 1)


def test_of_a_document_that_is_too_long_the_first_part_is_read(home: Path, tmp_path: Path) -> None:
    text = "".join(f"\\section{{Part {n}}}\n" + "Words \\emph{of} a text, $x_1$. " * 300 + "\n" for n in range(700))
    (tmp_path / "main.tex").write_text(_draft(text))
    (tmp_path / "refs.bib").write_text("@misc{fine, title = {Fine}}\n")
    draft = _within_limits(tmp_path, "draft", "main.tex", "--json").json
    assert _bounds(draft["findings"]) == {("draft_too_large", "main.tex")}
    assert draft["title"] == "Attention on Graphs"
    assert len(draft["sections"]) > 300


@pytest.mark.parametrize(
    ("command", "code"),
    [("\\section{a}", "draft_too_large"), ("\\cite{a}", "draft_too_large"), ("\\input{a}", "input_too_deep")],
)
def test_of_more_commands_than_are_looked_at_the_first_are_read(
    command: str, code: str, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "main.tex").write_text(_draft(command * 150_000))
    (tmp_path / "refs.bib").write_text("@misc{fine, title = {Fine}}\n")
    draft = _within_limits(tmp_path, "draft", "main.tex", "--json").json
    found = [finding for finding in draft["findings"] if finding["code"] == code]
    assert [(Path(each["file"]).name, each["line"] > 1) for each in found] == [("main.tex", True)]
    assert "00,000" in found[0]["message"] or "10,000" in found[0]["message"]
    assert draft["title"] == "Attention on Graphs"


def test_of_a_bibliography_that_is_too_large_the_first_entries_and_the_cited_ones_are_used(
    home: Path, tmp_path: Path
) -> None:
    entries = [f"@misc{{k{n}, title = {{Title {n}}}, author = {{Ada Writer}}, year = 2001}}\n" for n in range(39_998)]
    entries.append("@inproceedings{K39998, title = {Last}, crossref = {proc}}\n@proceedings{proc, title = {All}}\n")
    (tmp_path / "refs.bib").write_text("".join(entries))
    (tmp_path / "main.tex").write_text(_draft("\\cite{k1,k30000,k39998,nowhere}"))
    draft = _within_limits(tmp_path, "draft", "main.tex", "--json").json
    assert _bounds(draft["findings"]) == {("bibliography_too_large", "refs.bib")}
    beyond = [(each["key"], each["line"]) for each in draft["entries"] if each["line"] > 10_001]
    assert beyond == [("k30000", 30_001), ("K39998", 39_999), ("proc", 40_000)]
    checked = _within_limits(tmp_path, "check", "main.tex", "--offline", "--format", "json")
    found = {each["key"]: each for each in checked.json}
    assert found["k30000"]["verdict"] == "not_arxiv"
    assert found["nowhere"]["severity"] == "info"
    assert checked.code == 0
    assert ("bibliography_too_large", "refs.bib") in _bounds([f for each in checked.json for f in each["findings"]])
