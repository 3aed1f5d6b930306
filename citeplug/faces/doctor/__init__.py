"""`citeplug doctor`: what citeplug stands on, looked at piece by piece, and what to do about each trouble."""
