"""As `benchmarks.anonymity`, with a language model that reads the sentences too (`citeplug audit --anonymous --llm`).

    python -m benchmarks.anonymity_by_model --llm anthropic [--sets fourth fifth] [--data ../shared/data]

The residues of the sets are planted all at once, spread over the papers, whose author blocks are replaced: each paper
is read once. A residue is found if a finding is on its line. What is reported elsewhere is listed with --show, to be
read: real papers have real residues. The authors' names are not told. --sets without a set: the papers alone.
"""

import argparse
import shutil
import tempfile
import tomllib
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.anonymity import RULES, make_anonymous, papers, plant, written
from benchmarks.gold import DATA
from citeplug.audit.anonymity import residues
from citeplug.audit.judge_anonymity import judge_sentences, sentences_to_judge, without_doubles
from citeplug.latex.project import read_draft
from citeplug.llm.chosen_model import Wanted, language_model
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.settings.environment import read_settings

Planted = dict[tuple[Path, int], tuple[str, str]]


def plant_all(folder: Path, data: Path, sets: list[str], times: int) -> tuple[list[Path], Planted]:
    """Copies of the papers with the residues, and the set and rule of each by file and line."""
    mains = sorted(papers(data), key=lambda main: (len(main.name), str(main)))
    todo: dict[Path, list[tuple[str, str, str, str]]] = defaultdict(list)
    rules = tomllib.loads(RULES.read_text("utf-8"))
    row = 0
    for name in sets:
        for rule, (where, template) in rules[name].items():
            for _ in range(times):
                todo[mains[row % len(mains)]].append((name, rule, where, template))
                row += 1
    copies, planted = [], {}
    for number, main in enumerate(mains):
        copy = folder / str(number)
        shutil.copytree(main.parent, copy)
        file, draft = copy / main.name, read_draft(main)
        make_anonymous(file)
        lines: dict[str, tuple[str, str]] = {}
        for name, rule, where, template in todo[main]:
            line = written(draft, template)
            plant(file, where, line)
            lines[line] = name, rule
        for at, text in enumerate(file.read_text("utf-8").splitlines(), 1):
            if text in lines:
                planted[file, at] = lines[text]
        copies.append(file)
    return copies, planted


def count(findings: list[Finding], planted: Planted) -> tuple[Counter[str], list[Finding]]:
    """How many residues of each set and kind are found, and the findings on other lines."""
    places = {(finding.file, finding.line) for finding in findings}
    hits: Counter[str] = Counter()
    for place, (name, rule) in planted.items():
        if place in places:
            hits[name] += 1
            hits[f"{name} {rule.partition('_')[0]}"] += 1
    return hits, [finding for finding in findings if (finding.file, finding.line) not in planted]


def judged_draft(draft: Draft, options: argparse.Namespace) -> list[Finding]:
    with language_model(Wanted(llm=options.llm), read_settings(), lambda _: None) as model:
        assert model is not None
        judged, unheard = judge_sentences(sentences_to_judge(draft), model, known=False)
        for finding in unheard:
            print(f"{draft.root}: {finding.message}")
        return without_doubles(residues(draft), judged)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--llm", required=True)
    parser.add_argument("--sets", nargs="*", default=["fourth", "fifth"])
    parser.add_argument("--times", type=int, default=1, help="papers into which each rule is planted")
    parser.add_argument("--show", action="store_true", help="list what is missed, and what is reported elsewhere")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        copies, planted = plant_all(Path(name), options.data, options.sets, options.times)
        drafts = [read_draft(copy) for copy in copies]
        total: Counter[str] = Counter()
        for set_name, rule in planted.values():
            total[set_name] += 1
            total[f"{set_name} {rule.partition('_')[0]}"] += 1
        alone = [finding for draft in drafts for finding in residues(draft)]
        with ThreadPoolExecutor(len(drafts)) as pool:
            both = [
                finding for judged in pool.map(partial(judged_draft, options=options), drafts) for finding in judged
            ]
        for label, findings in (("patterns", alone), ("with the model", both)):
            hits, others = count(findings, planted)
            print(f"{label}: {', '.join(f'{key} {hits[key]}/{total[key]}' for key in total)}; {len(others)} elsewhere")
        if options.show:
            places = {(finding.file, finding.line) for finding in both}
            for place, (set_name, rule) in planted.items():
                if place not in places:
                    print(f"missed: {set_name} {rule}")
            known = {(finding.file, finding.line, finding.code) for finding in alone}
            for finding in count(both, planted)[1]:
                by = "patterns" if (finding.file, finding.line, finding.code) in known else "model"
                print(f"elsewhere, {by}: {finding.file and finding.file.parent.name}:{finding.line} {finding.message}")


if __name__ == "__main__":
    main()
