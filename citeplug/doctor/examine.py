"""All checks of `citeplug doctor`."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from citeplug.doctor import machine, services, stores
from citeplug.doctor.checks import Check, Result, run_checks
from citeplug.errors import UsageError
from citeplug.settings.environment import Settings, read_settings


def examine(folder: Path, *, offline: bool, quick: bool) -> list[Result]:
    """Run all checks. `folder` is the user's current folder; `quick` leaves out the slow checks."""
    invalid: list[Result] = []
    try:
        settings = read_settings()
    except UsageError as error:
        # An invalid variable stops every command; the other checks run as if no variable were set.
        invalid.append(Result("problem", str(error), error.hint, "environment"))
        settings = read_settings({})
    settings = replace(settings, offline=True) if offline else settings
    return invalid + run_checks(checks(settings, folder, quick))


def checks(settings: Settings, folder: Path, quick: bool) -> list[tuple[str, Check]]:
    """The checks by name, in the order of their results."""
    home = settings.home
    return [
        ("python", machine.python),
        ("disk", partial(machine.disk, home)),
        ("device", partial(stores.setting, settings.device, "CITEPLUG_DEVICE")),
        ("rescorer", partial(stores.setting, settings.rescorer, "CITEPLUG_RESCORER")),
        ("model", partial(stores.model, settings, quick)),
        ("catalogue", partial(stores.catalogue, home)),
        ("lexical index", partial(stores.lexical, home)),
        ("vector store", partial(stores.vectors, settings)),
        ("full texts", partial(stores.full_texts, home)),
        ("documents", partial(stores.documents, home)),
        ("network", partial(services.network, settings)),
        ("language model", partial(services.language_model, settings)),
        ("Anthropic key", partial(services.key, settings, "anthropic")),
        ("OpenAI key", partial(services.key, settings, "openai")),
        ("config.toml", partial(services.user_settings, home)),
        ("citeplug.toml", partial(services.project_settings, folder)),
        ("tex", machine.tex),
        ("git", machine.git),
        ("language server", partial(services.language_server, quick)),
        ("VS Code", partial(services.vs_code, quick)),
    ]
