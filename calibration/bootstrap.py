"""The cluster bootstrap over answers, by counting cells.

Claims of one answer succeed and fail together, so answers are what is drawn again. Every figure here
is a function of a table of counts, and the table of a resample is the sum of the tables of the
answers drawn. So each answer's claims are counted into cells once; a resample is one row of "how
often each answer was drawn", and all tables of all resamples are one matrix product. Everything
that is compared sits in one `Cells` object and sees the same draws, which makes differences paired.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import ArrayLike, FloatArray, codes, probability
from calibration.cells import Statistic
from calibration.intervals import LEVEL, wilson
from calibration.results import Figure

RESAMPLES = 2_000
SEED = 20_240_229
FEW_UNDEFINED = 0.05
"""Largest share of resamples that may leave a figure undefined before its interval is withheld."""

METHOD = "cluster bootstrap over answers"
ONE_ANSWER = "no interval: one answer only"
NO_SPREAD = "no interval: every resample gives the same value"

_EXACT_IN_SINGLE = 2**24
_CHUNK_BYTES = 128 * 2**20


@dataclass(frozen=True, slots=True)
class _Table:
    shape: tuple[int, ...]
    columns: NDArray[np.intp]
    cells: NDArray[np.intp]
    scale: float
    block: NDArray[np.uint16] | FloatArray


def _narrowed(counted: NDArray[np.int64] | FloatArray) -> NDArray[np.uint16] | FloatArray:
    """Keep whole counts in two bytes: a million claims then fit beside their product."""
    if not counted.size or (counted.max() <= np.iinfo(np.uint16).max and np.all(counted == np.floor(counted))):
        return counted.astype(np.uint16)
    return counted.astype(np.float64)


class Cells:
    """Tables of counts for each answer, under the names that they were added by.

    Parameters
    ----------
    answer : array_like of int, shape (rows,)
        The answer that each row (claim) belongs to. Resamples follow the order of the codes, so
        codes that stay (a primary key) keep an interval the same from one call to the next; the
        order of the rows changes nothing.

    Examples
    --------
    >>> cells = Cells([7, 7, 9])
    >>> cells.add("table", [0, 3, 3], shape=(2, 2))
    >>> cells.observed("table").tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, answer: ArrayLike) -> None:
        checked = codes(answer, name="answer", low=-(2**62), high=2**62)
        found, position = np.unique(checked, return_inverse=True)
        self.answers = len(found)
        self.position = position
        self._width = 0
        self._tables: dict[str, _Table] = {}

    def add(
        self,
        name: str,
        cell: ArrayLike,
        *,
        shape: tuple[int, ...],
        rows: NDArray[np.intp] | None = None,
        weights: FloatArray | None = None,
        scale: float = 1.0,
    ) -> None:
        """Count rows into the cells of a table.

        Parameters
        ----------
        name : str
            A new name.
        cell : array_like of int
            Flat index of the cell that each row falls in.
        shape : tuple of int
            Shape of the table.
        rows : array of int, optional
            Which rows of `answer` the cells belong to, with repeats if wanted; all if not given.
        weights : float array, optional
            How much each counts. Whole numbers (times ``scale``) keep the sums exact, whatever the
            order of addition.
        scale : float
            What the counts are divided by when a table is read.
        """
        if name in self._tables:
            raise ValueError(f"table {name!r} was added before")
        size = int(np.prod(shape))
        flat = codes(cell, name=name, low=0, high=size - 1)
        position = self.position if rows is None else self.position[rows]
        used = np.flatnonzero(np.bincount(flat, minlength=size))
        narrow = np.zeros(size, dtype=np.int64)
        narrow[used] = np.arange(len(used))
        counted = np.bincount(position * len(used) + narrow[flat], weights=weights, minlength=self.answers * len(used))
        # Cells that nothing falls in stay out of the product.
        columns = np.arange(self._width, self._width + len(used))
        self._tables[name] = _Table(shape, columns, used, scale, _narrowed(counted.reshape(self.answers, len(used))))
        self._width += len(used)

    def observed(self, name: str) -> FloatArray:
        """Return the table of the sample itself."""
        table = self._tables[name]
        flat = np.zeros(int(np.prod(table.shape)))
        flat[table.cells] = table.block.sum(axis=0, dtype=np.float64) / table.scale
        return flat.reshape(table.shape)

    def answers_with(self, name: str, mask: NDArray[np.bool_]) -> int:
        """Return how many answers have something in the masked cells."""
        table = self._tables[name]
        wanted = np.isin(table.cells, np.flatnonzero(mask.ravel()))
        return int(table.block[:, wanted].any(axis=1).sum())

    def resample(self, *, resamples: int = RESAMPLES, seed: int = SEED) -> Resampled:
        """Draw answers with replacement, ``resamples`` times, and add up their tables.

        Memory grows with answers times cells, plus 128 MiB for a chunk of draws.
        """
        if resamples < 1:
            raise ValueError(f"resamples: expected at least 1, got {resamples}")
        counts = self._matrix(single=True)
        sums = self._draw(counts, resamples, seed)
        if sums.size and sums.max() >= _EXACT_IN_SINGLE:
            sums = self._draw(self._matrix(single=False), resamples, seed)
        return Resampled(self, sums.astype(np.float64))

    def _matrix(self, *, single: bool) -> NDArray[np.float32] | FloatArray:
        whole = all(table.block.dtype == np.uint16 for table in self._tables.values())
        shape = (self.answers, self._width)
        joined: NDArray[np.float32] | FloatArray = np.empty(shape, np.float64)
        if single and whole:
            joined = np.empty(shape, np.float32)
        for table in self._tables.values():
            if len(table.columns):
                joined[:, table.columns[0] : table.columns[-1] + 1] = table.block
        return joined

    def _draw(
        self, counts: NDArray[np.float32] | FloatArray, resamples: int, seed: int
    ) -> NDArray[np.float32] | FloatArray:
        sums = np.zeros((resamples, self._width), dtype=counts.dtype)
        if self.answers == 0 or self._width == 0:
            return sums
        random = np.random.default_rng(seed)
        step = max(1, min(resamples, _CHUNK_BYTES // (self.answers * counts.itemsize)))
        drawn = np.empty((step, self.answers), dtype=counts.dtype)
        for start in range(0, resamples, step):
            stop = min(start + step, resamples)
            for row in range(stop - start):
                picks = random.integers(0, self.answers, size=self.answers)
                drawn[row] = np.bincount(picks, minlength=self.answers)
            np.matmul(drawn[: stop - start], counts, out=sums[start:stop])
        return sums

    def expand(self, name: str, sums: FloatArray) -> FloatArray:
        """Return the resampled tables of one name, shape (resamples, *shape)."""
        table = self._tables[name]
        flat = np.zeros((len(sums), int(np.prod(table.shape))))
        flat[:, table.cells] = sums[:, table.columns] / table.scale
        return flat.reshape(len(sums), *table.shape)


@dataclass(frozen=True, slots=True)
class Resampled:
    """Tables of the sample and of every resample, by name."""

    cells: Cells
    sums: FloatArray

    def observed(self, name: str) -> FloatArray:
        """Return the table of the sample itself."""
        return self.cells.observed(name)

    def replicates(self, name: str) -> FloatArray:
        """Return the tables of all resamples, shape (resamples, *shape)."""
        return self.cells.expand(name, self.sums)

    def values(self, name: str, statistic: Statistic) -> tuple[float, FloatArray]:
        """Return a statistic of the sample and of every resample; NaN where undefined."""
        return float(statistic(self.observed(name))), statistic(self.replicates(name))


def percentile_figure(
    value: float,
    replicates: FloatArray,
    *,
    n: int,
    answers: int,
    reason: str,
    k: int | None = None,
    level: float = LEVEL,
) -> Figure:
    """Make a figure of a value and its resamples by the percentile method.

    Parameters
    ----------
    value : float
        NaN where undefined; ``reason`` then says why.
    replicates : float array of shape (resamples,)
        NaN where a resample leaves the figure undefined. Up to 5% of them are left out; beyond
        that there is no interval, and the reason says so.
    n, k : int
        Denominator, and numerator where there is one.
    answers : int
        Answers behind the figure: with one alone there is no interval.
    reason : str
        Why the value is undefined, where it is.
    level : float
        Two-sided confidence.
    """
    if np.isnan(value):
        return Figure.undefined(reason, n=n)
    if answers < 2:
        return Figure.point(value, n=n, k=k, reason=ONE_ANSWER)
    defined = replicates[~np.isnan(replicates)]
    lost = len(replicates) - len(defined)
    if lost > FEW_UNDEFINED * len(replicates):
        said = f"no interval: undefined in {lost} of {len(replicates)} resamples"
        return Figure.point(value, n=n, k=k, reason=said)
    tail = (1.0 - probability(level, name="level")) / 2.0
    low, high = (float(end) for end in np.quantile(defined, [tail, 1.0 - tail]))
    if np.ptp(defined) == 0:
        return Figure.point(value, n=n, k=k, reason=NO_SPREAD)
    return Figure(value, low, high, n=n, k=k, method=METHOD)


def share_figure(
    value: float,
    replicates: FloatArray,
    *,
    n: int,
    answers: int,
    reason: str,
    k: int | None = None,
    level: float = LEVEL,
) -> Figure:
    """Make a figure of a share; where it is 0 or 1, fall back on Wilson over answers.

    Such a share is the same in every resample, which says nothing. Each answer then counts as one
    item: right if the claims of an answer go entirely together, too wide otherwise.

    Parameters
    ----------
    value, replicates, n, k, reason, level
        As for `percentile_figure`.
    answers : int
        Answers that hold any of the items the share is of.
    """
    if answers and value in (0.0, 1.0):
        edge = wilson(answers if value else 0, answers, level=level)
        return Figure(value, edge.low, edge.high, n=n, k=k, method=f"Wilson over {answers} answers")
    return percentile_figure(value, replicates, n=n, k=k, answers=answers, reason=reason, level=level)


def cluster_bootstrap(
    answer: ArrayLike,
    cell: ArrayLike,
    *,
    shape: tuple[int, ...],
    statistic: Callable[[FloatArray], FloatArray],
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    reason: str = "undefined on this sample",
) -> Figure:
    """Return one statistic of one table with its cluster-bootstrap interval.

    Parameters
    ----------
    answer : array_like of int, shape (rows,)
        The answer that each row belongs to.
    cell : array_like of int, shape (rows,)
        Flat index of the cell of the table that each row falls in.
    shape : tuple of int
        Shape of the table.
    statistic : callable
        Maps tables (..., *shape) to numbers (...), NaN where undefined.
    resamples, seed : int
        How many draws, and the seed of the random numbers.
    level : float
        Two-sided confidence.
    reason : str
        What to say where the statistic is undefined on the sample.

    Examples
    --------
    >>> from calibration.cells import kappa
    >>> answer = [0, 0, 1, 1, 2, 3, 4, 4]
    >>> cell = [0, 3, 3, 1, 0, 0, 3, 2]
    >>> cluster_bootstrap(answer, cell, shape=(2, 2), statistic=kappa).value
    0.5
    """
    counted = Cells(answer)
    counted.add("table", cell, shape=shape)
    drawn = counted.resample(resamples=resamples, seed=seed)
    value, replicates = drawn.values("table", statistic)
    n = round(float(counted.observed("table").sum()))
    return percentile_figure(value, replicates, n=n, answers=counted.answers, reason=reason, level=level)
