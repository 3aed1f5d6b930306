"""`citeplug watch`: the section kept current while the draft is written."""
