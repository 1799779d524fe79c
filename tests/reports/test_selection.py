"""Filters: "not given" is no name, whatever things are called."""

import pytest
from django.forms import ChoiceField

from reports.forms.selection import SelectionForm
from reports.selection import UNSET, Selection, filter_value, stored_value
from tests.factories import make_answer, make_claim, make_project, make_source

NAMES = ["", "none", "=none", "==none", "=", "help-centre", "none="]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_comes_back_from_a_filter_as_it_was(name: str) -> None:
    assert stored_value(filter_value(name)) == name


def test_no_two_names_share_a_filter() -> None:
    assert len({filter_value(name) for name in NAMES}) == len(NAMES)


@pytest.mark.django_db
def test_a_collection_called_none_is_not_one_without_a_name() -> None:
    project = make_project()
    claims = {}
    for name in ("none", ""):
        source = make_source(project, collection=name)
        answer = make_answer(project, system=name)
        claims[name] = make_claim(project, source=source, answer=answer)
    for field in ("collection", "system"):
        asked = SelectionForm(project=project).fields[field]
        assert isinstance(asked, ChoiceField)
        for value, words in list(asked.choices):  # type: ignore[arg-type]  # no groups here
            if value:
                form = SelectionForm({field: value}, project=project)
                assert form.is_valid()
                (found,) = form.selection().claims(project)
                assert found == claims["" if words == "Not given" else words]
    assert UNSET == "none"  # addresses that people have kept go on meaning what they did


def test_what_narrows_the_claims_is_said_by_its_stored_name() -> None:
    picked = Selection(system="=none", kind="none", severity="minor", since="2026-01-01", until="2026-02-01")
    said = "system none, kind not given, severity minor, made on or after 2026-01-01 and before 2026-02-01"
    assert picked.narrowed_words == said
    assert Selection(split="both", versions="all").narrowed_words == ""
