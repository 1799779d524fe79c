"""The table of docs/results.md: every judge on public sets of claims judged by people, by one command."""
