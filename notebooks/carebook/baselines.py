"""Baselines: what simple models predict about the experiencer's emotions, scored honestly.

Four outputs (two intensities, two sets of labels), the experiencer's own report being the target of
all of them. Every model is judged on people or stories it has not seen: each row is predicted once,
by a model fitted on the other folds, and these out-of-fold predictions are kept, so that two models
can be compared row by row. Penalties, thresholds and cuts are chosen inside the training folds, on
rows whose writer (or narrative, or observer) was left out there too; the vocabulary and its weights
are taken from the whole of a training fold, for they look at no answer.

Three things to hold on to when reading the tables:

- Each row says who supplied the input. Someone's own ratings know more than their story tells; only
  what sees the story's text alone stands beside an observer (column ``text_alone``).
- Each metric is asked of the answer that aims at it, for constants and models alike: the mean suits
  RMSE and the most frequent level suits exact matches, and no single answer does both.
- An interval resamples narratives and people and holds the fitted models as they are:
  ``LEFT_OUT`` says what that leaves out.

The models are scikit-learn estimators (:mod:`carebook.estimators`), loaded when first used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from carebook.comparison import (
    BEST_CONSTANT,
    LEFT_OUT,
    MAIN_METRICS,
    RARE,
    against,
    average_precision,
    common_labels,
    differences,
    holm,
    label_table,
    score_table,
)
from carebook.leaks import chance_distribution, shuffled_by_group
from carebook.pairs import LEVEL_RANGE, LEVELS
from carebook.predictions import (
    METRICS,
    NOBODY,
    SET_METRICS,
    Predictions,
    columns_of,
    record_rows,
)
from carebook.resampling import SEED, narrative_out, person_out, writer_out
from carebook.scoring import LABEL_SETS
from carebook.vocabulary import DIMENSIONS, LABELS, REASONING, STORY_ANSWERS

__all__ = [
    "BEST_CONSTANT",
    "LEFT_OUT",
    "MAIN_METRICS",
    "METRICS",
    "MODELS",
    "Model",
    "Predictions",
    "RARE",
    "against",
    "average_precision",
    "best_constant",
    "chance_distribution",
    "common_labels",
    "differences",
    "emotion_word_counts",
    "emotion_word_rule",
    "evaluate",
    "holm",
    "inputs",
    "label_table",
    "observer_panel",
    "observers",
    "out_of_fold",
    "ratings",
    "score_table",
    "shuffled_by_group",
    "targets",
    "word_weights",
    "words",
    "words_and_ratings",
    "words_to_ratings",
]

STORY, INTERVIEW, WRITER, OBSERVERS = (
    "story text",
    "experiencer's four story answers",
    "experiencer's own answers",
    "observers' answers",
)
"""Who supplied an input. Observers read the story and nothing else; the four answers (event, goal,
feeling, context) are what the story was assembled from, and may say more, or less, than it does."""


# --- what goes in, what comes out ---------------------------------------------------------------


def inputs(data) -> pd.DataFrame:
    """What a model may see, one row per annotation.

    Parameters
    ----------
    data : CareBench
        What ``load_carebench()`` returns.

    Returns
    -------
    DataFrame
        Index ``annotation_id``. Texts: ``story``; ``four_answers`` (event, goal, feeling and
        context as the writer gave them) and ``without_feeling`` (the same but for the feeling),
        which differ by that one part; ``reasoning`` (the annotator's five answers). The 22 ratings.
        ``story`` and ``four_answers`` hold what the writer said about feelings,
        ``without_feeling`` does not.
    """
    without = [part for part in STORY_ANSWERS if part != "feeling"]
    told = data.narratives
    texts = pd.DataFrame(
        {
            "story": told["narrative"].fillna(""),
            "four_answers": _joined(told[list(STORY_ANSWERS)]),
            "without_feeling": _joined(told[without]),
        }
    )
    table = texts.loc[data.annotations["sample_id"]].set_axis(data.annotations.index)
    table["reasoning"] = _joined(data.reasoning[list(REASONING)])
    return pd.concat([table, data.ratings[list(DIMENSIONS)].astype(float)], axis=1)


def _joined(parts: pd.DataFrame) -> pd.Series:
    texts = ["\n".join(row) for row in parts.fillna("").to_numpy(dtype=object)]
    return pd.Series(texts, index=parts.index, dtype=parts.dtypes.iloc[0])


def targets(data) -> pd.DataFrame:
    """The experiencer's report for each annotation: two intensities (0-6) and 20 labels (0, 1).

    An observer's row holds the report of the person whose narrative it is.
    """
    own = data.annotations["perspective"] == "experiencer"
    reports = pd.concat([data.annotations[list(LEVELS)], data.labels[list(LABELS)]], axis=1)
    reports = reports[own].astype(float).set_axis(data.annotations.loc[own, "sample_id"])
    return reports.loc[data.annotations["sample_id"]].set_axis(data.annotations.index)


# --- models -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Model:
    """A model to be fitted, with what a reader needs to know to judge its score.

    Attributes
    ----------
    name : str
    input_by : str
    make : callable
        Returns an unfitted pipeline whose last step, ``model``, offers ``inner_predictions_``.
    perspective : str
        Whose records are the rows: ``experiencer`` or ``observer``.
    design : str
        ``writer_out``; for observers' records ``narrative_out`` or ``person_out``.
    """

    name: str
    input_by: str
    make: Callable
    perspective: str = "experiencer"
    design: str = "writer_out"


def words(column: str):
    """Return a pipeline from a text column to linear scores: TF-IDF, then ridge.

    Parameters
    ----------
    column : str
        A text column of :func:`inputs`.
    """
    return _pipeline([("words", _word_weights(), column)])


def emotion_word_counts(column: str = "story"):
    """Return a pipeline that knows a text by the book's emotion-word list alone."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from carebook.estimators import EmotionWordCounts

    return _pipeline([("words", make_pipeline(EmotionWordCounts(), StandardScaler()), column)])


def ratings():
    """Return a pipeline from the 22 ratings."""
    return _pipeline([("ratings", _scaled_ratings(), list(DIMENSIONS))])


def words_and_ratings(column: str = "story"):
    """Return a pipeline that sees a text and the 22 ratings, each with the same say."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    # A TF-IDF row has length 1; divided like this, a row of 22 ratings has about that length too.
    level = FunctionTransformer(partial(np.multiply, 1 / np.sqrt(len(DIMENSIONS))))
    return _pipeline(
        [
            ("words", _word_weights(), column),
            ("ratings", make_pipeline(_scaled_ratings(), level), list(DIMENSIONS)),
        ]
    )


def words_to_ratings(column: str = "story"):
    """Return a pipeline from a text to predicted ratings, and from those alone to the emotions."""
    from carebook.estimators import AppraisalChain

    return _pipeline([("words", _word_weights(), column)], AppraisalChain())


def _pipeline(parts, last=None):
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline

    from carebook.estimators import GroupedRidge

    return Pipeline([("features", ColumnTransformer(parts)), ("model", last or GroupedRidge())])


def _word_weights():
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(min_df=2, sublinear_tf=True)


def _scaled_ratings():
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    # An accepted exception may have left a rating missing: it takes the training rows' mean.
    return make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler())


MODELS = (
    Model("emotion words", STORY, emotion_word_counts),
    Model("words", STORY, partial(words, "story")),
    Model("words of the four answers", INTERVIEW, partial(words, "four_answers")),
    Model("words without the feeling", INTERVIEW, partial(words, "without_feeling")),
    Model("words, then predicted ratings", STORY, words_to_ratings),
    Model("22 ratings", WRITER, ratings),
    Model("reasoning text", WRITER, partial(words, "reasoning")),
    Model("words and 22 ratings", WRITER, words_and_ratings),
    Model("observers' ratings, new stories", OBSERVERS, ratings, "observer", "narrative_out"),
    Model("observers' ratings, new observers", OBSERVERS, ratings, "observer", "person_out"),
)
"""The book's baselines.

What the feeling part adds is the difference between the four answers with and without it: those two
differ in nothing else. In the practice corpus the story is the four answers in another order, so
that "words" and "words of the four answers" score alike there.
The cross-source rows predict the experiencer's emotions from ratings that observers gave; they come
in two designs, because new stories and new observers are two questions."""


# --- fitting and predicting ---------------------------------------------------------------------


def out_of_fold(model: Model, data, folds: int = 5, seed: int = SEED) -> Predictions:
    """Predict every row by a model that was fitted without its fold.

    Parameters
    ----------
    model : Model
    data : CareBench
    folds, seed : int
        Outer folds, and which groups go where.

    Returns
    -------
    Predictions
        Regression values clipped to 0-6 for ``rmse``, and the answers that aim at each other metric
        by rules learned inside the training folds.
    """
    rows = record_rows(data, model.perspective)
    seen, truth = inputs(data).loc[rows.index], targets(data).loc[rows.index]
    owner = rows[_GROUP_OF[model.design]].to_numpy()
    answers = {}
    for train, test in _FOLDS_OF[model.design](rows, folds, seed):
        learned = _fit(model, seen.iloc[train], truth.iloc[train], owner[train])
        inner = learned[-1].inner_predictions_
        found = _answer(inner, truth.iloc[train], learned.predict(seen.iloc[test]))
        _keep(answers, found, test, len(rows))
    text_alone = model.input_by == STORY
    return Predictions(model.name, model.input_by, model.design, rows, truth, answers, text_alone)


_GROUP_OF = {"writer_out": "writer_id", "narrative_out": "sample_id", "person_out": "observer_id"}

_FOLDS_OF = {
    "writer_out": lambda rows, *options: writer_out(rows["writer_id"], *options),
    "narrative_out": lambda rows, *options: narrative_out(rows["sample_id"], *options),
    "person_out": lambda rows, *options: person_out(
        rows["observer_id"], rows["writer_id"], *options
    ),
}


def _fit(model, seen, truth, owner):
    from carebook.estimators import AppraisalChain

    learned = model.make()
    extra = {"model__groups": owner}
    if isinstance(learned[-1], AppraisalChain):
        extra["model__ratings"] = seen[list(DIMENSIONS)].to_numpy()
    return learned.fit(seen, truth.to_numpy(), **extra)


def _answer(inner, truth, values):
    """Answers for new rows, by rules learned from scores of left-out training rows."""
    from carebook.estimators import LevelCuts, SetThresholds

    known, found = truth.to_numpy(), {}
    for output, metrics in METRICS.items():
        where = columns_of(output)
        kind = LevelCuts if output in LEVELS else SetThresholds
        for metric in metrics:
            if metric == "rmse":
                found[output, metric] = values[:, where].clip(0, LEVEL_RANGE)
            elif metric == "average_precision":
                found[output, metric] = values[:, where]
            else:
                rule = kind(metric).fit(inner[:, where], known[:, where])
                found[output, metric] = rule.predict(values[:, where])
    return found


def _keep(answers, found, test, size):
    for key, answer in found.items():
        if key not in answers:
            answers[key] = np.empty((size, *answer.shape[1:]), dtype=answer.dtype)
        answers[key][test] = answer


def best_constant(data, folds: int = 5, seed: int = SEED) -> Predictions:
    """The constant that serves each metric best, found on the training folds.

    Mean, median, most frequent level; most frequent set, best set, all labels: see
    :class:`carebook.estimators.ConstantLevel` and :class:`~carebook.estimators.ConstantSet`.
    """
    from carebook.estimators import ConstantLevel, ConstantSet

    rows = record_rows(data, "experiencer")
    truth, answers = targets(data).loc[rows.index], {}
    for train, test in writer_out(rows["writer_id"], folds, seed):
        known, found = truth.iloc[train].to_numpy(), {}
        for output, metrics in METRICS.items():
            where = columns_of(output)
            kind = ConstantLevel if output in LEVELS else ConstantSet
            for metric in metrics:
                if metric == "average_precision":
                    found[output, metric] = np.zeros((len(test), len(LABEL_SETS[output])))
                else:
                    found[output, metric] = kind(metric).fit(None, known[:, where]).predict(test)
        _keep(answers, found, test, len(rows))
    return Predictions(BEST_CONSTANT, NOBODY, "writer_out", rows, truth, answers, False)


def emotion_word_rule(data) -> Predictions:
    """Choose a label where a word of its list stands in the story: nothing is learned.

    It gives no intensities.
    """
    from carebook.estimators import EmotionWordCounts

    rows = record_rows(data, "experiencer")
    counts = EmotionWordCounts().fit_transform(inputs(data).loc[rows.index, "story"])
    answers = {}
    for output in LABEL_SETS:
        where = slice(*(place - len(LEVELS) for place in _bounds(output)))
        for metric in SET_METRICS:
            some = counts[:, where]
            answers[output, metric] = some if metric == "average_precision" else some > 0
    truth = targets(data).loc[rows.index]
    return Predictions(
        "emotion words, no training", STORY, "nothing fitted", rows, truth, answers, True
    )


def _bounds(output):
    where = columns_of(output)
    return where.start, where.stop


def observers(data) -> Predictions:
    """Each observer alone, answering the same questions: 2,500 judges in the full data.

    Observers give one answer, whatever the metric, and rank labels by choosing them or not.
    """
    rows = record_rows(data, "observer")
    said = pd.concat([data.annotations[list(LEVELS)], data.labels[list(LABELS)]], axis=1)
    said = said.loc[rows.index].to_numpy(dtype=float)
    answers = {}
    for output, metrics in METRICS.items():
        answer = said[:, columns_of(output)]
        for metric in metrics:
            as_set = output in LABEL_SETS and metric != "average_precision"
            answers[output, metric] = answer > 0 if as_set else answer
    truth = targets(data).loc[rows.index]
    return Predictions("one observer", STORY, "nothing fitted", rows, truth, answers, True)


def observer_panel(data) -> Predictions:
    """The observers of a narrative as one judge: mean, median, or what most of them chose.

    As for a model, each metric gets the answer that suits it: the mean for RMSE (rounded, where a
    whole level is asked for), the median for exact matches and absolute error, labels chosen by
    more than half, the share of votes where labels are ranked.
    """
    single = observers(data)
    narrative = single.rows["sample_id"]
    own = record_rows(data, "experiencer")
    own = own[own["sample_id"].isin(narrative)]
    order = own["sample_id"].to_numpy()
    answers = {}
    for (output, metric), answer in single.answers.items():
        votes = pd.DataFrame(answer.astype(float)).groupby(narrative.to_numpy())
        middle = votes.median() if metric in ("accuracy", "mae") else votes.mean()
        panel = middle.loc[order].to_numpy()
        if output in LEVELS:
            answers[output, metric] = (
                np.round(panel[:, 0]) if metric == "rmse_levels" else panel[:, 0]
            )
        else:
            answers[output, metric] = panel if metric == "average_precision" else panel > 0.5
    truth = targets(data).loc[own.index]
    return Predictions("panel of observers", STORY, "nothing fitted", own, truth, answers, True)


def evaluate(data, models: Sequence[Model] = MODELS, folds: int = 5, seed: int = SEED) -> dict:
    """Predict with the best constants, the emotion-word rule and all models, under the same folds.

    Parameters
    ----------
    data : CareBench
    models : sequence of Model
        Those that need observers are left out where the data have none.
    folds, seed : int

    Returns
    -------
    dict
        Name -> :class:`Predictions`, in the order of the table. Give it to :func:`score_table`.
    """
    found = [best_constant(data, folds, seed), emotion_word_rule(data)]
    some_observed = (data.annotations["perspective"] == "observer").any()
    found += [
        out_of_fold(model, data, folds, seed)
        for model in models
        if some_observed or model.perspective == "experiencer"
    ]
    return {one.model: one for one in found}


# --- what a model leans on ----------------------------------------------------------------------


def word_weights(data, target: str, column: str = "story") -> pd.Series:
    """Fit words to one target on all narratives and return each word's weight.

    Parameters
    ----------
    data : CareBench
    target : str
        An intensity or a label.
    column : str
        A text column of :func:`inputs`.

    Returns
    -------
    Series
        Word -> weight, largest first. A weight says what the model leans on in these texts, given
        all other words; it is no cause, and it is not out-of-fold.
    """
    rows = record_rows(data, "experiencer")
    seen, wanted = inputs(data).loc[rows.index], targets(data).loc[rows.index, target]
    model = words(column).fit(seen, wanted, model__groups=rows["writer_id"].to_numpy())
    names = model["features"].named_transformers_["words"].get_feature_names_out()
    return pd.Series(model["model"].coef_[0], index=names, name=target).sort_values(
        ascending=False, kind="stable"
    )
