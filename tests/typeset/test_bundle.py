"""The CTAN bundle: l3build's tests on three engines, the manual, the archive."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from citeplug import __version__
from citeplug.latex.sty import package_file
from tests.typeset.projects import needs_tex, pdf_text, run

pytestmark = [
    *needs_tex,
    pytest.mark.skipif(
        any(shutil.which(name) is None for name in ("l3build", "zip")), reason="l3build or zip is not installed"
    ),
]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bundle's folder, so that nothing is built in the working tree."""
    root = tmp_path_factory.mktemp("bundle")
    folder = root / "latex" / "citeplug"
    shutil.copytree(ROOT / "latex" / "citeplug", folder, ignore=shutil.ignore_patterns("build", "*.pdf", "*.zip"))
    (root / "citeplug" / "latex" / "sty").mkdir(parents=True)
    shutil.copy(package_file(), root / "citeplug" / "latex" / "sty")
    return folder


def test_the_tests_of_l3build_pass_and_the_archive_is_complete(bundle: Path) -> None:
    said = run(bundle, "l3build", "ctan")
    assert "All checks passed" in said
    with zipfile.ZipFile(bundle / "citeplug-ctan.zip") as archive:
        assert sorted(archive.namelist()) == [
            "citeplug.tds.zip",
            *(
                f"citeplug/{name}"
                for name in (
                    "LICENSE",
                    "README.md",
                    "citeplug-doc-section-citeplug.tex",
                    "citeplug-doc-section.tex",
                    "citeplug-doc.pdf",
                    "citeplug-doc.tex",
                    "citeplug.sty",
                )
            ),
        ]
        assert archive.read("citeplug/citeplug.sty") == package_file().read_bytes()


def test_the_manual_shows_a_disclosure_and_the_view(bundle: Path) -> None:
    if not (bundle / "citeplug-doc.pdf").exists():
        run(bundle, "l3build", "doc")
    text = pdf_text(bundle / "citeplug-doc.pdf")
    assert "The related-work section was drafted with citeplug" in text
    assert "62+" in text
    assert "??" not in text
    log = (bundle / "build" / "doc" / "citeplug-doc.log").read_text(encoding="utf-8", errors="replace")
    assert not re.findall(r"^(?:Overfull|.*Warning: (?!.*rerunfilecheck)).*", log, re.MULTILINE)


def test_the_versions_agree() -> None:
    sty = package_file().read_text(encoding="utf-8")
    found = re.search(r"\\ProvidesExplPackage \{citeplug\} \{(\d{4}-\d\d-\d\d)\} \{([\d.]+)\}", sty)
    assert found is not None
    assert found[2] == __version__
    for name in ("README.md", "citeplug-doc.tex"):
        assert f"ersion {found[2]}, {found[1]}" in (ROOT / "latex" / "citeplug" / name).read_text(encoding="utf-8")
    assert f'"{found[2]} {found[1]}"' in (ROOT / "latex" / "citeplug" / "build.lua").read_text(encoding="utf-8")
