"""Answers that programs post: the contract, reading a request, checking it, answering, and storing it for the trend."""
