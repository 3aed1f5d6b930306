"""What the draft cites papers for."""

from collections import defaultdict
from collections.abc import Sequence

from citeplug.bib.compare.duplicates import match_existing
from citeplug.records.draft import Draft
from citeplug.records.paper import Paper


def roles_in_draft(papers: Sequence[Paper], draft: Draft) -> dict[str, str]:
    """The headings and sentences at which the draft cites papers, by arXiv id; none for what it does not cite."""
    contexts: dict[str, list[str]] = defaultdict(list)
    for cite in draft.cites:
        for key in cite.keys:
            if cite.context and len(contexts[key.lower()]) < 2:
                contexts[key.lower()].append(cite.context)
    keys = match_existing(papers, draft.entries, draft.cites)
    found = {value: " / ".join(contexts.get(key.lower(), ())) for value, key in keys.items()}
    return {value: role for value, role in found.items() if role}
