import pytest

from tests.judges.probes.inputs import given, options

REWORDED = [
    ("full stop", "The shop is open on Sunday.", "The shop is open on Sunday"),
    ("full stop", "Der Laden hat offen", "Der Laden hat offen."),
    ("full stop", "店は九時に開く", "店は九時に開く。"),
    ("quotation marks", "The sign says “open”.", 'The sign says "open".'),
    ("quotation marks", 'The shop\'s sign says "open".', "The shop’s sign says “open”."),
    ("dashes", "The shop – a bakery – is open.", "The shop - a bakery - is open."),
    ("per cent", "Sales of the shop rose by 15% in May.", "Sales of the shop rose by 15 per cent in May."),
    ("per cent", "Sales of the shop rose by 15 percent.", "Sales of the shop rose by 15%."),
    ("thousands", "The shop has 1,250 customers.", "The shop has 1250 customers."),
    ("thousands", "The shop was sold for $12500.", "The shop was sold for $12,500."),
    ("date", "The shop was opened on 3 January 2026.", "The shop was opened on January 3, 2026."),
    ("date", "On January 3, 2026, the shop was opened.", "On 3 January 2026, the shop was opened."),
    ("date", "The shop was opened on 2026-01-03.", "The shop was opened on 3 January 2026."),
    ("contraction", "The shop is not open.", "The shop isn't open."),
    ("contraction", "The shop doesn’t open.", "The shop does not open."),
    ("small first letter", "The shop is open.", "the shop is open."),
    ("“It is the case that …”", "The shop is open.", "It is the case that the shop is open."),
]


@pytest.mark.parametrize(("kind", "text", "other"), REWORDED)
def test_claim_is_written_otherwise(kind: str, text: str, other: str) -> None:
    change = options("rewording", given(text, "A source."))[kind]
    assert change.claim == other
    assert text.replace(change.before, change.after, 1) == other or not change.before


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("full stop", "The firm is in the U.S."),
        ("full stop", "The firm is Acme Inc."),
        ("thousands", "In the year 2026 the shop was sold."),
        ("thousands", "Der Preis ist 1,250 und das ist nicht viel."),
        ("per cent", "Der Preis ist um 15% gestiegen, das ist nicht viel."),
        ("date", "Version 2026-01-03-04 of the guide is out."),
        ("contraction", "Is it not the shop?"),
        ("small first letter", "Paris is the capital of France."),
        ("small first letter", "I saw the shop."),
        ("“It is the case that …”", "But the shop is open."),
        ("“It is the case that …”", "The shop is open. It is big."),
        ("dashes", "Pages 10-20 of the guide."),
    ],
)
def test_where_a_rule_might_change_the_meaning_there_is_none(kind: str, text: str) -> None:
    assert kind not in options("rewording", given(text, "A source."))
