"""Array types that the package shares, and the checks on arrays that come from a caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
ArrayLike = NDArray[Any] | Sequence[Any]


def codes(values: ArrayLike, *, name: str, low: int, high: int, ndim: int = 1) -> IntArray:
    """Return whole-number codes as int64 after checking shape and range.

    Parameters
    ----------
    values : array_like of int
        The codes.
    name : str
        What the caller calls the array; used in the message of an error.
    low, high : int
        Smallest and largest code allowed.
    ndim : int
        Number of axes expected.

    Raises
    ------
    ValueError
        If the values are not whole numbers, have another number of axes, or leave the range.

    Examples
    --------
    >>> codes([0, 3], name="gold", low=-1, high=3)
    array([0, 3])
    """
    return checked(values, name=name, low=low, high=high, ndim=ndim).astype(np.int64, copy=False)


def checked(values: ArrayLike, *, name: str, low: int, high: int, ndim: int = 1) -> NDArray[Any]:
    """Return whole-number codes in the type they came in, after the same checks as `codes`.

    Labels of a crowd over many claims are kept in one byte each.

    Examples
    --------
    >>> checked(np.array([0, 3], dtype=np.int8), name="gold", low=-1, high=3).dtype
    dtype('int8')
    """
    array = np.asarray(values)
    if array.ndim != ndim:
        raise ValueError(f"{name}: expected {ndim} axes, got shape {array.shape}")
    if array.size == 0:
        return array
    if array.dtype.kind == "f":
        if not np.all(np.isfinite(array)) or np.any(array != np.floor(array)):
            raise ValueError(f"{name}: expected whole numbers")
    elif array.dtype.kind not in "iub":
        raise ValueError(f"{name}: expected whole numbers, got {array.dtype}")
    smallest, largest = int(array.min()), int(array.max())
    if smallest < low or largest > high:
        found = smallest if smallest < low else largest
        raise ValueError(f"{name}: expected codes from {low} to {high}, found {found}")
    return array


def floats(values: ArrayLike, *, name: str, ndim: int = 1) -> FloatArray:
    """Return values as float64 after checking the number of axes; NaN stands for "none".

    Examples
    --------
    >>> floats([1, 2], name="score")
    array([1., 2.])
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != ndim:
        raise ValueError(f"{name}: expected {ndim} axes, got shape {array.shape}")
    if np.any(np.isinf(array)):
        raise ValueError(f"{name}: expected finite numbers")
    return array


def same_length(**arrays: NDArray[Any]) -> int:
    """Return the length of the last axis that all arrays share, or say which one differs.

    Examples
    --------
    >>> same_length(gold=np.zeros(3), judge=np.zeros(3))
    3
    """
    lengths = {name: array.shape[-1] for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"arrays differ in length: {said}")
    return next(iter(lengths.values()), 0)


def probability(value: float, *, name: str) -> float:
    """Return ``value`` if it lies in [0, 1], else raise a ValueError that names it.

    Examples
    --------
    >>> probability(0.5, name="level")
    0.5
    """
    number = float(value)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name}: expected a number from 0 to 1, got {value}")
    return number
