"""`citeplug ask --chat`: a conversation at the prompt, its history part of each question."""

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from citeplug.ask import conversations
from citeplug.ask.insertion import insert_sentence, read_point
from citeplug.ask.session import AskSession
from citeplug.ask.shown import as_shown, quote_shown
from citeplug.cli.answers import AnswerAsItComes, numbered, place_of
from citeplug.cli.console import announce_query, say, say_error, show_findings
from citeplug.errors import Cancelled, CiteplugError, UsageError
from citeplug.protocols import LanguageModel
from citeplug.records.answer import Answer, AnswerSentence, is_stale
from citeplug.records.paper import shown_id

_HELP = """  /papers                the papers asked about, and which of their texts
  /sources N             the quotations for sentence N of the last answer
  /insert N FILE:LINE    put sentence N after that line of your draft, with \\cite and its entry
  /save FILE.md          write the conversation as Markdown, with references
  /new                   start a new conversation
  /help                  this list
  /quit                  quit (also Ctrl-D); Ctrl-C stops an answer and keeps what was said"""


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation at the prompt. `bib`: the .bib file for entries where the draft has several."""

    session: AskSession
    model: LanguageModel | None
    level: int
    bib: Path | None = None

    def hold(self) -> None:
        """Answer the lines of standard input until it ends."""
        show_findings(tuple(self.session.texts.findings), self.level)
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
                    raise UsageError(f"{words[0]} is not a command", "/help lists them")
            except (Cancelled, KeyboardInterrupt):
                say("\nstopped", err=True)
            except CiteplugError as error:
                say_error(str(error), error.hint)

    def _ask(self, question: str) -> None:
        coming = AnswerAsItComes(self.session)
        answer = self.session.ask(question, self.model, coming.show)
        coming.finish(answer)
        for further in self.session.asked_too:
            say(f"also asked: {further}", err=True)
        show_findings(answer.findings, self.level)
        self.session.keep(answer)

    def _papers(self, _: list[str]) -> None:
        if self.session.now is None:
            say("  the whole corpus; nearest to the last question:")
        for text in self.session.texts.texts:
            name = text.id if text.of == "document" else shown_id(text.id)
            say(f"  {name}, {text.title} ({text.of})" if text.title != text.id else f"  {name} ({text.of})")

    def _sources(self, words: list[str]) -> None:
        answer, sentence = self._sentence(words)
        say(as_shown(sentence), lead="  ")
        for citation in sentence.citations:
            say(f"    {place_of(citation, answer.looked_through)}")
            say(f"      {quote_shown(citation.quote)}")
        share = f"{100 * sentence.attribution:.0f} %"
        say(f"  attribution {share}, the share of its words that are in its passages; {sentence.status}")
        if sentence.judgement is not None and sentence.judgement.doubt:
            say(f"  {sentence.judgement.doubt}")
        if self.session.now is not None and is_stale(sentence, answer, self.session.now):
            say("  a text that it cites has changed since then, or is no longer asked")

    def _insert(self, words: list[str]) -> None:
        answer, sentence = self._sentence(words)
        if len(words) < 2:
            raise UsageError("the place is missing", "/insert N FILE.tex:LINE puts the sentence after that line")
        point = read_point(" ".join(words[1:]))
        inserted = insert_sentence(
            answer, sentence, point, self.session.settings, bib=self.bib, announce=announce_query
        )
        say(f"  {point.file.name}, line {point.line + 1}: {inserted.tex}")
        if inserted.new_keys:
            say(f"  new entries: {', '.join(inserted.new_keys)}")
        show_findings(inserted.findings, self.level)

    def _save(self, words: list[str]) -> None:
        if not words:
            raise UsageError("the file is missing", "/save FILE.md")
        path = Path(" ".join(words))
        self.session.save(path)
        say(f"  wrote {path}")

    def _new(self, _: list[str]) -> None:
        if old := self.session.conversation:
            self.session.conversation = conversations.begin(old.home, old.project)
        say("  a new conversation")

    def _sentence(self, words: list[str]) -> tuple[Answer, AnswerSentence]:
        """The sentence of the last answer whose number is the first word; the only one without a number."""
        answered = [turn.answer for turn in self.session.turns if turn.answer.sentences]
        if not answered:
            raise UsageError("there is no answer yet", "ask a question first")
        answer = answered[-1]
        return answer, numbered(answer, words[0] if words else "1")


def _read_line() -> str | None:
    """The next line, None at the end of the input or where the user interrupts."""
    try:
        return input("? " if sys.stdin.isatty() else "").strip()
    except (EOFError, KeyboardInterrupt):
        return None
    except UnicodeDecodeError:
        return ""
