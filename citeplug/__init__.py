"""citeplug: related work for LaTeX authors, with sources."""

__version__ = "0.1.0"
