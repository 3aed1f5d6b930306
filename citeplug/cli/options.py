"""Parameters that several commands share: a command's record inherits what it needs."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from citeplug.cli.console import say_aloud
from citeplug.cli.parameters import argument, option, parameters
from citeplug.cli.progress import Progress, progress
from citeplug.errors import UsageError
from citeplug.files.project_files import as_given
from citeplug.records.finding import Severity
from citeplug.records.outcome import Options
from citeplug.records.report import RANK, BibReport, FailOn
from citeplug.records.setting import Setting, settings_of
from citeplug.records.work import SEARCHED, SERVICES, Service

if TYPE_CHECKING:
    from citeplug.llm.chosen_model import Wanted
    from citeplug.related.paper_sets import PaperSet
    from citeplug.related.progress import FurtherSources
    from citeplug.settings.environment import Settings
    from citeplug.sync.watch.context import WatchOverrides

_OF_A_RUN: Mapping[str, Setting] = {setting.name: setting for setting in settings_of(Options)}
_OF_SERVICES = ("offline", "online", "embedder", "rescorer", "device")


@parameters
class Params:
    """The parameters of a command."""

    def settings(self) -> "Settings":
        """The settings of the environment and of these parameters. Raises UsageError on contradicting options."""
        from citeplug.corpus.stores import settings

        return settings(**{name: getattr(self, name) for name in _OF_SERVICES if hasattr(self, name)})

    def settings_for(self, main: Path | None) -> "Settings":
        """The settings for the project of a file or folder, None for that of the current folder."""
        from citeplug.corpus.stores import for_project

        return for_project(self.settings(), main)


@parameters
class Verbosity(Params):
    """Said once, in the help of `citeplug` itself."""

    quiet: int = option("Print only what went wrong.", "-q", "--quiet", count=True, hidden=True)
    verbose: int = option("Print more; twice, even more.", "-v", "--verbose", count=True, hidden=True)

    @property
    def level(self) -> int:
        """Verbosity of the output; below 0: only what went wrong."""
        return self.verbose - self.quiet


@parameters
class AsJson(Params):
    as_json: bool = option("Print one JSON document and nothing else.", "--json")


@parameters
class Output(AsJson, Verbosity):
    def progress(self) -> AbstractContextManager[Progress]:
        """The progress of a run, shown as this output allows it."""
        return progress(self.level, self.as_json)


@parameters
class Formats(Verbosity):
    """A report for a reader, for scripts or for services; a command's own `form` says which."""

    form: str
    as_json: bool = option("The same as --format json.", "--json", hidden=True)

    @property
    def format(self) -> str:
        return "json" if self.as_json else self.form

    def progress(self) -> AbstractContextManager[Progress]:
        """The progress of a run, shown as this output allows it."""
        return progress(self.level, self.format != "text")


@parameters
class OfflineOptions(Params):
    offline: bool = option("Contact no paper source; use only this machine.")


@parameters
class OnlineOptions(OfflineOptions):
    online: bool = option("Search arXiv too: words from your draft are sent there, and shown first.")


class Device(click.ParamType[str]):
    """A device that PyTorch may compute on."""

    name = "device"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from citeplug.settings.environment import read_device

        try:
            return read_device(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@parameters
class LocalModels(Params):
    """Models that find papers: usually settings of the environment, so that help does not show them."""

    embedder: str | None = option("A sentence-transformers model instead of the built-in MiniLM.", hidden=True)
    device: str | None = option("Where models run: auto, cpu, cuda, mps.", type=Device(), hidden=True)


@parameters
class SearchModels(LocalModels):
    rescorer: str | None = option("A second, larger model that rescores the first 200 papers.", hidden=True)


class Services(click.ParamType[tuple[Service, ...]]):
    """Names of services, separated by commas."""

    name = "services"

    def __init__(self, among: Sequence[Service] = SERVICES) -> None:
        self.among = among

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Service, ...]:
        if isinstance(value, tuple):
            return value
        names = [name.strip().lower().replace("-", "") for name in str(value).split(",") if name.strip()]
        for name in names:
            if name not in self.among:
                self.fail(f"{name!r} is not a service; known are {', '.join(self.among)}", param, ctx)
        return cast(tuple[Service, ...], tuple(dict.fromkeys(names)))


@parameters
class Sources(Params):
    sources: tuple[Service, ...] = option(
        "Ask these services about works that are not on arXiv: crossref,openalex,dblp,semanticscholar.",
        type=Services(),
        together=True,
        metavar="NAMES",
    )


@parameters
class Searches(OnlineOptions):
    """Where papers are searched for."""

    sources: tuple[Service, ...] = option(
        "With --online, search openalex,semanticscholar too.",
        type=Services(SEARCHED),
        together=True,
        metavar="NAMES",
    )

    @property
    def further(self) -> "FurtherSources":
        """The services that are searched beside arXiv. Raises UsageError without `--online`."""
        from citeplug.related.progress import FurtherSources

        if self.sources and not self.online:
            raise UsageError("--sources needs --online, because words from your draft are sent", "add --online")
        return FurtherSources(self.sources, say_aloud)


@parameters
class Failing(Params):
    """The exit code of a report."""

    fail_on: FailOn | None = option(
        "End with exit code 1 if a finding of this severity or worse remains. [default: error]"
    )

    def bar(self, files: Sequence[Path]) -> FailOn:
        """The value of `--fail-on`, else that of the project's citeplug.toml, by the first of `files` or from here.

        Raises UnreadableInput on an invalid citeplug.toml.
        """
        if self.fail_on is not None:
            return self.fail_on
        from citeplug.settings.known_settings import FAIL_ON
        from citeplug.settings.project_toml import read_configuration

        near = as_given(files[0] if files else Path())
        configuration = read_configuration(near if near.is_dir() else near.parent)
        return cast(FailOn, configuration.values.get(FAIL_ON.name, FAIL_ON.default))


def fails(fail_on: FailOn, worst: Severity) -> bool:
    """Return True if the worst finding is at least as severe as `fail_on`."""
    return fail_on != "never" and RANK[worst] >= RANK[fail_on]


@parameters
class Baseline(Params):
    baseline: Path | None = option("Report only findings that are not in this file.", metavar="FILE")
    write_baseline: bool = option("Write the findings to the --baseline file; they count as known from then on.")

    def against_baseline(self, report: BibReport) -> BibReport:
        """Return the report without what the baseline has, after it was written if that was asked for.

        Raises UsageError if there is no file to write, UnreadableInput and CannotWrite.
        """
        if self.baseline is None:
            if self.write_baseline:
                raise UsageError("--write-baseline needs a file", "name it with --baseline FILE")
            return report
        from citeplug.bib.suppress import only_new, write_baseline

        if self.write_baseline:
            count = write_baseline(report, self.baseline)
            click.echo(f"{count:,} {'finding' if count == 1 else 'findings'} written to {self.baseline}", err=True)
        return only_new(report, self.baseline)


def names_of(papers: Sequence[str]) -> tuple[str, ...]:
    """Return the papers of `--papers`, which may be separated by commas or spaces."""
    return tuple(name for text in papers for name in text.replace(",", " ").split())


@parameters
class Papers(Params):
    """The ways to name a set of papers."""

    ids: tuple[str, ...] = argument("[ID...]")
    papers: tuple[str, ...] = option("The same as the arguments.", metavar="ID,ID...")
    shortlist: Path | None = option("The papers that the section of this draft would discuss.", metavar="MAIN.tex")
    cited: Path | None = option("The papers that this draft cites.", metavar="MAIN.tex")
    library: bool = option("All works in your library.")
    topics: tuple[str, ...] = option("All papers on this topic, by its number or name.", "--topic", metavar="T")

    @property
    def paper_set(self) -> "PaperSet":
        """The papers that were named."""
        from citeplug.related.paper_sets import PaperSet

        return PaperSet((*self.ids, *names_of(self.papers)), self.shortlist, self.cited, self.library, self.topics)


class Number(click.ParamType[float]):
    """A number within the bounds of a setting (`settings/known_settings.py`)."""

    name = "number"

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "N" if self.setting.kind == "whole" else "X"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        from citeplug.settings.known_settings import read_text

        try:
            return cast(float, read_text(self.setting, str(value)))
        except ValueError as error:
            self.fail(f"{value!r} {error}", param, ctx)


def setting_option(setting: Setting | str, help_text: str | None = None, **settings: Any) -> Any:
    """The option of a setting, `setting` or the field of `Options` of this name; None or () where it is not given."""
    known = _OF_A_RUN[setting] if isinstance(setting, str) else setting
    if known.kind in ("whole", "number"):
        settings["type"] = Number(known)
    assert known.option is not None
    return option(help_text or known.help, known.option, **settings)


@parameters
class PaperOptions(SearchModels, OnlineOptions):
    """How papers are chosen for a draft."""

    breadth: int | None = setting_option("breadth", "Number of papers in the section. [default: 20]")
    diversity: float | None = setting_option("diversity")
    before: date | None = setting_option("before")
    first_day: date | None = setting_option("first_day", metavar="DATE")
    categories: tuple[str, ...] = setting_option("categories", metavar="C")
    topics: tuple[str, ...] = setting_option("topics", metavar="T")
    whole_draft: bool | None = setting_option("whole_draft")
    deep: bool | None = setting_option("deep")
    pin: tuple[str, ...] = setting_option("pin", metavar="PAPER")
    exclude: tuple[str, ...] = setting_option("exclude", metavar="PAPER")

    @property
    def overrides(self) -> dict[str, Any]:
        """The settings that were given, by the fields of `Options`; the project's own apply to the others.

        Raises UsageError on an invalid value.
        """
        from citeplug.settings.known_settings import read_value

        values: dict[str, Any] = {}
        for name in (entry.name for entry in fields(self) if entry.name in _OF_A_RUN):
            value = getattr(self, name)
            if value is None or value == ():
                continue
            try:
                values[name] = read_value(_OF_A_RUN[name], value)
            except ValueError as error:
                setting = _OF_A_RUN[name]
                shown = ", ".join(value) if isinstance(value, tuple) else value
                raise UsageError(f"{setting.option} {shown!r} {error}", f"give {setting.range}") from None
        return values


def language_model_option(does: str) -> Any:
    """The option of a language model; `does` says what is sent to it, and what is done without one."""
    return option(
        f"Language model: anthropic, openai (or a server on this machine), SERVICE:MODEL, none. {does}",
        "--llm",
        metavar="NAME",
    )


@parameters
class ModelOptions(Params):
    llm: str | None = language_model_option("It is sent your draft. Default: as set in your config.toml, else none.")
    models: tuple[str, ...] = option(
        "Model of the service; STAGE=M for one stage: queries, ranking, summaries, plan, prose, judge.",
        "--model",
        metavar="M",
    )
    max_cost: float | None = option(
        "Stop before the model has cost X US dollars.", type=click.FloatRange(0, 1_000_000, min_open=True), metavar="X"
    )
    max_tokens: int | None = option("Stop before the model has used N tokens.", between=(1, None), metavar="N")

    def model(self, *, rehearse: bool = False, afresh: bool = False) -> "Wanted":
        """Return the language model asked for; `rehearse` and `afresh` as in `Wanted`."""
        from citeplug.llm.chosen_model import Wanted

        return Wanted(self.llm, self.models, self.max_cost, self.max_tokens, rehearse=rehearse, afresh=afresh)


@parameters
class RunOptions(ModelOptions, Searches, PaperOptions):
    """How a section is made; those of `related` and `plan`."""

    breadth: int | None = setting_option("breadth")
    plan_text: str | None = option('A plan in words, such as "5 sentences in 120 words."', metavar="T")
    as_published: bool = option("Choose papers by cosine alone, as in Citegeist's paper.")
    rank: str | None = setting_option("rank", metavar="R")
    model_queries: int | None = setting_option("model_queries")
    words: int | None = setting_option("words")
    quotes: bool | None = setting_option("quotes")
    pinpoint: bool | None = setting_option("pinpoint")


@parameters
class UpkeepOptions(SearchModels, OnlineOptions):
    """How a section is kept as it was last written: by `watch` and `overleaf sync`."""

    breadth: int | None = setting_option("breadth", "Number of papers in the section. [default: as last written]")
    diversity: float | None = setting_option(
        "diversity", "0: relevance alone; 1: diversity alone. [default: as last written]"
    )

    def overrides(self, *, model: bool = False) -> "WatchOverrides":
        """What is asked for here, in place of what the section was written with; `model`: one may be used."""
        from citeplug.sync.watch.context import WatchOverrides

        return WatchOverrides(self.breadth, self.diversity, online=self.online, model=model)
