"""The judges that a combined judge is made of, each whole in its configuration.

A stage holds its type, code version, settings and policy, so that the fingerprint of the combination covers all that can
change a verdict, and the combination is built without a look at other versions. Its own fingerprint is that of the version
with the same settings, which is how what that version said already is found again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judges.fingerprints import fingerprint
from judges.protocol import ClaimInput, reject_unknown_keys
from judges.setting import Need

if TYPE_CHECKING:
    from judges.models import JudgeVersion

CASCADE, PANEL = "cascade", "panel"
COMBINED = (CASCADE, PANEL)
STAGE_KEYS = ("type", "code_version", "config", "policy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One judge within another.

    Attributes
    ----------
    type : str
        Name of the judge type.
    code_version : str
        That of today's code.
    config : dict
        Complete settings as plain data.
    policy : str
        The policy that it judges by.
    """

    type: str
    code_version: str
    config: dict[str, object]
    policy: str

    @property
    def fingerprint(self) -> str:
        """That of the judge version with these settings."""
        return fingerprint(type_name=self.type, code_version=self.code_version, config=self.config, policy=self.policy)

    def sees(self, claim: ClaimInput) -> ClaimInput:
        """The claim as a run of this stage alone would be given it."""
        return claim if _reads_whole_answers(self.config) else replace(claim, answer_cited=())


def read_stage(data: object, where: str) -> Stage:
    """Read one stage; defaults are filled in, and the code version is today's whatever was given.

    Raises
    ------
    ValueError
        Beginning with ``where``, naming the key, what was found and what was expected.
    """
    from judges.registry import judge_type  # noqa: PLC0415  (the registry lists the combined judges themselves)

    if not isinstance(data, Mapping):
        msg = f"{where} is {data!r:.80}; expected the type, settings and policy of a judge"
        raise ValueError(msg)  # noqa: TRY004  (a configuration is refused with ValueError throughout)
    name, config, policy = data.get("type"), data.get("config", {}), data.get("policy")
    if name in COMBINED:
        msg = f"{where}.type is {name!r}; expected a judge that is not made of others itself"
        raise ValueError(msg)
    if not isinstance(config, Mapping):
        msg = f"{where}.config is {config!r:.80}; expected settings by their names"
        raise ValueError(msg)  # noqa: TRY004
    if not isinstance(policy, str) or not policy:
        msg = f"{where}.policy is {policy!r}; expected the policy that the judge is to judge by"
        raise ValueError(msg)
    try:
        reject_unknown_keys(data, known=STAGE_KEYS)
        kind = judge_type(str(name))
        complete = kind.complete_config(config)
    except ValueError as error:
        msg = f"{where}: {error}"
        raise ValueError(msg) from error
    if complete.get("batch") is True:
        msg = f"{where}.config.batch is true; a combined judge waits for each answer, so expected false"
        raise ValueError(msg)
    return Stage(type=kind.name, code_version=kind.code_version, config=complete, policy=policy)


def stage_of(version: "JudgeVersion") -> dict[str, object]:
    """A judge version as a stage, as plain data."""
    return {"type": version.judge.type, "config": version.config, "policy": version.policy}


def read_stages(data: object, key: str) -> list[Mapping[str, object]]:
    """Read a list of at least two stages, each still plain data.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    if not isinstance(data, list | tuple) or not all(isinstance(one, Mapping) for one in data):
        msg = f"{key} is {data!r:.80}; expected a list of judges"
        raise ValueError(msg)
    if len(data) < 2:
        msg = f"{key} has {len(data)} judges; expected at least two"
        raise ValueError(msg)
    return list(data)


def reads_whole_answers(config: Mapping[str, object]) -> bool:
    """Whether a judge of this configuration, or one that it is made of, asks about the whole answer."""
    return _reads_whole_answers(config) or any(_reads_whole_answers(one["config"]) for one in stages_in(config))


def stages_in(config: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The judges that a judge of this configuration is made of, as plain data; none where it is not a combined one."""
    return [*_listed(config, "stages"), *_listed(config, "members")]


def needs_of_stages(config: Mapping[str, object]) -> list[Need]:
    """What the judges that a judge of this configuration is made of need where they run, each named once."""
    from judges.registry import judge_type  # noqa: PLC0415  (the registry lists the combined judges themselves)

    needs = [need for one in stages_in(config) for need in judge_type(str(one["type"])).needs(_settings(one))]
    return list({need.name: need for need in needs}.values())


def _settings(stage: Mapping[str, object]) -> Mapping[str, object]:
    config = stage["config"]
    return config if isinstance(config, Mapping) else {}


def _reads_whole_answers(config: object) -> bool:
    return isinstance(config, Mapping) and config.get("unit") == "answer"


def _listed(config: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    found = config.get(key)
    if not isinstance(found, list | tuple):
        return ()
    return [one for one in found if isinstance(one, Mapping) and "config" in one]
