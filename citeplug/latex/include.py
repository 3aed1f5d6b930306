"""Reading a document in the order in which LaTeX does.

Comments, verbatim text, dead branches, definitions and what follows `\\endinput` or `\\end{document}` are
left out; included files and macros that carry structure are put in place. What comes out is one `Text`
whose every character knows its file.
"""

import re
from pathlib import Path

from citeplug.files.decode import Decoded
from citeplug.latex import branching, definitions, files, verbatim
from citeplug.latex.stream import Frame, Handler, ReadingState, Stream
from citeplug.latex.text import Origin, Text
from citeplug.latex.vocabulary import MATH_ENVIRONMENTS
from citeplug.text.scanning import LineIndex, blank

_NAME = re.compile(r"\s*\{\s*([^{}\\%]{1,100}?)\s*\}")
# Code chunks of Sweave and knitr documents.
_CHUNK = re.compile(r"^<<[^\n]*>>=[^\n]*\n(?:.*?\n)??@[^\n]*$", re.MULTILINE | re.DOTALL)
_CHUNKED = (".rnw", ".snw", ".rtex", ".nw", ".ltx")


class Reader(ReadingState):
    """Reads one document; use it once."""

    def read(self, root: Path) -> Stream:
        """Read from the root file. Raises OSError if it cannot be read."""
        decoded = self.folders.read(root)
        self.stream.encoding = decoded.encoding
        self.read_file(root, decoded)
        self.stream.text = self.out.build()
        return self.stream

    def read_file(self, path: Path, decoded: Decoded) -> None:
        string = self.as_allowed(path, decoded.text)
        if path.suffix.lower() in _CHUNKED:
            string = _without_chunks(string)
        self.stream.files.append(path)
        self.stream.lines.setdefault(path, LineIndex(decoded.text))
        self.open.append(path.resolve())
        self.run(Frame(Text.of(string, Origin(path, 0)), file=True, mark=self.out.length))
        self.open.pop()

    def run(self, frame: Frame, active: frozenset[str] = frozenset()) -> None:
        self.depth += 1
        string, position = frame.string, 0
        macros = self.stream.macros
        while not (self.done or frame.stopped):
            match = self.pattern.search(string, position)
            if match is None:
                break
            start, position = match.span()
            if string[start] == "%":
                position = verbatim.skip_comment(self, frame, start)
                continue
            if string[start] != "\\":
                position = verbatim.short_verb(self, frame, start)
                continue
            name = string[start + 1 : position]
            handler = _HANDLERS.get(self.shorthands.get(name, name))
            if handler is not None:
                position = handler(self, frame, start, position)
            elif name in macros and name not in active:
                position = definitions.use_macro(self, frame, start, position, active)
            elif name in self.setters:
                switch, value = self.setters[name]
                self.switches[switch] = value
                position = self.drop(frame, start, position)
            elif name.startswith("if"):
                position = branching.conditional(self, frame, start, position)
        if not (self.done or frame.stopped):
            self.emit(frame, len(string))
        self.depth -= 1


def _without_chunks(string: str) -> str:
    last = string.rfind("\n@") + 2  # behind it no chunk ends, and each would be looked for to the end of the file
    return _CHUNK.sub(lambda match: blank(match.group()), string[:last]) + string[last:]


def _begin(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    match = _NAME.match(frame.string, position)
    if match is None:
        return position
    name = match[1]
    if name == "document":
        if len(reading.open) > 1 and frame.file:
            # An included document brings its body only.
            reading.out.cut_back(frame.mark)
            frame.last = match.end()
        else:
            reading.in_body = True
            reading.compile()
    elif name.startswith("filecontents"):
        return verbatim.file_contents(reading, frame, start, match.end(), name)
    elif name == "citeplugplan":
        # Any text, for document_options.py: nothing in it is a command.
        stop = verbatim.end_of(reading, frame, name, start, match.end())
        if stop is not None:
            reading.emit(frame, stop)
            return stop
    elif name in reading.dropped or name in reading.verbatim:
        stop = verbatim.end_of(reading, frame, name, start, match.end())
        if stop is not None:
            reading.emit(frame, start)
            reading.add_at(frame, start, "\n")
            frame.last = stop
            return stop
    elif name in reading.environments and name not in MATH_ENVIRONMENTS:
        return definitions.use_environment(reading, frame, start, match.end(), reading.environments[name].begin)
    return match.end()


def _end(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    match = _NAME.match(frame.string, position)
    if match is None:
        return position
    name = match[1]
    if name == "document":
        reading.emit(frame, start)
        frame.stopped = True
        if len(reading.open) == 1 or "\\begin{document}" not in frame.string:
            reading.done = True
    elif name in reading.environments and name not in MATH_ENVIRONMENTS:
        return definitions.use_environment(reading, frame, start, match.end(), reading.environments[name].end)
    return match.end()


_HANDLERS: dict[str, Handler] = {
    "begin": _begin,
    "end": _end,
    **verbatim.HANDLERS,
    **definitions.HANDLERS,
    **branching.HANDLERS,
    **files.HANDLERS,
}
