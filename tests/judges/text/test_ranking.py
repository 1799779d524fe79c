"""Passages are ranked by BM25 over all sources together."""

from judges.text.ranking import KeywordIndex, rank, ranking_terms


def test_terms_are_content_words_folded_and_stemmed() -> None:
    assert ranking_terms("The Refunds were refunded!") == ["refund", "refund"]


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    index = KeywordIndex([["tea", "pot"], ["tea", "cup"], ["tea", "bag"], ["milk", "jug"]])
    assert rank([index], ["tea", "jug"])[0] == (0, 3)


def test_a_short_passage_beats_a_long_one_and_repeats_count() -> None:
    assert rank([KeywordIndex([["tea", "a", "b", "c"], ["tea"]])], ["tea"]) == [(0, 1), (0, 0)]
    assert rank([KeywordIndex([["tea", "a"], ["tea", "tea"]])], ["tea"]) == [(0, 1), (0, 0)]


def test_how_rare_a_term_is_counts_over_all_sources() -> None:
    # "tea" is in every passage of the first source, but rarer than "pot" in both together.
    one = KeywordIndex([["tea"]])
    other = KeywordIndex([["pot"], ["pot"], ["pot"], ["jug"]])
    assert rank([one, other], ["tea", "pot"]) == [(0, 0), (1, 0), (1, 1), (1, 2)]


def test_passages_without_a_shared_term_are_not_ranked() -> None:
    assert rank([KeywordIndex([["tea"], []])], ["milk"]) == []
    assert rank([], ["tea"]) == []


def test_counts_are_taken_in_the_place_of_terms() -> None:
    as_terms, as_counts = KeywordIndex([["tea", "tea", "pot"]]), KeywordIndex([{"tea": 2, "pot": 1}])
    assert as_terms.postings == as_counts.postings
    assert as_terms.lengths == as_counts.lengths
