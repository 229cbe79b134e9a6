"""carebook: the helper modules that the chapters of the book import.

``load_carebench()`` and ``load_imbue()`` read the two data sets, by default the synthetic practice
corpus that comes with the package. Importing ``carebook`` loads neither seaborn nor scikit-learn
nor ipywidgets; each loads when it is first used.
"""

from carebook.carebench import CareBench, load_carebench
from carebook.imbue import Imbue, load_imbue
from carebook.records import DataError

__all__ = ["CareBench", "DataError", "Imbue", "load_carebench", "load_imbue"]
__version__ = "0.2.0"
