"""Certificates on pages of other apps, which cannot reach them themselves."""

from django import template

from labelling.models import GoldenSet
from reports.services.certificates import states_on

register = template.Library()


@register.inclusion_tag("reports/_certificates_on.html")
def certificates_on(golden_set: GoldenSet) -> dict[str, object]:
    """The certificates that were issued on a golden set; only on pages of those who may see judges."""
    return {"golden_set": golden_set, "project": golden_set.project, "states": states_on(golden_set)}
