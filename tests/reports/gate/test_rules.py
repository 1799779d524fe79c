"""The file of a gate, and whether a rule holds: from the safe end, and shut where nothing is known."""

from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from calibration.groundedness import Groundedness
from calibration.results import Figure
from reports.gate.deciding import Exit, Outcome, decide_figure, decide_none, exit_of
from reports.gate.reading import DEFAULT_RULES, GateFileError, parse_rules, read_rules
from reports.gate.rules import CERTIFIED_FIGURES, SYSTEM_FIGURES, FigureRule, NoneRule


def parsed(text: str) -> tuple[Any, ...]:
    return parse_rules(text, name="gate.toml", folder=Path("rules"))


def test_every_kind_of_rule_is_read() -> None:
    one, two, three, four = parsed(
        """
        [baseline.last]
        system = "bot-1"
        since = 2026-05-01

        [baseline.kept]
        file = "last.json"

        [[rule]]
        name = "recall"
        figure = "judge.recall"
        at_least = 0.8
        [[rule]]
        figure = "claim_level"
        falls_at_most = 0.02
        baseline = "last"
        end = "value"
        [[rule]]
        figure = "miscitation"
        rises_at_most = 0
        baseline = "kept"
        [[rule]]
        none = "prohibited"
        collection = "legal"
        judge = "forbidden@2"
        """
    )
    assert (one.name, one.at_least, one.end) == ("recall", 0.8, "safe")
    assert (two.name, two.end) == ("claim_level falls at most 0.02 from last", "value")
    assert str(two.baseline.since) == "2026-05-01"
    assert three.baseline.file == Path("rules/last.json")
    assert (four.none, four.collection, four.judge) == ("prohibited", "legal", "forbidden@2")


FAULTS = {
    "not = toml = at all": "no TOML",
    "": "rule: found none, expected at least one [[rule]]",
    "rule = 3": "rule: found no table, expected at least one [[rule]]",
    "speed = 1\n[[rule]]\nnone = 'miscitation'": "found the key 'speed', expected one of rule, baseline",
    "[[rule]]\nfigure = 'kapa'\nat_least = 0.5": "rule 1: figure: found 'kapa', expected one of claim_level",
    "[[rule]]\nat_least = 0.5": "rule 1: figure: found None, expected a figure",
    "[[rule]]\nfigure = 'coverage'": "rule 1: bound: found None, expected exactly one of at_least",
    "[[rule]]\nfigure = 'coverage'\nat_least = 0.1\nat_most = 0.2": "bound: found 'at_least, at_most', expected exactly one",
    "[[rule]]\nfigure = 'coverage'\nat_least = '90%'": "at_least: found '90%', expected a number from -1 to 1",
    "[[rule]]\nfigure = 'coverage'\nat_least = 90": "at_least: found 90, expected a number from -1 to 1",
    "[[rule]]\nfigure = 'coverage'\nat_least = true": "at_least: found True, expected a number",
    "[[rule]]\nfigure = 'coverage'\nat_least = nan": "at_least: found nan, expected a number",
    "[[rule]]\nfigure = 'coverage'\nat_least = 0.5\nend = 'low'": "end: found 'low', expected one of safe, value",
    "[[rule]]\nfigure = 'coverage'\natleast = 0.5": "rule 1: found the key 'atleast', expected one of name, figure",
    "[[rule]]\nfigure = 'coverage'\nfalls_at_most = 0.1": "baseline: found None, expected one of the [baseline.NAME] tables",
    "[[rule]]\nfigure = 'coverage'\nfalls_at_most = 0.1\nbaseline = 'x'\n[baseline.y]\nsystem = 's'": "found 'x', expected one of y",
    "[[rule]]\nfigure = 'coverage'\nat_least = 0.1\nbaseline = 'y'\n[baseline.y]\nsystem = 's'": "baseline: found 'y', expected none",
    "[[rule]]\nfigure = 'judge.recall'\nfalls_at_most = 0\nbaseline = 'y'\n[baseline.y]\nsystem = 's'": "a figure of the system",
    "[[rule]]\nnone = 'lies'": "rule 1: none: found 'lies', expected one of miscitation, prohibited",
    "[[rule]]\nnone = 'miscitation'\njudge = 'x@1'": "judge: found 'x@1', expected none = \"prohibited\" with it",
    "[[rule]]\nnone = 'miscitation'\nseverity = 'high'": "severity: found 'high', expected one of critical, minor",
    "[[rule]]\nnone = 'miscitation'\ncollection = 3": "collection: found 3, expected a text",
    "baseline = 3\n[[rule]]\nnone = 'miscitation'": "baseline: found 3, expected tables such as [baseline.NAME]",
    "[[rule]]\nnone = 'miscitation'\n[baseline.y]\nfile = 'f'\nsystem = 's'": "baseline.y: file: found 'f', expected a file alone",
    "[[rule]]\nnone = 'miscitation'\n[baseline.y]": "baseline.y: file: found None, expected one of file, system",
    "[[rule]]\nnone = 'miscitation'\n[baseline.y]\nsince = '2026'": "baseline.y: since: found '2026', expected a date",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_names_file_key_found_and_expected(text: str) -> None:
    with pytest.raises(GateFileError) as fault:
        parsed(text)
    said = str(fault.value)
    assert FAULTS[text] in said
    assert all(line.startswith("gate.toml: ") for line in said.splitlines())


def test_all_faults_of_a_file_come_at_once() -> None:
    with pytest.raises(GateFileError) as fault:
        parsed("x = 1\n[[rule]]\nfigure = 'y'\nat_least = 7\n[[rule]]\nnone = 'z'")
    assert len(str(fault.value).splitlines()) == 4


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(GateFileError, match="cannot be read"):
        read_rules(tmp_path / "gate.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(GateFileError, match="cannot be read"):
        read_rules(tmp_path / "bytes.toml")


def test_the_default_rules_stand_in_the_docs_word_for_word() -> None:
    assert read_rules(None)
    docs = Path(__file__).resolve().parents[3] / "docs" / "gate.md"
    assert DEFAULT_RULES in docs.read_text(encoding="utf-8")


def test_every_figure_of_the_report_may_be_named() -> None:
    hints = get_type_hints(Groundedness)
    figures = {field.name for field in fields(Groundedness) if hints[field.name] is Figure}
    assert figures <= set(SYSTEM_FIGURES)
    assert len(set(CERTIFIED_FIGURES)) == len(CERTIFIED_FIGURES)


HALF = Figure(0.5, 0.4, 0.6, n=100)


@pytest.mark.parametrize(
    ("bound", "end", "outcome"),
    [
        ({"at_least": 0.4}, "safe", "passed"),
        ({"at_least": 0.45}, "safe", "failed"),
        ({"at_least": 0.45}, "value", "passed"),
        ({"at_most": 0.6}, "safe", "passed"),
        ({"at_most": 0.55}, "safe", "failed"),
        ({"at_most": 0.55}, "value", "passed"),
        ({"at_most": 0.45}, "value", "failed"),
    ],
)
def test_a_bound_holds_at_the_end_that_is_asked_for(bound: dict[str, Any], end: Any, outcome: str) -> None:
    rule = FigureRule(name="r", figure="coverage", end=end, **bound)
    assert decide_figure(rule, HALF).outcome == outcome


def test_a_fall_and_a_rise_are_held_against_both_intervals() -> None:
    before = Figure(0.9, 0.85, 0.95, n=100)
    now = Figure(0.88, 0.83, 0.93, n=100)
    fall = FigureRule(name="r", figure="coverage", falls_at_most=0.05, end="value")
    assert decide_figure(fall, now, before).outcome is Outcome.PASSED
    careful = FigureRule(name="r", figure="coverage", falls_at_most=0.05)
    result = decide_figure(careful, now, before)
    assert result.outcome is Outcome.FAILED
    assert result.figure is not None
    assert result.figure.high == pytest.approx(0.02 + (0.05**2 + 0.05**2) ** 0.5)
    rise = FigureRule(name="r", figure="coverage", rises_at_most=0.0)
    assert decide_figure(rise, HALF, before).outcome is Outcome.PASSED
    assert decide_figure(rise, before, HALF).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (Figure.undefined("no claims"), None),
        (Figure.point(0.9, n=3, reason="fewer than two answers"), None),
        (HALF, Figure.undefined("no claims")),
    ],
)
def test_a_rule_without_data_does_not_hold(now: Figure, before: Figure | None) -> None:
    bound: dict[str, Any] = {"at_least": 0.1} if before is None else {"falls_at_most": 0.1}
    result = decide_figure(FigureRule(name="r", figure="coverage", **bound), now, before)
    assert result.outcome is Outcome.NO_DATA
    assert exit_of([result]) is Exit.COULD_NOT_RUN


def test_a_broken_rule_outweighs_one_without_data() -> None:
    rule = FigureRule(name="r", figure="coverage", at_least=0.9)
    assert exit_of([decide_figure(rule, HALF), decide_figure(rule, Figure.undefined("none"))]) is Exit.FAILED
    assert exit_of([]) is Exit.COULD_NOT_RUN


def test_nothing_found_among_nothing_is_no_data() -> None:
    rule = NoneRule(name="r", none="miscitation")
    assert decide_none(rule, [], looked_at=0, unit="cited claim").outcome is Outcome.NO_DATA
    assert decide_none(rule, [], looked_at=3, unit="cited claim").outcome is Outcome.PASSED
    assert decide_none(rule, ["c1"], looked_at=3, unit="cited claim").words == "1 of 3 cited claims: c1"
