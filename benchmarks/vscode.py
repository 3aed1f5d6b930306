"""How long a real VS Code takes from opening a folder to the first underlined citation, and how large the .vsix is.

    python -m benchmarks.vscode [runs]

Each run starts an editor that was never used, with the packaged extension, in a browser; what it takes until the
draft's text is there is the editor's own.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.vscode.parts import BRIDGE, make_example, make_vsix


def main() -> int:
    """Print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"python -m benchmarks.vscode {runs}")
    vsix = make_vsix()
    print(f"{vsix.name}: {vsix.stat().st_size / 1000:.0f} KB")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        example = make_example(Path(folder))
        command = ["node", str(BRIDGE / "e2e" / "first-diagnostic.mjs"), str(runs)]
        said = subprocess.run(command, env=example.environment(vsix), capture_output=True, encoding="utf-8", check=True)
    taken = [json.loads(line) for line in said.stdout.splitlines()]
    for name in ("text", "diagnostic"):
        some = [each[name] for each in taken]
        print(f"{name:10} median {statistics.median(some):.1f} s  (min {min(some):.1f}, max {max(some):.1f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
