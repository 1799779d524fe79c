"""Bodies that a machine thinks of: near the contract, and near enough to be answered."""

from typing import Any

from hypothesis import strategies as st

from reports.api.contract import REQUEST
from reports.api.shapes import Shape

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
IDS = st.sampled_from(["a", "b 1", "1"])
TEXTS = st.sampled_from(
    [" ", "2026-01-31", "30 days [1][9]", "“q” 3 €", "\u202e\u0661\u0664 x", "Parcels may come back."]
)


def near(shape: Shape, key: str = "") -> st.SearchStrategy[Any]:
    """Values of the right kind, if not always of the right size."""
    kinds = [shape["type"]] if isinstance(shape["type"], str) else shape["type"]
    words = IDS if key in ("id", "source", "retrieved") else TEXTS
    of: dict[str, st.SearchStrategy[Any]] = {
        "null": st.none(),
        "boolean": st.booleans(),
        "integer": st.integers(-1, 40),
        "number": st.floats(-1, 9),
        "string": st.sampled_from(shape["enum"]) if "enum" in shape else words,
    }
    if "properties" in shape:
        of["object"] = _object(shape)
    elif "object" in kinds:
        of["object"] = st.dictionaries(TEXTS, ANYTHING, max_size=3)
    if "array" in kinds:
        of["array"] = st.lists(near(shape["items"], key), max_size=3)
    return st.one_of([of[kind] for kind in kinds])


def _object(shape: Shape) -> st.SearchStrategy[dict[str, Any]]:
    keys = {name: near(inner, name) for name, inner in shape["properties"].items()}
    required = {name: keys.pop(name) for name in shape["required"]}
    return st.fixed_dictionaries(required, optional=keys)


BODIES = _object(REQUEST)


def mended(body: dict[str, Any]) -> dict[str, Any]:
    """The body without what no shape can forbid, so that more of them are answered than refused."""
    body = {key: value for key, value in body.items() if key != "judge"} | {"text": "Parcels cost 5 euros. [2][9]"}
    body["sources"] = list({source["id"]: source for source in body.get("sources") or ()}.values())
    for claim in body.get("claims") or ():
        claim.pop("id", None)
        if claim.get("source_text"):
            claim.pop("citations", None)
        if claim.get("source_text") or claim.get("citations"):
            claim.pop("citation", None)
        for cited in [*(claim.get("citations") or ()), *([claim["citation"]] if claim.get("citation") else ())]:
            start, end = cited.pop("start", None), cited.pop("end", None)
            if start is not None and end is not None and 0 <= start < end:
                cited |= {"start": start, "end": end}
    return body
