"""The entailment judge against one plain pipeline call per claim, on the same windows of the same texts, in one run.

    python -m bench.entailment [--model FOLDER] [--claims 48] [--threads 1] [--bfloat16]

Without a model a tiny one is trained on the spot, which shows the cost of the way around the model; a real one shows what is left
of that where the model's own arithmetic dominates. Goal: 4 times as fast, same verdicts.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from judges.entailment.config import EntailmentConfig, parse_config
from judges.entailment.judge import EntailmentJudge, build
from judges.entailment.loading import MISSING, extra_installed
from judges.entailment.verdicts import verdict_for
from judges.entailment.windows import select_windows
from judges.protocol import CitedText, ClaimInput, Verdict

THINGS = [
    "refund",
    "invoice",
    "parcel",
    "voucher",
    "contract",
    "warranty",
    "delivery",
    "account",
    "subscription",
    "repair",
    "exchange",
    "deposit",
]
DOERS = ["customer", "driver", "agent", "manager", "courier", "member", "clerk", "supplier"]
DEEDS = ["confirms", "cancels", "extends", "approves", "returns", "checks", "closes", "forwards", "reports", "renews"]
WHEN = [
    "within two days",
    "before noon",
    "after the inspection",
    "in every branch",
    "by letter",
    "on request",
    "during the sale",
]
WHY = [
    "because the form was signed",
    "unless a seal is broken",
    "if the number is known",
    "although it was paid in cash",
    "",
]

Result = tuple[Verdict, float]


def make_sentence(picked: random.Random) -> str:
    words = (f"The {picked.choice(DOERS)}", picked.choice(DEEDS), f"the {picked.choice(THINGS)}", picked.choice(WHEN))
    return " ".join((*words, picked.choice(WHY))).strip() + "."


def make_claims(count: int, *, seed: int = 5) -> list[ClaimInput]:
    """Answers of six claims, each answer citing one source of 24 sentences; a third of the claims stand in their source."""
    picked = random.Random(seed)
    claims: list[ClaimInput] = []
    sentences: list[str] = []
    for number in range(count):
        if number % 6 == 0:
            sentences = [make_sentence(picked) for _ in range(24)]
        text = picked.choice(sentences) if number % 3 == 0 else make_sentence(picked)
        cited = CitedText(source_id=f"s{number // 6}", order=1, title="", text=" ".join(sentences))
        claims.append(ClaimInput(claim_id=number, text=text, kind="policy", severity="minor", cited=(cited,)))
    return claims


def plain(pipe: Any, config: EntailmentConfig, claims: Sequence[ClaimInput], limit: int) -> list[Result]:
    """One pipeline call per claim over the windows that the judge reads too."""
    results: list[Result] = []
    for claim in claims:
        selection = select_windows(
            claim.cited,
            claim.text,
            sizes=config.window_sizes,
            overlap=config.window_overlap,
            best=config.best_windows,
            ranker=config.ranker,
        )
        pairs = [{"text": window.text, "text_pair": claim.text} for window in selection.chosen]
        rows = pipe(pairs, top_k=None, truncation="only_first", max_length=limit)
        scores = [{str(one["label"]).lower(): float(one["score"]) for one in row} for row in rows]
        entailment = max(row["entailment"] for row in scores)
        against = max((row["contradiction"] for row in scores if "contradiction" in row), default=None)
        results.append((verdict_for(config, entailment, against), entailment))
    return results


def judged(judge: EntailmentJudge, claims: Sequence[ClaimInput]) -> list[Result]:
    return [(opinion.verdict or Verdict.ABSENT, opinion.score or 0.0) for opinion in judge.judge(claims)]


def compare(name: str, seconds: float, baseline: float, found: Sequence[Result], expected: Sequence[Result]) -> None:
    same = sum(one[0] is other[0] for one, other in zip(found, expected, strict=True))
    shift = max(abs(one[1] - other[1]) for one, other in zip(found, expected, strict=True))
    print(
        f"{name:<28}{seconds:7.2f} s  {baseline / seconds:5.2f} times the plain call   "
        f"verdicts {same}/{len(found)} the same, largest change of a score {shift:.1e}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="The entailment judge against one plain pipeline call per claim.")
    parser.add_argument("--model", help="folder of a model; without it a tiny one is trained")
    parser.add_argument("--claims", type=int, default=48)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bfloat16", action="store_true", help="measure the lower precision and its agreement too")
    given = parser.parse_args()
    if not extra_installed():
        print(f"entailment: NOT RUN, {MISSING}")
        return
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, pipeline

    torch.set_num_threads(given.threads)
    claims = make_claims(given.claims)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.model or str(_tiny(Path(scratch), claims))
        config = parse_config({"model": folder})
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForSequenceClassification.from_pretrained(folder, dtype="float32")
        pipe = pipeline("text-classification", model=model, tokenizer=tokenizer)
        judges = {"judge, float32": build(config)}
        if given.bfloat16:
            judges["judge, bfloat16"] = build(replace(config, precision="bfloat16", precision_agreement=1.0))
        for judge in judges.values():
            judge.load()
    limit = min(512, int(tokenizer.model_max_length))
    plain(pipe, config, claims[:6], limit)
    # In turns, and the best of each, since other work on the machine comes and goes. Processor time, as it counts only ours.
    times: dict[str, list[float]] = {"plain": [], **{name: [] for name in judges}}
    results: dict[str, list[Result]] = {}
    for _ in range(3):
        for name, taken in times.items():
            begun = time.process_time()
            results[name] = plain(pipe, config, claims, limit) if name == "plain" else judged(judges[name], claims)
            taken.append(time.process_time() - begun)
    baseline = min(times["plain"])
    print(
        f"{given.claims} claims, {given.threads} thread(s), processor seconds, {Path(folder).name if given.model else 'tiny model'}"
    )
    print(f"{'plain call per claim':<28}{baseline:7.2f} s")
    for name, found in results.items():
        if name != "plain":
            compare(name, min(times[name]), baseline, found, results["plain"])


def _tiny(folder: Path, claims: Sequence[ClaimInput]) -> Path:
    from tests.judges.entailment.tiny import train_tiny

    return train_tiny(folder, positions=256, texts=[one.cited[0].text for one in claims] + [one.text for one in claims])


if __name__ == "__main__":
    main()
