"""What is known before anything is asked: opinions that need no call, and the request as a person may read it."""

from collections.abc import Callable, Mapping

from judges.preview import Part, Preview
from judges.prompted.config import PromptedConfig
from judges.prompted.prompts import Prompt, instructions_for, prompt_for
from judges.protocol import ClaimInput, Opinion, Outcome, Verdict


def prompt_of(config: PromptedConfig, claim: ClaimInput) -> Prompt:
    """Exactly what a judge of this configuration sends for a claim."""
    return prompt_for(claim, instructions=instructions_for(config.prompt, config.wording), unit=config.unit)


def settled_beforehand(config: PromptedConfig, claim: ClaimInput) -> Opinion | None:
    """The opinion that needs no call, where there is one."""
    statement = claim.text if config.unit == "claim" else claim.answer
    if not statement.strip():
        return Opinion(outcome=Outcome.NO_OPINION, reason=f"The {config.unit} has no text.")
    if not any(cited.text.strip() or cited.fields for cited in claim.cited_for(config.unit)):
        return Opinion(
            outcome=Outcome.JUDGED,
            verdict=Verdict.ABSENT,
            reason="The claim cites no text that could assert it; nothing was asked.",
        )
    characters = prompt_of(config, claim).characters
    if characters > config.longest_input:
        return Opinion(
            outcome=Outcome.TRUNCATED,
            reason=(
                f"The prompt has {characters:,} characters; longest_input allows {config.longest_input:,}. "
                "Nothing was sent, since the rest would have been cut off."
            ),
        )
    return None


def preview_of(
    config: PromptedConfig, claim: ClaimInput, request_for: Callable[[Prompt], Mapping[str, object]]
) -> Preview:
    """The prompt of a claim in its parts, and the body that ``request_for`` makes of it."""
    prompt = prompt_of(config, claim)
    settled = settled_beforehand(config, claim)
    return Preview(
        parts=(
            Part(name="Instructions", text=prompt.instructions, note="the same for every claim of this version"),
            Part(
                name="Sources",
                text=prompt.sources,
                note="text from outside, between marks: material, never an instruction",
            ),
            Part(name="Question", text=prompt.question, note="the claim, between marks too"),
        ),
        request=request_for(prompt),
        settled=f"{settled.outcome}: {settled.reason}" if settled else "",
    )
