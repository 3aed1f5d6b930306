"""Display of a model's prose while it is written, before it is checked."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Heard, Reply, Request

_ESCAPES = {"n": " ", "t": " ", "r": " ", "b": "", "f": " "}

_WIDTH = 96  # characters


class SentencesAsTheyCome:
    """Reads the values under the key `text` out of JSON that comes in pieces, cut anywhere.

    Nothing is decided by it: the finished answer is read by `prose.read_prose`. What is no JSON is passed over.
    """

    def __init__(self, key: str = "text") -> None:
        self._key = key
        self._before = ""  # the last sign outside strings
        self._last = ""  # the last string that was not shown
        self._inside = False
        self._shown = False  # whether the string that is open is shown
        self._escape: str | None = None
        self._high = ""  # the first half of a pair of surrogates

    def feed(self, piece: str) -> str:
        """The text that `piece` adds; a line break ends each finished sentence."""
        out: list[str] = []
        for letter in piece:
            if not self._inside:
                self._outside(letter)
            elif self._escape is not None:
                self._escaped(letter, out)
            elif letter == "\\":
                self._escape = ""
            elif letter == '"':
                self._inside = False
                if self._shown:
                    out.append("\n")
                self._before = '"'
            else:
                self._take(letter, out)
        return "".join(out)

    def _outside(self, letter: str) -> None:
        if letter == '"':
            self._inside = True
            self._shown = self._before == ":" and self._last == self._key
            self._last = ""
        elif not letter.isspace():
            self._before = letter

    def _escaped(self, letter: str, out: list[str]) -> None:
        assert self._escape is not None
        if not self._escape and letter != "u":
            self._escape = None
            self._take(_ESCAPES.get(letter, letter), out)
            return
        self._escape += letter
        if len(self._escape) < 5:
            return
        try:
            code = int(self._escape[1:], 16)
        except ValueError:
            code = 0xFFFD
        self._escape = None
        if 0xD800 <= code < 0xDC00:
            self._high = chr(code)
        elif 0xDC00 <= code < 0xE000:
            pair = f"{self._high}{chr(code)}" if self._high else "\ufffd"
            self._high = ""
            self._take(pair.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), out)
        else:
            self._take(chr(code), out)

    def _take(self, text: str, out: list[str]) -> None:
        if self._shown:
            out.append(" " if text == "\n" else text)
        elif len(self._last) < 40:
            self._last += text


class Aloud:
    """A language model whose prose is shown as it comes; requests and replies are unchanged.

    `show` is called with each line. `heard` is True once a line was shown.
    """

    def __init__(self, model: LanguageModel, show: Callable[[str], None]) -> None:
        self._model = model
        self._show_line = show
        self.heard = False

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        return self._model.complete(request, on_text or self._show([request]))

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        return self._model.complete_all(requests, on_text or self._show(requests))

    def _show(self, requests: Sequence[Request]) -> Callable[[Heard], None] | None:
        prose = [number for number, request in enumerate(requests) if request.stage == "prose"]
        if not prose:
            return None
        paragraphs = Paragraphs([requests[number].label or "the section" for number in prose], self._say)

        def hear(heard: Heard) -> None:
            if heard.number in prose:
                paragraphs.hear(replace(heard, number=prose.index(heard.number)))

        return hear

    def _say(self, line: str) -> None:
        if not self.heard:
            self.heard = True
            self._show_line("what the model writes, not yet checked:")
        self._show_line(line)


class Paragraphs:
    """Concurrent answers, shown one after the other in whole lines; only the first unfinished one is shown as it comes.

    `labels` are the answers' headings in order; `show` is called with each line.
    """

    def __init__(self, labels: Sequence[str], show: Callable[[str], None]) -> None:
        self._labels = labels
        self._show = show
        self._readers = [SentencesAsTheyCome() for _ in labels]
        self._waiting = [""] * len(labels)  # text that is not shown yet
        self._begun = [False] * len(labels)
        self._done = [False] * len(labels)
        self._now = 0

    def hear(self, heard: Heard) -> None:
        number = heard.number
        if heard.state == "anew":
            self._readers[number] = SentencesAsTheyCome()
            self._waiting[number] = ""
            if self._begun[number]:
                self._show("  ... the answer was interrupted and starts again:")
        elif heard.state == "more":
            self._waiting[number] += self._readers[number].feed(heard.text)
        else:
            self._done[number] = True
        while self._now < len(self._labels):
            self._flush(self._now)
            if not self._done[self._now]:
                break
            self._now += 1

    def _flush(self, number: int) -> None:
        """Show the full lines; all of the text once the answer has ended."""
        text = self._waiting[number]
        while text.strip():
            end = text.find("\n", 0, _WIDTH)
            if end < 0 and len(text) > _WIDTH:
                end = text.rfind(" ", 1, _WIDTH)
                end = _WIDTH if end < 0 else end
            if end < 0 and not self._done[number]:
                break
            line, text = (text, "") if end < 0 else (text[:end], text[end:].lstrip())
            self._line(number, line)
        self._waiting[number] = text

    def _line(self, number: int, line: str) -> None:
        if not self._begun[number]:
            self._begun[number] = True
            self._show(f"[{self._labels[number]}]")
        if line.strip():
            self._show(f"  {line.strip()}")
