"""Check the entries of a bibliography: find what each one means, then compare."""
