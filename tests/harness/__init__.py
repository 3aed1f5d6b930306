"""What the tests stand on that is no test."""
