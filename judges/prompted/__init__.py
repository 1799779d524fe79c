"""Judges that are asked in words: the prompt, the reply, and the asking of many claims at once.

What differs between one language model and another is an :class:`~judges.prompted.calls.Endpoint`; everything a verdict
depends on besides the model is here, once.
"""
