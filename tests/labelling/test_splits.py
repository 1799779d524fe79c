from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from labelling.importing.files import Reading
from labelling.models import Answer, Project, Split
from labelling.services.splits import summarise_splits
from labelling.splits import TEST_SHARE, split_of, split_of_source, splits_by_source
from tests.factories import make_answer, make_claim, make_project, make_source
from tests.labelling.importing.files import bring, native

DEV, TEST = "development", "test"


def source(name: str) -> dict[str, object]:
    return {"type": "source", "id": name, "text": f"All that {name} says."}


def answer(name: str, *cited: str, **fields: object) -> dict[str, object]:
    """An answer with a claim for each source that it cites."""
    claims = [{"id": f"{name}.{i}", "text": f"Claim {i}.", "citation": {"source": one}} for i, one in enumerate(cited)]
    return {"type": "answer", "id": name, "text": "Something.", "claims": claims, **fields}


def splits(project: Project) -> dict[str, str]:
    return dict(Answer.objects.filter(project=project).values_list("external_id", "split"))


def named(wanted: str, *, like: str = "a", but: int = 1000) -> str:
    """An answer's id that falls into a split by itself."""
    return next(name for name in (f"{like}{i}" for i in range(but)) if split_of(name) == wanted)


def a_source_for(wanted: str) -> str:
    return next(name for name in (f"s{i}" for i in range(100)) if split_of_source(name) == wanted)


def test_an_answer_stays_in_its_split_on_every_machine() -> None:
    # Written down, not computed: a change here would move claims between development and test.
    assert [split_of(f"a{i}") for i in range(1, 7)] == [TEST, DEV, TEST, DEV, DEV, TEST]
    assert [split_of_source(f"s{i}") for i in range(1, 7)] == [TEST, DEV, DEV, TEST, DEV, TEST]


@pytest.mark.parametrize("draw", [split_of, split_of_source])
def test_the_share_of_test_is_near_what_is_meant(draw: object) -> None:
    assert callable(draw)
    count = sum(draw(f"answer-{i}") == Split.TEST for i in range(5_000))
    assert count / 5_000 == pytest.approx(TEST_SHARE, abs=0.03)


def test_answers_that_hang_together_by_a_chain_of_sources_share_a_split() -> None:
    chain = {1: ["a", "b"], 2: ["b", "c"], 3: ["c"], 4: ["z"]}
    found = splits_by_source(chain, settled={}, answers=20)
    assert found[1] == found[2] == found[3] == split_of_source("a")
    assert found[4] == split_of_source("z")


def test_a_group_of_more_than_half_of_the_answers_falls_one_by_one() -> None:
    together = {number: ["a"] for number in range(6)}
    assert splits_by_source(together, settled={}, answers=11) == {}
    assert set(splits_by_source(together, settled={}, answers=12).values()) == {split_of_source("a")}
    known = {"a": dict.fromkeys(range(100, 106), TEST)}
    assert splits_by_source({1: ["a"]}, settled=known, answers=13) == {}


def test_an_answer_between_both_sides_falls_by_itself_and_takes_nobody_along() -> None:
    known = {"a": {90: DEV}, "b": {91: TEST}, "both": {90: DEV, 91: TEST}}
    found = splits_by_source({1: ["a", "b"], 2: ["both", "c"], 3: ["c"], 4: ["both"]}, settled=known, answers=50)
    assert found == {2: split_of_source("c"), 3: split_of_source("c")}


@pytest.mark.django_db
def test_imported_answers_that_cite_a_source_in_common_come_to_the_same_side(tmp_path: Path) -> None:
    project = make_project()
    names = [f"s{i}" for i in range(20)]
    lines = [answer(f"a{i}", names[i % 20]) for i in range(60)]
    bring(project, native(tmp_path / "x.jsonl", *map(source, names), *lines))
    found = splits(project)
    assert {found[f"a{i}"] for i in range(60)} == {DEV, TEST}
    assert found == {f"a{i}": split_of_source(names[i % 20]) for i in range(60)}
    assert summarise_splits(project).tied == 0


@pytest.mark.django_db
def test_no_answer_ever_moves_and_later_ones_join_those_that_are_there(tmp_path: Path) -> None:
    project = make_project()
    side = a_source_for(TEST)
    others = [answer(f"other{i}", f"o{i}") for i in range(8)]
    bring(project, native(tmp_path / "1.jsonl", source(side), *[source(f"o{i}") for i in range(8)], *others))
    before = splits(project)
    bring(project, native(tmp_path / "2.jsonl", answer(named(DEV), side)))
    bring(project, native(tmp_path / "3.jsonl", source("a-earlier"), answer("late", side, "a-earlier")))
    after = splits(project)
    assert before.items() <= after.items()
    assert after[named(DEV)] == after["late"] == TEST


@pytest.mark.django_db
def test_a_split_that_the_line_gives_wins_and_draws_the_others(tmp_path: Path) -> None:
    project = make_project()
    unlike = TEST if split_of_source("s1") == DEV else DEV
    names = [f"o{i}" for i in range(4)]
    rest = [answer(name, name) for name in names]
    given = answer("given", "s1", split=unlike)
    bring(project, native(tmp_path / "x.jsonl", *map(source, ["s1", *names]), *rest, answer("beside", "s1"), given))
    assert splits(project)["given"] == splits(project)["beside"] == unlike


@pytest.mark.django_db
def test_what_cites_nothing_goes_by_what_it_retrieved(tmp_path: Path) -> None:
    project = make_project()
    side = a_source_for(TEST)
    own = named(DEV)
    others = [answer(f"o{i}") for i in range(4)]
    bring(project, native(tmp_path / "1.jsonl", source(side), answer("cites", side), *others))
    bring(project, native(tmp_path / "2.jsonl", answer(own, retrieved=[side, "unknown"])))
    assert splits(project)["cites"] == splits(project)[own] == TEST
    assert splits(project)["o1"] == split_of("o1")


@pytest.mark.django_db
def test_one_source_for_everything_still_gives_two_sides_and_says_so(tmp_path: Path) -> None:
    project = make_project()
    lines = [answer(f"a{i}", "s1") for i in range(1, 7)]
    bring(project, native(tmp_path / "x.jsonl", source("s1"), *lines))
    assert splits(project) == {f"a{i}": str(split_of(f"a{i}")) for i in range(1, 7)}
    summary = summarise_splits(project)
    assert (summary.development, summary.test, summary.shared_sources, summary.tied) == (3, 3, 1, 6)


@pytest.mark.django_db
def test_an_empty_split_on_a_line_moves_nothing_even_with_update(tmp_path: Path) -> None:
    project = make_project()
    name = named(DEV)
    make_answer(project, external_id=name, split=TEST, text="Something.")
    bring(project, native(tmp_path / "x.jsonl", answer(name, split="", system="bot")), update=True)
    kept = Answer.objects.get(project=project)
    assert (kept.split, kept.system) == (TEST, "bot")


@pytest.mark.django_db
def test_the_order_of_independent_files_does_not_matter(tmp_path: Path) -> None:
    one, two = make_project(), make_project()
    first = native(
        tmp_path / "1.jsonl", *[source(f"s{i}") for i in range(9)], *[answer(f"a{i}", f"s{i}") for i in range(9)]
    )
    second = native(
        tmp_path / "2.jsonl", *[source(f"t{i}") for i in range(9)], *[answer(f"b{i}", f"t{i}") for i in range(9)]
    )
    for project, files in ((one, (first, second)), (two, (second, first))):
        for file in files:
            bring(project, file, reading=Reading())
    assert splits(one) == splits(two)


@pytest.mark.django_db
def test_another_project_with_the_same_ids_plays_no_part(tmp_path: Path) -> None:
    other = make_project()
    make_claim(other, answer=make_answer(other, split=DEV), source=make_source(other, external_id="s1"))
    project = make_project()
    rest = [answer(f"o{i}") for i in range(4)]
    bring(project, native(tmp_path / "x.jsonl", source("s1"), *rest, answer("a1", "s1"), answer("a2", "s1")))
    assert splits(project)["a1"] == splits(project)["a2"] == TEST == split_of_source("s1")


@pytest.mark.django_db
def test_the_summary_takes_three_queries(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", source("s1"), *[answer(f"a{i}", "s1") for i in range(6)]))
    with CaptureQueriesContext(connection) as queries:
        summarise_splits(project)
    assert len(queries) == 3
