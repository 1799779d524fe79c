import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.prompted.replies import UnreadableReplyError, find_quote, read_reply
from judges.protocol import CitedText, Verdict
from tests.judges.timing import assert_linear


def cited(text: str, order: int = 1) -> CitedText:
    return CitedText(source_id=f"s{order}", order=order, title="", text=text)


def reply(**changes: object) -> str:
    return json.dumps({"quote": "q", "reason": "r", "verdict": "stated"} | changes)


def test_a_whole_reply_is_read_and_a_code_fence_around_it_let_pass() -> None:
    assert read_reply(reply()).verdict is Verdict.STATED
    assert read_reply(f"```json\n{reply(verdict='absent')}\n```").verdict is Verdict.ABSENT
    assert read_reply(f"\n{reply(more=1)}\n").quote == "q"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "stated",
        '"stated"',
        "null",
        "[]",
        "NaN",
        f"The answer: {reply()}",
        f"{reply()} and more",
        reply()[:-1],
        reply(verdict="Stated"),
        reply(verdict=" stated"),
        reply(verdict="irrelevant"),
        reply(verdict="unstated"),
        reply(verdict=None),
        reply(verdict=["stated"]),
        reply(quote=None),
        reply(reason=3),
        json.dumps({"verdict": "stated"}),
        json.dumps({"quote": "", "reason": "The verdict is stated."}),
        "[" * 100_000,
    ],
)
def test_anything_else_is_unreadable_and_never_a_verdict(text: str) -> None:
    with pytest.raises(UnreadableReplyError):
        read_reply(text)


@given(st.text(max_size=60))
def test_any_text_is_a_reply_or_unreadable(text: str) -> None:
    with pytest.raises(UnreadableReplyError):
        read_reply(text)


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("within 14 days", "Paid within 14 days.", "within 14 days"),
        ("within  14\ndays", "Paid within 14\r\n days.", "within 14\r\n days"),
        ("the “best” price – always", 'It is the "best" price - always.', 'the "best" price - always'),
        ('"Paid within"', "Paid within 14 days.", "Paid within"),
        ("é \U0001f600 z", "\U0001f600 é \U0001f600 z", "é \U0001f600 z"),
        ("Paid Within", "Paid within 14 days.", None),
        ("3", "There are 30.", None),
        ("3", "There are 30, or 3.", "3"),
        ("14 days from", "Paid within 14 days.", None),
        ("は9時に", "店は9時に開きます", "は9時に"),
        (" ", "anything", None),
    ],
)
def test_a_quotation_is_found_verbatim_or_not_at_all(quote: str, text: str, found: str | None) -> None:
    where = find_quote(quote, [cited("Another source."), cited(text, 2)])
    assert (where.text if where else None) == found
    if where:
        assert where.order == 2
        assert text[where.start : where.end] == found


@given(st.text(alphabet="ab 1.\n\u2019é\U0001f600", max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_any_whole_words_of_a_source_are_found_in_it(text: str, first: int, second: int) -> None:
    words = text.split()
    wanted = " ".join(words[min(first, second) : max(first, second)])
    if wanted:
        where = find_quote(wanted, [cited(text)])
        assert where is not None
        assert text[where.start : where.end].split() == wanted.split()


def test_looking_a_quotation_up_takes_linear_time() -> None:
    assert_linear(lambda text: find_quote("a " * 500 + "b", [cited(text)]), "a ", length=20_000)
