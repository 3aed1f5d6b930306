from datetime import date

import pytest

from citeplug.records.section import Judgement, Sentence, Source
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.print_sentence import print_sentence
from tests.harness.papers import paper

NATBIB = CiteStyle("citep", "citet", "Citet")
PLAIN = CiteStyle()
KEYS = {"1706.03762": "vaswani", "1609.03499": "oord", "1512.03385": "he", "1011.0001": "solo"}
PAPERS = {
    record.id.value: record
    for record in (
        paper(),
        paper("1609.03499", "WaveNet", ("Aaron van den Oord", "Sander Dieleman"), date(2016, 9, 12)),
        paper("1011.0001", "Alone", ("Łukasz Kaiser",), date(2010, 11, 1)),
        paper("1512.03385", "Trigger", ("ATLAS Collaboration", "G. Aad"), date(2015, 12, 1)),
    )
}


def printed(text: str, style: CiteStyle = NATBIB) -> str:
    (line,) = print_sentence(Sentence(text, "paper", (), (), 1.0), KEYS, style, PAPERS)
    return line


@pytest.mark.parametrize(
    ("text", "natbib", "plain"),
    [
        (
            "{{author:1706.03762}} show it.",
            "\\citet{vaswani} show it.",
            "Vaswani et al.~\\cite{vaswani} show it.",
        ),
        (
            "{{author:1609.03499}} show it.",
            "\\Citet{oord} show it.",
            "Van den Oord and Dieleman~\\cite{oord} show it.",
        ),
        (
            "As {{author:1609.03499}} show.",
            "As \\citet{oord} show.",
            "As van den Oord and Dieleman~\\cite{oord} show.",
        ),
        (
            "{{author:1011.0001,1706.03762}} agree.",
            "\\citet{solo,vaswani} agree.",
            "Kaiser~\\cite{solo} and Vaswani et al.~\\cite{vaswani} agree.",
        ),
        ("{{author:1512.03385}} saw it.", "\\citet{he} saw it.", "ATLAS Collaboration~\\cite{he} saw it."),
        ("It works {{cite:1706.03762}}.", "It works~\\citep{vaswani}.", "It works~\\cite{vaswani}."),
        ("It works. {{cite:1706.03762}}", "It works~\\citep{vaswani}.", "It works~\\cite{vaswani}."),
        (
            "It {{cite:1706.03762,1609.03499}} works.",
            "It~\\citep{vaswani,oord} works.",
            "It~\\cite{vaswani,oord} works.",
        ),
        ("A {{cite:1706.03762}} {{cite:1609.03499}}.", "A~\\citep{vaswani,oord}.", "A~\\cite{vaswani,oord}."),
        ("A ({{cite:own:key+1}}) b.", "A (\\citep{own:key+1}) b.", "A (\\cite{own:key+1}) b."),
        ("“So {{cite:1706.03762}}” it is.", "``So~\\citep{vaswani}'' it is.", "``So~\\cite{vaswani}'' it is."),
    ],
)
def test_markers_become_the_draft_s_commands(text: str, natbib: str, plain: str) -> None:
    assert printed(text) == natbib
    assert printed(text, PLAIN) == plain


def test_what_is_not_a_marker_is_text() -> None:
    assert printed(r"50% of \input{x} & $O(n)$.") == (
        r"50\% of \textbackslash{}input\textbraceleft{}x\textbraceright{} \& $O(n)$."
    )
    assert printed("A {{evil:1}} b.") == (
        r"A \textbraceleft{}\textbraceleft{}evil:1\textbraceright{}\textbraceright{} b."
    )


def test_a_paper_without_a_key_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"no citation key for arXiv:2001\.00001"):
        printed("A {{cite:2001.00001}}.")
    with pytest.raises(ValueError, match="not a citation key"):
        printed("A {{cite:x%y}}.")


ABSTRACT = "The dominant models are based on complex recurrent or convolutional neural networks in an encoder"
SOURCE = Source("1706.03762", 5, ABSTRACT, 0, len(ABSTRACT))


def lines(text: str, quoted: bool) -> list[str]:
    return print_sentence(Sentence(text, "paper", ("1706.03762",), (SOURCE,), 0.9, quoted=quoted), KEYS, NATBIB, PAPERS)


def test_close_wording_is_marked_unless_it_stands_in_quotation_marks() -> None:
    close = "They are based on complex recurrent or convolutional neural networks {{cite:1706.03762}}."
    assert lines(close, quoted=True)[0].startswith("% citeplug:note close wording: ")
    assert "arXiv:1706.03762" in lines(close, quoted=True)[0]
    assert len(lines(close, quoted=False)) == 1
    in_marks = "They “are based on complex recurrent or convolutional neural networks” {{cite:1706.03762}}."
    assert len(lines(in_marks, quoted=True)) == 1
    both = "The dominant models are based on complex recurrent or “convolutional neural networks” {{cite:1706.03762}}."
    assert len(lines(both, quoted=True)) == 2


@pytest.mark.parametrize(
    ("judgement", "note"),
    [
        (Judgement("entailed", by="m"), None),
        (Judgement(None), None),
        (Judgement(None, suspicion="'all' is\n% citeplug:end"), "its meaning was not compared with its sources: 'all'"),
        (Judgement("partly", "every task", "m"), "only partly supported by its sources: “every task”"),
        (Judgement("not", "x" * 5000, "m"), "not supported by its sources: “xxx"),
    ],
)
def test_a_doubt_about_the_meaning_is_marked(judgement: Judgement, note: str | None) -> None:
    sentence = Sentence("A {{cite:1706.03762}}.", "paper", ("1706.03762",), (), 0.9, judgement=judgement)
    *notes, text = print_sentence(sentence, KEYS, NATBIB, PAPERS)
    assert text == "A~\\citep{vaswani}."
    assert len(notes) == (note is not None)
    for line in notes:
        assert line.startswith(f"% citeplug:note {note}")
        assert "\n" not in line
        assert len(line) < 500


def pinpointed(text: str, place: str, style: CiteStyle = NATBIB) -> str:
    (line,) = print_sentence(Sentence(text, "paper", (), (), 1.0, pinpoint=place), KEYS, style, PAPERS)
    return line


@pytest.mark.parametrize(
    ("text", "place", "natbib", "plain"),
    [
        (
            "{{author:1706.03762}} show it.",
            "Sec. 3.2",
            "\\citet[Sec.~3.2]{vaswani} show it.",
            "Vaswani et al.~\\cite[Sec.~3.2]{vaswani} show it.",
        ),
        ("It holds {{cite:1706.03762}}.", "pp. 4-5", "It holds~\\citep[pp.~4--5]{vaswani}.", None),
        ("It holds {{cite:1706.03762}}.", "App. B.1", "It holds~\\citep[App.~B.1]{vaswani}.", None),
        ("It holds {{cite:1706.03762,1011.0001}}.", "Sec. 3", "It holds~\\citep{vaswani,solo}.", None),
        (
            "{{author:1706.03762}} say so {{cite:1706.03762}}.",
            "p. 4",
            "\\citet{vaswani} say so~\\citep{vaswani}.",
            None,
        ),
    ],
)
def test_a_place_is_printed_in_the_one_citation_of_one_work(
    text: str, place: str, natbib: str, plain: str | None
) -> None:
    assert pinpointed(text, place) == natbib
    if plain is not None:
        assert pinpointed(text, place, PLAIN) == plain


@pytest.mark.parametrize(
    "place",
    (
        "Sec. 1]{x}\\input{/etc/passwd}",
        "\\write18{id}",
        "Sec. $x$",
        "Sec. 3%",
        "§ 3",
        "Sec. 1\n2",
        "Sec. " + "1" * 20,
        "Sec. 3\x1b[31m",
        "p. 4} \\end{document",
    ),
)
def test_a_place_in_a_project_s_file_that_is_none_is_not_printed(place: str) -> None:
    assert pinpointed("It holds {{cite:1706.03762}}.", place) == "It holds~\\citep{vaswani}."
