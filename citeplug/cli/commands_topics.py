"""`citeplug index topics`, and the topics in `citeplug index info`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from citeplug.cli.commands_prepare import found_pair_as_json
from citeplug.cli.console import cancellable, counted, finding_as_json, print_json, say, show_findings
from citeplug.cli.options import LocalModels, Output
from citeplug.cli.parameters import command, option, parameters
from citeplug.errors import UsageError
from citeplug.records.json_form import fields_of
from citeplug.records.paper import shown_id

if TYPE_CHECKING:
    from citeplug.prepare.topic_summary import TopicSummary
    from citeplug.settings.environment import Settings

_FEW = 10  # topics shown without -v


@parameters
class TopicsParams(LocalModels, Output):
    count: int | None = option("Number of topics. [default: by the number of records, up to 300]", between=(2, 1000))
    rebuild: bool = option("Find the topics again from scratch; implied by --count.")
    embed: bool = option(
        "First compute the vectors of the records sampled for topics, at most 15,000: better topics, in minutes."
    )
    shown: str | None = option(
        "Show what the prepared papers on this topic answer; see 'citeplug prepare'.", "--show", metavar="T"
    )


@command("Example: citeplug index topics --count 100")
def topics(params: TopicsParams) -> None:
    """Group the papers of the catalogue by topic and name the topics, for 'search --topic'.

    When run again, it assigns topics to new papers; the others keep theirs until --rebuild. You can stop it at any
    time. No network is used.
    """
    from citeplug.corpus.stores import open_corpus

    if params.shown is not None:
        if params.count is not None or params.rebuild or params.embed:
            raise UsageError("--show does not make topics", "leave out --count, --rebuild and --embed")
        _show_summaries(params.shown, params.settings(), params.as_json, params.level)
        return
    with (
        cancellable("earlier topics are unchanged", "run it again to continue"),
        params.progress() as reporter,
        open_corpus(params.settings()) as corpus,
    ):
        anew = params.rebuild or params.embed or params.count is not None
        done = corpus.make_topics(params.count, reporter.update, anew=anew, embed=params.embed)
    if params.as_json:
        topics = [asdict(topic) for topic in done.topics]
        facts = fields_of(done, "anew method made assigned")
        print_json({**facts, "without": done.without, "topics": topics, "seconds": round(done.seconds, 3)})
    elif params.level >= 0:
        _table([asdict(topic) for topic in done.topics], everything=True)
        made = (
            f"{counted(len(done.topics), 'topic', 'topics')} found by {done.method}"
            if done.anew
            else f"{counted(len(done.topics), 'topic', 'topics')}, unchanged"
        )
        say(f"{made}; papers assigned in {done.seconds:.1f} s: {done.assigned:,}; without a topic: {done.without:,}")


def _show_summaries(wanted: str, settings: "Settings", as_json: bool, level: int) -> None:
    from citeplug.prepare.topic_summary import summarise_topics

    summaries = summarise_topics(wanted, settings)
    if as_json:
        print_json([_summary_as_json(summary) for summary in summaries])
        return
    for summary in summaries:
        number = f"{summary.topic.number}  " if summary.topic is not None else ""
        size = f" ({summary.topic.papers:,} papers, {summary.prepared:,} prepared)" if summary.topic is not None else ""
        say(f"{number}{summary.name}{size}")
        if summary.topic is not None:
            say(f"    {', '.join(summary.topic.words)}")
        for question in summary.questions or ():
            say(f"    {question.pair.question}")
            say(f"        {question.pair.answer}")
            say(f"        {shown_id(question.paper)}, {question.title}")
        show_findings(summary.findings, max(level, 1))


def _summary_as_json(summary: "TopicSummary") -> dict[str, Any]:
    asked = summary.questions
    return {
        "name": summary.name,
        "topic": None if summary.topic is None else asdict(summary.topic),
        "prepared": summary.prepared,
        "questions": None if asked is None else [found_pair_as_json(pair) for pair in asked],
        "findings": [finding_as_json(finding) for finding in summary.findings],
    }


def show(facts: Mapping[str, Any] | None, damage: str | None, *, everything: bool) -> None:
    """Print the lines of `citeplug index info` on topics."""
    if facts is None:
        say(f"topics      {damage or 'none yet'}; make them with 'citeplug index topics'")
        return
    count = len(facts["topics"])
    say(f"topics      {count} found by {facts['method']}, {facts['made'][:10]}; {facts['without']:,} have none")
    if facts["not_yet"]:
        say(f"            {facts['not_yet']:,} papers are newer: 'citeplug index topics' assigns theirs")
    _table(facts["topics"], everything=everything)
    if count > _FEW and not everything:
        say(f"            and {count - _FEW} more, with -v or --json")


def _table(topics: list[dict[str, Any]], *, everything: bool) -> None:
    for topic in topics if everything else topics[:_FEW]:
        say(f"{topic['name']} ({topic['papers']:,})", lead=(f"{topic['number']:11}  ", "key"))
