"""What is wrong with a body is said by its key, and nothing that a machine can think of gets past as something else."""

import json
from typing import Any

import pytest
from hypothesis import given

from reports.api.contract import REQUEST
from reports.api.reading import read_request
from reports.api.refusing import RefusedError
from reports.api.shapes import faults_of
from tests.reports.api.bodies import ANYTHING, BODIES
from tests.reports.api.posting import CLAIM, SOURCE, a_body

LONG = "x" * 301


def problems(body: object) -> list[tuple[str, str]]:
    """Key and expected of everything that is wrong."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    with pytest.raises(RefusedError) as refusal:
        read_request(raw)
    assert refusal.value.status == 400
    assert str(refusal.value) == str(refusal.value.problems[0])
    return [(problem.key, problem.expected) for problem in refusal.value.problems]


def claim(**more: object) -> dict[str, Any]:
    return a_body(claims=[CLAIM, {**CLAIM, **more}])


@pytest.mark.parametrize(
    ("body", "key", "expected"),
    [
        (b"", "", "one JSON object"),
        (b"[]", "", "one JSON object"),
        (b"{", "", "one JSON object"),
        (b'{"id": "a", "id": NaN}', "", "one JSON object"),
        (b'{"id": "a", "claims": [{"text": "x", "weight": 1e999}]}', "", "one JSON object"),
        (b"\xff", "", "UTF-8"),
        (b"[" * 100_000, "", "one JSON object"),
        (b'{"id": "a", "meta": ' + b'{"a":' * 60 + b"1" + b"}" * 61, "", "lists and objects in each other at most 32"),
        (b'{"id": "a", "text": "a\\u0000b"}', "text", "text without a NUL"),
        (b'{"id": "a", "meta": {"k": ["\\ud800"]}}', "meta.k[0]", "text without an unpaired surrogate"),
        ({}, "id", "text that is not blank"),
        ({"id": 7, "text": "x"}, "id", "text"),
        ({"id": " a", "text": "x"}, "id", "text that is not blank, without white space around it"),
        ({"id": "a\n", "text": "x"}, "id", "text that is not blank, without white space around it"),
        ({"id": LONG, "text": "x"}, "id", "at most 300 characters"),
        ({"id": "a"}, "text", "text that is not blank, or claims"),
        ({"id": "a", "claims": []}, "text", "text that is not blank, or claims"),
        (a_body(type="claim"), "type", "one of answer"),
        (a_body(extra=1), "extra", "one of the keys type, id,"),
        (a_body(store="yes"), "store", "true or false"),
        (a_body(created="soon"), "created", "a date and time such as"),
        (a_body(split="training"), "split", "one of development, test"),
        (a_body(sources={}), "sources", "a list"),
        (a_body(sources=[SOURCE, SOURCE]), "sources[1].id", "each id once"),
        (a_body(sources=[{"id": "s", "text": " "}]), "sources[0].text", "text that is not blank"),
        (a_body(sources=[{"id": "s"}]), "sources[0].text", "text that is not blank"),
        (a_body(sources=[{**SOURCE, "effective_from": "May"}]), "sources[0].effective_from", "a date such as"),
        (a_body(sources=[{**SOURCE, "url": "x"}]), "sources[0].url", "one of the keys id, text,"),
        (a_body(sources=[SOURCE] * 201), "sources", "at most 200 items"),
        (a_body(claims=[CLAIM] * 201), "claims", "at most 200 items"),
        (claim(text=""), "claims[1].text", "text that is not blank"),
        (claim(kind="opinion"), "claims[1].kind", "one of figure, date,"),
        (claim(weight=0), "claims[1].weight", "a number above 0"),
        (claim(id="a1.1"), "claims[1].id", "each id once"),
        (claim(answer="other"), "claims[1].answer", "one of the keys id, text,"),
        (claim(citations=[{"source": "s", "start": -1}]), "claims[1].citations[0].start", "a whole number from 0"),
        (claim(citations=[{"source": "s", "start": True}]), "claims[1].citations[0].start", "a whole number"),
        (
            claim(citations=[{"source": "s", "start": 2**31}]),
            "claims[1].citations[0].start",
            "a whole number of at most",
        ),
        (claim(citations=[{"source": "s", "start": 5}]), "claims[1].citation.end", "both start and end, or neither"),
        (claim(citations=[{"source": "s", "start": 5, "end": 5}]), "claims[1].citation.end", "an end beyond the start"),
        (claim(citations=[{}]), "claims[1].citations[0].source", "text that is not blank"),
        (claim(citation={"source": "s"}), "claims[1].citations", "either citation or citations, not both"),
        (claim(source_text="x"), "claims[1].source_text", "either source_text or a citation, not both"),
    ],
)
def test_each_fault_names_its_key_and_what_was_expected(body: object, key: str, expected: str) -> None:
    found = problems(body)
    assert found[0][0] == key
    assert found[0][1].startswith(expected)


def test_all_faults_come_at_once_and_hostile_keys_are_cut() -> None:
    body = a_body(claims=[{"text": 1}, {"text": " "}], split="x", **{"k" * 5000: 1})
    found = problems(body)
    assert len(found) == 4
    assert max(len(key) for key, _ in found) == 200
    assert len(problems(a_body(claims=[{}] * 200))) == 50


def test_null_is_as_if_left_out() -> None:
    nothing = dict.fromkeys((*REQUEST["properties"].keys() - {"id", "text"},))
    posted = read_request(json.dumps({"id": "a", "text": "x", **nothing}).encode())
    assert posted == read_request(b'{"id": "a", "text": "x"}')


def test_a_text_that_a_claim_brings_along_is_a_source_once() -> None:
    claims = [{"text": "one", "source_text": "Same."}, {"text": "two", "source_text": "Same."}]
    posted = read_request(json.dumps(a_body(claims=claims)).encode())
    assert [line.data["text"] for line in posted.sources] == [SOURCE["text"], "Same."]
    assert posted.claims[0].data["citation"] == posted.claims[1].data["citation"] == {"source": posted.sources[1].id}


@given(BODIES | ANYTHING)
def test_any_body_is_read_or_refused_and_what_has_another_shape_is_never_read(body: Any) -> None:
    raw = json.dumps(body).encode()
    if list(faults_of(body, REQUEST)):
        assert problems(raw)
        return
    try:
        posted = read_request(raw)
    except RefusedError:  # what no shape can say: a date that is none, an id given twice
        assert problems(raw)
    else:
        assert posted.answer.id == body["id"]
        assert len(posted.claims) == len(body.get("claims") or ())
