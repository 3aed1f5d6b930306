"""Conversations about papers, kept in the user's data directory: a file for each, in a folder for each project."""

import json
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from citeplug.errors import UsageError
from citeplug.files.atomic import name_for, telling_of, write_at_home
from citeplug.files.project_files import unreadable
from citeplug.project.author_files import one_at_a_time
from citeplug.records.answer import Turn
from citeplug.records.from_json import record_from

FOLDER = "conversations"
_MOST = 50  # conversations of a project that are kept


@dataclass(slots=True)
class Conversation:
    """A conversation: its `turns`, the earliest first. Nothing is written before the first turn is added.

    Several processes may add to one conversation: each keeps what the others added.
    """

    home: Path
    project: Path
    path: Path
    turns: list[Turn] = field(default_factory=list)

    def add(self, turn: Turn) -> None:
        """Add a turn, and keep it. Raises StoreBusy, UnreadableInput, CannotWrite; `turns` has it in any case."""
        self.turns.append(turn)
        with one_at_a_time(self.home, self.path):
            saved = _read(self.path)
            saved["turns"].append(_turn_as_json(turn))
            data = {"project": str(self.project), **saved}
            write_at_home(self.path, json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))

    def refresh(self) -> None:
        """Take in the turns that other processes added."""
        saved = _turns(_read(self.path))
        if len(saved) > len(self.turns):
            self.turns = saved


def begin(home: Path, project: Path) -> Conversation:
    """A new conversation on a project: its main file, or the folder in which the user is. The oldest files go."""
    folder = home / FOLDER / name_for(project)
    for old in _files(folder)[: -_MOST + 1]:
        old.unlink(missing_ok=True)
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}.json"
    return Conversation(home, project, folder / name)


def resume(home: Path, project: Path) -> Conversation:
    """The last conversation on a project. Raises UsageError if there is none, UnreadableInput."""
    files = _files(home / FOLDER / name_for(project))
    if not files:
        raise UsageError(f"there is no conversation on {project} yet", "start one with --chat")
    path = max(files, key=lambda file: (file.stat().st_mtime, file.name))
    return Conversation(home, project, path, _turns(_read(path)))


def current(home: Path, project: Path, held: Conversation | None) -> Conversation:
    """The conversation that is `held` if it is on the project, else the last one, else a new one.

    It has the turns that other processes added. Raises UnreadableInput.
    """
    if held is None or held.project != project:
        held = begin(home, project)
        with suppress(UsageError):  # there is none yet
            held = resume(home, project)
    held.refresh()
    return held


def earlier(home: Path, project: Path) -> list[Conversation]:
    """The conversations on a project, the one that was gone on with last first."""
    files = sorted(_files(home / FOLDER / name_for(project)), key=lambda file: -file.stat().st_mtime)
    conversations = [Conversation(home, project, path, _turns(_parsed(path))) for path in files]
    return [conversation for conversation in conversations if conversation.turns]


def texts_asked(home: Path) -> set[str]:
    """The digests of all texts that a kept conversation asked. Raises UnreadableInput."""
    turns = [turn for path in (home / FOLDER).glob("*/*.json") for turn in _turns(_parsed(path))]
    return {text.digest for turn in turns for text in turn.answer.looked_through}


def _files(folder: Path) -> list[Path]:
    """The conversations, by the time at which they began."""
    return sorted(folder.glob("*.json")) if folder.is_dir() else []


def _read(path: Path) -> dict[str, Any]:
    """The conversation in a file; a damaged one is put aside. Raises UnreadableInput for one to be read later."""
    data = _parsed(path)
    if data is None:
        with telling_of(path, at_home=True):
            path.replace(path.with_suffix(".damaged"))
    return data or {"turns": []}


def _parsed(path: Path) -> dict[str, Any] | None:
    """The conversation in a file, without turns if there is none; None if it is damaged. Raises UnreadableInput."""
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        return {"turns": []}
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and isinstance(data.get("turns"), list) else None


def _turn_as_json(turn: Turn) -> dict[str, Any]:
    """A JSON object of the turn; findings are of the moment, and not kept."""
    data = asdict(turn)
    del data["answer"]["findings"]
    return data


def _turns(data: dict[str, Any] | None) -> list[Turn]:
    """The turns of a conversation; what is damaged is left out."""
    turns = []
    for value in data["turns"] if data is not None else ():
        with suppress(ValueError):
            turns.append(record_from(Turn, value))
    return turns
