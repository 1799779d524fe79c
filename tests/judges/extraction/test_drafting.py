"""Steps from one list of draft claims to the next, and what became of each proposal."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.extraction import drafting
from judges.extraction.drafting import Changes, DraftClaim, DraftRefusedError, Drafts
from judges.extraction.marking import pieces
from judges.extraction.pointing import Pointed, point
from judges.extraction.rules import RulesExtractor

ANSWER = "Refunds take 14 days [1]. Gift cards are not refunded [2]. The shop opened in May."


def proposed(answer: str = ANSWER) -> Drafts:
    found = RulesExtractor().extract(question="", answer=answer).claims
    return drafting.proposals(found, lambda numbers: tuple(f"s{number}" for number in numbers))


def rewritten(drafts: Drafts, key: int, text: str) -> Drafts:
    return tuple(replace(one, text=text) if one.key == key else one for one in drafts)


def texts(drafts: Drafts) -> list[str]:
    return [one.text for one in drafting.standing(drafts)]


def counted(drafts: Drafts) -> Changes:
    return drafting.changes(proposed(), drafts)


def test_untouched_proposals_are_kept() -> None:
    assert counted(proposed()) == Changes(proposed=3, kept=3, edited=0, split=0, merged=0, dropped=0, added=0, made=3)


def test_a_split_cuts_at_line_breaks_and_keeps_what_is_cited() -> None:
    drafts = drafting.split(rewritten(proposed(), 1, "Refunds take 14 days.\n\n They are free."), 1)
    assert texts(drafts)[:2] == ["Refunds take 14 days.", "They are free."]
    assert [one.citations for one in drafts[:2]] == [("s1",), ("s1",)]
    assert len({one.key for one in drafts}) == 4
    assert counted(drafts) == Changes(proposed=3, kept=2, edited=0, split=1, merged=0, dropped=0, added=0, made=4)


def test_a_split_without_a_line_break_says_what_to_do() -> None:
    with pytest.raises(DraftRefusedError, match="put a line break"):
        drafting.split(proposed(), 1)


def test_a_merge_unites_words_sources_and_the_graver_severity() -> None:
    drafts = drafting.merge(proposed(), 1)
    assert texts(drafts) == ["Refunds take 14 days. Gift cards are not refunded.", "The shop opened in May."]
    assert (drafts[0].citations, drafts[0].severity, drafts[0].origins) == (("s1", "s2"), "critical", (0, 1))
    assert (drafts[0].start, drafts[0].end) == (0, proposed()[1].end)
    assert counted(drafts) == Changes(proposed=3, kept=1, edited=0, split=0, merged=2, dropped=0, added=0, made=2)


def test_a_merge_goes_over_what_is_dropped_and_needs_a_next_one() -> None:
    drafts = drafting.merge(drafting.drop(proposed(), 2), 1)
    assert texts(drafts) == ["Refunds take 14 days. The shop opened in May."]
    with pytest.raises(DraftRefusedError, match="no claim after this one"):
        drafting.merge(proposed(), 3)


def test_what_is_dropped_can_be_put_back_and_what_was_added_is_gone() -> None:
    drafts = drafting.drop(proposed(), 2)
    assert counted(drafts) == Changes(proposed=3, kept=2, edited=0, split=0, merged=0, dropped=1, added=0, made=2)
    assert drafting.put_back(drafts, 2) == proposed()
    more = drafting.add(proposed(), text="It is closed.", kind="relation", severity="minor", citations=["s1", "s1"])
    assert more[-1].citations == ("s1",)
    assert counted(more) == Changes(proposed=3, kept=3, edited=0, split=0, merged=0, dropped=0, added=1, made=4)
    assert drafting.drop(more, more[-1].key) == proposed()


@pytest.mark.parametrize(
    "change", [{"text": "Refunds take two weeks."}, {"kind": "name"}, {"severity": "minor"}, {"citations": ("s2",)}]
)
def test_other_words_kind_severity_or_sources_are_an_edit(change: dict[str, object]) -> None:
    first, *rest = proposed()
    drafts = (replace(first, **change), *rest)  # type: ignore[arg-type]  # each value fits its field
    assert counted(drafts).edited == 1
    assert drafting.change_of(drafts[0], proposed(), drafts) == "edited"


def test_the_order_of_sources_is_no_edit() -> None:
    first, *rest = proposed("Refunds take 14 days [1][2].")
    assert drafting.changes((first, *rest), (replace(first, citations=("s2", "s1")), *rest)).kept == 1


def test_a_half_of_a_split_that_is_dropped_leaves_an_edit() -> None:
    drafts = drafting.split(rewritten(proposed(), 1, "Refunds take 14 days.\nThey are free."), 1)
    assert counted(drafting.drop(drafts, drafts[1].key)).kept == 3
    assert counted(drafting.drop(drafts, 1)).edited == 1


@given(st.lists(st.tuples(st.sampled_from(["split", "merge", "drop", "restore", "add", "edit"]), st.integers(1, 8))))
def test_whatever_is_done_every_proposal_has_one_fate(steps: list[tuple[str, int]]) -> None:
    drafts = proposed()
    for step, key in steps:
        try:
            if step == "add":
                drafts = drafting.add(drafts, text="More.", kind="name", severity="minor", citations=[])
            elif step == "edit":
                drafts = rewritten(drafts, key, "One.\nTwo.")
            else:
                do = {"split": drafting.split, "merge": drafting.merge, "drop": drafting.drop}
                drafts = do.get(step, drafting.put_back)(drafts, key)
        except DraftRefusedError:
            continue
    found = counted(drafts)
    assert found.proposed == found.kept + found.edited + found.split + found.merged + found.dropped == 3
    assert found.made == len(drafting.standing(drafts)) >= found.added
    assert len({one.key for one in drafts}) == len(drafts)
    assert tuple(DraftClaim.from_data(one.as_data()) for one in drafts) == drafts


def test_the_answer_is_marked_where_claims_come_from() -> None:
    found = pieces(ANSWER, drafting.drop(proposed(), 2))
    assert "".join(piece.text for piece in found) == ANSWER
    assert [(piece.text.strip(), piece.ends) for piece in found if piece.taken] == [
        ("Refunds take 14 days [1].", (1,)),
        ("The shop opened in May.", (2,)),
    ]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, Pointed(1, "a", "place")),
        (2, Pointed(2, "2", "id")),
        (3, Pointed(3, "", "")),
        (0, Pointed(0, "", "")),
    ],
)
def test_a_marker_is_a_place_first_then_an_id_then_nothing(number: int, expected: Pointed) -> None:
    assert point(number, retrieved=["a", "gone"], known={"a", "b", "2"}) == expected
