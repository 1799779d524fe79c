"""The Claude judge behind the door, against a server in the place of the real one: certified, paid, settled."""

import pytest

from judges.models import Intent, Run
from judges.services.paying import spending_of
from labelling.golden.freezing import freeze_golden
from labelling.models import Role
from reports.services.certifying import issue_certificate
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source
from tests.judges.claude.conftest import api as api  # noqa: PLC0414  (a fixture)
from tests.judges.claude.factories import SOURCE
from tests.judges.factories import finish, make_version, start
from tests.judges.fake_messages_api import COST, FakeMessagesApi
from tests.reports.api.posting import Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


@pytest.mark.parametrize("batch", [False, True])
def test_a_certified_claude_is_asked_once_and_what_goes_wrong_is_an_outcome(
    api: FakeMessagesApi,
    batch: bool,
) -> None:
    project = make_project()
    owner, reader = make_member(project, Role.OWNER), make_member(project)
    for place in range(4):
        answer = make_answer(project, f"The refund takes {place} days.", split="test")
        claim = make_claim(project, answer.text, answer=answer, source=make_source(project, SOURCE), slots=False)
        make_label(claim, reader, "stated", guide_version=project.guide_versions.get())
    version = make_version(project, "claude", config={"batch": batch})
    finish(start(version))
    issue_certificate(version=version, golden_set=freeze_golden(project=project, name="core").golden_set, by=owner)
    before = len(api.asked)
    program = Program(project)

    def post(budget: float = 1.0) -> list[tuple[str, str | None, float]]:
        claims = [
            {"id": behaviour, "text": f"The refund takes 14 days. behave:{behaviour}", "source_text": SOURCE}
            for behaviour in ("well", "refused")
        ]
        data = program.answer(claims=claims, judge="claude@1", store=True, budget_usd=budget)
        said = [claim["judgement"] for claim in data["claims"]]
        return [(one["outcome"], one["verdict"], one["cost_usd"]) for one in said if one]

    assert post(budget=0.000001) == []
    assert len(api.asked) == before
    assert post() == [("judged", "stated", float(COST)), ("refused", None, float(COST))]
    assert len(api.asked) == before + 2
    assert post() == [("judged", "stated", 0.0), ("refused", None, float(COST))], "the failure alone is tried again"
    assert len(api.asked) == before + 3
    run = Run.objects.get(selection={"posted": "true"})
    assert spending_of(run).known == 3 * COST
    assert not Intent.objects.filter(state="asked").exists()
