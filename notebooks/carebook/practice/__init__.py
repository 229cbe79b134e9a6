"""Makes the practice corpora: synthetic records in exactly the documented layouts.

``make_corpus(seed)`` returns one in memory; ``python -m carebook practice OUT --seed N`` writes
one. The text banks and the parameters are data files under ``carebook/data``; `model` holds the
model behind the numbers. Everything it makes is invented and says so.
"""

from carebook.practice.command import add_arguments, main
from carebook.practice.corpus import Corpus, make_corpus

__all__ = ["Corpus", "add_arguments", "main", "make_corpus"]
