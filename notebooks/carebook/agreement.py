"""How far raters agree: one door to alpha, intraclass correlations and kappa.

Every function takes a *long* table, one judgement a row, and asks for the columns by name (kappa:
two columns). A matrix can be turned on its side by mistake and still give a number; a long table
cannot. What has no answer is refused with its reason (:class:`NoAnswer`).

Which coefficient? Alpha compares the disagreement inside units with the disagreement expected if
the same judgements were dealt out at random. An ICC says what share of the variance lies between
the things judged. For interval-scaled ratings by interchangeable raters the two are nearly the same
number, so the one does not confirm the other. Kappa is for two fixed raters and a few categories.
"""

from carebook.alpha import Alpha, alpha_table, krippendorff_alpha
from carebook.icc import icc_table, shrout_fleiss
from carebook.judgements import NoAnswer
from carebook.kappa import Kappa, cohen_kappa, weighted_kappa

__all__ = [
    "Alpha",
    "Kappa",
    "NoAnswer",
    "alpha_table",
    "cohen_kappa",
    "icc_table",
    "krippendorff_alpha",
    "shrout_fleiss",
    "weighted_kappa",
]
