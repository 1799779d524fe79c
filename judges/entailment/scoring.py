"""Pairs of premise and hypothesis to probabilities: one stream, sorted by length, every pair once."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

from judges.entailment.labels import LabelMap
from judges.entailment.windows import cut

# Padded tokens in one batch: enough to keep a processor busy, few enough to stay in its caches.
_CPU_BATCH_TOKENS = 2_048
_GPU_BATCH_TOKENS = 65_536
# A premise is left at least this many tokens beside the hypothesis, or the pair says nothing.
_LEAST_PREMISE = 24


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise, and the hypothesis that it may entail."""

    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Part:
    """What the model says of one piece of a premise, ``premise[start:end]``, that it could read in one go.

    ``contradiction`` is None for a model that does not tell it.
    """

    start: int
    end: int
    entailment: float
    contradiction: float | None


class Tokens(NamedTuple):
    """How many tokens a text has, and how many of them stand for what the model has no token for."""

    all: int
    unknown: int


@dataclass(frozen=True, slots=True)
class _Encoded:
    start: int
    end: int
    ids: list[int]
    types: list[int] | None


class PairScorer:
    """A loaded model with its tokenizer, ready for pairs.

    Nothing is ever cut off: a premise that does not fit beside its hypothesis is read in overlapping parts, and a hypothesis
    that leaves no room for a premise is refused beforehand, see :meth:`fits`.
    """

    def __init__(
        self, *, model: Any, tokenizer: Any, labels: LabelMap, max_length: int, precision: str = "float32"
    ) -> None:
        import torch  # noqa: PLC0415  (the extra is needed from here on)

        self._torch = torch
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._labels = labels
        self._precision = precision
        self.max_length = max_length
        self._specials = int(tokenizer.num_special_tokens_to_add(pair=True))
        self._batch_tokens = _CPU_BATCH_TOKENS if model.device.type == "cpu" else _GPU_BATCH_TOKENS

    def hypothesis_tokens(self, hypothesis: str) -> Tokens:
        """Count the tokens of a hypothesis, without those that mark its ends."""
        encoded = self._tokenizer(hypothesis, add_special_tokens=False, split_special_tokens=True, verbose=False)
        ids = encoded["input_ids"]
        return Tokens(len(ids), ids.count(self._tokenizer.unk_token_id))

    @property
    def longest_hypothesis(self) -> int:
        """The most tokens that a hypothesis may have."""
        return self.max_length - self._specials - _LEAST_PREMISE

    def score(self, pairs: Sequence[Pair]) -> list[tuple[Part, ...]]:
        """Score every pair; equal pairs are scored once, and the order of pairs changes nothing.

        Returns
        -------
        list of tuple of Part
            For each pair its parts in reading order: one where the premise fitted.

        Raises
        ------
        ValueError
            Where a hypothesis is longer than ``longest_hypothesis``.
        """
        unique = list(dict.fromkeys(pairs))
        encoded = self._encode(unique)
        rows = [(number, row) for number, part_rows in enumerate(encoded) for row in part_rows]
        # Equal ids give equal scores, however they came about; texts that differ only in spaces or case often do.
        distinct: dict[tuple[int, ...], list[int]] = {}
        for place, (_, row) in enumerate(rows):
            distinct.setdefault((*row.ids, -1, *(row.types or ())), []).append(place)
        probabilities: list[tuple[float, float | None]] = [(0.0, None)] * len(rows)
        groups = list(distinct.values())
        for places, result in zip(groups, self._forward([rows[group[0]][1] for group in groups]), strict=True):
            for place in places:
                probabilities[place] = result
        parts: list[list[Part]] = [[] for _ in unique]
        for (number, row), (entailment, contradiction) in zip(rows, probabilities, strict=True):
            parts[number].append(Part(row.start, row.end, entailment, contradiction))
        found = {pair: tuple(parts[number]) for number, pair in enumerate(unique)}
        return [found[pair] for pair in pairs]

    def _encode(self, pairs: Sequence[Pair]) -> list[list[_Encoded]]:
        whole = self._tokenize([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
        rows: list[list[_Encoded]] = []
        for pair, (ids, types) in zip(pairs, whole, strict=True):
            if len(ids) <= self.max_length:
                rows.append([_Encoded(0, len(pair.premise), ids, types)])
            else:
                rows.append(list(self._encode_parts(pair, 0, len(pair.premise), len(ids))))
        return rows

    def _encode_parts(self, pair: Pair, start: int, end: int, length: int) -> Iterator[_Encoded]:
        """Cut a premise that is too long into parts that fit, again and again where a part is denser than the rest."""
        room = self.max_length - self._specials - self.hypothesis_tokens(pair.hypothesis).all
        if room < _LEAST_PREMISE:
            msg = (
                f"the hypothesis leaves room for {room} tokens of {self.max_length}; expected at least {_LEAST_PREMISE}"
            )
            raise ValueError(msg)
        premise_tokens = length - (self.max_length - room)
        longest = max(8, min((end - start) * room // premise_tokens, (end - start) * 3 // 4))
        spans = list(cut(pair.premise, start, end, longest=longest, shared=longest // 8))
        tokenized = self._tokenize([pair.premise[a:b] for a, b in spans], [pair.hypothesis] * len(spans))
        for (part_start, part_end), (ids, types) in zip(spans, tokenized, strict=True):
            if len(ids) <= self.max_length:
                yield _Encoded(part_start, part_end, ids, types)
            elif part_end - part_start >= end - start:
                # A few characters that make hundreds of tokens: no text does that, and a model could read nothing in it.
                msg = f"{part_end - part_start} characters of the source make {len(ids)} tokens; they cannot be cut to fit"
                raise ValueError(msg)
            else:
                yield from self._encode_parts(pair, part_start, part_end, len(ids))

    def _tokenize(self, premises: list[str], hypotheses: list[str]) -> list[tuple[list[int], list[int] | None]]:
        if not premises:
            return []
        # What looks like a mark of the model's own, such as [SEP], is text like any other where it comes from outside.
        encoded = self._tokenizer(
            premises,
            hypotheses,
            truncation=False,
            return_attention_mask=False,
            split_special_tokens=True,
            verbose=False,
        )
        types = encoded.get("token_type_ids") or [None] * len(premises)
        return list(zip(encoded["input_ids"], types, strict=True))

    def _forward(self, rows: Sequence[_Encoded]) -> list[tuple[float, float | None]]:
        torch = self._torch
        order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids), reverse=True)
        results: list[tuple[float, float | None]] = [(0.0, None)] * len(rows)
        with torch.inference_mode(), self._autocast():
            for batch in self._batches(order, rows):
                logits = self._model(**self._padded([rows[place] for place in batch])).logits.float()
                table = torch.softmax(logits, dim=-1).cpu().tolist()
                for place, row in zip(batch, table, strict=True):
                    against = None if self._labels.contradiction is None else row[self._labels.contradiction]
                    results[place] = (row[self._labels.entailment], against)
        return results

    def _batches(self, order: Sequence[int], rows: Sequence[_Encoded]) -> Iterator[list[int]]:
        """Neighbours in length together, longest first: a batch that does not fit the memory fails at once."""
        batch: list[int] = []
        for place in order:
            longest = len(rows[batch[0]].ids) if batch else len(rows[place].ids)
            if batch and (len(batch) + 1) * longest > self._batch_tokens:
                yield batch
                batch = []
            batch.append(place)
        if batch:
            yield batch

    def _padded(self, rows: Sequence[_Encoded]) -> dict[str, Any]:
        width = max(len(row.ids) for row in rows)
        pad = self._tokenizer.pad_token_id or 0
        left = self._tokenizer.padding_side == "left"

        def column(values: list[list[int]], fill: int) -> Any:
            padded = [
                [fill] * (width - len(one)) + one if left else one + [fill] * (width - len(one)) for one in values
            ]
            return self._torch.tensor(padded, device=self._model.device)

        inputs = {
            "input_ids": column([row.ids for row in rows], pad),
            "attention_mask": column([[1] * len(row.ids) for row in rows], 0),
        }
        if rows[0].types is not None:
            inputs["token_type_ids"] = column([row.types or [] for row in rows], self._tokenizer.pad_token_type_id)
        return inputs

    def _autocast(self) -> AbstractContextManager[Any]:
        if self._precision == "float32":
            return nullcontext()
        autocast: AbstractContextManager[Any] = self._torch.autocast(
            self._model.device.type, dtype=self._torch.bfloat16
        )
        return autocast
