"""The judges that a combined judge is made of, in words, each with the version of the project that has its settings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from judges.combined.stages import STAGE_KEYS, Stage, stages_in
from judges.models import JudgeVersion
from judges.registry import judge_types
from labelling.models import ClaimKind, Project

Known = Mapping[str, JudgeVersion]
NO_STAGES: Known = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class StageWords:
    """One stage of a cascade, or one member of a panel.

    Attributes
    ----------
    place : int
        From 1, in the order in which it is listed.
    type : str
        The judge type in words.
    version : JudgeVersion or None
        The version of the project with these settings; ``None`` where it has none by now.
    policy : str
        That it judges by.
    kinds : str
        The claim kinds that it is asked about, in words; empty for every claim.
    band : str
        The scores with which a claim goes on; empty where it has none.
    weights : tuple of float
        In a panel: what each feature of its opinion weighs, in the order of `judges.combined.features.NAMES`.
    settings : mapping
        Its settings as plain data.
    """

    place: int
    type: str
    version: JudgeVersion | None
    policy: str
    kinds: str
    band: str
    weights: tuple[float, ...]
    settings: Mapping[str, object]

    @property
    def name(self) -> str:
        """The version that it is, else its type."""
        return str(self.version or f"{self.type}, of which no version here has these settings")

    def __str__(self) -> str:
        more = [f"only claims of the kind {self.kinds}"] if self.kinds else []
        more += [f"goes on from {self.band}"] if self.band else []
        more += ["weights " + ", ".join(f"{one:+.2f}" for one in self.weights)] if self.weights else []
        return f"{self.place}. {self.name}, {self.policy}" + "".join(f"; {one}" for one in more)


def known_stages(project: Project, configs: Iterable[Mapping[str, object]]) -> Known:
    """The versions of the project that judges of these configurations are made of, by fingerprint; one query."""
    names = {_stage(one).fingerprint for config in configs for one in stages_in(config)}
    if not names:
        return {}
    rows = JudgeVersion.objects.filter(judge__project=project, fingerprint__in=names).select_related("judge")
    return {row.fingerprint: row for row in rows.order_by("-id")}


def stages_in_words(config: Mapping[str, Any], known: Known) -> list[StageWords]:
    """What a judge of this configuration is made of; nothing where it is no combined one."""
    types = judge_types()
    weights: Sequence[Sequence[float]] = config.get("coefficients", ())
    words = []
    for place, one in enumerate(stages_in(config), 1):
        stage = _stage(one)
        kind = types.get(stage.type)
        words.append(
            StageWords(
                place=place,
                type=kind.title if kind else stage.type,
                version=known.get(stage.fingerprint),
                policy=stage.policy,
                kinds=_kinds(one.get("kinds")),
                band=_band(one.get("band")),
                weights=tuple(weights[place - 1]) if len(weights) >= place else (),
                settings=stage.config,
            )
        )
    return words


def combined_words(config: Mapping[str, Any], known: Known) -> dict[str, str]:
    """The settings of a combined judge that are not plain values, by key; nothing for any other judge."""
    lines = "\n".join(map(str, stages_in_words(config, known)))
    if not lines:
        return {}
    words = {key: lines for key in ("stages", "members") if key in config}
    return {**words, "fit": _fit(config["fit"])} if config.get("fit") else words


def _fit(fit: Mapping[str, Any]) -> str:
    """What a panel was fitted on. How well it agrees with people is for the comparison to say, with an interval."""
    partial = "unsupported" if fit.get("partial_is_unsupported") else "supported"
    return (
        f"{fit.get('claims')} {fit.get('split')} claims of {fit.get('answers')} answers, {fit.get('unsupported')} unsupported "
        f"(partial counts as {partial}); {fit.get('left_out')} left out"
    )


def _stage(data: Mapping[str, Any]) -> Stage:
    return Stage(**{key: data[key] for key in STAGE_KEYS})


def _kinds(kinds: Any) -> str:
    return ", ".join(ClaimKind(kind).label.lower() for kind in kinds or ())


def _band(band: Any) -> str:
    return f"{band[0]:g} to {band[1]:g}" if band else ""
