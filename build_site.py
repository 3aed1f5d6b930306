"""What MkDocs is not told by docs/ itself: pages that live elsewhere, where links out of docs/ lead, and the commands.

A hook of .mkdocs.yml. Links go to pyproject.toml's `Repository` where it names one. Otherwise the files are in the site
as plain text, so that no link is dead. The commands are described by their own help, with what tests/frozen recorded.
"""

import html
import os.path
import re
import tomllib
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from itertools import cycle
from pathlib import Path
from textwrap import wrap

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from citeplug.cli.help_groups import ADVANCED_COMMANDS, EVERYDAY_COMMANDS, GroupedCommand
from citeplug.cli.main import cli

ROOT = Path(__file__).parent
PAGES = {
    "vscode-bridge/README.md": "vscode.md",
    "benchmarks/results.md": "results.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
# Found by the search after the guides.
LISTS = "commands configuration contributing evaluation findings interface lsp-reference results".split()
FILES = {"vscode-bridge/art/icon.svg": "images/icon.svg"}
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {}).get("Repository")
EXAMPLES = ROOT / "tests" / "frozen" / "documents"
LONGEST_EXAMPLE, WIDTH = 14, 76  # lines, and characters of a line
FEW_OPTIONS = 8  # that are all shown at once
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
HEAD, CELL, TAG = re.compile(r"<th[^>]*>(.*?)</th>"), re.compile(r"<td[^>]*>(.*?)</td>"), re.compile(r"<[^>]+>")
NAME = re.compile(r"(<tr>\s*<td[^>]*>(?:<a[^>]*>)?<code)(>[^<]{1,34}</code>)")  # first in a row, for one line
FINDING = re.compile(r"<h4 .*?</h4>\s*<p><em><b class=\"(\w+).*?</p>", re.DOTALL)
SEVERITIES = re.compile(r"(?<=<p><em>)\w+(?: or \w+)?(?=</em> ·)")
CODE = re.compile(r"<code.*?</code>", re.DOTALL)
PRINTED = re.compile(r'(?<=<span class="go">)(.*?)(?=</span>)')  # a line of output
COMPARED = re.compile(r"( +(?:\w+ (given)|(record)): +)(.*)")
OPTION = re.compile(r"(?<=[ >\[])(--[a-z][a-z-]*)(?![^<]*>)")  # would be broken after its hyphens
SHORT, SHARE = 14, 0.3  # characters of a number at most; of cells of text in a table of text and not of numbers
IN_ROW = re.compile(r"(<t([dh])\b[^>]*>(?:(?!</t).)+)(</t\2>\s*)(</tr>)?", re.DOTALL)  # a cell that is not empty
QUOTED = re.compile(r"'(citeplug [^']+)'")
ROW = re.compile(r"^\| `citeplug ([a-z]+(?: [a-z]+)*)(?=[` ]).*$", re.MULTILINE)


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


def on_post_build(config: MkDocsConfig) -> None:
    """Put the index into a script too: a page opened as a file cannot fetch (docs/search-from-files.js)."""
    index = Path(config.site_dir, "search", "search_index.json")
    index.with_suffix(".js").write_text(f"var __index = {index.read_text('utf-8')}", "utf-8")


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Name the columns in the cells of tables, for a phone, keep options in one line, and part cells for the search."""
    if page.file.src_uri == "findings.md":
        content = SEVERITIES.sub(
            lambda words: re.sub(r"(?!or\b)\b\w+", r'<b class="\g<0>">\g<0></b>', words[0]), content
        )
        content = FINDING.sub(r'<div class="finding \1">\g<0></div>', content)
    content = coloured(content)
    content = CODE.sub(lambda code: OPTION.sub(r'<span class="name">\1</span>', code[0]), content)
    return TABLE.sub(lambda table: IN_ROW.sub(parted, labelled(table[0].replace(" %", "&nbsp;%"))), content)


def coloured(content: str) -> str:
    """What commands print in the colours of a terminal: severities, both values of a difference, lines of a diff."""
    before, colour = 0, ""  # of the value that goes on in this line: its column, and its colour

    def line(printed: re.Match[str]) -> str:
        nonlocal before, colour
        text = printed[1]
        if value := COMPARED.fullmatch(text):
            before, colour = len(value[1]), "error" if value[2] else "right"
        elif not text.startswith(" " * before):
            before = 0
        if before:
            return f'{text[:before]}<b class="{colour}">{text[before:]}</b>'
        if text[:1] in ("+", "-") and text[1:2].isspace():
            return f'<b class="{"right" if text[0] == "+" else "error"}">{text}</b>'
        return re.sub(r": (error|warning)(?=: )", r': <b class="\1">\1</b>', text, count=1)

    return PRINTED.sub(line, content)


def parted(cell: re.Match[str]) -> str:
    """A mark at the end of a cell, which no reader sees: an excerpt of the search has the text of a table alone."""
    return f"{cell[1]}<span hidden>{';' if cell[4] else ' ·'}</span>{cell[3]}{cell[4] or ''}"


def labelled(table: str) -> str:
    table = NAME.sub(r'\1 class="name"\2', table)
    names = [html.escape(html.unescape(TAG.sub("", name))) for name in HEAD.findall(table)]
    cells = CELL.findall(table)
    texts = sum("<code" in cell or len(TAG.sub("", cell)) > SHORT for cell in cells)
    if len(names) < 2 or texts < SHARE * len(cells):
        return table
    columns = cycle(names)
    named = CELL.sub(lambda cell: f'<td data-label="{next(columns)}">{"" if cell[1] == "–" else cell[1]}</td>', table)
    return named.replace("<table>", f'<table data-stacked="{len(names)}">')


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn each link into one that holds in the site, and describe the commands below their list."""
    if page.file.src_uri == "changelog.md":  # would come before the guides
        page.meta["search"] = {"exclude": True}
    elif page.file.src_uri.removesuffix(".md") in LISTS:
        page.meta["search"] = {"boost": 0.3}
    if page.file.src_uri == "commands.md":
        markdown = with_descriptions(markdown)
    folder = source_of(page.file).parent
    return LINK.sub(lambda link: place_of(Path(os.path.normpath(folder / link[1]))), markdown)


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


def with_descriptions(markdown: str) -> str:
    """The page of commands, its rows linked to the descriptions that follow."""
    described = dict(commands())
    guides: dict[str, str] = {}

    def linked(row: re.Match[str]) -> str:
        words = row[1].split()
        while words and " ".join(words) not in described:
            words.pop()
        name = " ".join(words)
        if guide := re.search(r"\[guide\](\([^)]+\))", row[0]):
            guides.setdefault(name, f"[Guide]{guide[1]}")
        return re.sub(r"`([^`]+)`", rf"[`\1`](#citeplug-{'-'.join(words)})", row[0], count=1) if words else row[0]

    listed = ROW.sub(linked, markdown)
    parts = [description(name, command, guides.get(name, "")) for name, command in described.items()]
    return "\n\n".join([listed, "## Every command and its options", *parts])


def commands() -> Iterator[tuple[str, click.Command]]:
    """The commands that are not merely groups of others, by their names, in the order of the help."""
    for groups in (EVERYDAY_COMMANDS, ADVANCED_COMMANDS):
        for name in (name for group in groups.values() for name in group if name != "advanced"):
            command = cli.commands[name]
            if isinstance(command, click.Group):
                yield from ((f"{name} {inner}", command.commands[inner]) for inner in command.commands)
            else:
                yield name, command


def description(name: str, command: click.Command, guide: str) -> str:
    """A command's purpose, an example with what it prints, and its options under headings."""
    context = click.Context(command, info_name=name, terminal_width=1000)
    first, *more = cleandoc(command.help or "").replace("\b\n", "").split("\n\n")
    usage = " ".join(["citeplug", name, *command.collect_usage_pieces(context)])
    parts = [f"### citeplug {name}", f"{html.escape(flat(first), quote=False)} {guide}", fenced(example(name, command))]
    parts += [html.escape(flat(text), quote=False) for text in more]
    parts.append(f'<p class="usage">Usage: <code>{html.escape(usage)}</code></p>')
    groups = [group for group in grouped(command, context) if group[1]]
    few = sum(len(options) for _, options in groups) <= FEW_OPTIONS
    shown = groups if few else groups[:1]
    parts += ["".join(listed(*group) for group in shown)]
    if rest := groups[len(shown) :]:
        count = sum(len(options) for _, options in rest)
        body = "".join(listed(*group) for group in rest)
        parts.append(f'<details class="options"><summary>{count} more options</summary>\n{body}\n</details>')
    return "\n\n".join(parts)


def flat(text: str) -> str:
    """In one line, with commands as code."""
    return QUOTED.sub(r"`\1`", " ".join(text.split()))


def folded(line: str) -> list[str]:
    return wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def fenced(text: str) -> str:
    return f"```console\n{text}\n```"


def example(name: str, command: click.Command) -> str:
    """The beginning of what the command printed in the demo's folder, or the example of its help."""
    file = EXAMPLES / f"example-{name.replace(' ', '-')}.txt"
    if not file.is_file():
        line = "$ " + flat(command.epilog or f"citeplug {name}").removeprefix("Example: ")
        return " \\\n".join(folded(line))
    printed = file.read_text("utf-8").replace("FOLDER/", "").partition("--- standard error")[0].rstrip()
    lines = [part for line in printed.splitlines() for part in (folded(line) if len(line) > WIDTH else [line])]
    return "\n".join([*lines[:LONGEST_EXAMPLE], *(["..."] if len(lines) > LONGEST_EXAMPLE else [])])


def grouped(command: click.Command, context: click.Context) -> Iterator[tuple[str, list[click.Option]]]:
    """The options, but --help, under the headings of the help."""
    own = [option for option in command.params if isinstance(option, click.Option)]
    groups = command._grouped(context) if isinstance(command, GroupedCommand) else [("", own)]
    for heading, options in groups:
        yield heading, [option for option in options if option in own and not option.hidden]


def listed(heading: str, options: Iterable[click.Option]) -> str:
    """The options as a list of definitions."""
    context = click.Context(click.Command("citeplug"), terminal_width=1000)
    records = [record for option in options if (record := option.get_help_record(context)) is not None]
    title = f"<h4>{html.escape(heading)}</h4>" if heading else ""
    rows = "".join(f"<dt><code>{html.escape(name)}</code></dt><dd>{html.escape(text)}</dd>" for name, text in records)
    return f'{title}<dl class="options">{rows}</dl>'
