"""A tiny but real entailment model, trained in seconds on sentences made from templates."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

SUBJECTS = ("a man", "the shop", "the door", "a dog", "the hotel")
STATES = (
    ("asleep", "awake"),
    ("open", "closed"),
    ("clean", "dirty"),
    ("warm", "cold"),
    ("near", "far"),
)
LABELS = ("contradiction", "entailment", "neutral")

Example = tuple[str, str, int]


def sentence(subject: str, state: str) -> str:
    return f"{subject.capitalize()} is {state}."


def make_examples(count: int, *, seed: int) -> list[Example]:
    """Premises of one to three sentences about different subjects; the hypothesis is about one of them, or of none."""
    picked = random.Random(seed)
    examples: list[Example] = []
    for number in range(count):
        told = [
            (subject, picked.randrange(len(STATES)), picked.randrange(2))
            for subject in picked.sample(SUBJECTS, picked.choice((1, 1, 2, 3)))
        ]
        premise = " ".join(sentence(subject, STATES[pair][side]) for subject, pair, side in told)
        subject, pair, side = picked.choice(told)
        label = number % 3
        if label == LABELS.index("contradiction"):
            side = 1 - side
        elif label == LABELS.index("neutral"):
            pair = picked.choice([other for other in range(len(STATES)) if other != pair])
        examples.append((premise, sentence(subject, STATES[pair][side]), label))
    return examples


def train_tiny(
    folder: Path, *, labels: Sequence[str] = LABELS, positions: int = 64, seed: int = 3, texts: Iterable[str] = ()
) -> Path:
    """Train the model and save it with its tokenizer.

    ``labels`` are the names its outputs are given; words of ``texts`` are in its vocabulary without being trained on.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(seed)
    words = sorted({word for text in (*_all_texts(), *texts) for word in text.lower().replace(".", " .").split()})
    vocabulary = {token: place for place, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words])}
    tokenizer = BertTokenizerFast(vocab=vocabulary, model_max_length=positions)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=positions,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.15,  # with the usual 0.02 so small a model does not learn
        id2label=dict(enumerate(labels)),
        label2id={name: place for place, name in enumerate(labels)},
    )
    model = BertForSequenceClassification(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    rows = make_examples(1_000, seed=seed)
    encoded = tokenizer([row[0] for row in rows], [row[1] for row in rows], padding=True, return_tensors="pt")
    truth = torch.tensor([row[2] for row in rows])
    for _ in range(9):
        for batch in torch.randperm(len(rows)).split(32):
            loss = model(**{key: value[batch] for key, value in encoded.items()}, labels=truth[batch]).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _all_texts() -> list[str]:
    return [sentence(subject, state) for subject in SUBJECTS for pair in STATES for state in pair]
