"""The example project, in the package and beside it."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
EXAMPLE = PROJECT / "citeplug" / "demo" / "example"
VISIBLE = PROJECT / "latex" / "example"


def sources() -> str:
    return "".join((EXAMPLE / name).read_text("utf-8") for name in ("main.tex", "method.tex"))


def test_the_copy_in_the_package_is_byte_for_byte_the_visible_one() -> None:
    packaged = {path.name: path.read_bytes() for path in EXAMPLE.iterdir()}
    visible = {path.name: path.read_bytes() for path in VISIBLE.iterdir()}
    assert packaged == visible


def test_it_has_no_related_work_yet() -> None:
    assert "related" not in sources().lower()


def test_every_cited_key_is_defined_and_every_defined_one_is_cited() -> None:
    cited = {key.strip() for keys in re.findall(r"\\cite\w*\{([^}]*)\}", sources()) for key in keys.split(",")}
    defined = re.findall(r"^@\w+\{([^,]+),", (EXAMPLE / "references.bib").read_text("utf-8"), flags=re.MULTILINE)
    assert cited == set(defined)
    assert len(defined) == len(set(defined))


def test_it_says_that_it_is_an_example_and_reports_nothing() -> None:
    text = " ".join(sources().split())
    assert "The authors and the institute are invented." in text
    assert "no experiment was run and none is reported" in text


@pytest.mark.parametrize("name", ["main.tex", "method.tex", "references.bib", "README.md"])
def test_its_files_are_plain_ascii(name: str) -> None:
    assert (EXAMPLE / name).read_bytes().isascii()
