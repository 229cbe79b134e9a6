"""Seconds for each submission, graded as `make grade` does, beside Otter's own one-by-one run.

python tests/bench/bench_grading.py [ASSIGNMENT] [--submissions N]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "book" / "ext"), str(ROOT / "tests")]

from grading.marking import Marking
from grading.runner import why_open
from grading.submissions import find_submissions
from submitted import PUBLIC, built, notebook, questions, with_cells, write

CLASS, LIMIT_MINUTES = 60, 10
OTTER = """
import sys
from otter.api import grade_submission
grade_submission(sys.argv[1], sys.argv[2], quiet=True)
"""


def ours(name, count, folder):
    """Seconds for a class: different files, all with the reference solution."""
    for number in range(count):
        made = with_cells(notebook(name, "autograder"), {"title": f"# Student {number}"})
        write(folder / "in" / f"student-{number}.ipynb", made)
    submissions = find_submissions(folder / "in")
    marking = Marking(name, questions(name), PUBLIC.grading_data, folder, not why_open())
    started = time.perf_counter()
    marking.grade(submissions)
    return time.perf_counter() - started


def otters(name, folder):
    """Seconds for one submission by Otter's own run, which the next would take again."""
    autograder = built()[name] / "autograder"
    [archive] = autograder.glob("*.zip")
    command = [sys.executable, "-c", OTTER, str(autograder / f"{name}.ipynb"), str(archive)]
    started = time.perf_counter()
    subprocess.run(command, check=True, cwd=folder, capture_output=True)
    return time.perf_counter() - started


def main():
    """Print both, and what a class would take."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("assignment", nargs="?", default="02_linking")
    parser.add_argument("--submissions", type=int, default=20)
    args = parser.parse_args()
    built()
    with tempfile.TemporaryDirectory() as folder:
        whole = ours(args.assignment, args.submissions, Path(folder))
        one = otters(args.assignment, folder)
    each = whole / args.submissions
    minutes = each * CLASS / 60
    print(f"Grading {args.assignment}, {os.cpu_count()} cores, warm-up included in both")
    print(f"  make grade        {each:6.2f} s a submission ({args.submissions} of them)")
    print(f"  Otter, one by one {one:6.2f} s a submission ({one / each:.0f} times as long)")
    print(f"  a class of {CLASS}     {minutes:6.1f} min (limit {LIMIT_MINUTES})")
    return minutes > LIMIT_MINUTES


if __name__ == "__main__":
    sys.exit(main())
