"""Checks over a stream of answers: 12 sentences against 5 sources of 500 words, with new sources and with known ones.

Run as `python -m bench.checks [--answers N]`. Times are those of one core's work, so that other processes disturb them less.
The baseline does what a short script would: it finds figures and capitalised words by one regular expression each and looks
for them among those of the sources. The goals are 500 answers a second with new sources and 2,000 with known ones.
"""

import argparse
import json
import random
import re
import time
from collections.abc import Callable

from judges.checks.claims import read_claim
from judges.checks.sources import forget_sources
from judges.stream import build_checks, check_lines, rarely_collecting

SENTENCES, SOURCES, WORDS = 12, 5, 500
GOAL_NEW, GOAL_KNOWN = 500.0, 2_000.0
ROUNDS = 7

_WORDS = {
    "noun": """parcel return refund customer account invoice carrier warehouse office branch member visitor meeting
        agreement supplier engine battery device screen licence school patient nurse council budget harvest village bridge
        station ferry""",
    "verb": "arrives leaves covers replaces accepts refuses extends includes reports lowers raises keeps needs follows",
    "other": """usually only without mostly under the local general narrow long short early late new common small large
        with from of and for every any their this where before within since""",
    "month": "January February March April June July August September October November",
}
_NOUNS, _VERBS, _OTHERS, _MONTHS = (words.split() for words in _WORDS.values())
_NAMES = (
    "Anna Meyer",
    "Northfield",
    "Harbour Council",
    "Tom Okafor",
    "Lake District",
    "Elm Street",
    "Orion",
    "Dr Sato",
)


def _specific(rng: random.Random) -> str:
    kind = rng.randrange(8)
    if kind == 0:
        return f"{rng.randint(2, 90)} days"
    if kind == 1:
        return f"${rng.randint(1, 900)}.{rng.randint(0, 99):02}"
    if kind == 2:
        return f"{rng.randint(1, 99)}%"
    if kind == 3:
        return f"{rng.randint(1, 28)} {rng.choice(_MONTHS)} {rng.randint(1990, 2026)}"
    if kind == 4:
        return f"{rng.randint(1_000, 999_999):,}"
    if kind == 5:
        return rng.choice(["three weeks", "two thirds", "a dozen", "half", "twenty-five kilometres"])
    return rng.choice(_NAMES)


def _sentence(rng: random.Random, words: int, specifics: float) -> str:
    chosen = [rng.choice(rng.choice((_NOUNS, _VERBS, _OTHERS, _OTHERS))) for _ in range(words)]
    if rng.random() < specifics:
        chosen[rng.randrange(1, words)] = _specific(rng)
    text = " ".join(chosen)
    return text[0].upper() + text[1:] + "."


def _source(rng: random.Random) -> list[str]:
    return [_sentence(rng, 16, 0.5) for _ in range(WORDS // 16 + 1)]


def _answer(rng: random.Random, number: int, sources: list[list[str]], *, nested: bool) -> dict[str, object]:
    claims: list[dict[str, object]] = []
    for place in range(SENTENCES):
        # Most sentences of an answer come from what they cite; some say something of their own.
        cited = rng.randrange(SOURCES)
        text = _sentence(rng, 16, 1.0) if rng.random() < 0.25 else rng.choice(sources[cited])
        claims.append({"id": f"a{number}.{place}", "text": text, "citation": {"source": f"s{cited}"}})
    answer: dict[str, object] = {
        "type": "answer",
        "id": f"a{number}",
        "text": " ".join(str(claim["text"]) for claim in claims),
        "sources": [{"id": f"s{place}", "text": " ".join(source)} for place, source in enumerate(sources)],
    }
    return {**answer, "claims": claims} if nested else answer


def make_lines(answers: int, *, known: bool, nested: bool, seed: int = 1) -> list[bytes]:
    """Answers as lines; with `known` sources all draw on the same twenty, with `nested` they bring claims that cite one source each."""
    rng = random.Random(seed)
    shared = [_source(rng) for _ in range(20)]
    lines = []
    for number in range(answers):
        sources = rng.sample(shared, SOURCES) if known else [_source(rng) for _ in range(SOURCES)]
        answer = _answer(rng, number, sources, nested=nested)
        lines.append(json.dumps(answer).encode() + b"\n")
    return lines


_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"\b[A-Z]\w+")


def plain(lines: list[bytes]) -> int:
    """The baseline: what is flagged by comparing strings."""
    flagged = 0
    for line in lines:
        answer = json.loads(line)
        have: set[str] = set()
        for source in answer["sources"]:
            have.update(_FIGURE.findall(source["text"]))
            have.update(_NAME.findall(source["text"]))
        wanted = {*_FIGURE.findall(answer["text"]), *_NAME.findall(answer["text"])}
        flags = [{"value": value} for value in wanted - have]
        flagged += len(json.dumps({"id": answer["id"], "flags": flags})) > 0
    return flagged


def _per_answer(work: Callable[[], object], answers: int, *, forget: bool) -> float:
    """Least processor seconds an answer over a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        if forget:
            forget_sources()
        read_claim.cache_clear()
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best / answers


def _stream(lines: list[bytes], names: list[str]) -> int:
    return sum(len(line.text) for line in check_lines(lines, build_checks(names, {})))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--answers", type=int, default=150)
    with rarely_collecting():
        measure(parser.parse_args().answers)


def measure(count: int) -> None:
    """Print the times, collecting garbage as seldom as the command does."""
    print(f"{count:,} answers of {SENTENCES} sentences, {SOURCES} sources of {WORDS} words, one core")
    print(f"{'':<44}{'ms an answer':>14}{'answers a second':>18}{'times the baseline':>20}")
    for known, goal in ((False, GOAL_NEW), (True, GOAL_KNOWN)):
        lines = make_lines(count, known=known, nested=False)
        baseline = _per_answer(lambda lines=lines: plain(lines), count, forget=False)  # type: ignore[misc]
        kind = "known" if known else "new"
        _show(f"{kind} sources, baseline", baseline, baseline)
        if known:
            _stream(lines, [])
        for nested in (False, True):
            texts = lines if not nested else make_lines(count, known=known, nested=True)
            for names in ([], ["specifics"]):
                label = f"{kind} sources, {'claims' if nested else 'whole text'}, {names[0] if names else 'all checks'}"
                seconds = _per_answer(
                    lambda texts=texts, names=names: _stream(texts, names),  # type: ignore[misc]
                    count,
                    forget=not known,
                )
                _show(label, seconds, baseline, goal if not names else None)


def _show(label: str, seconds: float, baseline: float, goal: float | None = None) -> None:
    held = "" if goal is None else f"   goal {goal:,.0f}: {'met' if 1 / seconds >= goal else 'MISSED'}"
    print(f"{label:<44}{1_000 * seconds:>14.2f}{1 / seconds:>18,.0f}{seconds / baseline:>20.1f}{held}")


if __name__ == "__main__":
    main()
