import pytest
from django.test import Client
from django.urls import reverse

from judges.models import Judgement
from tests.factories import make_claims, make_project, make_user
from tests.judges.factories import finish, make_version, start


@pytest.mark.django_db
@pytest.mark.parametrize("model", ["judge", "judgeversion", "run", "chunk", "judgement"])
def test_administrators_look_at_judges_and_change_nothing(client: Client, model: str) -> None:
    project = make_project()
    make_claims(project, 3)
    run = finish(start(make_version(project)))
    client.force_login(make_user(is_staff=True, is_superuser=True))
    assert client.get(reverse(f"admin:judges_{model}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:judges_{model}_add")).status_code == 403
    row = Judgement.objects.filter(run=run).values_list("id", flat=True)[0] if model == "judgement" else run.pk
    if model in ("run", "judgement"):
        page = reverse(f"admin:judges_{model}_change", args=[row])
        assert client.get(page).status_code == 200
        assert client.post(page, {"verdict": "absent", "state": "stopped"}).status_code == 403
        assert client.post(reverse(f"admin:judges_{model}_delete", args=[row]), {"post": "yes"}).status_code == 403
