"""The documentation as a site: every page is in its navigation, every link holds, and nothing comes from elsewhere."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from gzip import compress
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import build_site

ROOT = Path(__file__).parents[1]
OTHERS = {"404", *(Path(place).stem for place in build_site.PAGES.values())}
LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src")}
LARGEST = 150_000  # bytes of a picture, as a server sends it


class Links(HTMLParser):
    """The anchors of a page, and its links, each with its element and attribute."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, str, str]] = []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append((tag, name, value))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built with every warning as an error: a link of a document that leads nowhere is one."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(ROOT / ".mkdocs.yml"), "-d", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Links]:
    return {page.name: Links(page) for page in site.glob("*.html")}


def test_every_document_is_a_page_in_the_navigation(pages: dict[str, Links]) -> None:
    documents = {document.stem for document in (ROOT / "docs").glob("*.md")}
    assert {Path(name).stem for name in pages} == documents | OTHERS
    linked = {link for _, _, link in pages["index.html"].links}
    assert {f"{stem}.html" for stem in documents | OTHERS - {"404"}} - {"index.html"} <= linked


def test_every_link_leads_to_a_file_and_a_place_in_it(site: Path, pages: dict[str, Links]) -> None:
    def dead() -> Iterator[str]:
        for name in pages.keys() - {"404.html"}:
            for _, _, link in pages[name].links:
                url = urlsplit(link)
                target = unquote(url.path) or name
                if url.scheme:
                    continue
                if not (site / target).is_file() or (
                    target in pages and unquote(url.fragment) not in {"", "__skip", *pages[target].anchors}
                ):
                    yield f"{name}: {link}"

    assert list(dead()) == []


def test_nothing_is_loaded_from_another_site(site: Path, pages: dict[str, Links]) -> None:
    loaded = [link for page in pages.values() for tag, name, link in page.links if (tag, name) in LOADED]
    assert [link for link in loaded if urlsplit(link).netloc] == []
    for style in site.rglob("*.css"):
        assert not re.search(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""", style.read_text("utf-8")), style.name
    # The theme's script fetches mermaid from a CDN, where a page has such a diagram.
    assert not any('class="mermaid"' in (site / name).read_text("utf-8") for name in pages)


@pytest.mark.parametrize(("word", "page"), [("zotero", "library"), ("overleaf", "overleaf"), ("price", "models")])
def test_search_finds_the_guide_by_its_heading(word: str, page: str, site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    found = {doc["location"].partition(".html")[0] for doc in index["docs"] if word in doc["title"].lower()}
    assert page in found


def test_search_takes_a_code_as_one_word(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    assert re.split(index["config"]["separator"], "no_comparison") == ["no_comparison"]


def test_the_search_of_a_page_opened_as_a_file_has_the_same_index(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text("utf-8")
    assert (site / "search" / "search_index.js").read_text("utf-8") == f"var __index = {index}"
    assert "search-from-files.js" in (site / "index.html").read_text("utf-8")


def test_the_pictures_of_the_first_page_are_small(site: Path) -> None:
    pictures = [picture for picture in (site / "images").iterdir() if picture.suffix in (".png", ".svg")]
    assert {"section.svg", "section-narrow.svg", "page.png", "editor.png"} <= {picture.name for picture in pictures}
    assert [picture.name for picture in pictures if len(compress(picture.read_bytes())) > LARGEST] == []


def test_the_picture_of_a_section_is_drawn_in_outlines(site: Path) -> None:
    for name in ("section", "section-narrow"):
        picture = (site / "images" / f"{name}.svg").read_text("utf-8")
        assert "<image" not in picture and "<rect" not in picture and picture.count("<use ") > 500
