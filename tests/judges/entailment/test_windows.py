"""Sources become windows that miss nothing, and the windows that speak of the claim come first."""

from hypothesis import given, settings
from hypothesis import strategies as st

from judges.entailment.windows import cut, select_windows, window_spans
from judges.protocol import CitedText

SOURCE = "The shop opens at nine. Returns are free within 14 days. Shoes must be unworn. Refunds take five days."


def cite(text: str, *, order: int = 1) -> CitedText:
    return CitedText(source_id=f"s{order}", order=order, title="", text=text)


def select(hypothesis: str, *texts: str, best: int = 2, ranker: str = "keywords") -> list[tuple[int, str]]:
    cited = [cite(text, order=order) for order, text in enumerate(texts, start=1)]
    selection = select_windows(cited, hypothesis, sizes=(1,), overlap=0, best=best, ranker=ranker)
    return [(window.order, window.text) for window in selection.chosen]


def texts_of(text: str, *, sizes: tuple[int, ...], overlap: int) -> list[str]:
    return [text[start:end] for start, end in window_spans(text, sizes=sizes, overlap=overlap)]


def test_windows_overlap_and_the_last_ends_with_the_text() -> None:
    assert texts_of("A one. B two. C three. D four.", sizes=(3,), overlap=1) == [
        "A one. B two. C three.",
        "B two. C three. D four.",
    ]
    assert texts_of("A one. B two. C three. D four.", sizes=(2,), overlap=0) == ["A one. B two.", "C three. D four."]


def test_a_text_shorter_than_the_window_is_one_window_once() -> None:
    assert texts_of("A one. B two.", sizes=(2, 3), overlap=2) == ["A one. B two."]


def test_an_empty_source_has_no_window() -> None:
    assert window_spans(" \n ", sizes=(1, 3), overlap=2) == ()


def test_japanese_sentences_are_windows_of_their_own() -> None:
    assert texts_of("店は九時に開く。返品は無料だ。", sizes=(1,), overlap=0) == ["店は九時に開く。", "返品は無料だ。"]


def test_the_window_that_shares_the_rare_words_comes_first() -> None:
    assert select("Returns are free.", SOURCE, best=1) == [(1, "Returns are free within 14 days.")]
    assert select("返品は無料です。", "店は九時に開く。返品は無料だ。", best=1) == [(1, "返品は無料だ。")]


def test_all_cited_sources_compete_for_the_windows() -> None:
    assert select("Refunds take five days.", "Nothing of that here.", SOURCE, best=1) == [
        (2, "Refunds take five days.")
    ]


def test_windows_without_a_shared_word_fill_up_in_reading_order() -> None:
    assert select("Unworn shoes.", SOURCE, best=3) == [
        (1, "Shoes must be unworn."),
        (1, "The shop opens at nine."),
        (1, "Returns are free within 14 days."),
    ]


def test_the_ranker_all_reads_every_window_in_order() -> None:
    assert [text for _, text in select("Unworn shoes.", SOURCE, best=1, ranker="all")] == texts_of(
        SOURCE, sizes=(1,), overlap=0
    )


def test_windows_are_verbatim_with_their_place() -> None:
    text = "Zuerst 😀 dies.\r\n\r\nDann das café."
    for window in select_windows([cite(text)], "café", sizes=(1, 3), overlap=2, best=9, ranker="keywords").chosen:
        assert text[window.start : window.end] == window.text


def test_a_text_without_marks_is_cut_where_words_end() -> None:
    spans = window_spans("word " * 1_000, sizes=(1,), overlap=0)
    assert len(spans) > 4
    assert all(end - start <= 1_000 for start, end in spans)
    assert all(("word " * 1_000)[start:end].startswith("word") for start, end in spans)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab 。\n", max_size=300), st.integers(8, 60))
def test_cutting_loses_no_character(text: str, longest: int) -> None:
    spans = list(cut(text, 0, len(text), longest=longest, shared=longest // 8))
    held = {place for start, end in spans for place in range(start, end)}
    assert all(0 < end - start <= longest for start, end in spans)
    assert all(text[place].isspace() for place in range(len(text)) if place not in held)
