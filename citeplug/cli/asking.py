"""What `citeplug ask` does: one question, a file of questions, or a conversation."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from citeplug.ask import conversations
from citeplug.ask.batch import BadLine, answer_file
from citeplug.ask.insertion import insert_sentence, read_point
from citeplug.ask.session import AskSession
from citeplug.ask.shown import answer_as_json
from citeplug.ask.texts import Selection
from citeplug.cli import sending
from citeplug.cli.answers import AnswerAsItComes, numbered, show_answer
from citeplug.cli.ask_params import AskParams
from citeplug.cli.chat import Chat
from citeplug.cli.console import (
    announce_query,
    finding_as_json,
    is_watched,
    print_json,
    print_json_line,
    say,
    say_aloud,
    show_findings,
)
from citeplug.cli.options import names_of
from citeplug.cli.progress import progress
from citeplug.errors import Cancelled, UnreadableInput, UsageError
from citeplug.files.project_files import as_given
from citeplug.llm.chosen_model import language_model
from citeplug.llm.dry_run import Rehearsal
from citeplug.llm.guarded import CarefulModel
from citeplug.project.find_project import find_project
from citeplug.records.answer import Answer
from citeplug.records.finding import without_names
from citeplug.records.paper import ArxivId
from citeplug.related.paper_sets import PaperSet

Model = CarefulModel | Rehearsal | None


def ask_papers(options: AskParams) -> None:
    """Answer as the options say. Raises UsageError for options that exclude each other, and as asking does."""
    _need_one_way(options)
    is_one_question = not options.is_conversation and options.questions is None
    question, main, files = read_arguments(options.arguments, without_question=not is_one_question)
    if question and main is None:
        draft, named = _draft_here(), files or options.papers or options.library or options.topics
        own = () if draft is None else (draft.resolve(), draft.resolve().parent)
        others = tuple(file for file in files if file.resolve() not in own)
        # Asked as a text, the draft would answer by its own sentences about papers, and not they.
        if not named or others != files:
            main, files = draft, others
    settings = options.settings_for(main)
    selection = _selection(options, main, files)
    conversation = None
    with language_model(options.model(), settings, sending.announce_asking) as model:
        if options.is_conversation:
            project = (main or Path.cwd()).absolute()
            conversation = (conversations.resume if options.resume else conversations.begin)(settings.home, project)
        with closing(AskSession(settings, conversation)) as session:
            if options.questions is not None:
                _answer_file(options.questions, selection, session, options.level, model)
            else:
                with options.progress() as reporter:
                    session.open(selection, reporter.update)
                if options.is_conversation:
                    Chat(session, model, options.level, options.bib).hold()
                    if options.save is not None and session.turns:
                        session.save(options.save)
                else:
                    _answer_once(question, session, model, options)
        if not options.as_json:
            sending.show(model, options.level)


def _need_one_way(options: AskParams) -> None:
    """Raise UsageError for options that exclude each other."""
    if options.questions and not options.as_json:
        raise UsageError("--questions needs --json, because it prints JSON Lines", "add --json")
    if options.is_conversation and (options.as_json or options.questions or options.insert):
        raise UsageError("--chat cannot be combined with --json, --questions or --insert", "in a conversation, /help")
    if options.questions and (options.insert or options.save):
        raise UsageError("--insert and --save work only with a single question", "leave them out")


def read_arguments(arguments: Sequence[str], *, without_question: bool) -> tuple[str, Path | None, tuple[Path, ...]]:
    """The question, the draft if a .tex file stands before the question, and the other files and folders.

    The question is the first argument that is no file and no id; ids stay among the files. Raises UsageError if there
    is none, UnreadableInput for a further one, which must be a file.
    """
    places = [at for at, text in enumerate(arguments) if not _exists(text) and not _is_id(text)]
    if without_question:
        at = len(arguments)
        if places:
            raise UnreadableInput(f"{arguments[places[0]]} does not exist", "with --questions, give only files")
    elif not places:
        raise UsageError("the question is missing", 'write it in quotation marks: citeplug ask main.tex "How ...?"')
    else:
        at = places[0]
        if arguments[at].lower().endswith((".tex", ".pdf")) and " " not in arguments[at]:
            raise UnreadableInput(f"{arguments[at]} does not exist", "give an existing file, then the question")
    before = [Path(text) for text in arguments[:at]]
    main = before[0] if before and before[0].suffix.lower() == ".tex" else None
    files = (*before[1 if main else 0 :], *map(Path, arguments[at + 1 :]))
    return arguments[at] if at < len(arguments) else "", main, files


def _draft_here() -> Path | None:
    """The draft of the current folder, None where there is not exactly one."""
    try:
        return find_project().root
    except UnreadableInput:
        return None


def _exists(text: str) -> bool:
    try:
        return bool(text) and as_given(text).exists()
    except (OSError, ValueError):  # a question of 10,000 words, or with a null character, is no file's name
        return False


def _is_id(text: str) -> bool:
    """True for an id that follows another one after --papers."""
    try:
        return bool(ArxivId.parse(text))
    except ValueError:
        return False


def _selection(options: AskParams, main: Path | None, files: Sequence[Path]) -> Selection:
    if (options.cited or options.shortlist) and main is None:
        raise UsageError("--cited and --shortlist need a draft", 'citeplug ask main.tex "How ...?" --cited')
    ids = (*names_of(options.papers), *(str(file) for file in files if _is_id(str(file)) and not _exists(str(file))))
    files = tuple(file for file in files if str(file) not in ids)
    papers = PaperSet(ids, main if options.shortlist else None, main if options.cited else None, options.library)
    whole = None if options.cited or options.shortlist else main
    return Selection(papers, files, main=whole, topics=options.topics)


def _answer_once(question: str, session: AskSession, model: Model, options: AskParams) -> None:
    """Print the answer as it comes, or in the end; raise Cancelled if it was cut short, once it is printed."""
    coming = AnswerAsItComes(session)
    aloud = is_watched(options.level, options.as_json)
    answer = session.ask(question, model, coming.show if aloud else lambda _: None)
    session.keep(answer)
    for further in session.asked_too:
        say_aloud(f"also asked: {further}")
    findings = session.findings_on(answer)
    if aloud and not options.as_json:
        coming.finish(answer)
    elif not options.as_json:
        show_answer(answer)
    document = {**answer_as_json(answer), "findings": [finding_as_json(finding) for finding in findings]}
    if session.asked_too:
        document["asked_too"] = session.asked_too
    try:
        if options.save is not None:
            session.save(options.save)
            document["saved"] = str(options.save)
        if options.insert is not None:
            document["inserted"] = _insert(answer, options.insert, session, options)
    finally:  # the answer has been paid for, whatever becomes of its sentence
        if options.as_json:
            print_json({**document, **sending.as_json(model)})
        show_findings(
            findings if options.level > 0 else (without_names(finding, "full_text_missing") for finding in findings),
            options.level,
        )
    if any(finding.code == "answer_cut" for finding in findings):
        raise Cancelled("stopped")


def _insert(answer: Answer, place: str, session: AskSession, options: AskParams) -> dict[str, Any]:
    """Insert the sentence that the options name; what was done, as JSON has it."""
    point = read_point(place)
    sentence = numbered(answer, options.sentence)
    inserted = insert_sentence(answer, sentence, point, session.settings, bib=options.bib, announce=announce_query)
    if not options.as_json:
        say(f"\n{point.file.name}, line {point.line + 1}: {inserted.tex}")
    return {"tex": inserted.tex, "keys": list(inserted.keys), "files": [str(file) for file in inserted.files]}


def _answer_file(file: Path, selection: Selection, session: AskSession, level: int, model: Model) -> None:
    """Print an answer for each line; exit code 2 in the end if a line was not one.

    Raises Cancelled behind the line whose answer was stopped.
    """
    bad = 0
    with progress(level, True) as reporter:
        for result in answer_file(file, selection, session, reporter.update, model):
            if isinstance(result, BadLine):
                bad += 1
                say_aloud(f"{file}, line {result.number}: {result.why}" if result.number else result.why)
                continue
            question_id, answer = result
            findings = [finding_as_json(finding) for finding in answer.findings]
            print_json_line({"question_id": question_id, **answer_as_json(answer), "findings": findings})
            if any(finding.code == "answer_cut" for finding in answer.findings):
                raise Cancelled("stopped")
    if bad:
        raise SystemExit(2)
