"""Claims that tell scripted judges what to say, and judges made of these."""

from collections.abc import Mapping
from typing import Any

from judges.combined.stages import stage_of
from judges.models import JudgeVersion
from judges.protocol import CitedText, ClaimInput
from labelling.models import Claim, Project
from tests.factories import make_claim
from tests.judges.factories import make_version

A_SOURCE = CitedText(source_id="s", order=1, title="Returns", text="Within 14 days.")


def claim_input(number: int, text: str, **more: Any) -> ClaimInput:
    return ClaimInput(**{"claim_id": number, "text": text, "kind": "", "severity": "", "cited": (A_SOURCE,), **more})


def stage(name: str, type_name: str = "scripted", **more: object) -> dict[str, object]:
    return {"type": type_name, "config": {"name": name}, "policy": "strict", **more}


def version(project: Project, name: str, type_name: str = "scripted") -> JudgeVersion:
    return make_version(project, type_name, name=name, config={"name": name})


def cascade(project: Project, *stages: Mapping[str, object]) -> JudgeVersion:
    return make_version(project, "cascade", config={"stages": list(stages)})


def of(found: JudgeVersion, **more: object) -> dict[str, object]:
    return {**stage_of(found), **more}


def told(project: Project, *texts: str, **fields: Any) -> list[Claim]:
    return [make_claim(project, text, slots=False, **fields) for text in texts]
