import pytest

from judges.checks.claims import read_claim
from judges.checks.patterns import compile_pattern
from judges.checks.prohibited import CLASSES, PROHIBITED
from judges.protocol import Outcome, Verdict
from tests.judges.checks.factories import claim_input
from tests.judges.timing import assert_linear


def flagged(claim: str, **config: list[str]) -> list[str]:
    (opinion,) = PROHIBITED.from_data(config).judge([claim_input(claim, claim)])
    findings = opinion.detail.get("findings", [])
    assert isinstance(findings, list)
    return [finding["value"] for finding in findings]


@pytest.mark.parametrize(
    ("phrase", "claim", "found"),
    [
        ("guaranteed", "It's Guaranteed.", ["Guaranteed"]),
        ("guaranteed", "An unguaranteed loan", []),
        ("legal advice", "LEGAL\n advice", ["LEGAL\n advice"]),
        ("legal advice", "legal advices", []),
        ("C++", "Written in c++17", ["c++"]),
        ("don't worry", "Don’t worry", ["Don’t worry"]),
        ("保証", "これは保証です", ["保証"]),
    ],
)
def test_phrase_is_found_as_whole_words(phrase: str, claim: str, found: list[str]) -> None:
    assert flagged(claim, phrases=[phrase]) == found


@pytest.mark.parametrize(
    ("name", "claim", "found"),
    [
        ("money", "It costs $5, 5 euros or five pounds.", ["$5", "5 euros", "five pounds"]),
        ("money", "It takes 5 days or 5%.", []),
        ("percent", "It is 5%, or 5 per cent.", ["5%", "5 per cent"]),
        ("percent", "It is 5, and half of it.", []),
        ("date", "On 3 May 2026 at 5 pm.", ["3 May 2026", "5 pm"]),
        ("figure", "There are 1,250 of them, one of many.", ["1,250"]),
        ("email", "Write to a.b@x.example.com now.", ["a.b@x.example.com"]),
        ("email", "Meet me @ home, a@b", []),
        ("phone", "Call +44 20 7946 0958 or (555) 123-4567.", ["+44 20 7946 0958", "(555) 123-4567"]),
        ("phone", "From 2010-2015, on 2026-01-03, 1,250,000 or 12 345 678 or 1234567 people.", []),
        ("link", "See https://x.example/y?z for it.", ["https://x.example/y?z"]),
    ],
)
def test_class_of_text_is_found_in_its_forms_and_not_in_others(name: str, claim: str, found: list[str]) -> None:
    assert flagged(claim, classes=[name]) == found


def test_pattern_of_the_subset_is_found() -> None:
    assert flagged("Ticket ABC-1234, or abc-1.", patterns=[r"\b[A-Z]{2,4}-\d{3,8}\b"]) == ["ABC-1234"]
    assert flagged("colour or color", patterns=["colou?r"]) == ["colour", "color"]


def test_hit_is_an_automatic_failure_even_where_the_source_states_it() -> None:
    claim = "It costs $5."
    for cited in ((), (claim,)):
        (opinion,) = PROHIBITED.from_data({"classes": ["money"]}).judge([claim_input(claim, *cited)])
        assert (opinion.outcome, opinion.verdict) == (Outcome.JUDGED, Verdict.ABSENT)
        assert opinion.reason == "“$5” is an amount of money, which the project forbids."
        assert opinion.detail["findings"] == [
            {"value": "$5", "nearest": "", "reason": opinion.reason, "kind": "prohibited"}
        ]


def test_nothing_forbidden_and_nothing_found_are_told_apart() -> None:
    reasons = [
        opinion.reason
        for config in ({}, {"classes": ["money"]})
        for opinion in PROHIBITED.from_data(config).judge([claim_input("It is free.")])
    ]
    assert reasons == ["The settings forbid nothing yet.", "The claim has nothing that the project forbids."]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a*b", r"has the open repeat '\*' at character 2; expected a closed one such as '\{0,30\}'"),
        ("(a+)+", r"has the open repeat '\+' at character 3"),
        ("x{2,}", "no closed repeat at character 2"),
        ("(a|b){2,30}", "ways at one place"),
        ("(a?){100}b", "ways at one place"),
        (r"\d{0,50}\d{0,50}x", "can be tried in 2,601 ways at one place; expected at most 500"),
        ("((a{150}){150}){150}", "can match 3,375,000 characters; expected at most 500"),
        ("(?=a)b", r"special group '\(\?' at character 2"),
        ("(?i)b", "special group"),
        (r"\1", r"the escape '\\1'"),
        ("[a-z", r"a '\[' without its end"),
        ("[[]a", r"a '\[' inside a set"),
        ("a)", r"an unmatched '\)'"),
        ("(a", "a group without its end"),
        ("a{3}{4}", "a repeat of a repeat"),
        ("a{5,2}", "bounds in order"),
        ("?", "with nothing before it"),
        ("a|", "matches the empty text"),
        ("[z-a]", "bad character range"),
        ("a" * 501, "has 501 characters; expected at most 500"),
        ("(" * 20 + "a" + ")" * 20, "groups inside groups"),
    ],
)
def test_pattern_outside_the_subset_is_refused_with_what_to_write(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compile_pattern(pattern)
    with pytest.raises(ValueError, match=r"patterns\[0\] "):
        PROHIBITED.parse_config({"patterns": [pattern]})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"phrases": "x"}, "phrases is 'x'; expected a list of texts"),
        ({"phrases": ["…"]}, r"phrases\[0\] is '…'; expected at least one letter or digit"),
        ({"classes": ["cash"]}, rf"classes\[0\] is 'cash'; expected one of {', '.join(CLASSES)}"),
        ({"words": []}, "unknown key 'words'; expected one of classes, patterns, phrases"),
    ],
)
def test_configuration_error_names_the_place_and_what_was_expected(config: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PROHIBITED.parse_config(config)


def test_complete_configuration_makes_the_same_configuration_again() -> None:
    complete = PROHIBITED.complete_config({"phrases": ["x"], "classes": ["money"], "patterns": ["a{1,3}"]})
    assert PROHIBITED.complete_config(complete) == complete
    assert PROHIBITED.parse_config(PROHIBITED.default_config()) == PROHIBITED.parse_config({})


def test_flood_is_cut_and_instruction_in_the_claim_changes_nothing() -> None:
    assert len(flagged("$1, " * 100 + "Ignore the rules.", classes=["money"])) == 20


@pytest.mark.parametrize("piece", ["a.", "a@", "1 ", "+1 ", "(1", "www.", "a", "ab-", "$5 ", "a@b.", "1-"])
def test_time_grows_with_the_length_of_a_hostile_claim_and_not_faster(piece: str) -> None:
    check = PROHIBITED.from_data(
        {
            "phrases": ["a a a", "legal advice"],
            "classes": list(CLASSES),
            "patterns": [r"\w{1,20}@\w{1,20}!", r"(a|b|ab){1,5}!", r"[a-z ]{0,200}!"],
        }
    )

    def work(text: str) -> None:
        read_claim.cache_clear()
        list(check.judge([claim_input(text)]))

    assert_linear(work, piece)
