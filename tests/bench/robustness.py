"""Spoils many small data files, and counts what became of each: `make robustness`.

    python tests/bench/robustness.py [--files 100000] [--seed 1] [--workers 2]

Each file must be read with all its records intact, or be refused with a `DataError` that names the
place. It ends with 1 if any was not: another exception, a lost or changed value, a file that took
more than the time limit, or more memory than the limit. A fault is shown with its number; `--seed
NUMBER --files 1` does that one again.
"""

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "notebooks"), str(ROOT / "tests")]

from mutations import Case, Fault, emptied, judge

SECONDS = 20
"""Longest time for one file (the largest are some 500 kB; the machine may be busy)."""

MEGABYTES = 400
"""How much more memory a worker may have taken, at its peak, than after the first 50 files."""

CHUNK, SHOWN = 250, 20


class TooLong(Exception):
    """A file took more than the time limit."""


def _stop(signum, frame):
    raise TooLong


def peak():
    """The most memory that this process has held, in megabytes."""
    import resource

    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / (1e6 if sys.platform == "darwin" else 1e3)


def run(seeds):
    """Judge some cases: counts, faults, the longest time, memory gained, values compared."""
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _stop)
    counts, faults, longest, start = Counter(), [], 0.0, peak()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            case, began = Case(seed), time.perf_counter()
            if hasattr(signal, "SIGALRM"):
                signal.setitimer(signal.ITIMER_REAL, SECONDS)
            try:
                counts[case.layout, judge(case, emptied(Path(folder, "data")))] += 1
            except (Fault, TooLong, MemoryError) as fault:
                counts[case.layout, "fault"] += 1
                faults.append(f"{seed}: {case}: {fault or type(fault).__name__}"[:600])
            finally:
                if hasattr(signal, "SIGALRM"):
                    signal.setitimer(signal.ITIMER_REAL, 0)
            longest = max(longest, time.perf_counter() - began)
    return counts, faults, longest, peak() - start


def main():
    """Run all cases and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    seeds = range(args.seed, args.seed + args.files)
    chunks = [seeds[i : i + CHUNK] for i in range(0, len(seeds), CHUNK)]
    counts, faults, longest, gained = Counter(), [], 0.0, 0.0
    began = last = time.monotonic()
    with ProcessPoolExecutor(args.workers) as pool:
        for some, wrong, seconds, memory in pool.map(run, chunks):
            counts += some
            faults += wrong
            for fault in wrong if len(faults) <= SHOWN else ():
                print("  " + fault.encode("unicode_escape").decode(), flush=True)
            longest, gained = max(longest, seconds), max(gained, memory)
            if time.monotonic() - last > 15:
                last = time.monotonic()
                print(f"  {counts.total():,} of {args.files:,}, {len(faults)} faults", flush=True)
    print(f"{'':12}{'read whole':>12}{'refused':>12}{'faults':>12}")
    for layout in sorted({layout for layout, _ in counts}):
        row = [counts[layout, what] for what in ("read", "refused", "fault")]
        print(f"{layout:12}" + "".join(f"{n:12,}" for n in row))
    took = time.monotonic() - began
    print(
        f"{counts.total():,} spoilt data sets in {took:.0f} s: {len(faults)} faults. The longest "
        f"took {longest:.2f} s (limit {SECONDS} s); a worker's memory grew by {gained:.0f} MB at "
        f"most (limit {MEGABYTES} MB)."
    )
    failed = bool(faults) or gained > MEGABYTES
    print(f"Next: {'mend the loaders' if failed else 'nothing to do'}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
