import pytest

from judges.text.folding import fold
from judges.text.words import content_terms, has_unspaced_script, stem, word_set


def test_words_stand_between_spaces_and_punctuation() -> None:
    assert word_set(fold("Don’t pay; it's “free”—really (no. 5)!")) == {
        *("don", "t", "pay", "it", "s", "free", "really", "no", "5"),
    }


def test_words_with_letters_outside_ascii_stay_whole() -> None:
    assert word_set(fold("Beyoncé in Åre")) == {"beyoncé", "in", "åre"}


def test_unpaired_surrogate_does_no_harm() -> None:
    assert "a" in word_set("a \ud800")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The refunds are free", ["refunds", "free"]),
        ("Die Rückgabe ist frei", ["rückgabe", "frei"]),
        ("返品は無料", ["返品", "品は", "は無", "無料"]),
        ("これはそれ", ["これ", "れは", "はそ", "それ"]),
        ("iPhone15を買う", ["iphone15", "を買", "買う"]),
        ("コーヒー飲む", ["コー", "ーヒ", "ヒー", "ー飲", "飲む"]),
        ("the and of", []),
    ],
)
def test_content_terms_leave_function_words_out(text: str, expected: list[str]) -> None:
    assert content_terms(fold(text)) == expected


def test_scripts_without_spaces_are_told() -> None:
    assert has_unspaced_script("返品")
    assert has_unspaced_script("คืนเงิน")
    assert not has_unspaced_script("возврат é")


@pytest.mark.parametrize(
    "words",
    [
        ("refund", "refunds", "refunded", "refunding"),
        ("use", "uses"),
        ("stop", "stops", "stopped", "stopping"),
        ("policy", "policies"),
        ("pass", "passes", "passed"),
        ("price", "prices", "priced", "pricing"),
    ],
)
def test_forms_of_a_word_share_a_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize(("first", "second"), [("bus", "bu"), ("thing", "th"), ("is", "i"), ("glass", "glas")])
def test_short_words_keep_their_endings(first: str, second: str) -> None:
    assert stem(first) != stem(second)
