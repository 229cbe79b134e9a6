"""How long `load_carebench` takes, beside a bare loop over the same lines that keeps nothing.

    python tests/bench/bench_load.py [FOLDER] [--times N]

FOLDER holds `first_person.jsonl` and `third_person.jsonl`; without it, a corpus of the documented
size (1,000 and 2,500 records) is made. `--times 50` makes one 50 times that size.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "notebooks"), str(ROOT / "tests")]

from toy_records import lines, observer, writer

from carebook import load_carebench

LIMIT, AIM = 2.5, 2.0
FILES = ("first_person.jsonl", "third_person.jsonl")


def bare(folder):
    """Decode every line and throw it away."""
    for name in FILES:
        with open(folder / name, encoding="utf-8") as file:
            for line in file:
                json.loads(line)


def seconds(function, folder):
    """Wall-clock time of one call."""
    start = time.perf_counter()
    function(folder)
    return time.perf_counter() - start


def make(folder, times):
    """Write a corpus of the documented size, or a multiple, with texts as long as people write."""
    words = 30
    with open(folder / FILES[0], "w", encoding="utf-8") as file:
        for i in range(1000 * times):
            file.write(lines([writer(f"{i:06}", f"p{i % (800 * times)}", words)]))
    with open(folder / FILES[1], "w", encoding="utf-8") as file:
        for i in range(500 * times):
            for slot in range(1, 6):
                person = f"p{(5 * i + slot) % (1500 * times)}"
                file.write(lines([observer(f"{i:06}", slot, person, words)]))


def measure(folder, rounds):
    """Best time of each, alternating, and their ratio."""
    taken = [(seconds(bare, folder), seconds(load_carebench, folder)) for _ in range(rounds)]
    loop, load = (min(column) for column in zip(*taken, strict=True))
    size = sum((folder / name).stat().st_size for name in FILES) / 1e6
    return size, loop, load


def main():
    """Print one line with the ratio; the exit status is 1 if it is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--times", type=int, default=1, help="multiple of the documented size")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.folder
        if folder is None:
            folder = Path(made)
            make(folder, arguments.times)
        size, loop, load = measure(folder, arguments.rounds)
    ratio = load / loop
    verdict = "ok" if ratio <= LIMIT else "TOO SLOW"
    print(
        f"load, check and link CAREBench ({size:.0f} MB): {ratio:.2f} x a bare json.loads loop "
        f"(at most {LIMIT}, aim {AIM}) {verdict}  [{load:.3f} s : {loop:.3f} s]",
        flush=True,
    )
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
