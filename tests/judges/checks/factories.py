"""Claims and citations for tests of judges that need no database."""

from collections.abc import Mapping

from judges.protocol import CitedText, ClaimInput


def cited_text(
    text: str,
    *,
    title: str = "",
    order: int = 1,
    start: int | None = None,
    end: int | None = None,
    fields: Mapping[str, object] | None = None,
    resolved: bool = True,
) -> CitedText:
    return CitedText(
        source_id=f"s{order}",
        order=order,
        title=title,
        text=text,
        start=start,
        end=end,
        fields=fields or {},
        resolved=resolved,
    )


def claim_input(text: str, *cited: CitedText | str, claim_id: int = 1) -> ClaimInput:
    """A claim that cites the given texts; a plain string is a source without title or span."""
    return ClaimInput(
        claim_id=claim_id,
        text=text,
        kind="figure",
        severity="minor",
        cited=tuple(
            cited_text(one, order=place) if isinstance(one, str) else one for place, one in enumerate(cited, start=1)
        ),
    )
