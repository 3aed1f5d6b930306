"""A draft that is a text: its title and abstract, in whatever form and encoding, and what cannot be one."""

from pathlib import Path

import pytest

from citeplug.errors import UnreadableInput
from citeplug.project.any_draft import read_any_draft, read_text_draft

ABSTRACT = "We sample neighbours of nodes. Attention weighs them."
WRAPPED = "Graph networks are hard to scale to graphs with millions of nodes. We propose a\nnetwork that samples."


@pytest.mark.parametrize(
    ("text", "title", "abstract"),
    [
        (ABSTRACT, "", ABSTRACT),
        (f"Sampled Attention\n\n{ABSTRACT}\n", "Sampled Attention", ABSTRACT),
        (f"\n Sampled Attention\r\n{ABSTRACT}\r\n", "Sampled Attention", ABSTRACT),
        (WRAPPED, "", WRAPPED.replace("\n", " ")),
        (f"# Sampled Attention\n\n{ABSTRACT}", "Sampled Attention", ABSTRACT),
        (f"Sampled Attention\n===\n\nAn Author\n\n**Abstract.** {ABSTRACT}", "Sampled Attention", ABSTRACT),
        (f"## Abstract\n\n{ABSTRACT}\n\n## Introduction\n\nGraphs.", "", ABSTRACT),
        ("attention on graphs", "attention on graphs", ""),
        ("Abstract interpretation is sound. It is slow.", "", "Abstract interpretation is sound. It is slow."),
    ],
)
def test_a_title_is_told_from_an_abstract(text: str, title: str, abstract: str) -> None:
    draft = read_text_draft(text.encode(), Path("abstract.txt"))
    assert (draft.title, draft.abstract) == (title, abstract)


def test_what_follows_a_long_abstract_is_a_section() -> None:
    draft = read_text_draft("\n\n".join(["word " * 150 + "end."] * 4).encode(), Path("paper.txt"))
    assert len(draft.abstract.split()) == 302
    assert [len(section.text.split()) for section in draft.sections] == [302]


def test_an_encoding_is_recognized_and_what_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "abstract.txt"
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        path.write_bytes("Réseaux de graphes".encode(encoding))
        assert read_any_draft(path).title == "Réseaux de graphes"
    for data, said in ((b" \n", "no words"), (b"\x7fELF\0\0\1", "not plain text"), (b"a" * 20_000_001, "20 MB")):
        path.write_bytes(data)
        with pytest.raises(UnreadableInput, match=said):
            read_any_draft(path)
    (tmp_path / "abstract.docx").write_bytes(b"PK and nothing")
    with pytest.raises(UnreadableInput, match=r"not a valid \.docx"):
        read_any_draft(tmp_path / "abstract.docx")
