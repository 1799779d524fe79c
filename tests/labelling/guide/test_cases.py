"""The default guide settles every borderline case, under both policies, in words of its own."""

import pytest

from labelling.guide.cases import CASE_BY_KEY, CASES
from labelling.guide.rendering import render_markdown
from labelling.guide.wording import (
    CASES_HEADING,
    cases_markdown,
    default_prose,
    guide_text,
    policy_wording,
    prose_of,
    verdict_word,
)
from labelling.models import Label, Policy

RULINGS = {
    "other-words": ("stated", "stated"),
    "unit-converted": ("stated", "stated"),
    "rounded-about": ("stated", "stated"),
    "rounded-exact": ("partial", "partial"),
    "arithmetic": ("absent", "stated"),
    "modality-raised": ("partial", "partial"),
    "modality-lowered": ("stated", "stated"),
    "quantifier-widened": ("partial", "partial"),
    "list-including": ("stated", "stated"),
    "list-as-whole": ("partial", "partial"),
    "joined-by-because": ("partial", "partial"),
    "ordinary-meaning": ("absent", "stated"),
    "true-elsewhere": ("absent", "absent"),
    "wrong-entity": ("contradicted", "contradicted"),
    "reported-as-fact": ("partial", "partial"),
    "names-the-source": ("stated", "stated"),
    "source-contradicts-itself": ("stated", "stated"),
    "which-version": ("partial", "stated"),
    "superseded": ("stated", "stated"),
    "unreadable": ("absent", "absent"),
    "missing-referent": ("stated", "stated"),
    "not-a-claim": ("skip", "skip"),
    "negation": ("contradicted", "contradicted"),
    "denies-silence": ("absent", "absent"),
}
CONDITIONAL = {
    "rounded-exact": ("", "stated"),
    "quantifier-widened": ("contradicted", "contradicted"),
    "joined-by-because": ("", "stated"),
    "wrong-entity": ("absent", "absent"),
    "source-contradicts-itself": ("contradicted", "contradicted"),
    "which-version": ("", "partial"),
    "missing-referent": ("another verdict", "another verdict"),
}
FLAGGED = {
    "source-contradicts-itself": Label.Flag.SOURCE_CONTRADICTS_ITSELF,
    "unreadable": Label.Flag.SOURCE_FAULT,
    "missing-referent": Label.Flag.REFERENT_MISSING,
}


@pytest.mark.parametrize("policy", Policy.values)
def test_every_case_has_its_ruling(policy: str) -> None:
    column = 0 if policy == Policy.STRICT else 1
    found = {case.key: verdict_word(case, policy, {}) for case in CASES}
    assert found == {key: rulings[column] for key, rulings in RULINGS.items()}


def test_conditions_name_the_other_verdict_and_only_where_there_is_one() -> None:
    for case in CASES:
        expected = CONDITIONAL.get(case.key, ("", ""))
        for ruling, start in zip((case.strict, case.inference), expected, strict=True):
            assert bool(ruling.unless) == bool(start), case.key
            assert ruling.unless.startswith(start), case.key


def test_faults_of_source_and_claim_are_flagged() -> None:
    flags = {case.key: case.strict.flag for case in CASES if case.strict.flag}
    assert flags == FLAGGED
    assert all(case.strict.flag == case.inference.flag for case in CASES)


def test_keys_titles_and_examples_are_each_used_once() -> None:
    assert len(CASES) == len(CASE_BY_KEY) == 24
    for values in ([c.title for c in CASES], [c.claim for c in CASES], [c.explanation for c in CASES]):
        assert len(set(values)) == 24
        assert all(value.strip() for value in values)


@pytest.mark.parametrize("policy", Policy.values)
def test_guide_shows_every_case_with_its_example_just_as_written(policy: str) -> None:
    html = render_markdown(guide_text(default_prose(policy), policy=policy, switched={}))
    for case in CASES:
        for words in (case.title, case.source, case.claim):
            assert f"{words.replace('&', '&amp;').replace('<', '&lt;')}" in html, case.key


@pytest.mark.parametrize("policy", Policy.values)
def test_prompt_wording_holds_every_ruling_that_people_are_held_to(policy: str) -> None:
    wording = policy_wording(policy, {})
    for case in CASES:
        assert f"- {case.title}: {verdict_word(case, policy, {})}." in wording
        assert case.ruling(policy).why in wording
        assert case.source in wording
    assert "**" not in wording


def test_policies_differ_where_a_conclusion_has_to_be_drawn() -> None:
    differing = {key for key, (strict, inference) in RULINGS.items() if strict != inference}
    assert differing == {"arithmetic", "ordinary-meaning", "which-version"}
    assert policy_wording(Policy.STRICT, {}) != policy_wording(Policy.INFERENCE, {})


def test_switched_case_is_ruled_so_for_people_and_for_judges() -> None:
    switched = {"arithmetic": "partial"}
    assert "### A figure that has to be worked out\n\n**Partial.**" in cases_markdown(Policy.STRICT, switched)
    wording = policy_wording(Policy.STRICT, switched)
    assert "A figure that has to be worked out: partial." in wording
    assert CASE_BY_KEY["arithmetic"].strict.why not in wording


@pytest.mark.parametrize(
    ("switched", "named"),
    [
        ({"arithmetics": "stated"}, "arithmetics"),
        ({"arithmetic": "true"}, "true"),
        ({"not-a-claim": "absent"}, "not-a-"),
    ],
)
def test_switch_that_makes_no_sense_is_refused_by_name(switched: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        policy_wording(Policy.STRICT, switched)


def test_unknown_policy_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="lenient"):
        policy_wording("lenient", {})


def test_prose_is_found_again_in_the_whole_text() -> None:
    prose = default_prose(Policy.INFERENCE).strip()
    assert prose_of(guide_text(prose, policy=Policy.INFERENCE, switched={})) == prose
    assert CASES_HEADING not in prose
    assert prose_of("# A guide of our own") == "# A guide of our own"
