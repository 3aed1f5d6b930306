"""What tells a reviewer who wrote a draft: what is a residue, what is none, where it stands, and what would do."""

from pathlib import Path

import pytest

from citeplug.audit.anonymity import is_anonymous, residues
from citeplug.audit.audit_anonymity import audit_anonymity
from citeplug.latex.project import read_draft
from tests.audit.drafts import write_draft

BIB = "@article{a, author={Roe, Jane and Poe, Ed and Doe, Al}, title={Paths}, journal={J}, year=2000}"


def codes(folder: Path, text: str, *authors: str) -> list[str]:
    return [finding.code for finding in residues(read_draft(write_draft(folder, text, BIB)), authors)]


BLIND = "\\documentclass{article}\\begin{document}\n\\author{Anonymous}"


@pytest.mark.parametrize(
    "text",
    [
        r"In our previous work~\cite{a}, we count paths.",
        r"In \cite{a}, we showed that the bound is tight.",
        r"We have previously shown that paths abound \citep{a}.",
        r"As we argued in \citet{a}, paths abound.",
        r"The estimator is the one of our ICML 2019 paper \cite{a}.",
        r"A preliminary version of this paper appeared at a workshop.",
        r"The method was developed by some of us \cite{a}.",
    ],
)
def test_a_work_cited_in_the_first_person_is_the_authors_own(tmp_path: Path, text: str) -> None:
    assert codes(tmp_path, text) == ["own_work_cited"]


@pytest.mark.parametrize(
    "text",
    [
        r"We use the method of \cite{a}.",
        r"Following the setup in \cite{a}, we train for ten epochs.",
        r"In \cite{a}, the bound is shown to be tight.",
        r"Our model is based on \cite{a}.",
        r"We compare our results with those in \cite{a}.",
        r"By using a convergence method \cite{a}, paths are counted.",
        r"Thanks to Lemma 2 we conclude that all paths are short, with support from below.",
        r"We count paths with Mininet\footnote{\url{https://mininet.org}}.",
        r"Section~\ref{funding} recalls the grant of a wish in 2019.",
    ],
)
def test_what_speaks_of_the_works_of_others_is_no_residue(tmp_path: Path, text: str) -> None:
    assert codes(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("We thank Maria Schmidt for many discussions.", "people_thanked"),
        ("This work was supported by the Swiss National Science Foundation.", "people_thanked"),
        (r"\subsection*{Acknowledgements} Omitted names.", "people_thanked"),
        (r"Our code is available at \url{https://github.com/jroe/paths}.", "identifying_link"),
        (r"\includegraphics{/home/jroe/paper/loss.pdf}", "identifying_link"),
        (r"Write to \texttt{jroe@uni.edu} for the data.", "author_named"),
        ("The study was approved by the ethics board of the University of Vienna.", "author_named"),
        ("Funded in part by JSPS KAKENHI JP19K20234.", "people_thanked"),
        ("It was pointed out to us by Piet Visser that paths abound.", "people_thanked"),
        (r"The meshes were deposited under \url{https://doi.org/10.5281/zenodo.3874937}.", "identifying_link"),
        (r"\includegraphics{figs/uni-bologna-logo.pdf}", "identifying_link"),
        (r"\pdfinfo{ /Creator (TeX of Jane Roe) }", "author_named"),
        (r"\affiliation{\institution{Politecnico di Torino}}", "author_named"),
        (r"\markboth{Roe et al.}{Draft}", "author_named"),
        ("0000-0002-1825-0097 is the identifier of the first of us.", "author_named"),
    ],
)
def test_thanks_links_and_addresses_tell_who_wrote_it(tmp_path: Path, text: str, code: str) -> None:
    assert codes(tmp_path, text.replace("Omitted names", "To all")) == [code]


def test_a_link_to_an_anonymous_copy_is_no_residue(tmp_path: Path) -> None:
    assert codes(tmp_path, r"Our code is available at \url{https://anonymous.4open.science/r/paths}.") == []


def test_an_acknowledgement_that_is_withheld_is_no_residue(tmp_path: Path) -> None:
    assert codes(tmp_path, r"\section*{Acknowledgements} Withheld for the review.") == []


def test_a_name_in_brackets_is_looked_for_as_it_is(tmp_path: Path) -> None:
    assert codes(tmp_path, "Paths abound. % see (", "(c) Jane Roe", "(Ann) Poe") == []


def test_a_comment_is_a_note_since_it_goes_along_with_the_sources(tmp_path: Path) -> None:
    draft = read_draft(write_draft(tmp_path, "Paths are short.\n% Jane: is this so?", BIB))
    (finding,) = residues(draft, ["Jane Roe"])
    assert (finding.code, finding.severity, finding.line) == ("author_named", "info", 5)


def test_the_name_in_a_repository_needs_no_first_person(tmp_path: Path) -> None:
    text = r"Paths are counted by \url{https://github.com/jroe/paths}."
    assert codes(tmp_path, text) == []
    assert codes(tmp_path, text, "Jane Roe") == ["identifying_link"]


def test_our_toolbox_is_a_residue_where_its_entry_is_by_an_author(tmp_path: Path) -> None:
    assert codes(tmp_path, r"Paths are counted by our toolbox \cite{a}.") == []
    assert codes(tmp_path, r"Paths are counted by our toolbox \cite{a}.", "J. Roe") == ["own_work_cited"]


def test_the_wording_names_the_authors_of_the_entry(tmp_path: Path) -> None:
    (finding,) = residues(read_draft(write_draft(tmp_path, r"In our previous work~\cite{a}, we count paths.", BIB)))
    assert finding.fix == "speak of it in the third person: “Roe et al. \\cite{a}”"


def test_an_author_block_and_the_metadata_of_the_pdf_are_residues(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    main.write_text(
        "\\documentclass{article}\n\\title{T}\n\\author{Jane Roe \\\\ \\texttt{j@uni.edu} \\and Ed Poe}\n"
        "\\hypersetup{pdfauthor={Jane Roe}}\n\\begin{document}\\maketitle Words.\\end{document}\n"
    )
    found = [(finding.line, finding.message) for finding in residues(read_draft(main))]
    assert found == [(3, "\\author names Jane Roe and 1 more"), (4, "the PDF's metadata name Jane Roe")]


def test_a_draft_says_that_it_is_anonymous(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    for text, anonymous in (
        ("\\documentclass[anonymous]{acmart}\\author{Jane Roe}", True),
        ("\\documentclass{article}\\author{Anonymous Authors}", True),
        ("\\documentclass{article}\\author{Jane Roe}", False),
        ("\\documentclass{article}", False),
    ):
        main.write_text(text + "\\begin{document}Words.\\end{document}")
        assert is_anonymous(read_draft(main)) == anonymous


def test_a_long_run_of_spaces_or_braces_takes_no_time(tmp_path: Path) -> None:
    assert codes(tmp_path, "Words. " + " " * 50_000 + "{" * 5_000 + "%" + "a-" * 20_000) == []


def test_a_comment_of_the_author_takes_a_residue_out(tmp_path: Path) -> None:
    text = "We thank Maria Schmidt for many discussions. % citeplug: ignore people_thanked"
    assert audit_anonymity(write_draft(tmp_path, text, BIB)).report.findings == ()


@pytest.mark.parametrize(
    "line",
    [
        "This work is partially funded by FCT under project UIDB/50021/2020.",
        "Discussions with Peter Baum and Iris Cohen are gratefully acknowledged.",
        "All checkpoints can be downloaded from \\url{https://huggingface.co/jroe/base}.",
        "Jane Roe conceived the method, and the other authors ran the experiments.",
        "% Ann: please check this paragraph",
        "% TODO (Ann) add the missing reference",
        "We refer to our previous work [12] for the details.",
        "At IBM Research we operate several hundred such machines.",
    ],
)
def test_the_build_of_a_sentence_tells_where_no_name_is_known(tmp_path: Path, line: str) -> None:
    text = BLIND + "Graphs are everywhere.\n\n"
    (tmp_path / "main.tex").write_text(f"{text}{line}\n\n\\end{{document}}\n")
    assert audit_anonymity(tmp_path / "main.tex").report.findings != ()


@pytest.mark.parametrize(
    "line",
    [
        "We use PyTorch, see \\url{https://github.com/pytorch/pytorch}.",
        "Thanks to Batch Normalization, the network converges in 100000 steps.",
        "The layer supports up to 1000000 nodes, as \\citet{roe} report.",
        "% Created: 2020, by the script that we have",
        "% Note: please keep this in sync",
        "The map is owed to Euler, and the proof in [7] is short.",
    ],
)
def test_what_tells_of_others_is_no_residue(tmp_path: Path, line: str) -> None:
    text = BLIND + "Notes are created everywhere.\n\n"
    (tmp_path / "main.tex").write_text(f"{text}{line}\n\n\\end{{document}}\n")
    assert audit_anonymity(tmp_path / "main.tex").report.findings == ()
