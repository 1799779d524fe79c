import pytest

from labelling.access import Seat
from labelling.services import progress
from labelling.services.progress import progress_of
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
    assert (found.left, found.more, found.carried) == (5, True, 6)


def test_what_is_more_stays_more_until_it_is_counted_anew(seat: Seat) -> None:
    make_label(seat.project.claims.all()[0], seat.member)
    found = progress_of(seat=seat, left=6)
    assert (found.left, found.more) == (5, True)
    assert progress_of(seat=seat, left=5).left == 4


def test_without_a_number_from_the_page_it_is_counted(seat: Seat) -> None:
    for claim in seat.project.claims.all()[:6]:
        make_label(claim, seat.member, seconds=30.0)
    found = progress_of(seat=seat)
    assert (found.done, found.left, found.more, found.minutes_left) == (6, 2, False, 1)


def test_somebody_who_has_not_started_has_no_pace(seat: Seat) -> None:
    assert progress_of(seat=seat).minutes_left is None
