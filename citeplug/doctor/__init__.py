"""`citeplug doctor`: checks of what citeplug needs on this machine, with a fix for each problem."""
