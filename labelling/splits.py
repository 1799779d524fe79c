"""Development or test: how answers fall into the two, so that neither knows the other's sources.

Answers that cite the same source stay together: a threshold or a prompt that was chosen on a source has seen it. Where
that ties most of a project into one group, there would be no other side; such answers fall by their own ids alone.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from labelling.models import Split

TEST_SHARE = 0.4
MOST_IN_A_GROUP = 0.5
"""A group with a larger share of the project's answers than this is no group: its answers fall one by one."""


def split_of(answer_id: str) -> Split:
    """The split of an answer by its id alone; the same in every project and on every machine."""
    return _drawn(f"touchstone split\n{answer_id}")


def split_of_source(source_id: str) -> Split:
    """The split of answers that have this source in common."""
    return _drawn(f"touchstone split of a source\n{source_id}")


def _drawn(name: str) -> Split:
    digest = hashlib.sha256(name.encode()).digest()
    return Split.TEST if int.from_bytes(digest[:8], "big") < TEST_SHARE * 2**64 else Split.DEVELOPMENT


def splits_by_source(
    sources: Mapping[int, Sequence[str]], *, settled: Mapping[str, Mapping[int, str]], answers: int
) -> dict[int, str]:
    """The splits of new answers that follow from their sources; one that is not named falls by its own id.

    Parameters
    ----------
    sources
        For each new answer the ids of the sources that it rests on.
    settled
        For each of these sources the answers that cite it and have a split already. What they have never changes.
    answers
        How many answers the project has, the new ones included.

    Examples
    --------
    >>> splits_by_source({7: ["a", "b"], 8: ["b"]}, settled={"a": {1: "test"}}, answers=9)
    {7: 'test', 8: 'test'}
    >>> splits_by_source({7: ["a"], 8: ["a"]}, settled={"a": {1: "test", 2: "development"}}, answers=9)
    {}
    """
    # A source that both sides cite keeps nothing apart any more, so it ties nothing together either.
    spent = {source for source, citing in settled.items() if len(set(citing.values())) > 1}
    tied = {answer: [source for source in named if source not in spent] for answer, named in sources.items()}
    decided: dict[int, str] = {}
    for members, shared in _groups(tied):
        beside = {answer: split for source in shared for answer, split in settled.get(source, {}).items()}
        sides = set(beside.values())
        size = len(members) + len(beside)
        if len(sides) > 1 or (size > 1 and size > MOST_IN_A_GROUP * answers):
            continue
        split = sides.pop() if sides else str(split_of_source(min(shared)))
        decided.update(dict.fromkeys(members, split))
    return decided


def _groups(tied: Mapping[int, Sequence[str]]) -> Iterable[tuple[list[int], list[str]]]:
    """Answers that hang together by their sources, with these sources; answers without any are left out."""
    above: dict[str, str] = {}

    def top(source: str) -> str:
        above.setdefault(source, source)
        while above[source] != source:
            above[source] = source = above[above[source]]
        return source

    for named in tied.values():
        for source in named:
            above[top(source)] = top(named[0])
    members: defaultdict[str, list[int]] = defaultdict(list)
    for answer, named in tied.items():
        if named:
            members[top(named[0])].append(answer)
    shared: defaultdict[str, list[str]] = defaultdict(list)
    for source in above:
        shared[top(source)].append(source)
    return [(group, shared[root]) for root, group in members.items()]
