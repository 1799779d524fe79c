"""A Claude judge by form, and a run at its budget on its page."""

import subprocess
import sys
from decimal import Decimal

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from judges.claude.config import default_config
from judges.forms.judges import SETTING
from judges.models import JudgeVersion
from judges.services.runs import start_run
from judges.services.selection import Selection
from labelling.models import Role
from tests.factories import make_member, make_project
from tests.judges.claude.factories import KEY
from tests.judges.claude.test_claude_runs import claims_that_behave, claude
from tests.judges.factories import finish
from tests.judges.fake_messages_api import FakeMessagesApi

pytestmark = pytest.mark.django_db


def given(**changed: object) -> dict[str, object]:
    """The form as a browser sends it: the defaults, but for what is changed."""
    plain = {SETTING + key: value for key, value in default_config().items() if value not in (None, False)}
    plain[SETTING + "model_listed"] = plain.pop(SETTING + "model")
    return {**plain, **{SETTING + key: value for key, value in changed.items()}}


def test_a_judge_is_set_up_by_form_and_its_prompt_survives_the_browser(api: FakeMessagesApi, client: Client) -> None:
    project = make_project()
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    address = reverse("judges:judge-new", args=[project.slug, "claude"])
    page = client.get(address)
    assert page.status_code == 200
    assert SETTING + "wording" not in page.context["form"].fields
    values = given()
    values[SETTING + "prompt"] = str(values[SETTING + "prompt"]).replace("\n", "\r\n")
    answer = client.post(address, {"name": "opus", "policy": "strict", **values})
    assert answer.status_code == 302, answer.context["form"].errors
    version = JudgeVersion.objects.get(judge__name="opus")
    assert {key: version.config[key] for key in default_config()} == default_config()
    shown = client.get(reverse("judges:version", args=[project.slug, "opus", 1]))
    assert shown.status_code == 200
    assert KEY not in shown.content.decode()


def test_a_wrong_setting_is_shown_at_its_field(api: FakeMessagesApi, client: Client) -> None:
    project = make_project()
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    values = {**given(), SETTING + "prompt": "Say stated.", "name": "opus", "policy": "strict"}
    answer = client.post(reverse("judges:judge-new", args=[project.slug, "claude"]), values)
    assert answer.status_code == 422
    assert "prompt has no {policy}" in str(answer.context["form"].errors)


def test_the_page_of_a_run_says_that_it_stopped_at_its_budget(api: FakeMessagesApi, client: Client) -> None:
    project = make_project()
    claims_that_behave(project, 2)
    run = finish(start_run(version=claude(project), selection=Selection(), by=None, budget_usd=Decimal("0.01")))
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    page = client.get(reverse("judges:run", args=[project.slug, run.pk])).content.decode()
    assert "could have passed its budget of $0.01" in page


def test_everything_but_claude_works_without_the_sdk() -> None:
    program = (
        "import sys; sys.modules['anthropic'] = None\n"
        "import django; django.setup()\n"
        "from judges.registry import judge_types, judge_type\n"
        "assert 'claude' in judge_types()\n"
        "config = judge_type('claude').parse_config({'wording': 'x'})\n"
        "try:\n    judge_type('claude').build(config)\n"
        "except Exception as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith('the extra "claude" is not installed: pip install'), done.stderr
