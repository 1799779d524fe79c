"""An annotator sees no judge's verdict and nothing of another annotator's label, wherever they look.

Every field of every judgement and of other people's work carries a canary string. Then every address that the
product has is opened by an annotator, in every way a browser could, and no answer may contain it.
"""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from judges.models import Judge, Judgement, JudgeVersion, Run
from labelling.models import AnswerLabel, Claim, GoldenSet, Membership, PlannedClaim, Project, Role, SamplingPlan, Skip
from labelling.services.sampling import Group, queue_plan
from tests.factories import (
    make_adjudication,
    make_claim,
    make_claims,
    make_label,
    make_member,
    make_project,
    make_source,
)

pytestmark = pytest.mark.django_db
CANARY = "canary7341"
# What annotators may open inside a project. Everything else under /p/ must be closed to them: a page added to the
# product is closed until it is named here.
OPEN_TO_ANNOTATORS = {
    "labelling:project",
    "labelling:label",
    "labelling:label-next",
    "labelling:label-state",
    "labelling:label-undo",
    "labelling:label-claim",
    "labelling:label-skip",
    "labelling:guide",
    "labelling:guide-panel",
    "labelling:guide-versions",
    "labelling:guide-version",
}


@dataclass(frozen=True)
class Scene:
    project: Project
    annotator: Membership
    claims: list[Claim]
    run: Run
    golden: GoldenSet


def a_scene() -> Scene:
    project = make_project(slug="blind", overlap=5)
    annotator = make_member(project)
    owner = make_member(project, Role.OWNER, pseudonym=f"owner-{CANARY}")
    others = [make_member(project, pseudonym=f"other-{i}-{CANARY}") for i in range(2)]
    source = make_source(project)
    claims = [make_claim(project, f"Claim {i}.", source=source, span=(0, 7)) for i in range(3)]
    judge = Judge.objects.create(project=project, name=f"judge-{CANARY}", type="external")
    version = JudgeVersion.objects.create(
        judge=judge, number=1, label=CANARY, config={CANARY: CANARY}, policy="strict", fingerprint=CANARY
    )
    run = Run.objects.create(project=project, judge_version=version, state="finished", claims_total=3)
    golden = GoldenSet.objects.create(
        project=project, name=CANARY, version=1, hash=CANARY, manifest={CANARY: CANARY}, created_by=owner
    )
    plan = SamplingPlan.objects.create(
        project=project, by=owner, number=1, labels=5, seed=1, frame=3, draws=[{"criterion": CANARY}]
    )
    for turn, claim in enumerate(claims):
        PlannedClaim.objects.create(plan=plan, claim=claim, turn=turn, chance=0.5, at_random=False, fresh=True)
        Judgement.objects.create(
            run=run,
            claim=claim,
            outcome="judged",
            verdict="absent",
            score=0.7341,
            quote=CANARY,
            reason=CANARY,
            detail={CANARY: CANARY},
            input_hash=CANARY,
        )
        for other in others:
            make_label(claim, other, "contradicted", note=CANARY, meta={CANARY: CANARY}, evidence=[(source, 3, 9)])
        make_adjudication(claim, owner, "absent", note=CANARY, meta={CANARY: CANARY})
        AnswerLabel.objects.create(
            answer=claim.answer, annotator=others[0], created=timezone.now(), meta={CANARY: CANARY}
        )
        Skip.objects.create(claim=claim, annotator=owner, reason="other", note=CANARY)
    return Scene(project, annotator, claims, run, golden)


def addresses(patterns: list[Any], prefix: str = "", space: str = "") -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every pattern of the URLconf: its full name, its route, and the converters of its arguments."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            for name, full, converters in addresses(pattern.url_patterns, route, inner):
                yield name, full, {**pattern.pattern.converters, **converters}
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield f"{space}{pattern.name}", route, dict(pattern.pattern.converters)


def value_for(argument: str, scene: Scene) -> Any:
    known = {
        "slug": scene.project.slug,
        "claim_id": scene.claims[0].pk,
        "member_id": scene.annotator.pk,
        "number": 1,
        "judge": f"judge-{CANARY}",
        "run_id": scene.run.pk,
        "golden_id": scene.golden.pk,
        "app_label": "labelling",
        "url": "labelling/label/",
        "name": CANARY,
        "format": "csv",
        "token": uuid.uuid4(),
        "type_name": "quotes",
    }
    return known.get(argument, scene.run.pk)


def links(scene: Scene) -> list[tuple[str, str]]:
    found = []
    for name, route, converters in addresses(get_resolver().url_patterns):
        if "(?P<" in route:
            continue  # the admin's catch-all
        found.append((name, reverse(name, kwargs={argument: value_for(argument, scene) for argument in converters})))
    return found


WAYS: list[dict[str, str]] = [{}, {"HX-Request": "true"}, {"Accept": "application/json"}]
BODY = {
    "verdict": "stated",
    "reason": "other",
    "note": "mine",
    "have": "0",
    "before": "",
    "based_on": "0",
    "name": "x",
    "role": "annotator",
}


def body_of(response: HttpResponseBase) -> bytes:
    if isinstance(response, StreamingHttpResponse):
        return response.getvalue()
    return getattr(response, "content", b"")


def test_no_answer_to_an_annotator_contains_anything_of_a_judge_or_of_another_person() -> None:
    scene = a_scene()
    assert scene.annotator.user is not None
    seen = 0
    client = Client()
    for name, url in links(scene):
        # The admin has hundreds of addresses of a few kinds, all behind one door.
        ways = WAYS[:1] if name.startswith("admin:") else WAYS
        for method, way in product(("get", "post"), ways):
            if "_auth_user_id" not in client.session:
                client.force_login(scene.annotator.user)
            body = {**BODY, "client_id": str(uuid.uuid4())} if method == "post" else {}
            response = getattr(client, method)(url, body, headers=way)
            said = body_of(response).decode(errors="replace").replace(url, "")
            assert CANARY not in said, f"{method} {name} {url} {way}"
            assert response.status_code < 500, f"{method} {name} {url} {way}"
            seen += 1
    assert seen > 100


def test_every_page_of_a_project_that_is_not_for_annotators_is_closed_to_them() -> None:
    scene = a_scene()
    assert scene.annotator.user is not None
    client = Client()
    client.force_login(scene.annotator.user)
    closed = [(name, url) for name, url in links(scene) if url.startswith("/p/") and name not in OPEN_TO_ANNOTATORS]
    assert {name for name, _ in closed} >= {"labelling:adjudicate", "reports:comparison"}
    for name, url in closed:
        for method in ("get", "post"):
            assert getattr(client, method)(url).status_code in (404, 405), f"{method} {name}"
        assert 404 in {client.get(url).status_code, client.post(url).status_code}, name


def test_the_canaries_are_there_to_be_seen_by_those_who_may() -> None:
    scene = a_scene()
    owner = scene.project.memberships.get(role=Role.OWNER)
    assert owner.user is not None
    client = Client()
    client.force_login(owner.user)
    pages = [reverse(name, args=[scene.project.slug]) for name in ("labelling:people", "reports:comparison")]
    assert any(CANARY in client.get(page).content.decode() for page in pages)


def test_the_own_label_brought_back_shows_nothing_of_others() -> None:
    scene = a_scene()
    assert scene.annotator.user is not None
    client = Client()
    client.force_login(scene.annotator.user)
    claim = scene.claims[0]
    url = reverse("labelling:label-claim", args=[scene.project.slug, claim.pk])
    client.post(url, {"client_id": str(uuid.uuid4()), "verdict": "stated", "note": "my own words"})
    html = client.get(url).content.decode()
    assert "my own words" in html
    assert CANARY not in html
    assert html.count('aria-pressed="true"') == 1


def test_nothing_tells_an_annotator_that_or_why_a_claim_was_chosen() -> None:
    """A plan changes the order alone: the pages of its claims stay the same to the letter, counts included."""
    project = make_project(slug="order", overlap=2)
    annotator = make_member(project)
    assert annotator.user is not None
    claims = make_claims(project, 4)
    client = Client()
    client.force_login(annotator.user)
    addresses = [reverse("labelling:label-claim", args=[project.slug, claim.pk]) for claim in claims]
    addresses.append(reverse("labelling:guide", args=[project.slug]))

    def seen() -> list[str]:
        pages = [client.get(address).content.decode() for address in addresses]
        once = r'(name="(csrfmiddlewaretoken|client_id)" value=|"X-CSRFToken": )"[^"]+"'  # another one in every page
        return [re.sub(once, "", page) for page in pages]

    before = seen()
    worth_a_look = Group("disagree", 2, np.array([claim.pk for claim in claims]), {"versions": [CANARY]})
    queue_plan(project=project, by=None, number=1, random=1, groups=[worth_a_look], labels=2, seed=3)
    assert seen() == before
    queue = client.get(reverse("labelling:label", args=[project.slug])).content.decode()
    assert not re.search(r"targeted|disagree|random|sampl|chance|\bplan\b", queue)
