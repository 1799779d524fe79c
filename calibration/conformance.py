"""The worked examples, computed: each section of the table of examples has one function here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from calibration import (
    agreement,
    choosing,
    correction,
    intervals,
    reliability,
    scores,
    significance,
    simulation,
    weighted,
)
from calibration.alternative import alternative_annotator
from calibration.arrays import ArrayLike, IntArray
from calibration.comparison import ComparisonInput, JudgeColumns, compare
from calibration.consensus import consensus
from calibration.learn_then_test import binomial_p, effective_binomial_p, hoeffding_bentkus_p
from calibration.planning import labels_for_share
from calibration.recalibration import fit_isotonic, fit_platt
from calibration.results import Figure, Result
from calibration.thresholds import threshold_at_max_kappa, threshold_curve
from calibration.trend import difference_of
from calibration.verdicts import ABSENT

Given = Mapping[str, Any]
Value = float | str | None
RELATIVE = 1e-4


@dataclass(frozen=True, slots=True)
class Check(Result):
    """One value of one worked example.

    Attributes
    ----------
    name : str
        Section, number within it, and value.
    origin : str
        Where the expected value comes from.
    difference : float or None
        Computed minus expected; None where either is not a number.
    tolerance : float
        How far apart the two may be; 0 for a reason or a missing value, which must be the same.
    within : bool
    """

    name: str
    origin: str
    expected: Value
    computed: Value
    difference: float | None
    tolerance: float
    within: bool


def check_examples(examples: Sequence[Mapping[str, Any]]) -> tuple[Check, ...]:
    """Compute every worked example and hold it against what is expected.

    Parameters
    ----------
    examples : sequence of mappings
        ``section``, ``given``, ``expect`` (a value by name; None for undefined), ``origin``, and at will
        ``digits``, ``tolerance`` or ``tolerances`` by name.

    Raises
    ------
    ValueError
        If a section, or a value that is expected, is not known here.

    Examples
    --------
    >>> example = {"section": "brier", "given": {"outcome": [0, 1], "probability": [0.5, 0.5]},
    ...            "expect": {"value": 0.25}, "origin": "by hand"}
    >>> [check.within for check in check_examples([example])]
    [True]
    """
    checks: list[Check] = []
    seen: dict[str, int] = {}
    for example in examples:
        section = example["section"]
        if section not in _SECTIONS:
            raise ValueError(f"section: expected one of {', '.join(_SECTIONS)}, got {section!r}")
        seen[section] = seen.get(section, 0) + 1
        computed = _SECTIONS[section](example["given"])
        for key, expected in example["expect"].items():
            if key not in computed:
                raise ValueError(f"{section}: expected one of {', '.join(computed)}, got {key!r}")
            name = f"{section} {seen[section]}: {key}"
            checks.append(_check(name, example, expected, computed[key], key=key))
    return tuple(checks)


def _check(name: str, example: Mapping[str, Any], expected: Value, computed: Value, *, key: str) -> Check:
    if isinstance(expected, int | float) and isinstance(computed, int | float):
        tolerance = _tolerance(example, key, float(expected))
        apart = float(computed) - float(expected)
        return Check(name, example["origin"], expected, computed, apart, tolerance, abs(apart) <= tolerance)
    return Check(name, example["origin"], expected, computed, None, 0.0, expected == computed)


def _tolerance(example: Mapping[str, Any], key: str, expected: float) -> float:
    if key in example.get("tolerances", {}):
        return float(example["tolerances"][key])
    if "tolerance" in example:
        return float(example["tolerance"])
    if "digits" in example:
        # Half a unit of the last printed digit, and a little for a printed half.
        return 0.51 * 10.0 ** -int(example["digits"])
    return RELATIVE * abs(expected)


def _of(figure: Figure, name: str = "value") -> dict[str, Value]:
    return {name: figure.value, "low": figure.low, "high": figure.high, "reason": figure.reason}


def _ends(name: str, figure: Figure) -> dict[str, Value]:
    return {f"{name}.value": figure.value, f"{name}.low": figure.low, f"{name}.high": figure.high}


def _matrix(data: Sequence[Sequence[int | None]]) -> IntArray:
    return np.array([[-1 if value is None else value - 1 for value in row] for row in data])


def _cohen_kappa(given: Given) -> dict[str, Value]:
    if "ratings" in given:
        names = sorted({label for row in given["ratings"] for label in row})
        first, second = ([names.index(label) for label in row] for row in given["ratings"])
        return _of(agreement.cohen_kappa(first, second, categories=4), "kappa")
    table = given["table"]
    kappa, linear = agreement.kappa_from_table, agreement.kappa_standard_error
    made: dict[str, Value] = {
        **_of(kappa(table), "kappa"),
        "se": linear(table).value,
        "se_null": linear(table, null=True).value,
        "linear_weighted": kappa(table, weights="linear").value,
        "linear_weighted_se": linear(table, weights="linear").value,
        "scott_pi": agreement.scott_pi(table).value,
        "ac1": agreement.gwet_ac1(table).value,
    }
    if "weights_disagreement" in given:
        made["weighted_kappa"] = kappa(table, weights=given["weights_disagreement"]).value
    return made


def _paradox(given: Given) -> dict[str, Value]:
    table = given["table"]
    return {
        "kappa": agreement.kappa_from_table(table).value,
        "kappa_max": agreement.kappa_max(table).value,
        "prevalence_index": agreement.prevalence_index(table).value,
        "bias_index": agreement.bias_index(table).value,
        "pabak": agreement.pabak(table).value,
        "ac1": agreement.gwet_ac1(table).value,
    }


def _krippendorff(given: Given) -> dict[str, Value]:
    labels = _matrix(given["data"])
    classes = int(labels.max()) + 1
    values = np.arange(1, classes + 1)
    return {
        level: reliability.krippendorff_alpha(labels, categories=classes, level=level, values=values).value
        for level in get_args(reliability.Level)
    }


def _mcnemar(given: Given) -> dict[str, Value]:
    (_, first), (second, _) = given["table"]
    made = significance.mcnemar(first, second)
    return {"chi2": made.chi2, "chi2_corrected": made.chi2_corrected, "exact_p": made.exact_p}


def _holm(given: Given) -> dict[str, Value]:
    return _numbered(significance.holm(given["p"]))


def _rogan_gladen(given: Given) -> dict[str, Value]:
    if isinstance(given["apparent"], float):
        return _of(correction.rogan_gladen(**given))
    flagged, caught, passed = (tuple(given[name]) for name in ("apparent", "sensitivity", "specificity"))
    delta = correction.rogan_gladen_delta(flagged, caught=caught, passed=passed)
    lang = correction.rogan_gladen_lang_reiczigel(flagged, caught=caught, passed=passed)
    return {**_of(delta), **_ends("delta", delta), **_ends("lang_reiczigel", lang)}


def _prediction_powered(given: Given) -> dict[str, Value]:
    counts, rest = given["labelled"], given["unlabelled"]
    human, judged = [], []
    for truth in (0, 1):
        for said in (0, 1):
            times = counts[f"human{truth}_judge{said}"]
            human += [truth] * times
            judged += [said] * times
    others = np.arange(rest["n"]) < rest["judge1"]
    return {
        **_ends("ppi", correction.prediction_powered_mean(human, judged, others)),
        **_ends("ppi_plus_plus", correction.prediction_powered_mean_tuned(human, judged, others)),
        **_ends("classical", correction.classical_mean(human)),
    }


def _calibration_error(given: Given) -> dict[str, Value]:
    made = scores.reliability(given["outcome"], given["probability"], bins=given["bins"])
    return {"ece": made.expected.value, "max": made.largest.value}


def _learn_then_test(given: Given) -> dict[str, Value]:
    risk, n, limit = given["empirical_risk"], given["n"], given["alpha"]
    return {
        "hoeffding_bentkus_p": hoeffding_bentkus_p(risk, n=n, limit=limit),
        "binomial_p": binomial_p(risk, n=n, limit=limit),
    }


def _same_skill(given: Given) -> dict[str, Value]:
    labels, verdict = simulation.same_skill_labels(**given)
    majority = consensus(reliability.label_counts(labels, categories=4))
    columns = {"judge": JudgeColumns(verdict)}
    score = compare(ComparisonInput(np.arange(len(verdict)), majority, labels, columns), resamples=2).judge("judge")
    return {
        "mean_pairwise_human_kappa": score.individual.people.kappa_two.value,
        "judge_vs_single_human": score.individual.judge.kappa_two.value,
        "judge_vs_majority_of_3": agreement.cohen_kappa(majority, verdict).value,
        "human_vs_majority_including_self": agreement.cohen_kappa(majority, labels[0]).value,
    }


def _recall_interval(given: Given) -> dict[str, Value]:
    return {name: tally.share for name, tally in simulation.recall_coverage(**given).items()}


def _threshold(given: Given) -> dict[str, Value]:
    made = simulation.threshold_misses(**given)
    return {"reached": made["reached"].share, "promised": made["answers"].share}


def _numbered(values: ArrayLike) -> dict[str, Value]:
    return {f"p{number}": float(value) for number, value in enumerate(values, start=1)}


def _hajek(given: Given) -> dict[str, Value]:
    outcome = np.asarray(given["outcome"]) * ABSENT
    made = weighted.weighted_score(range(len(outcome)), outcome, outcome, given["chance"], resamples=10)
    return _of(made.share_unsupported)


def _alternative(given: Given) -> dict[str, Value]:
    labels = np.tile(given["labels"], given["times"])
    verdict = np.tile(given["verdict"], given["times"])
    made = alternative_annotator(np.arange(len(verdict)), labels, verdict, resamples=50)
    human = min(one.human.value for one in made.people if one.human.value is not None)
    return {"advantage": made.advantage.value, "human": human, "winning_rate": made.winning_rate.value}


def _curve(given: Given) -> dict[str, Value]:
    curve = threshold_curve(given["gold"], given["score"])
    return {
        "kappa": threshold_at_max_kappa(curve).value,
        "recall": choosing.threshold_at_recall(curve, target=given["target"]).threshold,
        "cost": choosing.threshold_at_least_cost(curve, miss=given["miss"], false_flag=given["false_flag"]).value,
    }


_SECTIONS: dict[str, Callable[[Given], dict[str, Value]]] = {
    "cohen_kappa": _cohen_kappa,
    "paradox_2x2": _paradox,
    "fleiss_kappa": lambda given: _of(reliability.fleiss_kappa(given["counts"]), "kappa"),
    "krippendorff_alpha": _krippendorff,
    "gwet_ac1": lambda given: _of(reliability.gwet_ac1_of_raters(_matrix(given["data"]), categories=5), "ac1"),
    "wilson": lambda given: _of(intervals.wilson(given["k"], given["n"])),
    "clopper_pearson": lambda given: _of(intervals.clopper_pearson(given["k"], given["n"])),
    "clopper_pearson_lower_95_one_sided": lambda given: _of(intervals.clopper_pearson_lower(given["k"], given["n"])),
    "zero_miss_sample_size_95": lambda given: {"n": intervals.zero_miss_sample_size(given["recall"])},
    "mcnemar": _mcnemar,
    "holm": _holm,
    "rogan_gladen": _rogan_gladen,
    "prediction_powered_mean": _prediction_powered,
    "brier": lambda given: _of(scores.brier_score(given["outcome"], given["probability"])),
    "expected_calibration_error": _calibration_error,
    "learn_then_test": _learn_then_test,
    "same_skill_simulation": _same_skill,
    "recall_interval": _recall_interval,
    "threshold": _threshold,
    "newcombe_difference": lambda given: _of(
        difference_of(intervals.wilson(*given["first"]), intervals.wilson(*given["second"]))
    ),
    "isotonic": lambda given: _numbered(fit_isotonic(**given).apply(given["score"])),
    "platt": lambda given: _numbered(fit_platt(**given).apply(given["score"])),
    "labels_for_share": lambda given: {"n": labels_for_share(given["half_width"], share=given["share"])},
    "effective_number": lambda given: {"n": intervals.effective_number(given["weights"])},
    "horvitz_thompson": lambda given: _of(
        weighted.horvitz_thompson_total(range(len(given["outcome"])), given["outcome"], given["chance"], resamples=10)
    ),
    "hajek": _hajek,
    "alternative_annotator": _alternative,
    "curve": _curve,
    "promise": lambda given: {"p": effective_binomial_p(given["lost"], n=given["n"], limit=given["limit"])},
}
