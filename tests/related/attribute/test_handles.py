import pytest

from citeplug.related.attribute.handles import marked, read_handles

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
