r"""How processor time grows with a draft of one kind of thing: commands, brackets, entries, without end or meaning.

    python -m benchmarks.growth [--quick] [KIND]...

Each kind is doubled four times, and the commands that read a draft are run on it, offline, with papers of the demo's.
The table has the seconds at the largest size, above those for an empty draft, and by how much the last doubling raised
them: 2 is in proportion, 4 the square. Ends with 1 if that is above 2.5 where it can be measured. `--quick` doubles
a quarter of each size once, with two commands, and fails above 3.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from citeplug import demo
from citeplug.cli.main import cli

LIMIT, QUICK_LIMIT = 2.5, 3.0
NOTICEABLE = 0.2  # seconds above those for an empty draft; a ratio of less says nothing
ENOUGH = 8.0  # seconds; what takes longer is not doubled again
LIBRARY = Path(demo.__file__).parent / "library.jsonl"
PAPERS = 20  # of the library: more take time, and the same time for every draft
QUICK = (("check", "--offline"), ("status",))
COMMANDS = (("draft",), *QUICK, ("related", "--dry-run", "--offline"), ("audit", "--offline"))
SLOW = ("related", "audit")  # they load models, and are run at the last two sizes alone

Files = dict[str, str]


@dataclass(frozen=True, slots=True)
class Kind:
    """`files` gives the files of a draft with so many of the thing; `most` is their largest number."""

    name: str
    files: Callable[[int], Files]
    most: int


def draft(body: str, bib: str = "@misc{a, title = {Passages}}", preamble: str = "") -> Files:
    """A draft with this body and these entries."""
    main = (
        f"\\documentclass{{article}}\n\\title{{Dense retrieval of passages}}\n{preamble}\\begin{{document}}\n"
        "\\begin{abstract}We retrieve passages for questions with dense vectors.\\end{abstract}\n"
        f"\\section{{Introduction}}\nWe begin \\cite{{a}}.\n\n{body}\n\\bibliography{{refs}}\n\\end{{document}}\n"
    )
    return {"main.tex": main, "refs.bib": bib}


def repeated(name: str, piece: str, most: int = 8_000, end: str = "") -> Kind:
    """A piece of LaTeX again and again, with its number for `#`; `end` as often behind all of them."""
    return Kind(name, lambda count: draft("".join(_numbered(piece, count)) + end * count), most)


def entries(name: str, piece: str, most: int = 2_000, end: str = "") -> Kind:
    """A piece of a bibliography again and again, with its number for `#` and the next one for `##`."""
    return Kind(name, lambda count: draft("\\nocite{*}", "".join(_numbered(piece, count)) + end), most)


def _numbered(piece: str, count: int) -> Iterator[str]:
    return (piece.replace("##", str(number + 1)).replace("#", str(number)) for number in range(count))


def _inputs(count: int) -> Files:
    names = [f"part{number}" for number in range(count)]
    parts = {f"{name}.tex": "Some text \\cite{a}.\n" for name in names}
    return draft("".join(f"\\input{{{name}}}\n" for name in names)) | parts


def _macros(count: int) -> Files:
    names = ["m" + "".join(chr(97 + int(digit)) for digit in str(number)) for number in range(count)]
    return draft("".join(f"\\{n} " for n in names), preamble="".join(f"\\newcommand{{\\{n}}}{{text}}\n" for n in names))


KINDS = (
    # space and lines
    repeated("blank lines", "\n", 32_000),
    repeated("\\par", "\\par\n", 16_000),
    repeated("indented blank lines", "\n  ", 16_000),
    repeated("spaces", " ", 200_000),
    repeated("words in one line", "retrieval word# ", 8_000),
    repeated("letters without a space", "x", 100_000),
    repeated("paragraphs", "Dense retrieval of passage # works.\n\n", 3_000),
    repeated("comments", "% remark #\n"),
    repeated("comment signs", "%", 100_000),
    repeated("line breaks", "\\\\\n", 16_000),
    repeated("backslashes", "\\\\", 50_000),
    # brackets
    repeated("nested braces", "{", 20_000, "}"),
    repeated("open braces", "{", 40_000),
    repeated("closing braces", "}", 40_000),
    repeated("open brackets", "[", 40_000),
    repeated("commands with open braces", "\\emph{", 8_000),
    repeated("commands with open brackets", "\\cite[", 4_000),
    repeated("nested commands", "\\textbf{x", 2_000, "}"),
    repeated("quotation marks", "``", 20_000),
    # headings
    repeated("sections", "\\section{\\texorpdfstring{$x_#$}{x} methods}\\label{s#} Text.\n", 2_000),
    Kind("remarks before a section", lambda count: draft("% remark\n" * count + "\\section{Next}\nText.\n"), 8_000),
    repeated("subsections", "\\subsection{Model #} Text.\n", 2_000),
    repeated("open sections", "\\section{", 8_000),
    repeated("related work run in", "\n\n\\paragraph{Related work.} Some \\cite{a,b#,c#}.", 1_000),
    repeated("titles", "\\title{x}\n", 4_000),
    repeated("abstracts", "\\begin{abstract}x\\end{abstract}\n", 4_000),
    repeated("open abstracts", "\\begin{abstract}\n", 4_000),
    repeated("document classes", "\\documentclass[", 8_000),
    repeated("authors", "\\author{Jane Doe \\and John Roe}\n", 4_000),
    repeated("appendices", "\\appendix\n", 8_000),
    # environments
    repeated("verbatim without end", "\\begin{verbatim}\n", 16_000),
    repeated("verbatim", "\\begin{verbatim}x\\end{verbatim}\n", 4_000),
    repeated("environments", "\\begin{itemize}\\item x\\end{itemize}\n", 4_000),
    repeated("environments without end", "\\begin{quote}\n", 8_000),
    repeated("ends without environment", "\\end{quote}\n", 8_000),
    repeated("nested environments", "\\begin{quote}", 4_000, "\\end{quote}"),
    repeated("comment environments without end", "\\begin{comment}\n", 8_000),
    repeated("plans without end", "\\begin{citeplugplan}\n", 4_000),
    repeated("rows", "a & b & # \\\\ \\hline\n", 8_000),
    # mathematics
    repeated("formulas", "The value $x_#$ is large. ", 4_000),
    repeated("dollars", "$", 20_001),
    repeated("displays", "\\[ x_# \\]\n", 4_000),
    repeated("open displays", "\\[", 20_000),
    repeated("equations without end", "\\begin{equation}\n", 8_000),
    repeated("equations between words", "We see\n\\begin{equation}x\\end{equation} and so on, as well.\n", 4_000),
    repeated("nested fractions", "\\frac{a", 1_000, "}{b}"),
    # macros and files
    Kind("macros", _macros, 4_000),
    repeated("definitions in the text", "\\def\\x{y}\n", 8_000),
    repeated("open definitions", "\\newcommand{\\x}{", 4_000),
    repeated("conditionals", "\\iffalse x\\else y\\fi\n", 4_000),
    repeated("open conditionals", "\\iffalse\n", 8_000),
    repeated("inline code", "\\verb|x# ", 8_000),
    repeated("addresses", "\\url{http://x.org/#} ", 4_000),
    repeated("footnotes", "Text\\footnote{Note #.} ", 4_000),
    Kind("files", _inputs, 400),
    repeated("files that are missing", "\\input{gone#}\n", 500),
    # citations
    repeated("citations", "We follow \\cite{a}. ", 4_000),
    repeated("citations of unknown works", "We follow \\cite{k#}. ", 2_000),
    Kind("keys of one citation", lambda count: draft(f"\\cite{{{','.join(_numbered('k#', count))}}}"), 8_000),
    repeated("open citations", "\\cite{a ", 8_000),
    repeated("labels of bibitems", "\\bibitem[x]{b#} Jane Doe. A title. 2017.\n", 2_000),
    repeated("placeholders", "[CITE] ", 8_000),
    # bibliographies
    entries("entries", "@misc{k#, title = {Passage # of many}, author = {Doe, Jane}, year = 2017}\n"),
    entries("equal entries in one line", "@misc{a, title={Passages}, author={Doe, Jane}, year=2017}"),
    entries(
        "one title", "@misc{k#, title = {Dense passages for all}, author = {Doe#, Jane}}\n"
    ),  # the first 50 are compared
    entries("open entries", "@misc{k#, title = {"),
    entries("open quotes", '@misc{k#, title = "x\n'),
    entries("macros of entries", '@string{s## = s# # " x"}\n'.replace("# #", "# \\#").replace("\\#", "#")),
    entries("crossrefs", "@misc{k#, title = {Passage #}, crossref = {k##}}\n"),
    Kind("values joined", lambda n: draft("", "@misc{a, title = {x}" + ' # "y"' * n + "}"), 20_000),
    Kind("fields", lambda n: draft("", "@misc{a" + "".join(_numbered(", f# = {x}", n)) + "}"), 8_000),
    Kind("authors of an entry", lambda n: draft("", f"@misc{{a, author = {{{' and '.join(['Doe, J'] * n)}}}}}"), 8_000),
    Kind("braces of a title", lambda n: draft("", f"@misc{{a, title = {{{'{' * n}x{'}' * n}}}}}"), 8_000),
    Kind("signs of a title", lambda n: draft("", f"@misc{{a, title = {{{'a & b_c $ ' * n}}}}}"), 8_000),
    Kind("open formulas of a title", lambda n: draft("", "@misc{a, title = {x " + "\\(" * n + "}}"), 8_000),
    Kind("open commands of a title", lambda n: draft("", "@misc{a, title = {x " + "\\cite[" * n + "}}"), 8_000),
    Kind("backslashes of a title", lambda n: draft("", f"@misc{{a, title = {{x{chr(92) * 2 * n}}}}}"), 8_000),
    Kind("at signs", lambda n: draft("", "@" * n), 40_000),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of a command by the number of things, above those for an empty draft; less than `least` say nothing."""

    seconds: dict[int, float]
    least: float

    @property
    def ratio(self) -> float | None:
        """By how much the last doubling raised the time; None where it is too short for that."""
        *_, before, last = (0.0, *map(self.seconds.__getitem__, sorted(self.seconds)))
        return last / before if len(self.seconds) > 1 and last > self.least and before > 0 else None


def write(folder: Path, files: Files) -> Path:
    """Write the files into the folder; returns the main one."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder / "main.tex"


def run(command: Sequence[str], main: Path) -> float:
    """Seconds of processor time of one run, in this process. Raises what the command does not expect."""
    start = time.process_time()
    result = CliRunner().invoke(cli, [command[0], str(main), *command[1:]])
    passed = time.process_time() - start
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return passed


def measure(
    kind: Kind, command: Sequence[str], empty: float, sizes: Sequence[int], folder: Path, limit: float
) -> Measured:
    """Run a command on a kind at these sizes; what looks too slow is run again, and the least time counts.

    Of two sizes the larger is run first, and the other one only to compare with what is long enough. A busy machine
    slows the empty draft as it slows the others, so that one is run again too.
    """
    least = max(NOTICEABLE, empty)
    seconds: dict[int, float] = {}

    def time_of(count: int) -> float:
        return run(command, write(folder / str(count), kind.files(count)))

    def measured() -> Measured:
        return Measured({count: passed - empty for count, passed in seconds.items()}, least)

    for count in reversed(sizes) if len(sizes) == 2 else sizes:
        seconds[count] = time_of(count)
        if seconds[count] > ENOUGH or (len(sizes) == 2 and seconds[count] - empty < least):
            break
    for _ in range(4):
        if (measured().ratio or 0) > limit and max(seconds.values()) < ENOUGH:
            empty = min(empty, run(command, write(folder / "empty", draft(""))))
            for count in sorted(seconds)[-2:]:
                seconds[count] = min(seconds[count], time_of(count))
    return measured()


def measure_all(kinds: Sequence[Kind], quick: bool) -> Iterator[tuple[Kind, str, Measured]]:
    """Every kind with every command, in a home of its own with some of the demo's library."""
    limit = QUICK_LIMIT if quick else LIMIT
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        os.environ["CITEPLUG_HOME"] = str(folder / "home")
        papers = folder / "papers.jsonl"
        papers.write_text("".join(LIBRARY.read_text("utf-8").splitlines(keepends=True)[:PAPERS]), "utf-8")
        CliRunner().invoke(cli, ["index", "add", str(papers)], catch_exceptions=False)
        commands = QUICK if quick else COMMANDS
        main = write(folder / "empty", draft(""))
        empty = {command: min(run(command, main) for _ in range(3)) for command in commands}
        for number, kind in enumerate(kinds):
            sizes = [kind.most // share for share in ((8, 4) if quick else (16, 8, 4, 2, 1))]
            here = folder / str(number)
            here.mkdir()
            for command in commands:
                some = sizes[-2:] if command[0] in SLOW else sizes
                yield kind, command[0], measure(kind, command, empty[command], some, here, limit)


def main() -> int:
    """Print the table; 1 if something grows faster than it may."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("--quick", action="store_true", help="A quarter of each size, and two commands.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="Names of kinds; all if none is given.")
    given = parser.parse_args()
    kinds = [kind for kind in KINDS if not given.kinds or kind.name in given.kinds]
    limit = QUICK_LIMIT if given.quick else LIMIT
    over = 0
    start = time.monotonic()
    print("| kind | number | command | seconds | last doubling |\n|---|--:|---|--:|--:|")
    for kind, command, measured in measure_all(kinds, given.quick):
        count = max(measured.seconds)
        ratio = measured.ratio
        mark = "" if ratio is None or ratio <= limit else " too much"
        over += bool(mark)
        shown = "-" if ratio is None else f"{ratio:.2f}{mark}"
        print(f"| {kind.name} | {count:,} | {command} | {measured.seconds[count]:.2f} | {shown} |", flush=True)
    print(f"\n{len(kinds)} kinds in {time.monotonic() - start:.0f} s; {over} above {limit:g}")
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
