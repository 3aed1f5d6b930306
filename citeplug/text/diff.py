"""Unified diffs of files that a run would change."""

from difflib import unified_diff


def unified(before: str, after: str, name: str) -> str:
    """Return a unified diff of two texts, with their line ends; empty if they are equal."""
    lines = unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), name, name)
    end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith(("\n", "\r")) else line + end for line in lines)
