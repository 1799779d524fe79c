import pytest

from judges.checks.quotes import QUOTES, check_quotes, quoted_passages
from judges.protocol import Outcome, Verdict
from tests.judges.checks.factories import cited_text, claim_input
from tests.judges.timing import assert_linear


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He said “we refund everything” twice.", ["we refund everything"]),
        ('He said "we refund everything" twice.', ["we refund everything"]),
        ("He said „wir erstatten alles“ gestern.", ["wir erstatten alles"]),
        ("Il a dit « tout est remboursé » hier.", ["tout est remboursé"]),
        ("Er sagte »alles« gestern.", ["alles"]),
        ("Hon sade ”allt ingår” i går.", ["allt ingår"]),
        ("彼は「全額返金します」と言った。", ["全額返金します"]),
        ("『規約』にある。", ["規約"]),
        ("He called it 'a mistake' again.", ["a mistake"]),
        ("He called it ‘a mistake’ again.", ["a mistake"]),
        ("It says ``no refund'' here.", ["no refund"]),
        ("It says ` no refund' here.", ["no refund"]),
        ('Both "one" and “two” are there.', ["one", "two"]),
        ("He said “she told me ‘no’ twice”.", ["she told me ‘no’ twice"]),
        ("‘We don’t refund’ is the rule.", ["We don’t refund"]),
        ("'We don't refund', they say.", ["We don't refund"]),
    ],
)
def test_passage_in_quotation_marks_is_read_in_every_style(text: str, expected: list[str]) -> None:
    assert quoted_passages(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It's the customers' choice, and they don't mind.",
        "It’s the customers’ choice, and they don’t mind.",
        "In the '90s the dogs' owners paid.",
        'A 6" pipe and a 7" pipe.',
        "Rock 'n' roll isn't what it was.",
        "An empty “” and a lone “ mark.",
        "The O'Neills' house.",
    ],
)
def test_apostrophes_and_inches_quote_nothing(text: str) -> None:
    assert quoted_passages(text) == []


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It says “all sales are final”.", "Note: all sales are final."),
        ("It says “all sales are final”.", "all\n  sales\u00a0are final"),
        ("It says “five–six days”.", "five-six days"),
        ("It says “the ‘gold’ plan”.", 'the "gold" plan'),
        ("It says “don’t pay”.", "Please don't pay."),
        ("It says “all sales are final.”", "all sales are final unless stated"),
        ("It says “all sales, … are final”.", "all sales, with no exception, are final"),
        ("It says “all sales […] final”.", "all sales are final"),
        ("「全額返金します」とある。", "当社は全額返金します。"),
    ],
)
def test_quotation_that_stands_in_the_source_does_not_fire(claim: str, source: str) -> None:
    assert check_quotes(claim_input(claim, source)).findings == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It says “all sales are final”.", "all sales were final"),
        ("It says “All sales are final”.", "all sales are final"),
        ("It says “art”.", "a party"),
        ("It says “30”.", "300 days"),
        ("It says “final sales … all”.", "all final sales"),
        ("It says “sale”.", "No sales today"),
    ],
)
def test_quotation_that_differs_in_a_letter_fires(claim: str, source: str) -> None:
    assert [finding.kind for finding in check_quotes(claim_input(claim, source)).findings] == ["quotation"]


def test_nearest_passage_is_shown_verbatim() -> None:
    source = "Our rule: we refund nearly everything,\nonce a year."
    (finding,) = check_quotes(claim_input("They say “we refund everything, always”.", source)).findings
    assert finding.value == "we refund everything, always"
    assert finding.nearest.startswith("we refund nearly everything")
    assert finding.nearest in " ".join(source.split())


def test_quotation_may_stand_in_any_of_the_cited_sources() -> None:
    claim = claim_input("It says “all sales are final”.", "nothing here", "all sales are final")
    assert check_quotes(claim).findings == ()


def test_quotation_may_stand_in_the_title() -> None:
    claim = claim_input("The page “Returns policy” says so.", cited_text("Nothing.", title="Returns policy"))
    assert check_quotes(claim).findings == ()


def test_claim_without_quotation_gets_no_opinion_and_says_why() -> None:
    judge = QUOTES.from_data({})
    (opinion,) = judge.judge([claim_input("All sales are final.", "nothing")])
    assert opinion.outcome is Outcome.NO_OPINION
    assert opinion.verdict is None
    assert opinion.reason == "The claim quotes nothing."


def test_claim_without_citation_gets_no_opinion() -> None:
    (opinion,) = QUOTES.from_data({}).judge([claim_input("It says “all sales are final”.")])
    assert opinion.outcome is Outcome.NO_OPINION
    assert "No citation" in opinion.reason


def test_missing_quotation_is_absent() -> None:
    (opinion,) = QUOTES.from_data({}).judge([claim_input("It says “all sales are final”.", "nothing")])
    assert (opinion.outcome, opinion.verdict, opinion.score) == (Outcome.JUDGED, Verdict.ABSENT, None)


@pytest.mark.parametrize("piece", ["“", '"', "'", " '", "‘", "`", "``", "「", "«a", "…", "“a", "' a"])
def test_time_grows_with_the_length_of_a_hostile_text_and_not_faster(piece: str) -> None:
    assert_linear(lambda text: check_quotes(claim_input(text, text)), piece)


def test_configuration_with_a_key_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'style'"):
        QUOTES.parse_config({"style": "loose"})
