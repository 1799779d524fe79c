"""What a version is given of one claim, word for word, and which claims there are to look at."""

from dataclasses import dataclass

from judges.models import JudgeVersion
from judges.preview import Preview
from judges.registry import judge_type
from judges.services.forecasts import RunForecast, forecast_claims
from judges.services.inputs import claim_inputs, reads_whole_answers
from judges.services.selection import Selection
from judges.services.versions import JudgeUnavailableError
from labelling.models import Claim, Split


@dataclass(frozen=True, slots=True)
class ShownPrompt:
    """The prompt of one claim.

    Attributes
    ----------
    claim : Claim
    preview : Preview or None
        ``None`` where the settings cannot be read today; ``problem`` then says why.
    forecast : RunForecast or None
        What asking costs; ``None`` where the judge cannot be built here.
    following : Claim or None
        The claim after this one in the development split.
    problem : str
        Why something of this is not there.
    """

    claim: Claim
    preview: Preview | None
    forecast: RunForecast | None
    following: Claim | None
    problem: str = ""


def shown_prompt(*, version: JudgeVersion, claim_name: str = "") -> ShownPrompt | None:
    """The prompt for the claim of this external id, or for the first cited one of the development split.

    ``None`` where there is no such claim. Nothing is asked.
    """
    project = version.judge.project
    development = Selection(split=Split.DEVELOPMENT).claims(project)
    found = project.claims.filter(external_id=claim_name).first() if claim_name else development.first()
    if found is None:
        return None
    following = development.filter(id__gt=found.pk).first()
    kind = judge_type(version.judge.type)
    inputs = claim_inputs([found.pk], whole_answers=reads_whole_answers(version))
    try:
        config = kind.parse_config(version.config)
    except ValueError as error:
        return ShownPrompt(found, None, None, following, str(error))
    preview = kind.preview(config, inputs[0]) if kind.preview else None
    try:
        return ShownPrompt(found, preview, forecast_claims(version=version, claim_ids=[found.pk]), following)
    except JudgeUnavailableError as error:
        return ShownPrompt(found, preview, None, following, str(error))
