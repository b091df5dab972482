"""The value of a stack in prizes by the model of Malmuth and Harville (ICM).

The model: the winner is drawn in proportion to the stacks, then second place among the rest, and so
on. Clocks that ring at rates in proportion to the stacks give the same order: so each place is one
integral over the time a player's own clock rings, of the number of others that have rung before. No
order is enumerated, so a whole field is as exact as a final table.

The integrals are Gauss-Legendre sums over panels as wide as the distribution of the number of rung
clocks allows. That distribution is a product over the players; for all players at once it is a tree
of products: chances go up, expected prizes go down.

Against enumeration the error is below 1e-10 of the prizes (tests/domain/test_icm.py).
"""

from collections.abc import Iterator, Sequence
from math import lgamma

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

# Width of a panel, in widths of the number of rung clocks, and its nodes.
PANEL, NODES = 3.0, 12
# Beyond e**-40, or so many widths above the paid places, a silent clock wins nothing more.
LAST, SURE = 40.0, 12.0
# Short products are summed directly, longer ones by FFT.
BY_HAND = 8
# Numbers processed at once; bounds the memory.
AT_ONCE = 1 << 20

_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(NODES)


def icm_equities(stacks: Sequence[int], prizes: Sequence[float]) -> list[float]:
    """Return the value of each stack in the unit of the prizes, which are by place.

    >>> [round(worth, 3) for worth in icm_equities([5000, 3000, 2000], [50, 30, 20])]
    [38.393, 32.75, 28.857]

    :raises ValueError: If a stack is not positive, or there is none.
    """
    if not stacks or min(stacks) <= 0:
        raise ValueError("Every stack of a deal has chips.")
    leaves = 1 << (len(stacks) - 1).bit_length()
    # The last prize is certain for all: the model gets only the differences.
    sure = prizes[len(stacks) - 1] if len(prizes) >= len(stacks) else 0
    won = _padded([prize - sure for prize in prizes[: len(stacks)]], leaves)
    rates = _padded(stacks, leaves) / sum(stacks)
    worth = np.zeros(leaves)
    paid = int(np.flatnonzero(won)[-1]) + 1 if won.any() else 0
    for times, weights in _nodes(rates[: len(stacks)], paid) if paid else ():
        rung = times[:, None] * rates
        rings = weights[:, None] * rates * np.exp(-rung)
        worth += (rings * _expected(-np.expm1(-rung), won)).sum(axis=0)
    return [sure + float(one) for one in worth[: len(stacks)]]


def _padded(values: Sequence[float], length: int) -> Floats:
    """Pad with players without chips: their clocks never ring, so they change nothing."""
    return np.pad(np.asarray(values, dtype=np.float64), (0, length - len(values)))


def _nodes(rates: Floats, paid: int) -> Iterator[tuple[Floats, Floats]]:
    edges = np.array(list(_edges(rates, paid)))
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    times = (middle[:, None] + half[:, None] * _PLACES).ravel()
    weights = (half[:, None] * _WEIGHTS).ravel()
    size = max(1, AT_ONCE // (1 << len(rates).bit_length()))
    for start in range(0, len(times), size):
        yield times[start : start + size], weights[start : start + size]


def _edges(rates: Floats, paid: int) -> Iterator[float]:
    """Yield the edges of the panels: one second for all clocks together is the unit."""
    yield 0.0
    # A prize remains only while this many clocks are silent: at best the slowest ones.
    silent = len(rates) - paid + 1
    ways = lgamma(len(rates) + 1) - lgamma(silent + 1) - lgamma(paid)
    edge, end = 0.5, (LAST + ways) / float(np.sort(rates)[:silent].sum())
    while True:
        yield edge
        rung = -np.expm1(-rates * edge)
        spread = float(np.sqrt((rung * (1 - rung)).sum()))
        if edge >= end or float(rung.sum()) > paid + SURE * (spread + 3):
            return
        edge *= 1 + PANEL / np.hypot(1, spread)


def _expected(rung: Floats, won: Floats) -> Floats:
    """Return the expected prize of a player whose clock rings now, by time and player.

    :param rung: The chance that a player's clock has rung, by time and player.
    :param won: The prize of a stack by the number of stacks before it.
    """
    if len(won) == 1:
        return np.broadcast_to(won, rung.shape)
    counts, spectra = _up(rung)
    left: Floats = np.broadcast_to(won, (len(rung), 1, len(won)))
    while counts:
        left = _down(left, counts.pop(), spectra.pop())
    return left[..., 0]


def _up(rung: Floats) -> tuple[list[Floats], list[Complexes | None]]:
    """Return the distribution of rung clocks for groups of 1, 2, 4 ... up to halves of all."""
    counts: list[Floats] = [np.stack([1 - rung, rung], axis=-1)]
    spectra: list[Complexes | None] = []
    while True:
        now = counts[-1]
        size = now.shape[-1] - 1
        spectra.append(None if size <= BY_HAND else np.fft.rfft(now, 2 * size))
        if now.shape[1] == 2:
            return counts, spectra
        counts.append(_both(now, spectra[-1]))


def _both(counts: Floats, spectrum: Complexes | None) -> Floats:
    one, other = counts[:, 0::2], counts[:, 1::2]
    size = counts.shape[-1] - 1
    both = np.zeros((*one.shape[:-1], 2 * size + 1))
    if spectrum is None:
        for many in range(size + 1):
            both[..., many : many + size + 1] += one[..., many : many + 1] * other
        return both
    both[..., :-1] = np.fft.irfft(spectrum[:, 0::2] * spectrum[:, 1::2], 2 * size)
    # This length wraps around: the count of both complete groups fell on zero.
    both[..., -1] = one[..., -1] * other[..., -1]
    both[..., 0] -= both[..., -1]
    return both


def _down(left: Floats, counts: Floats, spectrum: Complexes | None) -> Floats:
    """Return the expected prizes of each half of a group, by its number of rung clocks.

    :param left: The expected prizes of the whole group, by its number of rung clocks.
    """
    size = counts.shape[-1] - 1
    halves = np.zeros((len(counts), counts.shape[1], size))
    whole = None if spectrum is None else np.fft.rfft(left, 2 * size)
    for side in (0, 1):
        if whole is None or spectrum is None:
            other = counts[:, 1 - side :: 2]
            for many in range(size + 1):
                halves[:, side::2] += other[..., many : many + 1] * left[..., many : many + size]
        else:
            turned = whole * np.conj(spectrum[:, 1 - side :: 2])
            halves[:, side::2] = np.fft.irfft(turned, 2 * size)[..., :size]
    return halves
