import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from labelling.golden.difference import diff_golden
from labelling.golden.exporting import FORMATS, GoldenFormat, file_name, manifest_text, write_golden
from labelling.golden.freezing import NothingToFreezeError, freeze_golden
from labelling.golden.items import canonical, hash_of, text_hash
from labelling.golden.verifying import verify_golden
from labelling.importing.delivery import Options
from labelling.importing.engine import import_file, labelling_handlers
from labelling.models import Citation, Claim, GoldenItem, GoldenSet, Membership, Project, Role, Source
from tests.factories import (
    make_adjudication,
    make_claim,
    make_label,
    make_labels,
    make_member,
    make_project,
    make_source,
)

pytestmark = pytest.mark.django_db


def project_with_gold() -> Project:
    """Three claims: a consensus with evidence and surplus text, an adjudicated tie, and one without gold."""
    project = make_project()
    people = [make_member(project, pseudonym=name) for name in ("ann", "bob", "cem")]
    source = make_source(project, "A 👍 source, cafe\u0301.\r\nSecond line.", external_id="=s/1", collection="help")
    other = make_source(project, "Another one.", external_id="s2")
    first = make_claim(project, '@claim "one", yes', external_id="c2", source=source, span=(2, 5), kind="figure")
    Citation.objects.create(claim=first, order=2, source=other)
    make_label(first, people[0], "stated", evidence=[(source, 2, 8), (other, 0, 7)], seconds=21.4, note="=1+1")
    make_label(first, people[1], "stated", seconds=3.0)
    make_label(first, people[2], "absent", invention="bridging-inference", source_opened=True)
    tie = make_claim(project, "Claim two", external_id="c10", source=source, weight=2.5, stratum="x")
    make_labels(tie, people[:2], ["stated", "absent"])
    make_adjudication(tie, make_member(project, Role.OWNER, pseudonym="lead"), "partial", reason="reading", note="Hm.")
    undecided = make_claim(project, "Claim three", external_id="c3")
    make_labels(undecided, people[:2], ["stated", "absent"])
    return project


def exported(golden_set: GoldenSet, folder: Path, kind: GoldenFormat) -> Path:
    path = folder / file_name(golden_set, kind)
    with path.open("wb") as out:
        write_golden(golden_set, kind, out)
    return path


def bring(project: Project, path: Path) -> None:
    report = import_file(project=project, path=path, name=path.name, handlers=labelling_handlers(), options=Options())
    assert report.problems == ()


def test_claims_with_gold_are_frozen_in_the_order_of_their_ids() -> None:
    frozen = freeze_golden(project=project_with_gold(), name="gold")
    items = [item.item for item in GoldenItem.objects.order_by("external_id")]
    assert [(item["id"], item["gold"]) for item in items] == [
        ("c10", {"verdict": "partial", "basis": "adjudication"}),
        ("c2", {"verdict": "stated", "basis": "consensus"}),
    ]
    assert frozen.made
    assert frozen.golden_set.version == 1


def test_hash_is_the_one_of_the_rows_and_of_plain_canonical_json() -> None:
    golden_set = freeze_golden(project=project_with_gold(), name="gold").golden_set
    items = sorted((row.item for row in golden_set.items.all()), key=lambda item: str(item["id"]))
    assert hash_of(items) == golden_set.hash
    written = json.dumps(items, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert text_hash(written) == golden_set.hash


def test_freezing_again_without_a_change_gives_the_same_set() -> None:
    project = project_with_gold()
    first = freeze_golden(project=project, name="gold")
    again = freeze_golden(project=project, name="gold")
    assert not again.made
    assert again.golden_set == first.golden_set


def test_a_new_label_makes_a_new_version_and_leaves_the_old_one_as_it_was() -> None:
    project = project_with_gold()
    old = freeze_golden(project=project, name="gold").golden_set
    claim = Claim.objects.get(external_id="c3")
    make_label(claim, Membership.objects.get(pseudonym="cem"), "absent")
    new = freeze_golden(project=project, name="gold").golden_set
    assert new.version == 2
    found = diff_golden(old, new)
    assert [entry.external_id for entry in found.added] == ["c3"]
    assert (found.removed, found.changed, found.same) == ((), (), 2)
    old.refresh_from_db()
    assert hash_of(row.item for row in old.items.order_by("external_id")) == old.hash


def test_changed_gold_is_told_apart_from_another_label() -> None:
    project = project_with_gold()
    old = freeze_golden(project=project, name="gold").golden_set
    make_adjudication(Claim.objects.get(external_id="c2"), Membership.objects.get(pseudonym="lead"), "absent")
    make_label(Claim.objects.get(external_id="c10"), Membership.objects.get(pseudonym="cem"), "absent")
    found = diff_golden(old, freeze_golden(project=project, name="gold").golden_set)
    assert [(change.external_id, change.before, change.after) for change in found.changed] == [
        ("c10", "partial", "partial"),
        ("c2", "stated", "absent"),
    ]
    assert found.changed[0].what == ("labels",)
    assert found.verdicts_changed == 1


@pytest.mark.parametrize("kind", FORMATS)
def test_export_import_freeze_export_has_the_same_hash_and_bytes(tmp_path: Path, kind: GoldenFormat) -> None:
    first = freeze_golden(project=project_with_gold(), name="gold").golden_set
    path = exported(first, tmp_path, kind)
    empty = make_project()
    bring(empty, path)
    second = freeze_golden(project=empty, name="gold").golden_set
    assert second.hash == first.hash
    (tmp_path / "again").mkdir()
    again = exported(second, tmp_path / "again", kind)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_verifies_against_its_manifest(tmp_path: Path, kind: GoldenFormat) -> None:
    golden_set = freeze_golden(project=project_with_gold(), name="gold").golden_set
    path = exported(golden_set, tmp_path, kind)
    (tmp_path / file_name(golden_set, "manifest.json")).write_text(manifest_text(golden_set))
    found = verify_golden(path)
    assert found.sound
    assert (found.hash, found.expected, found.items) == (golden_set.hash, golden_set.hash, 2)


@pytest.mark.parametrize(
    ("kind", "key", "value", "fault"),
    [
        ("golden_item", "kind", "date", "the manifest says"),
        ("source", "text", "Second lime", "the source '=s/1' is not the one that was frozen"),
        ("answer", "question", "why", "is not the one that was frozen"),
    ],
)
def test_a_changed_export_does_not_verify(tmp_path: Path, kind: str, key: str, value: str, fault: str) -> None:
    golden_set = freeze_golden(project=project_with_gold(), name="gold").golden_set
    path = exported(golden_set, tmp_path, "jsonl")
    (tmp_path / file_name(golden_set, "manifest.json")).write_text(manifest_text(golden_set))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    next(line for line in lines if line["type"] == kind)[key] = value
    path.write_text("\n".join(canonical(line) for line in lines))
    assert fault in "\n".join(verify_golden(path).faults)


def test_an_item_that_stands_twice_is_a_fault(tmp_path: Path) -> None:
    path = exported(freeze_golden(project=project_with_gold(), name="gold").golden_set, tmp_path, "jsonl")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[-1]]) + "\n")
    assert "stands twice" in "\n".join(verify_golden(path).faults)


def test_spreadsheet_runs_no_cell_of_an_export(tmp_path: Path) -> None:
    path = exported(freeze_golden(project=project_with_gold(), name="gold").golden_set, tmp_path, "csv")
    text = path.read_text()
    assert "'@claim" in text
    assert ",@" not in text
    assert ",=" not in text


def test_manifest_says_where_the_set_comes_from() -> None:
    manifest = freeze_golden(project=project_with_gold(), name="gold").golden_set.manifest
    assert manifest["annotators"] == ["ann", "bob", "cem"]
    assert manifest["gold"] == {"adjudication": 1, "consensus": 1}
    assert sum(sum(splits.values()) for splits in manifest["counts"].values()) == manifest["items"] == 2
    assert (manifest["guide_version"], manifest["policy"]) == (1, "strict")
    assert manifest["agreement"]["alpha"]["n"] == 2
    assert manifest["sampling"] == {"targeted": 0, "strata": {"": 1, "x": 1}, "weighted": True}


def test_agreement_without_a_pair_is_no_data_with_a_reason() -> None:
    project = make_project()
    make_label(make_claim(project), make_member(project), "stated")
    manifest = freeze_golden(project=project, name="gold").golden_set.manifest
    assert manifest["agreement"]["kappa"]["value"] is None
    assert manifest["agreement"]["kappa"]["reason"] == "no claim has two labels"


def test_surplus_and_withdrawn_labels_and_uncited_claims_stay_out() -> None:
    project = make_project()
    people = [make_member(project) for _ in range(3)]
    claim = make_claim(project)
    make_label(claim, people[0], "stated")
    make_label(claim, people[1], "absent", surplus=True)
    make_label(claim, people[2], "absent", withdrawn=True)
    make_label(make_claim(project, cited=False), people[0], "stated")
    item = freeze_golden(project=project, name="gold").golden_set.items.get().item
    assert [label["verdict"] for label in item["labels"]] == ["stated"]


def test_nothing_to_freeze_is_said() -> None:
    with pytest.raises(NothingToFreezeError, match="no cited claim"):
        freeze_golden(project=make_project(), name="gold")


def test_what_is_frozen_cannot_be_changed_by_an_update(tmp_path: Path) -> None:
    project = project_with_gold()
    freeze_golden(project=project, name="gold")
    path = tmp_path / "x.jsonl"
    lines = [
        {"type": "source", "id": "s2", "text": "Changed."},
        {
            "type": "claim",
            "id": "c2",
            "answer": Claim.objects.get(external_id="c2").answer.external_id,
            "text": "Other",
        },
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    report = import_file(
        project=project, path=path, name="x", handlers=labelling_handlers(), options=Options(update=True)
    )
    assert [problem.expected for problem in report.problems] == ["the text that a golden set has frozen"] * 2
    assert Source.objects.get(external_id="s2").text == "Another one."


def test_commands_freeze_export_verify_and_compare(tmp_path: Path) -> None:
    project = project_with_gold()
    out = StringIO()
    call_command("freeze_golden", project.slug, "gold", stdout=out)
    call_command("freeze_golden", project.slug, "gold", stdout=out)
    call_command("export_golden", project.slug, "gold", output=tmp_path, stdout=out)
    call_command("verify_golden", tmp_path / "gold-v1.jsonl", stdout=out)
    call_command("diff_golden", project.slug, "gold", "1", "1", stdout=out)
    said = out.getvalue()
    assert "gold v1: 2 claims" in said
    assert "nothing has changed" in said
    assert "as its manifest says" in said
    assert "0 added, 0 removed, 0 changed (0 in their verdict), 2 the same" in said


def test_commands_name_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        call_command("freeze_golden", "nowhere", "gold")
    with pytest.raises(CommandError, match="no golden set"):
        call_command("export_golden", "nowhere", "gold")
    with pytest.raises(CommandError, match="no such file"):
        call_command("verify_golden", tmp_path / "x.jsonl")
