"""Conversations about papers, kept in the user's data directory: a file for each, in a folder for each project."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from citeplug.ask.markdown import conversation_markdown
from citeplug.ask.saved import read_turn, turn_as_json
from citeplug.corpus.stores import open_corpus
from citeplug.errors import UsageError, WouldOverwrite
from citeplug.files.atomic import name_for, telling_of, write_at_home, write_atomically
from citeplug.files.project_files import as_given, unreadable
from citeplug.project.author_files import one_at_a_time
from citeplug.records.answer import Answer, AskedText, Turn
from citeplug.records.paper import Paper, shown_id
from citeplug.settings.environment import Settings

FOLDER = "conversations"
_MOST = 50  # conversations of a project that are kept
_AUTHORS = 3  # that a reference names


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
            kept = _read(self.path)
            kept["turns"].append(turn_as_json(turn))
            said = {"project": str(self.project), **kept}
            write_at_home(self.path, json.dumps(said, ensure_ascii=False).encode("utf-8", "replace"))

    def refresh(self) -> None:
        """Take in the turns that other processes added."""
        kept = _turns(self.path)
        if len(kept) > len(self.turns):
            self.turns = kept


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
        raise UsageError(f"there is no conversation on {project} yet", "begin one with --chat")
    path = max(files, key=lambda each: (each.stat().st_mtime, each.name))
    return Conversation(home, project, path, _turns(path))


def _files(folder: Path) -> list[Path]:
    """The conversations, by the time at which they began."""
    return sorted(folder.glob("*.json")) if folder.is_dir() else []


def _turns(path: Path) -> list[Turn]:
    return [turn for said in _read(path)["turns"] if (turn := read_turn(said)) is not None]


def texts_asked(home: Path) -> set[str]:
    """The digests of all texts that a kept conversation asked. Raises UnreadableInput."""
    found = [said for path in (home / FOLDER).glob("*/*.json") if (said := _parsed(path)) is not None]
    turns = [turn for said in found for each in said["turns"] if (turn := read_turn(each)) is not None]
    return {text.digest for turn in turns for text in turn.answer.looked_through}


def _read(path: Path) -> dict[str, Any]:
    """The conversation in a file; a damaged one is put aside. Raises UnreadableInput for one to be read later."""
    said = _parsed(path)
    if said is None:
        with telling_of(path, at_home=True):
            path.replace(path.with_suffix(".damaged"))
    return said or {"turns": []}


def _parsed(path: Path) -> dict[str, Any] | None:
    """The conversation in a file, without turns if there is none; None if it is damaged. Raises UnreadableInput."""
    try:
        said = json.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        return {"turns": []}
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and isinstance(said.get("turns"), list) else None


def save_as_markdown(turns: Sequence[Turn], now: Sequence[AskedText], path: Path, chosen: Settings) -> None:
    """Write turns with references to a new file; what has changed since, by `now`, is marked.

    Raises WouldOverwrite if there is a file, UsageError for another kind than Markdown, CannotWrite.
    """
    if path.suffix.lower() not in (".md", ".markdown"):
        raise UsageError(f"{path} is no Markdown file", "give a name that ends in .md")
    path = as_given(path)

    def still_free() -> None:
        if path.exists() or path.is_symlink():
            raise WouldOverwrite(f"{path} is there already; it is left alone", "give another name")

    still_free()
    text = conversation_markdown(turns, references_of([turn.answer for turn in turns], chosen), now)
    write_atomically(path, text.encode("utf-8", "replace"), check=still_free)


def references_of(answers: Sequence[Answer], chosen: Settings) -> dict[str, str]:
    """A printed reference for each text that was asked, by its id: from its record, or its title and name."""
    texts = {text.id: text for answer in answers for text in answer.looked_through}
    with open_corpus(chosen) as corpus:
        records = corpus.papers([text.id for text in texts.values() if text.of != "document"])
    return {name: _reference(text, records.get(name)) for name, text in texts.items()}


def _reference(text: AskedText, record: Paper | None) -> str:
    if record is None:
        return text.title if text.title == text.id else f"{text.title}. {text.id}"
    authors = ", ".join(record.authors[:_AUTHORS]) + (" et al." if len(record.authors) > _AUTHORS else "")
    year = f" ({record.published.year})" if record.published.year > 1 else ""
    return f"{authors or 'authors not known'}. {record.title}. {shown_id(record.id.value)}{year}"
