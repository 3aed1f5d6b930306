"""Commands that choose what is read: `\\if...`, `\\ifthenelse`.

pylatexenc evaluates no conditionals.
"""

import re

from citeplug.latex import conditionals
from citeplug.latex.stream import Frame, ReadingState, handlers

_TESTS = {"ifstrequal": 2, "ifdefstring": 2}  # arguments before the branches; of the others one


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
    value, end = conditionals.decide(name, frame.string, position, reading.switches)
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


def _choice(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    """`\\ifthenelse{test}{A}{B}` and its kin: both branches are read, as their tests are LaTeX's to decide."""
    end = position
    for _ in range(_TESTS.get(frame.string[start + 1 : position], 1)):
        test = frame.source.argument(end)
        if test is None:
            return position
        end = test[2]
    return reading.drop(frame, start, end)


HANDLERS = handlers(
    ("unless", _unless),
    ("else", _else),
    ("fi", _fi),
    ("or", _or),
    ("ifthenelse iftoggle nottoggle ifbool notbool ifdef ifundef ifcsdef ifcsundef", _choice),
    ("@ifundefined @ifpackageloaded IfFileExists ifstrequal ifdefstring", _choice),
)
