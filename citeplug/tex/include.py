"""Reading a document in the order in which LaTeX does.

Comments, verbatim text, dead branches, definitions and what follows `\\endinput` or `\\end{document}` are
left out; included files and macros that carry structure (citations, headings, further files) are put in
place. What comes out is one `Text` whose every character knows its file.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.records.review import Finding
from citeplug.tex import conditionals, macros
from citeplug.tex.decode import Decoded, read_text
from citeplug.tex.folders import Folders
from citeplug.tex.macros import Environment, Macro
from citeplug.tex.scan import BLANK_LINE, Lines, Source, without_comments
from citeplug.tex.text import Origin, Text, TextBuilder, literal
from citeplug.tex.vocabulary import (
    COMMENT_ENVIRONMENTS,
    KNOWN_CITES,
    MATH_ENVIRONMENTS,
    SECTIONS,
    VERBATIM_ENVIRONMENTS,
    is_cite,
)

_DEPTH = 40
_LONGEST = 30_000_000
_MOST_EXPANSIONS = 50_000
_GRAPHICS = (".pgf", ".pdf_tex", ".eps_tex", ".svg_tex", ".pdf", ".png", ".jpg", ".eps")
_COMMENT = re.compile(r"%[^\r\n]*(?:(\r\n|\r|\n)[ \t]*)?")
_CHUNK = re.compile(r"^<<[^\n]*>>=[^\n]*\n(?:.*?\n)??@[^\n]*$", re.MULTILINE | re.DOTALL)
_NAME_GROUP = re.compile(r"\s*\{\s*([^{}\\%]{1,100}?)\s*\}")
_LINE_VERB = re.compile(r"\*?([^\sA-Za-z*])([^\r\n]*?)\1")
_URL = re.compile(r"\s*\{([^{}\r\n]*)\}")
_WORDS = re.compile(r"\\([A-Za-z@]+)")
_TEX_NAME = re.compile(r"\s*(\"[^\"\r\n]+\"|[^\s{}\\%\"]+(?:\\[A-Za-z]+[^\s{}\\%]*)?|\\[A-Za-z@]+[^\s{}\\%]*)")
# Commands that make a macro worth expanding: they carry structure, or what is read changes with them.
_STRUCTURAL = frozenset(SECTIONS) | frozenset(
    """title icmltitle abstract Abstract input include subfile import subimport bibliography addbibresource bibitem
        bibliographystyle endinput verb printbibliography maketitle nobibliography""".split()
)
_KEPT_AS_KNOWN = _STRUCTURAL | frozenset(
    """begin end documentclass usepackage RequirePackage newcommand renewcommand def let emph textbf textit texttt
    footnote label ref item caption thanks author date par""".split()
)


@dataclass(slots=True)
class Package:
    """A loaded package with its options as written."""

    name: str
    options: str


@dataclass(slots=True)
class Stream:
    """What was read. `files` in the order read, root first; `virtual` are the `filecontents` by name."""

    text: Text
    files: list[Path] = field(default_factory=list)
    macros: dict[str, Macro] = field(default_factory=dict)
    packages: list[Package] = field(default_factory=list)
    document_class: str | None = None
    virtual: dict[str, Text] = field(default_factory=dict)
    cite_names: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    encoding: str = "utf-8"
    lines: dict[Path, Lines] = field(default_factory=dict)
    sources: dict[Path, str] = field(default_factory=dict)


class _Frame:
    """One string being read: a file, a macro's expansion, or a branch."""

    __slots__ = ("branches", "file", "last", "mark", "source", "stopped", "string", "text", "waiting")

    def __init__(self, text: Text, file: bool = False, mark: int = 0) -> None:
        self.text = text
        self.string = text.string
        self.source = Source(text.string)
        self.file = file
        self.mark = mark
        self.last = 0
        self.stopped = False
        self.branches: conditionals.Branches | None = None
        self.waiting: list[bool | None] = []


class Reader:
    """Reads one document; use it once. `read` returns the stream."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._out = TextBuilder()
        self._stream = Stream(Text("", [], []))
        self._switches: dict[str, bool] = {}
        self._setters: dict[str, tuple[str, bool]] = {}
        self._toggles: dict[str, bool] = {}
        self._environments: dict[str, Environment] = {}
        self._verbatim = set(VERBATIM_ENVIRONMENTS)
        self._dropped = set(COMMENT_ENVIRONMENTS)
        self._structural: dict[str, bool] = {}
        self._open: list[Path] = []
        self._places: list[Path] = []
        self._expansions = 0
        self._depth = 0
        self._done = False
        self._package = False
        self._body = False
        self._short: str = ""
        self._pattern = self._compile()
        self._handlers = self._table()

    def read(self, root: Path) -> Stream:
        """Read from the root file. Raises OSError if it cannot be read."""
        decoded = read_text(root)
        self._stream.encoding = decoded.encoding
        self._file(root, decoded)
        self._stream.text = self._out.build()
        return self._stream

    # -- the loop -----------------------------------------------------------------------------------

    def _compile(self) -> re.Pattern[str]:
        letters = "A-Za-z" if self._body else "A-Za-z@"
        short = "|[" + re.escape(self._short) + "]" if self._short and self._body else ""
        return re.compile(rf"%|\\(?:[{letters}]+|.){short}", re.DOTALL)

    def _file(self, path: Path, decoded: Decoded) -> None:
        stream = self._stream
        string = decoded.text
        if path.suffix.lower() in (".rnw", ".snw", ".rtex", ".nw", ".ltx"):
            string = _CHUNK.sub(lambda match: re.sub(r"[^\r\n]", " ", match.group()), string)
        stream.files.append(path)
        stream.sources.setdefault(path, decoded.text)
        stream.lines.setdefault(path, Lines(decoded.text))
        self._open.append(path.resolve())
        self._run(_Frame(Text.of(string, Origin(path, 0)), file=True, mark=self._out.length))
        self._open.pop()

    def _run(self, frame: _Frame, active: frozenset[str] = frozenset()) -> None:
        self._depth += 1
        string, position = frame.string, 0
        end = len(string)
        while position < end and not (self._done or frame.stopped):
            match = self._pattern.search(string, position)
            if match is None:
                break
            token = match.group()
            start, position = match.span()
            if token == "%":
                position = self._comment(frame, start)
            elif token[0] != "\\":
                position = self._short_verb(frame, start)
            else:
                name = token[1:]
                handler = self._handlers.get(name)
                if handler is not None:
                    position = handler(frame, start, position)
                elif name in self._setters:
                    switch, value = self._setters[name]
                    self._switches[switch] = value
                    position = self._drop(frame, start, position)
                elif name in self._stream.macros and name not in active:
                    position = self._macro(frame, start, position, active)
                elif name.startswith("if"):
                    position = self._if(frame, start, position)
        if not (self._done or frame.stopped):
            self._emit(frame, end)
        self._depth -= 1

    def _emit(self, frame: _Frame, end: int) -> None:
        if end > frame.last:
            if self._out.length < _LONGEST and not self._package:
                self._out.add_text(frame.text, frame.last, end)
            frame.last = end

    def _drop(self, frame: _Frame, start: int, end: int) -> int:
        self._emit(frame, start)
        frame.last = max(end, frame.last)
        return end

    def _put(self, frame: _Frame, start: int, end: int, content: tuple[int, int], drop_name: bool = True) -> int:
        """Emit `content` as verbatim characters in the place of `start` to `end`."""
        self._emit(frame, start)
        if not self._package:
            if not drop_name:
                self._out.add_text(frame.text, start, content[0])
            for string, origin in frame.text.stretches(*content):
                self._out.add(literal(string), origin)
        frame.last = content[1] if not drop_name else end
        return end

    def _comment(self, frame: _Frame, start: int) -> int:
        match = _COMMENT.match(frame.string, start)
        assert match is not None
        end = match.end()
        if match[1] and frame.string[end : end + 1] in ("\r", "\n"):
            end = match.start(1)  # a blank line follows: that is a paragraph, comment or not
        return self._drop(frame, start, end)

    # -- verbatim -----------------------------------------------------------------------------------

    def _short_verb(self, frame: _Frame, start: int) -> int:
        string = frame.string
        stop = string.find(string[start], start + 1)
        line = re.compile(r"[\r\n]").search(string, start)
        if stop < 0 or (line and line.start() < stop):
            return start + 1
        return self._put(frame, start, stop + 1, (start + 1, stop))

    def _verb(self, frame: _Frame, start: int, position: int) -> int:
        match = _LINE_VERB.match(frame.string, position)
        if match is None:
            return position
        return self._put(frame, start, match.end(), match.span(2))

    def _inline_code(self, frame: _Frame, start: int, position: int) -> int:
        option = frame.source.option(position)
        at = option[1] + 1 if option else position
        if frame.string.startswith("\\mintinline", start):
            language = frame.source.group(at)
            at = language[1] + 1 if language else at
        match = _URL.match(frame.string, at)
        if match:
            return self._put(frame, start, match.end(), match.span(1))
        return self._verb(frame, start, at)

    def _url(self, frame: _Frame, start: int, position: int) -> int:
        # In a URL % is a character, and the closing brace behind it counts.
        option = frame.source.option(position)
        match = _URL.match(frame.string, option[1] + 1 if option else position)
        if match is None or not re.search(r"[%#_&~^$\\]", match[1]):
            return position
        if "\\" in match[1] and "%" not in match[1]:
            return position
        return self._put(frame, start, match.end(1), match.span(1), drop_name=False)

    def _define_verbatim(self, frame: _Frame, start: int, position: int) -> int:
        option = frame.source.option(position)
        name = frame.source.group(option[1] + 1 if option else position)
        if name:
            text = frame.string[name[0] : name[1]].strip()
            command = frame.string[start + 1 : position]
            self._verbatim.add(text + "code" if command == "newminted" else text)
        return position

    def _define_dropped(self, frame: _Frame, start: int, position: int) -> int:
        name = frame.source.group(position)
        if name:
            text = frame.string[name[0] : name[1]].strip()
            if frame.string.startswith("\\excludecomment", start):
                self._dropped.add(text)
            else:
                self._dropped.discard(text)
            return self._drop(frame, start, name[1] + 1)
        return position

    def _make_short(self, frame: _Frame, start: int, position: int) -> int:
        match = re.compile(r"\*?\s*(?:\[[^\]\r\n]*\]|\{[^{}\r\n]*\})?\s*(?:\{\\?(.)\}|\\(.))").match(
            frame.string, position
        )
        if match is None:
            return position
        self._short += match[1] or match[2]
        self._pattern = self._compile()
        return self._drop(frame, start, match.end())

    # -- environments -------------------------------------------------------------------------------

    def _begin(self, frame: _Frame, start: int, position: int) -> int:
        match = _NAME_GROUP.match(frame.string, position)
        if match is None:
            return position
        name = match[1]
        if name == "document":
            if len(self._open) > 1 and frame.file:
                self._out.cut_back(frame.mark)  # an included document brings its body only
                return self._drop(frame, match.end(), match.end())
            self._body = True
            self._pattern = self._compile()
        elif name.startswith("filecontents"):
            return self._file_contents(frame, start, match.end(), name)
        elif name in self._dropped or name in self._verbatim:
            stop = self._end_of(frame, name, start, match.end())
            if stop is not None:
                self._emit(frame, start)
                self._add_at(frame, start, "\n")
                return self._drop(frame, start, stop)
        elif name in self._environments and name not in MATH_ENVIRONMENTS:
            return self._environment(frame, start, match.end(), self._environments[name].begin)
        return match.end()

    def _end(self, frame: _Frame, start: int, position: int) -> int:
        match = _NAME_GROUP.match(frame.string, position)
        if match is None:
            return position
        if match[1] == "document":
            self._emit(frame, start)
            frame.stopped = True
            if len(self._open) == 1 or "\\begin{document}" not in frame.string:
                self._done = True
        elif match[1] in self._environments and match[1] not in MATH_ENVIRONMENTS:
            return self._environment(frame, start, match.end(), self._environments[match[1]].end)
        return match.end()

    def _environment(self, frame: _Frame, start: int, position: int, macro: Macro) -> int:
        if not self._carries(macro.body, frozenset()) or macro.program or self._depth > _DEPTH:
            return position
        found = macro.arguments(frame.source, position)
        if found is None:
            return position
        return self._expand(frame, start, found[1], macro, found[0], frozenset())

    def _end_of(self, frame: _Frame, name: str, start: int, position: int) -> int | None:
        wanted = f"\\end{{{name}}}"
        stop = frame.string.find(wanted, position)
        if stop < 0:
            self._doubt("unclosed_environment", "warning", f"\\begin{{{name}}} has no \\end{{{name}}}", frame, start)
            return None
        return stop + len(wanted)

    def _file_contents(self, frame: _Frame, start: int, position: int, environment: str) -> int:
        option = frame.source.option(position)
        name = frame.source.group(option[1] + 1 if option else position)
        stop = self._end_of(frame, environment, start, position)
        if stop is None or name is None or name[1] > stop:
            return position
        end = stop - len(f"\\end{{{environment}}}")
        title = frame.string[name[0] : name[1]].strip()
        self._stream.virtual.setdefault(title, frame.text.slice(name[1] + 1, end))
        return self._drop(frame, start, stop)

    # -- definitions --------------------------------------------------------------------------------

    def _remember(self, macro: Macro) -> None:
        if self._package and (macro.name in KNOWN_CITES or "@" in macro.name):
            return
        if macro.name in _KEPT_AS_KNOWN:
            return
        if macro.name.startswith("if") and macro.synonym in ("iftrue", "iffalse"):
            self._switches[macro.name] = macro.synonym == "iftrue"
            return
        self._stream.macros[macro.name] = macro
        self._structural.clear()

    def _newcommand(self, frame: _Frame, start: int, position: int) -> int:
        found = macros.read_newcommand(frame.source, position)
        if found is None:
            return position
        command = frame.string[start + 1 : position]
        if not (command == "providecommand" and found[0].name in self._stream.macros):
            self._remember(found[0])
        return self._drop(frame, start, found[1])

    def _def(self, frame: _Frame, start: int, position: int) -> int:
        found = macros.read_def(frame.source, position)
        if found is None:
            return position
        if found[0].name == "input@path":
            for name in re.findall(r"\{([^{}]*)\}", found[0].body):
                self._folders.inputs.append(self._folders.base / name)
        self._remember(found[0])
        return self._drop(frame, start, found[1])

    def _document_command(self, frame: _Frame, start: int, position: int) -> int:
        found = macros.read_document_command(frame.source, position)
        if found is None:
            return position
        self._remember(found[0])
        return self._drop(frame, start, found[1])

    def _let(self, frame: _Frame, start: int, position: int) -> int:
        found = macros.read_let(frame.source, position)
        if found is None:
            return position
        name, other, end = found
        target = self._stream.macros.get(other[1:])
        if other.startswith("\\") and other[1:] in self._switches and name.startswith("if"):
            self._switches[name] = self._switches[other[1:]]
        elif target is not None:
            self._remember(Macro(name, target.body, target.parameters, target.prefix, target.primitive))
        else:
            self._remember(Macro(name, other, primitive=other.startswith("\\")))
        return self._drop(frame, start, end)

    def _newif(self, frame: _Frame, start: int, position: int) -> int:
        match = re.compile(r"\s*\\if([A-Za-z@]+)").match(frame.string, position)
        if match is None:
            return position
        name = match[1]
        self._switches.setdefault("if" + name, False)
        self._setters[name + "true"] = ("if" + name, True)
        self._setters[name + "false"] = ("if" + name, False)
        return self._drop(frame, start, match.end())

    def _new_environment(self, frame: _Frame, start: int, position: int) -> int:
        document = "DocumentEnvironment" in frame.string[start:position]
        found = macros.read_environment(frame.source, position, document)
        if found is None:
            return position
        environment = found[0]
        if re.search(r"\\(?:verbatim|lstnewenvironment|Verbatim\b|minted|VerbatimEnvironment)", environment.begin.body):
            self._verbatim.add(environment.name)
        elif re.search(r"\\comment\b|\\setbox\s*0|\\begin\{comment\}", environment.begin.body):
            self._dropped.add(environment.name)
        elif environment.name.lower() != "abstract":
            self._environments[environment.name] = environment
        return self._drop(frame, start, found[1])

    def _cite_command(self, frame: _Frame, start: int, position: int) -> int:
        match = re.compile(r"\*?\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))").match(frame.string, position)
        if match is None:
            return position
        many = "Multi" in frame.string[start:position]
        self._stream.cite_names[match[1] or match[2]] = "cites" if many else "cite"
        end = match.end()
        while (option := frame.source.option(end)) or (option := frame.source.group(end)):
            end = option[1] + 1
        return self._drop(frame, start, end)

    def _newcites(self, frame: _Frame, start: int, position: int) -> int:
        names = frame.source.group(position)
        titles = frame.source.group(names[1] + 1) if names else None
        if names is None or titles is None:
            return position
        for name in re.findall(r"[A-Za-z]+", frame.string[names[0] : names[1]]):
            for kind in ("cite", "nocite", "citet", "citep", "citealp", "citealt", "citeauthor", "citeyear"):
                self._stream.cite_names[kind + name] = kind
            for kind in ("bibliography", "bibliographystyle"):
                self._remember(Macro(kind + name, "\\" + kind, primitive=True))
        return self._drop(frame, start, titles[1] + 1)

    # -- macros -------------------------------------------------------------------------------------

    def _carries(self, body: str, seen: frozenset[str]) -> bool:
        for name in _WORDS.findall(body):
            if name in _STRUCTURAL or is_cite(name) or name in self._stream.cite_names:
                return True
            if name.startswith("if") and name not in ("iff",):
                return True
            if name == "begin" and re.search(r"\\begin\s*\{[^{}]*(?:abstract|thebibliography)", body, re.IGNORECASE):
                return True
            macro = self._stream.macros.get(name)
            if macro is not None and name not in seen and len(seen) < 20:
                if name not in self._structural:
                    self._structural[name] = self._carries(macro.body, seen | {name})
                if self._structural[name]:
                    return True
        return "\\end" in body and re.search(r"\\end\s*\{[^{}]*abstract", body, re.IGNORECASE) is not None

    def _macro(self, frame: _Frame, start: int, position: int, active: frozenset[str]) -> int:
        macro = self._stream.macros[frame.string[start + 1 : position]]
        if macro.program or self._depth > _DEPTH or self._expansions > _MOST_EXPANSIONS:
            return position
        name = macro.name
        if name not in self._structural:
            self._structural[name] = self._carries(macro.body, frozenset({name}))
        cites = is_cite(name) and name not in KNOWN_CITES
        if not self._structural[name] and not cites and not (macro.parameters and macro.discards()):
            return position
        found = macro.arguments(frame.source, position)
        if found is None:
            return position
        arguments, end = found
        if not self._structural[name] and not cites:
            written = frame.string[position:end]
            if not any(is_cite(word) or word in _STRUCTURAL for word in _WORDS.findall(written)):
                return position
        return self._expand(frame, start, end, macro, arguments, active | {name})

    def _expand(
        self, frame: _Frame, start: int, end: int, macro: Macro, arguments: list[macros.Piece], active: frozenset[str]
    ) -> int:
        self._expansions += 1
        self._emit(frame, start)
        first, last = frame.text.at(start), frame.text.at(max(end - 1, start))
        if first.macro is not None:
            use = first
        else:
            stop = last.offset + 1 if last.macro is None and last.file == first.file else first.offset + end - start
            use = Origin(first.file, first.offset, max(stop, first.offset + 1), macro.name)
        builder = TextBuilder()
        for part in macro.pieces():
            argument = part if isinstance(part, str) else arguments[part - 1]
            if isinstance(argument, str):
                builder.add(argument, use)
            else:
                builder.add_text(frame.text, *argument)
        expansion = builder.build()
        if macro.primitive:
            if not self._package:
                self._out.add_text(expansion, 0, len(expansion.string))
        elif expansion.string:
            alias = macro.synonym
            if alias and alias in self._stream.macros and alias not in active and not arguments:
                return self._alias(frame, start, end, self._stream.macros[alias], active | {alias})
            self._run(_Frame(expansion), active)
        frame.last = end
        return end

    def _alias(self, frame: _Frame, start: int, end: int, macro: Macro, active: frozenset[str]) -> int:
        # \newcommand{\A}{\B}: the arguments of \B stand behind \A.
        found = macro.arguments(frame.source, end)
        if found is None or macro.program:
            frame.last = end
            return end
        return self._expand(frame, start, found[1], macro, found[0], active)

    # -- conditionals -------------------------------------------------------------------------------

    def _if(self, frame: _Frame, start: int, position: int, negate: bool = False) -> int:
        name = frame.string[start + 1 : position]
        if not conditionals.is_conditional(name, self._switches, frame.string, position):
            return position
        if frame.branches is None:
            frame.branches = conditionals.Branches(frame.string, self._switches)
        branches = frame.branches
        if start not in branches.end:
            if name in self._switches or name in ("iffalse", "iftrue"):
                self._doubt("unclosed_conditional", "warning", f"\\{name} has no \\fi", frame, start)
            return position
        value, end = conditionals.decide(name, frame.string, position, self._switches, self._stream.macros)
        end = min(end, branches.end[start][0])
        otherwise = branches.otherwise.get(start)
        if value is not None and value is not negate:
            frame.waiting.append(True)
            return self._drop(frame, start, end)
        if value is None:
            frame.waiting.append(None)
            return self._drop(frame, start, end)
        if otherwise is not None:
            frame.waiting.append(None)
            return self._drop(frame, start, otherwise[1])
        return self._drop(frame, start, branches.end[start][1])

    def _unless(self, frame: _Frame, start: int, position: int) -> int:
        match = re.compile(r"\s*\\if[A-Za-z@]+").match(frame.string, position)
        if match is None:
            return position
        self._drop(frame, start, position)
        return self._if(frame, match.end() - len(match.group().lstrip()), match.end(), negate=True)

    def _else(self, frame: _Frame, start: int, position: int) -> int:
        if not frame.waiting or frame.branches is None:
            return position
        if frame.waiting[-1] is None:
            return self._drop(frame, start, position)
        # The branch before was the one to read: go on behind the \fi.
        frame.waiting.pop()
        return self._drop(frame, start, frame.branches.after.get(start, position))

    def _fi(self, frame: _Frame, start: int, position: int) -> int:
        if not frame.waiting:
            return position
        frame.waiting.pop()
        return self._drop(frame, start, position)

    def _or(self, frame: _Frame, start: int, position: int) -> int:
        return self._drop(frame, start, position) if frame.waiting else position

    def _set_toggle(self, frame: _Frame, start: int, position: int) -> int:
        command = frame.string[start + 1 : position]
        match = _NAME_GROUP.match(frame.string, position)
        if match is None:
            return position
        end = match.end()
        if command.startswith("set"):
            value = _NAME_GROUP.match(frame.string, end)
            if value is None:
                return position
            self._toggles[match[1]] = value[1] == "true"
            end = value.end()
        elif command.startswith(("new", "provide")):
            self._toggles.setdefault(match[1], False)
            if "oggle" not in command:
                self._setters[match[1] + "true"] = ("if" + match[1], True)
                self._setters[match[1] + "false"] = ("if" + match[1], False)
        else:
            self._toggles[match[1]] = command.endswith("true")
        return self._drop(frame, start, end)

    def _choice(self, frame: _Frame, start: int, position: int) -> int:
        """`\\ifthenelse{test}{A}{B}` and its kin: the branch that is read, or both if that is not known."""
        command = frame.string[start + 1 : position]
        source = frame.source
        tests = [source.argument(position)]
        if command in ("ifstrequal", "ifdefstring", "ifdefstrequal") and tests[0]:
            tests.append(source.argument(tests[0][2]))
        if tests[-1] is None or self._depth > _DEPTH:
            return position
        yes = source.argument(tests[-1][2])
        if yes is None:
            return position
        no = source.group(yes[2])
        end = no[1] + 1 if no else yes[2]
        texts = [frame.string[test[0] : test[1]].strip() for test in tests if test]
        value = self._truth(command, texts)
        self._emit(frame, start)
        if value is not False:
            self._run(_Frame(frame.text.slice(*yes[:2])))
        if value is not True and no:
            self._run(_Frame(frame.text.slice(*no)))
        frame.last = end
        return end

    def _truth(self, command: str, texts: list[str]) -> bool | None:
        defined = self._stream.macros
        text = texts[0]
        name = text.lstrip("\\")
        if command in ("iftoggle", "ifbool", "nottoggle", "notbool"):
            value = self._toggles.get(text, self._switches.get("if" + text))
            return (not value if command.startswith("not") else value) if value is not None else None
        if command in ("ifdef", "ifcsdef"):
            return name in defined
        if command in ("ifundef", "@ifundefined", "ifcsundef"):
            return name not in defined if "@" not in name else None
        if command == "@ifpackageloaded":
            return any(package.name == text for package in self._stream.packages)
        if command == "IfFileExists":
            return self._folders.find(self._plain_name(text), (".tex",)).exists
        if command in ("ifstrequal", "ifdefstring") and len(texts) == 2:
            left = defined[name].body if command == "ifdefstring" and name in defined else text
            return left == texts[1]
        if command == "ifthenelse":
            return self._ifthen(text)
        return None

    def _ifthen(self, test: str) -> bool | None:
        negated = re.match(r"\s*(?:\\not|\\NOT)\b\s*", test)
        if negated:
            value = self._ifthen(test[negated.end() :])
            return None if value is None else not value
        match = re.fullmatch(r"\s*\\(boolean|isundefined|equal)\s*\{([^{}]*)\}\s*(?:\{([^{}]*)\})?\s*", test)
        if match is None:
            return None
        if match[1] == "boolean":
            value = self._toggles.get(match[2], self._switches.get("if" + match[2]))
            return self._switches.get("if" + match[2], value)
        if match[1] == "isundefined":
            return match[2].strip().lstrip("\\") not in self._stream.macros
        left, right = (self._plain_name(part or "") for part in (match[2], match[3]))
        return None if "\\" in left + right else left == right

    # -- files --------------------------------------------------------------------------------------

    def _plain_name(self, text: str) -> str:
        """A file name with the author's macros in it resolved."""
        name = without_comments(text)
        for _ in range(10):
            replaced = _WORDS.sub(self._word, name)
            if replaced == name:
                break
            name = replaced
        return re.sub(r"\\(?:detokenize|string)\s*|[{}]|\\(?=[ _])", "", name).strip()

    def _word(self, match: re.Match[str]) -> str:
        if match[1] == "jobname" and self._stream.files:
            return self._stream.files[0].stem
        macro = self._stream.macros.get(match[1])
        return macro.body if macro is not None and not macro.parameters else match.group()

    def _input(self, frame: _Frame, start: int, position: int) -> int:
        group = frame.source.group(position)
        if group:
            name, end = frame.string[group[0] : group[1]], group[1] + 1
        else:
            match = _TEX_NAME.match(frame.string, position)
            if (
                match is None
                or frame.string.startswith("include", start + 1)
                or frame.string.startswith("subf", start + 1)
            ):
                return position
            name, end = match[1], match.end()
        return self._include(frame, start, end, name)

    def _import(self, frame: _Frame, start: int, position: int) -> int:
        star = position + frame.string.startswith("*", position)
        folder = frame.source.group(star)
        name = frame.source.group(folder[1] + 1) if folder else None
        if folder is None or name is None:
            return position
        place = self._folders.base
        if frame.string.startswith("\\sub", start) and self._places:
            place = self._places[-1]
        place = place / self._plain_name(frame.string[folder[0] : folder[1]])
        return self._include(frame, start, name[1] + 1, frame.string[name[0] : name[1]], place)

    def _input_if_exists(self, frame: _Frame, start: int, position: int) -> int:
        group = frame.source.group(position)
        if group is None:
            return position
        yes = frame.source.group(group[1] + 1)
        no = frame.source.group(yes[1] + 1) if yes else None
        name = self._plain_name(frame.string[group[0] : group[1]])
        end = no[1] + 1 if no else yes[1] + 1 if yes else group[1] + 1
        if self._folders.find(name, (".tex",)).exists:
            self._include(frame, start, group[1] + 1, name)
            branch = yes
        else:
            self._emit(frame, start)
            branch = no
        if branch:
            self._run(_Frame(frame.text.slice(*branch)))
        frame.last = end
        return end

    def _include(self, frame: _Frame, start: int, end: int, written: str, place: Path | None = None) -> int:
        name = self._plain_name(written)
        if not name or name.startswith("|") or "#" in name or name.lower().endswith(_GRAPHICS):
            return self._drop(frame, start, end)
        self._emit(frame, start)
        frame.last = end
        virtual = self._stream.virtual.get(name) or self._stream.virtual.get(name + ".tex")
        extra = tuple(p for p in (place, self._places[-1] if self._places else None) if p)
        found = self._folders.find(name, (".tex", ".ltx"), extra)
        if not found.exists and not found.outside and "\\" in name:
            found = self._folders.find(name.replace("\\", "/"), (".tex", ".ltx"), extra)
        if not found.exists and not found.outside and self._open:
            found_beside = self._folders.find(name, (".tex", ".ltx"), (self._open[-1].parent,))
            found = found_beside if found_beside.exists else found
        if found.path in self._folders.skip:
            return end
        if not found.exists:
            if virtual is not None and self._depth <= _DEPTH and not self._package:
                self._run(_Frame(virtual))
            else:
                self._not_found(frame, start, name, found.outside)
            return end
        self._read_included(frame, start, found.path, place)
        return end

    def _not_found(self, frame: _Frame, start: int, name: str, outside: bool) -> None:
        if outside:
            message, fix = f"{name} lies outside the project and is not read", "move the file into the project's folder"
            self._doubt("input_outside_project", "warning", message, frame, start, fix)
        elif "\\" in name:
            message = f"the file name {name} contains a command whose meaning is not known"
            self._doubt("unresolved_input", "warning", message, frame, start, "write the file's name out")
        elif not name.endswith((".sty", ".cls", ".bbl", ".aux", ".toc", ".ind", ".gls")) and name != "glyphtounicode":
            fix = "add the file, or take the command out"
            self._doubt("missing_input", "warning", f"the included file {name} does not exist", frame, start, fix)

    def _read_included(self, frame: _Frame, start: int, path: Path, place: Path | None) -> None:
        if path.resolve() in self._open:
            self._doubt("input_cycle", "warning", f"{path.name} includes itself", frame, start)
        elif self._depth > _DEPTH or len(self._stream.files) > 5000 or self._out.length > _LONGEST:
            self._doubt("input_too_deep", "warning", f"{path.name} is not read: too many files in files", frame, start)
        else:
            try:
                decoded = read_text(path)
            except OSError as error:
                self._doubt(
                    "unreadable_input", "warning", f"{path.name} cannot be read: {error.strerror}", frame, start
                )
                return
            if place is not None:
                self._places.append(place)
            self._file(path, decoded)
            if place is not None:
                self._places.pop()
            self._add_at(frame, start, "\n\n" if frame.string.startswith("\\inc", start) else "\n")

    def _add_at(self, frame: _Frame, start: int, string: str) -> None:
        if not self._package:
            origin = frame.text.at(start)
            use = Origin(origin.file, origin.offset, origin.offset + 1, origin.macro or "")
            self._out.add(string, use)

    def _packages(self, frame: _Frame, start: int, position: int) -> int:
        option = frame.source.option(position)
        names = frame.source.group(option[1] + 1 if option else position)
        if names is None:
            return position
        options = without_comments(frame.string[option[0] : option[1]]) if option else ""
        for name in without_comments(frame.string[names[0] : names[1]]).split(","):
            if name.strip():
                self._load(name.strip(), options)
        return names[1] + 1

    def _load(self, name: str, options: str) -> None:
        stem = name.rsplit("/", 1)[-1]
        if any(package.name == stem for package in self._stream.packages):
            return
        self._stream.packages.append(Package(stem, options))
        if stem == "ffcode" and "novert" not in options:
            self._short += "|"
            self._pattern = self._compile()
        found = self._folders.find(name, (".sty",))
        if not found.exists or self._depth > _DEPTH or found.path.stat().st_size > 200_000:
            return
        # A package in the project is read for the author's macros; its text is none of the draft's.
        outer, self._package = self._package, True
        try:
            self._open.append(found.path)
            self._run(_Frame(Text.of(read_text(found.path).text, Origin(found.path, 0))))
            self._open.pop()
        except OSError:
            self._open.pop()
        self._package = outer

    def _class(self, frame: _Frame, start: int, position: int) -> int:
        option = frame.source.option(position)
        name = frame.source.group(option[1] + 1 if option else position)
        if name is None:
            return position
        if self._stream.document_class is None and not self._package:
            self._stream.document_class = without_comments(frame.string[name[0] : name[1]]).strip()
            if frame.string.startswith("\\documentstyle", start) and option:
                for style in without_comments(frame.string[option[0] : option[1]]).split(","):
                    if style.strip() and not style.strip().endswith(("pt", "column")):
                        self._load(style.strip(), "")
        return name[1] + 1

    def _pass_options(self, frame: _Frame, start: int, position: int) -> int:
        options = frame.source.group(position)
        name = frame.source.group(options[1] + 1) if options else None
        if options and name:
            stem = frame.string[name[0] : name[1]].strip()
            self._stream.packages.append(Package("options:" + stem, frame.string[options[0] : options[1]]))
        return position

    def _end_input(self, frame: _Frame, start: int, position: int) -> int:
        self._emit(frame, start)
        frame.stopped = True
        return position

    def _doubt(
        self, code: str, severity: str, message: str, frame: _Frame, position: int, fix: str | None = None
    ) -> None:
        origin = frame.text.at(position) if frame.text.origins else Origin(self._folders.base, 0)
        lines = self._stream.lines.get(origin.file)
        line = lines.number(origin.offset) if lines else None
        column = lines.column(origin.offset) if lines else None
        finding = Finding(code, severity, message, origin.file, line, column, fix)  # type: ignore[arg-type]
        if len(self._stream.findings) < 1000 and finding not in self._stream.findings[-20:]:
            self._stream.findings.append(finding)

    def _table(self) -> dict[str, Callable[[_Frame, int, int], int]]:
        table: dict[str, Callable[[_Frame, int, int], int]] = {
            "begin": self._begin,
            "end": self._end,
            "else": self._else,
            "fi": self._fi,
            "or": self._or,
            "unless": self._unless,
            "newif": self._newif,
            "let": self._let,
            "verb": self._verb,
            "Verb": self._inline_code,
            "lstinline": self._inline_code,
            "mintinline": self._inline_code,
            "url": self._url,
            "nolinkurl": self._url,
            "path": self._url,
            "href": self._url,
            "import": self._import,
            "subimport": self._import,
            "includefrom": self._import,
            "subincludefrom": self._import,
            "inputfrom": self._import,
            "subinputfrom": self._import,
            "InputIfFileExists": self._input_if_exists,
            "PassOptionsToPackage": self._pass_options,
            "endinput": self._end_input,
            "newcites": self._newcites,
        }
        groups: tuple[tuple[str, Callable[[_Frame, int, int], int]], ...] = (
            ("input include subfile subfileinclude @input includestandalone inputminted@", self._input),
            ("newcommand renewcommand providecommand DeclareRobustCommand newcommandx renewcommandx", self._newcommand),
            ("newcommandtwoopt renewcommandtwoopt newrobustcmd renewrobustcmd DeclareMathOperator", self._newcommand),
            ("def gdef edef xdef", self._def),
            ("NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand", self._document_command),
            ("DeclareDocumentCommand NewExpandableDocumentCommand", self._document_command),
            ("newenvironment renewenvironment", self._new_environment),
            ("NewDocumentEnvironment RenewDocumentEnvironment", self._new_environment),
            ("lstnewenvironment DefineVerbatimEnvironment newtcblisting newverbatim", self._define_verbatim),
            ("DeclareTCBListing NewTCBListing CustomVerbatimEnvironment newminted", self._define_verbatim),
            ("excludecomment includecomment", self._define_dropped),
            ("MakeShortVerb DefineShortVerb lstMakeShortInline", self._make_short),
            ("DeclareCiteCommand DeclareMultiCiteCommand", self._cite_command),
            ("usepackage RequirePackage", self._packages),
            ("documentclass documentstyle LoadClass", self._class),
            ("newtoggle providetoggle toggletrue togglefalse settoggle", self._set_toggle),
            ("newbool providebool booltrue boolfalse setbool newboolean provideboolean setboolean", self._set_toggle),
            ("ifthenelse iftoggle nottoggle ifbool notbool ifdef ifundef ifcsdef ifcsundef", self._choice),
            ("@ifundefined @ifpackageloaded IfFileExists ifstrequal ifdefstring", self._choice),
        )
        for names, handler in groups:
            table.update(dict.fromkeys(names.split(), handler))
        return table


def find_blank_line(string: str, start: int) -> int:
    """The position of the next blank line, or the string's end."""
    match = BLANK_LINE.search(string, start)
    return match.start() if match else len(string)
