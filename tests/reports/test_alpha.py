"""Krippendorff's alpha as the product reports it, over stored labels with gaps, against the reference package."""

import krippendorff
import numpy as np
import pytest

from reports.bridge import VERDICT_CODE
from reports.selection import Selection
from reports.services.comparison import compare_project
from tests.factories import make_claims, make_label, make_member, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


@pytest.mark.parametrize(("people", "gaps"), [(2, 0.0), (3, 0.3), (5, 0.6)])
def test_alpha_of_a_project_equals_the_krippendorff_package(people: int, gaps: float) -> None:
    random = np.random.default_rng(people)
    names = list(VERDICT_CODE)
    project = make_project()
    who = [make_member(project) for _ in range(people)]
    given = np.full((people, 40), np.nan)
    for place, claim in enumerate(make_claims(project, 40, slots=False)):
        true = int(random.integers(4))
        for row, person in enumerate(who):
            if random.random() >= gaps:
                given[row, place] = true if random.random() < 0.7 else random.integers(4)
                make_label(claim, person, names[int(given[row, place])])
    alpha = compare_project(project, Selection()).result.alpha
    expected = krippendorff.alpha(reliability_data=given, level_of_measurement="nominal", value_domain=[0, 1, 2, 3])
    assert alpha.value == pytest.approx(expected, abs=1e-9)
