"""Freeze what is gold today under the next number of a name."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction
from django.utils import timezone

from labelling.exporting.lines import moment
from labelling.gold import gold_by_claim
from labelling.golden.items import Item, SetHash, build_items
from labelling.golden.manifest import Tally, build_manifest
from labelling.models import GoldenItem, GoldenSet, GuideVersion, Membership, Project

NAME_LIMIT = 100
BATCH = 500


class NothingToFreezeError(ValueError):
    """A set that cannot be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """A golden set; `made` is false where the last version has the very same items, and that one is it."""

    golden_set: GoldenSet
    made: bool


def freeze_golden(*, project: Project, name: str, by: Membership | None = None) -> Frozen:
    """Freeze every cited claim that has gold. Where neither that nor the guide's rulings have changed, the last version is given.

    Raises
    ------
    NothingToFreezeError
        Where the name is no slug, or no cited claim has gold.
    """
    if len(name) > NAME_LIMIT:
        raise NothingToFreezeError(f"the name has {len(name)} characters, expected at most {NAME_LIMIT}")
    try:
        validate_slug(name)
    except ValidationError:
        raise NothingToFreezeError(f"the name is {name!r}, expected letters, digits, hyphens and underscores") from None
    with transaction.atomic():
        # The row of the project is what two freezes in the same moment meet at.
        Project.objects.select_for_update().get(pk=project.pk)
        running, tally = SetHash(), Tally()
        items: list[tuple[int, Item]] = []
        for pk, item in build_items(project, gold_by_claim(project)):
            running.add(item)
            tally.add(item)
            items.append((pk, item))
        if not items:
            raise NothingToFreezeError("no cited claim of this project has gold yet")
        rows = GoldenSet.objects.filter(project=project, name=name).select_related("guide_version")
        last = rows.order_by("-version").first()
        guide = project.current_guide
        # The same items under a guide that rules otherwise are another set: gold is what it is under a guide.
        if last is not None and last.hash == running.hexdigest() and _same_rules(last.guide_version, guide):
            return Frozen(last, made=False)
        number = last.version + 1 if last else 1
        manifest = build_manifest(
            project=project,
            name=name,
            number=number,
            digest=running.hexdigest(),
            created=moment(timezone.now()) or "",
            tally=tally,
        )
        golden_set = GoldenSet.objects.create(
            project=project,
            name=name,
            version=number,
            hash=running.hexdigest(),
            policy=guide.policy if guide else "",
            guide_version=guide,
            manifest=manifest,
            created_by=by,
        )
        GoldenItem.objects.bulk_create(
            (
                GoldenItem(
                    golden_set=golden_set,
                    claim_id=pk,
                    external_id=str(item["id"]),
                    verdict=_verdict(item),
                    split=str(item["split"]),
                    item=item,
                )
                for pk, item in items
            ),
            batch_size=BATCH,
        )
    return Frozen(golden_set, made=True)


def _same_rules(one: GuideVersion | None, other: GuideVersion | None) -> bool:
    return other is None if one is None else one.rules_like(other)


def _verdict(item: Item) -> str:
    gold = item["gold"]
    assert isinstance(gold, dict)
    return str(gold["verdict"])
