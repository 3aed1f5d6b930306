"""The edits that bring the section's .bib file into a draft's bibliography."""

import re
from collections.abc import Mapping
from pathlib import Path

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, TextEdit
from citeplug.section_file.cite_style import usual_style
from citeplug.text.scanning import newline_of

BIBLIOGRAPHY = re.compile(r"\\bibliography\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
RESOURCE = re.compile(r"\\add(?:bibresource|globalbib)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
_PRINTED = re.compile(r"\\(?:printbibliography|printbibheading|bibbysection|bibbysegment)(?![A-Za-z])")
_STYLE = re.compile(r"\\bibliographystyle\s*\{")
_BY_HAND = re.compile(r"\\end\s*\{thebibliography\}|\\input\s*\{[^{}]*\.bbl\}")
_BBL = re.compile(r"\\input\s*\{\s*\"?(?:\./)?([^{}\"]*?)\.bbl\"?\s*\}")
BEGIN = re.compile(r"\\begin\s*\{document\}")
END = re.compile(r"\\end\s*\{document\}")


def resource_edits(draft: Draft, live: Mapping[Path, str], texts: Mapping[Path, str], bib_name: str) -> list[TextEdit]:
    """The edits that add the file to the bibliography; none if it is there already.

    `live` holds the files with all blanked out that is no command, `bib_name` the path as LaTeX writes it.
    """
    bare = bib_name.removesuffix(".bib")
    commands = [(file, match) for file, text in live.items() for match in BIBLIOGRAPHY.finditer(text)]
    resources = [(file, match) for file, text in live.items() for match in RESOURCE.finditer(text)]
    if bare in {bare_name(name) for _, match in (*commands, *resources) for name in match[1].split(",")}:
        return []
    biblatex = draft.bib_engine == "biber" or bool({"biblatex", "biblatex-chicago"} & set(draft.packages))
    if resources:
        file, last = resources[-1]
        return [TextEdit(file, last.end(), last.end(), f"{newline_of(texts[file])}\\addbibresource{{{bare}.bib}}")]
    if commands:
        return [_extended(file, match, bare) for file, match in commands]
    if _reads_its_own_bbl(draft, live):
        return []
    return _biblatex(draft, live, texts, bare) if biblatex else _bibtex(draft, live, texts, bare)


def resource_findings(draft: Draft, live: Mapping[Path, str], bib_name: str) -> list[Finding]:
    """Findings about the edits to the bibliography."""
    if any(BIBLIOGRAPHY.search(text) or RESOURCE.search(text) for text in live.values()):
        return []
    if _reads_its_own_bbl(draft, live):
        message = f"the references are read from {draft.root.stem}.bbl, which a \\bibliography would overwrite"
        fix = f"put your \\bibliography back in its place, and add {bib_name.removesuffix('.bib')} to it"
        return [Finding("no_bibliography", "warning", message, draft.root, fix=fix)]
    if any(_BY_HAND.search(text) for text in live.values()):
        message = (
            f"the references are typed by hand, so those of the section are printed from {bib_name} in a second list"
        )
        fix = "move your \\bibitem entries into a .bib file, so that there is one list"
        return [Finding("second_reference_list", "warning", message, draft.root, fix=fix)]
    if not END.search(live.get(draft.root, "")):
        message = f"there is no \\bibliography to add {bib_name} to"
        return [Finding("no_bibliography", "warning", message, draft.root, fix=f"add \\bibliography{{{bib_name}}}")]
    message = "the draft had no bibliography; one was added before \\end{document}"
    return [Finding("bibliography_added", "info", message, draft.root, fix="choose its style")]


def _reads_its_own_bbl(draft: Draft, live: Mapping[Path, str]) -> bool:
    """True if the draft reads the very .bbl file that BibTeX makes for it, as sources on arXiv do."""
    own = (draft.root.stem, "\\jobname")
    return any(match[1].strip() in own for text in live.values() for match in _BBL.finditer(text))


def bare_name(name: str) -> str:
    return name.strip().strip('"').removeprefix("./").removesuffix(".bib")


def _extended(file: Path, match: re.Match[str], bare: str) -> TextEdit:
    names = match[1].rstrip().rstrip(",").rstrip()
    at = match.start(1) + len(names)
    return TextEdit(file, at, at, f",{bare}" if names.strip() else bare)


def _biblatex(draft: Draft, live: Mapping[Path, str], texts: Mapping[Path, str], bare: str) -> list[TextEdit]:
    root = live.get(draft.root, "")
    begin, end = BEGIN.search(root), END.search(root)
    if begin is None:
        return []
    line = newline_of(texts[draft.root])
    edits = [TextEdit(draft.root, begin.start(), begin.start(), f"\\addbibresource{{{bare}.bib}}{line}")]
    if end and not any(_PRINTED.search(text) for text in live.values()):
        edits.append(TextEdit(draft.root, end.start(), end.start(), f"\\printbibliography{line}"))
    return edits


def _bibtex(draft: Draft, live: Mapping[Path, str], texts: Mapping[Path, str], bare: str) -> list[TextEdit]:
    # A .bbl file is BibTeX's, not the author's: what is read from it ends where it is read.
    mine = [(file, text) for file, text in live.items() if file.suffix.lower() != ".bbl"]
    by_hand = [(file, match) for file, text in mine for match in _BY_HAND.finditer(text)]
    end = END.search(live.get(draft.root, ""))
    file, match = by_hand[-1] if by_hand else (draft.root, end)
    if match is None:
        return []
    line = newline_of(texts[file])
    added = f"\\bibliography{{{bare}}}"
    style = usual_style(draft)
    if style and not any(_STYLE.search(text) for text in live.values()):
        added = f"\\bibliographystyle{{{style}}}{line}{added}"
    if by_hand:
        return [TextEdit(file, match.end(), match.end(), f"{line}{added}")]
    return [TextEdit(file, match.start(), match.start(), f"{added}{line}")]
