"""References out of .bbl files, whatever made them."""

import gzip
import json
from pathlib import Path

import pytest

from citeplug.bibtex import reference_list
from citeplug.bibtex.reference_list import merged, read_bbl, read_list
from citeplug.records.passage import Reference

NATBIB = r"""\begin{thebibliography}{2}
\providecommand{\natexlab}[1]{#1}
\bibitem[Bacciu et~al.(2020{\natexlab{a}})Bacciu, Errica, and
  Micheli]{bacciu_2020}
Bacciu, D., Errica, F., and Micheli, A.
\newblock Probabilistic learning on {G}raphs via contextual architectures.
\newblock \emph{Journal of Machine Learning Research}, 21\penalty0
  (134):\penalty0 1--39, 2020{\natexlab{a}}.

% \bibitem{gone} A.~Nobody. \newblock Commented out. \newblock 1999.
\bibitem[{Lhoest et~al.(2021)[and others]}]{hf}
Quentin Lhoest, Patrick von Platen, et~al. 2021.
\newblock Datasets: A community library.
\newblock {\em arXiv preprint arXiv:2109.02846v1}.

\end{thebibliography}
"""
BIBLATEX = r"""% $ biblatex auxiliary file $
\refsection{0}
  \datalist[entry]{none/global//global/global}
    \entry{clip}{inproceedings}{}
      \name{author}{2}{}{%
        {{hash=a8}{%
           family={Radford},
           given={Alec}}}%
        {{hash=37}{%
           family={de{ }Kim},
           given={Jong\bibnamedelima Wook}}}%
      }
      \list{publisher}{1}{%
        {family={Nobody}}%
      }
      \field{title}{{Learning Transferable Visual Models}}
      \field{subtitle}{With Language}
      \field{eprinttype}{arxiv}
      \field{year}{2021}
      \verb{eprint}
      \verb 2103.00020
      \endverb
      \verb{doi}
      \verb 10.1000/ABC
      \endverb
    \endentry
  \enddatalist
  \datalist[entry]{nyt/global//global/global}
    \entry{clip}{inproceedings}{}
      \field{title}{{Learning Transferable Visual Models}}
    \endentry
  \enddatalist
\endrefsection
"""
AMSREFS = r"""\begin{biblist}
\bib{Ser77}{book}{
      author={Serre, Jean-Pierre},
      author={Erd{\H{o}}s, Paul},
       title={Linear representations of {finite} groups},
        date={1977},
      eprint={arXiv:math/0606278v2},
}
\end{biblist}
"""


def only(text: str) -> Reference:
    (reference,) = read_bbl(text)
    return reference


def test_natbib_s_labels_keys_and_blocks_are_told_apart() -> None:
    first, second = read_bbl(NATBIB)
    assert (first.number, first.key, first.year) == (1, "bacciu_2020", 2020)
    assert first.title == "Probabilistic learning on Graphs via contextual architectures"
    assert first.surnames == ("Bacciu", "Errica", "Micheli")
    assert (second.number, second.key, second.arxiv_id) == (2, "hf", "2109.02846")
    assert (second.title, second.year) == ("Datasets: A community library", 2021)


def test_an_entry_of_biblatex_gives_its_fields_and_counts_once() -> None:
    reference = only(BIBLATEX)
    assert (reference.key, reference.year, reference.doi) == ("clip", 2021, "10.1000/abc")
    assert reference.title == "Learning Transferable Visual Models: With Language"
    assert reference.surnames == ("Radford", "de Kim")
    assert reference.arxiv_id == "2103.00020"


def test_amsrefs_gives_all_of_its_authors() -> None:
    reference = only(AMSREFS)
    assert (reference.key, reference.title, reference.year) == (
        "Ser77",
        "Linear representations of finite groups",
        1977,
    )
    assert reference.surnames == ("Serre", "Erdős")
    assert reference.arxiv_id == "math/0606278"


@pytest.mark.parametrize(
    ("text", "title", "year"),
    [
        (
            r"J.~Yu and Y.~Wu, ``Coca: Contrastive captioners,'' \emph{TMLR}, 2022.",
            "Coca: Contrastive captioners",
            2022,
        ),
        ("Achiam, J.\n\\newblock Gpt-4 technical report, May 2023.", "Gpt-4 technical report", 2023),
        (r"{\sc A. Author}, {\em On the rank of things}, J. Alg. 12 (1987), 1--9.", "On the rank of things", 1987),
        (
            r"Bienstock D (2006) \emph{Potential function methods}, volume~53 (Springer).",
            "Potential function methods",
            2006,
        ),
        (
            "\\bibinfo{author}{A. Guo}.\n\\newblock \\href{https://x.org/a}{A Survey of Things}.\n\\newblock 2018.",
            "A Survey of Things",
            2018,
        ),
        (
            "\\BibitemOpen\n\\bibfield {author} {\\bibinfo {author} {\\bibfnamefont {A.}~\\bibnamefont {Auger}},\\ }"
            "\\bibfield {title} {\\bibinfo {title} {Linear {C}onvergence of It},\\ }(\\bibinfo {year} {2013})",
            "Linear Convergence of It",
            2013,
        ),
    ],
)
def test_a_title_is_found_in_every_style(text: str, title: str, year: int) -> None:
    reference = only(f"\\bibitem{{k}}\n{text}")
    assert (reference.title, reference.year) == (title, year)
    assert reference.surnames


@pytest.mark.parametrize(
    ("authors", "surnames"),
    [
        ("Dinh, Laurent, Krueger, David, and Bengio, Yoshua.", ("Dinh", "Krueger", "Bengio")),
        ("A.~Vaswani, N. Shazeer, and J.-P. Serre.", ("Vaswani", "Shazeer", "Serre")),
        ("Kingma, D.~P. and Ba, J. (2014).", ("Kingma", "Ba")),
        ("Ji~Lin, Chuang Gan, and Song Han.", ("Lin", "Gan", "Han")),
        ("Kingma DP, Ba J", ("Kingma", "Ba")),
        (r"S{\'e}bastien Bubeck et~al.", ("Bubeck",)),
    ],
)
def test_surnames_are_told_whichever_name_stands_first(authors: str, surnames: tuple[str, ...]) -> None:
    text = f"\\bibitem{{k}} {authors}\n\\newblock On a thing of two.\n\\newblock In \\emph{{ICML}}, 2014."
    assert only(text).surnames == surnames


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("arXiv:1706.03762v5", "1706.03762"),
        (r"\url{https://arxiv.org/pdf/hep-th/9901001.pdf}", "hep-th/9901001"),
        ("CoRR, abs/1412.6980, 2014", "1412.6980"),
        ("doi:10.48550/arXiv.2005.14165", "2005.14165"),
        ("Nature 1706.0376, 12", None),
    ],
)
def test_a_printed_id_is_read_in_any_form(printed: str, value: str | None) -> None:
    reference = only(f"\\bibitem{{k}} A. B.\n\\newblock A title.\n\\newblock {printed}.")
    assert reference.arxiv_id == value
    assert reference.doi is None


def test_several_lists_of_a_paper_are_one_and_each_entry_counts_once() -> None:
    again = "\\bibitem{new} C. D.\n\\newblock Other title.\n\\newblock 2001."
    both = merged([read_bbl(NATBIB), read_bbl(again + NATBIB)])
    assert [(each.number, each.key) for each in both] == [(1, "bacciu_2020"), (2, "hf"), (3, "new")]


def test_a_bib_file_under_the_name_of_a_bbl_is_read_as_what_it_is(tmp_path: Path) -> None:
    text = "@article{sun,\n title={Optimization for deep learning},\n author={Sun, Ruoyu},\n year={2019}\n}"
    assert only(text).title == "Optimization for deep learning"
    assert read_list(text, tmp_path / "refs.bib")[0].surnames == ("Sun",)


def test_nothing_in_an_entry_reaches_a_terminal() -> None:
    reference = only("\\bibitem{k} A. B.\n\\newblock A \x1b[31mred\x1b[0m title\x9b2J here.\n\\newblock 2001.")
    assert reference.title == "A red title here"
    assert "\x1b" not in reference.raw


@pytest.mark.parametrize(
    "text",
    [
        "\\bibitem[" * 20_000,
        "\\bibitem{k}[{" * 20_000,
        "[" * 1_000_000,
        "{" * 1_000_000,
        "\\bibitem[" + "{[" * 500_000,
        "\\entry{" * 20_000,
        "\\bib{a}{b}{" * 20_000,
        "\\bibitem{k}" + "``" * 300_000,
        "@article{" * 5_000,
    ],
)
def test_brackets_alone_come_to_an_end(text: str) -> None:
    # Read in a time that grows with the square, these would take hours.
    assert len(read_bbl(text)) <= 2


def test_a_file_has_so_many_references_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_list, "MOST_REFERENCES", 10)
    text = "".join(f"\\bibitem{{{number}}} x" for number in range(30))
    assert len(read_bbl(text)) == 10


@pytest.mark.shared_data
def test_nearly_every_entry_of_real_lists_has_title_year_and_authors(shared_data: Path) -> None:
    with gzip.open(shared_data / "citations" / "bbl_dev.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for _, line in zip(range(60), stream, strict=False)]
    found = [reference for row in rows for text in row["files"].values() for reference in read_bbl(text)]
    assert len(found) > 2_000
    for part in ("title", "year", "surnames"):
        assert sum(bool(getattr(each, part)) for each in found) > 0.98 * len(found), part
