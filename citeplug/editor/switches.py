"""The user's settings of the language server, as editors send them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

SECTION = "citeplug"


def _flag(name: str, *, default: bool = True) -> bool:
    """A setting that is on or off, with its name in docs/lsp.md."""
    return field(default=default, metadata={"name": name})


@dataclass(frozen=True, slots=True)
class Switches:
    """Settings by feature. `completion_arxiv`: papers of the catalogue among the completions.

    `network`: arXiv may be asked about entries. `low_support` is 0 to 1: a generated sentence whose attribution is
    below it is marked. `root_file` is the main file, from the workspace's folder, or None.
    """

    completion: bool = _flag("completion.enabled")
    completion_arxiv: bool = _flag("completion.arxiv")
    hover: bool = _flag("hover.enabled")
    diagnostics: bool = _flag("diagnostics.enabled")
    definition: bool = _flag("definition.enabled")
    references: bool = _flag("references.enabled")
    highlight: bool = _flag("highlight.enabled")
    rename: bool = _flag("rename.enabled")
    links: bool = _flag("documentLinks.enabled")
    symbols: bool = _flag("symbols.enabled")
    folding: bool = _flag("folding.enabled")
    code_actions: bool = _flag("codeActions.enabled")
    code_lens: bool = _flag("codeLens.enabled")
    inlay_hints: bool = _flag("inlayHints.enabled", default=False)
    network: bool = False
    low_support: float = 0.5
    root_file: str | None = None


FLAGS = {setting.metadata["name"]: setting.name for setting in fields(Switches) if "name" in setting.metadata}


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
    for name, setting in FLAGS.items():
        value = _value(sent, name)
        if isinstance(value, bool):
            changes[setting] = value
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
