from datetime import date

import pytest

from citeplug.bib.write.published import JournalRef, read_journal_ref
from tests.harness.papers import paper


def read(text: str, year: int = 1996) -> JournalRef | None:
    return read_journal_ref(paper(published=date(year, 1, 1), journal_ref=text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Phys. Rev. D 54, 1234-1240 (1996)", ("Phys. Rev. D", "54", "1234-1240", 1996, None)),
        ("Phys.Rev. D54 (1996) 1234-1240", ("Phys.Rev. D", "54", "1234-1240", 1996, None)),
        ("Nucl.Phys. B477 (1996) 327--333", ("Nucl.Phys. B", "477", "327-333", 1996, None)),
        ("Phys.Rev.D54:1234-1240,1996", ("Phys.Rev. D", "54", "1234-1240", 1996, None)),
        ("Nature 521(7553), 436-444 (1997)", ("Nature", "521", "436-444", 1997, "7553")),
        ("Journal of Machine Learning Research 15(56):1929-1958, 1998",
         ("Journal of Machine Learning Research", "15", "1929-1958", 1998, "56")),
        ("Physical Review Letters, vol. 98, no. 14, p. 146401, April 1997",
         ("Physical Review Letters", "98", "146401", 1997, "14")),
        ("J. Stat. Phys. 12 (1998), no. 3, 45-60", ("J. Stat. Phys.", "12", "45-60", 1998, "3")),
        ("NATURE 521, 436 (1997)", ("NATURE", "521", "436", 1997, None)),
        ("Astron. Astrophys. 594, A13 (1996)", ("Astron. Astrophys.", "594", "A13", 1996, None)),
    ],
)  # fmt: skip
def test_the_customary_forms_are_read(text: str, found: tuple[str, str, str, int, str | None]) -> None:
    assert read(text) == JournalRef(*found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Phys. Rev. D 54",
        "Proc. of the 33rd ICML, 48, 1050-1059 (1996)",
        "Lecture Notes in Computer Science 1234, 1-10 (1996)",
        "Phys. Rev. D 54, 1234 (1996); Erratum-ibid. D 55, 12 (1997)",
        "Phys. Rev. D 54, 1234 (1936)",
        "to appear in Physical Review D 54, 1234 (1996)",
        "NIPS 2016",
        "IEEE Transactions on Information Theory, 1996",
        "J. Phys. A: Math. Gen. 29 (1996) 1-10, hep-th/9601001",
        "a" * 5000 + " 1 (1996) 2",
    ],
)
def test_what_is_not_certain_is_not_taken(text: str) -> None:
    assert read(text) is None
