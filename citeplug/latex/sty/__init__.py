"""The LaTeX package: one file, to be put beside a draft. Its documentation and tests are in `latex/citeplug`."""

from pathlib import Path


def package_file() -> Path:
    """`citeplug.sty`, as it is to be copied."""
    return Path(__file__).with_name("citeplug.sty")
