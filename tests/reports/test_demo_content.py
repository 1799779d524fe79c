"""The demo content by itself, read as plain JSON: it must stand before any importer touches it."""

import json
import re
from collections import Counter, defaultdict
from datetime import datetime
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

CONTENT = Path(__file__).resolve().parents[2] / "reports" / "demo" / "content"
FILES = ("sources", "answers", "labels", "labels_again", "adjudications", "answer_labels", "judgements")
VERDICTS = {"stated", "partial", "absent", "contradicted"}
KINDS = {"figure", "date", "name", "policy", "relation"}
INVENTIONS = {"plausible-specific", "bridging-inference", "confident-generalisation", "fabricated-provenance"}
COLLECTIONS = {"help-centre", "scanned-pdf", "email-export", "policy-archive"}
ANNOTATORS = {"ann-01", "ann-02", "ann-03"}

Row = dict[str, Any]


@cache
def rows(name: str) -> list[Row]:
    """All lines of one content file."""
    return [json.loads(line) for line in (CONTENT / f"{name}.jsonl").read_text(encoding="utf-8").split("\n") if line]


@cache
def sources() -> dict[str, Row]:
    return {row["id"]: row for row in rows("sources")}


@cache
def answers() -> dict[str, Row]:
    return {row["id"]: row for row in rows("answers") if row["type"] == "answer"}


@cache
def claims() -> dict[str, Row]:
    """Claims by id, nested ones and those on lines of their own, each with the id of its answer."""
    nested = [{**claim, "answer": answer["id"]} for answer in answers().values() for claim in answer.get("claims", [])]
    return {row["id"]: row for row in nested + [row for row in rows("answers") if row["type"] == "claim"]}


def citations(claim: Row) -> list[Row]:
    one = claim.get("citation")
    return [one] if one else list(claim.get("citations", []))


@cache
def verdicts() -> dict[str, dict[str, str]]:
    """Verdict by claim and annotator."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows("labels"):
        found[row["claim"]][row["annotator"]] = row["verdict"]
    return dict(found)


@cache
def gold() -> dict[str, str]:
    """The adjudication where there is one, else the verdict that most labels give; a tie has none."""
    adjudicated = {row["claim"]: row["verdict"] for row in rows("adjudications")}
    found = {}
    for claim, given in verdicts().items():
        (first, votes), *others = Counter(given.values()).most_common()
        if claim in adjudicated:
            found[claim] = adjudicated[claim]
        elif not others or others[0][1] < votes:
            found[claim] = first
    return found


def kappa(first: list[str], second: list[str]) -> float:
    """Cohen's kappa of two lists of verdicts on the same claims."""
    n = len(first)
    agreed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    left, right = Counter(first), Counter(second)
    chance = sum(left[verdict] * right[verdict] for verdict in VERDICTS) / n**2
    return (agreed - chance) / (1 - chance)


@pytest.mark.parametrize("name", FILES)
def test_every_file_ends_its_last_line_and_holds_no_nul_or_surrogate(name: str) -> None:
    raw = (CONTENT / f"{name}.jsonl").read_bytes()
    assert raw.endswith(b"\n")
    assert b"\r" not in raw
    assert not raw.startswith(b"\xef\xbb\xbf")
    for row in rows(name):
        text = json.dumps(row, ensure_ascii=False)
        assert "\\u0000" not in text
        assert not any(0xD800 <= ord(char) <= 0xDFFF for char in text)


def test_counts_are_what_the_demo_promises() -> None:
    assert len(sources()) >= 35
    assert {row["collection"] for row in sources().values()} == COLLECTIONS
    assert len(answers()) >= 60
    assert {row["system"] for row in answers().values()} == {"harbour-bot", "desk-copilot"}
    assert len({row["task_type"] for row in answers().values()}) >= 6
    assert len(claims()) >= 220
    assert len(verdicts()) >= 180
    assert 10 <= len(rows("adjudications")) <= 16
    assert sum(row["should_abstain"] for row in answers().values()) >= 8


def test_ids_are_unique_within_their_type() -> None:
    assert len(sources()) == len(rows("sources"))
    answer_lines = [row for row in rows("answers") if row["type"] == "answer"]
    assert len(answers()) == len(answer_lines)
    nested = sum(len(row.get("claims", [])) for row in answer_lines)
    assert len(claims()) == nested + sum(row["type"] == "claim" for row in rows("answers"))
    pairs = [(row["claim"], row["annotator"]) for row in rows("labels")]
    assert len(pairs) == len(set(pairs))
    judged = [row["claim"] for row in rows("judgements")]
    assert len(judged) == len(set(judged))


def test_every_reference_resolves() -> None:
    for row in sources().values():
        assert row.get("superseded_by") is None or row["superseded_by"] in sources()
    for row in answers().values():
        assert set(row["retrieved"]) <= set(sources())
    for claim in claims().values():
        assert claim["answer"] in answers()
        assert {citation["source"] for citation in citations(claim)} <= set(answers()[claim["answer"]]["retrieved"])
    for name in ("labels", "labels_again", "adjudications", "judgements"):
        assert {row["claim"] for row in rows(name)} <= set(claims())
    assert {row["answer"] for row in rows("answer_labels")} <= set(answers())


def test_whoever_labels_again_labelled_before_and_mostly_says_the_same() -> None:
    first = {(row["claim"], row["annotator"]): row for row in rows("labels")}
    again = {(row["claim"], row["annotator"]): row for row in rows("labels_again")}
    assert len(again) == len(rows("labels_again"))
    assert {row["annotator"] for row in again.values()} == ANNOTATORS
    assert all(row["occasion"] == 2 and row["created"] > first[key]["created"] for key, row in again.items())
    changed = [key for key, row in again.items() if row["verdict"] != first[key]["verdict"]]
    assert 2 <= len(changed) <= len(again) / 10


def test_cited_spans_lie_in_their_source_and_cut_no_word() -> None:
    with_span = 0
    for claim in claims().values():
        for citation in citations(claim):
            if "start" not in citation:
                continue
            with_span += 1
            assert_clean_span(sources()[citation["source"]]["text"], citation["start"], citation["end"])
    assert with_span >= 200


def assert_clean_span(text: str, start: int, end: int) -> None:
    """The span lies in the text, begins and ends with ink, and splits no word and no combining sequence."""
    assert 0 <= start < end <= len(text)
    quote = text[start:end]
    assert quote == quote.strip()
    assert not re.match(r"\w\w", text[start - 1 : start + 1] if start else "  ")
    assert not re.match(r"\w\w", text[end - 1 : end + 1])


def test_claims_stand_in_their_answer_nearly_word_for_word() -> None:
    verbatim = 0
    for claim in claims().values():
        bare = re.sub(r" \[\d\]", "", answers()[claim["answer"]]["text"])
        verbatim += claim["text"] in bare
    assert verbatim / len(claims()) >= 0.8


def test_evidence_lies_in_a_cited_source_near_what_is_cited() -> None:
    for row in rows("labels"):
        cited = citations(claims()[row["claim"]])
        assert cited, f"{row['claim']} is labelled and cites nothing"
        names = {citation["source"] for citation in cited}
        for span in row["evidence"]:
            assert "source" in span or len(names) == 1
            source = span.get("source", next(iter(names)))
            assert source in names
            assert_clean_span(sources()[source]["text"], span["start"], span["end"])
            spans = [one for one in cited if one["source"] == source and "start" in one]
            assert not spans or any(one["start"] < span["end"] and span["start"] < one["end"] for one in spans)


def test_absent_needs_no_evidence_and_the_other_verdicts_have_some() -> None:
    for row in rows("labels"):
        assert bool(row["evidence"]) == (row["verdict"] != "absent"), row["claim"]


def test_every_verdict_kind_severity_and_invention_occurs() -> None:
    assert set(gold().values()) == VERDICTS
    assert {row["kind"] for row in claims().values()} == KINDS
    assert {row["severity"] for row in claims().values()} == {"critical", "minor"}
    assert {row["invention"] for row in rows("labels") if "invention" in row} == INVENTIONS
    assert {row["annotator"] for row in rows("labels")} == ANNOTATORS
    for row in rows("labels"):
        assert row["verdict"] in VERDICTS
        assert ("invention" in row) == (row["verdict"] != "stated")
        assert row["confidence"] in {"sure", "unsure"}
        assert 8 <= row["seconds"] <= 60


def test_shares_of_the_verdicts_stay_in_their_ranges() -> None:
    counts = Counter(gold().values())
    share = {verdict: counts[verdict] / counts.total() for verdict in VERDICTS}
    assert 0.62 <= share["stated"] <= 0.74
    assert 0.07 <= share["partial"] <= 0.13
    assert 0.10 <= share["absent"] <= 0.19
    assert 0.04 <= share["contradicted"] <= 0.10


def test_old_and_broken_collections_yield_more_unsupported_claims_than_clean_pages() -> None:
    totals: Counter[str] = Counter()
    unsupported: Counter[str] = Counter()
    for claim, verdict in gold().items():
        for collection in {sources()[one["source"]]["collection"] for one in citations(claims()[claim])}:
            totals[collection] += 1
            unsupported[collection] += verdict != "stated"
    rate = {name: unsupported[name] / totals[name] for name in COLLECTIONS}
    assert rate["email-export"] > rate["scanned-pdf"] > rate["help-centre"] > 0


def test_some_answers_rest_on_a_page_that_was_already_superseded() -> None:
    stale = set()
    for claim in claims().values():
        for citation in citations(claim):
            later = sources()[citation["source"]].get("superseded_by")
            made = answers()[claim["answer"]]["created"][:10]
            if later and sources()[later]["effective_from"] <= made:
                stale.add(claim["answer"])
    assert len(stale) >= 6


def test_people_disagree_unevenly_and_plausibly() -> None:
    found = {}
    for one, other in combinations(sorted(ANNOTATORS), 2):
        shared = [given for given in verdicts().values() if one in given and other in given]
        found[one, other] = kappa([given[one] for given in shared], [given[other] for given in shared])
    assert all(0.65 <= value <= 0.85 for value in found.values()), found
    assert max(found.values()) - min(found.values()) >= 0.05
    stated = Counter(row["annotator"] for row in rows("labels") if row["verdict"] == "stated")
    assert stated["ann-02"] > stated["ann-03"]


def test_disagreements_are_partly_adjudicated_and_partly_waiting() -> None:
    split = {claim for claim, given in verdicts().items() if len(set(given.values())) > 1}
    adjudicated = {row["claim"] for row in rows("adjudications")}
    assert adjudicated <= split
    assert len(split - adjudicated) >= 12
    assert all(row["note"] and row["by"] == "lead" for row in rows("adjudications"))


def test_a_queue_of_whole_answers_waits_for_the_visitor() -> None:
    touched = {claims()[claim]["answer"] for claim in verdicts()}
    waiting = [claim for claim in claims().values() if claim["answer"] not in touched and citations(claim)]
    assert len(waiting) >= 45
    named = {citation["source"] for claim in waiting for citation in citations(claim)}
    assert "terms#12" in named
    assert {sources()[source]["collection"] for source in named} == COLLECTIONS
    assert any("start" not in citation for claim in waiting for citation in citations(claim))
    assert any(len(citations(claim)) > 1 for claim in waiting)
    assert sum(len(given) < 3 for given in verdicts().values()) >= 4


def test_citations_come_single_several_bare_and_not_at_all() -> None:
    number = Counter(min(len(citations(claim)), 2) for claim in claims().values())
    assert number[1] > number[2] >= 5
    assert number[0] >= 3
    assert sum("start" not in one for claim in claims().values() for one in citations(claim)) >= 10


def test_texts_hold_what_trips_offsets() -> None:
    everything = "".join(row["text"] for row in sources().values())
    assert re.search(r"[\u0600-\u06ff]{3}", everything)
    assert any(ord(char) > 0xFFFF for char in everything)
    assert "\u0308" in everything
    assert "\u00a0" in everything
    assert any(len(row["text"].split()) > 2500 for row in sources().values())
    assert sum("fields" in row for row in sources().values()) >= 3


def test_all_four_cells_of_grounded_and_correct_are_there() -> None:
    correct = {row["answer"]: row["correct"] for row in rows("answer_labels") if "correct" in row}
    by_answer: dict[str, list[str]] = defaultdict(list)
    for claim, verdict in gold().items():
        by_answer[claims()[claim]["answer"]].append(verdict)
    cells = Counter(
        (set(found) == {"stated"}, correct[answer]) for answer, found in by_answer.items() if answer in correct
    )
    assert len(cells) == 4
    assert min(cells.values()) >= 2


def test_abstention_shows_right_wrong_and_needless() -> None:
    should = {row["id"]: row["should_abstain"] for row in answers().values()}
    seen = {(should[row["answer"]], row["abstained"]) for row in rows("answer_labels")}
    assert seen == {(True, True), (True, False), (False, True), (False, False)}


def test_the_saved_judge_is_useful_and_below_people() -> None:
    judged = {row["claim"]: row["verdict"] for row in rows("judgements")}
    assert {(row["judge"], row["version"]) for row in rows("judgements")} == {("overnight-llm", "2026-05")}
    assert set(judged) <= set(verdicts())
    assert 3 <= len(set(verdicts()) - set(judged)) <= 8
    unsupported = [claim for claim, verdict in gold().items() if verdict != "stated"]
    caught = sum(judged.get(claim, "stated") != "stated" for claim in unsupported)
    assert 0.75 <= caught / len(unsupported) <= 0.85
    people, judge = [], []
    for one, other in combinations(sorted(ANNOTATORS), 2):
        shared = [claim for claim, given in verdicts().items() if one in given and other in given and claim in judged]
        people.append(
            kappa([verdicts()[claim][one] for claim in shared], [verdicts()[claim][other] for claim in shared])
        )
    for one in sorted(ANNOTATORS):
        shared = [claim for claim, given in verdicts().items() if one in given and claim in judged]
        judge.append(kappa([verdicts()[claim][one] for claim in shared], [judged[claim] for claim in shared]))
    assert max(judge) < min(people)
    assert any(row["score"] >= 0.75 and gold()[row["claim"]] != "stated" for row in rows("judgements"))


def test_judgements_carry_score_cost_time_and_mostly_true_quotes() -> None:
    found = total = 0
    for row in rows("judgements"):
        assert 0 <= row["score"] <= 1
        assert row["seconds"] > 0
        assert row["cost_usd"] > 0
        assert row["reason"]
        assert bool(row["quote"]) == (row["verdict"] != "absent")
        if row["quote"]:
            total += 1
            cited = citations(claims()[row["claim"]])
            found += any(row["quote"] in sources()[citation["source"]]["text"] for citation in cited)
    assert 0.85 <= found / total < 1


def test_labels_come_after_the_answer_and_one_person_does_one_thing_at_a_time() -> None:
    times: dict[str, list[tuple[datetime, float]]] = defaultdict(list)
    for row in rows("labels"):
        assert row["created"] > answers()[claims()[row["claim"]]["answer"]]["created"]
        times[row["annotator"]].append((datetime.fromisoformat(row["created"]), row["seconds"]))
    for saved in times.values():
        for (before, _), (after, seconds) in pairwise(sorted(saved)):
            assert (after - before).total_seconds() >= seconds - 1
