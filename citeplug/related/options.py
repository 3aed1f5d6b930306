"""Options of a run, from all the places where they can be set, and their check before anything is done.

    command line > document > citeplug.toml > defaults

A run without a command line, that of `citeplug watch`, uses the options of the last run, except those that the
document or `citeplug.toml` have changed since.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from citeplug.errors import UsageError
from citeplug.records.draft import DocumentOptions, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import RANKINGS, STRATEGIES, Options
from citeplug.records.provenance import Provenance
from citeplug.related.input_digests import digest_of
from citeplug.related.named_papers import OpenCorpus, in_draft, on_this_machine
from citeplug.settings.known_settings import BREADTH, JOINED, OF_A_RUN, as_plain, read_value
from citeplug.settings.project_toml import NOTHING, Configuration, read_configuration

_PLAN = "plan"
# Words of the section for each paper, sentences on the draft included: 16 to 22 from abstracts, more from a model.
_WORDS_FOR_A_PAPER = 20
_FEWEST = 3
# A model names in groups what it does not discuss.
_USUAL_WITH_MODEL = 25
_NEEDS_MODEL = {"strategy": "style", "rank": "rank"}
_WITHOUT = {"rank": RANKINGS[0]}  # what may be said of them without a model


@dataclass(frozen=True, slots=True)
class Settled:
    """Settings of the project's own files: the document and `citeplug.toml`."""

    configuration: Configuration = NOTHING
    document: DocumentOptions = field(default_factory=DocumentOptions)

    @property
    def values(self) -> dict[str, Any]:
        """Values by the names of the settings; lists of papers are joined, for all else the document's value wins."""
        merged = {**self.configuration.values, **self.document.values}
        for name in JOINED:
            both = (*self.configuration.values.get(name, ()), *self.document.values.get(name, ()))
            if both:
                merged[name] = tuple(dict.fromkeys(both))
        return merged

    @property
    def plain(self) -> dict[str, Any]:
        """Values as JSON has them, for the record of a run; a plan as a digest."""
        names = {choice.name for choice in OF_A_RUN}
        values = {name: as_plain(value) for name, value in self.values.items() if name in names}
        if self.document.plan is not None:
            lines = [[p.heading, p.words, [line.content for line in p.lines]] for p in self.document.plan.paragraphs]
            values[_PLAN] = digest_of(lines)
        return values


def settle(draft: Draft) -> Settled:
    """Read the settings of a draft's project. Raises UnreadableInput on an invalid `citeplug.toml`."""
    return Settled(read_configuration(draft.root.parent), draft.options)


def options_for_run(
    base: Options,
    overrides: Mapping[str, Any],
    draft: Draft,
    *,
    with_model: bool,
    open_corpus: OpenCorpus | None = None,
) -> tuple[Options, list[Finding]]:
    """Return the options of a run with `overrides` on the command line, by the names of the settings, and findings.

    `base` has the options that no file can set. `open_corpus` opens the catalogue and library that know papers beyond
    the draft. Raises UnreadableInput as `settle` does, UsageError where the command line names a paper that none of
    them knows.
    """
    settled = settle(draft)
    values = {**settled.values, **overrides}
    pin, exclude, doubts = _chosen_papers(settled, overrides, draft, open_corpus)
    of_run = {choice.name: values[choice.name] for choice in OF_A_RUN if choice.name in values}
    of_run.setdefault("breadth", breadth_for(of_run.get("words"), with_model=with_model))
    options = replace(
        base,
        **{**of_run, "pin": pin, "exclude": exclude},
        plan=None if base.plan_text is not None else settled.document.plan,
        configured=settled.plain,
    )
    if with_model:
        return options, doubts
    for name, key in _NEEDS_MODEL.items():
        plain = (getattr(Options(), name), _WITHOUT.get(name))
        if name in settled.values and name not in overrides and getattr(options, name) not in plain:
            doubts.append(
                Finding(
                    "option_needs_model",
                    "info",
                    f"{key}={getattr(options, name)} needs a language model and is ignored in this run",
                    fix="choose a model with --llm",
                )
            )
            options = replace(options, **{name: getattr(Options(), name)})
    return options, doubts


def standing_options(record: Provenance, draft: Draft, wish: Mapping[str, Any]) -> Options:
    """The options that the section is to have now, without a command line: `wish` is what the watcher was asked for.

    `record` is that of the last run (`.citeplug/provenance.json`). Raises UnreadableInput as `settle` does.
    """
    settled = settle(draft)
    if not record.options:
        return options_for_run(Options(), wish, draft, with_model=True)[0]
    before = recorded_options(record)
    then, now = before.configured, settled.plain
    asked = {choice.name: getattr(before, choice.name) for choice in OF_A_RUN}
    changed = {choice.name for choice in OF_A_RUN if then.get(choice.name) != now.get(choice.name)}
    fresh, _ = options_for_run(Options(), {}, draft, with_model=True)
    asked |= {name: getattr(fresh, name) for name in changed}
    if "words" in {*changed, *wish} and _is_usual(before) and "breadth" not in now:
        asked["breadth"] = breadth_for(
            wish.get("words", asked["words"]), with_model=before.breadth == _USUAL_WITH_MODEL
        )
    return replace(fresh, **{**asked, **wish})


def breadth_for(words: int | None, *, with_model: bool = False) -> int:
    """Return the number of papers for a section of this many words, if none is given."""
    usual = _USUAL_WITH_MODEL if with_model else Options().breadth
    return usual if words is None else max(_FEWEST, min(int(BREADTH.most), round(words / _WORDS_FOR_A_PAPER)))


def _is_usual(options: Options) -> bool:
    """True if the breadth is one that nobody asked for."""
    return options.breadth in {breadth_for(options.words), breadth_for(options.words, with_model=True)}


def without_model(options: Options) -> Options:
    """Return the options without those that need a language model."""
    return replace(options, **{name: getattr(Options(), name) for name in _NEEDS_MODEL})


def recorded_options(record: Provenance) -> Options:
    """The options of the last run. The record came with the project: what is out of range in it is passed over."""
    recorded = record.options
    values: dict[str, Any] = {}
    for choice in OF_A_RUN:
        if recorded.get(choice.name) is not None:
            try:
                values[choice.name] = read_value(choice, recorded[choice.name])
            except ValueError:
                continue
    configured = recorded.get("configured")
    return Options(**values, configured=configured if isinstance(configured, dict) else {})


def is_other(record: Provenance, options: Options) -> bool:
    """Return True if the section was made with other options; False where none are recorded."""
    if not record.options:
        return False
    before = recorded_options(record)
    if before.configured.get(_PLAN) != options.configured.get(_PLAN):
        return True
    return any(getattr(before, choice.name) != getattr(options, choice.name) for choice in OF_A_RUN)


def as_arguments(options: Options, draft: Draft) -> list[str]:
    """Return the arguments of `citeplug related` that set these options, beyond those in the project's own files."""
    plain, _ = options_for_run(Options(), {}, draft, with_model=True)
    words: list[str] = []
    for choice in OF_A_RUN:
        value = getattr(options, choice.name)
        if choice.option is None or value is None or value == getattr(plain, choice.name):
            continue
        if choice.name == BREADTH.name and _is_usual(options):
            continue
        if choice.name in _NEEDS_MODEL:
            continue  # whoever names a model may choose its ways
        if isinstance(value, bool):
            words.append(choice.option if value else choice.option.replace("--", "--no-", 1))
            continue
        for item in value if isinstance(value, tuple) else (value,):
            words += [choice.option, f"{item:g}" if isinstance(item, float) else str(as_plain(item))]
    return words


def _chosen_papers(
    settled: Settled, overrides: Mapping[str, Any], draft: Draft, open_corpus: OpenCorpus | None
) -> tuple[tuple[str, ...], tuple[str, ...], list[Finding]]:
    """Return the pinned and the excluded papers, by arXiv id where they have one, and findings.

    The lists of all places are joined; for a paper in both, the higher place wins, and in one place exclusion.
    """
    places = (settled.configuration.values, settled.document.values, overrides)
    named = [name for place in places for choice in JOINED for name in place.get(choice, ())]
    need = [name for choice in JOINED for name in overrides.get(choice, ())]
    known = in_draft(named, draft) if open_corpus is None else on_this_machine(named, draft, open_corpus, need)
    wanted: dict[str, bool] = {}
    doubts: list[Finding] = []
    for place in places:
        pinned = [known.get(name, name) for name in place.get("pin", ())]
        excluded = [known.get(name, name) for name in place.get("exclude", ())]
        for name in pinned:
            wanted.pop(name, None)
            wanted[name] = True
        for name in excluded:
            wanted.pop(name, None)
            wanted[name] = False
        doubts += [_both(name) for name in dict.fromkeys(pinned) if name in excluded]
    pins = tuple(name for name, discussed in wanted.items() if discussed)
    return pins, tuple(name for name, discussed in wanted.items() if not discussed), doubts


def _both(name: str) -> Finding:
    return Finding(
        "pin_excluded",
        "warning",
        f"{name} is both pinned and excluded: it is left out",
        fix="remove it from one of the two lists",
    )


def check_options(options: Options, *, with_model: bool) -> None:
    """Raise UsageError for a number out of range, a strategy or ranking that is none, or one that lacks its model."""
    if options.strategy not in STRATEGIES:
        raise UsageError(f"there is no strategy “{options.strategy}”", f"name one of {', '.join(STRATEGIES)}")
    if not 1 <= options.breadth <= 100:
        raise UsageError(f"breadth {options.breadth} is out of range", "give a number from 1 to 100")
    if not 0 <= options.diversity <= 1:
        raise UsageError(f"diversity {options.diversity:g} is out of range", "give a number from 0 to 1")
    if options.depth < 0:
        raise UsageError(f"depth {options.depth} is out of range", "give 0 or more")
    if options.rank is not None and options.rank not in RANKINGS:
        raise UsageError(f"there is no ranking “{options.rank}”", f"name one of {', '.join(RANKINGS)}")
    if options.rank not in (None, RANKINGS[0]) and not with_model:
        raise UsageError(
            f"--rank {options.rank} needs a language model", f"name one with --llm, or use --rank {RANKINGS[0]}"
        )
