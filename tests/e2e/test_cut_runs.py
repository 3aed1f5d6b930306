"""A run that was killed between two of its files: the next one ends as if nothing had been."""

from pathlib import Path

import pytest

from citeplug.files import atomic
from tests.e2e.conftest import Run
from tests.torture.judge import restore, state_of, torn


def written_in_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of the project in the order in which they take their places, from now on."""
    names: list[str] = []
    replace = atomic._replace

    def noted(temporary: Path, target: Path) -> None:
        replace(temporary, target)
        if target.is_relative_to(folder):
            names.append(target.relative_to(folder).as_posix())

    monkeypatch.setattr(atomic, "_replace", noted)
    return names


@pytest.mark.parametrize("revised", [False, True], ids=["first", "again"])
def test_a_run_cut_behind_any_of_its_files_is_gone_on_with(
    run: Run, home: Path, project: Path, revised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project.parent
    related: tuple[str | Path, ...] = ("related", project, "--offline", "--insert")
    if revised:
        assert run(*related).code == 0
        text = project.read_text("utf-8")
        text = text.replace(r"\end{abstract}", "We recommend items by walks on bipartite graphs.\n\\end{abstract}")
        project.write_text(text, "utf-8")
        section = folder / "related.tex"
        section.write_text(section.read_text("utf-8").replace("% citeplug:end", "Mine.\n% citeplug:end", 1), "utf-8")
        related = (*related, "--replan", "--breadth", "6")
    before = state_of(folder)
    with monkeypatch.context() as patch:
        order = written_in_order(folder, patch)
        assert run(*related).code == 0
    after = state_of(folder)
    assert len(order) > 3
    for count in range(1, len(order)):
        cut = {name: after[name] for name in order[:count] if name in after}
        restore(folder, {**before, **cut})
        done = run(*related)
        assert done.code == 0
        assert torn(after, after, state_of(folder)) is None, (order[count - 1], done.err)
