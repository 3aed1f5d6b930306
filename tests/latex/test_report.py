import json
from pathlib import Path

from citeplug.latex.project import read_draft
from citeplug.latex.report import draft_as_json, draft_as_text
from tests.latex.projects import article, write

BODY = (
    "\\begin{abstract}We do it.\\end{abstract}\\section{Related Work} See \\citep*{a}.\\nocite{*}\n\\input{gone}"
    "\\bibliographystyle{plain}\\bibliography{refs}"
)


def project(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {
        "main.tex": article("\\input{sec/body}", "\\title{A Title}"),
        "sec/body.tex": BODY,
        "refs.bib": "@misc{a, title={{T}he $x$}, doi={10.1000/x}, eprint={1706.03762}}",
    }
    return write(tmp_path, files)


def test_the_json_document_has_the_agreed_shape(tmp_path: Path) -> None:
    document = draft_as_json(read_draft(project(tmp_path)))
    assert json.loads(json.dumps(document)) == document
    findings = document.pop("findings")
    place = {"file": "sec/body.tex", "line": 1}
    assert document == {
        "root": str(tmp_path / "main.tex"),
        "files": ["main.tex", "sec/body.tex"],
        "title": "A Title",
        "abstract": "We do it.",
        "sections": [{"level": 1, "title": "Related Work", "text": "See.", "file": "sec/body.tex", "line": 1}],
        "cites": [
            {"keys": ["a"], "command": "citep*", **place, "context": "Related Work: See [*]."},
            {"keys": ["*"], "command": "nocite", **place, "context": "Related Work: See [...]. [*]"},
        ],
        "bib_files": ["refs.bib"],
        "bib_style": "plain",
        "bib_engine": "bibtex",
        "document_class": "article",
        "entries": [
            {
                "key": "a",
                "type": "misc",
                "title": "The $x$",
                "arxiv_id": "1706.03762",
                "doi": "10.1000/x",
                "file": "refs.bib",
                "line": 1,
            }
        ],
        "related_work": {"title": "Related Work", "file": "sec/body.tex", "line": 1},
    }
    assert [(f["code"], f["severity"], f["file"], f["line"], f["column"]) for f in findings] == [
        ("missing_input", "warning", "sec/body.tex", 2, 1)
    ]


def test_what_is_absent_is_null_or_empty(tmp_path: Path) -> None:
    document = draft_as_json(read_draft(write(tmp_path, {"main.tex": ""})))
    absent = ("title", "abstract", "bib_style", "bib_engine", "document_class", "related_work")
    assert all(document[name] is None for name in absent)
    assert all(document[name] == [] for name in ("sections", "cites", "bib_files", "entries"))
    assert document["files"] == ["main.tex"]


def test_the_summary_says_what_was_understood(tmp_path: Path) -> None:
    text = draft_as_text(read_draft(project(tmp_path)))
    for part in ("A Title", "We do it.", "2 commands", "Related Work (sec/body.tex:1)", "plain"):
        assert part in text


def test_a_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[31m\u202etxet\x9b2J"
    root = write(
        tmp_path,
        {"main.tex": article(f"\\section{{S{evil}}}\\cite{{k{evil}}}\\input{{f{evil}}}", f"\\title{{T{evil}}}")},
    )
    text = draft_as_text(read_draft(root))
    assert not [
        char for char in text if char != "\n" and (ord(char) < 32 or 127 <= ord(char) < 160 or char == "\u202e")
    ]
