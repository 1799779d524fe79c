"""The OpenAPI 3.1 file of the contract; ``manage.py openapi`` prints it, and ``docs/openapi.json`` is a copy."""

import json
from typing import Any

from reports.api.contract import REFUSAL, REQUEST, RESPONSE
from reports.api.shapes import Shape

REFUSALS = {
    400: "The body is no answer to check: each problem names the key, what was found and what was expected.",
    401: "No token, or one that is not in force.",
    405: "Another method than POST.",
    409: "The judge has no current certificate or is not asked in a request, or the project knows something else under an id.",
    411: "The length of the body is not said.",
    413: "The body is larger than this installation takes.",
    415: "The body is no JSON by its type, or packed.",
    429: "More requests than this installation takes of one token in a minute.",
    503: "The judge cannot judge in this process, or the database is busy.",
}


def document() -> dict[str, Any]:
    """The whole file as plain data."""
    refusals = {
        str(status): _response(words, {"$ref": "#/components/schemas/Refusal"}, _HEADERS.get(status))
        for status, words in REFUSALS.items()
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Touchstone: answers in",
            "version": "1",
            "description": "Checks one answer against the sources that it cites. Faithfulness is measured, never truth.",
        },
        "security": [{"token": []}],
        "paths": {
            "/api/v1/check": {
                "post": {
                    "operationId": "check",
                    "summary": "Check an answer, have it judged, and store it for the trend",
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Request"}}},
                    },
                    "responses": {
                        "200": _response("What is said of the answer.", {"$ref": "#/components/schemas/Response"}),
                        **refusals,
                    },
                }
            }
        },
        "components": {
            "schemas": {"Request": REQUEST, "Response": RESPONSE, "Refusal": REFUSAL},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Made by an owner of the project."}
            },
        },
    }


_SECONDS = {"schema": {"type": "integer", "minimum": 1}, "description": "Seconds until it may be posted again."}
_HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}}},
    405: {"Allow": {"schema": {"type": "string"}}},
    429: {"Retry-After": _SECONDS},
}


def _response(words: str, schema: Shape, headers: Shape | None = None) -> dict[str, Any]:
    said: dict[str, Any] = {"description": words, "content": {"application/json": {"schema": dict(schema)}}}
    return said | ({"headers": dict(headers)} if headers else {})


def written() -> str:
    """The file's text."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"
