"""Every message that a test of the helpers raises is looked at: how it is put, not only what."""

import pytest
from wording import faults, our_words

from carebook.records import DataError


@pytest.fixture(autouse=True)
def well_put(monkeypatch):
    """Fail the test if a message that came up in it is badly put."""
    seen = {}

    def remember(error, problems):
        as_before(error, problems)
        for problem in error.problems:
            seen.setdefault((problem.kind, problem.expected, problem.advice), problem)

    as_before = DataError.__init__
    monkeypatch.setattr(DataError, "__init__", remember)
    yield
    told = {message: faults(message) for message in map(our_words, seen.values())}
    badly = {message: wrong for message, wrong in told.items() if wrong}
    assert not badly, badly
