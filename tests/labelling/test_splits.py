import pytest

from labelling.models import Split
from labelling.splits import TEST_SHARE, split_of


def test_an_answer_stays_in_its_split_on_every_machine() -> None:
    # Written down, not computed: a change here would move claims between development and test.
    assert [split_of(f"a{i}") for i in range(1, 7)] == [
        "test",
        "development",
        "test",
        "development",
        "development",
        "test",
    ]


def test_the_share_of_test_is_near_what_is_meant() -> None:
    count = sum(split_of(f"answer-{i}") == Split.TEST for i in range(5_000))
    assert count / 5_000 == pytest.approx(TEST_SHARE, abs=0.03)
