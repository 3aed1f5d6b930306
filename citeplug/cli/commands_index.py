"""`citeplug index` and `citeplug search`."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli import commands_embed, commands_topics, commands_update, commands_upkeep, options
from citeplug.cli.console import (
    announce_query,
    print_json,
    print_json_line,
    progress,
    say,
    show_findings,
)
from citeplug.cli.help_groups import GroupedCommand
from citeplug.errors import Cancelled, UnreadableInput, UsageError

if TYPE_CHECKING:
    from citeplug.related.retrieve.deep_research import GraphReach
    from citeplug.settings.environment import Settings

_QUERY = 'a line looks like {"query_id": "q1", "text": "...", "before": null, "exclude": []}'


@click.group()
def index() -> None:
    """The catalogue: the papers' records on this machine."""


@index.command(epilog="Example: citeplug index add arxiv-metadata-oai-snapshot.json.gz")
@click.argument("files", nargs=-1, metavar="[FILE...]", type=click.Path(path_type=Path))
@click.option("--complete", is_flag=True, help="The files have all papers of arXiv up to their newest date.")
@click.option(
    "--query",
    "queries",
    multiple=True,
    metavar="TEXT",
    help="Search arXiv for these words, and add the result.",
)
@options.categories
@click.option(
    "--max",
    "most",
    type=click.IntRange(1, 2000),
    default=200,
    show_default=True,
    help="At most this many records for each query.",
)
@options.as_json
@options.verbosity
def add(
    files: tuple[Path, ...],
    complete: bool,
    queries: tuple[str, ...],
    categories: tuple[str, ...],
    most: int,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Add papers: from arXiv's public metadata snapshot, or from arXiv's search.

    FILE is JSON Lines, plain, .gz, .zip or .zst. It can be stopped and run again: records that are there already are
    recognised by their hash. With --query, words of TEXT are sent to arXiv, and shown first.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.upkeep import catalogue

    if bool(files) == bool(queries):
        raise UsageError("give either files or --query", "see 'citeplug index add --help'")
    if queries and complete:
        raise UsageError("--complete goes with files", "leave it out: a search never returns all papers")
    if files and categories:
        raise UsageError("--category goes with --query", "'citeplug index prune --category' removes records")
    level = verbose - quiet
    try:
        if queries:
            added = catalogue.top_up(settings_of(), queries, categories, most, announce_query)
        else:
            with progress(level, as_json) as reporter:
                added = catalogue.add(
                    settings_of(),
                    files,
                    complete,
                    lambda done, total: reporter.update("index, in kB", *_kilobytes(done, total)),
                )
    except KeyboardInterrupt:
        raise Cancelled("cancelled; the records added so far are kept", "run the same command again to go on") from None
    for warning in added.warnings:
        say(f"warning: {warning}", err=True)
    if added.skipped:
        say(f"warning: {added.skipped} unusable lines were skipped", err=True)
    counts = {"added": added.added, "changed": added.changed, "unchanged": added.unchanged, "skipped": added.skipped}
    if as_json:
        print_json({**counts, "seconds": round(added.seconds, 3)})
    elif level >= 0:
        say(", ".join(f"{count:,} {name}" for name, count in counts.items()) + f" in {added.seconds:.1f} s")


def _kilobytes(done: int, total: int | None) -> tuple[int, int | None]:
    return done // 1000, None if total is None else total // 1000


@index.command(epilog="Example: citeplug index info --json")
@options.as_json
@options.verbosity
def info(as_json: bool, verbose: int, quiet: int) -> None:
    """Show what the catalogue and its indexes hold."""
    from citeplug.corpus.stores import open_corpus
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.upkeep.prepared import about_prepared
    from citeplug.upkeep.texts import about_texts

    settings = settings_of()
    with open_corpus(settings) as corpus:
        facts = corpus.info() | about_texts(settings) | about_prepared(settings)
    if as_json:
        print_json(facts)
        return
    say(f"records     {facts['records']:,}")
    say(f"library     {facts['library']:,} works of your own")
    say(f"embedded    {facts['embedded']:,}  ({', '.join(facts['models']) or 'no model used yet'})")
    say(f"citations   {facts['citations']:,} between papers")
    say(f"newest      {facts['newest'] or '-'}")
    say(f"updated     {', '.join(f'{name} to {day}' for name, day in facts['updated_to'].items()) or 'never'}")
    say(f"size        {facts['size_bytes'] / 1e6:,.1f} MB in {facts['path']}")
    say("            " + ", ".join(f"{name} {size / 1e6:,.1f} MB" for name, size in facts["sizes"].items()))
    say(f"full texts  {_texts_in_words(facts)}")
    if prepared := facts["prepared"]:
        say(f"prepared    {prepared['papers']:,} papers, {prepared['questions']:,} questions")
    top = sorted(facts["categories"].items(), key=lambda item: -item[1])[:10]
    say("categories  " + ", ".join(f"{name} {count:,}" for name, count in top))
    commands_topics.show(facts["topics"], facts["topics_damage"], everything=verbose > quiet)


def _texts_in_words(facts: dict[str, Any]) -> str:
    texts = facts["texts"]
    if texts is None:
        return facts["texts_damage"] or "none"
    parts = [f"of {texts['papers']:,} papers in {texts['passages']:,} passages, {texts['vectors']:,} of them embedded"]
    older = texts["texts"] - texts["papers"]
    parts += [f"{older:,} older or further texts"] * (older > 0)
    parts += [f"{texts['orphaned']:,} vectors of none ('citeplug index prune')"] * (texts["orphaned"] > 0)
    return "; ".join([*parts, f"{texts['size_bytes'] / 1e6:,.1f} MB"])


@click.command(
    cls=GroupedCommand,
    everyday=("count", "before", "categories", "online", "as_json"),
    epilog='Example: citeplug search "graph attention networks" -k 5 --before 2019-01-01',
)
@click.argument("text", required=False)
@click.option("--queries", type=click.Path(path_type=Path), help="A JSON Lines file of queries, answered line by line.")
@click.option(
    "-k", "count", type=click.IntRange(1, 10000), default=20, show_default=True, help="At most this many results."
)
@options.before
@options.categories
@options.topics
@click.option("--exclude", multiple=True, metavar="ID", help="Leave this arXiv id out.")
@options.offline
@options.online
@click.option("--deep", is_flag=True, help="Follow citations too, as far as 'citeplug graph' knows them.")
@options.number("rounds", "With --deep: how often the best papers' citations are followed. [default: 2]")
@options.number("seeds", "With --deep: papers whose citations are followed, in each round. [default: 25]")
@options.number("most", "With --deep: papers that citations may add. [default: 200]")
@click.option("--as-published", is_flag=True, help="With --deep: as LitLLM's Algorithm 2 has it, depth 4, in a queue.")
@click.option("--passages", is_flag=True, help="Search the full texts on this machine ('citeplug fetch').")
@click.option("--in", "within", multiple=True, metavar="ID", help="With --passages: only in this paper's text.")
@click.option("--wait", is_flag=True, help="Embed every candidate first, however long it takes.")
@options.embedder
@options.rescorer
@options.device
@options.as_json
@options.verbosity
def search(
    text: str | None,
    queries: Path | None,
    count: int,
    before: date | None,
    categories: tuple[str, ...],
    topics: tuple[str, ...],
    exclude: tuple[str, ...],
    offline: bool,
    online: bool,
    deep: bool,
    rounds: int | None,
    seeds: int | None,
    most: int | None,
    as_published: bool,
    passages: bool,
    within: tuple[str, ...],
    wait: bool,
    embedder: str | None,
    rescorer: str | None,
    device: str | None,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Search the catalogue by words and by meaning; with --passages the full texts of papers."""
    from citeplug.cli.results import candidate_as_json, show_candidates
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.related.retrieve.search import SearchRequest, open_searcher

    if (text is None) == (queries is None):
        raise UsageError("give either TEXT or --queries FILE", "see 'citeplug search --help'")
    if queries is not None and (before is not None or exclude):
        raise UsageError("--before and --exclude go with TEXT", "with --queries, each line has its own")
    level = verbose - quiet
    if passages:
        others = {"queries": queries, "before": before, "category": categories, "topic": topics, "exclude": exclude}
        _only_passages({**others, "online": online, "deep": deep, "rescorer": rescorer})
        settings = settings_of(offline=offline, embedder=embedder, device=device)
        _search_passages(settings, text or "", count, within, wait, as_json, level)
        return
    if within:
        raise UsageError("--in goes with --passages", "add --passages, or leave it out")
    wish = _wish(deep, {"rounds": rounds, "seeds": seeds, "most": most, "as_published": as_published or None})
    settings = settings_of(offline=offline, online=online, embedder=embedder, rescorer=rescorer, device=device)
    with (
        progress(level, as_json) as reporter,
        open_searcher(settings, online=online, announce=announce_query) as searcher,
    ):
        if text is not None:
            ask = SearchRequest(text, count, before, categories, frozenset(map(_bare, exclude)), wait, topics, wish)
            found = searcher.search(ask, reporter.update)
            if as_json:
                print_json([candidate_as_json(candidate) for candidate in found])
            else:
                show_candidates(found)
        else:
            assert queries is not None
            for given, ask in _questions(queries, count, categories, topics, wait, wish):
                found = searcher.search(ask, reporter.update)
                results = [candidate_as_json(candidate) for candidate in found]
                print_json_line({**given, "results": results})
    show_findings(tuple(searcher.findings), level)


def _only_passages(others: dict[str, Any]) -> None:
    """Raise UsageError for an option that says something of records, and nothing of passages."""
    for name, value in others.items():
        if value:
            raise UsageError(f"--{name} does not go with --passages", "leave it out, or name papers with --in")


def _search_passages(
    settings: "Settings", text: str, count: int, within: tuple[str, ...], wait: bool, as_json: bool, level: int
) -> None:
    from citeplug.cli.commands_texts import passage_as_json, show_passages
    from citeplug.corpus.fulltext.read_text import search_passages

    with progress(level, as_json) as reporter:
        found = search_passages(settings, text, count, within, wait=wait, report=reporter.update)
    if as_json:
        print_json([passage_as_json(each) for each in found])
    else:
        show_passages(found)


def _wish(deep: bool, said: dict[str, Any]) -> "GraphReach | None":
    """Extent to which citations are followed; None: not at all. Raises UsageError for bounds without `--deep`."""
    from citeplug.related.retrieve.deep_research import GraphReach

    given = {name: value for name, value in said.items() if value is not None}
    if given and not deep:
        option = next(iter(given)).replace("_", "-")
        raise UsageError(f"--{option} goes with --deep", "add --deep, or leave it out")
    return GraphReach(**given) if deep else None


def _bare(text: str) -> str:
    from citeplug.records.paper import ArxivId

    try:
        return ArxivId.parse(text).value
    except ValueError as error:
        raise UsageError(str(error), "write it like 1706.03762 or hep-th/9901001") from None


def _questions(
    path: Path, count: int, categories: tuple[str, ...], topics: tuple[str, ...], wait: bool, wish: "GraphReach | None"
) -> Iterator[tuple[Any, Any]]:
    """Read `{query_id, text, before, exclude}` lines: what of a line its answer repeats, and the question.

    Raises UnreadableInput with the number of an unusable line.
    """
    from citeplug.files.json_lines import JsonLines, read_json
    from citeplug.related.retrieve.search import SearchRequest

    for number, line in JsonLines(path, whole=True, or_stdin=True).lines():
        try:
            asked = read_json(line)
            before, text, exclude = asked.get("before"), asked["text"], asked.get("exclude") or []
            if not isinstance(text, str) or not isinstance(exclude, list):
                raise TypeError("text must be a string, exclude a list")
            day = None if before is None else date.fromisoformat(before)
            question = SearchRequest(text, count, day, categories, frozenset(map(_bare, exclude)), wait, topics, wish)
            given = {"query_id": asked["query_id"]}
            given |= {name: asked[name] for name in ("inputs_digest",) if name in asked}
        except KeyError as error:
            raise UnreadableInput(f"{path}, line {number} has no {error}", _QUERY) from error
        except (ValueError, TypeError, AttributeError, UsageError) as error:
            raise UnreadableInput(f"{path}, line {number} is not a query: {error}", _QUERY) from error
        yield given, question


for command in (commands_update.update, commands_embed.embed, commands_topics.topics, *commands_upkeep.COMMANDS):
    index.add_command(command)
