"""One question of `citeplug ask`: its answer printed, saved, and a sentence of it inserted, as asked for."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeplug.cli.answers import AnswerAsItComes, numbered, show_answer
from citeplug.cli.console import (
    announce_query,
    finding_as_json,
    is_watched,
    print_json,
    progress,
    say,
    say_aloud,
    show_findings,
)
from citeplug.errors import Cancelled

if TYPE_CHECKING:
    from citeplug.ask.run import AskedTexts, Wanted
    from citeplug.llm.dry_run import Rehearsal
    from citeplug.llm.guarded import CarefulModel
    from citeplug.records.answer import Answer, AskedText
    from citeplug.settings.environment import Settings


@dataclass(frozen=True, slots=True)
class Extras:
    """Options of one answer: where it is saved, or a sentence of it inserted, and whether it is printed as JSON."""

    save: Path | None
    insert: str | None
    sentence: str
    bib: Path | None
    as_json: bool


def answer_once(
    question: str,
    wanted: "Wanted",
    settings: "Settings",
    model: "CarefulModel | Rehearsal | None",
    level: int,
    extras: Extras,
) -> None:
    """Print the answer as it comes, or in the end; raise Cancelled if it was cut short, once it is printed."""
    from citeplug.ask.answer_question import answer_question
    from citeplug.ask.saved import answer_as_json

    with ExitStack() as stack:
        texts = opened(stack, wanted, settings, level, extras.as_json)
        coming = AnswerAsItComes(texts.texts)
        aloud = is_watched(level, extras.as_json)
        answer = answer_question(texts, question, (), model, coming.show if aloud else lambda _: None)
        for each in texts.asked_too:
            say_aloud(f"asked too: {each}")
        findings = (*texts.findings, *answer.findings)
        if extras.as_json:
            said = {**answer_as_json(answer), "findings": [finding_as_json(each) for each in findings]}
        elif aloud:
            coming.finish(answer)
        else:
            show_answer(answer)
        done: dict[str, Any] = {}
        try:
            _carry_out(answer, texts.texts, settings, extras, done)
        finally:  # the answer has been paid for, whatever becomes of its sentence
            if extras.as_json:
                from citeplug.cli import sending

                also = {"asked_too": texts.asked_too} if wanted.augment else {}
                print_json({**said, **also, **done, **sending.as_json(model)})
            show_findings(findings, level)
    if any(finding.code == "answer_cut" for finding in findings):
        raise Cancelled("stopped")


def _carry_out(
    answer: "Answer", texts: Sequence["AskedText"], settings: "Settings", extras: Extras, done: dict[str, Any]
) -> None:
    """Save the answer and insert its sentence, as asked for; `done` gets what was done, as JSON has it."""
    from citeplug.ask.conversations import save_as_markdown
    from citeplug.ask.insert_answer import insert_sentence, read_place
    from citeplug.records.answer import Turn

    if extras.save is not None:
        save_as_markdown([Turn(answer.question, answer)], texts, extras.save, settings)
        done["saved"] = str(extras.save)
    if extras.insert is not None:
        place = read_place(extras.insert)
        sentence = numbered(answer, extras.sentence)
        made = insert_sentence(answer, sentence, place, settings, bib=extras.bib, announce=announce_query)
        done["inserted"] = {"tex": made.tex, "keys": list(made.keys), "files": [str(each) for each in made.files]}
        if not extras.as_json:
            say(f"\n{place.file.name}, line {place.line + 1}: {made.tex}")


def opened(stack: ExitStack, wanted: "Wanted", settings: "Settings", level: int, as_json: bool) -> "AskedTexts":
    """The texts, open until `stack` closes; progress is shown while they are opened."""
    from citeplug.ask.run import open_texts

    with progress(level, as_json) as reporter:
        return stack.enter_context(open_texts(wanted, settings, reporter.update))
