"""`citeplug ask`: questions to papers and documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeplug.cli.ask_once import Extras, answer_once
from citeplug.cli.chat import talk
from citeplug.cli.console import (
    finding_as_json,
    print_json_line,
    progress,
    say_aloud,
)
from citeplug.cli.options import LocalModels, ModelOptions, OfflineOptions, Output, language_model_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import Cancelled, UnreadableInput, UsageError

if TYPE_CHECKING:
    from citeplug.ask.run import Wanted
    from citeplug.llm.dry_run import Rehearsal
    from citeplug.llm.guarded import CarefulModel
    from citeplug.records.answer import Answer
    from citeplug.settings.environment import Settings


@parameters
class AskParams(ModelOptions, OfflineOptions, LocalModels, Output):
    arguments: tuple[str, ...] = argument("[MAIN.tex] QUESTION [FILES...]")
    papers: tuple[str, ...] = option("Ask these papers.", metavar="ID,ID...")
    library: bool = option("Ask all works of your library.")
    cited: bool = option("Of MAIN.tex ask only what it cites.")
    shortlist: bool = option("Of MAIN.tex ask only what its section would discuss.")
    topics: tuple[str, ...] = option("Ask the newest papers of this topic.", "--topic", metavar="T")
    augment: bool = option("Ask at most five prepared questions too ('citeplug prepare'); they are shown.")
    questions: Path | None = option("A JSON Lines file of questions; needs --json.")
    chat: bool = option("Hold a conversation: each question is asked with what was said before.")
    resume: bool = option("Go on with the last conversation on this draft, or in this folder.")
    save: Path | None = option("Write questions and answers to a new Markdown file.")
    insert: str | None = option(
        "Put a sentence of the answer behind a line of your draft, with its entry.", metavar="FILE:LINE"
    )
    sentence: str = option(
        "The sentence for --insert. [default: the first]", metavar="N", default="1", show_default=False
    )
    bib: Path | None = option("File of the entries, where your draft has several.")
    llm: str | None = language_model_option(
        "Your questions and the passages found are sent to it. Default: as in your config.toml, else none: the"
        " papers' own sentences answer."
    )


@command(
    'Example: citeplug ask main.tex "How do these methods avoid recomputing the cache?"',
    everyday=("chat", "llm", "papers", "library", "as_json"),
)
def ask(params: AskParams) -> None:
    """Answer a question from papers, or say that nothing found answers it.

    Asked are the papers of MAIN.tex (what its section would discuss, and what it cites), by default of the draft in
    the current folder, those that options name, and FILES: PDF, TeX, HTML, Markdown, text, .docx, or a folder of
    these. Full texts are asked where they are on this machine, else abstracts. The answer is in their own words, and
    nothing is sent anywhere; with --llm a model words it, and each of its sentences is checked against the passages
    that it quotes.
    """
    from citeplug.cli import sending
    from citeplug.llm.chosen_model import language_model

    level, chat = params.level, params.chat or params.resume
    _need_one_way(params, chat=chat)
    question, main, files = read_arguments(params.arguments, without_question=chat or params.questions is not None)
    if question and main is None and not (files or params.papers or params.library or params.topics):
        main = _draft_here()
    settings = params.settings_for(main)
    wanted = _wanted(params, main, files)
    with language_model(params.model(), settings, sending.announce_asking) as model:
        if params.questions is not None:
            _answer_file(params.questions, wanted, settings, level, model)
        elif chat:
            talk(wanted, main, settings, model, level, resume=params.resume, save=params.save, bib=params.bib)
        else:
            extras = Extras(params.save, params.insert, params.sentence, params.bib, params.as_json)
            answer_once(question, wanted, settings, model, level, extras)
        if not params.as_json:
            sending.show(model, level)


def _need_one_way(params: AskParams, *, chat: bool) -> None:
    """Raise UsageError for options that exclude each other."""
    questions, insert = params.questions is not None, params.insert is not None
    if questions and not params.as_json:
        raise UsageError("--questions prints JSON Lines alone", "add --json")
    if chat and (params.as_json or questions or insert):
        raise UsageError("--chat goes with none of --json, --questions and --insert", "in a conversation, /help")
    if questions and (insert or params.save is not None):
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


def _wanted(params: AskParams, main: Path | None, files: tuple[Path, ...]) -> "Wanted":
    from citeplug.ask.run import Wanted
    from citeplug.related.paper_sets import PaperSet

    cited, shortlist = params.cited, params.shortlist
    if (cited or shortlist) and main is None:
        raise UsageError("--cited and --shortlist go with a draft", 'citeplug ask main.tex "How ...?" --cited')
    listed = [each for text in params.papers for each in text.replace(",", " ").split()]
    ids = (*listed, *(str(each) for each in files if _is_id(str(each)) and not _exists(str(each))))
    files = tuple(each for each in files if str(each) not in ids)
    named = PaperSet(ids, main if shortlist else None, main if cited else None, params.library)
    main = None if cited or shortlist else main
    return Wanted(named, files, main=main, topics=params.topics, augment=params.augment)


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
