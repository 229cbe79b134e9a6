"""Figures that can be read and heard: each carries a text that tells the values it shows.

Every function takes a tidy table, draws one message and returns a :class:`Described`: the figure
together with its alternative text, which is computed from the same numbers that are drawn. The
figures share one look: colours that colour-blind readers can tell apart, a second sign (shape,
fill or hatching) beside every colour, type that stays legible on a phone, and axes that name the
ends of their scale. Pass ``source=data.source`` and synthetic data are marked as such.

matplotlib and seaborn load when the first figure is drawn, not when this module is imported.
"""

from carebook.figures.appraisals import appraisal_emotion_heatmap, appraisal_profile
from carebook.figures.described import Described
from carebook.figures.distance import (
    among_and_with,
    discoveries,
    error_parts,
    looks_of_agreement,
    paired_answers,
    similarities,
    story_readings,
)
from carebook.figures.emotions import label_changes, label_frequencies
from carebook.figures.errors import (
    chance_range,
    comparison_grid,
    guess_curves,
    heaviest_words,
    judges,
    label_scores,
    mean_answers,
)
from carebook.figures.linking import alone_by_fields, interval_by_unit, scoring_rules
from carebook.figures.links import (
    dimension_estimates,
    emotion_map,
    estimates,
    stated_and_found,
)
from carebook.figures.models import baseline_scores, confusion
from carebook.figures.parts import dimension_name, short_label
from carebook.figures.people import recurrence, stored_and_recomputed
from carebook.figures.perspectives import answer_distribution, gap_by_dimension, panel_curve
from carebook.figures.samples import resampled, scatter
from carebook.figures.skills import (
    expert_strictness,
    skill_agreement,
    skill_by_position,
    skill_labels,
    suggestion_targets,
)
from carebook.figures.style import (
    AGREEMENT_SCALE,
    NEGATIVE_SCALE,
    POSITIVE_SCALE,
    SYNTHETIC_MARK,
    Scale,
)

__all__ = [
    "AGREEMENT_SCALE",
    "NEGATIVE_SCALE",
    "POSITIVE_SCALE",
    "SYNTHETIC_MARK",
    "Described",
    "Scale",
    "alone_by_fields",
    "among_and_with",
    "answer_distribution",
    "appraisal_emotion_heatmap",
    "appraisal_profile",
    "baseline_scores",
    "chance_range",
    "comparison_grid",
    "confusion",
    "dimension_estimates",
    "dimension_name",
    "discoveries",
    "emotion_map",
    "error_parts",
    "estimates",
    "expert_strictness",
    "gap_by_dimension",
    "guess_curves",
    "heaviest_words",
    "interval_by_unit",
    "judges",
    "label_changes",
    "label_frequencies",
    "looks_of_agreement",
    "paired_answers",
    "label_scores",
    "mean_answers",
    "panel_curve",
    "recurrence",
    "resampled",
    "scatter",
    "scoring_rules",
    "short_label",
    "similarities",
    "skill_agreement",
    "skill_by_position",
    "skill_labels",
    "stated_and_found",
    "stored_and_recomputed",
    "story_readings",
    "suggestion_targets",
]
