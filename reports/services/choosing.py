"""Choosing a threshold on development: four ways, what each does there, and one saved with what was promised of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
from django.db import transaction

from calibration.choosing import threshold_at_least_cost, threshold_at_recall, threshold_with_promise
from calibration.curve_intervals import ThresholdFigures
from calibration.four_way import FourWayThresholds
from calibration.intervals import LEVEL
from calibration.sentences import choice_sentence, four_way_sentence
from calibration.thresholds import Curve, ThresholdChoice, Way, threshold_at_max_kappa, threshold_curve
from judges.models import JudgeVersion, Run
from judges.services.versions import with_threshold
from labelling.golden.items import canonical, text_hash
from labelling.models import Membership, Project, Split
from reports.models import ChosenThreshold
from reports.selection import Selection
from reports.services.comparison import selected_rows
from reports.services.four_way import STATED, choose_three
from reports.services.thresholds import as_saved, figures_of_rows, run_everywhere, version_with
from reports.stamps import data_stamp, remembered

HIGHEST = 1.0
"""Scores go from 0 to 1, so no higher threshold can be set."""


class ChoiceRefusedError(ValueError):
    """A choice that cannot be saved; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a threshold is chosen for.

    Attributes
    ----------
    target : float
        Recall on unsupported claims that is to be reached, above 0 and below 1.
    level : float
        One-sided confidence of a promise, above 0 and below 1.
    miss, false_flag : float
        Cost of an unsupported claim that is let through, and of a supported one that is flagged, in any one unit.
    """

    target: float = 0.9
    level: float = LEVEL
    miss: float = 10.0
    false_flag: float = 1.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """One way of choosing: the threshold, and what it does on the claims it was chosen on.

    Attributes
    ----------
    at : ThresholdFigures or None
        None where no threshold will do.
    """

    choice: ThresholdChoice
    at: ThresholdFigures | None

    @property
    def way(self) -> Way:
        return self.choice.way

    @property
    def sentence(self) -> str:
        if self.beyond:
            return "It takes flagging every claim, which no threshold from 0 to 1 does: some claim here scores 1."
        return choice_sentence(self.choice)

    @property
    def beyond(self) -> bool:
        """Whether only a threshold above every score that there can be would do: one that flags each claim."""
        return self.choice.threshold is not None and self.choice.threshold > HIGHEST


def choose_thresholds(
    project: Project, version: JudgeVersion, selection: Selection, terms: Terms, *, stamp: str = ""
) -> tuple[Chosen, ...]:
    """The threshold of each way on the development claims of a selection.

    Raises
    ------
    ValueError
        Where the selection holds claims of the test split, or the terms are none.
    """
    if selection.split != Split.DEVELOPMENT:
        msg = f"split is {selection.split!r}; thresholds are chosen on {Split.DEVELOPMENT.value} alone"
        raise ValueError(msg)
    stamp = stamp or data_stamp(project)
    name = f"choices {selection!r} {version.pk} {terms!r}"
    make = partial(_choose, project, version, selection, terms, stamp)
    return remembered(stamp, name, make, may_lag=True)


def save_choice(
    *, version: JudgeVersion, selection: Selection, terms: Terms, way: str, threshold: float, by: Membership | None
) -> tuple[JudgeVersion, Run | None]:
    """Make the version with the threshold that a way leads to, and keep beside it how it was chosen.

    It is chosen anew: `threshold` is what the person saw. Saved twice, there is one version and one record. The run is
    None where there is one already or none can be started.

    Raises
    ------
    ChoiceRefusedError
        Where the way leads to no threshold, or to another than was seen.
    ValueError
        Where the judge has no threshold to set, or the selection is none of development.
    """
    project = version.judge.project
    found = next(
        (one for one in choose_thresholds(project, version, selection, terms) if one.way == way and not one.beyond),
        None,
    )
    if found is None or found.choice.threshold is None or found.at is None:
        msg = "this way leads to no threshold any more; look at the page again"
        raise ChoiceRefusedError(msg)
    if found.choice.threshold != threshold:
        msg = (
            f"it was {threshold} on the page and is {found.choice.threshold} now: labels or judgements have come in "
            "since; look at the page again"
        )
        raise ChoiceRefusedError(msg)
    with transaction.atomic():  # a threshold never stands there as set by hand though it was chosen
        made = version_with(version, threshold, by=by)
        _keep(made, way, _record(found, version, selection, terms), by)
    return made, run_everywhere(made, by=by)


def save_three(
    *, version: JudgeVersion, selection: Selection, thresholds: Mapping[str, float], by: Membership | None
) -> tuple[JudgeVersion, Run | None]:
    """Make the version with the three thresholds chosen together, as `save_choice` does with one.

    Raises
    ------
    ChoiceRefusedError
        Where others are chosen than were seen, or none.
    """
    found = choose_three(version.judge.project, version, selection)
    if found is None or found.settings != thresholds:
        msg = "other thresholds are chosen now: labels or judgements have come in since; look at the page again"
        raise ChoiceRefusedError(msg)
    record = {
        "choice": found.choice.to_json(),
        "chosen_on": _chosen_on(version, selection),
        "partial_is_unsupported": version.judge.project.partial_is_unsupported,
        "development": {
            "kappa_four": found.after.agreement.kappa_four.to_json(),
            "recall": found.after.unsupported.recall.to_json(),
        },
    }
    with transaction.atomic():
        made = with_threshold(version=version, threshold=found.settings[STATED], beside=found.settings, by=by)
        _keep(made, ChosenThreshold.Way.FOUR_WAY, record, by)
    return made, run_everywhere(made, by=by)


def chosen_record(version: JudgeVersion) -> ChosenThreshold | None:
    """How the version's threshold was chosen under the project's present rule for `partial`; None where by hand.

    The newest promise where one was made, else the newest choice.
    """
    rows = [
        row
        for row in ChosenThreshold.objects.filter(judge_version=version).order_by("-id")
        if row.record["partial_is_unsupported"] == version.judge.project.partial_is_unsupported
    ]
    promised = (row for row in rows if row.way == ChosenThreshold.Way.PROMISE)
    return next(promised, rows[0] if rows else None)


def record_sentence(row: ChosenThreshold) -> str:
    """What was chosen, in words."""
    kept = row.record["choice"]
    if row.way == ChosenThreshold.Way.FOUR_WAY:
        return four_way_sentence(FourWayThresholds(**kept))
    return choice_sentence(ThresholdChoice(**kept))


def _keep(version: JudgeVersion, way: str, record: dict[str, object], by: Membership | None) -> None:
    ChosenThreshold.objects.get_or_create(
        judge_version=version,
        digest=text_hash(canonical(record)),
        defaults={"way": way, "record": record, "created_by": by},
    )


def _choose(
    project: Project, version: JudgeVersion, selection: Selection, terms: Terms, stamp: str
) -> tuple[Chosen, ...]:
    rows = selected_rows(project, selection, [version], stamp)
    score, verdict = as_saved(rows, version, project)
    partial = project.partial_is_unsupported
    curve = threshold_curve(rows.gold, score, verdict=verdict, partial_is_unsupported=partial)
    promise = threshold_with_promise(
        rows.answer,
        rows.gold,
        score,
        target=terms.target,
        level=terms.level,
        verdict=verdict,
        partial_is_unsupported=partial,
    )
    choices = (*_by_curve(curve, terms), promise)
    at = sorted({choice.threshold for choice in choices if choice.threshold is not None})
    figures = {made.threshold: made for made in figures_of_rows(rows, version, project, np.array(at))} if at else {}
    order = [way.value for way in ChosenThreshold.Way]
    return tuple(
        Chosen(choice, None if choice.threshold is None else figures[choice.threshold])
        for choice in sorted(choices, key=lambda choice: order.index(choice.way))
    )


def _by_curve(curve: Curve, terms: Terms) -> Iterable[ThresholdChoice]:
    yield threshold_at_max_kappa(curve)
    yield threshold_at_recall(curve, target=terms.target)
    yield threshold_at_least_cost(curve, miss=terms.miss, false_flag=terms.false_flag)


def _record(found: Chosen, version: JudgeVersion, selection: Selection, terms: Terms) -> dict[str, object]:
    assert found.at is not None
    return {
        "choice": found.choice.to_json(),
        "terms": asdict(terms),
        "chosen_on": _chosen_on(version, selection),
        "partial_is_unsupported": version.judge.project.partial_is_unsupported,
        "development": {
            name: getattr(found.at, name).to_json()
            for name in ("recall", "precision", "share_flagged", "kappa_two", "kappa_four")
        },
    }


def _chosen_on(version: JudgeVersion, selection: Selection) -> dict[str, object]:
    return {"version": version.number, "fingerprint": version.fingerprint, "filters": selection.query()}
