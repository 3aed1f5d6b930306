"""The review page: a server for one author on this machine."""
