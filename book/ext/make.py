"""The commands of the book: ``make book`` calls this, and so does ``py -3 book/ext/make.py book``.

The outer half runs on any Python, with the standard library alone: it brings the environment to
what the command needs and starts the inner half there (`commands.py`).
"""

import difflib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

COMMANDS = {
    "help": "list the commands",
    "book": "set up, execute the chapters, write the website to _build/html",
    "test": "set up and run every check",
    "check": "the fast checks, for daily use (under 3 minutes)",
    "tidy": "clear the notebooks' outputs and lay the code out",
    "serve": "build what changed and serve the website on this machine",
    "pdf": "print the whole book to _build/book.pdf, with the machine's Chromium",
    "lab": "open the chapters in JupyterLab",
    "edit": "write notebooks as texts to _build/edit: make edit ARGS=03_perspectives, or all",
    "save": "bring the changed texts back into their notebooks",
    "chapter": "start a chapter from the template: make chapter ARGS=06_name",
    "assignments": "turn the assignments' sources into student notebooks and autograders",
    "grade": "grade a folder of notebooks: make grade SUBMISSIONS=folder",
    "bench": "measure the build and the website, beside the stock tools",
    "robustness": "spoil 100,000 small data files; each must be read whole or refused (20 min)",
    "hooks": "let Git run the quick checks before each commit",
    "links": "build, then open every link that leads out of the book (needs the network)",
    "lock": "refresh requirements.txt from pyproject.toml",
    "clean": "delete everything that was made, except the environment",
}


def main(arguments):
    """Run one command and return the exit status."""
    command = arguments[0] if arguments else "help"
    if command in ("help", "-h", "--help"):
        return show_help()
    if command not in COMMANDS:
        close = difflib.get_close_matches(command, COMMANDS, n=1)
        meant = " Did you mean " + close[0] + "?" if close else ""
        print("There is no command " + repr(command) + "." + meant + "\n", file=sys.stderr)
        show_help()
        return 2
    if command == "clean":
        return clean()
    if sys.version_info < (3, 11):  # noqa: UP036 - this file also runs where it's too old
        found = "{}.{}.{}".format(*sys.version_info[:3])
        print(
            "The book needs Python 3.11 or later, and this is Python " + found + ".\n"
            "Install a newer Python, then name it: make book PYTHON=python3.12\n"
            "(Windows: py -3.12 book/ext/make.py book)",
            file=sys.stderr,
        )
        return 1
    return start(command, arguments[1:])


def show_help():
    """List the commands."""
    print("Commands: make NAME, or without make (Windows) py -3 book/ext/make.py NAME\n")
    for name, purpose in COMMANDS.items():
        print(f"  {name:11} {purpose}")
    print("\nNext: `make book`.")
    return 0


def clean():
    """Delete what the commands made."""
    made = os.path.join(ROOT, "_build")
    names = os.listdir(made) if os.path.isdir(made) else []
    # What somebody has written in a text of `make edit` may stand nowhere else.
    paths = [os.path.join(made, name) for name in names if name != "edit"]
    paths += [os.path.join(ROOT, name) for name in (".pytest_cache", ".ruff_cache", ".hypothesis")]
    for path in paths:
        if os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        elif os.path.exists(path):
            os.remove(path)
    kept = "The environment .venv and the texts in _build/edit stay."
    print("Deleted what was made. " + kept + " Next: `make book`.")
    return 0


def start(command, arguments):
    """Prepare the environment, then run the command in it."""
    from pathlib import Path

    import environment

    try:
        python = environment.ensure(Path(ROOT), command)
    except environment.EnvironmentProblem as problem:
        print(problem, file=sys.stderr)
        return 1
    program = os.path.join(HERE, "commands.py")
    try:
        return subprocess.run([str(python), program, command, *arguments]).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
