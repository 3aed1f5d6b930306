"""Works outside the catalogue that the draft cites: a model writes of them by the draft's own sentences."""

from pathlib import Path

import pytest

from citeplug.corpus.stores import settings
from citeplug.project.provenance import read_provenance
from citeplug.records.dialogue import Request
from citeplug.records.outcome import Options
from citeplug.related.job import Written, write_related
from citeplug.related.tools import Job
from citeplug.section_file.cite_style import cited_keys
from tests.harness.scripted_models import Answer, ScriptedModel, Seen, answer_honestly

BOOK = """@book{roe01, author = {Roe, Jane}, title = {Pruning of Thickets}, publisher = {X}, year = 2001}
@misc{silent, author = {Doe, Jo}, title = {A Work That Nothing Is Said Of}, year = 2002}
"""
SAID = "We build on the pruner of thickets by Roe~\\cite{roe01}, which needs the whole thicket in memory."
HELD = "needs the whole thicket in memory"


def _writing_of_the_book(seen: Seen, request: Request) -> Answer:
    handle = next((n for n, paper in seen.papers.items() if paper.title == "Pruning of Thickets"), None)
    answer = answer_honestly(seen, request)
    if handle is None:
        return answer
    if request.stage == "ranking":
        answer["order"] = [handle, *(n for n in answer["order"] if n != handle)]
    elif request.stage == "prose" and "sentences" in answer:
        others = [s for s in answer["sentences"] if f"[{handle}]" not in s["text"] and f"@{handle}]" not in s["text"]]
        text = f"An early pruner keeps all of a thicket in memory [{handle}]."
        book = {"line": 1, "kind": "paper", "text": text, "quotes": [{"handle": handle, "quote": HELD}]}
        answer["sentences"] = [*others, book]
    return answer


@pytest.fixture
def cited(home: Path, project: Path) -> Path:
    """The draft, which cites a book in its introduction."""
    text = project.read_text()
    begin = "\\section{Introduction}" if "\\section{Introduction}" in text else "\\end{abstract}"
    project.write_text(text.replace(begin, f"{begin}\n{SAID}\n", 1).replace("\\end{document}", "\\end{document}"))
    bib = project.parent / "refs.bib"
    bib.write_text(bib.read_text() + BOOK)
    return project


def write(root: Path, model: ScriptedModel | None = None, **options: object) -> Written:
    job = Job(root, Options(**{"breadth": 5, **options}))  # type: ignore[arg-type]
    return write_related(job, settings(offline=True), online=False, report=lambda *_: None, model=model)


def test_a_work_that_the_draft_alone_knows_is_cited_by_its_key_with_the_draft_s_sentence_as_source(cited: Path) -> None:
    model = ScriptedModel(_writing_of_the_book)
    done = write(cited, model)
    tex, bib = done.outcome.tex_content, done.outcome.bib_content
    assert "roe01" in cited_keys(tex)
    assert "roe01" not in bib
    record = read_provenance(done.targets.provenance)
    (sentence,) = [sentence for sentence in record.sentences if "lib:roe01" in sentence.cites]
    (source,) = sentence.sources
    assert (source.arxiv_id, source.of, source.quote) == ("lib:roe01", "draft", HELD)
    assert record.quotes_from["lib:roe01"] == "your own sentences on it"
    assert not any("Nothing Is Said Of" in request.prompt for request in model.requests)

    # Nothing has changed: neither has the section, with the model or without.
    assert write(cited, ScriptedModel(_writing_of_the_book)).outcome.tex_content == tex
    assert "roe01" in cited_keys(write(cited).outcome.tex_content)

    # Without the sentence that bore it out it does not stand.
    cited.write_text(cited.read_text().replace(SAID, ""))
    assert "all of a thicket" not in write(cited, ScriptedModel(_writing_of_the_book)).outcome.tex_content


def test_an_excluded_work_is_not_shown_to_the_model(cited: Path) -> None:
    model = ScriptedModel(_writing_of_the_book)
    assert "roe01" not in cited_keys(write(cited, model, exclude=("roe01",)).outcome.tex_content)
    assert not any("Pruning of Thickets" in request.prompt for request in model.requests)


def test_without_a_model_a_pinned_work_is_named_by_its_title(cited: Path) -> None:
    outcome = write(cited, pin=("roe01",)).outcome
    assert "roe01" in cited_keys(outcome.tex_content)
    assert HELD not in outcome.tex_content
    assert "roe01" not in cited_keys(write(cited, replan=True, exclude=("roe01",)).outcome.tex_content)
