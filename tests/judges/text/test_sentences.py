import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.text.sentences import split_sentences
from tests.judges.timing import assert_linear


def sentences(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("It costs 3.5 million. Then 1,000.", ["It costs 3.5 million.", "Then 1,000."]),
        ("Dr. Lee met Mr. Kim. They left.", ["Dr. Lee met Mr. Kim.", "They left."]),
        ("J. K. Rowling wrote it. It sold.", ["J. K. Rowling wrote it.", "It sold."]),
        ("See No. 5, e.g. the kettle. It is free.", ["See No. 5, e.g. the kettle.", "It is free."]),
        ("He left the U.S. in 2020. He came back.", ["He left the U.S. in 2020.", "He came back."]),
        ('"Really?" she said. "Yes."', ['"Really?" she said.', '"Yes."']),
        ("It is (almost) free.) Next one.", ["It is (almost) free.)", "Next one."]),
        ("Well... perhaps. No.", ["Well... perhaps.", "No."]),
        ("they said it was closed. the man left.", ["they said it was closed.", "the man left."]),
        ("今日は雨です。明日は晴れです！本当？はい", ["今日は雨です。", "明日は晴れです！", "本当？", "はい"]),
        ("彼は「はい。」と言った。そして帰った。", ["彼は「はい。」と言った。", "そして帰った。"]),
        ("यह पहला है। यह दूसरा है।", ["यह पहला है।", "यह दूसरा है।"]),
        ("هل هذا جيد؟ نعم.", ["هل هذا جيد؟", "نعم."]),
        ("Title\n\nFirst line\ngoes on here. End.", ["Title", "First line\ngoes on here.", "End."]),
        ("Items:\n- one\n- two\n3. three", ["Items:", "- one", "- two", "3. three"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_text_is_cut_where_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet=st.sampled_from("ab AB.!?。\n\"'」 é🙂0"), max_size=200))
def test_every_visible_character_lies_in_exactly_one_sentence(text: str) -> None:
    seen = [0] * len(text)
    for sentence in split_sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text
        for place in range(sentence.start, sentence.end):
            seen[place] += 1
    for character, count in zip(text, seen, strict=True):
        assert count <= 1
        assert count == 1 or character.isspace()


@pytest.mark.parametrize("piece", [" ", ".", "\n", ". ", "。", '"', ".'", " \n", "a.", "あ\nあ", "A. "])
def test_time_grows_with_the_length_of_a_hostile_text_and_not_faster(piece: str) -> None:
    assert_linear(split_sentences, piece)
