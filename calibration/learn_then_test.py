"""P values for "the risk at this threshold is above the limit", valid in finite samples.

A threshold may be used where its p value is small enough. Tested in an order fixed beforehand, and
stopping at the first failure, no correction for the number of thresholds is needed.

Notes
-----
Angelopoulos, Bates, Candès, Jordan and Lei (2021), "Learn then Test".
"""

from __future__ import annotations

import math

from scipy import special, stats

from calibration.arrays import probability


def _checked(risk: float, n: int, limit: float) -> tuple[float, int, float]:
    probability(risk, name="risk")
    if not 0.0 < limit < 1.0:
        raise ValueError(f"limit: expected a number between 0 and 1, got {limit}")
    if n < 1:
        raise ValueError(f"n: expected at least one item, got {n}")
    return float(risk), int(n), float(limit)


def hoeffding_bentkus_p(risk: float, *, n: int, limit: float) -> float:
    """Return the p value for a mean of losses in [0, 1].

    Parameters
    ----------
    risk : float
        Mean loss on ``n`` independent items.
    n : int
        Number of items.
    limit : float
        The null hypothesis is that the true risk is above this.

    Notes
    -----
    Bates et al. (2021), Journal of the ACM 68.

    Examples
    --------
    >>> round(hoeffding_bentkus_p(0.05, n=200, limit=0.1), 5)
    0.02194
    """
    mean, size, most = _checked(risk, n, limit)
    bounded = min(mean, most)
    divergence = (1.0 - bounded) * math.log((1.0 - bounded) / (1.0 - most))
    if bounded > 0:
        divergence += bounded * math.log(bounded / most)
    hoeffding = math.exp(-size * divergence)
    # The product may land just above a whole number, and must not be counted as the next.
    bentkus = math.e * float(stats.binom.cdf(math.ceil(size * mean - 1e-9), size, most))
    return min(hoeffding, bentkus, 1.0)


def binomial_p(risk: float, *, n: int, limit: float) -> float:
    """Return the exact p value for losses that are 0 or 1.

    Parameters
    ----------
    risk : float
        Share of ``n`` independent items that are lost.
    n : int
        Number of items.
    limit : float
        The null hypothesis is that the true risk is above this.

    Examples
    --------
    >>> round(binomial_p(0.05, n=200, limit=0.1), 5)
    0.00807
    """
    share, size, most = _checked(risk, n, limit)
    lost = round(size * share)
    if abs(lost - size * share) > 1e-6:
        raise ValueError(f"risk: {risk} is not a share of {n} items")
    return float(stats.binom.cdf(lost, size, most))


def effective_binomial_p(lost: float, *, n: float, limit: float) -> float:
    """Return the exact binomial p value for numbers of items that need not be whole.

    The binomial tail, written as an incomplete beta integral, takes any number of items: the effective
    number of items that go together, and the share of it that was lost. At whole numbers it is `binomial_p`.

    Parameters
    ----------
    lost, n : float
        Lost items and all items.
    limit : float
        The null hypothesis is that the true risk is above this.

    Notes
    -----
    Korn and Graubard (1998), Survey Methodology 24, use an effective number of items in the same way.

    Examples
    --------
    >>> round(effective_binomial_p(10, n=200, limit=0.1), 5)
    0.00807
    >>> effective_binomial_p(0, n=28.4, limit=0.1) > 0.05 > effective_binomial_p(0, n=28.5, limit=0.1)
    True
    """
    if not 0.0 < limit < 1.0:
        raise ValueError(f"limit: expected a number between 0 and 1, got {limit}")
    if not 0.0 <= lost <= n:
        raise ValueError(f"counts do not fit: {lost} of {n} lost")
    if lost == n:
        return 1.0
    return float(special.betainc(n - lost, lost + 1.0, 1.0 - limit))
