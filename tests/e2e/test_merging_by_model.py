"""A section by a language model that the author works on: what is due is asked for, and nothing else."""

from pathlib import Path

import pytest

from citeplug.errors import ModelUnavailable
from citeplug.related.write.by_model.strategies import STRATEGIES
from tests.e2e.test_related_by_model import Write
from tests.e2e.test_related_by_model import write as write
from tests.harness.scripted_models import ScriptedModel, honest_model, is_revision

MINE = "Nobody has put these two side by side."


def prose(model: ScriptedModel) -> int:
    return sum(request.stage in ("prose", "plan", "summaries") for request in model.requests)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_second_run_asks_for_no_prose_and_changes_nothing(write: Write, strategy: str) -> None:
    first = write(honest_model(), strategy=strategy)
    folder = first.targets.tex.parent
    before = {file: file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
    model = honest_model()
    second = write(model, strategy=strategy)
    assert prose(model) == 0
    assert before == {file: file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
    assert second.outcome.section == first.outcome.section


@pytest.mark.parametrize("strategy", ["plan", "prompted-plan", "zero-shot"])
def test_a_sentence_of_the_author_s_stays_where_the_model_writes_anew(
    write: Write, project: Path, strategy: str
) -> None:
    tex = write(honest_model(), strategy=strategy).targets.tex
    text = tex.read_text("utf-8")
    sentence = next(line for line in text.splitlines() if "\\cite" in line and not line.startswith("%"))
    text = text.replace("% citeplug:1 ", "% citeplug:1 in other words, ", 1)
    tex.write_text(text.replace(sentence, f"{MINE}\n{sentence}"), "utf-8")
    main = project.read_text("utf-8").replace("We show how", "We prove it. We show how")
    project.write_text(main, "utf-8")
    model = honest_model()
    write(model, strategy=strategy)
    assert prose(model) >= 1
    assert MINE in tex.read_text("utf-8").splitlines()
    model = honest_model()
    write(model, strategy=strategy)
    assert prose(model) == 0


def test_what_stood_in_for_a_model_is_asked_for_again(write: Write) -> None:
    away = write(honest_model(fail_after=0, error=ModelUnavailable("away", "try later"))).outcome
    model = honest_model()
    back = write(model).outcome
    assert prose(model) >= 1
    assert back.tex_content != away.tex_content


@pytest.mark.parametrize("strategy", ["plan", "prompted-plan"])
def test_only_the_paragraph_whose_plan_was_changed_is_asked_for(write: Write, strategy: str) -> None:
    done = write(honest_model(), breadth=10, strategy=strategy)
    tex, paragraphs = done.targets.tex, len(done.outcome.section.paragraphs)
    assert paragraphs > (strategy != "plan")
    tex.write_text(tex.read_text("utf-8").replace("% citeplug:1 ", "% citeplug:1 in other words, ", 1), "utf-8")
    model = honest_model()
    write(model, breadth=10, strategy=strategy)
    asked = {request.label for request in model.requests if request.stage == "prose" and not is_revision(request)}
    assert asked == {done.outcome.section.paragraphs[0].heading or "the section"}
    model = honest_model()
    write(model, breadth=10, strategy=strategy)
    assert prose(model) == 0
