"""`citeplug ask`: questions to papers and documents."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.errors import UnreadableInput, UsageError
from citeplug.faces.cli import options
from citeplug.faces.cli.answers import show_answer
from citeplug.faces.cli.console import finding_as_json, print_json, progress, say_aloud, show_findings, write_utf8
from citeplug.faces.cli.help_groups import GroupedCommand

if TYPE_CHECKING:
    from citeplug.records.answer import Answer
    from citeplug.settings.environment import Settings
    from citeplug.usecases.ask import Wanted


@click.command(
    cls=GroupedCommand,
    everyday=("papers", "library", "cited", "questions", "as_json"),
    epilog='Example: citeplug ask main.tex "How do these methods avoid recomputing the cache?"',
)
@click.argument("arguments", nargs=-1, metavar="[MAIN.tex] QUESTION [FILES...]")
@click.option("--papers", multiple=True, metavar="ID,ID...", help="Ask these papers.")
@click.option("--library", is_flag=True, help="Ask all works of your library.")
@click.option("--cited", is_flag=True, help="Of MAIN.tex ask only what it cites.")
@click.option("--shortlist", is_flag=True, help="Of MAIN.tex ask only what its section would discuss.")
@options.topics
@click.option("--questions", type=click.Path(path_type=Path), help="A JSON Lines file of questions; needs --json.")
@options.embedder
@options.device
@options.as_json
@options.verbosity
def ask(
    arguments: tuple[str, ...],
    papers: tuple[str, ...],
    library: bool,
    cited: bool,
    shortlist: bool,
    topics: tuple[str, ...],
    questions: Path | None,
    embedder: str | None,
    device: str | None,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Answer a question from papers, in their own words, or say that nothing found answers it.

    Asked are the papers of MAIN.tex (what its section would discuss, and what it cites), those that options name, and
    FILES: PDF, TeX, HTML, Markdown, text, .docx, or a folder of these. Full texts are asked where they are on this
    machine, else abstracts. Nothing is sent anywhere.
    """
    from citeplug.usecases.ask import open_texts
    from citeplug.usecases.stores import settings as settings_of

    level = verbose - quiet
    settings = settings_of(embedder=embedder, device=device)
    question, main, files = read_arguments(arguments, without_question=questions is not None)
    wanted = _wanted(main, files, papers, library=library, cited=cited, shortlist=shortlist, topics=topics)
    if questions is not None:
        if not as_json:
            raise UsageError("--questions prints JSON Lines alone", "add --json")
        _answer_file(questions, wanted, settings, level)
        return
    with progress(level, as_json) as reporter, open_texts(wanted, settings, reporter.update) as texts:
        answer = texts.answer(question)
        findings = (*texts.findings, *answer.findings)
    if as_json:
        print_json({**as_object(answer), "findings": [finding_as_json(each) for each in findings]})
    else:
        show_answer(answer)
    show_findings(findings, level)


def read_arguments(arguments: Sequence[str], *, without_question: bool) -> tuple[str, Path | None, tuple[Path, ...]]:
    """The question, the draft if a .tex file stands before the question, and the other files and folders.

    The question is the first argument that is no file. Raises UsageError if there is none, UnreadableInput for a
    further one, which must be a file.
    """
    places = [at for at, each in enumerate(arguments) if not _exists(each)]
    if without_question:
        at = len(arguments)
        if places:
            raise UnreadableInput(f"{arguments[places[0]]} does not exist", "with --questions, give files alone")
    elif not places:
        raise UsageError("the question is missing", 'write it in quotation marks: citeplug ask main.tex "How ...?"')
    else:
        at = places[0]
        if arguments[at].lower().endswith((".tex", ".pdf")) and " " not in arguments[at]:
            raise UnreadableInput(f"{arguments[at]} does not exist", "give a file that is there, then the question")
    before = [Path(each) for each in arguments[:at]]
    main = before[0] if before and before[0].suffix.lower() == ".tex" else None
    files = (*before[1 if main else 0 :], *map(Path, arguments[at + 1 :]))
    return arguments[at] if at < len(arguments) else "", main, files


def _exists(text: str) -> bool:
    try:
        return bool(text) and Path(text).expanduser().exists()
    except (OSError, ValueError):  # a question of 10,000 words, or with a null character, is no file's name
        return False


def _wanted(
    main: Path | None,
    files: tuple[Path, ...],
    papers: Sequence[str],
    *,
    library: bool,
    cited: bool,
    shortlist: bool,
    topics: tuple[str, ...],
) -> "Wanted":
    from citeplug.usecases.ask import Wanted
    from citeplug.usecases.paper_sets import PaperSet

    if (cited or shortlist) and main is None:
        raise UsageError("--cited and --shortlist go with a draft", 'citeplug ask main.tex "How ...?" --cited')
    ids = tuple(each for text in papers for each in text.replace(",", " ").split())
    named = PaperSet(ids, main if shortlist else None, main if cited else None, library)
    return Wanted(named, files, main=None if cited or shortlist else main, topics=topics)


def _answer_file(file: Path, wanted: "Wanted", settings: "Settings", level: int) -> None:
    """Print an answer for each line; exit code 2 in the end if a line was not one."""
    from citeplug.usecases.ask_batch import BadLine, answer_file

    bad = 0
    with progress(level, True) as reporter:
        for each in answer_file(file, wanted, settings, reporter.update):
            if isinstance(each, BadLine):
                bad += 1
                say_aloud(f"{file}, line {each.number}: {each.why}" if each.number else each.why)
                continue
            question_id, answer = each
            findings = [finding_as_json(finding) for finding in answer.findings]
            said = {"question_id": question_id, **as_object(answer), "findings": findings}
            write_utf8(json.dumps(said, ensure_ascii=False) + "\n")
    if bad:
        raise SystemExit(2)


def as_object(answer: "Answer") -> dict[str, Any]:
    from citeplug.answer.as_json import answer_as_json

    return answer_as_json(answer)


COMMANDS = (ask,)
