"""What arXiv may send as a source, and what somebody may have put into it."""

import gzip
import io
import tarfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.fulltext.text_child import read_eprint
from citeplug.errors import Unfit
from citeplug.sources.unpack import MOST_MEMBERS, unpack
from tests.corpus.fulltext.sources import paper_tex, tar_gz

TEX = paper_tex().encode()


def code(data: bytes) -> str:
    with pytest.raises(Unfit) as caught:
        unpack(data)
    return caught.value.code


def test_an_archive_is_unpacked_and_only_what_tex_reads_is_kept() -> None:
    files = {"main.tex": TEX, "sub/part.tex": b"x", "a.bbl": b"b", "r.bib": b"r", "m.sty": b"s", "fig.png": b"p"}
    found = unpack(tar_gz({**files, "00README.XXX": b"main.tex toplevelfile", "run.sh": b"rm -rf /"}))
    assert set(found.files) == {"main.tex", "sub/part.tex", "a.bbl", "r.bib", "m.sty", "00README.XXX"}
    assert found.doubts == ()


# Ids by number: compressed data holds the time, and processes would collect tests of other names.
@pytest.mark.parametrize(
    "packed", [gzip.compress(TEX), TEX, gzip.compress(TEX[:50]) + gzip.compress(TEX[50:])], ids=range(3)
)
def test_a_single_file_packed_or_not_is_the_main_file(packed: bytes) -> None:
    assert unpack(packed).files == {"main.tex": TEX}


def test_an_archive_that_the_transfer_has_unpacked_is_one_too() -> None:
    assert unpack(gzip.decompress(tar_gz({"main.tex": TEX}))).files == {"main.tex": TEX}


def test_a_pdf_in_place_of_a_source_is_told_apart() -> None:
    assert unpack(b"%PDF-1.5 and so on").pdf == b"%PDF-1.5 and so on"
    assert unpack(tar_gz({"paper.pdf": b"%PDF-1.5"})).pdf == b"%PDF-1.5"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (gzip.compress(b"%auto-ignore\r\nThis paper has been withdrawn by the author."), "withdrawn"),
        (tar_gz({"withdrawn.tex": b"%auto-ignore\nwithdrawn due to an error in Lemma 2"}), "withdrawn"),
        (b"<!DOCTYPE html><html><body>This paper has been withdrawn</body></html>", "withdrawn"),
        (b"\n<html><body>Log in to this network</body></html>", "web_page"),
        (b"%!PS-Adobe-2.0", "not_a_source"),
        (b"\x00\x01\x02\x03" * 100, "not_a_source"),
        (b"Rate exceeded.", "not_a_source"),
        (b"", "not_a_source"),
        (tar_gz({"main.tex": TEX})[:-30], "broken"),
        (gzip.compress(gzip.compress(TEX)), "not_a_source"),
    ],
    ids=range(10),
)
def test_what_is_no_source_is_refused_with_its_reason(data: bytes, why: str) -> None:
    assert code(data) == why


def test_a_paper_on_withdrawn_papers_is_a_paper() -> None:
    body = b"\\documentclass{article}\\begin{document}" + b"Some papers are withdrawn, and we count them. " * 40
    assert unpack(gzip.compress(body)).files


def test_a_page_that_opens_with_comments_alone_is_told_from_html_at_once() -> None:
    """Each comment could end at the end of any other: 80 took 6 s, and 420 fit into what is looked at."""
    assert code(b"<!---->" * 420) == "not_a_source"
    assert code(b"<?xml?> <!-- a --> <!-- b --><html>") == "web_page"


def test_a_name_too_long_for_a_file_costs_only_that_file() -> None:
    read, unpacked = read_eprint(tar_gz({"main.tex": TEX, "é" * 200 + ".tex": b"x", "a" * 250 + ".tex": b"x"}))
    assert set(unpacked.files) == {"main.tex"} and read.title == "Message Passing on Large Graphs"
    assert [message for _, message in read.doubts] == ["left out of its source: 2 names that are too long"]


def test_bombs_are_refused_before_they_are_unpacked() -> None:
    assert code(gzip.compress(b"\0" * 200_000_000, 9)) == "too_large"
    assert code(gzip.compress(b" " * 5_000_000, 9)) == "too_large"
    many = {f"{number}.tex": b"x" for number in range(MOST_MEMBERS + 1)}
    assert code(tar_gz(many)) == "too_large"


ARCHIVE = gzip.decompress(tar_gz({"main.tex": TEX, "sub/part.tex": b"x" * 600}))


@given(st.binary(max_size=300), st.integers(0, len(ARCHIVE)), st.booleans())
def test_whatever_comes_is_unpacked_or_refused_with_a_reason(junk: bytes, place: int, packed: bool) -> None:
    data = ARCHIVE[:place] + junk + ARCHIVE[place + len(junk) :]
    with suppress(Unfit):
        assert all(".." not in name and not name.startswith("/") for name in unpack(data).files)
    with suppress(Unfit):
        unpack(gzip.compress(junk) if packed else junk)


def test_links_devices_and_names_that_lead_elsewhere_are_left_out_and_said() -> None:
    def odd(archive: tarfile.TarFile) -> None:
        for name in ("/etc/passwd.tex", "../up.tex", "a/../../up.tex", "c:\\x.tex", "bell\a.tex"):
            member = tarfile.TarInfo(name)
            member.size = 1
            archive.addfile(member, io.BytesIO(b"x"))
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            member = tarfile.TarInfo("main2.tex")
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)

    found = unpack(tar_gz({"main.tex": TEX}, odd))
    assert set(found.files) == {"main.tex"}
    assert [message for _, message in found.doubts] == [
        "left out of its source: 2 links",
        "left out of its source: 5 names that lead elsewhere",
        "left out of its source: 2 special files",
    ]
