"""Residues of the authors in papers made anonymous: how many planted ones `citeplug audit --anonymous` finds.

    python -m benchmarks.anonymity [--data ../shared/data] [--show] [--real]

The rules of `anonymity.toml` are planted into the real papers in `latex/`, a hundred residues of each set, one at a
time (each rule into two papers or five). The author block of a paper is replaced by `\\author{Anonymous Authors}`. A
residue is found if a finding is on its line. It is counted with and without the authors' names on the command line
(`--author`): an anonymous paper does not have them. --real lists what is found in the papers as they are.
"""

import argparse
import json
import re
import shutil
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.gold import DATA
from citeplug.audit.anonymity import residues
from citeplug.errors import CiteplugError
from citeplug.latex.folders import DISK
from citeplug.latex.project import read_draft
from citeplug.latex.scan import LatexSource
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.text.folding import split_name

RULES = Path(__file__).with_name("anonymity.toml")
_PLANTED = 100  # of each set, about
_AUTHOR = re.compile(r"^[^%\n]*?\\(?:author|icmlauthor)\b\s*(?:\[[^\[\]]*\])?\s*(?=\{)", re.MULTILINE)


def papers(data: Path) -> Iterator[Path]:
    """Main files of the papers; of several versions one."""
    for row in json.loads((data / "latex_manifest.json").read_text("utf-8")):
        main = data / "latex" / row["folder"] / row["main"]
        if row["kind"].startswith("paper") and main.suffix == ".tex" and main.is_file():
            yield main


def make_anonymous(main: Path) -> None:
    """Replace the argument of each \\author."""
    text = DISK.read(main).text
    while match := next((m for m in _AUTHOR.finditer(text) if not text.startswith("{Anonymous", m.end())), None):
        group = LatexSource(text).group(match.end())
        if group is None:
            break
        text = text[: match.end()] + "{Anonymous Authors}" + text[group[1] + 1 :]
    main.write_text(text, "utf-8")


def plant(main: Path, where: str, line: str) -> int:
    """Add a line; return its number."""
    text = main.read_text("utf-8")
    begin = re.search(r"^[^%\n]*\\begin\s*\{document\}.*\n", text, re.MULTILINE)
    end = re.search(r"^[^%\n]*\\end\s*\{document\}", text, re.MULTILINE)
    start, stop = (begin.end() if begin else 0), (end.start() if end else len(text))
    breaks = [m.end() for m in re.finditer(r"\.[ \t]*\n[ \t]*\n", text) if start < m.start() < stop] or [stop]
    at = {"preamble": begin.start() if begin else 0, "title": start, "end": stop}.get(where, breaks[len(breaks) // 2])
    main.write_text(f"{text[:at]}\n{line}\n\n{text[at:]}", "utf-8")
    return text.count("\n", 0, at) + 2


def written(draft: Draft, template: str) -> str:
    """A residue in the words of a rule, of the draft's first author and a work that it cites."""
    person = split_name(draft.authors[0] if draft.authors else "Jane Roe")
    given, family = person.given.split()[0], person.family
    keys = [key for cite in draft.cites for key in cite.keys if key != "*"] or ["roe2019"]
    handle = f"{given[0]}{family}".lower().replace(" ", "")
    return template.format(given=given, family=family, handle=handle, key=keys[len(keys) // 2])


def planted(main: Path, draft: Draft, where: str, template: str) -> tuple[bool, bool]:
    """Return whether a planted residue is found with the authors' names, and without."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(main.parent, copy)
        file = copy / main.name
        make_anonymous(file)
        number = plant(file, where, written(draft, template))
        copied = read_draft(file, prose=False)
        found = [
            [f for f in residues(copied, names) if (f.file, f.line) == (file, number)] for names in (draft.authors, ())
        ]
        return bool(found[0]), bool(found[1])


def residues_made_anonymous(main: Path) -> list[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(main.parent, copy)
        make_anonymous(copy / main.name)
        return residues(read_draft(copy / main.name), ())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--show", action="store_true", help="each planting that is not found")
    parser.add_argument("--real", action="store_true", help="list the findings in the papers as they are")
    parser.add_argument("--made-anonymous", action="store_true", help="the same, without their author blocks")
    options = parser.parse_args()
    drafts = {main: read_draft(main) for main in papers(options.data)}
    if options.real or options.made_anonymous:
        counts: Counter[str] = Counter()
        for main, draft in drafts.items():
            for finding in residues_made_anonymous(main) if options.made_anonymous else residues(draft, ()):
                counts[finding.code] += 1
                print(f"{main.parent.name}/{finding.file and finding.file.name}:{finding.line}: {finding.message}")
        print(f"{len(drafts)} papers: {dict(counts)}")
        return
    order = sorted(drafts, key=lambda main: (len(main.name), str(main)))
    for name, rules in tomllib.loads(RULES.read_text("utf-8")).items():
        found: Counter[bool] = Counter()
        total, times = 0, _PLANTED // len(rules)
        for number, (rule, (where, template)) in enumerate(rules.items()):
            for time in range(times):
                main = order[(number * times + time) % len(order)]
                total += 1
                try:
                    hits = planted(main, drafts[main], where, template)
                except CiteplugError as error:
                    parser.error(f"{main}: {error}")
                for given, hit in zip((True, False), hits, strict=True):
                    found[given] += hit
                    if options.show and not hit:
                        print(f"not found: {rule} in {main}" + ("" if given else " without names"))
        print(f"{name}: {total} planted, {found[True]} found with the authors' names, {found[False]} without")


if __name__ == "__main__":
    main()
