from dataclasses import replace

import pytest

from judges.fingerprints import fingerprint, input_hash
from judges.packages import offered_types
from judges.protocol import CitedText, ClaimInput
from judges.services.versions import (
    JudgeUnavailableError,
    build,
    create_judge,
    create_version,
    is_current,
    renewed,
    with_threshold,
)
from tests.factories import make_project
from tests.judges import sample_types
from tests.judges.factories import make_version

pytestmark = pytest.mark.django_db

BASE = {"type_name": "lexical", "code_version": "1", "config": {"threshold": 0.6, "k": 3}, "policy": "strict"}
CLAIM = ClaimInput(
    claim_id=1,
    text="You have 14 days.",
    kind="date",
    severity="minor",
    question="How long?",
    answer="You have 14 days. [1]",
    cited=(CitedText(source_id="s", order=1, title="Returns", text="Within 14 days.", start=0, end=6),),
)


@pytest.mark.parametrize(
    "changed",
    [
        {"type_name": "quotes"},
        {"code_version": "2"},
        {"config": {"threshold": 0.61, "k": 3}},
        {"config": {"threshold": 0.6}},
        {"policy": "inference"},
    ],
)
def test_each_ingredient_changes_the_fingerprint(changed: dict[str, object]) -> None:
    assert fingerprint(**{**BASE, **changed}) != fingerprint(**BASE)  # type: ignore[arg-type]


def test_order_of_settings_does_not_change_the_fingerprint() -> None:
    turned = {**BASE, "config": {"k": 3, "threshold": 0.6}}
    assert fingerprint(**turned) == fingerprint(**BASE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changed",
    [
        replace(CLAIM, text="You have 15 days."),
        replace(CLAIM, kind="figure"),
        replace(CLAIM, severity="critical"),
        replace(CLAIM, question="Until when?"),
        replace(CLAIM, answer="You have 14 days."),
        replace(CLAIM, cited=()),
        replace(CLAIM, cited=CLAIM.cited * 2),
        replace(CLAIM, cited=(replace(CLAIM.cited[0], text="Within 14 days!"),)),
        replace(CLAIM, cited=(replace(CLAIM.cited[0], title="Refunds"),)),
        replace(CLAIM, cited=(replace(CLAIM.cited[0], start=1),)),
        replace(CLAIM, cited=(replace(CLAIM.cited[0], fields={"days": 14}),)),
    ],
)
def test_everything_a_judge_is_given_changes_the_input_hash(changed: ClaimInput) -> None:
    assert input_hash(changed) != input_hash(CLAIM)


def test_the_key_of_the_row_does_not_change_the_input_hash() -> None:
    assert input_hash(replace(CLAIM, claim_id=2)) == input_hash(CLAIM)


def test_same_settings_give_the_same_version_and_others_the_next_number() -> None:
    project = make_project()
    first = make_version(project, "leaning")
    spelled_out = make_version(project, "leaning", config={"greeting": "hello", "threshold": 0.5})
    second = make_version(project, "leaning", config={"threshold": 0.6})
    assert (spelled_out.pk, first.number, second.number) == (first.pk, 1, 2)
    assert first.config == {"threshold": 0.5, "greeting": "hello"}


def test_a_wrong_setting_is_refused_by_name() -> None:
    judge = create_judge(project=make_project(), name="leaning", type_name="leaning")
    with pytest.raises(ValueError, match=r"threshold is 7; expected a number from 0 to 1"):
        create_version(judge=judge, config={"threshold": 7}, policy="strict", by=None)
    with pytest.raises(ValueError, match="policy is 'lax'"):
        create_version(judge=judge, config={}, policy="lax", by=None)
    assert not judge.versions.exists()


def test_a_name_belongs_to_one_type() -> None:
    project = make_project()
    create_judge(project=project, name="leaning", type_name="leaning")
    with pytest.raises(ValueError, match="already a judge of type 'leaning'"):
        create_judge(project=project, name="leaning", type_name="counting")


@pytest.mark.parametrize("name", ["my judge", "a/b", "", "ä", "x" * 101])
def test_a_name_that_cannot_stand_in_an_address_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected 1 to 100 letters, digits, hyphens and underscores"):
        create_judge(project=make_project(), name=name, type_name="leaning")


def test_a_threshold_makes_a_version_once_and_leaves_the_first_as_it_was() -> None:
    version = make_version(make_project(), "leaning")
    before = (version.fingerprint, dict(version.config))
    stricter = with_threshold(version=version, threshold=0.8, by=None)
    again = with_threshold(version=version, threshold=0.8, by=None)
    version.refresh_from_db()
    assert stricter.pk == again.pk
    assert stricter.config == {"threshold": 0.8, "greeting": "hello"}
    assert stricter.based_on == version
    assert (version.fingerprint, version.config) == before


def test_a_judge_without_a_threshold_says_so() -> None:
    with pytest.raises(ValueError, match="has no threshold to set"):
        with_threshold(version=make_version(make_project(), "counting"), threshold=0.5, by=None)


def test_a_version_that_was_changed_in_place_judges_nothing() -> None:
    version = make_version(make_project(), "leaning")
    version.config = {**version.config, "threshold": 0.9}
    version.save()
    assert not is_current(version)
    with pytest.raises(JudgeUnavailableError, match="make a new version"):
        build(version)


def test_new_code_makes_a_new_version_of_the_same_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    version = make_version(make_project(), "counting")
    newer = sample_types.no_config("counting", sample_types.count, code_version="2")
    monkeypatch.setattr(sample_types, "JUDGE_TYPES", (newer,))
    offered_types.cache_clear()
    with pytest.raises(JudgeUnavailableError):
        build(version)
    fresh = renewed(version=version, by=None)
    assert fresh.number == 2
    build(fresh)
