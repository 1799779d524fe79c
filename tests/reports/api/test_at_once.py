"""The same answer, posted by several programs in one moment, is stored once and judged once."""

import json
import threading

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from judges.models import Judgement, Run
from labelling.models import Answer, Citation, Claim, Source
from tests.reports.api.posting import Program, a_body
from tests.reports.certified import certified


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("few_resamples")
def test_the_same_answer_at_once_is_stored_once() -> None:
    scene, _ = certified(claims=8)
    program = Program(scene.project)
    body = json.dumps(a_body(judge="lexical", store=True))
    said: list[tuple[int, str]] = []

    def post() -> None:
        try:
            answer = Client().post(
                reverse("reports:api-check"),
                body,
                content_type="application/json",
                headers={"Authorization": f"Bearer {program.made.secret}"},
            )
            said.append((answer.status_code, answer.json().get("stored") or answer.content.decode()))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=post) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == [(200, "added"), (200, "unchanged"), (200, "unchanged"), (200, "unchanged")]
    assert Answer.objects.filter(external_id="a1").count() == 1
    assert Source.objects.filter(external_id="returns").count() == 1
    claim = Claim.objects.get(external_id="a1.1")
    assert Citation.objects.filter(claim=claim).count() == 1
    assert Judgement.objects.counted().filter(claim=claim).count() == 1
    run = Run.objects.get(selection={"posted": "true"})
    assert (run.claims_total, run.chunks.count()) == (1, 1)
