"""What the documents say is there: files, commands, options, variables, make's targets."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from citeplug.cli.main import cli

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
# Of other programs that the documents speak of: the benchmarks, TeX, pip.
WIDEST = 79  # characters, as a terminal of 80 shows them
FOREIGN_OPTIONS = frozenset({"--data", "--shell-escape", "--editable", "--no-deps"})

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


FENCED = re.compile(r"^(`{3,})[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)


def code_in(text: str) -> Iterator[str]:
    """Code spans, and lines of code blocks, fenced or indented."""
    yield from lines_of_code(text)
    yield from (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", FENCED.sub("", text)))


def lines_of_code(text: str) -> Iterator[str]:
    for block in FENCED.finditer(text):
        yield from block[2].splitlines()
    yield from (line[4:] for line in FENCED.sub("", text).splitlines() if line.startswith("    "))


def slug(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@each_document
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (document.parent / name).resolve() if name else document
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), flags=re.MULTILINE)
            assert anchor in map(slug, headings), target


def command_lines(text: str) -> Iterator[list[str]]:
    for code in code_in(text):
        for found in re.finditer(r"(?:^|[;|&$(]\s*|^\w+=\S+\s+)citeplug\s+([^|;&#]*)", code):
            yield found[1].split()


def resolve(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that the words name, and what follows; raises LookupError if there is none."""
    command: click.Command = cli
    while words and isinstance(command, click.Group) and re.fullmatch(r"[a-z][a-z-]*", words[0]):
        if words[0] not in command.commands:
            raise LookupError(words[0])
        command, words = command.commands[words[0]], words[1:]
    return command, words


def options_of(command: click.Command) -> set[str]:
    named = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return named | {"-h", "--help"}


def every_command(command: click.Command = cli) -> Iterator[click.Command]:
    yield command
    for inner in getattr(command, "commands", {}).values():
        yield from every_command(inner)


def examples() -> Iterator[str]:
    """Command lines that the help gives, one a line."""
    for command in every_command():
        for line in f"{command.help or ''}\n{command.epilog or ''}".splitlines():
            yield line.strip().removeprefix("Example: ")


def strings(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, with a word in place of what is filled in."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def messages() -> Iterator[str]:
    """Command lines that messages name: in quotation marks, or strings that are one."""
    texts = [(ROOT / "citeplug" / "records" / "rules.toml").read_text("utf-8")]
    for file in sorted((ROOT / "citeplug").rglob("*.py")):
        texts += strings(ast.parse(file.read_text("utf-8")))
    for file in (*(ROOT / "citeplug" / "web").rglob("*.js"), *(ROOT / "vscode-bridge" / "src").rglob("*.ts")):
        texts.append(file.read_text("utf-8"))
    for text in texts:
        yield from (" ".join(found.split()) for found in re.findall(r"[`'“](citeplug\s[^`'”{}]+)[`'”]", text))
        # A sentence may begin with the program's name, too.
        named = re.match(r"citeplug ([a-z]+) [^ ]", text)
        if named is not None and named[1] in cli.commands and "\n" not in text:
            yield text


@pytest.mark.parametrize(
    "text",
    [path.read_text("utf-8") for path in DOCUMENTS]
    + ["```\n" + "\n".join(lines) + "\n```" for lines in (examples(), messages())],
)
def test_every_command_line_could_be_run(text: str) -> None:
    for words in command_lines(text):
        command, rest = resolve(words)
        given = {option for word in rest for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", word.split("=")[0])}
        assert given <= options_of(command), f"citeplug {' '.join(words)}"


@each_document
def test_every_option_spoken_of_is_one(document: Path) -> None:
    known = {option for command in every_command() for option in options_of(command)}
    spoken = {
        word
        for code in code_in(document.read_text("utf-8"))
        if code.startswith("--")
        for word in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)
    }
    assert spoken <= known | FOREIGN_OPTIONS


@cache
def variables_in_code(folder: str) -> set[str]:
    """Names of variables that stand as strings of their own: what is looked up, not what a message speaks of."""
    return {
        node.value
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch("CITEPLUG_[A-Z_]+", node.value)
    }


def test_every_variable_is_explained_and_every_explained_one_is_read() -> None:
    table = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    explained = {
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`(CITEPLUG_[A-Z_]+)`", row.split("|")[1])
    }
    assert explained == variables_in_code("citeplug")


@each_document
def test_every_variable_spoken_of_exists(document: Path) -> None:
    spoken = set(re.findall(r"CITEPLUG_[A-Z_]+", document.read_text("utf-8")))
    # The first is click's, which makes it of the program's name; the second is read by build_release.py and build.lua.
    assert spoken <= {"CITEPLUG_COMPLETE", "CITEPLUG_URL"} | variables_in_code("citeplug") | variables_in_code("tests")


@each_document
def test_every_make_target_spoken_of_exists(document: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, flags=re.MULTILINE))
    spoken = {found[1] for code in code_in(document.read_text("utf-8")) if (found := re.match(r"make ([a-z-]+)", code))}
    assert spoken <= targets


def test_no_line_of_code_is_wider_than_a_page_of_the_site() -> None:
    pages = [document for document in DOCUMENTS if document.name != "CHANGELOG.md"]
    wide = [
        (page.name, line) for page in pages for line in lines_of_code(page.read_text("utf-8")) if len(line) > WIDEST
    ]
    assert wide == []


def test_the_first_page_shows_a_source_that_the_example_has() -> None:
    page = (ROOT / "docs" / "index.md").read_text("utf-8")
    found = re.search(r"arXiv:([\d.]+).*<blockquote>(.*)</blockquote>", page, re.DOTALL)
    assert found is not None
    records = map(json.loads, (ROOT / "citeplug" / "demo" / "library.jsonl").read_text("utf-8").splitlines())
    assert " ".join(found[2].split()) in next(record["abstract"] for record in records if record["id"] == found[1])
