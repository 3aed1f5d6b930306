"""What the author asks of a run, checked before anything is done: numbers, names, and plans in words."""

from citeplug.errors import UsageError
from citeplug.plan.feasibility import plan_doubts
from citeplug.plan.from_words import read_plan_text
from citeplug.records.finding import Finding
from citeplug.records.outcome import RANKINGS, STRATEGIES, Options
from citeplug.records.plan import Plan


def check_strategy(options: Options) -> None:
    """Raise UsageError unless the strategy is one of those that there are."""
    if options.strategy not in STRATEGIES:
        raise UsageError(f"there is no strategy “{options.strategy}”", f"name one of {', '.join(STRATEGIES)}")


def check_search(options: Options, *, with_model: bool) -> None:
    """Raise UsageError if a number is out of range, or if the ranking is none or lacks the model that it needs."""
    if not 1 <= options.breadth <= 100:
        raise UsageError(f"breadth {options.breadth} is out of range", "give a number from 1 to 100")
    if not 0 <= options.diversity <= 1:
        raise UsageError(f"diversity {options.diversity:g} is out of range", "give a number from 0 to 1")
    if options.depth < 0:
        raise UsageError(f"depth {options.depth} is out of range", "give 0 or more")
    if options.rank not in RANKINGS:
        raise UsageError(f"there is no ranking “{options.rank}”", f"name one of {', '.join(RANKINGS)}")
    if options.rank != RANKINGS[0] and not with_model:
        raise UsageError(
            f"--rank {options.rank} needs a language model", f"name one with --llm, or use --rank {RANKINGS[0]}"
        )


def plan_from_text(text: str, shortlist: list[str], doubts: list[Finding]) -> Plan:
    """The plan that `--plan-text` asks for. Raises UsageError if nothing of it is understood."""
    read = read_plan_text(text, shortlist)
    doubts += read.findings
    if not read.plan.paragraphs:
        raise UsageError(
            "nothing of --plan-text is understood",
            'write it like "5 sentences in 120 words. Cite 2004.04906 at line 1, 3."',
        )
    return read.plan


def names_shortlist(text: str) -> bool:
    """Whether a plan in words speaks of papers by their place in the shortlist."""
    return any(finding.code == "plan_unknown_paper" for finding in read_plan_text(text).findings)


def doubts_of_plan(plan: Plan) -> list[Finding]:
    """What of an author's plan cannot be followed."""
    return list(plan_doubts(plan))
