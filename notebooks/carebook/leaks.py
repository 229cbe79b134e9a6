"""Leaks: what a split into folds lets a model know that it should not.

Rows that belong together, five readings of one story, give each other away when a split puts some
of them in training and others in the test. The proof is a target that cannot be predicted: dealt
anew among the stories, so that only a leak can find it.
"""

import numpy as np
import pandas as pd

from carebook.resampling import SEED


def shuffled_by_group(values, groups, seed: int = SEED) -> np.ndarray:
    """Give each group the value of another: whatever rows of one group share stays shared.

    Parameters
    ----------
    values : array (rows,)
        The same for all rows of a group (the experiencer's label, copied to five observer rows).
    groups : array (rows,)
    seed : int

    Raises
    ------
    ValueError
        If the rows of a group differ in value.

    Examples
    --------
    >>> sorted(shuffled_by_group([1, 1, 0, 0, 0], ["a", "a", "b", "b", "b"], seed=1).tolist())
    [0, 0, 0, 1, 1]
    """
    of_group, codes = _value_of_each_group(values, groups)
    return np.random.default_rng(seed).permutation(of_group)[codes]


def _value_of_each_group(values, groups):
    """The value that all rows of a group share, and the number of each row's group."""
    codes, _ = pd.factorize(np.asarray(groups, dtype=object))
    values = np.asarray(values)
    first = values[np.unique(codes, return_index=True)[1]]
    if not np.array_equal(first[codes], values):
        raise ValueError("Rows of one group have different values, so groups can't trade them.")
    return first, codes


def chance_distribution(
    truth, predicted, groups, shuffles: int = 1000, seed: int = SEED
) -> np.ndarray:
    """Share of hits that predictions would have if they knew nothing: a permutation distribution.

    The predictions, and so the folds behind them, stay; the truth is dealt anew among the groups,
    again and again. A score far above this distribution has learned something, or has leaked. (To
    fit anew on each dealt truth would hide a leak: every one of them would leak alike.)

    Parameters
    ----------
    truth : array (rows,)
        The same for all rows of a group.
    predicted : array (rows,)
        Out-of-fold predictions.
    groups : array (rows,)
    shuffles, seed : int

    Returns
    -------
    array (shuffles,)
        Accuracies.
    """
    predicted = np.asarray(predicted)
    values, codes = _value_of_each_group(truth, groups)
    draw = np.random.default_rng(seed)
    dealt = (draw.permutation(values)[codes] for _ in range(shuffles))
    return np.array([np.mean(one == predicted) for one in dealt])
