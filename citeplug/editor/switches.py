"""The user's settings of the language server, as editors send them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

SECTION = "citeplug"


@dataclass(frozen=True, slots=True)
class Switches:
    """Settings by feature. `completion_arxiv`: papers of the catalogue among the completions.

    `network`: arXiv may be asked about entries. `low_support` is 0 to 1: a generated sentence whose attribution is
    below it is marked. `root_file` is the main file, from the workspace's folder, or None.
    """

    completion: bool = True
    completion_arxiv: bool = True
    hover: bool = True
    diagnostics: bool = True
    definition: bool = True
    references: bool = True
    highlight: bool = True
    rename: bool = True
    links: bool = True
    symbols: bool = True
    folding: bool = True
    code_actions: bool = True
    code_lens: bool = True
    inlay_hints: bool = False
    uncited_claims: bool = False
    network: bool = False
    low_support: float = 0.5
    root_file: str | None = None


# By the names of docs/lsp.md.
_FLAGS = {
    "completion.enabled": "completion",
    "completion.arxiv": "completion_arxiv",
    "hover.enabled": "hover",
    "diagnostics.enabled": "diagnostics",
    "diagnostics.uncitedClaims": "uncited_claims",
    "definition.enabled": "definition",
    "references.enabled": "references",
    "highlight.enabled": "highlight",
    "rename.enabled": "rename",
    "documentLinks.enabled": "links",
    "symbols.enabled": "symbols",
    "folding.enabled": "folding",
    "codeActions.enabled": "code_actions",
    "codeLens.enabled": "code_lens",
    "inlayHints.enabled": "inlay_hints",
}


def read_switches(sent: Any, before: Switches | None = None, *, first: bool = False) -> Switches:
    """Return the settings after `sent`, a mapping that is nested or has dots in its names; invalid values are ignored.

    Only the `first` settings, with which the user's editor starts the server, may allow the network: later ones may
    come from the project's folder.
    """
    switches = before or Switches()
    if not isinstance(sent, Mapping):
        return switches
    if isinstance(sent.get(SECTION), Mapping):
        sent = sent[SECTION]
    changes: dict[str, Any] = {}
    for name, field in _FLAGS.items():
        value = _value(sent, name)
        if isinstance(value, bool):
            changes[field] = value
    network = _value(sent, "diagnostics.network")
    if isinstance(network, bool) and (first or not network):
        changes["network"] = network
    support = _value(sent, "diagnostics.lowSupport")
    if isinstance(support, int | float) and not isinstance(support, bool) and 0 <= support <= 1:
        changes["low_support"] = float(support)
    root = _value(sent, "rootFile")
    if isinstance(root, str):
        changes["root_file"] = root.strip() or None
    return replace(switches, **changes)


def _value(sent: Mapping[str, Any], name: str) -> Any:
    if name in sent:
        return sent[name]
    here: Any = sent
    for part in name.split("."):
        here = here.get(part) if isinstance(here, Mapping) else None
    return here
