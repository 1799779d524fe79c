from itertools import pairwise

import pytest

from judges.probes.changes import Change
from judges.protocol import ClaimInput
from tests.judges.probes.inputs import altered, cited, given, options

PARAGRAPHS = "First one.\n\nSecond one, which is longer.\n\nThird.\n\nFourth paragraph 🙂."


def reordered(claim: ClaimInput, *, seed: int = 1) -> tuple[str, ClaimInput]:
    ((kind, change),) = options("order", claim, seed=seed).items()
    return kind, altered(change, claim)


@pytest.mark.parametrize("seed", range(8))
def test_every_paragraph_is_there_and_not_all_in_their_places(seed: int) -> None:
    kind, other = reordered(given("A claim.", PARAGRAPHS), seed=seed)
    assert kind == "order of paragraphs"
    assert other.cited[0].text != PARAGRAPHS
    assert sorted(other.cited[0].text.split("\n\n")) == sorted(PARAGRAPHS.split("\n\n"))


def test_sentences_move_where_there_is_one_paragraph() -> None:
    text = "It opens at nine. It closes at five. It is shut on Sundays."
    kind, other = reordered(given("A claim.", text))
    assert kind == "order of sentences"
    assert other.cited[0].text != text
    for sentence in ("It opens at nine.", "It closes at five.", "It is shut on Sundays."):
        assert sentence in other.cited[0].text


def test_sources_come_the_other_way_round_and_are_numbered_anew() -> None:
    kind, other = reordered(given("A claim.", "One.", "Two.", "Three."))
    assert kind == "order of sources"
    assert [one.text for one in other.cited] == ["Three.", "Two.", "One."]
    assert [one.order for one in other.cited] == [1, 2, 3]


@pytest.mark.parametrize("seed", range(8))
def test_the_cited_span_moves_with_its_words(seed: int) -> None:
    start = PARAGRAPHS.index("which is longer")
    claim = given("A claim.", cited(PARAGRAPHS, span=(start, start + 15)))
    moved = reordered(claim, seed=seed)[1].cited[0]
    assert moved.text[moved.start : moved.end] == "which is longer"


@pytest.mark.parametrize("seed", range(8))
def test_what_a_span_reaches_over_stays_together(seed: int) -> None:
    start, end = PARAGRAPHS.index("Second"), PARAGRAPHS.index("Third.") + 6
    moved = reordered(given("A claim.", cited(PARAGRAPHS, span=(start, end))), seed=seed)[1].cited[0]
    assert moved.text[moved.start : moved.end] == PARAGRAPHS[start:end]


def test_one_sentence_and_one_table_have_no_other_order() -> None:
    assert options("order", given("A claim.", "Only this.")) == {}
    assert options("order", given("A claim.", "Item | Price\nTea | 2\nMilk | 1")) == {}
    assert options("order", given("A claim.", "")) == {}


def test_the_same_seed_gives_the_same_order_and_another_seed_another() -> None:
    text = "\n\n".join(f"Paragraph {number}." for number in range(12))
    texts = [reordered(given("A claim.", text), seed=seed)[1].cited[0].text for seed in (1, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert all(one != other for one, other in pairwise(texts[1:]))


def test_a_change_comes_back_from_plain_data_as_it_was() -> None:
    for change in (
        Change(kind="k", shuffle=0),
        Change(kind="k", claim="c", before="b"),
        Change(kind="k", sources=("s",)),
    ):
        assert Change.from_data(change.as_data()) == change
