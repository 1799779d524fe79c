"""The entailment judge as a run has it: pinned in its version, failing with one line where it cannot be built."""

from pathlib import Path

import pytest

from judges.entailment import loading
from judges.services import chunks
from judges.services.runs import RunRefusedError
from judges.services.versions import JudgeUnavailableError, build, create_version, with_threshold
from tests.factories import make_claim, make_claims, make_project, make_source
from tests.judges.factories import finish, make_version, start


@pytest.fixture(autouse=True)
def no_built_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "_built", {})


@pytest.mark.django_db
def test_a_run_with_a_local_model_gives_each_claim_one_judgement(tiny_model: Path) -> None:
    project = make_project()
    source = make_source(project, "A man is asleep. The shop is open.")
    for _ in range(12):
        make_claim(project, "The shop is open.", source=source, slots=False)
    run = finish(start(make_version(project, "entailment", config={"model": str(tiny_model)})))
    rows = list(run.judgements.all())
    assert len(rows) == 12
    assert {row.outcome for row in rows} == {"judged"}
    assert all(row.score is not None for row in rows)


@pytest.mark.django_db
def test_without_the_extra_a_run_is_refused_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    project = make_project()
    make_claims(project, 3, slots=False)
    with pytest.raises(RunRefusedError, match="pip install"):
        start(make_version(project, "entailment"))


@pytest.mark.django_db
def test_a_model_that_cannot_be_had_is_a_failure_of_each_claim_and_no_verdict(
    nli_extra: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    project = make_project()
    make_claims(project, 3, slots=False)
    rows = list(finish(start(make_version(project, "entailment"))).judgements.all())
    assert [(row.outcome, row.verdict, row.score) for row in rows] == [("failed", rows[0].verdict, None)] * 3
    assert not rows[0].verdict
    assert all("set model to a folder that holds it" in row.reason for row in rows)


@pytest.mark.django_db
def test_a_threshold_makes_a_version_of_its_own_with_the_same_model() -> None:
    version = make_version(make_project(), "entailment")
    chosen = with_threshold(version=version, threshold=0.83, by=None)
    assert chosen.pk != version.pk
    assert chosen.config == {**version.config, "threshold": 0.83}
    assert with_threshold(version=chosen, threshold=0.5, by=None) == version


@pytest.mark.django_db
def test_a_version_is_not_built_over_a_folder_whose_files_have_changed(tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_text("{}")
    version = make_version(make_project(), "entailment", config={"model": str(tmp_path)})
    (tmp_path / "model.safetensors").write_text("other weights")
    with pytest.raises(JudgeUnavailableError, match="not those that this version was made with"):
        build(version)
    fresh = create_version(
        judge=version.judge, config={**version.config, "revision": ""}, policy=version.policy, by=None
    )
    assert fresh.fingerprint != version.fingerprint
