"""The command line: ``python -m carebook COMMAND``."""

import argparse
import os
import sys
from importlib import import_module

COMMANDS = {
    "check": ("carebook.check", "say what the data files hold, or what is wrong with them"),
    "collect": ("carebook.collect", "merge what a class saved from the practice tools"),
    "fetch": ("carebook.fetch", "get a data set from where its authors publish it"),
    "observers": ("carebook.observers", "how well human observers do, by the benchmark's scores"),
    "practice": ("carebook.practice", "make a practice corpus: synthetic records, about nobody"),
}
"""Name -> module with ``add_arguments(parser)`` and ``main(args)``, and what it is for."""


def main(argv=None):
    """Run one subcommand.

    Parameters
    ----------
    argv : list of str, optional
        What was typed after ``python -m carebook``.

    Returns
    -------
    int
        Exit status: 0 if all is well, 1 if the data or the request are not, 2 for wrong usage.
    """
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="python -m carebook",
        description="Helpers of the book on appraisal theory and DEAR MAN annotation.",
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=30),
        epilog="`python -m carebook COMMAND --help` says more about one command.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    chosen = next((word for word in argv if not word.startswith("-")), None)
    run = None
    for name, (module, purpose) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose, description=purpose.capitalize() + ".")
        if name == chosen:  # the others need not be imported
            run = import_module(module)
            run.add_arguments(command)
    args = parser.parse_args(argv)
    if run is None:
        parser.print_help()
        return 0
    try:
        status = run.main(args)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what reads our output (`| head`) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal may not know every letter
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())
