"""The documentation as a site: it is built without a warning, and every document is in its navigation."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_site_is_built_and_has_every_document(tmp_path: Path) -> None:
    site = tmp_path / "site"
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(ROOT / ".mkdocs.yml"), "-d", str(site)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    made = {page.stem for page in site.glob("*.html")} - {"404"}
    assert made == {document.stem for document in (ROOT / "docs").glob("*.md")}
    home = (site / "index.html").read_text("utf-8")
    assert all(f'href="{name}.html"' in home for name in made - {"index"})
    loaded = re.findall(r"""<(?:script|link)[^>]+(?:src|href)="(https?://[^"]+)""", home)
    assert not loaded, "nothing is loaded from another site"
