"""Progress of updates, stored in the catalogue for each set of arXiv."""

import json
from collections.abc import Iterator
from datetime import date

from citeplug.corpus.database import Database

_FINISHED, _RUN = "oai_to:", "oai_run:"


class HarvestMarks:
    """Marks of one catalogue; a set is named as OAI-PMH does (`cs`, `physics:hep-th`), None stands for all of arXiv.

    Errors: `Database`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def finished(self, of_set: str | None) -> date | None:
        """The last day up to which everything touched is here, by an update of that set or of one that holds it."""
        with self._database.reading():
            found = [self._database.state(_FINISHED + name) for name in _holding(of_set)]
        days = [day for day in found if day]
        return date.fromisoformat(max(days)) if days else None

    def finished_by_set(self) -> dict[str, date]:
        """Return the last finished day of each updated set; the name of all of arXiv is empty."""
        query = "SELECT name, value FROM state WHERE name GLOB ? ORDER BY name"
        with self._database.reading() as db:
            rows = db.execute(query, (f"{_FINISHED}*",)).fetchall()
        return {name.removeprefix(_FINISHED): date.fromisoformat(day) for name, day in rows}

    def unfinished(self, of_set: str | None) -> tuple[date, date] | None:
        """Return the first day and the last finished day of an interrupted update; None if there is none."""
        with self._database.reading():
            run = self._database.state(_RUN + (of_set or ""))
        return None if not run else (date.fromisoformat(json.loads(run)[0]), date.fromisoformat(json.loads(run)[1]))

    def note_day(self, of_set: str | None, since: date, day: date) -> None:
        """Remember that an update from `since` on has finished `day`."""
        self._set(_RUN + (of_set or ""), json.dumps([since.isoformat(), day.isoformat()]))

    def note_finished(self, of_set: str | None, until: date) -> None:
        """Remember that everything touched up to `until` is here."""
        self._set(_FINISHED + (of_set or ""), until.isoformat())
        self.forget_unfinished(of_set)

    def forget_unfinished(self, of_set: str | None) -> None:
        """Delete the mark of an unfinished update."""
        self._set(_RUN + (of_set or ""), "")

    def _set(self, name: str, value: str) -> None:
        with self._database.reading() as db:
            db.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))


def _holding(of_set: str | None) -> Iterator[str]:
    """All of arXiv, the sets that hold this one, and itself: ``, `cs`, `cs:cs`, `cs:cs:LG`."""
    yield ""
    parts = (of_set or "").split(":") if of_set else []
    for count in range(1, len(parts) + 1):
        yield ":".join(parts[:count])
