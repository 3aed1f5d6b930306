"""Paragraphs have three to eight papers, and a heading that most of them are about."""

from dataclasses import replace

from citeplug.records.paper import ArxivId, Paper
from citeplug.related.plan.themes import LARGEST, Group, find_themes, group_by_theme
from tests.related.write.examples import paper


def papers(*titles: str) -> list[Paper]:
    return [paper(f"We study {t}.", t, arxiv_id=f"2001.{n:05d}") for n, t in enumerate(titles, 1)]


LOGS = ("parsing of system logs", "templates for system logs", "storage of system logs", "search in system logs")
GRAPHS = ("coloring of planar graphs", "cuts in planar graphs", "walks on planar graphs", "planar graphs with weights")
RIVERS = tuple(f"rivers {n} in spring" for n in range(4))


def headings(several: list[Paper], own: tuple[str, ...] = (), **rest: list[str]) -> list[str]:
    return sorted(group.heading for group in group_by_theme(several, [*find_themes(several, own)], {}, **rest))


def of(groups: list[Group], heading: str) -> list[int]:
    return sorted(row for group in groups if group.heading == heading for row in group.rows)


def test_papers_are_grouped_by_the_phrases_that_their_titles_share() -> None:
    several = papers(*LOGS, *GRAPHS)
    groups = group_by_theme(several, [*find_themes(several)], {})
    assert of(groups, "System logs") == [0, 1, 2, 3]
    assert of(groups, "Planar graphs") == [4, 5, 6, 7]


def test_what_has_no_theme_stands_in_a_group_without_a_heading() -> None:
    several = papers(*LOGS, *GRAPHS, *RIVERS)
    groups = group_by_theme(several, [*find_themes(several, ["System logs and planar graphs"])], {})
    assert of(groups, "") == [8, 9, 10, 11]


def test_no_group_is_too_large_and_every_paper_is_in_one() -> None:
    several = papers(*(f"{n} parts of system logs" for n in range(20)), *GRAPHS * 3)
    groups = group_by_theme(several, [*find_themes(several)], {})
    assert sorted(row for group in groups for row in group.rows) == list(range(32))
    assert all(len(group.rows) <= LARGEST for group in groups)


def test_a_heading_that_stands_in_the_section_already_is_not_given_again() -> None:
    assert headings(papers(*LOGS, *GRAPHS), taken=["System logs"]) == ["", "Planar graphs"]


def test_what_all_papers_are_about_divides_nothing_and_one_group_needs_no_heading() -> None:
    assert headings(papers(*(f"{n} parts of system logs" for n in range(8)))) == [""]
    assert headings(papers(*LOGS)) == [""]
    assert headings([]) == []


def test_a_few_papers_without_a_theme_join_the_nearest_group() -> None:
    several = papers(*LOGS, *GRAPHS, "songs of whales")
    groups = group_by_theme(several, [*find_themes(several)], {})
    assert sorted(len(group.rows) for group in groups) == [4, 5]


def test_a_noun_that_is_counted_heads_and_names_nothing_without_its_plural() -> None:
    arrays = papers("a programmable gate array", "the programmable gate array", "one programmable gate array")
    assert [theme.name for theme in find_themes(arrays)] == []


def test_the_end_of_a_compound_is_no_theme() -> None:
    several = papers("task-agnostic learning rules", "model-agnostic learning rules", "pose-agnostic learning rules")
    assert "agnostic learning rules" not in [theme.name for theme in find_themes(several)]


def test_the_drafts_own_words_come_first_in_headings() -> None:
    both = papers(*(f"{n} kinds of system logs in data centers" for n in "abcd"), *GRAPHS)
    assert "Data centers" in headings(both, ("Data centers and planar graphs in winter",))
    assert "System logs" in headings(both, ("System logs and planar graphs in winter",))


def test_works_that_the_draft_cites_together_decide_between_themes() -> None:
    both = papers("system logs a", "system logs b", "system logs in data centers", *(f"data centers {n}" for n in "ab"))
    both += papers(*GRAPHS)
    both = [replace(each, id=ArxivId(f"2001.{n:05d}")) for n, each in enumerate(both)]
    together = [frozenset({both[2].id.value, both[3].id.value})]
    found = [group_by_theme(both, [*find_themes(both)], {}, together=each) for each in ([], together)]
    assert [2 in of(groups, "Data centers") for groups in found] == [False, True]


def test_a_group_without_a_theme_is_headed_by_a_whole_phrase_of_which_a_title_may_have_the_end() -> None:
    titles = ("rivers in spring", "whales at night", "songs for two", "chains and decision processes")
    several = [
        paper(f"We study {title} by Markov decision processes.", title, arxiv_id=f"2001.{n:05d}")
        for n, title in enumerate(titles, 50)
    ]
    assert "Markov decision processes" in headings(
        [*papers(*LOGS, *GRAPHS), *several], ("System logs and planar graphs",)
    )
