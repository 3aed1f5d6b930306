"""`python -m citeplug` and the `citeplug` command."""

from citeplug.faces.cli import main

if __name__ == "__main__":
    main()
