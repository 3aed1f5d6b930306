"""The sentences in an answer of JSON, read while it still comes."""

_ESCAPES = {"n": " ", "t": " ", "r": " ", "b": "", "f": " "}


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
