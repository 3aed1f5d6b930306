from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.sources.arxiv_query import MOST_TERMS, in_categories, salient_terms, search_query
from tests.harness.arxiv_server import ArxivServer, Asked

ABSTRACT = """Dense passage retrieval for open-domain question answering. Open-domain question answering relies on
efficient passage retrieval to select candidate contexts, where traditional sparse vector space models, such as
TF-IDF or BM25, are the de facto method. In this work, we show that retrieval can be practically implemented using
dense representations alone, where embeddings are learned from a small number of questions and passages by a simple
dual-encoder framework."""


def test_up_to_three_words_have_to_occur_all() -> None:
    assert search_query("Bose condensate") == "(all:bose AND all:condensate)"
    assert search_query("rings") == "all:rings"


def test_of_more_words_any_will_do() -> None:
    assert (
        search_query("bosonic strings compactified tori")
        == "(all:bosonic OR all:strings OR all:compactified OR all:tori)"
    )


def test_any_word_will_do_if_asked_so() -> None:
    assert search_query("bosonic strings", all_of_them=False) == "(all:bosonic OR all:strings)"


def test_the_day_before_is_the_last_one() -> None:
    assert (search_query("rings", date(2020, 3, 1)) or "").endswith(" AND submittedDate:[198001010000 TO 202002292359]")


@pytest.mark.parametrize("before", [date.min, date(1980, 1, 1)])
def test_before_arxiv_there_is_nothing_to_ask(before: date) -> None:
    assert search_query("rings", before) is None


@pytest.mark.parametrize("text", ["", " ", "the of and", "3.14 2718", "Größenwahn", "$x^2$", "\\alpha", "?!", "日本語"])
def test_what_says_nothing_gives_no_query(text: str) -> None:
    assert search_query(text) is None


def test_in_a_short_text_everyday_words_of_research_count_too() -> None:
    assert salient_terms("time series model") == ["time", "series", "model"]


def test_an_abstract_gives_its_repeated_phrases_and_rarest_words() -> None:
    terms = salient_terms(ABSTRACT)
    assert len(terms) == MOST_TERMS
    assert "passage retrieval" in terms
    assert {"open-domain question", "question answering"} & set(terms)
    assert not {"work", "show", "method", "models", "using"} & set(terms)


def test_words_across_a_full_stop_are_no_phrase() -> None:
    text = "We study rings. Fields matter. Others like rings. Fields abound, and so do ideals, tori, lattices, groups."
    assert "rings fields" not in salient_terms(text)


def test_tex_and_accents_leave_no_halves_of_words() -> None:
    terms = salient_terms(
        r"Fra\"iss\'e limits, Erd\H{o}s graphs, Poincar\'{e} maps, na\"{\i}ve $\alpha$-rings, G\"odel"
    )
    assert set(terms) == {"limits", "graphs", "maps", "rings"}


@given(st.text(max_size=400), st.booleans())
def test_any_text_gives_a_short_valid_query_or_none(text: str, all_of_them: bool) -> None:
    query = search_query(text, date(2020, 1, 1), all_of_them=all_of_them)
    if query is None:
        return
    assert query.isascii()
    assert len(query) < 800
    asked = Asked("GET", "/", {"search_query": query}, {}, 0.0)
    status, body, _ = ArxivServer().answer(asked)
    assert status == 200, body


@given(st.text(alphabet="ab \\\"'{}$^~_-.é", max_size=200))
def test_tex_of_any_shape_gives_ascii_words(text: str) -> None:
    assert all(word.replace("-", "").replace(" ", "").isalnum() for word in salient_terms(text))


def test_categories_are_asked_for_beside_the_whole_query() -> None:
    asked = in_categories("(all:tea OR all:coffee)", ["cs.LG", "hep-th"])
    assert asked == "((all:tea OR all:coffee)) AND (cat:cs.LG OR cat:hep-th OR cat:hep-th.*)"
    assert in_categories("all:tea", []) == "all:tea"
