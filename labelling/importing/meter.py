"""How much of a file has been read, as far as anybody can tell before its end."""

from collections.abc import Callable


class Meter:
    """Asked by whoever shows progress; told by the reader where to look.

    Text is measured in bytes of the file as it lies on disk, packed or not, and sheets in rows.
    """

    def __init__(self) -> None:
        self._position: Callable[[], int] | None = None
        self._total = 0

    def watch(self, position: Callable[[], int], total: int) -> None:
        """Take the position from here on out of `position`, of `total` in the same unit (0 where it is not known)."""
        self._position, self._total = position, total

    def share(self) -> float | None:
        """From 0 to 1; None where the size is not known."""
        if self._position is None or self._total <= 0:
            return None
        try:
            return min(1.0, self._position() / self._total)
        except ValueError:  # a closed file was read to its end
            return 1.0
