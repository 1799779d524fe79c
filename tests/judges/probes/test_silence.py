from judges.probes.changes import Pool, Stranger, apply_change
from judges.text.ranking import ranking_terms
from tests.judges.probes.inputs import cited, given, options

CLAIM = "Returns of shoes are accepted within fourteen days of delivery."


def stranger(source_id: str, text: str) -> Stranger:
    return Stranger(source_id, frozenset(ranking_terms(text)))


def pool(*texts: str, own: frozenset[str] = frozenset()) -> Pool:
    return Pool(strangers=tuple(stranger(f"o{number}", text) for number, text in enumerate(texts)), own=own)


def test_each_citation_gets_a_source_that_does_not_speak_of_the_claim() -> None:
    others = pool("Shoes are accepted on delivery.", "The museum has paintings.", "Rain falls in autumn.")
    claim = given(CLAIM, cited("About returns.", order=1), cited("More.", order=2))
    (change,) = options("silence", claim, pool=others).values()
    assert set(change.sources) == {"o1", "o2"}
    there = {name: cited(f"text of {name}", source_id=name, span=(0, 4)) for name in ("o1", "o2")}
    judged = apply_change(change, claim, there)
    assert [one.source_id for one in judged.cited] == list(change.sources)
    assert [one.order for one in judged.cited] == [1, 2]


def test_what_shares_words_or_belongs_to_the_answer_is_no_stranger() -> None:
    assert options("silence", given(CLAIM, "Its source."), pool=pool("Shoes are accepted within days.")) == {}
    own = pool("The museum has paintings.", own=frozenset({"o0"}))
    assert options("silence", given(CLAIM, "Its source."), pool=own) == {}
    cited_here = given(CLAIM, cited("The museum has paintings.", source_id="o0"))
    assert options("silence", cited_here, pool=pool("The museum has paintings.")) == {}


def test_a_claim_without_content_words_has_none() -> None:
    assert options("silence", given("It is so.", "A source."), pool=pool("The museum has paintings.")) == {}


def test_a_stranger_that_is_gone_is_a_source_of_which_nothing_is_known() -> None:
    claim = given(CLAIM, "Its source.")
    (change,) = options("silence", claim, pool=pool("The museum has paintings.")).values()
    (gone,) = apply_change(change, claim, {}).cited
    assert (gone.source_id, gone.text, gone.resolved, gone.order) == ("o0", "", False, 1)
