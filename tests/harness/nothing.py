"""A module that does nothing."""
