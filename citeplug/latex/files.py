"""Commands that bring in other files: `\\input` and its kin, packages, the class."""

import re
from pathlib import Path

from citeplug.latex.folders import FileLookup
from citeplug.latex.scan import without_comments
from citeplug.latex.stream import DEEPEST, Frame, Package, ReadingState, handlers
from citeplug.latex.text import Origin, Text

_MOST_FILES = 2000
_MOST_INPUTS = 10_000  # each is looked for in many places
_LARGEST_PACKAGE = 200_000  # code points; larger ones are somebody's package, not the author's macros
_TEX = (".tex", ".ltx")
_GRAPHICS = (".pgf", ".pdf_tex", ".eps_tex", ".svg_tex", ".pdf", ".png", ".jpg", ".eps")
# Files that LaTeX or its packages bring along or write themselves.
_NOT_MISSED = (".sty", ".cls", ".bbl", ".aux", ".toc", ".ind", ".gls", ".def", ".cfg", "glyphtounicode")
_TEX_NAME = re.compile(r"\s*(\"[^\"\r\n]+\"|[^\s{}\\%\"]+(?:\\[A-Za-z]+[^\s{}\\%]*)?|\\[A-Za-z@]+[^\s{}\\%]*)")


def _input(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    group = frame.source.group(position)
    if group:
        name, end = frame.string[group[0] : group[1]], group[1] + 1
    else:
        match = _TEX_NAME.match(frame.string, position)
        if match is None or frame.string.startswith("include", start + 1) or frame.string.startswith("subf", start + 1):
            return position
        name, end = match[1], match.end()
    return _include(reading, frame, start, end, name)


def _import(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    star = position + frame.string.startswith("*", position)
    folder = frame.source.group(star)
    name = frame.source.group(folder[1] + 1) if folder else None
    if folder is None or name is None:
        return position
    place = reading.folders.base
    if frame.string.startswith("\\sub", start) and reading.places:
        place = reading.places[-1]
    place = place / reading.file_name(frame.string[folder[0] : folder[1]])
    return _include(reading, frame, start, name[1] + 1, frame.string[name[0] : name[1]], place)


def _input_if_exists(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    """Read the file if it is there, and then both branches."""
    group = frame.source.group(position)
    if group is None:
        return position
    name = reading.file_name(frame.string[group[0] : group[1]])
    if reading.folders.find(name, (".tex",)).exists:
        return _include(reading, frame, start, group[1] + 1, name)
    return reading.drop(frame, start, group[1] + 1)


def _include(reading: ReadingState, frame: Frame, start: int, end: int, written: str, place: Path | None = None) -> int:
    name = reading.file_name(written)
    if not name or name.startswith("|") or "#" in name or name.lower().endswith(_GRAPHICS):
        return reading.drop(frame, start, end)
    reading.emit(frame, start)
    frame.last = end
    virtual = reading.stream.virtual.get(name) or reading.stream.virtual.get(name + ".tex")
    extra = tuple(p for p in (place, reading.places[-1] if reading.places else None) if p)
    reading.inputs += 1
    if reading.inputs > _MOST_INPUTS:
        if reading.inputs == _MOST_INPUTS + 1:
            message = f"more than {_MOST_INPUTS:,} files are included: this one and later ones are not read"
            reading.doubt("input_too_deep", message, frame, start)
        return end
    lookup = reading.folders.find(name, _TEX, extra)
    if not lookup.exists and not lookup.outside and "\\" in name:
        lookup = reading.folders.find(name.replace("\\", "/"), _TEX, extra)
    if not lookup.exists and not lookup.outside and reading.open:
        found_beside = reading.folders.find(name, _TEX, (reading.open[-1].parent,))
        lookup = found_beside if found_beside.exists else lookup
    if lookup.path in reading.folders.skip:
        return end
    if not lookup.exists:
        if virtual is not None and reading.depth <= DEEPEST and not reading.in_package:
            if reading.take(frame, start, len(virtual.string)):
                reading.run(Frame(virtual))
        else:
            _not_found(reading, frame, start, name, lookup)
        return end
    _read_included(reading, frame, start, lookup.path, place)
    return end


def _not_found(reading: ReadingState, frame: Frame, start: int, name: str, lookup: FileLookup) -> None:
    if lookup.obstacle:
        reading.doubt("unreadable_input", f"{name} cannot be read: {lookup.obstacle}", frame, start)
    elif lookup.outside:
        message, fix = f"{name} lies outside the project and is not read", "move the file into the project's folder"
        reading.doubt("input_outside_project", message, frame, start, fix)
    elif "\\" in name:
        message = f"the file name {name} contains an unknown command"
        reading.doubt("unresolved_input", message, frame, start, "write the file's name out")
    elif not name.endswith(_NOT_MISSED):
        fix = "add the file, or remove the command"
        reading.doubt("missing_input", f"the included file {name} does not exist", frame, start, fix)


def _read_included(reading: ReadingState, frame: Frame, start: int, path: Path, place: Path | None) -> None:
    if path.resolve() in reading.open:
        reading.doubt("input_cycle", f"{path.name} includes itself", frame, start)
    elif reading.depth > DEEPEST:
        message = f"{path.name} is not read: files include each other more than {DEEPEST} levels deep"
        reading.doubt("input_too_deep", message, frame, start)
    elif len(reading.stream.files) >= _MOST_FILES:
        message = f"{path.name} is not read: {_MOST_FILES:,} files were read before it"
        reading.doubt("input_too_deep", message, frame, start)
    else:
        try:
            decoded = reading.folders.read(path)
        except OSError as error:
            reading.doubt("unreadable_input", f"{path.name} cannot be read: {error.strerror}", frame, start)
            return
        if place is not None:
            reading.places.append(place)
        reading.read_file(path, decoded)
        if place is not None:
            reading.places.pop()
        reading.add_at(frame, start, "\n\n" if frame.string.startswith("\\inc", start) else "\n")


def _packages(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    option = frame.source.option(position)
    names = frame.source.group(option[1] + 1 if option else position)
    if names is None:
        return position
    options = without_comments(frame.string[option[0] : option[1]]) if option else ""
    for name in without_comments(frame.string[names[0] : names[1]]).split(","):
        if name.strip():
            _load(reading, frame, start, name.strip(), options)
    return names[1] + 1


def _load(reading: ReadingState, frame: Frame, start: int, name: str, options: str) -> None:
    stem = name.rsplit("/", 1)[-1]
    if any(package.name == stem for package in reading.stream.packages):
        return
    reading.stream.packages.append(Package(stem, options))
    if stem == "ffcode" and "novert" not in options:
        reading.short += "|"
        reading.compile()
    lookup = reading.folders.find(name, (".sty",))
    if lookup.obstacle:
        reading.doubt("unreadable_input", f"{name}.sty cannot be read: {lookup.obstacle}", frame, start)
    if stem == "citeplug" or not lookup.exists or reading.depth > DEEPEST:
        return  # what citeplug's own package does is known (document_options.py)
    try:
        text = reading.folders.read(lookup.path).text
    except OSError:
        return
    if len(text) > _LARGEST_PACKAGE:
        return
    text = reading.as_allowed(lookup.path, text)
    # A package in the project is read for the author's macros; its text is none of the draft's.
    outer, reading.in_package = reading.in_package, True
    reading.open.append(lookup.path)
    reading.run(Frame(Text.of(text, Origin(lookup.path, 0))))
    reading.open.pop()
    reading.in_package = outer


def _class(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    option = frame.source.option(position)
    name = frame.source.group(option[1] + 1 if option else position)
    if name is None:
        return position
    if reading.stream.document_class is None and not reading.in_package:
        reading.stream.document_class = without_comments(frame.string[name[0] : name[1]]).strip()
        if frame.string.startswith("\\documentstyle", start) and option:
            for style in without_comments(frame.string[option[0] : option[1]]).split(","):
                if style.strip() and not style.strip().endswith(("pt", "column")):
                    _load(reading, frame, start, style.strip(), "")
    return name[1] + 1


def _pass_options(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    options = frame.source.group(position)
    name = frame.source.group(options[1] + 1) if options else None
    if options and name:
        stem = frame.string[name[0] : name[1]].strip()
        reading.stream.passed_options[stem] = frame.string[options[0] : options[1]]
    return position


def _own(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    # These say something to citeplug (document_options.py), however the document may define them for LaTeX.
    return position


def _end_input(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    reading.emit(frame, start)
    frame.stopped = True
    return position


HANDLERS = handlers(
    ("input include subfile subfileinclude @input includestandalone", _input),
    ("import subimport includefrom subincludefrom inputfrom subinputfrom", _import),
    ("InputIfFileExists", _input_if_exists),
    ("usepackage RequirePackage", _packages),
    ("documentclass documentstyle LoadClass", _class),
    ("PassOptionsToPackage", _pass_options),
    ("endinput", _end_input),
    ("citeplugrelated citeplugpin citeplugexclude", _own),
)
