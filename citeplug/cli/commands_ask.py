"""`citeplug ask`: questions to papers and documents."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli import options
from citeplug.cli.ask_once import Extras, answer_once
from citeplug.cli.chat import talk
from citeplug.cli.console import (
    finding_as_json,
    print_json_line,
    progress,
    say_aloud,
)
from citeplug.cli.help_groups import GroupedCommand
from citeplug.errors import Cancelled, UnreadableInput, UsageError

if TYPE_CHECKING:
    from citeplug.ask.run import Wanted
    from citeplug.llm.dry_run import Rehearsal
    from citeplug.llm.guarded import CarefulModel
    from citeplug.records.answer import Answer
    from citeplug.settings.environment import Settings


@click.command(
    cls=GroupedCommand,
    everyday=("chat", "llm", "papers", "library", "as_json"),
    epilog='Example: citeplug ask main.tex "How do these methods avoid recomputing the cache?"',
)
@click.argument("arguments", nargs=-1, metavar="[MAIN.tex] QUESTION [FILES...]")
@click.option("--papers", multiple=True, metavar="ID,ID...", help="Ask these papers.")
@click.option("--library", is_flag=True, help="Ask all works of your library.")
@click.option("--cited", is_flag=True, help="Of MAIN.tex ask only what it cites.")
@click.option("--shortlist", is_flag=True, help="Of MAIN.tex ask only what its section would discuss.")
@click.option("--topic", "topics", multiple=True, metavar="T", help="Ask the newest papers of this topic.")
@click.option(
    "--augment", is_flag=True, help="Ask at most five prepared questions too ('citeplug prepare'); they are shown."
)
@click.option("--questions", type=click.Path(path_type=Path), help="A JSON Lines file of questions; needs --json.")
@click.option("--chat", is_flag=True, help="Hold a conversation: each question is asked with what was said before.")
@click.option("--resume", is_flag=True, help="Go on with the last conversation on this draft, or in this folder.")
@click.option("--save", type=click.Path(path_type=Path), help="Write questions and answers to a new Markdown file.")
@click.option(
    "--insert", metavar="FILE:LINE", help="Put a sentence of the answer behind a line of your draft, with its entry."
)
@click.option("--sentence", metavar="N", default="1", help="The sentence for --insert. [default: the first]")
@click.option("--bib", type=click.Path(path_type=Path), help="File of the entries, where your draft has several.")
@options.language_model_that(
    "Your questions and the passages found are sent to it. Default: as in your config.toml, else none: the papers' own"
    " sentences answer."
)
@options.offline
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
    augment: bool,
    questions: Path | None,
    chat: bool,
    resume: bool,
    save: Path | None,
    insert: str | None,
    sentence: str,
    bib: Path | None,
    llm: str | None,
    models: tuple[str, ...],
    max_cost: float | None,
    max_tokens: int | None,
    offline: bool,
    embedder: str | None,
    device: str | None,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Answer a question from papers, or say that nothing found answers it.

    Asked are the papers of MAIN.tex (what its section would discuss, and what it cites), by default of the draft in
    the current folder, those that options name, and FILES: PDF, TeX, HTML, Markdown, text, .docx, or a folder of
    these. Full texts are asked where they are on this machine, else abstracts. The answer is in their own words, and
    nothing is sent anywhere; with --llm a model words it, and each of its sentences is checked against the passages
    that it quotes.
    """
    from citeplug.cli import sending
    from citeplug.corpus.stores import for_project
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.llm.chosen_model import Wanted as WantedModel
    from citeplug.llm.chosen_model import language_model

    level, chat = verbose - quiet, chat or resume
    _need_one_way(chat=chat, as_json=as_json, questions=questions is not None, insert=insert is not None, save=save)
    question, main, files = read_arguments(arguments, without_question=chat or questions is not None)
    if question and main is None and not (files or papers or library or topics):
        main = _draft_here()
    settings = for_project(settings_of(offline=offline, embedder=embedder, device=device), main)
    wanted = _wanted(main, files, papers, library=library, cited=cited, shortlist=shortlist, topics=topics)
    wanted = replace(wanted, augment=augment)
    chosen = WantedModel(llm, models, max_cost, max_tokens)
    with language_model(chosen, settings, sending.announce_asking) as model:
        if questions is not None:
            _answer_file(questions, wanted, settings, level, model)
        elif chat:
            talk(wanted, main, settings, model, level, resume=resume, save=save, bib=bib)
        else:
            extras = Extras(save, insert, sentence, bib, as_json)
            answer_once(question, wanted, settings, model, level, extras)
        if not as_json:
            sending.show(model, level)


def _need_one_way(*, chat: bool, as_json: bool, questions: bool, insert: bool, save: Path | None) -> None:
    """Raise UsageError for options that exclude each other."""
    if questions and not as_json:
        raise UsageError("--questions prints JSON Lines alone", "add --json")
    if chat and (as_json or questions or insert):
        raise UsageError("--chat goes with none of --json, --questions and --insert", "in a conversation, /help")
    if questions and (insert or save is not None):
        raise UsageError("--insert and --save go with one question", "leave them out")


def read_arguments(arguments: Sequence[str], *, without_question: bool) -> tuple[str, Path | None, tuple[Path, ...]]:
    """The question, the draft if a .tex file stands before the question, and the other files and folders.

    The question is the first argument that is no file and no id; ids stay among the files. Raises UsageError if there
    is none, UnreadableInput for a further one, which must be a file.
    """
    places = [at for at, each in enumerate(arguments) if not _exists(each) and not _is_id(each)]
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


def _draft_here() -> Path | None:
    """The draft of the current folder, None where there is not exactly one."""
    from citeplug.project.find_project import find_project

    try:
        return find_project().root
    except UnreadableInput:
        return None


def _exists(text: str) -> bool:
    from citeplug.files.project_files import as_given

    try:
        return bool(text) and as_given(text).exists()
    except (OSError, ValueError):  # a question of 10,000 words, or with a null character, is no file's name
        return False


def _is_id(text: str) -> bool:
    """True for an id that follows another one after --papers."""
    from citeplug.records.paper import ArxivId

    try:
        return bool(ArxivId.parse(text))
    except ValueError:
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
    from citeplug.ask.run import Wanted
    from citeplug.related.paper_sets import PaperSet

    if (cited or shortlist) and main is None:
        raise UsageError("--cited and --shortlist go with a draft", 'citeplug ask main.tex "How ...?" --cited')
    listed = [each for text in papers for each in text.replace(",", " ").split()]
    ids = (*listed, *(str(each) for each in files if _is_id(str(each)) and not _exists(str(each))))
    files = tuple(each for each in files if str(each) not in ids)
    named = PaperSet(ids, main if shortlist else None, main if cited else None, library)
    return Wanted(named, files, main=None if cited or shortlist else main, topics=topics)


def _answer_file(
    file: Path, wanted: "Wanted", settings: "Settings", level: int, model: "CarefulModel | Rehearsal | None"
) -> None:
    """Print an answer for each line; exit code 2 in the end if a line was not one.

    Raises Cancelled behind the line whose answer was stopped.
    """
    from citeplug.ask.ask_batch import BadLine, answer_file

    bad = 0
    with progress(level, True) as reporter:
        for each in answer_file(file, wanted, settings, reporter.update, model):
            if isinstance(each, BadLine):
                bad += 1
                say_aloud(f"{file}, line {each.number}: {each.why}" if each.number else each.why)
                continue
            question_id, answer = each
            findings = [finding_as_json(finding) for finding in answer.findings]
            said = {"question_id": question_id, **as_object(answer), "findings": findings}
            print_json_line(said)
            if any(finding.code == "answer_cut" for finding in answer.findings):
                raise Cancelled("stopped")
    if bad:
        raise SystemExit(2)


def as_object(answer: "Answer") -> dict[str, Any]:
    from citeplug.ask.saved import answer_as_json

    return answer_as_json(answer)
