import numpy as np
import pytest

from citeplug.plan.clusters import LARGEST, Themes, cluster, has_theme, headings, topic_count, with_headings
from citeplug.records.paper import Paper
from tests.write.examples import paper


def papers(*titles: str) -> list[Paper]:
    return [paper(f"We study {t}.", t, arxiv_id=f"2001.{n:05d}") for n, t in enumerate(titles, 1)]


LOGS_AND_GRAPHS = papers(
    "parsing of system logs", "coloring of planar graphs", "templates for system logs", "cuts in planar graphs"
)


def test_papers_with_near_vectors_share_a_group() -> None:
    rows = np.array([[1, 0], [0, 1], [0.9, 0.1], [0.1, 0.9]], dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = {p.id.value: row for p, row in zip(LOGS_AND_GRAPHS, rows, strict=True)}
    assert cluster(LOGS_AND_GRAPHS, vectors, 2) == [[0, 2], [1, 3]]


def test_without_vectors_words_decide() -> None:
    assert cluster(LOGS_AND_GRAPHS, {}, 2) == [[0, 2], [1, 3]]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 10, 17, 60])
def test_every_paper_is_in_one_group_that_is_not_too_large(n: int) -> None:
    rows = np.random.default_rng(n).normal(size=(n, 8)).astype(np.float32)
    several = papers(*(f"title {i}" for i in range(n)))
    vectors = {p.id.value: row / np.linalg.norm(row) for p, row in zip(several, rows, strict=True)}
    groups = cluster(several, vectors)
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert all(1 <= len(group) <= LARGEST for group in groups)
    assert n < 4 or all(len(group) > 1 for group in groups)


def test_equal_vectors_still_make_groups() -> None:
    several = papers(*(f"title {i}" for i in range(12)))
    vectors = {p.id.value: np.ones(3, dtype=np.float32) for p in several}
    assert all(len(group) <= LARGEST for group in cluster(several, vectors))


def test_ten_papers_make_two_or_three_paragraphs() -> None:
    assert topic_count(10) in (2, 3)


def test_a_heading_tells_a_group_from_the_others() -> None:
    assert headings(LOGS_AND_GRAPHS, [[0, 2], [1, 3]]) == ["System logs", "Planar graphs"]


def test_a_heading_that_stands_in_the_section_already_is_not_given_again() -> None:
    assert headings(LOGS_AND_GRAPHS, [[0, 2], [1, 3]], ["System logs"])[1:] == ["Planar graphs"]
    assert "System logs" not in headings(LOGS_AND_GRAPHS, [[0, 2], [1, 3]], ["System logs"])


def test_what_all_papers_are_about_is_no_heading_and_one_group_needs_none() -> None:
    same = papers(*["system logs"] * 6)
    assert headings(same, [[0, 1], [2, 3], [4, 5]]) == [None, None, None]
    assert with_headings(same, [[0, 1], [2, 3], [4, 5]], {}) == [("", [0, 1, 2, 3, 4, 5])]


def test_a_group_without_a_heading_stands_before_those_with_one() -> None:
    several = [*LOGS_AND_GRAPHS, *papers(*(f"rivers {n} in spring" for n in range(9)))]
    named = with_headings(several, [[0, 2], [1, 3], list(range(4, 13))], {})
    assert named == [("", list(range(4, 13))), ("System logs", [0, 2]), ("Planar graphs", [1, 3])]


def test_a_heading_fits_most_of_its_papers() -> None:
    mixed = papers("parsing of system logs", "coloring of planar graphs", "rivers in spring", "songs of whales")
    assert headings(mixed, [[0, 1, 2, 3]]) == [None]
    assert headings(mixed, [[0, 1]]) == [None]


def test_a_bare_singular_heads_and_names_nothing() -> None:
    arrays = papers("a programmable gate array", "the programmable gate array")
    assert headings(arrays, [[0, 1]]) == [None]
    assert Themes(arrays, ["gate arrays"]).common([0, 1]) is None


def test_a_theme_is_in_a_title_of_the_draft_and_of_two_papers() -> None:
    two = papers("regular path queries", "regular path queries of graphs")
    assert Themes(two, ["Regular path queries at last"]).common([0, 1]) == "regular path queries"
    assert Themes(two, ["Trail queries"]).common([0, 1]) is None
    assert Themes(two, ["Regular path queries at last"]).common([0]) is None


def test_a_method_is_no_theme() -> None:
    two = papers("regular path queries of graphs", "trees by regular path queries")
    assert Themes(two, ["Parsing with regular path queries"]).common([0, 1]) is None
    assert has_theme("Regular path queries with trees", "regular path queries")
    assert not has_theme("Trees by regular path queries", "regular path queries")


def test_a_mere_kind_of_thing_is_no_theme() -> None:
    two = papers("wireless networks in spring", "wireless networks of whales")
    assert Themes(two, ["Wireless networks at last"]).common([0, 1]) is None


def test_the_drafts_own_words_come_first_in_headings() -> None:
    both = papers("system logs in data centers", "system logs of data centers")
    assert headings(both, [[0, 1]], own=["Data centers in winter"]) == ["Data centers"]
    assert headings(both, [[0, 1]], own=["System logs in winter"]) == ["System logs"]


def test_a_group_that_shares_no_phrase_is_named_by_a_run_of_words_that_two_titles_share() -> None:
    titles = ("Multiple Sclerosis Lesion Synthesis", "Analysis of Multiple Sclerosis Lesions", "Subsampled Brain Scans")
    found = papers(*titles)
    assert Themes(found).in_titles([0, 1, 2]) == ["multiple sclerosis lesions", "sclerosis lesions"]
    assert headings(found, [[0, 1, 2]]) == ["Multiple sclerosis lesions"]


def test_half_of_a_name_is_no_heading() -> None:
    titles = ("Quantitative Susceptibility Mapping", "Quantitative Susceptibility Inversion")
    found = papers(*titles)
    assert Themes(found).in_titles([0, 1]) == []
