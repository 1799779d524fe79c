"""Panels fitted to development labels: what they read, what they refuse, and what they come to say."""

from collections.abc import Sequence

import numpy as np
import pytest

from judges.combined.features import NAMES
from judges.models import JudgeVersion, Run
from judges.services.external import ImportedJudgement, add_judgements, external_version, imported_run
from labelling.models import Claim, Membership, Project, Role
from reports.services.panels import PanelRefusedError, fit_panel
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source
from tests.judges.factories import finish, start

pytestmark = pytest.mark.django_db

GOLD = ("stated", "absent", "stated", "contradicted", "partial")


def labelled(project: Project, count: int = 60, *, split: str = "development", first: int = 0) -> list[Claim]:
    """So many claims in answers of two, with gold that goes round."""
    people = list(Membership.objects.filter(project=project, role=Role.ANNOTATOR)) or [
        make_member(project, pseudonym=f"p{n}") for n in range(2)
    ]
    source = make_source(project)
    claims: list[Claim] = []
    for number in range(first, first + count):
        answer = claims[-1].answer if number % 2 and claims else make_answer(project, split=split)
        claim = make_claim(project, f"Claim {number}.", answer=answer, source=source, slots=False)
        for person in people:
            make_label(claim, person, GOLD[number % len(GOLD)])
        claims.append(claim)
    return claims


def member(project: Project, name: str, claims: Sequence[Claim], *, right: float, seed: int = 0) -> JudgeVersion:
    """An external judge that is right on this share of the claims."""
    random = np.random.default_rng(seed)
    said = []
    for number, claim in enumerate(claims):
        supported = (GOLD[number % len(GOLD)] == "stated") == (random.random() < right)
        score = float(np.clip(random.normal(0.75 if supported else 0.25, 0.15), 0.01, 0.99))
        said.append(ImportedJudgement(claim_id=claim.pk, verdict="stated" if supported else "absent", score=score))
    version = external_version(project=project, judge_name=name, version_name="1")
    add_judgements(run=imported_run(version=version), judgements=said)
    return version


@pytest.fixture
def project() -> Project:
    return make_project()


def test_a_panel_weighs_the_better_member_more_and_judges_from_what_is_stored(project: Project) -> None:
    claims = labelled(project)
    good, poor = member(project, "good", claims, right=0.95), member(project, "poor", claims, right=0.6, seed=1)
    version = fit_panel(project=project, name="both", members=[good, poor], by=None)
    of_good, of_poor = version.config["coefficients"]
    place = NAMES.index("score")
    assert of_good[place] < of_poor[place] < 0.5
    assert version.config["fit"]["claims"] == 60
    assert version.config["fit"]["unsupported"] == 36
    assert version.config["fit"]["answers"] == 30
    run = finish(start(version))
    assert run.state == Run.State.FINISHED
    rows = list(run.judgements.all())
    assert {row.outcome for row in rows} == {"judged"}
    assert {row.verdict for row in rows} <= {"stated", "absent", "contradicted"}
    right = sum((row.verdict == "stated") == (GOLD[n % len(GOLD)] == "stated") for n, row in enumerate(rows))
    assert right >= 54
    one = rows[0]
    assert one.cost_usd == 0
    assert [stage["reused"] for stage in one.detail["stages"]] == [True, True]
    total = one.detail["intercept"] + sum(sum(share.values()) for share in one.detail["shares"])
    assert one.detail["sum"] == pytest.approx(total)
    assert one.score == pytest.approx(1 / (1 + np.exp(total)))
    assert "1 (external)" in one.reason


def test_fitted_again_it_is_the_same_version_and_labels_of_the_test_split_change_nothing(project: Project) -> None:
    claims = labelled(project)
    held_out = labelled(project, 20, split="test", first=60)
    members = [member(project, name, [*claims, *held_out], right=0.8, seed=n) for n, name in enumerate("ab")]
    first = fit_panel(project=project, name="both", members=members, by=None)
    assert fit_panel(project=project, name="both", members=members, by=None) == first
    someone = make_member(project, pseudonym="late")
    for claim in held_out:
        for _ in range(3):
            make_label(claim, make_member(project), "contradicted")
    assert fit_panel(project=project, name="both", members=members, by=None) == first
    for claim in claims[:30]:
        make_label(claim, someone, "stated")
        make_label(claim, make_member(project), "stated")
    other = fit_panel(project=project, name="both", members=members, by=None)
    assert other.number == 2
    assert other.config["coefficients"] != first.config["coefficients"]


def test_targeted_claims_are_left_out_of_the_fit(project: Project) -> None:
    claims = labelled(project)
    members = [member(project, name, claims, right=0.8, seed=n) for n, name in enumerate("ab")]
    Claim.objects.filter(pk__in=[claim.pk for claim in claims[:10]]).update(targeted=True)
    assert fit_panel(project=project, name="both", members=members, by=None).config["fit"]["claims"] == 50


def test_what_no_panel_can_be_made_of_is_refused_with_the_reason(project: Project) -> None:
    claims = labelled(project, 40)
    good = member(project, "good", claims, right=0.9)

    def refused(*members: JudgeVersion, reason: str) -> None:
        with pytest.raises(PanelRefusedError, match=reason):
            fit_panel(project=project, name="panel", members=members, by=None)

    refused(good, good, reason="expected at least two different")
    refused(good, member(project, "silent", [], right=0.9), reason="silent v1 has judged none of the 40")
    refused(good, member(project, "short", claims[:20], right=0.9), reason="on 20 of the 40.*at least 30")
    other = make_project()
    refused(good, member(other, "away", labelled(other, 2), right=0.9), reason="away v1 is of another project")


def test_one_class_alone_is_refused(project: Project) -> None:
    source, person = make_source(project), make_member(project)
    claims = [make_claim(project, f"Claim {n}.", source=source, slots=False) for n in range(40)]
    for number, claim in enumerate(claims):
        make_label(claim, person, "absent" if number < 4 else "stated")
    members = [member(project, name, claims, right=0.8, seed=n) for n, name in enumerate("ab")]
    with pytest.raises(PanelRefusedError, match="unsupported claims come from 4 answers; expected at least 5"):
        fit_panel(project=project, name="panel", members=members, by=None)
