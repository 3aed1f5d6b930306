"""Sentences that an author leaves out of a proposed section."""

import re

import pytest

from citeplug.project.provenance import PROVENANCE, read_provenance
from citeplug.section_file.grammar import read_related
from tests.editor.editor import Editor, after
from tests.editor.test_generation import demo
from tests.editor.test_previews import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_sentence_that_is_left_out_of_a_preview_is_not_written_and_is_recorded_as_rejected(own: Editor) -> None:
    folder = demo(own, "left")
    shown = await ask(own, "generate", folder, breadth=4, preview=True)
    out, *others = [sentence for sentence in shown["sentences"] if sentence["sources"]]
    assert all(
        "".join(part["text"] for part in source["parts"]) == source["text"] for source in out["sources"]
    ) and any(part["marked"] for source in out["sources"] for part in source["parts"])
    wrong = await ask(own, "applyPreview", folder, preview=shown["preview"], without=["nowhere:1"])
    assert wrong["done"] is False and not own.applied
    shown = await ask(own, "generate", folder, breadth=4, preview=True)
    done = await ask(own, "applyPreview", folder, preview=shown["preview"], without=[out["place"]])
    assert done["done"] is True, done
    path = folder / "related.tex"
    (before,) = [change["before"] for change in shown["changes"] if change["uri"] == path.as_uri()]
    (proposed,) = [change["after"] for change in shown["changes"] if change["uri"] == path.as_uri()]
    section = after(own.applied[-1], path, before)
    record = read_provenance(folder / PROVENANCE)
    (gone,) = [sentence for sentence in record.sentences if sentence.status == "rejected"]
    text = gone.tex or gone.text
    assert text in proposed and text not in section
    standing = [sentence for sentence in record.sentences if sentence.status != "rejected"]
    assert len(standing) == len(others) + sum(not sentence["sources"] for sentence in shown["sentences"])
    assert all((sentence.tex or sentence.text) in section for sentence in standing)
    assert [block.id for block in read_related(section).blocks] and re.search("citeplug:end", section)
