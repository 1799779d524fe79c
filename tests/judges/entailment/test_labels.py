"""Labels are mapped by the model's own names, in whatever order."""

import pytest

from judges.entailment.labels import LabelMap, ModelRefusedError, map_labels


@pytest.mark.parametrize(
    ("id2label", "expected"),
    [
        ({0: "contradiction", 1: "entailment", 2: "neutral"}, LabelMap(1, 0, 3)),
        ({0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}, LabelMap(0, 2, 3)),
        ({"0": "entailment", "1": "not_entailment"}, LabelMap(0, None, 2)),
        ({0: "not-entailment", 1: "Entailment"}, LabelMap(1, None, 2)),
        ({0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"}, LabelMap(0, 1, 3)),
        ({0: "e", 1: "n", 2: "c"}, LabelMap(0, 2, 3)),
    ],
)
def test_usual_spellings_are_understood(id2label: dict[int, str], expected: LabelMap) -> None:
    assert map_labels(id2label) == expected


@pytest.mark.parametrize(
    "names",
    [
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["positive", "negative"],
        ["entailment", "neutral"],
        ["entailment", "entails", "contradiction"],
        ["entailment", "neutral", "contradiction", "other"],
        ["contradiction", "not_entailment"],
    ],
)
def test_labels_that_are_not_entailments_are_refused_by_name(names: list[str]) -> None:
    with pytest.raises(ModelRefusedError, match=f"0: {names[0]}.*expected entailment, neutral and contradiction"):
        map_labels(dict(enumerate(names)))
