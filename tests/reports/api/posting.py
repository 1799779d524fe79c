"""What a program does: a token, a body, a POST."""

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse

from labelling.models import Project
from reports.services.tokens import make_token

SOURCE = {
    "id": "returns",
    "title": "Returns",
    "collection": "help",
    "text": "Parcels may come back within 14 days of delivery.",
}
CLAIM = {"text": "Parcels may come back within 30 days.", "citations": [{"source": "returns"}]}


def a_body(**more: object) -> dict[str, Any]:
    """One answer with one source and one claim, which the source gainsays."""
    return {
        "id": "a1",
        "text": "Parcels may come back within 30 days. [1]",
        "sources": [SOURCE],
        "claims": [CLAIM],
    } | more


class Program:
    """Posts bodies to one project and knows what came back last."""

    def __init__(self, project: Project, *, name: str = "pipeline") -> None:
        self.made = make_token(project=project, name=name, by=None)
        self.client = Client(enforce_csrf_checks=True)

    def post(self, body: object, *, headers: Mapping[str, str] | None = None) -> tuple[int, dict[str, Any]]:
        """The status and the data of the response."""
        sent = body if isinstance(body, bytes | str) else json.dumps(body)
        given = {"Authorization": f"Bearer {self.made.secret}"} | dict(headers or {})
        self.last = self.client.post(reverse("reports:api-check"), sent, content_type="application/json", headers=given)
        data = self.last.json()
        assert isinstance(data, dict)
        return self.last.status_code, data

    def answer(self, **more: object) -> dict[str, Any]:
        """What comes back for a body that is taken."""
        status, data = self.post(a_body(**more))
        assert status == 200, data
        return data
