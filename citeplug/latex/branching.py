"""Commands that choose what is read: `\\if...`, `\\ifthenelse`, toggles.

pylatexenc evaluates no conditionals.
"""

import re

from citeplug.latex import conditionals
from citeplug.latex.stream import Frame, ReadingState, handlers

_NAME = re.compile(r"\s*\{\s*([^{}\\%]{1,100}?)\s*\}")


def conditional(reading: ReadingState, frame: Frame, start: int, position: int, negate: bool = False) -> int:
    """`\\if...`: go on in the branch that is read."""
    name = frame.string[start + 1 : position]
    if not conditionals.is_conditional(name, reading.switches, frame.string, position):
        return position
    if frame.branches is None:
        frame.branches = conditionals.Branches(frame.string, reading.switches)
    branches = frame.branches
    if start not in branches.end:
        if name in reading.switches or name in ("iffalse", "iftrue"):
            reading.doubt("unclosed_conditional", f"\\{name} has no \\fi", frame, start)
        return position
    value, end = conditionals.decide(name, frame.string, position, reading.switches, reading.stream.macros)
    end = min(end, branches.end[start][0])
    otherwise = branches.otherwise.get(start)
    if value is None or value is not negate:
        # Where the test cannot be decided, both branches are read.
        frame.waiting.append(value is not None)
        return reading.drop(frame, start, end)
    if otherwise is not None:
        frame.waiting.append(False)
        return reading.drop(frame, start, otherwise[1])
    return reading.drop(frame, start, branches.end[start][1])


def _unless(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    match = re.compile(r"\s*\\if[A-Za-z@]+").match(frame.string, position)
    if match is None:
        return position
    reading.drop(frame, start, position)
    return conditional(reading, frame, match.end() - len(match.group().lstrip()), match.end(), negate=True)


def _else(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    if not frame.waiting or frame.branches is None:
        return position
    if not frame.waiting[-1]:
        return reading.drop(frame, start, position)
    # The branch before was the one to read: go on behind the \fi.
    frame.waiting.pop()
    return reading.drop(frame, start, frame.branches.after.get(start, position))


def _fi(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    if not frame.waiting:
        return position
    frame.waiting.pop()
    return reading.drop(frame, start, position)


def _or(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    return reading.drop(frame, start, position) if frame.waiting else position


def _set_toggle(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    command = frame.string[start + 1 : position]
    match = _NAME.match(frame.string, position)
    if match is None:
        return position
    end = match.end()
    if command.startswith("set"):
        value = _NAME.match(frame.string, end)
        if value is None:
            return position
        reading.toggles[match[1]] = value[1] == "true"
        end = value.end()
    elif command.startswith(("new", "provide")):
        reading.toggles.setdefault(match[1], False)
        if "oggle" not in command:
            reading.setters[match[1] + "true"] = ("if" + match[1], True)
            reading.setters[match[1] + "false"] = ("if" + match[1], False)
    else:
        reading.toggles[match[1]] = command.endswith("true")
    return reading.drop(frame, start, end)


def _choice(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    """`\\ifthenelse{test}{A}{B}` and its kin: the branch that is read, or both if that is not known."""
    command = frame.string[start + 1 : position]
    source = frame.source
    tests = [source.argument(position)]
    if command in ("ifstrequal", "ifdefstring", "ifdefstrequal") and tests[0]:
        tests.append(source.argument(tests[0][2]))
    if tests[-1] is None:
        return position
    yes = source.argument(tests[-1][2])
    if yes is None:
        return position
    no = source.group(yes[2])
    end = no[1] + 1 if no else yes[2]
    texts = [frame.string[test[0] : test[1]].strip() for test in tests if test]
    value = _truth(reading, command, texts)
    reading.emit(frame, start)
    if value is not False:
        reading.within(frame, *yes[:2])
    if value is not True and no:
        reading.within(frame, *no)
    frame.last = end
    return end


def _truth(reading: ReadingState, command: str, texts: list[str]) -> bool | None:
    defined = reading.stream.macros
    text = texts[0]
    name = text.lstrip("\\")
    if command in ("iftoggle", "ifbool", "nottoggle", "notbool"):
        value = reading.toggles.get(text, reading.switches.get("if" + text))
        return (not value if command.startswith("not") else value) if value is not None else None
    if command in ("ifdef", "ifcsdef"):
        return name in defined
    if command in ("ifundef", "@ifundefined", "ifcsundef"):
        return name not in defined if "@" not in name else None
    if command == "@ifpackageloaded":
        return any(package.name == text for package in reading.stream.packages)
    if command == "IfFileExists":
        return reading.folders.find(reading.file_name(text), (".tex",)).exists
    if command in ("ifstrequal", "ifdefstring") and len(texts) == 2:
        left = defined[name].body if command == "ifdefstring" and name in defined else text
        return left == texts[1]
    if command == "ifthenelse":
        return _ifthen(reading, text)
    return None


def _ifthen(reading: ReadingState, test: str) -> bool | None:
    negated = re.match(r"\s*(?:\\not|\\NOT)\b\s*", test)
    if negated:
        value = _ifthen(reading, test[negated.end() :])
        return None if value is None else not value
    match = re.fullmatch(r"\s*\\(boolean|isundefined|equal)\s*\{([^{}]*)\}\s*(?:\{([^{}]*)\})?\s*", test)
    if match is None:
        return None
    if match[1] == "boolean":
        value = reading.toggles.get(match[2], reading.switches.get("if" + match[2]))
        return reading.switches.get("if" + match[2], value)
    if match[1] == "isundefined":
        return match[2].strip().lstrip("\\") not in reading.stream.macros
    left, right = (reading.file_name(part or "") for part in (match[2], match[3]))
    return None if "\\" in left + right else left == right


HANDLERS = handlers(
    ("unless", _unless),
    ("else", _else),
    ("fi", _fi),
    ("or", _or),
    ("newtoggle providetoggle toggletrue togglefalse settoggle", _set_toggle),
    ("newbool providebool booltrue boolfalse setbool newboolean provideboolean setboolean", _set_toggle),
    ("ifthenelse iftoggle nottoggle ifbool notbool ifdef ifundef ifcsdef ifcsundef", _choice),
    ("@ifundefined @ifpackageloaded IfFileExists ifstrequal ifdefstring", _choice),
)
