"""Options that several commands share, and the types of their values."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import click

from citeplug.errors import UsageError
from citeplug.files.project_files import as_given
from citeplug.records.finding import Severity
from citeplug.records.report import RANK, BibReport, FailOn
from citeplug.records.work import Service

if TYPE_CHECKING:
    from citeplug.related.paper_sets import PaperSet
    from citeplug.settings.choices import Choice

F = TypeVar("F", bound=Callable[..., Any])


class Day(click.ParamType[date]):
    """A date written YYYY-MM-DD."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a date; write YYYY-MM-DD", param, ctx)


def verbosity(function: F) -> F:
    """Add -v and -q, as `verbose` and `quiet`."""
    function = click.option("-v", "--verbose", count=True, help="Print more; twice, still more.")(function)
    return click.option("-q", "--quiet", count=True, help="Print only what went wrong.")(function)


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
fail_on = click.option(
    "--fail-on",
    type=click.Choice(get_args(FailOn)),
    help="End with exit code 1 if a finding of this severity or a worse one remains. [default: error]",
)


def baseline(function: F) -> F:
    """Add --baseline and --write-baseline, as `baseline` and `write_baseline`."""
    function = click.option(
        "--write-baseline",
        is_flag=True,
        help="Write the findings to the file of --baseline: they are known from then on.",
    )(function)
    return click.option(
        "--baseline",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Report only findings that are not in this file.",
    )(function)


def against_baseline(report: BibReport, baseline: Path | None, write: bool) -> BibReport:
    """Return the report without what the baseline has, after it was written if `write`.

    Raises UsageError if there is no file to write, UnreadableInput and CannotWrite.
    """
    if baseline is None:
        if write:
            raise UsageError("--write-baseline needs a file", "name it with --baseline FILE")
        return report
    from citeplug.bib.suppress import only_new, write_baseline

    if write:
        count = write_baseline(report, baseline)
        click.echo(f"{count:,} {'finding' if count == 1 else 'findings'} written to {baseline}", err=True)
    return only_new(report, baseline)


def bar(fail_on: FailOn | None, files: Sequence[Path]) -> FailOn:
    """The value of `--fail-on`, else that of the project's citeplug.toml, by the first of `files` or from here.

    The project is that of the first of `files`, else of the current folder. Raises UnreadableInput on an invalid
    citeplug.toml.
    """
    if fail_on is not None:
        return fail_on
    from citeplug.settings.choices import FAIL_ON
    from citeplug.settings.project_toml import read_configuration

    near = as_given(files[0] if files else Path())
    found = read_configuration(near if near.is_dir() else near.parent).values.get(FAIL_ON.name, FAIL_ON.default)
    return cast(FailOn, found)


def fails(fail_on: FailOn, worst: Severity) -> bool:
    """Return True if the worst finding is at least as severe as `fail_on`."""
    return fail_on != "never" and RANK[worst] >= RANK[fail_on]


offline = click.option("--offline", is_flag=True, help="Contact no paper source; use this machine alone.")
online = click.option(
    "--online", is_flag=True, help="Search arXiv too: words of your draft are sent there, and shown first."
)
before = click.option(
    "--before", type=Day(), help="Only papers whose first version is earlier than this day (YYYY-MM-DD)."
)
categories = click.option(
    "--category", "categories", multiple=True, metavar="C", help="Only this category; 'cs' takes the archive."
)
topics = click.option(
    "--topic",
    "topics",
    multiple=True,
    metavar="T",
    help="Only this topic: its number, its name or words of it, as 'citeplug index info' lists them.",
)
embedder = click.option(
    "--embedder", metavar="NAME", help="A sentence-transformers model instead of the built-in MiniLM."
)
rescorer = click.option(
    "--rescorer", metavar="NAME", help="A second, larger model that scores the first 200 papers again."
)


def paper_set(function: F) -> F:
    """Add the ways to name papers: `ids`, `papers`, `shortlist`, `cited`, `library`, `topics`, for `read_paper_set`."""
    draft = click.Path(path_type=Path)
    for each in (
        click.option(
            "--topic", "topics", multiple=True, metavar="T", help="All papers of this topic: its number or name."
        ),
        click.option("--library", is_flag=True, help="All works of your library."),
        click.option("--cited", metavar="MAIN.tex", type=draft, help="The papers that this draft cites."),
        click.option("--shortlist", metavar="MAIN.tex", type=draft, help="The papers that its section would discuss."),
        click.option("--papers", multiple=True, metavar="ID,ID...", help="These papers; as the arguments."),
        click.argument("ids", nargs=-1, metavar="[ID...]"),
    ):
        function = each(function)
    return function


def read_paper_set(
    ids: Sequence[str],
    papers: Sequence[str],
    shortlist: Path | None,
    cited: Path | None,
    library: bool,
    topics: Sequence[str] = (),
) -> "PaperSet":
    """The papers that were named; those of `--papers` may be parted by commas or spaces."""
    from citeplug.related.paper_sets import PaperSet

    listed = [each for text in papers for each in text.replace(",", " ").split()]
    return PaperSet((*ids, *listed), shortlist, cited, library, tuple(topics))


class Device(click.ParamType[str]):
    """A device that PyTorch may compute on."""

    name = "device"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from citeplug.settings.environment import read_device

        try:
            return read_device(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


device = click.option(
    "--device",
    type=Device(),
    metavar="D",
    help="Where models run: auto, cpu, cuda, mps. [default: MiniLM on the processor, others on a GPU if there is one]",
)


class Services(click.ParamType[tuple[Service, ...]]):
    """Names of services, separated by commas."""

    name = "services"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Service, ...]:
        if isinstance(value, tuple):
            return value
        names = [name.strip().lower() for name in str(value).split(",") if name.strip()]
        for name in names:
            if name not in get_args(Service):
                self.fail(f"{name!r} is not a service; known are {', '.join(get_args(Service))}", param, ctx)
        return cast(tuple[Service, ...], tuple(dict.fromkeys(names)))


sources = click.option(
    "--sources",
    type=Services(),
    default=(),
    metavar="NAMES",
    help="Ask these services about what is not on arXiv: crossref,openalex,dblp.",
)


class Number(click.ParamType[float]):
    """A number within the bounds that the table of choices (`settings/choices.py`) has for `choice`.

    The table is read when a value or a command's own help is wanted: `citeplug --help` can do without.
    """

    name = "number"

    def __init__(self, choice: str) -> None:
        self._choice = choice

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"<{self._entry().range}>"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        from citeplug.settings.choices import read_text

        try:
            return cast(float, read_text(self._entry(), str(value)))
        except ValueError as error:
            self.fail(f"{value!r} {error}", param, ctx)

    def _entry(self) -> "Choice":
        from citeplug.settings.choices import CHOICES

        return next(entry for entry in CHOICES if entry.name == self._choice)


def number(choice: str, what: str) -> Callable[[F], F]:
    """The option of a number in the table of choices."""
    return click.option(f"--{choice}", type=Number(choice), help=what)


gold = click.option(
    "--gold",
    required=True,
    type=click.Path(path_type=Path),
    help="The gold set: JSON Lines, a query a line (also .gz, .zip, .zst).",
)


def language_model(function: F) -> F:
    """Add --llm, --model, --max-cost and --max-tokens, as `llm`, `models`, `max_cost` and `max_tokens`."""
    return language_model_that(
        "Your draft is sent to it. Default: as in your config.toml, else none: the section is then made of sentences"
        " from abstracts."
    )(function)


def language_model_that(does: str) -> Callable[[F], F]:
    """As `language_model`, with other words on what is sent and on what is done without a model."""
    return lambda function: _language_model(function, does)


def _language_model(function: F, does: str) -> F:
    for option in (
        click.option(
            "--max-tokens",
            type=click.IntRange(1),
            metavar="N",
            help="Stop before a model has read and written N tokens.",
        ),
        click.option(
            "--max-cost",
            type=click.FloatRange(0, 1_000_000, min_open=True),
            metavar="X",
            help="Stop before a model has cost X US dollars.",
        ),
        click.option(
            "--model",
            "models",
            multiple=True,
            metavar="M",
            help="Another model than the service's default; STAGE=M for one stage (queries, ranking, summaries, plan,"
            " prose, judge).",
        ),
        click.option(
            "--llm",
            metavar="NAME",
            help=f"A language model: anthropic, openai (or a server on this machine), none. {does}",
        ),
    ):
        function = option(function)
    return function


strategy = click.option(
    "--strategy",
    metavar="S",
    help="How a model writes: prompted-plan (default), plan, per-cite, sentence-by-sentence, zero-shot.",
)


summaries = click.option(
    "--summaries/--no-summaries",
    default=None,
    help="Let the model summarise each paper for the draft before it writes. Default: with prompted-plan, where"
    " that takes no longer.",
)
polish = click.option(
    "--polish/--no-polish",
    default=None,
    help="Let the model smooth the written section once; every check runs again. Default: with a model, yes.",
)
plan_text = click.option(
    "--plan-text", metavar="T", help='A plan in words: "5 sentences in 120 words. Cite 2004.04906 at line 1, 3."'
)
as_published = click.option(
    "--as-published", is_flag=True, help="Choose papers by the cosine alone, as Citegeist's paper prints it."
)
rank = click.option(
    "--rank",
    metavar="R",
    help="How the papers are chosen: hybrid, or by a model: permutation, debate. Default: permutation with a model,"
    " else hybrid.",
)
deep = click.option(
    "--deep/--no-deep",
    default=None,
    help="Let citations count: what the first papers and your own citations cite, or are cited by. Default: where"
    " 'citeplug graph' knows the lists of half of these.",
)


whole_draft = click.option(
    "--whole-draft/--no-whole-draft", default=None, help="Let every section of the draft ask for papers."
)
quotes = click.option(
    "--quotes/--no-quotes",
    default=None,
    help="Without a model: put what is a source's for eight words or more in quotation marks [default], or leave"
    " these out and mark the sentence in the file.",
)

pinpoint = click.option(
    "--pinpoint/--no-pinpoint",
    default=None,
    help="Name the section or page in the citation where a sentence is from a full text (--depth):"
    " \\cite[Sec.~3.2]{key}.",
)


def pins(function: F) -> F:
    """Add --pin and --exclude, as `pin` and `exclude`."""
    for option in (
        click.option(
            "--exclude",
            multiple=True,
            metavar="PAPER",
            help="Never cite this paper: a key of a .bib, an arXiv id, or a title.",
        ),
        click.option(
            "--pin",
            multiple=True,
            metavar="PAPER",
            help="Always cite this paper: a key of a .bib, an arXiv id, or a title.",
        ),
    ):
        function = option(function)
    return function


def given(**values: Any) -> dict[str, Any]:
    """The choices given on the command line, by name (`settings/choices.py`); the rest is left to the project.

    Options that were not given are left out: the project's settings apply to them. Raises UsageError on an invalid
    value.
    """
    from citeplug.settings.choices import OF_A_RUN, read_value

    given = {name: value for name, value in values.items() if value is not None and value != ()}
    for choice in OF_A_RUN:
        if choice.name in given and choice.kind in ("names", "papers", "topics", "one"):
            try:
                given[choice.name] = read_value(choice, given[choice.name])
            except ValueError as error:
                shown = given[choice.name]
                listed = ", ".join(shown) if isinstance(shown, tuple) else shown
                raise UsageError(f"{choice.option} {listed!r} {error}", f"give {choice.range}") from None
    return given
