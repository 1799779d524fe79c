"""`manage.py openapi > docs/openapi.json`: the contract of the API, made of the shapes that requests are held against."""

from typing import Any

from django.core.management.base import BaseCommand

from reports.api.openapi import written


class Command(BaseCommand):
    help = "Print the OpenAPI file of POST /api/v1/check."
    requires_system_checks: list[str] = []

    def handle(self, **_options: Any) -> None:
        self.stdout.write(written(), ending="")
