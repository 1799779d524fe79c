import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from judges.checks.claims import read_claim
from judges.probes.changes import Pool
from judges.probes.perturbation import proper_names
from tests.judges.probes.inputs import given, options

SOURCE = "The shop has 40 staff. It was opened on 3 May 2019 in Leeds by Ann Lee, and it is open on Sundays."
NAMES = Pool(names=("Oslo", "Bo Sand", "Leeds", "NATO"))


@pytest.mark.parametrize("seed", range(10))
def test_a_figure_gives_way_to_another_that_no_source_has(seed: int) -> None:
    change = options("perturbation", given("The shop has 40 staff.", SOURCE), seed=seed)["figure"]
    assert change.before == "40"
    assert change.after not in ("40", "3", "2019")
    assert len(change.after) == 2
    assert change.claim == f"The shop has {change.after} staff."


@pytest.mark.parametrize("seed", range(10))
def test_a_figure_of_the_source_is_never_what_the_claim_is_changed_to(seed: int) -> None:
    others = " ".join(f"{number} people." for number in (10, 20, 30, 50, 60, 70, 80))
    change = options("perturbation", given("The shop has 40 staff.", f"{SOURCE} {others}"), seed=seed).get("figure")
    assert change is not None
    assert change.after == "90"


@drawn(st.integers(2, 10**9), st.integers(0, 50))
def test_another_figure_is_another_value_in_the_same_form(number: int, seed: int) -> None:
    claim = given(f"It has {number:,} staff.", f"It has {number:,} staff.")
    change = options("perturbation", claim, seed=seed).get("figure")
    if change is None:
        return
    assert len(change.after) == len(change.before)
    assert [letter == "," for letter in change.after] == [letter == "," for letter in change.before]
    (old,), (new,) = read_claim(claim.text).values, read_claim(change.claim).values
    assert old.numbers != new.numbers


@pytest.mark.parametrize(
    "text", ["The shop has more than 40 staff.", "The shop has about 40 staff.", "At least 40 of the staff left [12]."]
)
def test_a_figure_that_may_be_as_true_with_another_value_stays(text: str) -> None:
    assert "figure" not in options("perturbation", given(text, SOURCE))


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("The shop was opened in 2019.", "2019"),
        ("The shop was opened on 3 May 2019.", "2019"),
        ("On 3 May it was.", "May"),
    ],
)
def test_a_date_is_moved(text: str, before: str) -> None:
    change = options("perturbation", given(text, SOURCE))["date"]
    assert change.before == before
    assert change.claim == text.replace(before, change.after)


def test_a_date_that_is_an_end_stays() -> None:
    assert "date" not in options("perturbation", given("The shop was opened before 2019.", SOURCE))


def test_a_name_gives_way_to_one_of_the_same_shape_that_no_source_has() -> None:
    change = options("perturbation", given("The shop in Leeds belongs to the town of Leeds.", SOURCE), pool=NAMES)[
        "name"
    ]
    assert change.claim == "The shop in Oslo belongs to the town of Oslo."
    change = options("perturbation", given("The shop of Ann Lee is open.", SOURCE), pool=NAMES)["name"]
    assert change.claim == "The shop of Bo Sand is open."
    assert "name" not in options("perturbation", given("The shop in Leeds is open.", SOURCE), pool=Pool(names=("Lee",)))


def test_names_are_whole_runs_without_words_of_grammar() -> None:
    assert proper_names("It was opened by Ann Lee in the United Kingdom.") == ["Ann Lee", "United Kingdom"]
    assert proper_names("Ask for help.") == []


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The shop is open on Sundays.", "The shop is not open on Sundays."),
        ("The shop is not open on Mondays.", "The shop is open on Mondays."),
        ("The shop isn’t open on Mondays.", "The shop is open on Mondays."),
        ("The staff of the shop cannot smoke.", "The staff of the shop can smoke."),
        ("The shop that was sold has been closed.", "The shop that was sold has not been closed."),
        ("The shop does not open.", "The shop does open."),
    ],
)
def test_a_negation_is_put_in_or_taken_out(text: str, other: str) -> None:
    assert options("perturbation", given(text, SOURCE))["negation"].claim == other


@pytest.mark.parametrize(
    "text",
    [
        "All of the shops are open.",
        "The shop is never open.",
        "The shop is open if the staff are there.",
        "The shop is not open, and it will never be.",
        "The shop opened in May.",
        "Der Laden ist offen und das ist gut.",
    ],
)
def test_a_negation_whose_effect_is_not_sure_is_left_alone(text: str) -> None:
    assert "negation" not in options("perturbation", given(text, SOURCE))
