"""Writes `src/uteh/_core/tables.c`: every table that the evaluator looks things up in.

    python tools/make_tables.py            write the file
    python tools/make_tables.py --check    exit 1 if the file is not what would be written

The method. A hand without a flush is worth what its ranks are worth. Each rank has a 32-bit key, and the sum of a
hand's keys (modulo 2**32) names its multiset of ranks. The sum is cut into a *bucket* and a *position*; the strength
stands at `position ^ displacement[bucket]`. The displacements are chosen one bucket at a time, the fullest first, so
that no two multisets meet: a perfect hash without a multiplication, because multiplying a sum by a constant is the same
as multiplying every key. Seven cards have a table of their own (49,205 multisets in 65,536 places), five and six share
one (24,570 in 32,768). The upper half of a card's key counts suits in four bits each; starting from three, a suit's top
bit says that it has five cards, and the flush is looked up by the 13-bit mask of its ranks.

Vector kernels look bytes up, sixteen ranks in one instruction, so the keys are made of three random bytes a rank, the
*planes* a, b and c: `key = (a + (b << 10) + (c << 20)) * multiplier`. The bytes of a hand are added plane by plane, and
one multiplication of the three sums gives the same number as adding the keys. No sum of seven cards leaves its 32 bits.

They find flushes by a fourth plane, a small weight a suit. The weights are such that the sum tells whether five cards
are of one suit, by its two digits to the base 16: `low[sum % 16] & high[sum / 16]` is not zero. Each bit of these bytes
is a set of low digits, shared by the high digits that can have it.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from pathlib import Path

import numpy as np

TARGET = Path(__file__).resolve().parent.parent / "src" / "uteh" / "_core" / "tables.c"
RANKS = 13
WHEEL = (12, 3, 2, 1, 0)
STRAIGHTS = [WHEEL] + [tuple(range(top, top - 5, -1)) for top in range(4, RANKS)]
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL = range(10)


def multisets(size: int) -> list[tuple[int, ...]]:
    """All ascending rank tuples of `size` cards with at most four of a rank."""
    return [
        ranks
        for ranks in itertools.combinations_with_replacement(range(RANKS), size)
        if all(ranks[i] != ranks[i + 4] for i in range(size - 4))
    ]


def class_of(ranks: tuple[int, ...], suited: bool) -> tuple[int, ...]:
    """(category, ranks in the order they count): greater tuples are better five-card hands."""
    groups = sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)
    shape = tuple(count for count, _ in groups)
    order = tuple(r for _, r in groups)
    if shape == (1, 1, 1, 1, 1):
        top = {frozenset(s): s[0] if s != WHEEL else 3 for s in STRAIGHTS}.get(frozenset(order))
        if top is not None:
            straight = (ROYAL if top == 12 else STRAIGHT_FLUSH) if suited else STRAIGHT
            return (straight, top)
        return (FLUSH if suited else HIGH_CARD, *order)
    category = {
        (2, 1, 1, 1): PAIR,
        (2, 2, 1): TWO_PAIR,
        (3, 1, 1): TRIPS,
        (3, 2): FULL_HOUSE,
        (4, 1): QUADS,
    }[shape]
    return (category, *order)


def strengths() -> tuple[dict[tuple[int, ...], int], np.ndarray, list[int]]:
    """Strength by ascending ranks (5 to 7 cards, no flush), strength by flush mask, first strength of each category."""
    five = multisets(5)
    unsuited = {ranks: class_of(ranks, suited=False) for ranks in five}
    suited = {ranks: class_of(ranks, suited=True) for ranks in five if len(set(ranks)) == 5}
    ordered = sorted(set(unsuited.values()) | set(suited.values()))
    assert len(ordered) == 7462
    number = {cls: i + 1 for i, cls in enumerate(ordered)}
    first = [min(n for cls, n in number.items() if cls[0] == category) for category in range(10)]
    by_ranks = {ranks: number[cls] for ranks, cls in unsuited.items()}
    for size in (6, 7):
        for ranks in multisets(size):
            by_ranks[ranks] = max(by_ranks[ranks[:i] + ranks[i + 1 :]] for i in range(size))
    by_mask = np.zeros(1 << RANKS, dtype=np.uint16)
    for ranks, cls in suited.items():
        by_mask[sum(1 << r for r in ranks)] = number[cls]
    # Six and seven suited cards: the best of the masks with one card fewer, in order of size.
    for mask in sorted(range(1 << RANKS), key=int.bit_count):
        if mask.bit_count() > 5:
            by_mask[mask] = max(by_mask[mask & ~(1 << r)] for r in range(RANKS) if mask >> r & 1)
    return by_ranks, by_mask, first


def displace(sums: np.ndarray, position_bits: int, bucket_bits: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Displacements and final places of the sums, or None if two sums share bucket and position or no place is left."""
    position = sums & ((1 << position_bits) - 1)
    bucket = (sums >> 16) & ((1 << bucket_bits) - 1)
    if len(np.unique(bucket << 16 | position)) != len(sums):
        return None
    members: list[list[int]] = [[] for _ in range(1 << bucket_bits)]
    for i, b in enumerate(bucket.tolist()):
        members[b].append(i)
    used = np.zeros(1 << position_bits, dtype=bool)
    displacement = np.zeros(1 << bucket_bits, dtype=np.uint16)
    candidates = np.arange(1 << position_bits)
    for b in sorted(range(1 << bucket_bits), key=lambda b: (-len(members[b]), b)):
        if not members[b]:
            break
        # The lowest is found early as a rule, so that a part is tried before all.
        for some in (candidates[:1024], candidates):
            free = ~used[some[:, None] ^ position[members[b]]].any(axis=1)
            d = int(free.argmax())
            if free[d]:
                break
        else:
            return None
        used[position[members[b]] ^ d] = True
        displacement[b] = d
    return displacement, position ^ displacement[bucket]


def flush_digits(size: int, weights: tuple[int, ...]) -> tuple[list[int], list[int]] | None:
    """The bytes of the low and of the high digit of a sum of suit weights, or None if eight bits are not enough."""
    flush: dict[int, bool] = {}
    for counts in itertools.product(range(size + 1), repeat=4):
        if sum(counts) == size:
            total = sum(count * weight for count, weight in zip(counts, weights, strict=True))
            if total > 255 or flush.setdefault(total, max(counts) >= 5) != (max(counts) >= 5):
                return None
    low, high, groups = [0] * 16, [0] * 16, []
    for digit in range(16):
        yes = {total % 16 for total, is_flush in flush.items() if total // 16 == digit and is_flush}
        no = {total % 16 for total, is_flush in flush.items() if total // 16 == digit and not is_flush}
        if not yes:
            continue
        fits = (bit for bit, group in enumerate(groups) if not group[0] & no and not group[1] & yes)
        bit = next(fits, len(groups))
        if bit == len(groups):
            groups.append((set(), set()))
        groups[bit][0].update(yes)
        groups[bit][1].update(no)
        high[digit] |= 1 << bit
    if len(groups) > 8:
        return None
    for bit, (group_yes, _) in enumerate(groups):
        for digit in group_yes:
            low[digit] |= 1 << bit
    return low, high


def suit_weights() -> tuple[tuple[int, ...], dict[int, tuple[list[int], list[int]]]]:
    """The smallest weights that will do, none for clubs, and for hands of 5, 6 and 7 cards the bytes of both digits."""
    for rest in itertools.combinations(range(1, 37), 3):
        digits = {size: flush_digits(size, (0, *rest)) for size in (5, 6, 7)}
        if all(digits.values()):
            return (0, *rest), digits
    raise AssertionError("no weights will do")


def search(by_ranks: dict[tuple[int, ...], int]) -> dict[str, np.ndarray]:
    """Keys from the first seed whose sums can be displaced, and the tables that follow from them."""
    groups = {
        "7": (16, 13, [r for r in by_ranks if len(r) == 7]),
        "56": (15, 12, [r for r in by_ranks if len(r) in (5, 6)]),
    }
    counts = {
        name: np.array([[ranks.count(r) for r in range(RANKS)] for ranks in group], dtype=np.uint64)
        for name, (_, _, group) in groups.items()
    }
    for seed in itertools.count():
        chance = random.Random(seed)
        planes = np.array([[chance.getrandbits(8) for _ in range(RANKS)] for _ in range(3)], dtype=np.uint64)
        multiplier = chance.getrandbits(32) | 1
        keys = (planes[0] + (planes[1] << np.uint64(10)) + (planes[2] << np.uint64(20))) * np.uint64(multiplier)
        keys &= np.uint64(0xFFFFFFFF)
        tables = {"keys": keys, "planes": planes, "multiplier": np.array([multiplier])}
        for name, (position_bits, bucket_bits, group) in groups.items():
            sums = (counts[name] @ keys) & np.uint64(0xFFFFFFFF)
            placed = displace(sums.astype(np.int64), position_bits, bucket_bits)
            if placed is None:
                break
            displacement, place = placed
            table = np.zeros(1 << position_bits, dtype=np.uint16)
            table[place] = [by_ranks[ranks] for ranks in group]
            tables["displace" + name], tables["ranks" + name] = displacement, table
        else:
            return tables
    raise AssertionError("itertools.count ended")


def c_array(ctype: str, name: str, values: list[str], per_line: int) -> str:
    rows = [", ".join(values[i : i + per_line]) for i in range(0, len(values), per_line)]
    return f"const {ctype} {name}[{len(values)}] = {{\n    " + ",\n    ".join(rows) + "};\n"


def render() -> str:
    by_ranks, by_mask, first = strengths()
    tables = search(by_ranks)
    # Places 52 to 255 exist so that no byte can reach outside the table.
    keys = [int(tables["keys"][card // 4]) | 1 << (48 + 4 * (card % 4)) if card < 52 else 0 for card in range(256)]
    category = np.zeros(8192, dtype=np.uint8)
    for c, start in enumerate(first):
        category[start:] = c
    parts = [
        "/* Written by tools/make_tables.py, which says what these tables are; do not edit. */\n"
        "/* clang-format off */\n"
        '#include "tables.h"\n',
        c_array("uint64_t", "uteh_key", [f"0x{k:x}u" for k in keys], 5),
    ]
    for name in ("displace7", "ranks7", "displace56", "ranks56"):
        parts.append(c_array("uint16_t", f"uteh_{name}", [str(int(v)) for v in tables[name]], 20))
    weights, digits = suit_weights()
    # By rank, and the weights for each of the sixteen low halves of an id; then by id.
    nibbles = [[*tables["planes"][i].tolist(), 0, 0, 0] for i in range(3)] + [[*weights] * 4]
    cards = [[plane[card // 4] for card in range(64)] for plane in nibbles[:3]] + [[*weights] * 16]
    parts.append(c_array("uint32_t", "uteh_multiplier", [f"0x{int(tables['multiplier'][0]):x}u"], 1))
    parts.append(c_array("uint8_t", "uteh_planes", [str(v) for plane in nibbles for v in plane], 16))
    parts.append(c_array("uint8_t", "uteh_card_planes", [str(v) for plane in cards for v in plane], 32))
    both = [v for size in (5, 6, 7) for part in digits[size] for v in part]
    parts.append(c_array("uint8_t", "uteh_flush_digits", [str(v) for v in both], 16))
    parts.append(c_array("uint16_t", "uteh_flush", [str(int(v)) for v in by_mask], 20))
    parts.append(c_array("uint8_t", "uteh_category", [str(int(v)) for v in category], 40))
    parts.append(c_array("uint16_t", "uteh_first", [str(v) for v in [*first, 7463]], 11))
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    text = render()
    if parser.parse_args().check:
        same = TARGET.read_text(encoding="ascii") == text
        print("tables.c is up to date" if same else "tables.c differs from what tools/make_tables.py writes")
        return 0 if same else 1
    TARGET.write_text(text, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
