"""What MkDocs is not told by docs/ itself: pages that live elsewhere, and where links out of docs/ lead.

A hook of .mkdocs.yml. Links go to pyproject.toml's `Repository` where it names one. Otherwise the files are in the site
as plain text, so that no link is dead.
"""

import os.path
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
PAGES = {"vscode-bridge/README.md": "vscode.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
UNSEARCHED = ("changelog.md", "report.md")  # long lists, which would come before the guides
FILES = {"vscode-bridge/art/icon.svg": "images/icon.svg"}
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {}).get("Repository")
SEVERITY = re.compile(r"<td>(?=(error|warning|info)\b)")
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that live elsewhere, and every file that a page links to."""
    for source, place in {**PAGES, **FILES}.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    for page in list(files.documentation_pages()):
        for target in links(page):
            place = place_of(target)
            if "://" not in place and files.get_file_from_path(place) is None and target.is_file():
                files.append(File.generated(config, place, abs_src_path=str(target)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn each link into one that holds in the site."""
    if page.file.src_uri in UNSEARCHED:
        page.meta["search"] = {"exclude": True}
    folder = source_of(page.file).parent
    return LINK.sub(lambda link: place_of(Path(os.path.normpath(folder / link[1]))), markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Mark the severities of a table, so that the style can colour them."""
    return SEVERITY.sub(r'<td class="severity \1">', html)


def links(page: File) -> Iterator[Path]:
    for name in LINK.findall(page.content_string):
        yield Path(os.path.normpath(source_of(page).parent / name))


def source_of(page: File) -> Path:
    elsewhere = {place: source for source, place in PAGES.items()}
    return ROOT / elsewhere.get(page.src_uri, f"docs/{page.src_uri}")


def place_of(target: Path) -> str:
    """Where a file of the repository is for a page of the site, all of which lie in one folder."""
    name = target.relative_to(ROOT).as_posix()
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    if name in PAGES:
        return PAGES[name]
    if target.suffix in (".png", ".svg"):
        return FILES.get(name, f"images/{name.replace('/', '-')}")
    return f"{REPOSITORY}/blob/main/{name}" if REPOSITORY else f"source/{name}.txt"
