"""All checks of `citeplug doctor`."""

from functools import partial
from pathlib import Path

from citeplug.doctor import machine, services, stores
from citeplug.doctor.checks import Check, Result, problem, run_checks
from citeplug.errors import UsageError
from citeplug.settings.environment import Settings, read_settings


def examine(folder: Path, *, offline: bool, quick: bool) -> list[Result]:
    """Run all checks. `folder` is the user's current folder; `quick` leaves out the slow checks."""
    results: list[Result] = []
    try:
        chosen = read_settings()
    except UsageError as error:
        # An invalid variable stops every command; the other checks run as if no variable were set.
        results.append(problem("environment", str(error), error.hint))
        chosen = read_settings({})
    chosen = _offline(chosen) if offline else chosen
    checks: list[tuple[str, Check]] = [
        ("python", machine.python),
        ("packages", machine.packages),
        ("disk", partial(machine.disk, chosen.home)),
        ("model", partial(stores.model, chosen, quick)),
        ("catalogue", partial(stores.catalogue, chosen.home)),
        ("lexical index", partial(stores.lexical, chosen.home)),
        ("vector store", partial(stores.vectors, chosen)),
        ("full texts", partial(stores.full_texts, chosen.home)),
        ("documents", partial(stores.documents, chosen.home)),
        ("locks", partial(stores.locks, chosen.home)),
        ("network", partial(services.network, chosen)),
        ("language model", partial(services.language_models, chosen)),
        ("files", partial(services.files, chosen, folder)),
        ("tex", machine.tex),
        ("git", machine.git),
        ("language server", partial(services.editor, quick)),
    ]
    return results + run_checks(checks)


def _offline(chosen: Settings) -> Settings:
    from dataclasses import replace

    return replace(chosen, offline=True)
