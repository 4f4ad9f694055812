"""What `uteh` and `python -m uteh` start: the command line, or one line that names the extra it lacks.

The commands are left to `cli`. Ctrl-C ends here, wherever it came, also while things are still being imported.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line of this process and return its exit status."""
    try:
        try:
            import click  # noqa: F401
            import rich  # noqa: F401 - the package alone is cheap; its parts are imported where they are used
        except ModuleNotFoundError as error:
            if error.name not in ("click", "rich"):
                raise
            print('uteh: the command line needs the "cli" extra: pip install "uteh[cli]"', file=sys.stderr)
            return 2
        from . import cli

        return cli.main()
    except KeyboardInterrupt:
        print("uteh: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
