import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.text.folding import collapse_spaces, fold, fold_styles


@given(st.text())
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert len(fold_styles(text)) == len(text)


def test_decimal_digits_of_every_script_fold_to_ascii() -> None:
    digits = [chr(code) for code in range(sys.maxunicode) if unicodedata.category(chr(code)) == "Nd"]
    wrong = [hex(ord(digit)) for digit in digits if fold(digit) != str(unicodedata.digit(digit))]
    assert wrong == []


def test_no_character_folds_to_another_length() -> None:
    assert [hex(code) for code in range(sys.maxunicode) if len(fold(chr(code))) != 1] == []


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("“A”—„B“", '"a"-"b"'),
        ("It’s", "it's"),
        ("１２％　ＡＢＣ", "12% abc"),
        ("CO₂", "co2"),
        ("İstanbul", "istanbul"),
        ("10\u202f000\u00a0€", "10 000 €"),
        ("x²", "x²"),
        ("🙂 A", "🙂 a"),
        ("𝟑𝟎 days", "30 days"),
    ],
)
def test_case_digits_styles_and_width_are_folded(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_styles_alone_leave_case_and_digits() -> None:
    assert fold_styles("“Ａ３”–É") == '"Ａ３"-É'


def test_runs_of_white_space_become_one_space() -> None:
    assert collapse_spaces("  a \n\n b\u00a0\tc ") == "a b c"
