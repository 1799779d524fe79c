"""The configuration of the entailment judge: everything that can change one of its verdicts."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from judges.entailment.revisions import COMMIT, folder_revision
from judges.protocol import read_number, reject_unknown_keys
from judges.setting import Setting, worded

DEFAULT_MODEL = "cross-encoder/nli-deberta-v3-base"
DEFAULT_REVISION = "6c749ce3425cd33b46d187e45b92bbf96ee12ec7"
UNITS = ("claim", "answer")
RANKERS = ("keywords", "all")
PRECISIONS = ("float32", "bfloat16")

LEAST_AGREEMENT = 0.995

_HUB_NAME = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentConfig:
    """What the judge is made of.

    Attributes
    ----------
    model : str
        A local folder in Hugging Face form, or the name of a model on the hub.
    revision : str
        For a folder ``sha256:`` and the hash of its files, for a model of the hub its commit in 40 hex digits.
    unit : str
        ``claim`` puts each claim to the model; ``answer`` puts the whole answer that it comes from, the baseline
        that shows what taking an answer apart gains.
    threshold : float
        The lowest P(entailment) that means *stated*. It comes from calibration; 0.5 is only where one starts.
    contradiction_threshold : float
        The lowest P(contradiction) that means *contradicted*, where the claim is not *stated*.
    partial_threshold : float
        The lowest P(entailment) that means *partial*, where the claim is neither; at or above ``threshold`` it means
        that there is no such band.
    window_sizes : tuple of int
        Sentences in a window; with several sizes each place of the source is read at each of them.
    window_overlap : int
        Sentences that a window shares with the one before it of its size, as far as the size allows.
    best_windows : int
        Windows put to the model for one claim, over all that it cites.
    ranker : str
        ``keywords`` takes the best windows by BM25 over content words, ``all`` puts every window to the model.
    max_length : int
        Tokens of premise and claim together; the model's own limit holds where that is lower.
    precision : str
        ``float32``, or ``bfloat16``, which is faster on processors and GPUs that compute in it.
    precision_agreement : float or None
        For ``bfloat16`` the measured share of verdicts that are the same as in float32, at least 0.995
        (:func:`judges.entailment.agreement.measure_agreement` measures it); else None.
    """

    model: str = DEFAULT_MODEL
    revision: str = DEFAULT_REVISION
    unit: str = "claim"
    threshold: float = 0.5
    contradiction_threshold: float = 0.5
    partial_threshold: float = 0.3
    window_sizes: tuple[int, ...] = (1, 3)
    window_overlap: int = 2
    best_windows: int = 6
    ranker: str = "keywords"
    max_length: int = 512
    precision: str = "float32"
    precision_agreement: float | None = None


SETTINGS: Mapping[str, Setting] = {
    "model": Setting(
        label="Model",
        help="A folder on the machines that run judges, in Hugging Face form, or a model of the hub as owner/name.",
        group="Which model",
    ),
    "revision": Setting(
        label="Revision",
        help="For a model of the hub its commit in 40 hex digits: a branch moves, and verdicts with it. For a folder leave it "
        "empty; the hash of its files is taken.",
        group="Which model",
    ),
    "precision": Setting(
        label="Precision",
        group="Which model",
        choices=worded(("float32", "float32"), ("bfloat16", "bfloat16: faster where the machine computes in it")),
    ),
    "precision_agreement": Setting(
        label="Verdicts that bfloat16 leaves as they are",
        help=f"The share that manage.py measure_precision measures, at least {LEAST_AGREEMENT}; empty for float32.",
        group="Which model",
        low=LEAST_AGREEMENT,
        high=1,
    ),
    "unit": Setting(
        label="Put to the model",
        help="The whole answer is the baseline that shows what taking an answer apart gains.",
        group="What it reads",
        choices=worded(("claim", "Each claim"), ("answer", "The whole answer that the claim comes from")),
    ),
    "ranker": Setting(
        label="Passages put to the model",
        group="What it reads",
        choices=worded(
            ("keywords", "The best by keywords"), ("all", "All of them: slower, and nothing is passed over")
        ),
    ),
    "best_windows": Setting(
        label="Passages for one claim, at most",
        help="Over all that the claim cites, where the best are taken by keywords.",
        group="What it reads",
        low=1,
        high=200,
    ),
    "window_sizes": Setting(
        label="Sentences in a passage",
        help="One to four numbers from 1 to 20, with commas between them: each place is read at each size.",
        group="What it reads",
        written="numbers",
    ),
    "window_overlap": Setting(
        label="Sentences that neighbouring passages share", group="What it reads", low=0, high=19
    ),
    "max_length": Setting(
        label="Tokens of passage and claim together, at most",
        help="The model's own limit holds where that is lower.",
        group="What it reads",
        low=32,
        high=8192,
    ),
    "threshold": Setting(
        label="Stated from",
        help="The lowest P(entailment) that means stated. It comes from calibration; 0.5 is only where one starts.",
        group="Thresholds",
        low=0,
        high=1,
    ),
    "contradiction_threshold": Setting(
        label="Contradicted from",
        help="The lowest P(contradiction) that means contradicted, where the claim is not stated.",
        group="Thresholds",
        low=0,
        high=1,
    ),
    "partial_threshold": Setting(
        label="Partial from",
        help="The lowest P(entailment) that means partial, where the claim is neither; at or above that of stated there is no "
        "partial.",
        group="Thresholds",
        low=0,
        high=1,
    ),
}


def default_config() -> dict[str, object]:
    """Give every setting with its default, as plain data."""
    plain = asdict(EntailmentConfig())
    plain["window_sizes"] = list(EntailmentConfig().window_sizes)
    return plain


def parse_config(data: Mapping[str, object]) -> EntailmentConfig:
    """Read the configuration, and pin the model to what it is now.

    A folder is hashed, which reads its files; no model is loaded and no network asked.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=tuple(default_config()))
    base = EntailmentConfig()
    model = _text(data, "model", default=base.model).strip()
    precision = _one_of(data, "precision", PRECISIONS, default=base.precision)
    return EntailmentConfig(
        model=model,
        revision=_revision(model, _text(data, "revision", default="").strip().lower()),
        unit=_one_of(data, "unit", UNITS, default=base.unit),
        threshold=read_number(data, "threshold", default=base.threshold, low=0, high=1),
        contradiction_threshold=read_number(
            data, "contradiction_threshold", default=base.contradiction_threshold, low=0, high=1
        ),
        partial_threshold=read_number(data, "partial_threshold", default=base.partial_threshold, low=0, high=1),
        window_sizes=_sizes(data.get("window_sizes", base.window_sizes)),
        window_overlap=_whole(data, "window_overlap", default=base.window_overlap, low=0, high=19),
        best_windows=_whole(data, "best_windows", default=base.best_windows, low=1, high=200),
        ranker=_one_of(data, "ranker", RANKERS, default=base.ranker),
        max_length=_whole(data, "max_length", default=base.max_length, low=32, high=8192),
        precision=precision,
        precision_agreement=_agreement(data.get("precision_agreement"), precision),
    )


def _revision(model: str, given: str) -> str:
    folder = Path(model).expanduser() if model else Path()
    if model and folder.is_dir():
        now = folder_revision(folder)
        if given not in ("", now):
            msg = (
                f"revision is {given!r}, but the files in the folder {model!r} now hash to {now!r}: they are not those "
                "that this version was made with; expected the hash as it is, or nothing, for a new version"
            )
            raise ValueError(msg)
        return now
    if not _HUB_NAME.fullmatch(model):
        msg = f"model is {model!r}; expected a folder on this machine or the name of a model on the hub, owner/name"
        raise ValueError(msg)
    if not given and model == DEFAULT_MODEL:
        return DEFAULT_REVISION
    if given.startswith("sha256:"):
        msg = (
            f"model is {model!r} and revision is {given!r}, the hash of a folder; expected that folder on this machine"
        )
        raise ValueError(msg)
    if not COMMIT.fullmatch(given):
        msg = (
            f"revision is {given!r}; expected the commit of {model!r} in 40 hex digits, as its page on the hub has it: a "
            "branch moves, and verdicts with it"
        )
        raise ValueError(msg)
    return given


def _text(data: Mapping[str, object], key: str, *, default: str) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        msg = f"{key} is {value!r}; expected text"
        raise ValueError(msg)  # noqa: TRY004  (a configuration is refused with ValueError throughout)
    return value


def _one_of(data: Mapping[str, object], key: str, allowed: tuple[str, ...], *, default: str) -> str:
    value = _text(data, key, default=default)
    if value not in allowed:
        msg = f"{key} is {value!r}; expected one of {', '.join(allowed)}"
        raise ValueError(msg)
    return value


def _whole(data: Mapping[str, object], key: str, *, default: int, low: int, high: int) -> int:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        msg = f"{key} is {value!r}; expected a whole number from {low} to {high}"
        raise ValueError(msg)
    return value


def _agreement(value: object, precision: str) -> float | None:
    if precision == "float32":
        if value is not None:
            msg = f"precision_agreement is {value!r}, but precision is float32; expected none, as there is nothing to agree with"
            raise ValueError(msg)
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not LEAST_AGREEMENT <= value <= 1:
        msg = (
            f"precision_agreement is {value!r}; expected the measured share of verdicts that {precision} leaves as they are, "
            f"a number from {LEAST_AGREEMENT} to 1"
        )
        raise ValueError(msg)
    return float(value)


def _sizes(value: object) -> tuple[int, ...]:
    sizes = tuple(value) if isinstance(value, list | tuple) else ()
    whole = [size for size in sizes if isinstance(size, int) and not isinstance(size, bool) and 1 <= size <= 20]
    if not whole or len(whole) != len(sizes) or len(sizes) > 4:
        msg = f"window_sizes is {value!r}; expected one to four whole numbers from 1 to 20"
        raise ValueError(msg)
    # The order of sizes changes nothing, so it makes no version of its own.
    return tuple(sorted(set(whole)))
