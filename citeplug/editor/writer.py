"""`python -m citeplug.editor.writer`: write one section, in a process that can be killed at any moment.

Reads one line of JSON from standard input, `{root, given, insert, only, replan, stream, llm, online, list, missing,
near, audit}`. Prints one for each step, `{stage, done, total}`, for each line of text, `{text}`, and for each request
over the network, `{log}`; `{consent}` is a question that waits for `{answer}`. At the end comes `{files, findings}`,
with `list` `{papers, findings}`, with `near` `{searches}` or `{added, records}`, with `audit` `{findings, looked_at,
not_looked_at}`, or `{error, hint}`. Ends when standard input is closed.
"""

import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from citeplug.corpus.stores import open_corpus, settings
from citeplug.editor.cards import arxiv_address
from citeplug.errors import Cancelled, CiteplugError
from citeplug.latex.project import read_draft
from citeplug.project.find_project import find_project
from citeplug.project.section_targets import generated_files
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of
from citeplug.records.outcome import Options
from citeplug.related.job import Job, Written, write_related
from citeplug.related.near_papers import add_near_papers, words_to_send
from citeplug.related.papers import ListedPaper, list_for_draft
from citeplug.section_file.grammar import read_related
from citeplug.settings.choices import OF_A_RUN, read_value
from citeplug.text.cleaning import plain
from citeplug.text.tex_text import decode_tex

if TYPE_CHECKING:
    from citeplug.llm.chosen_model import Notice
    from citeplug.llm.dry_run import Rehearsal
    from citeplug.llm.guarded import CarefulModel
    from citeplug.protocols import LanguageModel
    from citeplug.settings.environment import Settings


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of libraries must not mix with the messages
    asked = json.loads(sys.stdin.readline())
    answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(answers,), daemon=True).start()
    try:
        _send(out, _done(asked, out, answers))
    except CiteplugError as error:
        _send(out, {"error": str(error), "hint": error.hint})
    out.flush()
    os._exit(0)  # without waiting for threads: files are written whole


def _done(asked: dict[str, Any], out: TextIO, answers: "queue.SimpleQueue[bool]") -> dict[str, Any]:
    # The options were read by the server, and come as JSON.
    given = {c.name: read_value(c, asked["given"][c.name]) for c in OF_A_RUN if c.name in asked["given"]}
    wanted = Options(replan=asked["replan"])
    job = Job(Path(asked["root"]), wanted, given=given, insert=asked["insert"], only=tuple(asked["only"]))
    online = asked["online"] is True
    llm = asked["llm"]
    chosen = settings(offline=not online and not _is_hosted(llm), online=online)

    def report(stage: str, done: int, total: int | None) -> None:
        _send(out, {"stage": stage, "done": done, "total": total})

    def announce(query: str) -> None:
        _send(out, {"log": f"asking arXiv: {query}"})

    if asked.get("near"):
        return _near(job.main, chosen, report, announce, online=online)
    if asked.get("audit"):
        return _audit(job, chosen, report, announce, online=online)
    if asked.get("list"):
        missing = asked.get("missing") is True
        listing = list_for_draft(job, chosen, online=online, report=report, announce=announce, missing=missing)
        return {"papers": [_paper(each) for each in listing.papers], "findings": _findings(listing.findings)}
    show = (lambda line: _send(out, {"text": line})) if asked["stream"] else None
    expected = _Expected(report)
    with _model(llm, chosen, out, answers, show, expected, afresh=bool(job.only)) as model:
        written = write_related(
            job, chosen, online=online, report=report, announce=announce, model=model, begin=expected.begin
        )
        expected.end(lambda text: _send(out, {"log": text}))
    if show is not None and model is None:
        _read_out(written, show)
    return {"files": [str(path) for path in written.files], "findings": _findings(written.outcome.findings)}


def _near(
    root: Path,
    chosen: "Settings",
    report: Callable[[str, int, int | None], None],
    announce: Callable[[str], None],
    *,
    online: bool,
) -> dict[str, Any]:
    """Add papers near the draft, as `citeplug start --near` does; without `online`, what would be sent."""
    where = find_project(root).where
    draft = read_draft(root, skip=generated_files(where))
    if not online:
        return {"searches": words_to_send(draft), "findings": []}
    added = add_near_papers(draft, chosen, announce, report).added
    with open_corpus(chosen) as corpus:
        return {"added": added, "records": corpus.records, "findings": []}


def _audit(
    job: Job,
    chosen: "Settings",
    report: Callable[[str, int, int | None], None],
    announce: Callable[[str], None],
    *,
    online: bool,
) -> dict[str, Any]:
    """Audit the draft; the findings on entries are those of the server's own check, and left out."""
    from citeplug.audit.run import audit_draft

    found = audit_draft(job.main, chosen, online=online, report=report, given=job.given, announce=announce)
    findings = [
        {**fields_of(each, "code severity message"), "fix": each.fix or "", **fields_of(each, "file line")}
        for each in found.report.findings
    ]
    return {"findings": findings, "looked_at": list(found.looked_at), "not_looked_at": list(found.not_looked_at)}


def _is_hosted(llm: str | None) -> bool:
    if llm is None:
        return False
    from citeplug.llm.chosen_model import is_hosted

    return is_hosted(llm, settings()) is True


@contextmanager
def _model(
    llm: str | None,
    chosen: "Settings",
    out: TextIO,
    answers: "queue.SimpleQueue[bool]",
    show: Callable[[str], None] | None,
    expected: "_Expected",
    *,
    afresh: bool,
) -> "Iterator[LanguageModel | None]":
    """Open the model named in the editor; None without it, whatever config.toml says."""
    if llm is None:
        yield None
        return
    from citeplug.llm.chosen_model import Wanted, language_model
    from citeplug.related.write.stream_prose import Aloud

    def announce(notice: "Notice") -> None:
        """Ask before anything is sent to a service for the first time."""
        place = f"{notice.place} (model {notice.model})"
        price = "" if notice.priced else " Its price is not known."
        what = "title, abstract and sections of your draft, and the abstracts of the papers found for it"
        _send(
            out,
            {
                "consent": f"citeplug is about to send to {place}: {what}.{price or expected.said}"
                " This is asked once for each service."
            },
        )
        if not answers.get():
            raise Cancelled("nothing was sent or written", "leave the language model out, or allow it")

    with language_model(Wanted(llm, afresh=afresh), chosen, announce) as model:
        expected.model = model
        yield model if model is None or show is None else Aloud(model, show)


class _Expected:
    """The expected cost of a run, and what it was. `said` is a sentence on it, empty where nothing is to be said."""

    def __init__(self, report: Callable[[str, int, int | None], None]) -> None:
        self.model: CarefulModel | Rehearsal | None = None
        self.said = ""
        self._report = report

    def begin(self, options: Options) -> None:
        from citeplug.llm.expected_cost import expected_cost
        from citeplug.llm.guarded import CarefulModel

        cost = expected_cost(self.model, options) if isinstance(self.model, CarefulModel) else None
        if cost:
            self.said = f" This section costs about ${cost:.2f}."
            self._report(f"about ${cost:.2f} for {options.breadth} papers", 0, None)

    def end(self, log: Callable[[str], None]) -> None:
        if self.model is not None and self.model.cost:
            log(f"{self.model.name}: ${self.model.cost:.4f}")


def _read_out(written: Written, show: Callable[[str], None]) -> None:
    for block in read_related(written.outcome.tex_content).blocks:
        show(f"[{block.plan.heading or block.id}]")
        for line in block.text.splitlines():
            if line.strip() and not line.startswith("\\paragraph"):
                show(f"  {line}")


def _paper(listed: ListedPaper) -> dict[str, Any]:
    paper = listed.paper
    return {
        "arxiv_id": paper.id.value,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.published.year,
        "categories": list(paper.categories),
        "score": None if listed.score is None else round(listed.score, 4),
        **fields_of(listed, "found_by chosen choice key"),
        "abstract": plain(decode_tex(paper.abstract, keep_math=True)),
        "cited_as": listed.key if listed.cited else None,
        "reasons": [asdict(reason) for reason in listed.reasons],
        "verified": listed.sound,
        "url": arxiv_address(paper.id.value),
    }


def _findings(findings: Iterable[Finding]) -> list[dict[str, str]]:
    return [{"code": each.code, "message": each.message, "fix": each.fix or ""} for each in findings]


def _send(out: TextIO, message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


def _listen(answers: "queue.SimpleQueue[bool]") -> None:
    for line in sys.stdin:
        answers.put(json.loads(line).get("answer") is True)
    os._exit(1)


if __name__ == "__main__":
    main()
