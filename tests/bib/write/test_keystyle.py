import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeplug.bib.write.keystyle import DEFAULT, KeyFacts, KeyStyle, learn_style, make_key, make_keys, readings
from citeplug.records.draft import BibEntry, Span
from citeplug.text.identifiers import find_arxiv_id
from tests.harness.papers import paper, papers

# (authors, year, title), told apart enough to see the style in.
WORKS = [
    ("Smith, John and Jones, Bob", "2019", "The Deep Learning of Trees"),
    ("Kim, Ada", "2004", "On Graphs and Their Cuts"),
    ('Anna M{\\"u}ller and Dick de Vries and Eve Short', "2020", "A Theory of {BERT} Models"),
    ("van den Oord, Aaron and Li, Wei and Park, Sun and Doe, Jim and Roe, Kay", "1998", "Fast Samplers for Speech"),
    ("Garcia-Lopez, Maria", "2011", "Why Do Nets Work?"),
    ("Chen, Yi and Wu, Bo", "2015", "Attention for Sets of Points"),
]
# The keys of these works in many styles, and the key of Vaswani, Shazeer and Parmar, "Attention Is All You Need".
STYLES = {
    "smith2020": ("smith2019 kim2004 muller2020 vandenoord1998 garcialopez2011 chen2015", "vaswani2017"),
    "Smith:2020": ("Smith:2019 Kim:2004 Muller:2020 vandenOord:1998 GarciaLopez:2011 Chen:2015", "Vaswani:2017"),
    "umlauts spelled out": ("smith2019 kim2004 mueller2020 oord1998 garcialopez2011 chen2015", "vaswani2017"),
    "smith20word": ("smith19deep kim04graphs muller20theory vandenoord98fast garcialopez11nets chen15attention",
                    "vaswani17attention"),
    "Google Scholar": ("smith2019deep kim2004graphs muller2020theory garcialopez2011nets chen2015attention",
                       "vaswani2017attention"),
    "SmithJones2020": ("SmithJones2019 Kim2004 MullerdeVriesShort2020 GarciaLopez2011 ChenWu2015",
                       "VaswaniShazeerParmar2017"),
    "SmithEtAl2020": ("SmithJones2019 Kim2004 MullerEtAl2020 vandenOordEtAl1998 GarciaLopez2011 ChenWu2015",
                      "VaswaniEtAl2017"),
    "ACL anthology": ("smith-jones-2019-deep kim-2004-graphs muller-etal-2020-theory vandenoord-etal-1998-fast "
                      "garcialopez-2011-nets chen-wu-2015-attention", "vaswani-etal-2017-attention"),
    "Zotero": ("smith_deep_2019 kim_graphs_2004 muller_theory_2020 oord_fast_1998 garcia-lopez_why_2011 "
               "chen_attention_2015", "vaswani_attention_2017"),
    "alpha": ("SJ19 Kim04 MdS20 vLP+98 Gar11 CW15", "VSP17"),
    "three letters each": ("SmiJon19 Kim04 MulDevSho20 VanLiParetal98 Gar11 CheWu15", "VasShaPar17"),
    "initials of the title": ("Smith2019DLT Kim2004GC Muller2020TBM Chen2015ASP GarciaLopez2011NW", None),
    "upper case": ("SMITH2019 KIM2004 MULLER2020 VANDENOORD1998 GARCIALOPEZ2011 CHEN2015", "VASWANI2017"),
    "year first": ("2019-smith 2004-kim 2020-muller 1998-vandenoord 2011-garcialopez", "2017-vaswani"),
    "two letters always": ("Smith:2019aa Kim:2004aa Muller:2020ab GarciaLopez:2011xy Chen:2015aa", "Vaswani:2017aa"),
    "title only": ("deep graphs theory fast nets attention", "attention"),
}  # fmt: skip


def entry(key: str, work: tuple[str, str, str], **fields: str) -> BibEntry:
    author, year, title = work
    values = {"author": author, "year": year, "title": title, **fields}
    return BibEntry(key, "misc", values, Span(Path("a.bib"), 0, 0, 1), find_arxiv_id(values))


def entries(keys: str) -> list[BibEntry]:
    """The works that these keys mean, by their years or a word of their titles."""
    found = []
    for key in keys.split():
        year = re.search(r"(\d\d)(?!\d)", key)
        works = (work for work in WORKS if (work[1][2:] == year[1] if year else key in work[2].lower()))
        found.append(entry(key, next(works)))
    return found


@pytest.mark.parametrize("name", STYLES)
def test_a_style_is_learnt_from_its_keys(name: str) -> None:
    keys, new = STYLES[name]
    found = make_keys([paper()], [], entries(keys))["1706.03762"]
    assert found == (new or found)
    assert learn_style(entries(keys)) is not None


def test_ads_bibcodes_are_made_for_papers_of_both_numberings() -> None:
    codes = "2016ApJ...823..102C 2013arXiv1312.6114K 2017arXiv170603762V 1998PhRvL..81.1562F 2020MNRAS.491.2939L"
    learnt = learn_style([entry(code, WORKS[0]) for code in codes.split()])
    assert learnt is not None
    assert learnt.key(KeyFacts.of_paper(paper())) == "2017arXiv170603762V"
    assert learnt.key(KeyFacts(("Diederik Kingma",), 2013, "T", "1312.6114")) == "2013arXiv1312.6114K"
    assert learnt.key(KeyFacts(("A. Riess",), 1998, "T", "astro-ph/9805201")) == "1998astro.ph..5201R"
    assert learnt.key(KeyFacts(("A. Riess",), 1998, "T")) == ""
    assert make_key(KeyFacts(("A. Riess",), 1998, "Title"), (), learnt) == "riess1998title"


def test_keys_that_are_ids_are_learnt() -> None:
    some = [entry(f"arXiv:1706.0000{n}", WORKS[n], eprint=f"1706.0000{n}") for n in range(6)]
    assert make_keys([paper()], [], some)["1706.03762"] == "arXiv:1706.03762"


def test_keys_from_dblp_are_not_imitated() -> None:
    dblp = [entry(f"DBLP:journals/corr/abs-1706-0000{n}", WORKS[n]) for n in range(6)]
    assert learn_style(dblp) is None
    assert make_keys([paper()], [], [*dblp, *entries(STYLES["Smith:2020"][0])])["1706.03762"] == "Vaswani:2017"


@pytest.mark.parametrize("keys", ["1 2 3 4 5 6", "ref1 ref2 ref3 ref4 ref5 ref6", "", "smith2019 kim2004 muller2020"])
def test_without_a_style_the_usual_key_is_made(keys: str) -> None:
    works = [entry(key, work) for key, work in zip(keys.split(), WORKS, strict=False)]
    assert make_keys([paper()], [], works)["1706.03762"] == "vaswani2017attention"


def test_the_style_of_two_in_five_is_followed_and_that_of_fewer_is_not() -> None:
    five = entries("Smith:2019 Kim:2004 Muller:2020 GarciaLopez:2011 Chen:2015")
    others = [entry(f"x{n}", WORKS[n % 6]) for n in range(9)]
    assert learn_style([*five, *others[:7]]) is not None
    assert learn_style([*five, *others]) is None


def test_a_second_paper_of_the_same_year_gets_a_letter_in_every_style() -> None:
    keys, _ = STYLES["Smith:2020"]
    assert make_keys([paper()], ["VASWANI:2017"], entries(keys))["1706.03762"] == "Vaswani:2017a"
    keys, _ = STYLES["two letters always"]
    assert make_keys([paper()], ["Vaswani:2017aa"], entries(keys))["1706.03762"] == "Vaswani:2017ab"


@settings(max_examples=25, deadline=None)
@given(st.lists(papers(), max_size=4), st.sampled_from(sorted(STYLES)), st.lists(st.sampled_from(["a2000b", "X"])))
def test_keys_of_every_style_are_legal_and_all_different(records: list, name: str, taken: list[str]) -> None:  # type: ignore[type-arg]
    keys = make_keys(records, taken, entries(STYLES[name][0]))
    assert set(keys) == {record.id.value for record in records}
    assert all(key.isascii() and not set(key) & set(" ,{}()=#%\"\\~'") for key in keys.values())
    every = [key.lower() for key in keys.values()] + [key.lower() for key in set(taken)]
    assert len(set(every)) == len(every)


@settings(max_examples=25, deadline=None)
@given(papers())
def test_the_default_style_is_read_in_the_key_that_it_makes(record) -> None:  # type: ignore[no-untyped-def]
    facts = KeyFacts.of_paper(record)
    key = DEFAULT.key(facts)
    if facts.telling and len(facts.telling[0]) < 20 and key[:1].isalpha() and facts.people[0].family:
        assert any(style.key(facts) == key for style in readings(key, facts) if isinstance(style, KeyStyle))
