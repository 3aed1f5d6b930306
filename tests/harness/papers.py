"""Papers for tests: one builder, and a hypothesis strategy for records as strange as arXiv's."""

from datetime import date, timedelta

from hypothesis import strategies as st

from citeplug.records.paper import ArxivId, Paper


def paper(
    arxiv_id: str = "1706.03762",
    title: str = "Attention Is All You Need",
    authors: tuple[str, ...] = ("Ashish Vaswani", "Noam Shazeer", "Niki Parmar"),
    published: date = date(2017, 6, 12),
    updated: date | None = None,
    doi: str | None = None,
    journal_ref: str | None = None,
    comment: str | None = None,
    categories: tuple[str, ...] = ("cs.CL",),
) -> Paper:
    return Paper(
        id=ArxivId(arxiv_id),
        title=title,
        abstract="An abstract.",
        authors=authors,
        published=published,
        updated=updated or published,
        categories=categories,
        doi=doi,
        journal_ref=journal_ref,
        comment=comment,
    )


_SMALL = "abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿāăąćčďđęěğıłńňőœřśşšţťůűźżžșțạếộ"
_BIG = "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÄÅÆÇÈÉÊÍÎÑÓÔÖØÚÜĆČĐĘŁŃŐŒŘŚŠŹŻŽÞ"
_word = st.builds(str.__add__, st.sampled_from(_BIG), st.text(_SMALL, min_size=1, max_size=8))
_initial = st.sampled_from("ABCDEJKLMPRST").map(lambda letter: letter + ".")
_given = st.lists(st.one_of(_word, _initial, st.builds("{}-{}".format, _word, _word)), min_size=1, max_size=3)
_particles = st.sampled_from(
    ["", "", "", "van ", "van der ", "de la ", "von ", "Van de ", "De ", "d'", "al-", "O'", "di "]
)
_suffix = st.sampled_from(["", "", "", "", " Jr.", " III"])
person = st.builds(
    lambda given, particles, family, suffix: f"{' '.join(given)} {particles}{family}{suffix}",
    _given,
    _particles,
    st.one_of(_word, st.builds("{}-{}".format, _word, _word)),
    _suffix,
)
collective = st.sampled_from(["ATLAS Collaboration", "The LIGO Scientific Collaboration", "H1 Collaboration"])
_title_word = st.sampled_from(
    r"""the of A learning Graph networks BERT U-Net CNNs 3D Łojasiewicz Schrödinger $O(N)$ $\alpha$-stable
    $\mathbb{R}^n$ Fra\"iss\'e 100% R&D C# _under_ {Braced} α→β “quoted” 'single' $5 naïve: on-line
    \emph{x} \foo{bar} $\foo_b$ {\cal~N} ~tilde x^2 <b> # -- --- a--b É Ünder
    K{\"a}hler $\cal{N}=4$ $$ \\ \& 2-D""".split()
)
title = st.lists(_title_word, min_size=1, max_size=12).map(" ".join).filter(lambda t: any(c.isalpha() for c in t))
_day = st.dates(date(1992, 1, 1), date(2025, 12, 31))


@st.composite
def papers(draw: st.DrawFn) -> Paper:
    """A complete record with particles, accents, collaborations, TeX and math."""
    day = draw(_day)
    number = draw(st.integers(1, 9999))
    value = (
        f"{day:%y%m}.{number:0{5 if day.year >= 2015 else 4}d}"
        if day.year >= 2008
        else f"hep-th/{day:%y%m}{number % 1000:03d}"
    )
    authors = draw(st.lists(person, min_size=1, max_size=4, unique=True))
    if draw(st.integers(0, 5)) == 0:
        authors.insert(0, draw(collective))
    return paper(
        value,
        "Notes on " + draw(title),
        tuple(authors),
        day,
        day + timedelta(days=draw(st.integers(0, 900))),
        draw(st.sampled_from([None, "10.1103/PhysRevD.57.971", "10.1007/978-3-319-1_2", "10.1000/a. 10.1000/b"])),
        draw(st.sampled_from([None, "Phys. Rev. D 57 (1998) 971-978", "Proc. R&D, 100% {odd"])),
    )
