"""Child process of `lexical_aside`: updates the lexical index on request, until its input ends."""

import os
import signal
import sys
from pathlib import Path

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.lexical.index import LexicalIndex


def main(catalogue: Path, folder: Path) -> None:
    """Update the index for each byte of input; bytes that come during an update are one request."""
    # An interrupt is meant for the parent process; when it ends, so does the input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    database = Database(catalogue)
    index = LexicalIndex(Catalogue(database), folder)
    while os.read(sys.stdin.fileno(), 4096):
        index.bring_up_to_date()
    database.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
