"""`citeplug index` and `citeplug search`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli import commands_embed, commands_topics, commands_update, commands_upkeep, sending
from citeplug.cli.console import (
    announce_query,
    cancellable,
    print_json,
    print_json_line,
    say,
    say_warning,
    show_findings,
)
from citeplug.cli.help_groups import WholeGroup
from citeplug.cli.options import (
    ModelOptions,
    Output,
    Searches,
    SearchModels,
    language_model_option,
    setting_option,
)
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import UnreadableInput, UsageError
from citeplug.llm.chosen_model import language_model
from citeplug.records.json_form import fields_of
from citeplug.settings.known_settings import MOST, ROUNDS, SEEDS
from citeplug.text.identifiers import parse_id

if TYPE_CHECKING:
    from citeplug.related.retrieve.deep_research import GraphReach
    from citeplug.related.retrieve.search import SearchRequest

_QUERY = 'a line looks like {"query_id": "q1", "text": "...", "before": null, "exclude": []}'


@click.group(cls=WholeGroup)
def index() -> None:
    """Manage the catalogue: the records of papers on this machine."""


@parameters
class IndexAddParams(Output):
    files: tuple[Path, ...] = argument("[FILE...]")
    complete: bool = option("The files contain all of arXiv up to their newest date.")
    queries: tuple[str, ...] = option("Search arXiv for these words, and add what it finds.", "--query", metavar="TEXT")
    categories: tuple[str, ...] = setting_option("categories", metavar="C")
    most: int = option("Maximum number of records per query.", "--max", between=(1, 2000), default=200)


@command("Example: citeplug index add arxiv-metadata-oai-snapshot.json.gz", group=index)
def add(params: IndexAddParams) -> None:
    """Add papers: from arXiv's public metadata snapshot, or from arXiv's search.

    FILE is JSON Lines, plain, .gz, .zip or .zst. You can stop it and run it again: records that are already there are
    recognised by their hash. With --query, the words of TEXT are sent to arXiv, and shown first.
    """
    from citeplug.upkeep import catalogue

    if bool(params.files) == bool(params.queries):
        raise UsageError("give either files or --query", "see 'citeplug index add --help'")
    if params.queries and params.complete:
        raise UsageError("--complete works only with files", "leave it out: a search never returns all papers")
    if params.files and params.categories:
        raise UsageError("--category works only with --query", "'citeplug index prune --category' removes records")
    with cancellable("the records added so far are kept"):
        if params.queries:
            added = catalogue.top_up(params.settings(), params.queries, params.categories, params.most, announce_query)
        else:
            with params.progress() as reporter:
                added = catalogue.add(
                    params.settings(),
                    params.files,
                    params.complete,
                    lambda done, total: reporter.update("index, in kB", *_kilobytes(done, total)),
                )
    for warning in added.warnings:
        say_warning(warning)
    if added.skipped:
        say_warning(f"{added.skipped} unusable lines were skipped")
    counts = fields_of(added, "added changed unchanged skipped")
    if params.as_json:
        print_json({**counts, "seconds": round(added.seconds, 3)})
    elif params.level >= 0:
        say(", ".join(f"{count:,} {name}" for name, count in counts.items()) + f" in {added.seconds:.1f} s")


def _kilobytes(done: int, total: int | None) -> tuple[int, int | None]:
    return done // 1000, None if total is None else total // 1000


@command("Example: citeplug index info --json", group=index)
def info(params: Output) -> None:
    """Show what the catalogue and its indexes contain."""
    from citeplug.corpus.stores import open_corpus
    from citeplug.prepare.upkeep import about_prepared
    from citeplug.upkeep.texts import about_texts

    settings = params.settings_for(None)
    with open_corpus(settings) as corpus:
        facts = corpus.info() | about_texts(settings) | about_prepared(settings)
    if params.as_json:
        print_json(facts)
        return
    top = sorted(facts["categories"].items(), key=lambda item: -item[1])[:10]
    parts = ", ".join(f"{name} {size / 1e6:,.1f} MB" for name, size in facts["sizes"].items())
    prepared = facts["prepared"]
    for name, words in {
        "records": f"{facts['records']:,}",
        "library": f"{facts['library']:,} works of your own",
        "embedded": f"{facts['embedded']:,} ({', '.join(facts['models']) or 'no model used yet'})",
        "citations": f"{facts['citations']:,} between papers",
        "newest": facts["newest"] or "-",
        "updated": ", ".join(f"{name} to {day}" for name, day in facts["updated_to"].items()) or "never",
        "size": f"{facts['size_bytes'] / 1e6:,.1f} MB in {facts['path']}\n{parts}",
        "full texts": _texts_in_words(facts),
        "prepared": f"{prepared['papers']:,} papers, {prepared['questions']:,} questions" if prepared else "",
        "categories": ", ".join(f"{name} {count:,}" for name, count in top),
    }.items():
        if words:
            say(words, lead=f"{name:12}")
    commands_topics.show(facts["topics"], facts["topics_damage"], everything=params.verbose > params.quiet)


def _texts_in_words(facts: dict[str, Any]) -> str:
    texts = facts["texts"]
    if texts is None:
        return facts["texts_damage"] or "none"
    parts = [f"of {texts['papers']:,} papers in {texts['passages']:,} passages, {texts['vectors']:,} of them embedded"]
    older = texts["texts"] - texts["papers"]
    parts += [f"{older:,} older or further texts"] * (older > 0)
    parts += [f"{texts['orphaned']:,} vectors of deleted texts ('citeplug index prune')"] * (texts["orphaned"] > 0)
    return "; ".join([*parts, f"{texts['size_bytes'] / 1e6:,.1f} MB"])


@parameters
class SearchParams(ModelOptions, Searches, SearchModels, Output):
    text: tuple[str, ...] = argument("[TEXT]...")
    queries: Path | None = option("Answer a JSON Lines file of queries, line by line.")
    count: int = option("Maximum number of results.", "-k", between=(1, 10000), default=20)
    before: date | None = setting_option("before")
    first_day: date | None = setting_option("first_day", metavar="DATE")
    categories: tuple[str, ...] = setting_option("categories", metavar="C")
    topics: tuple[str, ...] = setting_option("topics", metavar="T")
    exclude: tuple[str, ...] = option("Leave out this arXiv id.", metavar="ID")
    deep: bool = option("Also follow citations, as far as 'citeplug graph' knows them.")
    rounds: int | None = setting_option(
        ROUNDS, "With --deep: number of rounds in which the best papers' citations are followed. [default: 2]"
    )
    seeds: int | None = setting_option(
        SEEDS, "With --deep: number of papers whose citations are followed in each round. [default: 25]"
    )
    most: int | None = setting_option(MOST, "With --deep: maximum number of papers added by citations. [default: 200]")
    as_published: bool = option("With --deep: follow LitLLM's Algorithm 2 to the letter (depth 4, in a queue).")
    passages: bool = option("Search the full texts on this machine ('citeplug fetch').")
    within: tuple[str, ...] = option("With --passages: search only this paper's text.", "--in", metavar="ID")
    wait: bool = option("Embed every candidate first, however long that takes.")
    llm: str | None = language_model_option(
        "It is sent TEXT, and the queries that it writes are searched for too. Default: none."
    )
    model_queries: int | None = setting_option("model_queries")


@command(
    'Example: citeplug search "graph attention networks" -k 5 --before 2019-01-01',
    everyday=("count", "before", "categories", "online", "as_json"),
)
def search(params: SearchParams) -> None:
    """Search the catalogue, or with --passages the full texts."""
    from citeplug.cli.report import queries_as_json, show_queries
    from citeplug.cli.results import candidate_as_json, show_candidates
    from citeplug.related.retrieve.search import open_searcher

    if bool(params.text) == (params.queries is not None):
        raise UsageError("give either TEXT or --queries FILE", "see 'citeplug search --help'")
    if params.queries is not None and (params.before is not None or params.exclude):
        raise UsageError("--before and --exclude work only with TEXT", "with --queries, each line has its own")
    if params.passages:
        _search_passages(params)
        return
    if params.within:
        raise UsageError("--in needs --passages", "add --passages, or leave it out")
    reach = _graph_reach(params)
    settings = params.settings_for(None)  # in the demo's folder its own papers
    # Whoever chose a model in config.toml chose it for sections: a search is to be fast.
    wanted = replace(params.model(), llm=params.llm or "none")
    with (
        language_model(wanted, settings, sending.announce_searching) as model,
        params.progress() as reporter,
        open_searcher(
            settings, online=params.online, announce=announce_query, model=model, further=params.further
        ) as searcher,
    ):
        if params.queries is None:
            question = _question(params, reach, " ".join(params.text), params.before, params.exclude)
            candidates = searcher.search(question, reporter.update)
        else:
            for line, question in _questions(params.queries, params, reach):
                candidates = searcher.search(question, reporter.update)
                asked = {} if model is None else {"queries": queries_as_json(searcher.queries)}
                results = [candidate_as_json(candidate) for candidate in candidates]
                print_json_line({**line, **asked, "results": results})
    findings = list(searcher.findings)
    if params.as_json and params.queries is None:
        print_json([candidate_as_json(candidate) for candidate in candidates])
    elif params.queries is None:
        unmatched = next((f for f in searcher.findings if f.code == "query_unmatched" and candidates), None)
        show_candidates(candidates, " ".join(params.text), unmatched)
        findings = [finding for finding in findings if finding is not unmatched]
        if params.level > 0:
            show_queries(searcher.queries)
        sending.show(model, params.level)
    show_findings(findings, params.level)


def _search_passages(params: SearchParams) -> None:
    """Search full texts. Raises UsageError for an option that says something of records, and nothing of passages."""
    from citeplug.cli.commands_texts import passage_as_json, show_passages
    from citeplug.corpus.fulltext.read_text import search_passages

    for name, option_name in (
        ("queries", "queries"),
        ("before", "before"),
        ("first_day", "from"),
        ("categories", "category"),
        ("topics", "topic"),
        ("exclude", "exclude"),
        ("online", "online"),
        ("deep", "deep"),
        ("rescorer", "rescorer"),
        ("llm", "llm"),
    ):
        if getattr(params, name):
            raise UsageError(f"--{option_name} does not work with --passages", "leave it out, or name papers with --in")
    with params.progress() as reporter:
        passages = search_passages(
            params.settings_for(None),
            " ".join(params.text),
            params.count,
            params.within,
            wait=params.wait,
            report=reporter.update,
        )
    if params.as_json:
        print_json([passage_as_json(passage) for passage in passages])
    else:
        show_passages(passages)


def _graph_reach(params: SearchParams) -> "GraphReach | None":
    """Extent to which citations are followed; None: not at all. Raises UsageError for bounds without `--deep`."""
    from citeplug.related.retrieve.deep_research import GraphReach

    reach = {name: value for name in ("rounds", "seeds", "most") if (value := getattr(params, name)) is not None}
    if params.as_published:
        reach["as_published"] = True
    if reach and not params.deep:
        name = next(iter(reach)).replace("_", "-")
        raise UsageError(f"--{name} needs --deep", "add --deep, or leave it out")
    return GraphReach(**reach) if params.deep else None


def _question(
    params: SearchParams, reach: "GraphReach | None", text: str, before: date | None, exclude: Sequence[str]
) -> "SearchRequest":
    from citeplug.related.retrieve.search import SearchRequest

    out = frozenset(parse_id(paper).value for paper in exclude)
    return SearchRequest(
        text,
        params.count,
        before,
        params.categories,
        out,
        params.wait,
        params.topics,
        reach,
        10 if params.model_queries is None else int(params.model_queries),
        params.first_day,
    )


def _questions(
    path: Path, params: SearchParams, reach: "GraphReach | None"
) -> "Iterator[tuple[dict[str, Any], SearchRequest]]":
    """Read `{query_id, text, before, exclude}` lines: what of a line its answer repeats, and the question.

    Raises UnreadableInput with the number of an unusable line.
    """
    from citeplug.files.json_lines import JsonLines, read_json

    for number, line in JsonLines(path, whole=True, or_stdin=True).lines():
        try:
            asked = read_json(line)
            before, text, exclude = asked.get("before"), asked["text"], asked.get("exclude") or []
            if not isinstance(text, str) or not isinstance(exclude, list):
                raise TypeError("text must be a string, exclude a list")
            day = None if before is None else date.fromisoformat(before)
            question = _question(params, reach, text, day, exclude)
            fields = {"query_id": asked["query_id"]}
            fields |= {name: asked[name] for name in ("inputs_digest",) if name in asked}
        except KeyError as error:
            raise UnreadableInput(f"{path}, line {number} has no {error}", _QUERY) from error
        except (ValueError, TypeError, AttributeError, UsageError) as error:
            raise UnreadableInput(f"{path}, line {number} is not a query: {error}", _QUERY) from error
        yield fields, question


for subcommand in (commands_update.update, commands_embed.embed, commands_topics.topics, *commands_upkeep.COMMANDS):
    index.add_command(subcommand)
