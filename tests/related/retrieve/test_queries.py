from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.errors import UnreadableInput
from citeplug.records.draft import Cite, Draft, Span
from citeplug.records.paper import Query
from citeplug.related.retrieve.queries import THEME, frequent_phrases, only_used, queries_from_draft
from tests.harness.in_proportion import MOST, growth
from tests.related.retrieve.drafts import draft, entry, section
from tests.related.retrieve.memory_index import paper

HERE = Span(Path("main.tex"), 0, 0, 1)
TITLE = "Graph attention networks"
ABSTRACT = "We present networks that attend to the neighbours of a node."
LONG = "Spectral convolution on irregular graphs depends on the basis of eigenvectors. " * 5


def _by_aspect(queries: list[Query]) -> dict[str, Query]:
    assert len({query.aspect for query in queries}) == len(queries)
    return {query.aspect: query for query in queries}


def test_the_main_query_is_title_and_abstract_with_full_weight() -> None:
    assert queries_from_draft(draft(TITLE, ABSTRACT))[0] == Query(f"{TITLE}. {ABSTRACT}", "abstract", 1.0)


def test_only_what_the_draft_cites_already_weighs_as_much_as_the_main_query() -> None:
    whole = draft(TITLE, ABSTRACT, section("Introduction", LONG), entries=(entry("a", "Walks"),), cited=("a",))
    weights = {query.aspect: query.weight for query in queries_from_draft(whole)}
    assert weights.pop("abstract") == weights.pop("citations") == 1.0
    assert all(0 < weight < 0.5 for weight in weights.values())


def test_title_phrases_telling_sections_and_citations_are_asked_for_too() -> None:
    whole = draft(
        TITLE,
        ABSTRACT,
        section("1 Introduction", LONG),
        section("Prior Work", "Random walks on graphs. " * 10),
        section("Our approach", "Masked self-attention over neighbours. " * 10),
        section("Experiments", "Cora and Citeseer. " * 10),
        entries=(entry("w", "Random {W}alks", None), entry("p", "", "2001.00001"), entry("unused", "Never cited")),
        cited=("w", "p"),
    )
    queries = _by_aspect(queries_from_draft(whole, {"p": paper("2001.00001", "Kept in the catalogue")}))
    assert list(queries) == [
        "abstract",
        "title",
        "phrases",
        "section:related work",
        "section:introduction",
        "section:method",
        "citations",
    ]
    assert queries["title"].text == TITLE
    assert queries["section:introduction"].text.startswith("Spectral convolution")
    assert queries["citations"].text == "Random Walks. Kept in the catalogue"


def test_the_section_that_the_reader_named_related_work_counts_whatever_its_heading() -> None:
    where = section("How others walked", "Random walks on graphs. " * 10)
    queries = _by_aspect(queries_from_draft(draft(TITLE, ABSTRACT, where, related_work=where)))
    assert queries["section:related work"].text.startswith("Random walks")


def test_what_is_cited_most_often_is_named_first() -> None:
    entries = (entry("a", "Walks"), entry("b", "Graphs"))
    queries = _by_aspect(queries_from_draft(draft(TITLE, ABSTRACT, entries=entries, cited=("a", "b", "b"))))
    assert queries["citations"].text == "Graphs. Walks"


def test_the_text_of_subsections_counts_as_their_sections() -> None:
    whole = draft(TITLE, ABSTRACT, section("Methods", ""), section("Sampling", LONG, level=2), section("End", LONG))
    queries = _by_aspect(queries_from_draft(whole))
    assert queries["section:method"].text == " ".join(LONG.split())


def test_nocite_star_stands_for_every_entry() -> None:
    queries = _by_aspect(queries_from_draft(draft(TITLE, ABSTRACT, entries=(entry("a", "Walks"),), cited=("*",))))
    assert queries["citations"].text == "Walks"


def test_without_an_abstract_the_introduction_stands_in() -> None:
    main = queries_from_draft(draft(TITLE, "  ", section("Setting", "Nothing."), section("Introduction", LONG)))[0]
    assert main.aspect == "introduction"
    assert main.text.startswith(f"{TITLE}. Spectral convolution")


def test_without_an_introduction_either_the_first_text_stands_in() -> None:
    main = queries_from_draft(draft(TITLE, "", section("Setting", LONG)))[0]
    assert (main.aspect, main.text[:30]) == ("text", f"{TITLE}. Spec")


def test_a_title_alone_is_enough() -> None:
    assert queries_from_draft(draft(TITLE))[0] == Query(TITLE, "title")


def test_an_abstract_without_a_title_is_enough() -> None:
    assert queries_from_draft(draft("", ABSTRACT))[0] == Query(ABSTRACT, "abstract")


@pytest.mark.parametrize("nothing", ["", " \n", "$$ . 1 2 3"])
def test_a_draft_with_nothing_to_go_by_is_refused_with_a_hint(nothing: str) -> None:
    with pytest.raises(UnreadableInput, match=r"main\.tex has too little text") as caught:
        queries_from_draft(draft(nothing, nothing, section("Introduction", nothing)))
    assert "abstract" in caught.value.hint


def test_nothing_is_asked_twice() -> None:
    texts = [query.text for query in queries_from_draft(draft(TITLE, "", section("Introduction", "Too short.")))]
    assert len(texts) == len(set(texts))


def test_a_query_stays_short_however_long_the_draft() -> None:
    queries = queries_from_draft(draft(TITLE, "word " * 50_000, section("Introduction", "other " * 50_000)))
    assert max(len(query.text.split()) for query in queries) < 1000


@pytest.mark.parametrize(
    "said", ["To be written.", "TODO", "TODO: write this!", "Abstract goes here.", "...", "[cite]"]
)
def test_an_abstract_that_says_nothing_gives_way_to_the_introduction_and_that_to_the_title(said: str) -> None:
    introduction = section("Introduction", LONG)
    assert queries_from_draft(draft(TITLE, said, introduction))[0].aspect == "introduction"
    assert queries_from_draft(draft(TITLE, said))[0] == Query(TITLE, "title")
    assert queries_from_draft(draft(TITLE, "", section("Introduction", said)))[0] == Query(TITLE, "title")


def test_a_short_abstract_in_a_script_without_spaces_says_something() -> None:
    assert queries_from_draft(draft("", "深度学习方法研究"))[0].aspect == "abstract"
    assert queries_from_draft(draft(TITLE, "深度学习方法研究"))[0].aspect == "abstract"


def test_sections_that_say_nothing_change_no_query() -> None:
    whole = draft(TITLE, ABSTRACT, section("Introduction", LONG))
    waiting = (
        section("Motion planning for robots", ""),
        section("Results", "To be written."),
        section("Method", "TODO"),
    )
    more = draft(TITLE, ABSTRACT, section("Introduction", LONG), *waiting)
    assert queries_from_draft(more) == queries_from_draft(whole)


def test_of_a_whole_draft_every_section_with_a_text_asks_and_all_together_weigh_little() -> None:
    parts = [section(f"Part {n}", f"{LONG} {n}") for n in range(40)]
    left_out = [section("Short", "Too few words."), section("7 Acknowledgements", LONG)]
    given = draft(TITLE, ABSTRACT, section("Introduction", LONG), *left_out, *parts)
    before, after = queries_from_draft(given), queries_from_draft(given, whole=True)
    assert after[: len(before)] == before
    more = after[len(before) :]
    assert [query.aspect for query in more][:3] == ["part:Introduction", "part:Part 0", "part:Part 1"]
    assert len(more) == 24 and sum(query.weight for query in more) == pytest.approx(0.2)
    assert all(len(query.text.split()) <= 203 for query in more)


def test_many_sections_take_time_in_proportion() -> None:
    sections = [section(f"Method {number}", "Random walks on graphs.") for number in range(3_200)]
    assert growth(lambda count: queries_from_draft(draft(TITLE, "", *sections[:count]), whole=True), 800) < MOST


def _citing(*cites: tuple[str, str]) -> Draft:
    """A draft with entries a to d, that cites comma-separated keys in these contexts."""
    found = tuple(Cite(tuple(keys.split(",")), "cite", HERE, context) for keys, context in cites)
    return replace(draft(TITLE, ABSTRACT, entries=tuple(entry(key, f"Walks {key}") for key in "abcd")), cites=found)


def test_what_is_cited_for_software_or_data_alone_or_in_thanks_is_not_searched_by() -> None:
    whole = _citing(
        ("a", "Introduction: Walks converge [*]."),
        ("b", "Acknowledgments: We thank the authors of walks [*]."),
        ("c", "Method: All walks are implemented in Python with a package [*]."),
        ("d", "Experiments: We take walks of the package [*]."),
        ("d", "Introduction: Others prefer longer walks [*]."),
    )
    assert only_used(whole) == {"b", "c"}
    assert _by_aspect(queries_from_draft(whole))["citations"].text == "Walks d. Walks a"


def test_a_draft_that_only_cites_what_it_used_is_searched_by_that() -> None:
    assert only_used(_citing(("a,b", "Data: We use walks [*]."))) == frozenset()


def test_works_that_are_cited_at_one_place_are_a_query_of_their_own() -> None:
    whole = _citing(
        ("a,b", "Introduction: Walks [*]."), ("c", "Introduction: Runs [*]."), ("c,d,a", "Prior work: Both [*].")
    )
    themes = [query for query in queries_from_draft(whole) if query.aspect == THEME]
    assert [query.text for query in themes] == ["Walks c. Walks d. Walks a", "Walks a. Walks b"]
    assert sum(query.weight for query in themes) <= 0.1


def test_the_phrases_that_a_draft_returns_to_come_first_and_none_in_another_form() -> None:
    text = "Graph kernels and walks. Graph kernels compare. A graph kernel of random walk features. Look at people."
    assert frequent_phrases(text, 2) == ["graph kernels", "random walk features"]
