"""`citeplug remove` as a user runs it: all that is citeplug's goes, all that is the author's stays."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from citeplug.project.provenance import PROVENANCE
from tests.e2e.conftest import DRAFT, Run

Files = dict[str, bytes]


def files(folder: Path) -> Files:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def as_one_that_includes(folder: Path) -> None:
    head, _, rest = DRAFT.partition("\\section{Introduction}")
    text, _, end = rest.partition("\\section{Conclusion}")
    (folder / "parts").mkdir()
    (folder / "parts" / "body.tex").write_bytes(("\\section{Introduction}" + text).encode())
    related = "\\section{Related Work}\nMuch was done.\n"
    (folder / "parts" / "others.tex").write_bytes(related.encode())
    inputs = "\\input{parts/body}\n\\input{parts/others}\n"
    (folder / "main.tex").write_bytes((head + inputs + "\\section{Conclusion}" + end).encode())


KINDS = {
    "plain": DRAFT,
    "crlf": DRAFT.replace("\n", "\r\n"),
    "latin-1": DRAFT.replace("We conclude.", "Süß, déjà vu: wir schließen."),
    "no final newline": DRAFT.rstrip("\n"),
    "no bibliography": DRAFT.replace("\\bibliographystyle{plainnat}\n\\bibliography{refs}\n", ""),
    "biblatex": DRAFT.replace("{natbib}", "{biblatex}\n\\addbibresource{refs.bib}").replace(
        "\\bibliographystyle{plainnat}\n\\bibliography{refs}", "\\printbibliography"
    ),
    "inline list": DRAFT.replace(
        "\\bibliography{refs}", "\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\end{thebibliography}% all"
    ),
    "included": "",
}


@pytest.mark.parametrize("kind", KINDS)
def test_insert_then_remove_gives_the_project_as_it_was(run: Run, home: Path, project: Path, kind: str) -> None:
    folder = project.parent
    if kind == "included":
        as_one_that_includes(folder)
    else:
        project.write_bytes(KINDS[kind].encode("latin-1" if kind == "latin-1" else "utf-8"))
    before = files(folder)
    assert run("related", project, "--offline", "--insert").code == 0
    assert run("related", project, "--offline", "--insert", "--replan", "--breadth", "3").code == 0
    between = files(folder)
    assert between.keys() > before.keys()
    shown = run("remove", project, "--diff")
    assert (shown.code, "-\\input{related}" in shown.out.replace("\r", "")) == (0, True)
    assert run("remove", project, "--dry-run").code == 0
    assert files(folder) == between
    done = run("remove", project, "--json")
    assert done.code == 0, done.err
    assert files(folder) == before
    assert not (folder / ".citeplug").exists()
    assert str(folder / "related.tex") in done.json["removed"]
    assert (done.json["dry_run"], done.json["findings"]) == (False, [])
    again = run("remove", project)
    assert (again.code, files(folder)) == (0, before)


def test_names_of_the_users_own_are_taken_back_too(run: Run, home: Path, project: Path) -> None:
    before = files(project.parent)
    named = ("--out", project.parent / "andere.tex", "--bib", project.parent / "andere.bib")
    assert run("related", project, "--offline", "--insert", *named).code == 0
    assert run("remove", project).code == 0
    assert files(project.parent) == before


def test_a_plan_alone_is_taken_back(run: Run, home: Path, project: Path) -> None:
    before = files(project.parent)
    assert run("plan", project, "--offline").code == 0
    assert run("remove", project).code == 0
    assert files(project.parent) == before


def test_sentences_that_were_only_accepted_are_citeplugs_still(run: Run, written: Path) -> None:
    assert run("accept", written, "--all").code == 0
    assert run("remove", written).code == 0
    assert files(written.parent).keys() == {"main.tex", "refs.bib"}


def edited(text: str) -> str:
    end = text.index("% citeplug:end")
    return text[:end] + "And we go further.\n" + text[end:]


AUTHORS: dict[str, Callable[[str], str]] = {
    "a sentence": edited,
    "text outside": lambda text: text + "\nMy own words.\n",
    "a mark": lambda text: text.replace("% citeplug:1", "% citeplug:keep\n% citeplug:1", 1),
    "a plan": lambda text: text.replace("% citeplug:1 ", "% citeplug:1 my own ", 1),
    "another text": lambda text: "Written by hand.\n",
}


@pytest.mark.parametrize("what", AUTHORS)
def test_what_the_author_wrote_into_the_section_stays_with_what_reads_it(run: Run, written: Path, what: str) -> None:
    section = written.parent / "related.tex"
    section.write_bytes(AUTHORS[what](section.read_bytes().decode()).encode())
    before = files(written.parent)
    done = run("remove", written)
    assert done.code == 0
    assert "related.tex and the lines that read it stay" in done.err
    assert files(written.parent) == before


def test_entries_that_the_authors_own_text_needs_stay(run: Run, written: Path) -> None:
    key = (written.parent / "related.bib").read_text("utf-8").partition("{")[2].partition(",")[0]
    written.write_bytes(written.read_bytes().replace(b"We conclude.", b"We conclude \\cite{%s}." % key.encode()))
    done = run("remove", written)
    assert done.code == 0
    assert key in done.err
    assert not (written.parent / "related.tex").exists()
    assert (written.parent / "related.bib").exists()
    text = written.read_text("utf-8")
    assert ("\\input" in text, "\\bibliography{refs,related}" in text) == (False, True)
    written.write_bytes(written.read_bytes().replace(b" \\cite{%s}" % key.encode(), b""))
    assert run("remove", written).code == 0
    assert files(written.parent) == {"main.tex": DRAFT.encode(), "refs.bib": files(written.parent)["refs.bib"]}


def test_entries_that_the_author_added_or_changed_stay(run: Run, written: Path) -> None:
    entries = written.parent / "related.bib"
    entries.write_bytes(entries.read_bytes() + b"\n@misc{mine, title={Mine}}\n")
    done = run("remove", written)
    assert "mine added or changed by you" in done.err
    assert b"@misc{mine" in entries.read_bytes()
    assert "\\bibliography{refs,related}" in written.read_text("utf-8")


def test_entries_in_a_bibliography_of_the_authors_stay(run: Run, home: Path, project: Path) -> None:
    refs = project.parent / "refs.bib"
    before = project.read_bytes()
    assert run("related", project, "--offline", "--insert", "--bib", refs).code == 0
    assert run("remove", project).code == 0
    assert b"Something Else" in refs.read_bytes()
    assert project.read_bytes() == before


def test_a_line_of_the_authors_that_looks_alike_stays_and_so_does_the_section(
    run: Run, home: Path, project: Path
) -> None:
    project.write_bytes(project.read_bytes().replace(b"We conclude.\n", b"We conclude.\n\n\\input{related}\n"))
    assert run("related", project, "--offline", "--insert").code == 0
    before = files(project.parent)
    done = run("remove", project)
    assert "not recorded as citeplug's" in done.err
    assert files(project.parent) == before


def test_a_record_from_elsewhere_takes_no_word_of_the_authors(run: Run, written: Path) -> None:
    record = written.parent / PROVENANCE
    said = json.loads(record.read_bytes())
    outside = written.parent.parent / "outside.tex"
    outside.write_bytes(b"\n\n\\input{related}\n")
    said["inserted"] += [
        {"file": "main.tex", "text": "We conclude."},
        {"file": "../outside.tex", "text": "\n\n\\input{related}"},
        {"file": 1, "text": None},
    ]
    record.write_bytes(json.dumps(said).encode())
    assert run("remove", written).code == 0
    assert written.read_bytes() == DRAFT.encode()
    assert outside.read_bytes() == b"\n\n\\input{related}\n"


def test_the_configuration_and_the_package_stay_and_are_named(run: Run, written: Path) -> None:
    assert run("init", written, "--sty").code == 0
    done = run("remove", written)
    assert "citeplug.toml stays" in done.err
    assert "citeplug.sty stays" in done.err
    assert files(written.parent).keys() == {"main.tex", "refs.bib", "citeplug.toml", "citeplug.sty"}


def test_what_is_saved_in_that_moment_stays_and_all_else_too(
    run: Run, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(written.parent)
    replace = Path.replace

    def saved(source: Path, target: Path) -> Path:
        if target == written:
            (written.parent / "related.tex").write_bytes(b"saved")
        return replace(source, target)

    monkeypatch.setattr(Path, "replace", saved)
    done = run("remove", written)
    assert done.code == 1
    assert "changed in the meantime" in done.err
    assert files(written.parent) == before | {"related.tex": b"saved"}


def test_a_removal_that_was_killed_is_finished_by_the_next(
    run: Run, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    unlink = os.unlink
    gone: list[object] = []

    def kill(path: object, **options: object) -> None:
        if str(path).endswith((".tex", ".bib", ".json")):
            if len(gone) == 2:
                raise Killed
            gone.append(path)
        unlink(path, **options)  # type: ignore[arg-type]

    from citeplug.files import atomic as writer
    from citeplug.related.section.remove import remove_section

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(os, "unlink", kill)
        patch.setattr(writer, "_restore", lambda each: True)  # a killed process restores nothing
        remove_section(written, Path(os.environ["CITEPLUG_HOME"]))
    assert not (written.parent / "related.tex").exists()
    assert run("remove", written).code == 0
    assert files(written.parent).keys() == {"main.tex", "refs.bib"}
    assert written.read_bytes() == DRAFT.encode()
