import re
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings

from citeplug.bib.write.dialect import Dialect, dialect_for
from citeplug.bib.write.entries import render_entry
from citeplug.bibtex.entries import parse_bib
from citeplug.records.paper import Paper
from citeplug.text.identifiers import clean_doi
from tests.harness.papers import paper, papers

PLAIN = dialect_for("plain", "bibtex", "article", ())
BIBER = dialect_for(None, "biber", "article", ("biblatex",))


def field(record: Paper, name: str, dialect: Dialect = PLAIN) -> str:
    (entry,) = parse_bib(render_entry(record, "k", dialect))
    return entry.fields.get(name, "")


def test_an_entry_is_arxiv_s_own_misc() -> None:
    assert render_entry(paper(), "vaswani2017attention", dialect_for("plainnat", "bibtex", "article", ())) == (
        "@misc{vaswani2017attention,\n"
        "  title         = {Attention Is All You Need},\n"
        "  author        = {Vaswani, Ashish and Shazeer, Noam and Parmar, Niki},\n"
        "  year          = {2017},\n"
        "  eprint        = {1706.03762},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass  = {cs.CL},\n"
        "  url           = {https://arxiv.org/abs/1706.03762},\n"
        "}\n"
    )


def test_a_style_that_is_blind_to_eprints_gets_a_note() -> None:
    assert field(paper(), "note", dialect_for("unsrt", "bibtex", None, ())) == "arXiv:1706.03762"
    assert field(paper(), "note", dialect_for("somebody", "bibtex", None, ())) == "arXiv:1706.03762"
    assert field(paper(), "note", dialect_for("styles/IEEEtran.bst", "bibtex", None, ())) == ""


def test_bibtex_gets_ascii_with_braced_accents_and_biber_unicode() -> None:
    record = paper(authors=("Łukasz Sîrbu", "Jürgen Ångström"))
    assert field(record, "author") == r"S{\^{\i}}rbu, {\L}ukasz and {\AA}ngstr{\"{o}}m, J{\"{u}}rgen"
    assert field(record, "author", BIBER) == "Sîrbu, Łukasz and Ångström, Jürgen"


def test_names_are_written_so_that_bibtex_reads_the_same_parts() -> None:
    record = paper(authors=("Aaron van den Oord", "Sammy Davis Jr.", "H1 Collaboration", "Plato", ":"))
    assert field(record, "author") == "van den Oord, Aaron and Davis, Jr., Sammy and {H1 Collaboration} and Plato"


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("BERT: Pre-Training of U-Nets in 3D", "{BERT}: Pre-Training of {U-Nets} in {3D}"),
        ("A Survey: A View of Vitamin C and NeRF", "A Survey: A View of Vitamin {C} and {NeRF}"),
        ("On the convergence of Adam and its use in Paris", "On the convergence of {Adam} and its use in {Paris}"),
        ("The $O(N)$ model", "The {$O(N)$} model"),
        ("Ω and the $\\Omega$-model", "{$\\Omega$} and the {$\\Omega$}-model"),
        ("100% of R&D #1 with x_y", "100\\% of {R\\&D} \\#1 with x\\_y"),
        ("Fra\\\"iss\\'e limits", "Fra{\\\"{\\i}}ss{\\'{e}} limits"),
        ("$\\mathbb{R}^n$ and $\\mycommand{x}$", "{$\\mathbf{R}^n$} and mycommandx"),
        ("$K^0$--\\bar{K}^0 mixing for $5 and $6", "{$K^0$}--{$\\bar{K}^0$} mixing for \\$5 and \\$6"),
        ("{\\bf $\\cal N=4$ theories}", "{$\\mathcal{N=4}$} theories"),
    ],
)
def test_titles_keep_their_capitals_and_nothing_else_is_braced(title: str, written: str) -> None:
    assert field(paper(title=title), "title") == written


def test_package_math_stays_where_the_package_is() -> None:
    dialect = dialect_for("plain", "bibtex", "article", ("amssymb",))
    assert field(paper(title="Maps of $\\mathbb{R}^n$"), "title", dialect) == "Maps of {$\\mathbb{R}^n$}"


def test_the_record_s_doi_is_cleaned_and_left_out_where_it_would_stop_latex() -> None:
    assert clean_doi("https://doi.org/10.1016/J.Foo.2001. 10.1/x") == "10.1016/j.foo.2001"
    assert clean_doi("10.1000/A%28b%29,10.1000/c") == "10.1000/a(b)"
    assert clean_doi("10.1038/nature14539#sthash.1") == "10.1038/nature14539"
    assert clean_doi("10.1016/0550-3213(95)00609-5") == "10.1016/0550-3213(95)00609-5"
    assert clean_doi("10.48550/arXiv.1706.03762") is None
    assert field(paper(doi="10.1000/182."), "doi") == "10.1000/182"
    springer = paper(doi="10.1007/978-3-319-10602-1_48")
    assert field(springer, "doi") == ""
    assert field(springer, "doi", BIBER) == "10.1007/978-3-319-10602-1_48"


def test_a_record_without_authors_is_refused() -> None:
    with pytest.raises(ValueError, match="no authors"):
        render_entry(paper(authors=()), "k", PLAIN)


@settings(max_examples=60, deadline=None)
@given(papers())
def test_an_entry_is_one_entry_with_nothing_unescaped(record: Paper) -> None:
    for dialect in (PLAIN, BIBER):
        text = render_entry(record, "k", dialect)
        (entry,) = parse_bib(text)
        assert entry.arxiv_id == record.id.value
        assert dialect is BIBER or text.isascii()
        for name in ("title", "author", "journalref"):
            bare = re.sub(r"\$[^$]*\$", "", re.sub(r"\\[&%#_$]", "", entry.fields.get(name, "")))
            assert not re.search(r"[&%#_$]", bare), bare


STRANGE = [
    paper(
        title=r"The $\Omega$ of Łojasiewicz & 100% of U-Nets: Fra\"iss\'e #1 α→β",
        authors=("Łukasz van den Oord", "H1 Collaboration"),
    ),
    paper(
        "hep-th/9901001",
        r"$\cal N=4$ on $\mathbb{R}^n$ <b> ~ ^ \ { “q” {\bf x}",
        ("Đặng Văn Ấm", "Zoë Ç. Şahin Jr."),
        date(1999, 1, 1),
    ),
    paper(
        "1502.00001",
        "Foo_bar: $x_1^2$ 中文 ❤ \x1b[31m \u202e",
        ("A. B", "Ęą Ðþ"),
        date(2015, 2, 1),
        doi="10.1007/3-540-1_2",
    ),
]


def build(folder: Path, dialect: Dialect, preamble: str, ending: str, aux: str = "") -> tuple[str, str]:
    """Run the real tools; the .bbl with its line breaks undone, and pdflatex's log. Without `aux`, LaTeX makes it."""
    text = "\n".join(render_entry(record, f"key{n}", dialect) for n, record in enumerate(STRANGE))
    (folder / "refs.bib").write_text(text, encoding="utf-8")
    body = f"\\title{{T}}\\author{{A}}\\maketitle\nText.\\nocite{{*}}\n{ending}\n"
    document = f"\\documentclass{preamble}\n\\begin{{document}}\n{body}\\end{{document}}\n"
    (folder / "x.tex").write_text(document, encoding="utf-8")

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
        return done.stdout.decode("utf-8", "replace")

    if aux:
        (folder / "x.aux").write_text(aux, encoding="utf-8")
    else:
        run("pdflatex", "-draftmode", "-interaction=nonstopmode", "x")
    run(dialect.engine, "x")
    log = run("pdflatex", "-draftmode", "-interaction=nonstopmode", "x")
    bbl = (folder / "x.bbl").read_text(encoding="utf-8", errors="replace")
    return re.sub(r"%?\n\s*", "", bbl), log


STYLES = "plain unsrt alpha abbrv plainnat IEEEtran splncs04 ACM-Reference-Format apsrev4-1 elsarticle-num jcc".split()
CLASSES = {
    "ACM-Reference-Format": "{acmart}",
    "apsrev4-1": "{revtex4-1}",
    "elsarticle-num": "{elsarticle}",
    "splncs04": "{llncs}",
}


@pytest.mark.system
@pytest.mark.parametrize("style", STYLES)
def test_the_id_is_printed_and_the_document_builds(style: str, tmp_path: Path) -> None:
    _need("bibtex", style)
    class_ = CLASSES.get(style, "{article}")
    packages = "\\usepackage{natbib}" if style == "plainnat" else ""
    dialect = dialect_for(style, "bibtex", class_.strip("{}"), ("natbib",) if packages else ())
    ending = f"\\bibliographystyle{{{style}}}\\bibliography{{refs}}"
    aux = f"\\relax\n\\citation{{*}}\n\\bibstyle{{{style}}}\n\\bibdata{{refs}}\n"
    bbl, log = build(tmp_path, dialect, class_ + packages, ending, aux)
    assert [record.id.value for record in STRANGE if record.id.value not in bbl] == []
    assert re.findall(r"^! .*", log, re.MULTILINE) == []


@pytest.mark.system
def test_the_id_is_printed_and_the_document_builds_with_biber(tmp_path: Path) -> None:
    _need("biber", None)
    preamble = "{article}\\usepackage[backend=biber]{biblatex}\\addbibresource{refs.bib}"
    bbl, log = build(tmp_path, BIBER, preamble, "\\printbibliography")
    assert [record.id.value for record in STRANGE if record.id.value not in bbl] == []
    assert re.findall(r"^! .*", log, re.MULTILINE) == []


def _need(engine: str, style: str | None) -> None:
    if shutil.which("pdflatex") is None or shutil.which(engine) is None:
        pytest.skip(f"pdflatex or {engine} is not installed")
    if style is not None:
        found = subprocess.run(["kpsewhich", f"{style}.bst"], capture_output=True, check=False).stdout.strip()
        if not found:
            pytest.skip(f"{style}.bst is not installed")
