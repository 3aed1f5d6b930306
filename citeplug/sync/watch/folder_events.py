"""Folders whose files are changed by others: the system says so where it can.

An event is a hint that a file may have changed. Editors write beside a file and rename, and network drives tell
nothing, so whoever listens looks for itself.
"""

import contextlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

# Which file system and which folder: one that is made anew under the same name is another.
_Identity = tuple[int, int]


class FolderEvents:
    """Calls `tell` with the path of what changed in a watched folder, in a thread of its own.

    `trouble` says why the system does not tell of changes, None while it does: the limit on watches is reached, or
    there is no way to watch here.
    """

    def __init__(self, tell: Callable[[Path], None]) -> None:
        self._tell = tell
        self._observer: Any = None
        self._watched: dict[Path, tuple[_Identity, Any]] = {}
        self.trouble: str | None = None

    def start(self) -> None:
        """Begin; where that is not possible, `trouble` says why."""
        try:
            from watchdog.observers import Observer

            self._observer = Observer()
            self._observer.start()
        except (ImportError, OSError, RuntimeError) as error:
            self._give_up(error)

    def watch(self, folders: Collection[Path]) -> None:
        """Watch these folders, each without those beneath it, and no others."""
        if self._observer is None:
            return
        identities = {folder: identity for folder in folders if (identity := _identity(folder)) is not None}
        for folder, (identity, watch) in list(self._watched.items()):
            if identities.get(folder) != identity:
                with contextlib.suppress(Exception):  # gone with its folder
                    self._observer.unschedule(watch)
                del self._watched[folder]
        try:
            for folder in identities.keys() - self._watched.keys():
                watch = self._observer.schedule(_Handler(self._tell), str(folder), event_filter=_told())
                self._watched[folder] = identities[folder], watch
        except FileNotFoundError:
            pass  # gone since it was looked at
        except (OSError, RuntimeError) as error:
            self._give_up(error)

    def stop(self) -> None:
        """Tell no more. Does not wait."""
        if self._observer is not None:
            self._observer.stop()
            self._observer = None

    def _give_up(self, error: Exception) -> None:
        self.stop()
        self.trouble = getattr(error, "strerror", None) or str(error) or type(error).__name__


def _told() -> list[type]:
    """Events that count: not that a file was opened or read, as citeplug itself does."""
    from watchdog import events

    return [
        events.FileCreatedEvent,
        events.FileDeletedEvent,
        events.FileModifiedEvent,
        events.FileMovedEvent,
        events.DirCreatedEvent,
        events.DirDeletedEvent,
        events.DirMovedEvent,
    ]


class _Handler:
    """Handler of watchdog's events."""

    def __init__(self, tell: Callable[[Path], None]) -> None:
        self._tell = tell

    def dispatch(self, event: Any) -> None:
        for path in (event.src_path, getattr(event, "dest_path", "")):
            if path:
                self._tell(Path(path if isinstance(path, str) else path.decode("utf-8", "surrogateescape")))


def _identity(folder: Path) -> _Identity | None:
    try:
        status = folder.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
