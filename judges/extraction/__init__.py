"""From the text of an answer to its claims: one assertion each, with kind, severity and what it cites.

Two extractors: rules, which need no key and cost nothing, and Claude. What an extractor found is kept by answer and
extractor version, since claims stay the same when judges change; a person reviews them before they are labelled.
"""
