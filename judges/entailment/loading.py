"""A model from a folder or from the hub, checked before anything is believed of it."""

import json
import logging
from dataclasses import dataclass
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from judges.entailment.config import EntailmentConfig
from judges.entailment.labels import LabelMap, ModelRefusedError, map_labels
from judges.entailment.scoring import Pair, PairScorer

logger = logging.getLogger(__name__)

MISSING = 'the extra "nli" is not installed: pip install "touchstone[nli]", or for the demo make demo-nli'
_HUB_SECONDS = 5.0
# Whatever a model was trained for, a text entails itself; and no one is asleep and awake.
_SELF = Pair("A man is asleep.", "A man is asleep.")
_AGAINST = Pair("A man is asleep.", "A man is awake.")
# Positions that some families keep back at the start of their table.
_RESERVED_POSITIONS = {"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet", "data2vec-text"}


class MissingExtraError(RuntimeError):
    """The judge needs packages that are not installed; the message names the extra."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model that passed its checks.

    ``warning`` says, for people, what it did not do as expected without being refused for it; else it is empty.
    """

    scorer: PairScorer
    labels: LabelMap
    revision: str
    device: str
    warning: str


def extra_installed() -> bool:
    """Say whether torch and transformers are there, without importing them."""
    return find_spec("torch") is not None and find_spec("transformers") is not None


def model_at_hand(model: str, revision: str) -> bool:
    """Say whether a folder is there, or a model of the hub in this machine's cache of it, without loading anything."""
    if Path(model).expanduser().is_dir():
        return True
    if not extra_installed():
        return False
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415  (comes with the extra)

    try:
        return isinstance(try_to_load_from_cache(model, "config.json", revision=revision or None), str)
    except ValueError:  # no name that the hub could have
        return False


def why_not_here(config: EntailmentConfig) -> str:
    """Why the model of this configuration cannot be had, in one line; empty where it is at hand or the hub has it.

    One look that takes seconds at most: loading would try the hub again and again.
    """
    if not extra_installed():
        return MISSING
    if model_at_hand(config.model, config.revision):
        return ""
    from huggingface_hub.constants import ENDPOINT, HF_HUB_OFFLINE  # noqa: PLC0415  (comes with the extra)

    missing = f"{config.model!r} is not on this machine"
    if HF_HUB_OFFLINE:
        return f"{missing}, and HF_HUB_OFFLINE forbids to fetch it"
    asked = Request(f"{ENDPOINT}/{config.model}/resolve/{config.revision}/config.json", method="HEAD")  # noqa: S310
    try:
        with urlopen(asked, timeout=_HUB_SECONDS):  # noqa: S310  (the hub's address is the machine's own setting)
            return ""
    except (OSError, ValueError, HTTPException) as error:
        return f"{missing}, and the hub at {ENDPOINT} cannot be asked for it ({error}); name a folder that holds it"


def check_beforehand(config: EntailmentConfig) -> None:
    """Check what needs neither torch nor the weights: that the extra is there, and a folder's labels.

    Raises
    ------
    MissingExtraError, ModelRefusedError
        As :func:`load_model` does.
    """
    if not extra_installed():
        raise MissingExtraError(MISSING)
    described = Path(config.model).expanduser() / "config.json"
    if not described.is_file():
        return
    try:
        names = json.loads(described.read_text(encoding="utf-8")).get("id2label", {})
        map_labels({int(place): str(name) for place, name in names.items()})
    except (OSError, ValueError, AttributeError) as error:
        if isinstance(error, ModelRefusedError):
            raise
        msg = f"{str(described)!r} cannot be read: {error}; expected a JSON object whose id2label names the labels"
        raise ModelRefusedError(msg) from error


def load_model(config: EntailmentConfig) -> LoadedModel:
    """Load the model that the configuration names, on a GPU where there is one.

    Raises
    ------
    MissingExtraError
        Where torch or transformers is not installed.
    ModelRefusedError
        Where the model cannot be had, its labels cannot be mapped, or it fails a pair that no entailment model fails.
    """
    if not extra_installed():
        raise MissingExtraError(MISSING)
    import torch  # noqa: PLC0415  (seconds to import, and not everybody has it)

    model, tokenizer = _fetch(config)
    labels = map_labels(model.config.id2label)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    scorer = PairScorer(
        model=model.to(device),
        tokenizer=tokenizer,
        labels=labels,
        max_length=min(config.max_length, model_limit(model, tokenizer)),
        precision=config.precision,
    )
    warning = check_direction(scorer, labels, name=config.model)
    return LoadedModel(scorer, labels, config.revision, device, warning)


def _fetch(config: EntailmentConfig) -> tuple[Any, Any]:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer  # noqa: PLC0415
    from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415

    disable_progress_bar()
    folder = Path(config.model).expanduser()
    local = folder.is_dir()
    # A model of the hub is fetched at its commit; one in a folder is what the hash in the version says.
    pinned: dict[str, Any] = {"local_files_only": True} if local else {"revision": config.revision}
    source = str(folder) if local else config.model
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=False, **pinned)
        # Only safetensors: other weight formats can run code when they are loaded. Weights are widened, as half
        # precision is slower on most processors.
        model = AutoModelForSequenceClassification.from_pretrained(
            source, trust_remote_code=False, use_safetensors=True, dtype="float32", **pinned
        )
    except Exception as error:  # a file can be wrong in ways for which each of the packages has its own error
        reason = " ".join(str(error).split())[:300]
        if local:
            msg = f"the folder {config.model!r} (setting model) does not load as a sequence classification model: {reason}"
        else:
            msg = (
                f"{config.model!r} at {config.revision} is not on this machine and could not be fetched from the hub: set "
                f"model to a folder that holds it, or let this machine reach the hub once. ({reason})"
            )
        raise ModelRefusedError(msg) from error
    return model, tokenizer


def model_limit(model: Any, tokenizer: Any) -> int:
    """Give the most tokens that a model takes, from its tokenizer and its position table."""
    limits = [8_192]
    if 0 < tokenizer.model_max_length < 1_000_000:  # "no limit" is written as an enormous number
        limits.append(int(tokenizer.model_max_length))
    positions = getattr(model.config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        reserved = 2 if model.config.model_type in _RESERVED_POSITIONS else 0
        limits.append(positions - reserved)
    return min(limits)


def check_direction(scorer: PairScorer, labels: LabelMap, *, name: str) -> str:
    """Put two sure pairs to a model; give a warning where it misses the second.

    Raises
    ------
    ModelRefusedError
        Where it does not say that a sentence entails itself: then its labels are not what they are called.
    """
    (same,), (against,) = scorer.score([_SELF, _AGAINST])
    most_others = (
        1 - same.entailment
        if labels.contradiction is None
        else max(same.contradiction or 0.0, 1 - same.entailment - (same.contradiction or 0.0))
    )
    if same.entailment <= most_others:
        msg = (
            f"{name!r} gives P(entailment) {same.entailment:.2f} where a sentence is put to itself; expected it to be the "
            "likeliest label: it is no entailment model, or its id2label is wrong"
        )
        raise ModelRefusedError(msg)
    warning = ""
    if against.contradiction is not None and against.contradiction <= 1 - against.contradiction - against.entailment:
        warning = (
            f"The model calls “{_AGAINST.hypothesis}” beside “{_AGAINST.premise}” no contradiction "
            f"(P {against.contradiction:.2f}): its contradictions may not be what they are called."
        )
        logger.warning("%s: %s", name, warning)
    return warning
