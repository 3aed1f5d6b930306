import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.related.attribute.handles import marked, read_handles, segments

IDS = {1: "2001.00001", 2: "2001.00002", 3: "2001.00003"}


def printed(text: str) -> str:
    out = marked(read_handles(text), IDS)
    for handle, value in IDS.items():
        out = out.replace(value, "ABC"[handle - 1])
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Logs are parsed [1].", "Logs are parsed {{cite:A}}."),
        ("Logs are parsed. [1]", "Logs are parsed {{cite:A}}."),
        ("Logs are parsed [1, 2]", "Logs are parsed {{cite:A,B}}."),
        ("[@1] parse logs.", "{{author:A}} parse logs."),
        ("[1] parse logs.", "{{author:A}} parse logs."),
        ("A parser was built by [1].", "A parser was built by {{author:A}}."),
        ("In search, [2] rank logs.", "In search, {{author:B}} rank logs."),
        ("[@1] and [2] parse logs.", "{{author:A}} and {{author:B}} parse logs."),
    ],
)
def test_handles_become_markers(text: str, expected: str) -> None:
    assert printed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[@1] parse logs, whereas [@2] embed them.", [("parse logs", (1,)), ("whereas embed them.", (2,))]),
        ("Logs are parsed [1] and embedded [2].", [("Logs are parsed", (1,)), ("and embedded", (2,))]),
        ("Logs are parsed [1, 2].", [("Logs are parsed.", (1, 2))]),
        (
            "Parsing [1] and embedding [2] need logs.",
            [("Parsing", (1,)), ("and embedding", (2,)), ("need logs.", (1, 2))],
        ),
        ("The tool of [@1] reads logs; [@2] embed them.", [("The tool of reads logs", (1,)), ("embed them.", (2,))]),
        ("We read logs.", [("We read logs.", ())]),
    ],
)
def test_each_stretch_belongs_to_its_papers(text: str, expected: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [(s.text, s.handles) for s in segments(read_handles(text))] == expected


@given(st.text("ab [@12,];.", max_size=60))
def test_no_word_is_lost_between_the_segments(text: str) -> None:
    pieces = read_handles(text)
    letters = "".join(c for piece in pieces for c in piece.text if c.isalnum())
    assert letters == "".join(c for segment in segments(pieces) for c in segment.text if c.isalnum())
