"""`citeplug overleaf`: the section kept current in a project that others write too, over git."""
