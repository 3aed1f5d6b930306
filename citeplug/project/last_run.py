"""Journal of the last runs on a project, by digests of their inputs: a run that was killed is not in it.

One small file for each project in the user's data directory. A file that is damaged, or of a later format, is taken
for an empty one, so that the work is done once more; it is never an error.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from citeplug.files.atomic import name_for, write_at_home
from citeplug.records.from_json import record_from

FOLDER = "projects"
FORMAT = 1

End = Literal["written", "unchanged", "due", "refused"]


@dataclass(frozen=True, slots=True)
class Finished:
    """A stage that came to its end with these inputs.

    `inputs` are digests by the name of what was read. `end`: files were written, or were right already; the work is
    left to the author (`due`); or it cannot be done with these inputs (`refused`). `note` is why, `when` local time.
    """

    inputs: Mapping[str, str]
    end: End
    note: str = ""
    when: str = field(default_factory=lambda: datetime.now().isoformat(timespec="seconds"))


class Journal:
    """The journal of the project with this root document; `home` is the user's data directory."""

    def __init__(self, home: Path, root: Path) -> None:
        name = name_for(root)
        self.path = home / FOLDER / f"{name}.json"
        self._root = root

    def last(self, stage: str) -> Finished | None:
        """The last end of the stage, None if it is not known."""
        try:
            return record_from(Finished, self._stages().get(stage))
        except ValueError:
            return None

    def finish(self, stage: str, finished: Finished) -> None:
        """Remember the end of a stage. Raises CannotWrite."""
        stages = {**self._stages(), stage: asdict(finished)}
        content = {"format": FORMAT, "root": str(self._root), "stages": stages}
        write_at_home(self.path, (json.dumps(content, indent=1) + "\n").encode())

    def _stages(self) -> dict[str, Any]:
        try:
            document = json.loads(self.path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        stages = document.get("stages") if isinstance(document, dict) and document.get("format") == FORMAT else None
        return stages if isinstance(stages, dict) else {}
