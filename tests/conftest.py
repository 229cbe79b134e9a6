"""What the tests of several folders share."""

import pytest
from hypothesis import settings

# A busy machine is no failure: nothing here is slow enough for a limit of time to find a mistake.
settings.register_profile("carebook", deadline=None)
settings.load_profile("carebook")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the long tests first, so that no core waits for the last of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
