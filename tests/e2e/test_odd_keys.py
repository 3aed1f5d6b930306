"""Keys of the author's entries as strange as BibTeX takes them, through every command that reads or cites them."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from citeplug.bibtex.entries import parse_bib
from citeplug.section_file.cite_style import cited_keys, unfit_for_cite
from citeplug.section_file.grammar import read_related
from tests.e2e.conftest import DRAFT, Run

needs_tex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="TeX is not installed")
SIGNS = st.sampled_from("aZ1&~#$%^_{}\\\"'()[]=@;:*!?|<>`/+.-\x01\x7f\t")
LABELS = st.text(SIGNS | st.characters(codec="utf-8", exclude_characters=","), max_size=8)


@pytest.fixture
def entries(run: Run, home: Path, project: Path) -> list[tuple[str, str]]:
    """The id of each paper that the section cites, and its entry as citeplug would write it."""
    done = run("related", project, "--offline", "--dry-run", "--json").json
    spans = {entry.key: entry.span for entry in parse_bib(done["bib_content"])}
    return [
        (each["arxiv_id"], done["bib_content"][(span := spans[each["key"]]).start : span.end])
        for each in done["entries"]
    ]


def pinned(entries: Sequence[tuple[str, str]]) -> list[str]:
    """Options by which the section cites these, whatever else the bibliography suggests."""
    return [word for arxiv_id, _ in entries for word in ("--pin", arxiv_id)]


def bibliography(entries: Sequence[tuple[str, str]], keys: Sequence[str]) -> str:
    return "\n\n".join(
        f"{text[: text.index('{')]}{{{key}{text[text.index(',') :]}"
        for (_, text), key in zip(entries, keys, strict=False)
    )


def test_a_key_that_latex_can_cite_is_cited(run: Run, project: Path, entries: list[tuple[str, str]]) -> None:
    keys = ["Zhu&Zhao2019", "a$b", "a^b", "$x$", "[a];b", "O'Neil"]
    (project.parent / "refs.bib").write_text(bibliography(entries, keys), "utf-8")
    pins = pinned(entries[: len(keys)])
    done = run("related", project, "--offline", "--json", *pins)
    assert done.code == 0, done.err
    assert set(keys) <= cited_keys(done.json["tex_content"])
    assert {e["origin"] for e in done.json["entries"] if e["key"] in keys} == {"author"}
    assert run("related", project, "--offline", "--json", *pins).json["tex_content"] == done.json["tex_content"]


def test_a_key_that_latex_cannot_cite_gives_way_to_one_of_citeplug_s_and_is_told(
    run: Run, project: Path, entries: list[tuple[str, str]]
) -> None:
    (project.parent / "refs.bib").write_text("\n" + bibliography(entries[:1], ["Zhu%Zhao2019"]), "utf-8")
    done = run("related", project, "--offline", "--json", *pinned(entries[:1]))
    assert done.code == 0, done.err
    arxiv_id, _ = entries[0]
    (entry,) = [entry for entry in done.json["entries"] if entry["arxiv_id"] == arxiv_id]
    assert (entry["origin"], entry["verdict"]) == ("generated", "verified")
    assert entry["key"] in cited_keys(done.json["tex_content"])
    (finding,) = [finding for finding in done.json["findings"] if finding["code"] == "key_not_citable"]
    assert (Path(finding["file"]).name, finding["line"]) == ("refs.bib", 2)
    assert finding["message"] == (
        f"LaTeX cannot cite an entry with the key Zhu%Zhao2019: it has “%”; arXiv:{arxiv_id} is cited as"
        f" {entry['key']}, with an entry that citeplug wrote"
    )


def test_a_paper_that_nocite_prints_already_is_left_out(
    run: Run, project: Path, entries: list[tuple[str, str]]
) -> None:
    (project.parent / "refs.bib").write_text(bibliography(entries[:1], ["Zhu#Zhao2019"]), "utf-8")
    project.write_text(DRAFT.replace("We conclude.", "We conclude. \\nocite{*}"), "utf-8")
    done = run("related", project, "--offline", "--json", *pinned(entries[:1]))
    assert done.code == 0, done.err
    arxiv_id, _ = entries[0]
    assert arxiv_id not in done.json["tex_content"] + done.json["bib_content"]
    (finding,) = [finding for finding in done.json["findings"] if finding["code"] == "key_not_citable"]
    assert finding["message"].endswith(f"arXiv:{arxiv_id} is left out")


def test_a_plan_may_name_papers_by_such_keys(run: Run, project: Path, entries: list[tuple[str, str]]) -> None:
    keys = ["a;b", "[a]", "a&b%c", "a$b"]
    (project.parent / "refs.bib").write_text(bibliography(entries, keys), "utf-8")
    (project.parent / "related.tex").write_text(
        "% citeplug: 1\n% citeplug:begin p1\n% citeplug:1 introduce these [{a;b}, {[a]}]\n"
        "% citeplug:2 and these [a&b%c, a$b]\n% citeplug:end p1\n",
        "utf-8",
    )
    done = run("related", project, "--offline", "--json")
    assert done.code == 0, done.err
    cited = {
        cite["arxiv_id"] for p in done.json["section"]["paragraphs"] for s in p["sentences"] for cite in s["cites"]
    }
    assert cited == {arxiv_id for arxiv_id, _ in entries[:4]}
    assert {"a;b", "[a]", "a$b"} < cited_keys(done.json["tex_content"])
    assert run("related", project, "--offline", "--json").json["tex_content"] == done.json["tex_content"]


@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(LABELS, min_size=8, max_size=8, unique_by=str.lower))
def test_no_key_ends_a_command(run: Run, entries: list[tuple[str, str]], labels: list[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        main = Path(place, "main.tex")
        main.write_text(DRAFT.replace("\\usepackage{natbib}", "\\usepackage{natbib,citeplug}"), "utf-8")
        bib = Path(place, "refs.bib")
        bib.write_text(bibliography(entries, labels), "utf-8", newline="")
        read = {entry.key for entry in parse_bib(bib.read_bytes().decode())}
        for command in (
            ["related", main, "--offline", "--insert", *pinned(entries)],
            ["check", main, "--offline", "--fail-on", "never"],
            ["check", bib, "--offline", "--fail-on", "never", "--format", "sarif"],
            ["fix", bib, "--offline", "--dry-run"],
            ["status", place],
            ["draft", main, "--json"],
        ):
            done = run(*command)
            assert done.code in (0, 1), (command, done.err)
            assert "Traceback" not in done.err
        section, own = (Path(place, name).read_text("utf-8") for name in ("related.tex", "related.bib"))
        defined = {entry.key for entry in parse_bib(own)}
        cited = cited_keys(section)
        assert cited <= read | defined
        assert not [key for key in cited if unfit_for_cite(key)]
        before = {path.name: path.read_bytes() for path in Path(place).iterdir() if path.is_file()}
        assert run("related", main, "--offline", "--insert", *pinned(entries)).code == 0
        assert before == {path.name: path.read_bytes() for path in Path(place).iterdir() if path.is_file()}
        # A sentence of the author's, and a draft that has changed: the merge goes by sentences and keys.
        first = read_related(section).blocks[0].text.splitlines()[1]
        Path(place, "related.tex").write_text(section.replace(first, first + " Mine."), "utf-8")
        main.write_text(main.read_text("utf-8").replace("We show how", "We prove that residual models converge. We"))
        done = run("related", main, "--offline", "--json", *pinned(entries))
        assert done.code == 0, done.err
        assert " Mine." in done.json["tex_content"]
