"""Certificates: issued once, on exactly these texts, and stale in words as soon as what they rest on has changed."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from calibration.results import Figure
from judges.models import Judgement, JudgeVersion, Run
from judges.services.versions import create_version
from labelling.golden.freezing import freeze_golden
from labelling.models import Claim, GoldenItem, GuideVersion, Project, Source
from reports.models import Certificate, Look
from reports.services.certificates import NO_CERTIFICATE, certificate_of, certificates_of, states_on
from reports.services.certifying import CertificateRefusedError, issue_certificate
from tests.factories import make_label, make_member
from tests.judges.factories import finish, start
from tests.judges.factories import make_version as make_judge
from tests.reports.certified import Scene, certified, scene

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def test_a_certificate_has_figures_of_the_test_split_alone_with_n_and_interval() -> None:
    made, certificate = certified()
    recall = Figure(**certificate.figures["recall"])
    assert (recall.value, recall.k, recall.n) == (1.0, 4, 4)
    assert Figure(**certificate.figures["judged"]).n == 12
    assert certificate.threshold == made.version.config["threshold"]
    assert certificate.policy == "strict"
    assert certificate.guarantee
    state = certificate_of(made.version)
    assert state.current
    assert state.words.startswith("certified ")
    assert state.words.endswith("on core v1, current")


def test_issuing_it_is_a_look_at_the_test_split_and_twice_is_one_certificate() -> None:
    made, certificate = certified()
    again = issue_certificate(version=made.version, golden_set=made.golden, by=made.owner)
    assert again == certificate
    assert Certificate.objects.count() == 1
    look = Look.objects.get()
    assert (look.page, look.judge_version, look.member) == ("certificate", made.version, made.owner)


def _policy(made: Scene) -> None:
    GuideVersion.objects.create(project=made.project, number=2, policy="inference", text="# Guide")


def _ruling(made: Scene) -> None:
    GuideVersion.objects.create(
        project=made.project, number=2, policy="strict", text="# Guide", cases={"rounding": "stated"}
    )


def _newer_set(made: Scene) -> None:
    make_label(made.claims[0], make_member(made.project), "absent")
    assert freeze_golden(project=made.project, name="core").made


def _contents(made: Scene) -> None:
    item = made.golden.items.first()
    assert item is not None
    GoldenItem.objects.filter(pk=item.pk).update(item=item.item | {"text": "Something else."})


def _hash(made: Scene) -> None:
    type(made.golden).objects.filter(pk=made.golden.pk).update(hash="0" * 64)


def _partial(made: Scene) -> None:
    Project.objects.filter(pk=made.project.pk).update(partial_is_unsupported=False)


def _settings(made: Scene) -> None:
    JudgeVersion.objects.filter(pk=made.version.pk).update(config={"threshold": 0.1})


CHANGES: dict[str, tuple[Callable[[Scene], None], str]] = {
    "policy": (_policy, "the guide's policy changed from strict to inference"),
    "ruling": (_ruling, "the guide's rulings on borderline cases changed with its version 2"),
    "newer set": (_newer_set, "the golden set core has a newer version, v2"),
    "contents": (_contents, "the contents of core v1 changed"),
    "hash": (_hash, "the contents of core v1 changed"),
    "partial": (_partial, "partial now counts as supported"),
    "threshold": (_settings, "the judge's threshold changed from 0.6 to 0.1"),
    "fingerprint": (_settings, "give another fingerprint"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_it_rests_on_changed_and_the_certificate_says_so(change: str) -> None:
    made, certificate = certified()
    make, words = CHANGES[change]
    make(made)
    state = certificate_of(JudgeVersion.objects.get(pk=made.version.pk), thorough=True)
    assert state.certificate == certificate
    assert not state.current
    assert any(words in reason for reason in state.reasons), state.reasons
    assert state.words.startswith("stale: ")


def test_todays_code_of_another_kind_makes_it_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _ = certified()
    monkeypatch.setattr("reports.services.certificates.is_current", lambda _version: False)
    assert "give another fingerprint" in certificate_of(made.version).words


def test_prose_around_the_rulings_may_be_mended() -> None:
    made, _ = certified()
    GuideVersion.objects.create(project=made.project, number=2, policy="strict", text="# Guide, spelt right")
    assert certificate_of(made.version).current


def test_the_policy_back_as_it_was_makes_it_current_again() -> None:
    made, _ = certified()
    _policy(made)
    assert not certificate_of(made.version).current
    GuideVersion.objects.create(project=made.project, number=3, policy="strict", text="# Guide")
    assert certificate_of(made.version).current


def test_rulings_that_changed_can_be_certified_anew_where_no_label_changes() -> None:
    made, _ = certified()
    _ruling(made)
    frozen = freeze_golden(project=made.project, name="core")
    assert frozen.made
    assert not freeze_golden(project=made.project, name="core").made
    issue_certificate(version=made.version, golden_set=frozen.golden_set, by=made.owner)
    assert certificate_of(made.version).words.endswith("on core v2, current")


def refused(made: Scene) -> str:
    with pytest.raises(CertificateRefusedError) as refusal:
        issue_certificate(version=made.version, golden_set=made.golden, by=made.owner)
    assert not Certificate.objects.exists()
    assert not Look.objects.exists(), "what showed nothing is no look"
    return str(refusal.value)


def test_claims_without_a_judgement_of_these_very_texts_refuse_it() -> None:
    made = scene()
    Judgement.objects.filter(claim=made.claims[1]).delete()
    assert "no judgement of 1 of 12 items of the test split as they were frozen (c001)" in refused(made)
    finish(start(made.version))
    Source.objects.filter(citations__claim=made.claims[3]).update(text="Another text.")
    assert "1 of 12 items of the test split as they were frozen (c003)" in refused(made)


def test_a_text_changed_after_the_freeze_and_judged_anew_is_not_what_was_frozen() -> None:
    made = scene()
    Claim.objects.filter(pk=made.claims[5].pk).update(text="Reworded.")
    finish(start(made.version))
    assert "(c005)" in refused(made)


def test_a_test_of_the_judge_is_no_word_on_a_claim() -> None:
    made = scene()
    Run.objects.update(probe="repetition", seed=1)
    assert "12 of 12" in refused(made)


def test_another_policy_refuses_it() -> None:
    made = scene()
    made.golden.policy = "inference"
    assert "judges under the strict policy, gold of core v1 is under inference" in refused(made)


def test_labels_made_under_another_policy_refuse_it() -> None:
    made = scene()
    _policy(made)
    frozen = freeze_golden(project=made.project, name="core").golden_set
    version = create_version(judge=made.version.judge, config={}, policy="inference", by=None)
    finish(start(version))
    with pytest.raises(CertificateRefusedError, match="24 labels behind its gold were made under another policy"):
        issue_certificate(version=version, golden_set=frozen, by=None)


def test_an_older_golden_set_refuses_it() -> None:
    made = scene()
    _newer_set(made)
    assert "it would be stale at once: the golden set core has a newer version, v2" in refused(made)


def test_nothing_in_the_test_split_refuses_it() -> None:
    made = scene()
    made.golden.items.filter(split="test").delete()
    type(made.golden).objects.update(hash="x")
    assert "the contents of core v1 changed" in refused(made)


def test_targeted_items_are_left_out() -> None:
    made = scene()
    Claim.objects.filter(pk=made.claims[1].pk).update(targeted=True)
    golden = freeze_golden(project=made.project, name="core").golden_set
    certificate = issue_certificate(version=made.version, golden_set=golden, by=None)
    assert Figure(**certificate.figures["judged"]).n == 11


def test_failures_count_as_misses() -> None:
    made = scene()
    Judgement.objects.filter(claim__in=[made.claims[3], made.claims[9]]).update(outcome="timed-out", verdict="")
    certificate = issue_certificate(version=made.version, golden_set=made.golden, by=None)
    assert Figure(**certificate.figures["recall"]).k == 2
    assert Figure(**certificate.figures["judged"]).k == 10


def test_versions_are_asked_in_a_fixed_number_of_queries(django_assert_num_queries: Callable[..., object]) -> None:
    made, _ = certified()
    others = [make_judge(made.project, "quotes", name=f"other{i}") for i in range(5)]
    with django_assert_num_queries(3):  # type: ignore[attr-defined]  # a context manager of the plugin
        states = certificates_of(made.project, [made.version, *others])
    assert [states[version.pk].words for version in others] == [NO_CERTIFICATE] * 5
    assert states[made.version.pk].current
    with django_assert_num_queries(3):  # type: ignore[attr-defined]  # a context manager of the plugin
        assert [state.current for state in states_on(made.golden)] == [True]


def test_the_command_issues_prints_and_names_what_is_wrong() -> None:
    scene(slug="shop")
    out = StringIO()
    call_command("certify", "shop", "lexical@1", "core", stdout=out)
    assert "lexical v1: certified " in out.getvalue()
    assert "recall" in out.getvalue()
    assert "looks at the test split so far, this one included: 1" in out.getvalue()
    for arguments, words in (
        (["nowhere", "lexical", "core"], "no project 'nowhere'"),
        (["shop", "lexical", "other"], "no golden set 'other'"),
        (["shop", "nobody", "core"], "found the judge 'nobody', expected one with a version in this project: lexical"),
        (["shop", "lexical@7", "core"], "found the version '7' of 'lexical', expected one of 1"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("certify", *arguments, stdout=StringIO())
