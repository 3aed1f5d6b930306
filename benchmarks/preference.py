"""A judge that compares two texts, calibrated on the votes of experts before it ranks any system.

    python -m benchmarks.preference --fetch                            what experts and published grades agree on
    python -m benchmarks.preference --fetch --llm NAME [--max-cost 5]  the judge of `citeplug evaluate compare --judge`

Votes and reports are those of ScholarQA-CS2 (arXiv:2603.06942): reports of systems on questions of research, and for
pairs of them which one an expert preferred. Printed are, of votes that are no tie: how often a second annotator agrees,
how often the grades that were published for the reports agree with the vote, and, with --llm, how often the judge does,
how often it says the same in both orders, and for how many pairs both reports are at hand. A judge that agrees less
often than the grades do ranks nothing.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.published_sections import Repository, Skipped, add_repositories, opened
from citeplug.cli.sending import announce_judging
from citeplug.corpus.stores import settings
from citeplug.evaluate.judge_run import judge_runs
from citeplug.llm.chosen_model import Wanted

VOTES = Repository("allenai/ai2-scholarqa-eval", "9aaab58c302569985825393926b55f93b7b5d4f3")
_ROOT = "meta_evaluation/"
SETS = {  # file of the votes, and that of a second annotator
    "authors of the questions": ("pairwise_authored", ""),
    "near experts": ("pairwise_chosen", ""),
    "assigned, dev": ("pairwise_dev_assigned_ann1", "pairwise_dev_assigned_ann2"),
    "assigned, test": ("pairwise_test_assigned_ann1", "pairwise_test_assigned_ann2"),
}
_FILES = {"qwen-sqa": "sqa-qwen3_8b_SFT_fullanswer"}  # where a system's file has another name


@dataclass(frozen=True, slots=True)
class Vote:
    """Which of two systems' reports an expert preferred: -1 the first, 1 the second, 0 neither; `grades` likewise."""

    question: str
    systems: tuple[str, str]
    preferred: int | None
    grades: int | None


def read_votes(repository: Repository, name: str) -> list[Vote]:
    """Votes of a file. Raises Skipped."""
    rows = json.loads(repository.text(f"{_ROOT}agreement_calculation/annotation/{name}.json"))
    return [
        Vote(
            row["question"].strip(),
            tuple(row["models"]),
            _sign(row["preference_ranking_norm"]),
            _sign(row.get("model_overall")),
        )
        for row in rows
    ]


def _sign(values: Sequence[float] | None) -> int | None:
    if values is None or None in values:
        return None
    first, second = values
    return (second > first) - (second < first)


def read_reports(repository: Repository) -> dict[tuple[str, str], str]:
    """Reports by system and question, as far as the repository's files are there."""
    reports = {}
    for path in repository.files:
        if path.startswith(f"{_ROOT}system_reports/"):
            try:
                text = repository.text(path)
            except Skipped:
                continue
            # A file of one JSON array may be named .jsonl.
            rows = json.loads(text) if text.lstrip().startswith("[") else map(json.loads, text.splitlines())
            system = Path(path).name.partition(".json")[0]
            for row in rows:
                parts = (f"{part['title'] or ''}\n{part['text']}".strip() for part in row["response"]["sections"])
                reports[system, row["question"].strip()] = "\n\n".join(parts)
    return reports


def agreement(votes: Sequence[Vote], said: Sequence[int | float | None]) -> str:
    """How often what was said agrees with a vote that is no tie; what is itself undecided agrees by half."""
    pairs = [
        (vote.preferred, other) for vote, other in zip(votes, said, strict=True) if vote.preferred and other is not None
    ]
    if not pairs:
        return "no votes"
    agrees = sum(0.5 if not other else float((other > 0) == (vote > 0)) for vote, other in pairs)
    decided = sum(bool(other) for _, other in pairs)
    return f"{agrees / len(pairs):.3f} of {len(pairs)} votes ({decided} of them decided)"


def judged(
    votes: Sequence[Vote], reports: Mapping[tuple[str, str], str], wanted: Wanted, folder: Path
) -> Iterator[str]:
    """Lines on what the judge says of the pairs whose reports are at hand."""
    texts = [
        [reports.get((_FILES.get(system, system), vote.question), "") for system in vote.systems] for vote in votes
    ]
    asked = {str(at): (vote, both) for at, (vote, both) in enumerate(zip(votes, texts, strict=True)) if all(both)}
    yield f"  both reports are at hand for {len(asked)} of {len(votes)} pairs"
    if not asked:
        return
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in ("gold.jsonl", "first.jsonl", "second.jsonl")]
    _write(files[0], ({"query_id": at, "question": vote.question} for at, (vote, _) in asked.items()))
    for place in range(2):
        _write(files[1 + place], ({"query_id": at, "text": both[place]} for at, (_, both) in asked.items()))
    done = judge_runs(
        settings(),
        "answers",
        files[0],
        files[1:],
        (),
        [wanted],
        announce_judging,
        lambda *_: None,
        cut=1,
        as_published=False,
    )
    values = done.scores[0].values if done.scores else {}
    said = [2 * values[at] - 1 if at in values else None for at in asked]
    yield f"  {wanted.llm} {agreement([vote for vote, _ in asked.values()], said)}"
    for itself in done.itself:
        earlier = f", earlier minus later place {itself.earlier.difference:+.2f}" if itself.earlier else ""
        yield f"  the same in both orders: {itself.same:.3f} of {itself.items}{earlier}"
    yield from (f"  cost: ${spent.cost:.2f}" for spent in done.spent if spent.cost is not None)


def _write(file: Path, rows: Iterator[dict[str, str]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def main() -> int:
    """Print the agreements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_repositories(parser)
    parser.add_argument("--llm", help="a service, as for citeplug; without it nobody is asked")
    parser.add_argument("--max-cost", type=float)
    chosen = parser.parse_args()
    try:
        repository = opened(VOTES, chosen)
    except Skipped as reason:
        print(f"skipped: {reason}")
        return 0
    reports = read_reports(repository) if chosen.llm else {}
    for name, (file, second) in SETS.items():
        votes = read_votes(repository, file)
        print(f"{name}: {len(votes)} votes, {sum(not vote.preferred for vote in votes)} of them ties")
        print(f"  published grades {agreement(votes, [vote.grades for vote in votes])}")
        if second:
            others = {(vote.question, vote.systems): vote.preferred for vote in read_votes(repository, second)}
            print(f"  another annotator {agreement(votes, [others.get((v.question, v.systems)) for v in votes])}")
        if chosen.llm:
            wanted = Wanted(chosen.llm, max_cost=chosen.max_cost)
            print(*judged(votes, reports, wanted, chosen.home / "preference" / file), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
