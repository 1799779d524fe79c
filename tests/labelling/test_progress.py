from dataclasses import replace

import pytest

from labelling.access import Seat
from labelling.services import progress
from labelling.services.progress import Progress, carried_on, progress_of
from tests.factories import make_claims, make_label, make_member, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def seat(monkeypatch: pytest.MonkeyPatch) -> Seat:
    """Somebody with eight claims before them, where counting stops at five."""
    monkeypatch.setattr(progress, "COUNTED_UP_TO", 5)
    project = make_project()
    make_claims(project, 8)
    return Seat(project, make_member(project))


def test_more_claims_than_are_counted_are_said_to_be_more(seat: Seat) -> None:
    found = progress_of(seat=seat)
    assert (found.left, found.more, found.carried) == (5, True, "0:5:more:")


def test_what_is_more_stays_more_until_it_is_counted_anew(seat: Seat) -> None:
    carried = replace(progress_of(seat=seat), pace=2.0).carried
    found = carried_on(carried, labelled=True)
    assert found is not None
    assert (found.done, found.left, found.more, found.pace) == (1, 5, True, 2.0)


def test_a_label_is_one_more_done_and_one_less_left_and_a_skip_only_one_less_left() -> None:
    shown = Progress(done=3, left=4, more=False, pace=2.5).carried
    assert carried_on(shown, labelled=True) == Progress(done=4, left=3, more=False, pace=2.5)
    assert carried_on(shown, labelled=False) == Progress(done=3, left=3, more=False, pace=2.5)


@pytest.mark.parametrize(
    "shown",
    [Progress(9, 4, more=False, pace=2.0), Progress(3, 0, more=False, pace=2.0), Progress(0, 4, more=False, pace=None)],
)
def test_every_tenth_label_and_a_pace_not_known_yet_are_counted_anew(shown: Progress) -> None:
    assert carried_on(shown.carried, labelled=True) is None


def test_labels_given_and_claims_left_are_counted(seat: Seat) -> None:
    for claim in seat.project.claims.all()[:6]:
        make_label(claim, seat.member, seconds=30.0)
    found = progress_of(seat=seat)
    assert (found.done, found.left, found.more, found.minutes_left) == (6, 2, False, 1)


def test_somebody_who_has_not_started_has_no_pace(seat: Seat) -> None:
    assert progress_of(seat=seat).minutes_left is None
