"""The sets of claims that the table is about, under their public names."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """A set of claims judged by people, kept as one file in the native interchange format.

    Attributes
    ----------
    name : str
        The file is called ``NAME.jsonl.gz`` or ``NAME.jsonl``.
    people : str
        Who gave the verdicts.
    note : str
        What to know when the figures are read.
    """

    name: str
    title: str
    source: str
    licence: str
    people: str
    note: str


SETS = (
    ClaimSet(
        "qags",
        "QAGS",
        "Wang, Cho and Lewis 2020",
        "none stated",
        "3 a claim",
        "Summaries of news cut into sentences; only *stated* and *absent* occur.",
    ),
    ClaimSet(
        "climate-fever",
        "CLIMATE-FEVER",
        "Diggelmann et al. 2020",
        "none stated",
        "2 to 5 votes a claim, positions and not persons",
        "Each claim beside five sentences of evidence, one at a time: an “answer” here is one claim five times over.",
    ),
    ClaimSet(
        "wice",
        "WiCE",
        "Kamoi et al. 2023",
        "ODC-BY",
        "published gold only",
        "Sentences of Wikipedia beside the long pages that they cite; more than half are *partial*.",
    ),
    ClaimSet(
        "healthver",
        "HealthVer",
        "Sarrouti et al. 2021",
        "none stated",
        "published gold only",
        "Health claims beside single sentences of abstracts; many are about the same topic without asserting the claim.",
    ),
    ClaimSet(
        "jsick-ja",
        "JSICK",
        "Yanaka and Mineshima 2022",
        "CC BY and CC BY-SA",
        "3 a claim",
        "Japanese sentence pairs; of a model trained on English they show what it does outside its language.",
    ),
    ClaimSet(
        "infotabs",
        "InfoTabS",
        "Gupta et al. 2020",
        "Apache 2.0",
        "5 a claim",
        "Sentences about tables put into words.",
    ),
    ClaimSet(
        "expertqa",
        "ExpertQA",
        "Malaviya et al. 2023",
        "MIT",
        "1 expert a claim",
        "Long answers with several citations; added for the effect of decomposition.",
    ),
)
