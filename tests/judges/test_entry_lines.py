"""Entries one a line: what is written is read back, and what cannot be read is named with its line."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from judges.entry_lines import Keys, read_entry_lines, written_entries
from judges.models import JudgeVersion
from labelling.models import Role
from tests.factories import make_member, make_project

KEYS: Keys = {"name": "text", "aliases": "texts", "value": "plain", "exact": "switch"}
# A line is a line: what breaks one is not part of a name.
TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1)
PLAIN = TEXT | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
ENTRY = st.fixed_dictionaries(
    {"name": TEXT, "aliases": st.lists(TEXT, min_size=1), "value": PLAIN, "exact": st.just(True)}
)


@given(st.lists(ENTRY, max_size=4))
def test_what_is_written_is_read_back(entries: list[dict[str, Any]]) -> None:
    assert [entry for _, entry in read_entry_lines(written_entries(entries, KEYS), KEYS)] == entries


def test_lines_are_counted_as_people_count_them_and_empty_parts_left_out() -> None:
    text = '\nname: return window; value: 14 days;\n\n  value : "14" ; name: a\\;b; aliases: c\\,d, e; exact: No'
    assert list(read_entry_lines(text, KEYS)) == [
        (2, {"name": "return window", "value": "14 days"}),
        (4, {"value": "14", "name": "a;b", "aliases": ["c,d", "e"], "exact": False}),
    ]
    assert written_entries([{"name": "a", "aliases": [], "value": 0, "exact": False}], KEYS) == "name: a; value: 0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: a\n[]", "line 2 has '[]'; expected parts such as name: …, with semicolons between them"),
        ("name: a; kind: b", "line 1 has 'kind: b'; expected .* there are name, aliases, value, exact"),
        ("name: a; name: b", "line 1 has name twice; expected each part once"),
        ("exact: perhaps", "line 1: exact is 'perhaps'; expected yes or no"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("[", r"\[").replace("]", r"\]")):
        list(read_entry_lines(text, KEYS))


@pytest.mark.django_db
def test_a_canon_is_written_line_by_line_and_comes_back_so(client: Client) -> None:
    project = make_project()
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    page = reverse("judges:judge-new", args=[project.slug, "canon"])
    assert "[]" not in client.get(page).content.decode()
    lines = "name: return window; aliases: time to return; value: 14; unit: days; tolerance: 2%; sources: policies"
    values = f"{lines}\n\nname: opening day; value: 2026-01-03; tolerance: 0; exact: yes"
    made = {"name": "canon", "policy": "strict", "setting_values": values}
    assert client.post(page, made).status_code == 302
    version = JudgeVersion.objects.get()
    first, second = version.config["values"]
    assert (first["value"], first["tolerance"], first["aliases"]) == (14, "2%", ["time to return"])
    assert (second["value"], second["exact"]) == ("2026-01-03", True)

    again = client.get(reverse("judges:version-new", args=[project.slug, "canon"]))
    shown = again.context["form"]["setting_values"].value()
    field = again.context["form"].fields["setting_values"]
    assert field.clean(field.prepare_value(shown)) != []
    same = client.post(again.request["PATH_INFO"], {"policy": "strict", "setting_values": field.prepare_value(shown)})
    assert same.headers["Location"] == reverse("judges:version", args=[project.slug, "canon", 1])
    assert "name: return window; aliases: time to return" in client.get(same.headers["Location"]).content.decode()

    wrong = client.post(page, made | {"name": "other", "setting_values": f"{lines}\n\nname: fee; value: high"})
    assert wrong.status_code == 422
    (error,) = wrong.context["form"].errors["setting_values"]
    assert error.startswith("line 3: values[1].value is 'high'")
    broken = client.post(page, made | {"name": "other", "setting_values": "[{}]"})
    assert "line 1 has &#x27;[{}]&#x27;; expected parts such as name: …" in broken.content.decode()
