"""The OpenAPI file, the shapes and the importer say the same."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis.extra.django import TestCase

from labelling.importing.documents import AnswerLines, ClaimLines, SourceLines
from labelling.importing.fields import Fields
from reports.api.answering import answer_request
from reports.api.contract import CITATION, CLAIM, REFUSAL, REQUEST, RESPONSE, SOURCE
from reports.api.openapi import document
from reports.api.reading import read_request
from reports.api.refusing import RefusedError
from reports.api.shapes import NO_SPACE_AROUND, NOT_BLANK, faults_of
from tests.factories import make_project
from tests.reports.api.bodies import BODIES, mended

FILE = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"
KEYWORDS = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "description",
    "items",
    "enum",
    "pattern",
    "maxLength",
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
}


def asked(handler: Any, data: dict[str, object]) -> set[str]:
    """The keys that the importer reads from a line."""
    fields = Fields(data)
    handler.parse(fields)
    return fields.asked


def test_the_file_is_what_the_code_holds_requests_against(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("openapi")
    assert FILE.read_text(encoding="utf-8") == capsys.readouterr().out, "manage.py openapi > docs/openapi.json"
    assert json.loads(FILE.read_text(encoding="utf-8")) == document()


def test_the_server_gives_the_file_to_anybody() -> None:
    assert Client().get(reverse("reports:api-openapi")).json() == document()


def test_the_address_in_the_file_is_the_address() -> None:
    assert list(document()["paths"]) == [reverse("reports:api-check")]


def test_a_request_has_the_keys_that_an_import_reads_and_no_others() -> None:
    ours = {"sources", "claims", "judge", "budget_usd", "store"}
    assert set(REQUEST["properties"]) == asked(AnswerLines(), {}) | ours
    assert set(SOURCE["properties"]) == asked(SourceLines(), {}) - {"type"}
    of_a_claim = asked(ClaimLines(), {"citation": {"source": "s"}, "citations": []})
    assert set(CLAIM["properties"]) == (of_a_claim | {"source_text"}) - {"type", "answer"}
    assert set(CITATION["properties"]) == {"source", "start", "end"}


def test_only_keywords_are_used_that_are_held_to() -> None:
    def shapes(shape: dict[str, Any]) -> list[dict[str, Any]]:
        inner = [*shape.get("properties", {}).values(), *([shape["items"]] if "items" in shape else [])]
        return [shape, *(found for one in inner for found in shapes(one))]

    every = [found for shape in document()["components"]["schemas"].values() for found in shapes(shape)]
    assert {key for shape in every for key in shape} <= KEYWORDS
    assert {shape["pattern"] for shape in every if "pattern" in shape} == {NOT_BLANK, NO_SPACE_AROUND}


@pytest.mark.parametrize(
    ("value", "shape", "fits"),
    [
        (True, {"type": "integer"}, False),
        (1, {"type": "number"}, True),
        (None, {"type": ["string", "null"]}, True),
        ("", {"type": "string", "pattern": NOT_BLANK}, False),
        ("a\n", {"type": "string", "pattern": NO_SPACE_AROUND}, False),
        ("a\nb", {"type": "string", "pattern": NO_SPACE_AROUND}, True),
        (0, {"type": "number", "exclusiveMinimum": 0}, False),
        ([1, "2"], {"type": "array", "items": {"type": "integer"}}, False),
        ("x", {"type": "string", "enum": ["y", None]}, False),
    ],
)
def test_a_shape_means_what_json_schema_means(value: object, shape: dict[str, Any], fits: bool) -> None:
    assert (not list(faults_of(value, shape))) is fits


class EveryBody(TestCase):
    """Hypothesis wants a transaction for each example, which Django's own test case gives it."""

    @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    @given(BODIES.map(mended))
    def test_any_body_is_answered_in_the_shape_of_the_contract_or_refused(self, body: dict[str, Any]) -> None:
        project = make_project()
        try:
            data = answer_request(project=project, posted=read_request(json.dumps(body).encode()), by=None)
        except RefusedError as refused:
            assert refused.status == 400  # noqa: PT017  (most are answered)
            assert not project.answers.exists()
        else:
            assert not list(faults_of(json.loads(json.dumps(data)), RESPONSE))
            assert project.answers.exists() is (body.get("store") is True)


def test_the_examples_of_the_documentation_are_as_the_contract_has_them() -> None:
    text = (FILE.parent / "api.md").read_text(encoding="utf-8")
    request = text.partition("-d '")[2].partition("}'")[0] + "}"
    assert read_request(request.encode()).judge == "lexical@1"
    response, refusal = (json.loads(part.partition("```")[0]) for part in text.split("```json")[1:])
    assert not list(faults_of(response, RESPONSE))
    assert not list(faults_of(refusal, REFUSAL))
