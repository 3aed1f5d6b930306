"""Names that are files on one system and none on another."""

import pytest

from citeplug.text.file_names import is_device


@pytest.mark.parametrize("part", ["aux", "AUX.tex", "con.related.tex", "nul .bib", "COM1", "lpt³.bib", "conin$"])
def test_a_device_of_windows_is_told_whatever_follows_its_first_dot(part: str) -> None:
    assert is_device(part)


@pytest.mark.parametrize("part", ["auxiliary.tex", "main.aux", "con-1.tex", "com.tex", "com10.bib", ".nul"])
def test_a_name_that_only_resembles_one_is_a_file(part: str) -> None:
    assert not is_device(part)
