import pytest

from judges.lexical import LEXICAL, parse_config
from judges.protocol import Opinion, Outcome, Verdict
from tests.judges.checks.factories import cited_text, claim_input


def judged(claim: str, *sources: str, threshold: float = 0.6) -> Opinion:
    (opinion,) = LEXICAL.from_data({"threshold": threshold}).judge([claim_input(claim, *sources)])
    return opinion


def test_claim_whose_words_stand_in_one_sentence_is_stated_with_that_sentence() -> None:
    source = "The weather was fine. Returns are free within 14 days. Nobody complained."
    opinion = judged("Returns within 14 days are free.", source)
    assert (opinion.outcome, opinion.verdict, opinion.score) == (Outcome.JUDGED, Verdict.STATED, 1.0)
    assert opinion.quote == "Returns are free within 14 days."


def test_score_is_the_share_of_content_words_that_the_best_passage_holds() -> None:
    # Content words: refund, parcel, courier, monday; the source has two of the four.
    opinion = judged("The refund parcel: courier, Monday", "A parcel was sent by courier.")
    assert opinion.score == pytest.approx(0.5)
    assert opinion.verdict is Verdict.ABSENT
    assert opinion.reason == "2 of the claim's 4 content words are in the best passage of the cited source."


def test_words_spread_over_a_text_count_less_than_words_side_by_side() -> None:
    claim = "Returned kettles are repaired quickly"
    together = judged(claim, "Kettles returned are repaired. It goes quickly. Rain fell.")
    apart = judged(claim, "Kettles boil. Rain fell. Shoes are repaired. Snow fell. It goes quickly.")
    assert together.score == 1.0
    assert apart.score is not None
    assert apart.score < 0.6


def test_quote_is_verbatim_from_the_source() -> None:
    source = "Kettles:\n  they  boil\u00a0water. They are “safe”."
    opinion = judged("Kettles boil water and are safe.", source)
    assert opinion.quote
    assert opinion.quote in source


def test_threshold_itself_is_stated() -> None:
    assert judged("parcel courier", "a parcel", threshold=0.5).verdict is Verdict.STATED
    assert judged("parcel courier", "a parcel", threshold=0.51).verdict is Verdict.ABSENT


def test_score_does_not_depend_on_the_other_claims_of_a_run() -> None:
    source = "Returns are free within 14 days. A courier collects the parcel."
    claims = [claim_input("A courier collects returns", source), claim_input("Parcels are free", source)]
    judge = LEXICAL.from_data({})
    together = [opinion.score for opinion in judge.judge(claims)]
    alone = [next(judge.judge([claim])).score for claim in reversed(claims)]
    assert together == alone[::-1]


def test_claim_without_citation_scores_nought() -> None:
    opinion = judged("Returns are free.")
    assert (opinion.outcome, opinion.verdict, opinion.score, opinion.quote) == (Outcome.JUDGED, Verdict.ABSENT, 0.0, "")


@pytest.mark.parametrize("claim", ["It is what it is.", "", "!!!"])
def test_claim_without_content_words_scores_nought_and_says_so(claim: str) -> None:
    opinion = judged(claim, "It is what it is.")
    assert opinion.score == 0.0
    assert opinion.reason == "The claim has no content word to look for."


def test_best_of_several_sources_counts() -> None:
    opinion = judged("A courier collects the parcel", "Rain fell.", "The courier collects each parcel.")
    assert opinion.score == 1.0
    assert opinion.quote == "The courier collects each parcel."


def test_japanese_without_spaces_is_scored() -> None:
    source = "天気が良い。返品は十四日以内なら無料です。店は閉まっている。"
    near, far = judged("十四日以内の返品は無料", source), judged("配送料は有料", source)
    assert near.score is not None
    assert far.score is not None
    assert near.score > 0.6 > far.score
    assert near.quote == "返品は十四日以内なら無料です。"


def test_words_of_the_title_count_as_held() -> None:
    judge = LEXICAL.from_data({})
    (opinion,) = judge.judge([claim_input("Kettle returns are free", cited_text("Returns are free.", title="Kettle"))])
    assert opinion.score == 1.0


@pytest.mark.parametrize("source", ["", "\n", "🙂", "a" * 5000])
def test_source_without_a_word_of_the_claim_scores_nought(source: str) -> None:
    assert judged("Returns are free", source).score == 0.0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"threshold": 1.5}, "threshold is 1.5; expected a number from 0 to 1"),
        ({"threshold": "0.6"}, "threshold is '0.6'; expected a number from 0 to 1"),
        ({"threshold": True}, "threshold is True; expected a number from 0 to 1"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"treshold": 0.5}, "unknown key 'treshold'; expected one of threshold"),
    ],
)
def test_configuration_error_names_the_key_and_what_was_expected(data: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_config(data)


def test_whole_number_and_fraction_name_the_same_configuration() -> None:
    assert LEXICAL.complete_config({"threshold": 1}) == LEXICAL.complete_config({"threshold": 1.0})
    assert LEXICAL.complete_config({}) == LEXICAL.default_config() == {"threshold": 0.6}
