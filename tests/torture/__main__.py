"""Hunt for losses: `python -m tests.torture --seed 1`.

Damaged .bib files through check, fix, cite and related; an author's edits between runs of the merge; commands killed at
random moments; hostile settings of git. Prints what was done as a table; ends with 1 at the first loss, and says how to
see it again. Real .bib files are taken from ../shared/data where they are, beside those of the tests.

    --quick        a tenth or less
    --part NAME    one part alone: bibs, merging, edits, kills or git
    --case N       of that part, one case alone
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path


def main() -> int:
    """0, or 1 with a loss."""
    parser = argparse.ArgumentParser(
        "python -m tests.torture", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--part")
    parser.add_argument("--case", type=int)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="torture-"))
    # Before citeplug is imported: nothing of the user's is read or written, and nothing is sent.
    os.environ |= {"CITEPLUG_HOME": str(folder / "home"), "CITEPLUG_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    from tests.torture.hunt import PARTS, hunt

    if asked.part not in (None, *PARTS) or (asked.case is not None and asked.part is None):
        parser.error(f"--part is one of {', '.join(PARTS)}, and --case needs it")
    start, lost = time.monotonic(), False
    print(f"seed {asked.seed}", flush=True)
    for part in PARTS.values():
        if asked.part not in (None, part.name):
            continue
        count = part.quick if asked.quick else part.cases
        numbers = range(count) if asked.case is None else [asked.case]
        found = hunt(part, numbers, asked.seed, folder / part.name)
        print(f"\n{part.name}: {len(numbers)} cases, {found.seconds:.0f} s")
        for name, done in sorted(found.counts.items()):
            print(f"{done:>8,} {name}", flush=True)
        if found.lost is not None:
            number, loss = found.lost
            lost = True
            kept = folder / part.name / str(number)
            for name, data in loss.files.items():
                (kept / name).write_bytes(data)
            print(f"LOST in case {number}: {loss}\nits files: {kept}")
            print(f"again: python -m tests.torture --seed {asked.seed} --part {part.name} --case {number}")
            break
    print(f"\n{'something was lost' if lost else 'nothing was lost'}, {time.monotonic() - start:.0f} s")
    return int(lost)


if __name__ == "__main__":
    sys.exit(main())
