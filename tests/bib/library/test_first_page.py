"""What the first pages of a paper say of it."""

from hypothesis import given
from hypothesis import strategies as st

from citeplug.bib.library.works import find_abstract, find_printed_doi, find_stamp, words_of_page

BODY = (
    "We propose a method that prunes sparse\ngraphs by recurrent mes-\nsage passing. It is ﬁne. "
    + "It works well. " * 8
)


def test_the_abstract_ends_where_the_paper_begins() -> None:
    for heading in ("Abstract\n", "ABSTRACT. ", "Abstract— ", "Summary\n"):
        for end in (
            "1 Introduction\n",
            "1. INTRODUCTION\n",
            "I. Introduction\n",
            "Keywords: graphs\n",
            "Index Terms—x\n",
        ):
            found = find_abstract(f"A Title\nSome Body\n{heading}{BODY}\n{end}Graphs are everywhere.")
            assert found.startswith(
                "We propose a method that prunes sparse graphs by recurrent message passing. It is fine."
            )
            assert found.endswith("It works well.")


def test_where_its_end_is_not_plain_there_is_no_abstract() -> None:
    assert find_abstract(f"A Title\nAbstract\n{BODY} and so on") == ""
    assert find_abstract("A Title\nAbstract\nShort.\n1 Introduction\n") == ""
    assert find_abstract(f"A Title\n{BODY}\n1 Introduction\n") == ""


def test_arxivs_stamp_is_known_by_its_form() -> None:
    assert find_stamp("text\narXiv:1706.03762v5 [cs.CL] 6 Dec 2017\nmore") == "1706.03762"
    assert find_stamp("arXiv:hep-th/9901001v1") == "hep-th/9901001"
    assert find_stamp("see 1706.03762") is None
    assert find_stamp("arXiv:1706.03762 and arXiv:1706.03763") is None


def test_a_doi_counts_where_it_is_called_one_and_is_alone() -> None:
    assert find_printed_doi("https://doi.org/10.1145/1234.5678.") == "10.1145/1234.5678"
    assert find_printed_doi("DOI: 10.1145/AB") == "10.1145/ab"
    assert find_printed_doi("doi:10.1/x doi:10.1145/a doi:10.1145/b") is None
    assert find_printed_doi("a 10.1145/1234 b") is None


def test_words_are_found_whatever_a_font_made_of_their_accents() -> None:
    assert words_of_page("M\u00a8uller and Garc\u00b4\u0131a on ﬁl-\nters") == "muller and garcia on filters"


@given(st.text(max_size=400))
def test_any_text_is_a_page(text: str) -> None:
    find_abstract(text), find_stamp(text), find_printed_doi(text), words_of_page(text)
