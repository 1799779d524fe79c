import pytest

from judges.checks.citations import CITATIONS, check_citations
from judges.protocol import ClaimInput, Outcome, Verdict
from tests.judges.checks.factories import cited_text, claim_input


def kinds(claim: ClaimInput) -> list[str]:
    return [finding.kind for finding in check_citations(claim).findings]


def test_citation_that_resolves_and_shares_a_word_gets_no_opinion() -> None:
    (opinion,) = CITATIONS.from_data({}).judge(
        [claim_input("Refunds are free.", cited_text("A refund costs nothing.", start=2, end=8))]
    )
    assert opinion.outcome is Outcome.NO_OPINION
    assert opinion.reason == "Every citation resolves and shares a content word with the claim."


def test_claim_that_cites_nothing_is_absent() -> None:
    (opinion,) = CITATIONS.from_data({}).judge([claim_input("Refunds are free.")])
    assert (opinion.outcome, opinion.verdict) == (Outcome.JUDGED, Verdict.ABSENT)
    assert opinion.reason == "The claim cites no source."


def test_citation_of_an_unknown_source_fires() -> None:
    claim = claim_input("Refunds are free.", cited_text("", order=7, resolved=False))
    (finding,) = check_citations(claim).findings
    assert finding.reason == "The cited source “s7” does not exist."


def test_source_without_text_fires() -> None:
    assert kinds(claim_input("Refunds are free.", " \n ")) == ["citation"]


@pytest.mark.parametrize(("start", "end"), [(0, 0), (5, 3), (-1, 4), (0, 24), (30, 40), (None, 3), (3, None)])
def test_span_outside_the_source_fires(start: int | None, end: int | None) -> None:
    assert kinds(claim_input("Refunds are free.", cited_text("A refund costs nothing.", start=start, end=end))) == [
        "span"
    ]


@pytest.mark.parametrize(("start", "end"), [(None, None), (0, 23), (22, 23), (0, 1)])
def test_span_inside_the_source_does_not_fire(start: int | None, end: int | None) -> None:
    assert kinds(claim_input("Refunds are free.", cited_text("A refund costs nothing.", start=start, end=end))) == []


def test_span_counts_code_points() -> None:
    text = "🙂🙂 refund"
    assert kinds(claim_input("A refund.", cited_text(text, start=0, end=len(text)))) == []
    assert kinds(claim_input("A refund.", cited_text(text, start=0, end=len(text) + 1))) == ["span"]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Refunds are free.", "The weather was fine."),
        ("The plan is cheap.", "It is what it is, and that is that."),
        ("返品は無料です。", "天気が良い。"),
        ("Возврат бесплатный", "Погода хорошая"),
    ],
)
def test_source_without_a_content_word_in_common_fires(claim: str, source: str) -> None:
    assert kinds(claim_input(claim, source)) == ["subject"]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Refunds are free.", "We refunded it."),
        ("返品は無料です。", "商品の返品について。"),
        ("คืนเงินฟรี", "เราคืนเงินให้"),
        ("It is what it is.", "The weather was fine."),
        ("Возврат бесплатный", "о порядке: возврат"),
        ("The CO2 tax.", "CO₂ rules"),
    ],
)
def test_source_with_a_word_in_common_does_not_fire(claim: str, source: str) -> None:
    assert kinds(claim_input(claim, source)) == []


def test_one_related_source_among_several_is_enough() -> None:
    assert kinds(claim_input("Refunds are free.", "The weather was fine.", "A refund costs nothing.")) == []
    assert kinds(claim_input("Refunds are free.", "The weather was fine.", "It rained.")) == ["subject"]
