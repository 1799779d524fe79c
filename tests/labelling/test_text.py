import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelling.text.marking import find_quote, mark_claim
from labelling.text.paragraphs import LONGEST_LINE, paragraphs


@pytest.mark.parametrize(
    ("answer", "claim", "marked"),
    [
        ("Yes. You have 14 days. Bye.", "You have 14 days.", "You have 14 days."),
        ("Yes. you have\n14  days! Bye.", "You have 14 days.", "you have\n14  days!"),
        (
            "Hello. Jackets can be sent back within 30 days.",
            "Jackets can be returned within 30 days.",
            "Jackets can be sent back within 30 days.",
        ),
        ("Nothing of the kind.", "You have 14 days.", ""),
        ("", "You have 14 days.", ""),
        ("Some answer.", "...", ""),
        ("كل شيء. يمكن الإرجاع خلال 14 يوما. شكرا.", "يمكن الإرجاع خلال 14 يوما", "يمكن الإرجاع خلال 14 يوما."),
    ],
)
def test_the_claim_is_marked_where_the_answer_makes_it(answer: str, claim: str, marked: str) -> None:
    found = mark_claim(answer, claim)
    assert found.marked == marked
    assert found.before + found.marked + found.after == answer


def test_a_quote_is_found_across_line_ends_and_in_either_spelling() -> None:
    text = "The cafe\u0301\r\n  is open."
    assert find_quote(text, "café is open") == [(4, len(text) - 1)]
    assert find_quote(text, "  ") == []
    assert find_quote("a.c abc", "a.c") == [(0, 3)]


def test_a_very_long_line_is_cut_behind_sentences_or_words_and_never_inside_a_character() -> None:
    sentences = "A sentence of some length. " * 400
    assert {line.pieces[-1].text[-2:] for line in paragraphs(sentences)} == {". "}
    words = "word " * 2_000
    assert {line.pieces[-1].text[-1] for line in paragraphs(words)} == {" "}
    families = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u0301" * 2_000
    for line in paragraphs(families):
        assert line.pieces[0].text[0] == "\N{MAN}"
    for text in (sentences, words, families):
        lines = paragraphs(text)
        assert "".join(line.pieces[0].text for line in lines) == text
        assert max(len(line.pieces[0].text) for line in lines) <= LONGEST_LINE + 5
        assert [line.apart for line in lines] == [False] * len(lines)


@given(
    st.text(alphabet=st.sampled_from("ab 😀e\u0301\r\n\u05e9"), max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=4),
)
def test_every_character_but_line_ends_is_shown_once_at_its_place(text: str, spans: list[tuple[int, int]]) -> None:
    text = f"{text}{'word. ' * (len(spans) * 400)}{text}"  # now and then with a line that is cut
    cited = [(start, min(len(text), start + length)) for start, length in spans if start < len(text)]
    inside = {i for start, end in cited for i in range(start, end)}
    shown: dict[int, tuple[str, bool]] = {}
    for line in paragraphs(text, cited):
        at = line.start
        for piece in line.pieces:
            for character in piece.text:
                shown[at] = (character, piece.cited)
                at += 1
    assert all(text[i] == character for i, (character, _) in shown.items())
    assert all(cited_here == (i in inside) for i, (_, cited_here) in shown.items())
    assert all(text[i].isspace() for i in range(len(text)) if i not in shown)
