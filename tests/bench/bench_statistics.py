"""How long the statistics take, as ratios within one run.

``python tests/bench/bench_statistics.py`` (or ``make bench``) prints one line per promise: what was
measured, the bound, and whether it holds; the exit status is 1 if one does not. Ratios, not
seconds: both sides run in the same minute, in turns, the best of several, in processor time on one
core, so that a busy machine disturbs neither. Every promise is measured at the size of the data
(1,000 + 2,500 records) and at 50 times that. What loading takes: see bench_load.py.
"""

import gc
import os
import subprocess
import sys
from pathlib import Path
from time import process_time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before numpy loads

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
sys.path[:0] = [str(Path(__file__).parents[1]), str(NOTEBOOKS)]

import krippendorff
import numpy as np
import plain_scores
from toy_carebench import random_toy

from carebook.agreement import alpha_table
from carebook.scoring import LABEL_SETS, numeric_baseline, reasoning_scores
from carebook.vocabulary import DIMENSIONS

RESAMPLES = 1000
SIZES = {1: "1,000 + 2,500 records", 50: "50 times as many"}


def best_of(times, *functions):
    """Shortest time of each function; they take turns, so that a busy moment hits all.

    Each runs twice in its turn, the second time with its data at hand, and nobody's garbage is
    collected on another's time.
    """
    best = [float("inf")] * len(functions)
    for _ in range(times):
        for number, function in enumerate(functions):
            gc.collect()
            for _ in range(2):
                start = process_time()
                function()
                best[number] = min(best[number], process_time() - start)
    return best


def line(what, ours, theirs, bound):
    """Print one ratio beside its bound, and return whether it holds."""
    ratio = ours / theirs
    verdict = "ok" if ratio <= bound else "TOO SLOW"
    times = f"{ours:.3f} s against {theirs:.3f} s"
    print(f"{what}: {ratio:.3f} (at most {bound}) {verdict}  [{times}]", flush=True)
    return ratio <= bound


def imports(times=9):
    """What `import carebook` adds to `import pandas`, each time in a new process."""
    program = (
        "from time import process_time as now\n"
        "start = now(); import pandas; between = now(); import carebook\n"
        "print(between - start, now() - between)"
    )
    taken = []
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(NOTEBOOKS)},
            capture_output=True,
            text=True,
            check=True,
        )
        taken.append([float(part) for part in done.stdout.split()])
    pandas, ours = (min(column) for column in zip(*taken, strict=True))
    return line("import carebook, beside import pandas", ours, pandas, 0.15)


def scores(data, times, size):
    """All human-baseline scores but the texts', against a plain loop over records."""
    records = plain_scores.as_records(data, LABEL_SETS)
    fast, plain = best_of(
        times,
        lambda: numeric_baseline(data),
        lambda: plain_scores.human_baseline(records, DIMENSIONS, LABEL_SETS),
    )
    return line(f"human baseline without texts, {size}", fast, plain, 0.1)


def alpha(data, times, calls, size):
    """Alpha of 22 dimensions with 1,000 resamples each, against the krippendorff package.

    The package is timed on some of its 22,000 calls, on matrices that are ready for it.
    """
    seen = (data.annotations["perspective"] == "observer").to_numpy()
    table, values = data.annotations[seen].join(data.ratings), list(DIMENSIONS)
    panels = data.ratings[seen].to_numpy(float).reshape(-1, 5, 22)
    rng = np.random.default_rng(1)
    drawn = [panels[rng.integers(len(panels), size=len(panels)), :, n % 22] for n in range(calls)]

    def package():
        for matrix in drawn:
            krippendorff.alpha(reliability_data=matrix.T, level_of_measurement="ordinal")

    def ours(rater, units):
        how = {"resample": units, "resamples": RESAMPLES}
        alpha_table(table, "sample_id", rater, values, "ordinal", **how)

    alone, crossed, other = best_of(
        times,
        lambda: ours("observer", ["sample_id"]),
        lambda: ours("participant_id", ["sample_id", "participant_id"]),
        package,
    )
    other *= 22 * RESAMPLES / calls
    what = f"alpha, 22 x {RESAMPLES:,} resamples of"
    return [
        line(f"{what} units, {size}", alone, other, 0.05),
        line(f"{what} units and raters, {size}", crossed, other, 0.05),
    ]


def texts(data):
    """No promise, only how long the text scores of 2,500 records take."""
    seen = (data.annotations["perspective"] == "observer").to_numpy()
    said, felt = data.reasoning[seen], data.reasoning[~seen][:500]
    felt = felt.loc[felt.index.repeat(5)]
    (time,) = best_of(1, lambda: reasoning_scores(said, felt))
    print(f"word overlap of 12,500 answers of 25 words: {time:.2f} s (no bound)", flush=True)


def main():
    """Measure everything; 0 if every promise holds."""
    held = [imports()]
    for times, size in SIZES.items():
        data = random_toy(500 * times, unread=500 * times, people=300 * times)
        held += [scores(data, 7 if times == 1 else 1, size)]
        held += alpha(data, 2 if times == 1 else 1, 440 if times == 1 else 22, size)
        if times == 1:
            texts(data)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
