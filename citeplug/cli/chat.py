"""`citeplug ask --chat`: a conversation at the prompt, its history part of each question."""

import contextlib
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.cli.answers import AnswerAsItComes, numbered, place_of
from citeplug.cli.ask_once import opened
from citeplug.cli.console import announce_query, say, show_findings
from citeplug.errors import Cancelled, CiteplugError, UsageError
from citeplug.records.answer import Answer, AnswerSentence, Turn, is_stale

if TYPE_CHECKING:
    from citeplug.ask.conversations import Conversation
    from citeplug.ask.run import AskedTexts, Wanted
    from citeplug.protocols import LanguageModel
    from citeplug.settings.environment import Settings

_HELP = """  /papers                what is asked, and of which texts
  /sources N             the quotations of sentence N of the last answer
  /insert N FILE:LINE    put sentence N behind that line of your draft, with \\cite and its entry
  /save FILE.md          write the conversation as Markdown, with references
  /new                   begin a new conversation
  /help                  this list
  /quit                  end (also Ctrl-D); Ctrl-C stops an answer and keeps what was said"""


@dataclass(slots=True)
class Chat:
    """A conversation and what it needs: texts that are asked, the model, the user's settings.

    `bib`: the .bib file for entries where the draft has several. `level` is the verbosity.
    """

    texts: "AskedTexts"
    conversation: "Conversation"
    settings: "Settings"
    model: "LanguageModel | None"
    level: int
    bib: Path | None = None

    def hold(self) -> None:
        """Answer the lines of standard input until it ends."""
        commands: dict[str, Callable[[list[str]], None]] = {
            "/papers": self._papers,
            "/sources": self._sources,
            "/insert": self._insert,
            "/save": self._save,
            "/new": self._new,
            "/help": lambda _: say(_HELP),
        }
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - input() takes the arrow keys with it
        say("Ask a question; /help lists the commands.", err=True)
        while (line := _read_line()) is not None:
            words = line.split()
            if not words:
                continue
            if words[0] in ("/quit", "/exit"):
                return
            try:
                if not words[0].startswith("/"):
                    self._ask(line)
                elif words[0] in commands:
                    commands[words[0]](words[1:])
                else:
                    raise UsageError(f"{words[0]} is no command", "/help lists them")
            except (Cancelled, KeyboardInterrupt):
                say("\nstopped", err=True)
            except CiteplugError as error:
                say(f"citeplug: {error}" + (f"\n    {error.hint}" if error.hint else ""), err=True)

    def _ask(self, question: str) -> None:
        from citeplug.ask.answer_question import answer_question

        coming = AnswerAsItComes(self.texts.texts)
        answer = answer_question(self.texts, question, self.conversation.turns, self.model, coming.show)
        coming.finish(answer)
        for each in self.texts.asked_too:
            say(f"asked too: {each}", err=True)
        show_findings(answer.findings, self.level)
        self.conversation.add(Turn(question, answer))

    def _papers(self, _: list[str]) -> None:
        from citeplug.records.paper import shown_id

        for text in self.texts.texts:
            name = text.id if text.of == "document" else shown_id(text.id)
            say(f"  {name}, {text.title} ({text.of})" if text.title != text.id else f"  {name} ({text.of})")

    def _sources(self, words: list[str]) -> None:
        from citeplug.ask.quoted import as_shown

        answer, sentence = self._sentence(words)
        say(f"  {as_shown(sentence)}")
        for each in sentence.citations:
            say(f"    {place_of(each, answer.looked_through)}")
            say(f"      “{' '.join(each.quote.split())}”")
        share = f"{100 * sentence.attribution:.0f} %"
        say(f"  attribution {share}: so many of its words are its passages'; {sentence.status}")
        if sentence.judgement is not None and sentence.judgement.doubt:
            say(f"  {sentence.judgement.doubt}")
        if is_stale(sentence, answer, self.texts.texts):
            say("  a text that it cites has changed since, or is not asked any more")

    def _insert(self, words: list[str]) -> None:
        from citeplug.ask.insert_answer import insert_sentence, read_place

        answer, sentence = self._sentence(words)
        if len(words) < 2:
            raise UsageError("the place is missing", "/insert N FILE.tex:LINE puts the sentence behind that line")
        place = read_place(" ".join(words[1:]))
        done = insert_sentence(answer, sentence, place, self.settings, bib=self.bib, announce=announce_query)
        say(f"  {place.file.name}, line {place.line + 1}: {done.tex}")
        if done.new_keys:
            say(f"  new entries: {', '.join(done.new_keys)}")
        show_findings(done.findings, self.level)

    def _save(self, words: list[str]) -> None:
        from citeplug.ask.conversations import save_as_markdown

        if not words:
            raise UsageError("the file is missing", "/save FILE.md")
        path = Path(" ".join(words))
        save_as_markdown(self.conversation.turns, self.texts.texts, path, self.settings)
        say(f"  wrote {path}")

    def _new(self, _: list[str]) -> None:
        from citeplug.ask.conversations import begin

        self.conversation = begin(self.settings.home, self.conversation.project)
        say("  a new conversation")

    def _sentence(self, words: list[str]) -> tuple[Answer, AnswerSentence]:
        """The sentence of the last answer whose number is the first word; the only one without a number."""
        answered = [turn.answer for turn in self.conversation.turns if turn.answer.sentences]
        if not answered:
            raise UsageError("there is no answer yet", "ask a question first")
        answer = answered[-1]
        return answer, numbered(answer, words[0] if words else "1")


def talk(
    wanted: "Wanted",
    main: Path | None,
    settings: "Settings",
    model: "LanguageModel | None",
    level: int,
    *,
    resume: bool,
    save: Path | None,
    bib: Path | None,
) -> None:
    """Hold a conversation on a draft, or in the folder in which the user is; it is kept, and saved where asked for."""
    from citeplug.ask import conversations

    project = (main or Path.cwd()).absolute()
    begun = (conversations.resume if resume else conversations.begin)(settings.home, project)
    with ExitStack() as stack:
        texts = opened(stack, wanted, settings, level, False)
        show_findings(tuple(texts.findings), level)
        chat = Chat(texts, begun, settings, model, level, bib)
        chat.hold()
        if save is not None and chat.conversation.turns:
            conversations.save_as_markdown(chat.conversation.turns, texts.texts, save, settings)


def _read_line() -> str | None:
    """The next line, None at the end of the input or where the user interrupts."""
    try:
        return input("? " if sys.stdin.isatty() else "").strip()
    except (EOFError, KeyboardInterrupt):
        return None
    except UnicodeDecodeError:
        return ""
