"""The entailment judge: windows of the cited sources, scored against the claim by a natural-language-inference model.

torch and transformers come with the extra ``nli`` and are imported when a judge is built, never before.
"""
