"""What a run of a watcher remembers of the runs before it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeplug.project.find_project import find_project
from citeplug.project.last_run import Journal
from citeplug.settings.environment import Settings, read_settings
from citeplug.sync.watch.assess import assess
from citeplug.sync.watch.context import WatchOverrides
from citeplug.sync.watch.refresh import _Memory


@pytest.mark.parametrize("other", [{"embedder": "./model"}, {"rescorer": "./model"}])
def test_a_shortlist_is_not_recalled_for_other_models(project: Path, tmp_path: Path, other: dict[str, Any]) -> None:
    chosen = replace(read_settings(), home=tmp_path / "home")

    def memory(settings: Settings) -> _Memory:
        return _Memory(
            Journal(chosen.home, project), assess(find_project(project), WatchOverrides(), None, 0), settings
        )

    memory(chosen).keep("shortlist", "inputs", ["1706.03762"])
    assert memory(chosen).recall("shortlist", "inputs") == ["1706.03762"]
    assert memory(replace(chosen, **other)).recall("shortlist", "inputs") is None
