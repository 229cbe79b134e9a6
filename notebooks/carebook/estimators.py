"""The models of the baseline chapter, as scikit-learn estimators.

They follow scikit-learn's conventions (parameters in ``__init__``, learned attributes end in an
underscore, ``fit`` returns the estimator) and fit into its pipelines. What they add is one idea:
whatever is *chosen* rather than learned, a penalty, a threshold, a cut between two levels, is
chosen on predictions for rows whose group was held out, and the groups are people or narratives.

This module needs scikit-learn, so it is loaded by :mod:`carebook.baselines` when a model is first
built, and never by ``import carebook``.
"""

import tomllib
from importlib.resources import files

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.validation import check_is_fitted, validate_data

from carebook.resampling import ratio
from carebook.vocabulary import LABELS

PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
SHARED_THRESHOLDS = 40


# --- features -----------------------------------------------------------------------------------


def emotion_words():
    """Return the book's own list of everyday words for each of the 20 emotion groups.

    Returns
    -------
    dict
        Label -> tuple of lower-case words. A teaching device, checked by no raters.

    Examples
    --------
    >>> emotion_words()["Amused, entertained"][:3]
    ('amused', 'amusing', 'amusement')
    """
    text = files("carebook").joinpath("data/emotion_words.toml").read_text(encoding="utf-8")
    return {label: tuple(entry["words"]) for label, entry in tomllib.loads(text).items()}


class EmotionWordCounts(TransformerMixin, BaseEstimator):
    """Count, for each emotion group, how often its words stand in a text.

    The list knows neither negation nor context: "not happy" counts as happy.

    Examples
    --------
    >>> counts = EmotionWordCounts().fit_transform(["So happy, so glad!", "An ordinary day."])
    >>> counts.sum(axis=1).tolist()
    [2.0, 0.0]
    """

    def fit(self, texts, y=None):
        """Read the word list; the texts teach nothing."""
        lists = emotion_words()
        self.words_ = sorted({word for words in lists.values() for word in words})
        self.member_ = np.array(
            [[word in lists[label] for label in LABELS] for word in self.words_]
        )
        return self

    def transform(self, texts):
        """Return counts, texts x 20 groups."""
        check_is_fitted(self)
        counter = CountVectorizer(vocabulary=self.words_, token_pattern=r"(?u)\b\w+\b")
        return counter.transform(texts) @ self.member_.astype(float)

    def get_feature_names_out(self, input_features=None):
        """Return the 20 labels."""
        return np.array(LABELS, dtype=object)


# --- learning -----------------------------------------------------------------------------------


class GroupedRidge(RegressorMixin, BaseEstimator):
    """Linear regression with a penalty that is chosen, per target, on left-out groups.

    The inner folds leave out one group at a time (one writer, say). For a quadratic penalty their
    predictions follow from the fit of all rows by an identity, so nothing is refitted: with H the
    matrix that turns answers into fitted values, the error for a left-out group g is
    (I - H_gg)⁻¹ (y - fitted)_g. A 0/1 target gets a score, not a probability: it ranks the rows,
    and :class:`SetThresholds` turns it into choices.

    Parameters
    ----------
    penalties : sequence of float
        Penalties to choose from (scikit-learn's ``alpha``). Features should be on one scale.

    Attributes
    ----------
    coef_ : ndarray (targets, features), ``intercept_`` : ndarray (targets,)
    penalty_ : ndarray (targets,)
        The chosen penalties.
    inner_predictions_ : ndarray (rows, targets)
        For each training row the prediction by a model that had not seen the row's group. What is
        built on top (cuts, thresholds, a second model) learns from these, never from fitted values,
        which look better than any new row will.

    Notes
    -----
    The penalty is the best of a few on the very predictions that it then supplies, so these are a
    shade too good for choosing on top of them. Scores come from outer folds and don't share that.

    Examples
    --------
    >>> X = np.arange(8.0)[:, None]
    >>> model = GroupedRidge(penalties=[0.01, 100]).fit(X, 2 * X.ravel())
    >>> model.penalty_.tolist(), model.predict([[10.0]]).round().tolist()
    ([0.01], [20.0])
    """

    def __init__(self, penalties=PENALTIES):
        self.penalties = penalties

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X, y, groups=None):
        """Choose penalties with each group left out in turn, then fit all rows.

        Parameters
        ----------
        X : array or sparse matrix (rows, features)
        y : array (rows,) or (rows, targets)
        groups : sequence, optional
            Who or what each row belongs to. Each row is its own group if not given.

        Raises
        ------
        ValueError
            If all rows are of one group.
        """
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            multi_output=True,
            y_numeric=True,
            dtype=float,
            ensure_min_samples=2,
        )
        targets = y.reshape(len(y), -1).astype(float)
        together = _rows_of_groups(np.arange(len(y)) if groups is None else groups)
        penalties = np.asarray(self.penalties, dtype=float)
        rotated, sizes = _rotate(X)
        mean = targets.mean(axis=0)
        moments = rotated.T @ (targets - mean)
        residuals, left_out = np.empty((2, len(penalties), *targets.shape))
        for place, penalty in enumerate(penalties):
            shrunk = 1 / (sizes + penalty)
            residuals[place] = targets - mean - rotated @ (shrunk[:, None] * moments)
            for rows in together:
                hat = (rotated[rows] * shrunk) @ rotated[rows].swapaxes(1, 2) + 1 / len(targets)
                unseen = np.eye(rows.shape[1]) - hat
                left_out[place, rows] = np.linalg.solve(unseen, residuals[place, rows])
        chosen = (left_out**2).mean(axis=1).argmin(axis=0)
        each = np.arange(targets.shape[1])
        self.penalty_ = penalties[chosen]
        self.inner_predictions_ = (targets - left_out[chosen, :, each].T).reshape(y.shape)
        # At the optimum the gradient is zero: penalty x coefficients = X' residuals.
        self.coef_ = _dense(X.T @ (residuals[chosen, :, each].T / self.penalty_)).T
        self.intercept_ = mean - self.coef_ @ np.asarray(X.mean(axis=0)).ravel()
        self.single_target_ = y.ndim == 1
        return self

    def predict(self, X):
        """Return predictions, in the shape that ``y`` had."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=float, reset=False)
        predicted = _dense(X @ self.coef_.T) + self.intercept_
        return predicted[:, 0] if self.single_target_ else predicted


def _rotate(X):
    """Centred rows in the axes of their principal components, and the components' sizes."""
    rows, features = X.shape
    centre = np.asarray(X.mean(axis=0)).ravel()
    if features > rows:
        gram = _dense(X @ X.T)
        gram = gram - gram.mean(axis=0) - gram.mean(axis=1)[:, None] + gram.mean()
        sizes, axes = np.linalg.eigh(gram)
        return axes * np.sqrt(np.maximum(sizes, 0)), np.maximum(sizes, 0)
    gram = _dense(X.T @ X) - rows * np.outer(centre, centre)
    sizes, axes = np.linalg.eigh(gram)
    return _dense(X @ axes) - centre @ axes, np.maximum(sizes, 0)


def _rows_of_groups(groups):
    """Row numbers of each group, the groups of one size stacked: (groups, rows in each)."""
    names = np.asarray(groups, dtype=object).tolist()
    members = {}
    for row, name in enumerate(names):
        members.setdefault(name, []).append(row)
    if len(members) < 2:
        raise ValueError("All rows belong to one group, so no group can be left out: pass others.")
    by_size = {}
    for rows in members.values():
        by_size.setdefault(len(rows), []).append(rows)
    return [np.array(rows) for rows in by_size.values()]


def _dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)


class AppraisalChain(RegressorMixin, BaseEstimator):
    """From features to predicted appraisals, and from those alone to the targets.

    The second step learns from the first one's predictions for *left-out* groups. Had it learned
    from fitted values, it would trust predicted ratings more than it can trust those of new texts.

    Even left-out predictions hold a trap. Where the features say little, they come down to the mean
    of the other rows, and that mean is the lower the higher the row's own value is: a second step
    could read the answer off it, backwards. So what is handed on is how far a prediction lies from
    the mean of the rows that its model had seen.

    Attributes
    ----------
    first_, second_ : GroupedRidge
    mean_ : ndarray (dimensions,)
        Mean ratings of the training rows.
    inner_predictions_ : ndarray (rows, targets)
        Those of the second step.

    Examples
    --------
    >>> X = np.eye(6)[:, :3]
    >>> chain = AppraisalChain().fit(X, X[:, 0], ratings=X[:, :2])
    >>> chain.predict(X).shape
    (6,)
    """

    def fit(self, X, y, ratings=None, groups=None):
        """Fit both steps; ``ratings`` (rows, dimensions) are the targets of the first."""
        if ratings is None:
            raise ValueError("The chain needs the appraisal ratings of the training rows: ratings=")
        ratings = np.asarray(ratings, dtype=float)
        owners = np.arange(len(ratings)) if groups is None else groups
        self.mean_ = ratings.mean(axis=0)
        self.first_ = GroupedRidge().fit(X, ratings, groups=owners)
        deviations = self.first_.inner_predictions_ - _means_of_others(ratings, owners)
        self.second_ = GroupedRidge().fit(deviations, y, groups=owners)
        self.inner_predictions_ = self.second_.inner_predictions_
        return self

    def predict(self, X):
        """Return predictions of the targets; the appraisals in between are predicted too."""
        check_is_fitted(self, "second_")
        return self.second_.predict(self.first_.predict(X) - self.mean_)


def _means_of_others(values, groups):
    """For each row the mean over all rows of other groups."""
    means = np.empty_like(values)
    for rows in _rows_of_groups(groups):
        others = values.sum(axis=0) - values[rows].sum(axis=1)
        means[rows] = (others / (len(values) - rows.shape[1]))[:, None]
    return means


# --- from scores to answers ---------------------------------------------------------------------


class LevelCuts(BaseEstimator):
    """Turn a regression into whole levels, by the cuts that serve one metric best.

    Rounding is one such rule, but a regression hedges towards the middle, so that its ends are
    hardly ever reached: for exact matches the cuts lie elsewhere. The best ones are found exactly,
    among all ways to divide the sorted scores.

    Parameters
    ----------
    metric : str
        ``"accuracy"`` (exact matches), ``"mae"`` (absolute error) or ``"rmse_levels"`` (squared
        error).
    levels : int, default 7
        Levels run from 0 to ``levels - 1``.

    Attributes
    ----------
    cuts_ : ndarray (levels - 1,)
        Rising; a score at or above the first i cuts, and below the next, is level i.

    Examples
    --------
    >>> rule = LevelCuts("accuracy").fit([2.6, 2.7, 3.4, 3.5], [0, 0, 6, 6])
    >>> rule.predict([2.0, 9.0]).tolist()
    [0, 6]
    """

    def __init__(self, metric="accuracy", levels=7):
        self.metric = metric
        self.levels = levels

    def fit(self, scores, y):
        """Place the cuts; give scores for rows that their model had not seen."""
        order = np.argsort(scores, kind="stable")
        ordered = np.asarray(scores, dtype=float)[order]
        off = np.abs(np.asarray(y, dtype=float)[order, None] - np.arange(self.levels))
        gain = {"accuracy": off == 0, "mae": -off, "rmse_levels": -(off**2)}[self.metric]
        total = np.cumsum(np.vstack([np.zeros(self.levels), gain]), axis=0)
        # Between two equal scores there is no room for a cut.
        closed = np.r_[False, ordered[1:] == ordered[:-1], False]
        # best[c] = most that the first c rows can gain, if they get levels 0 to j at most.
        best, starts = total[:, 0], []
        for level in range(1, self.levels):
            before = np.where(closed, -np.inf, best - total[:, level])
            top = np.maximum.accumulate(before)
            starts.append(np.maximum.accumulate(np.where(before == top, np.arange(len(top)), 0)))
            best = top + total[:, level]
        places = [len(ordered)]
        for start in reversed(starts):
            places.append(start[places[-1]])
        edges = np.r_[-np.inf, (ordered[1:] + ordered[:-1]) / 2, np.inf]
        self.cuts_ = edges[places[:0:-1]]
        return self

    def predict(self, scores):
        """Return the level of each score."""
        check_is_fitted(self)
        return np.searchsorted(self.cuts_, np.asarray(scores, dtype=float), side="right")


class SetThresholds(BaseEstimator):
    """Turn label scores into sets of labels, by thresholds that serve one metric.

    Parameters
    ----------
    metric : str
        ``"macro_f1"`` is a mean over labels, so each label gets a threshold of its own.
        ``"accuracy"``, ``"example_f1"`` and ``"micro_f1"`` get one for all labels: a metric of
        whole sets would need all combinations tried.

    Attributes
    ----------
    thresholds_ : ndarray (labels,)
        A label is chosen if its score is at or above its threshold.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.2], [0.8, 0.1], [0.3, 0.6]])
    >>> rule = SetThresholds("macro_f1").fit(scores, scores > 0.5)
    >>> rule.predict(scores).tolist()
    [[True, False], [True, False], [False, True]]
    """

    def __init__(self, metric="example_f1"):
        self.metric = metric

    def fit(self, scores, y):
        """Choose thresholds; give scores for rows that their model had not seen."""
        scores, wanted = np.asarray(scores, dtype=float), np.asarray(y, dtype=bool)
        if self.metric == "macro_f1":
            pairs = zip(scores.T, wanted.T, strict=True)
            self.thresholds_ = np.array([_best_f1_threshold(*pair) for pair in pairs])
            return self
        tried = np.quantile(scores, np.linspace(0, 1, SHARED_THRESHOLDS))
        # Above every score: choosing nothing has to be among the options.
        tried = np.append(tried, np.inf)
        found = [set_score(scores >= threshold, wanted, self.metric) for threshold in tried]
        self.thresholds_ = np.full(scores.shape[1], tried[int(np.argmax(found))])
        return self

    def predict(self, scores):
        """Return booleans, rows x labels."""
        check_is_fitted(self)
        return np.asarray(scores, dtype=float) >= self.thresholds_


def _best_f1_threshold(scores, wanted):
    if not wanted.any():
        return np.inf  # a label that no training row has is never chosen
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    f1 = 2 * np.cumsum(wanted[order]) / (np.arange(1, len(scores) + 1) + wanted.sum())
    # A threshold between two equal scores would have to split them.
    f1[:-1][ordered[1:] == ordered[:-1]] = -1
    place = int(np.argmax(f1))
    below = ordered[place + 1] if place + 1 < len(ordered) else -np.inf
    return (ordered[place] + below) / 2


def set_pieces(chosen, wanted, metric):
    """Write a score of label sets as ratios of sums over rows.

    Each metric of the benchmark is the mean of a few ratios, and a ratio's two sums can be
    weighted: that is what makes a bootstrap a matrix product.

    Parameters
    ----------
    chosen, wanted : bool array (rows, labels)
    metric : str
        ``accuracy`` (exactly the same set), ``example_f1`` (empty against empty is 1),
        ``micro_f1`` or ``macro_f1`` (0/0 is 0): see :func:`carebook.scoring.label_scores`.

    Returns
    -------
    numerators, denominators : ndarray (rows, ratios)

    Raises
    ------
    ValueError
        For another metric.
    """
    chosen, wanted = np.asarray(chosen, dtype=bool), np.asarray(wanted, dtype=bool)
    both, sizes = 2.0 * (chosen & wanted), chosen.astype(float) + wanted
    if metric == "macro_f1":
        return both, sizes
    hit, size = both.sum(axis=1, keepdims=True), sizes.sum(axis=1, keepdims=True)
    if metric == "micro_f1":
        return hit, size
    if metric == "example_f1":
        return np.where(size > 0, hit / np.maximum(size, 1), 1.0), np.ones_like(size)
    if metric == "accuracy":
        return (chosen == wanted).all(axis=1, keepdims=True).astype(float), np.ones_like(size)
    raise ValueError(
        f"{metric!r} is no score of label sets. Choose accuracy, example_f1, micro_f1 or macro_f1."
    )


def set_score(chosen, wanted, metric):
    """Return the score of label sets: see :func:`set_pieces`.

    Examples
    --------
    >>> set_score([[True, False], [False, False]], [[True, True], [False, False]], "example_f1")
    0.8333333333333333
    """
    numerators, denominators = set_pieces(chosen, wanted, metric)
    ratios = ratio(numerators.sum(axis=0), denominators.sum(axis=0))
    return float(np.nan_to_num(ratios).mean())


# --- best constants -----------------------------------------------------------------------------


class ConstantLevel(RegressorMixin, BaseEstimator):
    """The one level that scores best on the training rows, whatever is asked.

    Parameters
    ----------
    metric : str
        ``"rmse"``: the mean. ``"mae"``: the median (of two in the middle, the lower one, which
        serves as well and is a level). ``"accuracy"``: the most frequent level.
        ``"rmse_levels"``: the whole level nearest to the mean.

    Examples
    --------
    >>> answers = [0, 0, 0, 4, 6]
    >>> [ConstantLevel(m).fit(None, answers).constant_ for m in ("rmse", "mae", "accuracy")]
    [2.0, 0.0, 0.0]
    """

    def __init__(self, metric="rmse"):
        self.metric = metric

    def fit(self, X, y):
        """Find the constant; ``X`` is not looked at."""
        y = np.asarray(y, dtype=float)
        best = {
            "rmse": np.mean,
            "mae": lambda levels: np.quantile(levels, 0.5, method="inverted_cdf"),
            "rmse_levels": lambda levels: np.round(np.mean(levels)),
            "accuracy": lambda levels: np.bincount(levels.astype(int)).argmax(),
        }
        self.constant_ = float(best[self.metric](y))
        return self

    def predict(self, X):
        """Return the constant for each row of ``X``."""
        check_is_fitted(self)
        return np.full(len(X), self.constant_)


class ConstantSet(BaseEstimator):
    """The one set of labels that scores best on the training rows, whatever is asked.

    Parameters
    ----------
    metric : str
        ``"accuracy"``: the most frequent set, often the empty one. ``"macro_f1"``: all labels.
        ``"micro_f1"`` and ``"example_f1"``: the best set, found exactly: for a given size, each
        label adds its own share to the score, so only the best labels of each size need comparing.

    Examples
    --------
    >>> chosen = np.array([[1, 0], [1, 0], [0, 0], [1, 1]], dtype=bool)
    >>> ConstantSet("example_f1").fit(None, chosen).constant_.tolist()
    [True, False]
    >>> ConstantSet("macro_f1").fit(None, chosen).constant_.tolist()
    [True, True]
    """

    def __init__(self, metric="example_f1"):
        self.metric = metric

    def fit(self, X, y):
        """Find the constant; ``X`` is not looked at."""
        wanted = np.asarray(y, dtype=bool)
        rows, labels = wanted.shape
        if self.metric == "macro_f1":
            self.constant_ = np.ones(labels, dtype=bool)
            return self
        if self.metric == "accuracy":
            sets, counts = np.unique(wanted, axis=0, return_counts=True)
            self.constant_ = sets[counts.argmax()]
            return self
        candidates = np.zeros((labels + 1, labels), dtype=bool)
        for size in range(1, labels + 1):
            weight = 1.0 if self.metric == "micro_f1" else 2 / (size + wanted.sum(axis=1))
            share = (np.broadcast_to(weight, rows)[:, None] * wanted).sum(axis=0)
            candidates[size, np.argsort(-share, kind="stable")[:size]] = True
        scores = [set_score(np.tile(c, (rows, 1)), wanted, self.metric) for c in candidates]
        self.constant_ = candidates[int(np.argmax(scores))]
        return self

    def predict(self, X):
        """Return the constant set for each row of ``X``."""
        check_is_fitted(self)
        return np.tile(self.constant_, (len(X), 1))
