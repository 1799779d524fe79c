"""The configuration of the Claude judge: everything that can change one of its verdicts."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from judges.prices import AS_OF, priced_models
from judges.prompted.config import (
    SETTINGS as PROMPTED,
)
from judges.prompted.config import (
    PromptedConfig,
    read_choice,
    read_common,
    read_prompt,
    read_temperature,
    read_text,
)
from judges.protocol import read_switch, reject_unknown_keys
from judges.setting import Setting, worded

DEFAULT_MODEL = "claude-opus-4-8"
EFFORTS = ("", "low", "medium", "high", "xhigh", "max")

_MODEL = re.compile(r"claude-[a-z0-9][a-z0-9.-]*")
# Later models have no temperature to set, and refuse a request that sets one.
_WITH_TEMPERATURE = re.compile(r"claude-(?:opus-4-[56]|sonnet-4-[56]|haiku-4-5)(?:-\d{8})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeConfig(PromptedConfig):
    """What the Claude judge is made of, beside what every prompted judge has.

    Attributes
    ----------
    effort : str
        How much effort the model is to take; empty for the model's own.
    temperature : float or None
        Only for models that have one to set; 0 makes replies alike, not the same.
    batch : bool
        Whether claims go out as message batches: half the price, and up to a day's wait.
    """

    model: str = DEFAULT_MODEL
    effort: str = ""
    temperature: float | None = None
    batch: bool = False


SETTINGS: Mapping[str, Setting] = {
    "model": Setting(
        label="Model",
        help=f"Prices of {AS_OF:%d %B %Y}, in US dollars for a million tokens.",
        group="Which model",
        choices=lambda: priced_models("claude-"),
        others=True,
    ),
    "effort": Setting(
        label="Effort",
        help="How much effort the model is to take; not every model can be told.",
        group="Which model",
        choices=worded(("", "The model's own"), *((effort, effort) for effort in EFFORTS if effort)),
    ),
    "temperature": Setting(
        label="Temperature",
        help="From 0 to 1; leave it empty for the model's own. Only models of the generations 4.5 and 4.6 have one to set, and "
        "0 makes replies alike, not the same.",
        group="Which model",
        low=0,
        high=1,
    ),
    "batch": Setting(
        label="In message batches",
        help="Half the price, and up to a day's wait.",
        group="Which model",
    ),
    **PROMPTED,
}


def default_config() -> dict[str, object]:
    """Give every setting that a person may choose with its default, as plain data."""
    plain = asdict(ClaudeConfig())
    del plain["wording"]
    return plain


def parse_config(data: Mapping[str, object]) -> ClaudeConfig:
    """Read the configuration; nothing is asked of the network, so an unknown model shows when it is first called.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=(*default_config(), "wording"))
    model = read_text(data, "model", default=DEFAULT_MODEL).strip()
    if not _MODEL.fullmatch(model):
        msg = f"model is {model!r}; expected the name of a Claude model such as {DEFAULT_MODEL}"
        raise ValueError(msg)
    temperature = read_temperature(data)
    if temperature is not None and not _WITH_TEMPERATURE.fullmatch(model):
        msg = f"temperature is {temperature!r}; {model} has none to set, so expected null"
        raise ValueError(msg)
    if temperature is not None and temperature > 1:
        msg = f"temperature is {temperature!r}; expected a number from 0 to 1, or null for the model's own"
        raise ValueError(msg)
    common: dict[str, Any] = read_common(data)
    return ClaudeConfig(
        model=model,
        prompt=read_prompt(data),
        effort=read_choice(data, "effort", EFFORTS, default=""),
        temperature=temperature,
        batch=read_switch(data, "batch", default=False),
        **common,
    )
