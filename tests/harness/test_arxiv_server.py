"""The test server reads and answers as the recorded replies show that arXiv does."""

import pytest

from tests.harness.arxiv_server import ArxivServer, Asked, paper

KNOWN = (
    paper("1001.0001", "Attention", "red"),
    paper("1001.0002", "Rings", "green red"),
    paper("1001.0003", "Attention rings", "blue", authors=("Maria del Maestro",)),
)


def ask(server: ArxivServer, **params: str) -> tuple[int, str]:
    status, body, _ = server.answer(Asked("GET", "/", params, {}, 0.0))
    return status, body.decode()


def found(query: str) -> list[str]:
    status, body = ask(ArxivServer(*KNOWN), search_query=query)
    assert status == 200
    return sorted(p.id.value for p in KNOWN if f"/abs/{p.id}<" in body)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("ti:attention", ["1001.0001", "1001.0003"]),
        ('ti:"attention rings"', ["1001.0003"]),
        ("ti:attention rings", ["1001.0001", "1001.0002", "1001.0003"]),
        ("ti:attention AND abs:red", ["1001.0001"]),
        ("ti:attention ANDNOT abs:red", ["1001.0003"]),
        ("abs:blue AND abs:green OR abs:red", []),
        ("(abs:blue AND abs:green) OR abs:red", ["1001.0001", "1001.0002"]),
        ('au:"del maestro"', ["1001.0003"]),
        ("all:red AND submittedDate:[201001010000 TO 201012312359]", ["1001.0001", "1001.0002"]),
        ("all:red AND submittedDate:[201101010000 TO 201112312359]", []),
        ("all:unheard", []),
    ],
)
def test_queries_mean_what_they_mean_at_arxiv(query: str, ids: list[str]) -> None:
    assert found(query) == ids


@pytest.mark.parametrize(
    "query", ["(all:a", "all:a)", 'all:"a', "all:a AND", r'ti:"a \"b\""', 'doi:"10.1/a(2)"', "Title:a", "all:x^2"]
)
@pytest.mark.parametrize(("dialect", "status"), [("new", 400), ("old", 200)])
def test_an_invalid_query_is_an_error_entry(query: str, dialect: str, status: int) -> None:
    got, body = ask(ArxivServer(dialect="old" if dialect == "old" else "new"), search_query=query)
    assert got == status
    assert "arxiv.org/api/errors" in body


@pytest.mark.parametrize(("doi", "count"), [("10.1/Abc", 1), ("10.1/abc", 0), ("10.1/A", 0)])
def test_a_doi_is_compared_whole_and_in_its_case(doi: str, count: int) -> None:
    server = ArxivServer(paper("1501.00001", "Rings", doi="10.1/Abc"))
    assert ask(server, search_query=f'doi:"{doi}"')[1].count("<entry>") == count


def test_one_malformed_id_spoils_a_request() -> None:
    status, body = ask(ArxivServer(*KNOWN), id_list="1001.0001,abc")
    assert status == 400
    assert "incorrect_id_format_for_abc" in body


def test_an_id_with_a_prefix_passes_and_matches_nothing() -> None:
    status, body = ask(ArxivServer(*KNOWN), id_list="arXiv:1001.0001")
    assert (status, "<entry>" in body) == (200, False)


def test_ten_results_are_given_unless_more_are_asked_for() -> None:
    many = [paper(f"1501.{n:05}", "Rings") for n in range(1, 31)]
    ids = ",".join(p.id.value for p in many)
    assert ask(ArxivServer(*many), id_list=ids)[1].count("<entry>") == 10
    assert ask(ArxivServer(*many), id_list=ids, max_results="100")[1].count("<entry>") == 30
    assert ask(ArxivServer(*many), id_list=ids, max_results="0")[0] == 500
