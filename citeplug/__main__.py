"""`python -m citeplug` and the `citeplug` command."""

import sys


def main() -> None:
    """Run the command line; an interrupt while its modules are loaded ends like a later one."""
    try:
        from citeplug.cli.main import main as run
    except KeyboardInterrupt:
        print("citeplug: cancelled", file=sys.stderr)
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
