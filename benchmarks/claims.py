"""Sentences that are known to be true or false of their abstracts, through the checks and the judge.

    python -m benchmarks.claims                           checks in code; a scripted judge right in 99 and in 95 of 100
    python -m benchmarks.claims --llm anthropic           the judge is that model (--model NAME, --max-cost X)
    python -m benchmarks.claims --file kept_back.jsonl    a further set, in the form of paraphrases_dev.jsonl
    python -m benchmarks.claims --print                      each true sentence refused, and each false one that stands

The sets: 206 true paraphrases in free words and 100 false sentences of four kinds in this repository
(tests/related/attribute/data), and, where ../shared/data is there, sentences of strong models that earlier rules
refused (all true) and 20 true and 48 false ones of eight further kinds. Every sentence comes with the quotations most
favourable to it. `end to end` counts what is in a section after checks, judge and dropping, without repairs.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citeplug.llm.chosen_model import Wanted as WantedModel
from citeplug.llm.chosen_model import language_model
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Heard, Reply, Request
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.related.attribute.claims import opposites
from citeplug.related.attribute.judge import judge_section, settle
from citeplug.settings.environment import read_settings
from citeplug.sources.snapshot import SnapshotReader
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import split_sentences
from tests.harness.adversaries import FALSIFIERS
from tests.related.attribute.known_sentences import LIBRARY, Known, own_sentences, sentences_of

SHARED = [
    Path(__file__).resolve().parents[1].parent / "shared" / "data" / "claims" / name
    for name in ("refused_sentences.jsonl", "paraphrases_dev.jsonl")
]
_SENTENCE = re.compile(r"^sentence (\d+)(?: \([^)]*\))?: (.*)$", re.MULTILINE)


def bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub(r"\[@?[\d?, ]+\]|\{\{[^}]*\}\}|“|”", " ", text))).lower()


@dataclass
class KnowingJudge:
    """A judge behind `protocols.LanguageModel` that knows the truth and says it in `right` of 100 cases, by chance."""

    truth: dict[str, bool]
    right: float
    chance: random.Random
    requests: int = 0

    @property
    def name(self) -> str:
        return "scripted:judge"

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        self.requests += 1
        verdicts = []
        for number, text in _SENTENCE.findall(request.prompt):
            said = self.truth[bare(text)] == (self.chance.random() * 100 < self.right)
            verdicts.append({"sentence": int(number), "unsupported": "", "verdict": "entailed" if said else "not"})
        answer = {"verdicts": verdicts}
        return Reply(json.dumps(answer), answer)

    def complete_all(self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None) -> list[Any]:
        return [self.complete(request) for request in requests]


@dataclass
class Tally:
    """Counts of one kind. `stand` are sentences in the section after the judge, over `rounds` rounds."""

    sentences: int = 0
    passed: int = 0
    suspected: int = 0
    stand: int = 0
    by_rule: Counter[str] = field(default_factory=Counter)


def checked(sentences: Iterable[Known], show: bool) -> tuple[dict[str, Tally], list[tuple[Known, Sentence]]]:
    """Tallies of the checks by kind, and the sentences that passed."""
    tallies: dict[str, Tally] = {}
    passed = []
    for known in sentences:
        tally = tallies.setdefault(known.kind, Tally())
        tally.sentences += 1
        done = known.check()
        tally.by_rule.update({f"{name} {d.code}" for name in ("hard", "form") for d in getattr(done, name)})
        if done.sentence is None:
            if known.truth and show:
                print(f"  refused: {known.text}\n    {'; '.join(doubt.reason for doubt in done.refusals)}")
            continue
        tally.passed += 1
        tally.suspected += done.sentence.judgement is not None
        passed.append((known, done.sentence))
    return tallies, passed


def judged(passed: Sequence[tuple[Known, Sentence]], model: LanguageModel) -> list[bool]:
    """For each sentence that passed whether it is in its section in the end; a section for each draft."""
    stand = [False] * len(passed)
    drafts = list(dict.fromkeys(known.draft for known, _ in passed))
    for draft in drafts:
        rows = [row for row, (known, _) in enumerate(passed) if known.draft == draft]
        paragraphs = tuple(SectionParagraph(str(row), "", (passed[row][1],)) for row in rows)
        papers = {paper.id.value: paper for row in rows for paper in passed[row][0].papers.values()}
        done = judge_section(Section(paragraphs), papers, draft, model)
        for finding in done.findings:
            print(f"  {finding.code}: {finding.message}")
        settled, _ = settle(done.section)
        for paragraph in settled.paragraphs:
            stand[int(paragraph.id)] = bool(paragraph.sentences)
    return stand


def report(name: str, sentences: Sequence[Known], models: Sequence[tuple[str, int, Any]], show: bool) -> None:
    """Print a table of one set; `models` are a heading, how often to ask, and a function that makes the judge."""
    print(f"\n{name}")
    tallies, passed = checked(sentences, show)
    columns = []
    for heading, rounds, make in models:
        stand: Counter[str] = Counter()
        for turn in range(rounds):
            for (known, sentence), stands in zip(passed, judged(passed, make(turn, passed)), strict=True):
                stand[known.kind] += stands
                if show and rounds == 1 and stands != known.truth:
                    print(f"  {'stands' if stands else 'dropped'}: {known.kind}: {sentence.text}")
        columns.append((heading, rounds, stand))
    print(f"  {'kind':24} sentences  pass  suspected{''.join(f'{h:>22}' for h, _, _ in columns)}  refused by")
    for kind, tally in sorted(tallies.items(), key=lambda item: (item[0] != "true", item[0])):
        ends = "".join(f"{stand[kind] / rounds:15.2f} stand" for _, rounds, stand in columns)
        rules = ", ".join(f"{rule} {count}" for rule, count in tally.by_rule.most_common())
        print(f"  {kind:24} {tally.sentences:9} {tally.passed:5} {tally.suspected:10} {ends}  {rules}")
    for truth in (True, False):
        of = [known for known in sentences if known.truth == truth]
        kinds = {known.kind for known in of}
        kept = sum(tallies[kind].passed for kind in kinds)
        ends = "; ".join(
            f"{heading}: {sum(stand[kind] for kind in kinds) / rounds / max(1, len(of)):.2%} stand"
            for heading, rounds, stand in columns
        )
        print(f"  {'true' if truth else 'false'}: {kept} of {len(of)} pass the checks; {ends}")


def adversaries(seed: int) -> None:
    """Print which opposites fall on the library's own sentences, hardly reworded, and on the same made false."""
    chance = random.Random(seed)
    counts: dict[str, Counter[str]] = {"true": Counter(), "false": Counter()}
    for paper in SnapshotReader(LIBRARY):
        source = f"{paper.title} . {paper.abstract}"
        for start, end in split_sentences(paper.abstract):
            text = plain_text(paper.abstract[start:end])
            if not text:
                continue
            said = {"true": [text], "false": [f for way in FALSIFIERS.values() if (f := way(text, chance)) is not None]}
            for truth, texts in said.items():
                for each in texts:
                    counts[truth].update({"sentences": 1})
                    counts[truth].update({doubt.code for doubt in opposites(each, [source])})
    print("\ndoubts against the library's own sentences, and against the same made false")
    for rule in sorted(counts["true"] | counts["false"]):
        print(f"  {rule:24} true {counts['true'][rule]:6}  false {counts['false'][rule]:6}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llm", help="a service as of citeplug related: the judge")
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--max-cost", type=float)
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--rounds", type=int, default=20, help="how often the scripted judge is asked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", action="store_true")
    chosen = parser.parse_args(arguments)
    files = [*(path for path in SHARED if path.is_file()), *chosen.file]
    sets = [
        ("tests/related/attribute/data/sentences.jsonl", own_sentences()),
        *((str(p), sentences_of(p)) for p in files),
    ]

    def scripted(right: float) -> tuple[str, int, Any]:
        def make(turn: int, passed: Sequence[tuple[Known, Sentence]]) -> LanguageModel:
            truth = {bare(sentence.text): known.truth for known, sentence in passed}
            return KnowingJudge(truth, right, random.Random(chosen.seed + turn))

        return f"judge right in {right:g}", chosen.rounds, make

    if chosen.llm is None:
        for name, sentences in sets:
            report(name, sentences, [scripted(99), scripted(95)], chosen.print)
        adversaries(chosen.seed)
        return 0
    wanted = WantedModel(chosen.llm, tuple(chosen.model), max_cost=chosen.max_cost)
    with language_model(
        wanted, read_settings(), lambda notice: print(f"asking {notice.model} at {notice.place}")
    ) as model:
        assert model is not None
        for name, sentences in sets:
            report(name, sentences, [(model.name[-20:], 1, lambda turn, passed: model)], chosen.print)
        print(f"\n{model.requests_made} requests, ${model.cost:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
