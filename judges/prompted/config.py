"""The settings that every prompted judge has, and how plain data is read into them."""

from collections.abc import Mapping
from dataclasses import dataclass

from judges.prompted.prompts import DEFAULT_PROMPT, UNITS, VARIABLES, instructions_for
from judges.setting import Setting, worded

UNVERIFIED = ("record", "error")
SETTINGS: Mapping[str, Setting] = {
    "prompt": Setting(
        label="Prompt",
        help="The instructions. The cited sources and the claim follow them, each fenced as material to be judged.",
        group="What is asked",
        written="long",
        variables=VARIABLES,
    ),
    "unit": Setting(
        label="Asked about",
        help="The whole answer is the baseline that shows what taking an answer apart gains.",
        group="What is asked",
        choices=worded(("claim", "Each claim"), ("answer", "The whole answer that the claim comes from")),
    ),
    "unverified_quote": Setting(
        label="“Stated” with a quotation that no cited source has",
        group="What becomes of a reply",
        choices=worded(("record", "Keep the verdict and say so"), ("error", "Count it as a failure")),
    ),
    "reply_tokens": Setting(
        label="Tokens of a reply, at most",
        help="A reply that needs more is recorded as truncated, never as a verdict.",
        group="What becomes of a reply",
        low=100,
        high=100_000,
    ),
    "longest_input": Setting(
        label="Characters of a prompt, at most",
        help="A longer prompt is not sent and nothing is cut off: the claim is recorded as truncated.",
        group="What becomes of a reply",
        low=1_000,
        high=4_000_000,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptedConfig:
    """What a prompted judge is made of, whatever model it asks.

    Attributes
    ----------
    model : str
        As the service names it.
    prompt : str
        The instructions, with ``{policy}`` where the project's policy stands in words.
    unit : str
        ``claim`` asks about each claim; ``answer`` asks one question about the whole answer that it comes from.
    unverified_quote : str
        What becomes of *stated* whose quotation is not in a cited source: ``record`` keeps the verdict and says so,
        ``error`` makes it a failure.
    longest_input : int
        Characters of a prompt at most. A longer one is not sent, and the claim recorded as truncated.
    reply_tokens : int
        Tokens of a reply at most; one that needs more is recorded as truncated.
    wording : str
        The project's policy in words, with its rulings on borderline cases; part of the version, set when it is made.
    """

    model: str
    prompt: str = DEFAULT_PROMPT
    unit: str = "claim"
    unverified_quote: str = "record"
    longest_input: int = 400_000
    reply_tokens: int = 2_000
    wording: str = ""


def read_prompt(data: Mapping[str, object]) -> str:
    """Read the prompt with its place for the policy.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    prompt = read_text(data, "prompt", default=DEFAULT_PROMPT).replace("\r\n", "\n")
    instructions_for(prompt, "")
    return prompt


def read_common(data: Mapping[str, object]) -> dict[str, object]:
    """Read the settings beside the model and the prompt, which have the same defaults everywhere.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    base = PromptedConfig(model="")
    return {
        "unit": read_choice(data, "unit", UNITS, default=base.unit),
        "unverified_quote": read_choice(data, "unverified_quote", UNVERIFIED, default=base.unverified_quote),
        "longest_input": read_whole(data, "longest_input", default=base.longest_input, low=1_000, high=4_000_000),
        "reply_tokens": read_whole(data, "reply_tokens", default=base.reply_tokens, low=100, high=100_000),
        "wording": read_text(data, "wording", default=base.wording),
    }


def read_text(data: Mapping[str, object], key: str, *, default: str) -> str:
    """Read text.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    value = data.get(key, default)
    if not isinstance(value, str):
        msg = f"{key} is {value!r}; expected text"
        raise ValueError(msg)  # noqa: TRY004  (a configuration is refused with ValueError throughout)
    return value


def read_choice(data: Mapping[str, object], key: str, allowed: tuple[str, ...], *, default: str) -> str:
    """Read one of a few words.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    value = read_text(data, key, default=default)
    if value not in allowed:
        msg = f"{key} is {value!r}; expected one of {', '.join(one or '(empty)' for one in allowed)}"
        raise ValueError(msg)
    return value


def read_whole(data: Mapping[str, object], key: str, *, default: int, low: int, high: int) -> int:
    """Read a whole number, both bounds included.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        msg = f"{key} is {value!r}; expected a whole number from {low} to {high}"
        raise ValueError(msg)
    return value


def read_temperature(data: Mapping[str, object]) -> float | None:
    """Read the temperature, null for the model's own.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    value = data.get("temperature")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 2:
        msg = f"temperature is {value!r}; expected a number from 0 to 2, or null for the model's own"
        raise ValueError(msg)
    return float(value)
