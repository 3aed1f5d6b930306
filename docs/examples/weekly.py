"""The text of a weekly pull request: what changed around a draft, each with the sentence that it touches.

    python weekly.py paper/main.tex [--sources crossref,dblp] > body.md

Run in the folder of the repository by `weekly.yml`. It corrects the bibliography (`citeplug fix --camera-ready`) and
prints Markdown; nothing is printed if there is nothing to say. Words of papers are quoted as code, so that none of them
becomes a link, a mention or HTML.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

DAYS = 7
OPTIONS = sys.argv[2:]  # of fix and check


def citeplug(*arguments: str) -> Any:
    """The JSON of a command; None if it has none, which it has said why."""
    done = subprocess.run(["citeplug", *arguments, "--json"], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout) if done.stdout.strip() else None


def quoted(text: str) -> str:
    return "`" + " ".join(text.replace("`", "'").split()) + "`"


def sentences(main: str) -> dict[str, str]:
    """The first sentence that cites each key, with its place."""
    draft = citeplug("draft", main) or {"cites": []}
    cites = [cite for cite in draft["cites"] if cite["context"]]
    return {
        key: f"{cite['file']}:{cite['line']}: {quoted(cite['context'])}"
        for cite in reversed(cites)
        for key in cite["keys"]
    }


def changed_entries(main: str, cited: dict[str, str]) -> Iterator[str]:
    fixed = citeplug("fix", main, "--camera-ready", *OPTIONS) or {"fixed": []}
    for change in fixed["fixed"]:
        what = change["message"] or f"{change['field']} = {change['value'] or 'removed'}"
        by = f", says {change['record']}" if change["record"] else ""
        touches = f"\n  cited in {cited[change['key']]}" if change["key"] in cited else ""
        yield f"- **{quoted(change['key'])}** {quoted(what)}{by} ({change['code']}){touches}"


def left_to_do(main: str, cited: dict[str, str]) -> Iterator[str]:
    for entry in citeplug("check", main, "--camera-ready", "--fail-on", "never", *OPTIONS) or ():
        for finding in entry["findings"]:
            if finding["severity"] in ("warning", "error"):
                touches = f"\n  cited in {cited[entry['key']]}" if entry["key"] in cited else ""
                yield f"- {quoted(finding['message'])} ({finding['code']}){touches}"


def new_rivals(main: str) -> Iterator[str]:
    since = str(date.today() - timedelta(days=DAYS))
    for paper in citeplug("papers", main, "--new", "--missing", "--since", since) or ():
        why = "; ".join(reason["text"] for reason in paper["reasons"][:2])
        yield f"- arXiv:{paper['arxiv_id']} {quoted(paper['title'])}\n  {quoted(why)}"


def changed_sources(main: str) -> Iterator[str]:
    audit = citeplug("audit", main, "--fail-on", "never") or {"findings": []}
    for finding in audit["findings"]:
        if finding["code"] in ("source_changed", "quotation_changed"):
            yield f"- {finding['file']}:{finding['line']}: {quoted(finding['message'])}"


def main() -> None:
    draft = sys.argv[1]
    cited = sentences(draft)
    for title, lines in (
        ("Corrected in the bibliography", changed_entries(draft, cited)),
        ("Left to you", left_to_do(draft, cited)),
        ("New papers that the draft does not cite", new_rivals(draft)),
        ("Changed since the section was written", changed_sources(draft)),
    ):
        if text := "\n".join(lines):
            print(f"## {title}\n\n{text}\n")


if __name__ == "__main__":
    main()
