"""`python -m tests.frozen`: write all snapshots anew, from the code as it is."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.frozen.surfaces import help_texts, initialize_reply, page_routes

HERE = Path(__file__).parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "documents.json")
        subprocess.run([sys.executable, "-m", "tests.frozen.session", str(made)], check=True)
        documents = json.loads(made.read_text("utf-8"))
        (HERE / "routes.txt").write_text(page_routes(Path(folder)), "utf-8")
    shutil.rmtree(HERE / "documents", ignore_errors=True)
    (HERE / "documents").mkdir()
    for name, text in documents.items():
        (HERE / "documents" / f"{name}.txt").write_text(text, "utf-8")
    (HERE / "help.json").write_text(json.dumps(dict(help_texts()), indent=1, ensure_ascii=False) + "\n", "utf-8")
    (HERE / "initialize.json").write_text(initialize_reply(), "utf-8")


if __name__ == "__main__":
    main()
