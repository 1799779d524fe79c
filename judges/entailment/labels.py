"""Which output of a model means entailment and which contradiction, read from the model's own names.

The order differs between models, so no order is ever assumed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_MEANINGS: Mapping[str, frozenset[str]] = {
    "entailment": frozenset({"entailment", "entail", "entails", "entailed", "e", "implies", "supported", "supports"}),
    "contradiction": frozenset(
        {"contradiction", "contradict", "contradicts", "contradictory", "c", "refuted", "refutes", "conflict"}
    ),
    "neutral": frozenset({"neutral", "n", "neither", "nei", "unknown", "notenoughinfo"}),
    "not entailment": frozenset({"notentailment", "notentail", "notentailed", "nonentailment", "notsupported"}),
}


class ModelRefusedError(ValueError):
    """A model that cannot serve as an entailment judge; the message says why."""


@dataclass(frozen=True, slots=True)
class LabelMap:
    """Places in the model's output; ``contradiction`` is None for a model that does not tell it from neutral."""

    entailment: int
    contradiction: int | None
    count: int


def map_labels(id2label: Mapping[int, str] | Mapping[str, str]) -> LabelMap:
    """Read the places of entailment and contradiction from a model's ``id2label``.

    Raises
    ------
    ModelRefusedError
        Where a name is not understood, one meaning occurs twice, or the names are not those of an entailment model.
    """
    names = {int(place): str(name) for place, name in id2label.items()}
    found: dict[str, int] = {}
    for place, name in names.items():
        meaning = _meaning(name)
        if meaning is None or meaning in found:
            raise _refused(names)
        found[meaning] = place
    three = set(found) == {"entailment", "neutral", "contradiction"}
    two = set(found) == {"entailment", "not entailment"}
    if not (three or two) or sorted(names) != list(range(len(names))):
        raise _refused(names)
    return LabelMap(found["entailment"], found.get("contradiction"), len(names))


def _meaning(name: str) -> str | None:
    # "LABEL_0" and the like fold to no known word: which of them is entailment cannot be known.
    folded = re.sub(r"[\W_]+", "", name).lower()
    return next((meaning for meaning, spellings in _MEANINGS.items() if folded in spellings), None)


def _refused(names: Mapping[int, str]) -> ModelRefusedError:
    listed = ", ".join(f"{place}: {names[place]}" for place in sorted(names))
    return ModelRefusedError(
        f"the labels of the model are {{{listed}}}; expected entailment, neutral and contradiction in any order, or "
        "entailment and not_entailment (id2label in its config.json)"
    )
