from hypothesis import given
from hypothesis import strategies as st

from labelling.overlay import Piece, Span, overlay


def test_overlapping_spans_are_cut_where_either_starts_or_ends() -> None:
    assert overlay("abcdefgh", [Span(1, 5, "A"), Span(3, 7, "B")]) == [
        [
            Piece("a", (), ()),
            Piece("bc", ("A",), ("A",)),
            Piece("de", ("A", "B"), ("B",)),
            Piece("fg", ("B",), ()),
            Piece("h", (), ()),
        ]
    ]


def test_span_inside_another_keeps_both_marks() -> None:
    middle = overlay("abcdef", [Span(0, 6, "cited"), Span(2, 4, "A")])[0][1]
    assert middle == Piece("cd", ("cited", "A"), ("A",))


def test_offsets_count_code_points_and_not_what_a_browser_counts() -> None:
    text = "🧥e\u0301 coat"
    assert overlay(text, [Span(4, 8, "A")])[0][1].text == "coat"


def test_span_over_a_line_end_goes_on_and_begins_once() -> None:
    first, second = overlay("one\r\ntwo", [Span(1, 7, "A")])
    assert [piece.text for piece in first] == ["o", "ne"]
    assert second == [Piece("tw", ("A",), ()), Piece("o", (), ())]


def test_span_that_starts_on_blank_lines_begins_where_it_is_first_seen() -> None:
    lines = overlay("one\n\n\ntwo", [Span(4, 9, "A")])
    assert lines[1] == [Piece("two", ("A",), ("A",))]


def test_same_reader_twice_over_one_place_is_one_mark() -> None:
    assert overlay("abc", [Span(0, 2, "A"), Span(0, 3, "A")])[0][0].marks == ("A",)


@given(
    st.text(alphabet="ab é🧥\n\r\u2028ا", max_size=40),
    st.lists(st.tuples(st.integers(0, 45), st.integers(1, 45), st.sampled_from("ABC")), max_size=5),
)
def test_no_character_is_lost_doubled_or_marked_wrongly(text: str, raw: list[tuple[int, int, str]]) -> None:
    spans = [Span(start, start + length, mark) for start, length, mark in raw]
    shown = [line for line in text.splitlines() if line.strip()]
    lines = overlay(text, spans)
    assert ["".join(piece.text for piece in line) for line in lines] == shown
    marked = {
        mark: "".join(piece.text for line in lines for piece in line if mark in piece.marks) for mark in ("A", "B", "C")
    }
    for mark, found in marked.items():
        places = {i for span in spans if span.mark == mark for i in range(span.start, min(span.end, len(text)))}
        visible, at = set(), 0
        for line in text.splitlines(keepends=True):
            bare = line.splitlines()[0]
            if bare.strip():
                visible |= set(range(at, at + len(bare)))
            at += len(line)
        assert found == "".join(text[i] for i in sorted(places & visible))


def test_span_over_a_cut_of_a_very_long_line_goes_on_and_begins_once() -> None:
    text = "A sentence of some length. " * 200
    lines = overlay(text, [Span(10, 4_000, "A")])
    assert len(lines) > 2
    assert "".join(piece.text for line in lines for piece in line) == text
    marked = [piece for line in lines for piece in line if piece.marks]
    assert "".join(piece.text for piece in marked) == text[10:4_000]
    assert [bool(piece.starts) for piece in marked] == [True] + [False] * (len(marked) - 1)
