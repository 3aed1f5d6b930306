"""A long, seeded hunt for anything of an author's that gets lost: `make torture`."""
