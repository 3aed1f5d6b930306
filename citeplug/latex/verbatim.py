"""Text that LaTeX does not read as LaTeX: comments, verbatim, code, URLs, file contents."""

import re

from citeplug.latex.stream import Frame, ReadingState, handlers

_COMMENT = re.compile(r"%[^\r\n]*(?:(\r\n|\r|\n)[ \t]*)?")
_LINE_VERB = re.compile(r"\*?([^\sA-Za-z*])([^\r\n]*?)\1")
_LINE_END = re.compile(r"[\r\n]")
_ONE_LINE_GROUP = re.compile(r"\s*\{((?:[^{}\r\n]|\{[^{}\r\n]*\})*)\}")


def skip_comment(reading: ReadingState, frame: Frame, start: int) -> int:
    """Leave out the comment at `start`, with the line end and indentation after it as TeX does."""
    match = _COMMENT.match(frame.string, start)
    assert match is not None
    end = match.end()
    if match[1] and frame.string[end : end + 1] in ("\r", "\n"):
        end = match.start(1)  # a blank line follows: that is a paragraph, comment or not
    return reading.drop(frame, start, end)


def short_verb(reading: ReadingState, frame: Frame, start: int) -> int:
    """Verbatim text between two characters that were declared for it."""
    string = frame.string
    stop = string.find(string[start], start + 1)
    line = _LINE_END.search(string, start)
    if stop < 0 or (line and line.start() < stop):
        return start + 1
    return reading.put(frame, start, stop + 1, (start + 1, stop))


def _verb(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    match = _LINE_VERB.match(frame.string, position)
    if match is None:
        return position
    return reading.put(frame, start, match.end(), match.span(2))


def _inline_code(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    option = frame.source.option(position)
    at = option[1] + 1 if option else position
    if frame.string.startswith("\\mintinline", start):
        language = frame.source.group(at)
        at = language[1] + 1 if language else at
    match = _ONE_LINE_GROUP.match(frame.string, at)
    if match:
        return reading.put(frame, start, match.end(), match.span(1))
    return _verb(reading, frame, start, at)


def _url(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    # In a URL % is a character, and the closing brace behind it counts.
    option = frame.source.option(position)
    match = _ONE_LINE_GROUP.match(frame.string, option[1] + 1 if option else position)
    if match is None or not re.search(r"[%#_&~^$\\]", match[1]):
        return position
    if "\\" in match[1] and "%" not in match[1]:
        return position
    reading.emit(frame, match.start(1))
    return reading.put(frame, match.start(1), match.end(1), match.span(1))


def _define_verbatim(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    option = frame.source.option(position)
    name = frame.source.group(option[1] + 1 if option else position)
    if name:
        text = frame.string[name[0] : name[1]].strip()
        command = frame.string[start + 1 : position]
        reading.verbatim.add(text + "code" if command == "newminted" else text)
    return position


def _define_dropped(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    name = frame.source.group(position)
    if name:
        text = frame.string[name[0] : name[1]].strip()
        if frame.string.startswith("\\excludecomment", start):
            reading.dropped.add(text)
        else:
            reading.dropped.discard(text)
        return reading.drop(frame, start, name[1] + 1)
    return position


def end_of(reading: ReadingState, frame: Frame, name: str, start: int, position: int) -> int | None:
    """The end of the verbatim environment `name`, whose contents begin at `position`; None if it has none."""
    wanted = f"\\end{{{name}}}"
    stop = -1 if name in frame.unclosed else frame.string.find(wanted, position)
    if stop < 0:
        frame.unclosed.add(name)
        reading.doubt("unclosed_environment", f"\\begin{{{name}}} has no \\end{{{name}}}", frame, start)
        return None
    return stop + len(wanted)


def file_contents(reading: ReadingState, frame: Frame, start: int, position: int, environment: str) -> int:
    """Keep the contents of a `filecontents` environment as the file that LaTeX would write."""
    option = frame.source.option(position)
    name = frame.source.group(option[1] + 1 if option else position)
    stop = end_of(reading, frame, environment, start, position)
    if stop is None or name is None or name[1] > stop:
        return position
    end = stop - len(f"\\end{{{environment}}}")
    title = frame.string[name[0] : name[1]].strip()
    reading.stream.virtual.setdefault(title, frame.text.slice(name[1] + 1, end))
    return reading.drop(frame, start, stop)


HANDLERS = handlers(
    ("verb", _verb),
    ("Verb lstinline mintinline", _inline_code),
    ("url nolinkurl path href", _url),
    ("lstnewenvironment DefineVerbatimEnvironment newtcblisting newverbatim", _define_verbatim),
    ("DeclareTCBListing NewTCBListing CustomVerbatimEnvironment newminted", _define_verbatim),
    ("excludecomment includecomment", _define_dropped),
)
