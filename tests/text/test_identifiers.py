import pytest

from citeplug.text.identifiers import find_arxiv_id, find_doi


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"eprint": "1706.03762"}, "1706.03762"),
        ({"eprint": "1706.03762v5", "archiveprefix": "arXiv"}, "1706.03762"),
        ({"eprint": "arXiv:1706.03762"}, "1706.03762"),
        ({"eprint": "arXiv:math/0606278v2"}, "math/0606278"),
        ({"eprint": "https://arxiv.org/abs/1706.03762"}, "1706.03762"),
        ({"eprint": "hep-th/9711200"}, "hep-th/9711200"),
        ({"eprint": "9711200", "archiveprefix": "hep-th"}, "hep-th/9711200"),
        ({"eprint": "9711200", "archiveprefix": "arXiv", "primaryclass": "hep-th"}, "hep-th/9711200"),
        ({"eprint": "math.GT/0309136"}, "math/0309136"),
        ({"arxivid": "1706.03762"}, "1706.03762"),
        ({"arxiv": "1706.03762"}, "1706.03762"),
        ({"journal": "arXiv preprint arXiv:1706.03762"}, "1706.03762"),
        ({"journal": "ArXiv e-prints", "eid": "arXiv:1706.03762"}, "1706.03762"),
        ({"journal": "arXiv e-prints 1706.03762 [cs.CL]"}, "1706.03762"),
        ({"journal": "CoRR", "volume": "abs/1706.03762"}, "1706.03762"),
        ({"journal": "arXiv", "volume": "1706.03762"}, "1706.03762"),
        ({"journal": "Nature", "volume": "1706.03762"}, None),
        ({"number": "arXiv:1302.4245 [stat.ML]"}, "1302.4245"),
        ({"note": "arXiv:1706.03762v2 [cs.CL]"}, "1706.03762"),
        ({"note": r"Preprint, \href{https://arxiv.org/abs/1706.03762}{arXiv:1706.03762}"}, "1706.03762"),
        ({"note": r"{\tt arXiv:1706.03762}"}, "1706.03762"),
        ({"note": r"arXiv\string:1706.03762"}, "1706.03762"),
        ({"note": "available as hep-th/9711200"}, "hep-th/9711200"),
        ({"howpublished": r"\url{http://arxiv.org/pdf/1706.03762v1.pdf}"}, "1706.03762"),
        ({"url": "http://www.arxiv.org/abs/1706.03762"}, "1706.03762"),
        ({"url": "https://doi.org/10.48550/arXiv.1706.03762"}, "1706.03762"),
        ({"doi": "10.48550/arXiv.1706.03762"}, "1706.03762"),
        ({"doi": "10.48550/ARXIV.1706.03762"}, "1706.03762"),
        ({"pages": "arXiv--1706.03762"}, "1706.03762"),
        ({"adsurl": "http://adsabs.harvard.edu/abs/2017arXiv170603762V"}, "1706.03762"),
        ({"adsurl": "http://adsabs.harvard.edu/abs/1998astro.ph..5201R"}, "astro-ph/9805201"),
        ({"adsurl": "http://adsabs.harvard.edu/abs/2003hep.th...12100I"}, "hep-th/0312100"),
        ({"biburl": "https://dblp.org/rec/journals/corr/abs-1706-03762.bib"}, "1706.03762"),
        ({"archiveprefix": "arXiv:1706.03762"}, "1706.03762"),
        ({"publisher": "arXiv", "number": "1706.03762"}, "1706.03762"),
        ({"eprint": "10.1093/mnras/stx1234"}, None),
        ({"eprint": "2345678", "eprinttype": "jstor"}, None),
        ({"eprint": "https://example.org/1706.03762"}, None),
        ({"journal": "Phys. Rev. D", "volume": "12", "pages": "1234.56789"}, None),
        ({"file": "1706.03762.pdf", "abstract": "see arXiv:1706.03762"}, None),
        ({"doi": "10.1000/1706.03762"}, None),
        ({"eprint": "1799.03762"}, None),
        ({}, None),
    ],
)
def test_an_arxiv_id_is_found_in_every_hiding_place(fields: dict[str, str], expected: str | None) -> None:
    assert find_arxiv_id(fields) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"doi": "10.1000/x.1"}, "10.1000/x.1"),
        ({"doi": "https://doi.org/10.1000/x.1"}, "10.1000/x.1"),
        ({"doi": "doi:10.1000/x.1."}, "10.1000/x.1"),
        ({"doi": r"10.1000/a\_b"}, "10.1000/a_b"),
        ({"doi": "10.1000/a{\\_}b"}, "10.1000/a_b"),
        ({"doi": "10.1000/x#sthash.abc"}, "10.1000/x"),
        ({"doi": "10.1000/x 10.1000/y"}, "10.1000/x"),
        ({"eprint": "10.1000/x"}, "10.1000/x"),
        ({"url": "http://dx.doi.org/10.1000/x"}, "10.1000/x"),
        ({"url": "http://example.org/"}, None),
    ],
)
def test_a_doi_is_cleaned(fields: dict[str, str], expected: str | None) -> None:
    assert find_doi(fields) == expected
