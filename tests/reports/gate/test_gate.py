"""The gate from end to end: exit codes, files, and that a silent change shuts it."""

import json
from collections.abc import Callable
from datetime import datetime
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from judges.models import Judgement, JudgeVersion, Run
from judges.services.versions import create_judge, create_version, with_threshold
from labelling.golden.freezing import freeze_golden
from labelling.models import Answer, Claim, GoldenItem, GuideVersion, Severity
from reports.models import Certificate, Look
from tests.factories import make_label, make_member
from tests.judges.factories import finish, start
from tests.reports.certified import Scene, certified, scene
from tests.reports.rows import make_run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]

LENIENT = """
[[rule]]
name = "not too much made up"
figure = "miscitation"
at_most = 0.60
"""


def gate(
    folder: Path, *more: str, rules: str = LENIENT, judge: str = "lexical@1", slug: str = "shop"
) -> tuple[int, str]:
    """Exit code and all output of the command."""
    file = folder / "gate.toml"
    file.write_text(rules, encoding="utf-8")
    out = StringIO()
    arguments = [slug, "--judge", judge, "--config", str(file), *more]
    try:
        call_command("gate", *arguments, stdout=out, stderr=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_rules_that_hold_open_it_and_a_broken_one_shuts_it(tmp_path: Path) -> None:
    certified(slug="shop")
    code, said = gate(tmp_path, "--system", "bot")
    assert code == 0
    assert "shop bot, read by lexical v1" in said
    assert "certified " in said
    assert "0.33" in said
    assert "n = 24" in said
    code, said = gate(tmp_path, rules=LENIENT.replace("0.60", "0.20"))
    assert code == 1
    assert "FAILED  not too much made up" in said


def test_without_a_file_the_default_rules_hold(tmp_path: Path) -> None:
    certified(slug="shop")
    out = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("gate", "shop", "--judge", "lexical", stdout=out)
    assert end.value.code == 1
    assert "few claims cite a source that does not support them" in out.getvalue()


def _model(made: Scene) -> None:
    # What stands under the version's name is not what was certified: here its settings, as another model under the
    # same name would be.
    JudgeVersion.objects.filter(pk=made.version.pk).update(config={"threshold": 0.59})


def _guide(made: Scene) -> None:
    GuideVersion.objects.create(project=made.project, number=2, policy="inference", text="# Guide")


def _golden_set(made: Scene) -> None:
    make_label(made.claims[0], make_member(made.project), "absent")
    freeze_golden(project=made.project, name="core")


def _golden_items(made: Scene) -> None:
    item = made.golden.items.get(external_id="c001")
    GoldenItem.objects.filter(pk=item.pk).update(item=item.item | {"text": "Another claim."})


SILENT: dict[str, tuple[Callable[[Scene], None], str]] = {
    "model": (_model, "its code, model, prompt or settings give another fingerprint"),
    "guide policy": (_guide, "the guide's policy changed from strict to inference"),
    "golden set": (_golden_set, "the golden set core has a newer version, v2"),
    "golden items": (_golden_items, "the contents of core v1 changed"),
}


@pytest.mark.parametrize("change", SILENT)
def test_a_silent_change_turns_0_into_3(tmp_path: Path, change: str) -> None:
    made, _ = certified(slug="shop")
    assert gate(tmp_path)[0] == 0
    make, words = SILENT[change]
    make(made)
    code, said = gate(tmp_path)
    assert code == 3
    assert words in said
    assert "n = 24" not in said, "no figure is read off a judge without a current certificate"


def test_another_model_on_disk_under_the_same_name_turns_0_into_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    (model / "weights.safetensors").write_bytes(b"first")
    made = scene(slug="shop")
    judge = create_judge(project=made.project, name="nli", type_name="entailment")
    version = create_version(judge=judge, config={"model": str(model)}, policy="strict", by=None)
    judged_like(made.version, version)
    call_command("certify", "shop", "nli", "core", stdout=StringIO())
    assert gate(tmp_path, judge="nli@1")[0] == 0
    (model / "weights.safetensors").write_bytes(b"other weights")
    code, said = gate(tmp_path, judge="nli@1")
    assert code == 3
    assert "give another fingerprint" in said


def test_another_prompt_turns_0_into_3(tmp_path: Path) -> None:
    made = scene(slug="shop")
    judge = create_judge(project=made.project, name="asked", type_name="claude")
    version = create_version(judge=judge, config={}, policy="strict", by=None)
    judged_like(made.version, version)
    call_command("certify", "shop", "asked", "core", stdout=StringIO())
    assert gate(tmp_path, judge="asked")[0] == 0
    prompt = str(version.config["prompt"])
    other = create_version(judge=judge, config={"prompt": f"{prompt}\nBe kind."}, policy="strict", by=None)
    assert other != version
    assert gate(tmp_path, judge="asked")[0] == 3
    assert gate(tmp_path, judge="asked@2")[0] == 3
    # And changed under the same version, past every door of the product.
    JudgeVersion.objects.filter(pk=version.pk).update(config=version.config | {"prompt": f"{prompt}\nBe kind."})
    code, said = gate(tmp_path, judge="asked@1")
    assert (code, "give another fingerprint" in said) == (3, True)


def judged_like(one: JudgeVersion, other: JudgeVersion) -> None:
    """Judgements of one version as those of another, whose model is not at hand here."""
    run = Run.objects.create(project=one.judge.project, judge_version=other, state="finished", claims_total=1)
    rows = list(Judgement.objects.filter(run__judge_version=one))
    for row in rows:
        row.pk, row.run = None, run
    Judgement.objects.bulk_create(rows)


def test_a_judge_without_a_certificate_gates_nothing(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    other = with_threshold(version=made.version, threshold=0.5, by=None)
    finish(start(other))
    code, said = gate(tmp_path, judge="lexical@2")
    assert code == 3
    assert "no certificate" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["shop", "--judge", "nobody@1"], "found the judge 'nobody'"),
        (["shop", "--judge", "lexical@9"], "found the version '9' of 'lexical', expected one of 1"),
        (["nowhere", "--judge", "lexical@1"], "no project 'nowhere'"),
        (["shop", "--judge", "lexical@1", "--system", "bott"], "found the system 'bott', expected one of bot"),
        (["shop", "--judge", "lexical@1", "--task-type", "x"], "found the task type 'x', expected one of none yet"),
        (["shop", "--judge", "lexical@1", "--config", "no-such.toml"], "no-such.toml: cannot be read"),
        (["shop", "--judge", "lexical@1", "--since", "2031-01-01"], "has no claims to read"),
    ],
)
def test_what_cannot_run_ends_with_2_and_says_why_in_every_file(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    certified(slug="shop")
    files = {name: tmp_path / name for name in ("junit", "markdown", "json")}
    out = StringIO()
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    with pytest.raises(SystemExit) as end:
        call_command("gate", *arguments, *options, stdout=out, stderr=out)
    assert end.value.code == 2
    assert words in out.getvalue()
    error = ET.parse(files["junit"]).getroot().find(".//error")
    assert error is not None
    assert words in error.attrib["message"]
    assert json.loads(files["json"].read_text())["exit"] == 2
    assert "could not run" in files["markdown"].read_text()


def test_claims_that_the_judge_has_not_judged_keep_it_shut(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    Judgement.objects.filter(claim=made.claims[0]).delete()
    code, said = gate(tmp_path, "--system", "bot")
    assert code == 2
    assert "lexical v1 has not judged 1 of 24 cited claims of bot: run it over them first" in said


def test_failures_of_the_judge_count_as_unsupported(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    Judgement.objects.filter(claim__in=made.claims[:12]).update(outcome="timed-out", verdict="")
    rules = LENIENT + '[[rule]]\nfigure = "judged"\nat_least = 0.9\n'
    code, said = gate(tmp_path, rules=rules)
    assert code == 1
    assert "FAILED  judged at least 0.9: 0.50" in said
    assert "FAILED  not too much made up" in said


def test_files_say_the_same_as_the_exit_code(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    Answer.objects.filter(claims=made.claims[1]).update(should_abstain=None)
    rules = (
        LENIENT
        + '[[rule]]\nname = "a|b <i>\\u0007"\nfigure = "coverage"\nat_most = 0.5\n'
        + '[[rule]]\nfigure = "abstention"\nat_least = 0.5\n'
    )
    files = {name: tmp_path / name for name in ("junit", "markdown", "json")}
    code, _ = gate(tmp_path, *[part for name, path in files.items() for part in (f"--{name}", str(path))], rules=rules)
    assert code == 1
    suite = ET.parse(files["junit"]).getroot()
    assert {key: suite.attrib[key] for key in ("tests", "failures", "errors")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
    }
    assert len(suite.findall(".//testcase")) == 4
    table = files["markdown"].read_text()
    assert "a\\|b \\<i\\>" in table
    assert "| NO DATA |" in table
    data = json.loads(files["json"].read_text())
    assert [rule["outcome"] for rule in data["rules"]] == ["passed", "failed", "no data"]
    assert data["figures"]["claim_level"]["n"] == 24
    assert data["figures"]["judge.recall"]["k"] == 4
    assert data["fingerprint"] == made.version.fingerprint


def test_a_rule_without_data_ends_with_2(tmp_path: Path) -> None:
    certified(slug="shop")
    code, said = gate(tmp_path, rules='[[rule]]\nfigure = "abstention"\nat_least = 0.5\n')
    assert code == 2
    assert "NO DATA abstention at least 0.5: no data: " in said


def _worse(made: Scene) -> None:
    """Half of the answers are of a system of before that made nothing up."""
    good = [claim.answer_id for number, claim in enumerate(made.claims) if number % 3]
    Answer.objects.filter(pk__in=good[:8]).update(system="bot-0")


def test_a_fall_from_another_system_shuts_it(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    _worse(made)
    rules = '[baseline.before]\nsystem = "bot-0"\n[[rule]]\nfigure = "claim_level"\nfalls_at_most = 0.6\nend = "value"\nbaseline = "before"\n'
    assert gate(tmp_path, "--system", "bot", rules=rules)[0] == 0
    code, said = gate(tmp_path, "--system", "bot", rules=rules.replace("0.6", "0.3"))
    assert code == 1
    assert "from 1.00 to 0.50" in said
    code, said = gate(tmp_path, "--system", "bot", rules=rules.replace('"bot-0"', '"bot-9"'))
    assert code == 2
    assert "baseline.before: found the system 'bot-9'" in said


def test_a_fall_from_an_earlier_period_shuts_it(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    good = [claim.answer_id for number, claim in enumerate(made.claims) if number % 3]
    Answer.objects.filter(pk__in=good[:8]).update(created=datetime.fromisoformat("2026-04-30T23:59:59Z"))
    Answer.objects.exclude(pk__in=good[:8]).update(created=datetime.fromisoformat("2026-05-01T00:00:00Z"))
    rules = '[baseline.april]\nuntil = 2026-05-01\n[[rule]]\nfigure = "claim_level"\nfalls_at_most = 0.3\nend = "value"\nbaseline = "april"\n'
    code, said = gate(tmp_path, "--since", "2026-05-01", rules=rules)
    assert code == 1
    assert "shop since 2026-05-01" in said
    assert "from 1.00 to 0.50" in said


def test_what_one_gate_wrote_is_the_baseline_of_the_next(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    assert gate(tmp_path, "--json", str(tmp_path / "last.json"))[0] == 0
    rules = '[baseline.last]\nfile = "last.json"\n[[rule]]\nfigure = "miscitation"\nrises_at_most = 0.1\nend = "value"\nbaseline = "last"\n'
    assert gate(tmp_path, rules=rules)[0] == 0
    make_run(made.version, dict.fromkeys(made.claims[:12], "timed-out"))
    assert gate(tmp_path, rules=rules)[0] == 1
    (tmp_path / "last.json").write_text('{"figures": 3}')
    code, said = gate(tmp_path, rules=rules)
    assert code == 2
    assert "expected the JSON that a gate wrote" in said


def test_one_miscitation_in_a_named_set_shuts_it(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    rule = '[[rule]]\nnone = "miscitation"\n'
    code, said = gate(tmp_path, rules=rule)
    assert code == 1
    assert "8 of 24 cited claims: c000, c003" in said
    Claim.objects.filter(pk=made.claims[0].pk).update(severity=Severity.CRITICAL)
    Claim.objects.filter(pk=made.claims[1].pk).update(severity=Severity.MINOR)
    assert "1 of 1 cited claim: c000" in gate(tmp_path, rules=rule + 'severity = "critical"\n')[1]
    assert gate(tmp_path, rules=rule + 'severity = "minor"\n')[0] == 0
    assert gate(tmp_path, rules=rule + 'golden_set = "core"\n')[0] == 1
    assert gate(tmp_path, rules=rule + 'collection = "help"\n')[0] == 1
    for words in ('golden_set = "other"', 'collection = "other"'):
        code, said = gate(tmp_path, rules=rule + words)
        assert code == 2
        assert "'other' in this project" in said


def test_prohibited_content_shuts_it_whether_it_is_in_a_claim_or_not(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    rule = '[[rule]]\nnone = "prohibited"\n'
    code, said = gate(tmp_path, rules=rule)
    assert code == 2
    assert "the project has no judge of type prohibited" in said
    judge = create_judge(project=made.project, name="forbidden", type_name="prohibited")
    create_version(judge=judge, config={}, policy="strict", by=None)
    assert "forbidden v1 forbids nothing" in gate(tmp_path, rules=rule)[1]
    create_version(judge=judge, config={"phrases": ["guaranteed"]}, policy="strict", by=None)
    assert gate(tmp_path, rules=rule)[0] == 0
    Answer.objects.filter(pk=made.claims[2].answer_id).update(text="You are GUARANTEED a refund.")
    code, said = gate(tmp_path, rules=rule)
    assert code == 1
    assert "1 of 24 answers" in said
    assert gate(tmp_path, rules=rule + 'judge = "lexical@1"\n')[0] == 2
    assert gate(tmp_path, rules=rule + 'judge = "forbidden@1"\n')[0] == 2


def test_only_a_corrected_figure_is_a_look_at_the_test_split(tmp_path: Path) -> None:
    certified(slug="shop")
    before = Look.objects.count()
    gate(tmp_path)
    assert Look.objects.count() == before
    gate(tmp_path, rules='[[rule]]\nfigure = "corrected.miscitation"\nat_most = 0.9\n')
    assert Look.objects.order_by("-id").values_list("page", flat=True)[0] == "gate"


def test_a_test_of_the_judge_opens_nothing(tmp_path: Path) -> None:
    certified(slug="shop")
    Run.objects.update(probe="repetition", seed=1)
    assert gate(tmp_path)[0] == 2


def test_the_command_needs_a_judge() -> None:
    with pytest.raises(CommandError, match="--judge"):
        call_command("gate", "shop")


def test_the_certificate_that_counts_is_the_one_that_holds(tmp_path: Path) -> None:
    made, _ = certified(slug="shop")
    _golden_set(made)
    assert gate(tmp_path)[0] == 3
    call_command("certify", "shop", "lexical", "core", stdout=StringIO())
    assert gate(tmp_path)[0] == 0
    assert Certificate.objects.count() == 2
