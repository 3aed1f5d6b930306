import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citeplug.sources.crossref import read_list as crossref_list
from citeplug.sources.crossref import read_one as crossref_one
from citeplug.sources.dblp import read_list as dblp_list
from citeplug.sources.json_values import first_line, line, mapping, sequence, year
from citeplug.sources.openalex import read_list as openalex_list
from citeplug.sources.openalex import read_one as openalex_one
from citeplug.sources.work_service import BadReply

NAMES = [
    "DOI", "title", "subtitle", "author", "issued", "date-parts", "container-title", "type", "updated-by", "name",
    "family", "given", "message", "items", "results", "id", "doi", "display_name", "authorships", "biblio",
    "primary_location", "locations", "source", "publication_year", "result", "hits", "hit", "info", "authors", "venue",
    "volume", "year", "ee", "url", "text", "status", "@code", "key", "page", "event",
]  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        ["10.1/x", "https://doi.org/10.1000/1", "<i>a</i>", "&amp;", "abs/1706.03762", "CoRR", "article", "200", "2015"]
    )
)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=25,
)
OBJECT = st.dictionaries(st.sampled_from(NAMES), ANY_JSON, max_size=12)


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("A <i>de novo</i> H<sub>2</sub>O", "A de novo H2O"),
        ("Q &amp; A, twice &amp;amp; over", "Q & A, twice & over"),
        ("&lt;b&gt;Bold&lt;/b&gt; claims", "Bold claims"),
        ("a < b and c > d", "a < b and c > d"),
        ("<jats:title>One</jats:title><br/>Two", "One Two"),
        (
            "<mml:math><mml:msub><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msub>"
            '<mml:annotation encoding="application/x-tex">x_2</mml:annotation></mml:math> decays',
            "x2 decays",
        ),
        ("vector<int> considered", "vector<int> considered"),
        ("red\x1b[31m alert\u202e", "red alert"),
        ("two\n  lines", "two lines"),
        (7, "7"),
        (True, ""),
        (None, ""),
        (["x"], ""),
        (1.5, ""),
        (10**400, ""),
    ],
)
def test_a_line_is_plain_text_without_markup(raw: object, read: str) -> None:
    assert line(raw) == read


def test_a_year_has_four_digits_and_is_one_of_ours() -> None:
    assert [year(value) for value in (2015, "1999", "99", 3000, None, "2015-01", True, [2015])] == [
        2015,
        1999,
        *[None] * 6,
    ]


@given(ANY_JSON)
def test_every_value_becomes_what_was_asked_for(value: object) -> None:
    assert isinstance(mapping(value), dict)
    assert isinstance(sequence(value), list)
    assert isinstance(first_line(value), str)
    assert "\n" not in line(value)


@given(st.one_of(ANY_JSON, OBJECT))
def test_no_reply_breaks_a_reader(document: object) -> None:
    for read in (crossref_one, crossref_list, openalex_one, openalex_list, dblp_list):
        try:
            read(document)
        except BadReply:
            continue


@given(OBJECT)
@example({"title": 0, "author": False})
def test_whatever_a_record_holds_a_work_of_it_is_whole(item: dict[str, object]) -> None:
    works = crossref_list({"message": {"items": [item]}}) + openalex_list({"results": [item]})
    works += dblp_list({"result": {"hits": {"hit": [{"info": item}]}}})
    for work in works:
        assert work.title.strip()
        assert all(name.strip() for name in work.authors)
        assert work.doi is None or work.doi.startswith("10.")
        assert len(work.surnames) in (0, len(work.authors))
