import pytest

from citeplug.editor.citing import sentence_at, typing_at
from citeplug.editor.lines import Lined


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Graphs are old. Smith et al. \\cite{|} show that attention helps. It is fast.",
         "Smith et al. show that attention helps."),
        ("Graphs are old. Some use trees, e.g. \\cite{|}. Others do not.", "Some use trees, e.g. ."),
        ("Graphs are old. Attention over nodes helps. \\cite{|}", "Attention over nodes helps."),
    ],
)  # fmt: skip
def test_papers_are_looked_for_by_the_sentence_of_the_citation(text: str, sentence: str) -> None:
    offset = text.index("|")
    lined = Lined(text.replace("|", ""))
    typing = typing_at(lined, offset)
    assert typing is not None
    assert sentence_at(lined, typing) == sentence
