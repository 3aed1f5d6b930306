import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.files.decode import decode

TEXT = "\\section{Café}\r\nnaïve “quotes”\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_file_decodes_whatever_its_author_saved_it_in(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)).text == TEXT


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    decoded = decode(codecs.BOM_UTF8 + b"@article{a,}")
    assert decoded.text == "@article{a,}"
    assert decoded.encoding == "utf-8-sig"


def test_a_declared_encoding_is_believed_where_utf8_fails() -> None:
    data = "\\usepackage[latin2]{inputenc}\nčeština".encode("iso8859-2")
    assert decode(data).text.endswith("čeština")


def test_bytes_that_no_encoding_has_still_decode() -> None:
    assert decode(b"caf\xe9 \x81").text == "caf\xe9 \x81"


def test_line_ends_are_kept() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


@given(st.binary(max_size=300))
def test_any_bytes_decode_and_where_exact_encode_back(data: bytes) -> None:
    decoded = decode(data)
    if decoded.exact and not decoded.encoding.startswith(("utf-16", "utf-32")):
        assert decoded.text.encode(decoded.encoding) == data
