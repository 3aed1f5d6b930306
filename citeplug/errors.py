"""Errors of broken machinery, each with a hint of what to do next, and the reason why a file gives no text.

Doubt about the author's text or about a generated sentence is not an error but a `Finding`
(`records/finding.py`). Only interfaces catch `CiteplugError`.
"""

from pathlib import Path


class CiteplugError(Exception):
    """Something citeplug needs does not work.

    `hint` is one plain sentence that says what to do next; `exit_code` is the process exit
    status of the command line (docs/interface.md).
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UnreadableInput(CiteplugError):
    """A file that the user named is missing, is not readable, or is not what it should be."""


class UsageError(CiteplugError):
    """A value that the user gave is outside its range."""


class WouldOverwrite(CiteplugError):
    """A file that the author wrote or changed would be overwritten."""

    exit_code = 1


class NameTaken(WouldOverwrite):
    """A file of the author's has the default name. `out` and `bib` are free names, None where none is needed."""

    def __init__(self, message: str, hint: str, out: Path | None, bib: Path | None) -> None:
        super().__init__(message, hint)
        self.out = out
        self.bib = bib


class ChangedMeanwhile(CiteplugError):
    """A file was saved by another program while citeplug was about to replace it."""

    exit_code = 1


class AlreadyWatched(CiteplugError):
    """Another process is watching this project."""

    exit_code = 1


class LeftToAuthor(CiteplugError):
    """A project under version control is in a state that its author has to resolve first; nothing was changed."""

    exit_code = 1


class GitUnusable(CiteplugError):
    """git is missing, too old, or failed at something that it can do."""


class UnsafeProject(CiteplugError):
    """A folder, an archive or an address asks for something that untrusted input may not have."""


class RemoteUnavailable(CiteplugError):
    """A git remote could not be reached, or refused the credentials or the push."""

    exit_code = 3


class CannotWrite(CiteplugError):
    """A file could not be written; its old content is unchanged."""


class SourceUnavailable(CiteplugError):
    """A paper source could not be reached, refused, or answered with something unreadable."""

    exit_code = 3


class CorpusEmpty(CiteplugError):
    """There is no paper to search in, and no permission to ask arXiv."""

    exit_code = 3


class StoreBroken(CiteplugError):
    """A store on this machine (catalogue, index, cache) cannot be read or written."""

    exit_code = 3


class StoreReadOnly(StoreBroken):
    """A store on this machine is in a read-only place; its content can be read."""

    exit_code = 2


class StoreAway(StoreBroken):
    """A store on a server cannot be reached now; its content is not lost."""


class StoreBusy(CiteplugError):
    """Another process holds the lock of a store for longer than the wait allows."""

    exit_code = 3


class ModelUnavailable(CiteplugError):
    """An embedding model is not installed, is damaged, or is not the one a store was made with; or a language
    model cannot be reached, refuses, or is not set up."""

    exit_code = 3


class ModelsExtraMissing(ModelUnavailable):
    """A model or a device was named that needs the packages of `citeplug[models]`, which are not installed."""

    exit_code = 2


class NotSent(ModelUnavailable):
    """A request that a dry run lists instead of sending it."""


class BudgetReached(CiteplugError):
    """The next request to a language model could pass the budget that the user set."""

    exit_code = 3


class Cancelled(CiteplugError):
    """The user stopped the run; nothing was written after that moment."""

    exit_code = 130


class Unfit(Exception):
    """A file is not read. `code` names the reason for programs, `hint` says what to do."""

    def __init__(self, code: str, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.code = code
        self.hint = hint
