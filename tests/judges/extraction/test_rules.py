import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.extraction.markers import without_markers
from judges.extraction.protocol import ExtractedClaim
from judges.extraction.rules import RulesExtractor
from tests.judges.timing import assert_linear


def claims(answer: str) -> tuple[ExtractedClaim, ...]:
    return RulesExtractor().extract(question="", answer=answer).claims


def texts(answer: str) -> list[str]:
    return [claim.text for claim in claims(answer)]


def test_each_sentence_is_a_claim_with_its_own_markers() -> None:
    answer = "Refunds take 14 days.[1] Shipping is not refunded [2][3]. The shop opened in May."
    assert [(claim.text, claim.citations) for claim in claims(answer)] == [
        ("Refunds take 14 days.", (1,)),
        ("Shipping is not refunded.", (2, 3)),
        ("The shop opened in May.", ()),
    ]


@pytest.mark.parametrize(
    ("marker", "numbers"),
    [
        ("[1]", (1,)),
        ("[1, 3]", (1, 3)),
        ("[2-4]", (2, 3, 4)),
        ("[2–4; 9]", (2, 3, 4, 9)),
        ("[^7]", (7,)),
        ("【5†policy.pdf】", (5,)),
        ("[1] [2]", (1, 2)),
        ("[1](http://example.org)", ()),
        ("[sic]", ()),
        ("[2024]", ()),
    ],
)
def test_markers_of_many_styles_are_read(marker: str, numbers: tuple[int, ...]) -> None:
    (claim,) = claims(f"The fee is five dollars {marker}.")
    assert claim.citations == numbers


def test_two_clauses_with_a_subject_and_a_verb_each_are_two_claims() -> None:
    assert texts("Opened goods cannot be returned, but the box may be damaged [2].") == [
        "Opened goods cannot be returned",
        "The box may be damaged.",
    ]
    assert texts("The Acme Corporation owns the warehouse; it does not run it.") == [
        "The Acme Corporation owns the warehouse",
        "The Acme Corporation does not run it.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The shop sells bread, butter, and cheese.",
        "If the box is open, and you are late, a fee is charged.",
        "The office was opened in May and closed in June.",
        "He said that the office is closed, and to be sold.",
        "This helps to date the layers, their formation, and preservation of the sites.",
    ],
)
def test_what_leans_on_its_other_half_stays_whole(sentence: str) -> None:
    assert texts(sentence) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello!",
        "I'm the shop's assistant.",
        "Thank you for your question.",
        "I hope this helps!",
        "Let me know if you have any questions.",
        "If you have further questions, please contact me.",
        "Would you like to know more?",
        "I'm not sure about the price.",
        "Unfortunately, I could not find this.",
        "The provided documents do not mention a price.",
        "As an AI, I have no opinion.",
        "Here are the main points:",
        "## Returns and refunds",
        "What happens then?",
        "I think it is fine.",
        "[1]",
        "   ",
    ],
)
def test_what_asserts_nothing_is_left_out(sentence: str) -> None:
    assert texts(f"{sentence}\n\nRefunds take 14 days.") == ["Refunds take 14 days."]


def test_rows_of_a_table_are_claims_and_its_head_and_code_are_none() -> None:
    answer = (
        "Prices:\n\n| Item | Price |\n|---|:--|\n| Patch | £14 |\n\n```\nx = price(1)\n```\nThe shop opened in May."
    )
    assert texts(answer) == ["Patch, £14", "The shop opened in May."]


def test_a_pronoun_stays_where_the_subject_cannot_be_told() -> None:
    answer = "Small jobs such as patches are often done while you wait, and they take about an hour."
    assert texts(answer)[1] == "They take about an hour."


def test_yes_and_no_are_no_part_of_a_claim() -> None:
    assert texts("No. Gift cards are not refunded.\nYes, refunds take 14 days.") == [
        "Gift cards are not refunded.",
        "Refunds take 14 days.",
    ]


def test_bullets_numbers_emphasis_and_lead_ins_are_no_part_of_a_claim() -> None:
    answer = "- **Opened goods** cannot be returned.\n2. According to the provided documents, refunds take *14* days."
    assert texts(answer) == ["Opened goods cannot be returned.", "Refunds take 14 days."]


@pytest.mark.parametrize(
    ("sentence", "kind", "severity"),
    [
        ("The policy began on 3 May 2024.", "date", "minor"),
        ("Refunds are paid within 14 days.", "figure", "critical"),
        ("The team has twelve members.", "figure", "minor"),
        ("A fee of $5 applies.", "figure", "critical"),
        ("Customers may exchange goods.", "policy", "minor"),
        ("You must keep the receipt.", "policy", "critical"),
        ("The founder was Ada Lovelace.", "name", "minor"),
        ("The lamp warms the room.", "relation", "minor"),
    ],
)
def test_kind_and_severity_are_guessed(sentence: str, kind: str, severity: str) -> None:
    (claim,) = claims(sentence)
    assert (claim.kind, claim.severity) == (kind, severity)


def test_scripts_without_spaces_are_split_too() -> None:
    assert texts("店は9時に開きます[1]。返品は14日以内です。") == ["店は9時に開きます。", "返品は14日以内です。"]


@given(st.text(alphabet="ab .,;[]12-\n*?é\U0001f600", max_size=80))
def test_places_lie_in_the_answer_and_nothing_breaks(answer: str) -> None:
    for claim in claims(answer):
        assert 0 <= claim.start < claim.end <= len(answer)
        assert ExtractedClaim.from_data(claim.as_data()) == claim


@given(st.lists(st.sampled_from(["Word", " ", "[1]", "[2]", ".", " [3]", "\n"]), max_size=30))
def test_a_text_without_its_markers_maps_back_to_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    marked = without_markers(text)
    for place, character in enumerate(marked.text):
        original = marked.original(place + 1) - 1
        assert text[original] == character


@pytest.mark.parametrize(
    "piece", ["a, and ", "[1]", "[1,", "if you have ", "** ", "a; b is c; ", "according to the ", "```\n", "|a\n|-\n"]
)
def test_the_time_is_linear(piece: str) -> None:
    assert_linear(claims, piece)
