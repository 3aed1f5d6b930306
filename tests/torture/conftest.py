from tests.e2e.conftest import home, library_home

__all__ = ["home", "library_home"]
