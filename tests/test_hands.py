"""Strengths and what they mean, against the reference: every five-card hand, every seven-card hand, and names."""

import itertools
import os
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

import uteh
from uteh import Category, _eval
from uteh.hands import ranks

# Seven-card hands by category, high card upward, the straight flush with the royal (published, and the reference's own
# count).
SEVEN_CARD_COUNTS = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]
ROYALS = 4324

# Each kernel that this build has on this machine; the others are reported as skipped.
PATHS = [
    pytest.param(
        path,
        marks=pytest.mark.skipif(path not in uteh.cpu_features()["available"], reason=f"no {path} on this machine"),
    )
    for path in ("portable", "avx2", "avx512", "neon")
]

any_hand = st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True)


def five_card_hands():
    """All of them as rows, in colexicographic order (which is the reference table's)."""
    combos = np.array(list(itertools.combinations(range(52), 5)), dtype=np.uint8)
    order = np.lexsort(combos.T)
    return combos[order]


def on_path(path, rows, first=0, last=None):
    """Strengths on a path, straight from the kernel: rows first to last - 1."""
    last = len(rows) if last is None else last
    out = np.full(len(rows), 9999, dtype=np.uint16)
    _eval.strengths(rows, rows.shape[1], out, first, last, path)
    assert (out[:first] == 9999).all()
    assert (out[last:] == 9999).all()
    return out[first:last]


@pytest.mark.smoke
@pytest.mark.parametrize("path", PATHS)
def test_all_five_card_hands_have_the_right_order(path):
    rows = five_card_hands()
    assert np.array_equal(on_path(path, rows), reference.five_table())
    assert _eval.check_rows(rows, 5, 0, len(rows), path) == len(rows)


def test_the_path_in_use_is_the_one_of_arrays():
    rows = five_card_hands()[:100_000]
    assert np.array_equal(uteh.evaluate_many(rows), on_path(uteh.cpu_features()["path"], rows))


def test_paths_that_are_not_there():
    rows = np.array([[0, 1, 2, 3, 4]], dtype=np.uint8)
    missing = sorted({"avx2", "avx512", "neon"} - set(uteh.cpu_features()["available"]))
    assert missing  # no machine has all
    for path in [*missing, "", "AVX2", 1]:
        with pytest.raises(ValueError, match="path is"):
            _eval.strengths(rows, 5, np.zeros(1, np.uint16), 0, 1, path)
        with pytest.raises(ValueError, match="path is"):
            _eval.check_rows(rows, 5, 0, 1, path)


def test_the_reference_has_7462_classes():
    table = reference.five_table()
    assert np.array_equal(np.unique(table), np.arange(1, 7463))


def test_random_six_card_hands_are_the_best_of_six_subsets():
    rng = np.random.default_rng(6)
    rows = np.argsort(rng.random((100_000, 52)), axis=1)[:, :6].astype(np.uint8)
    assert np.array_equal(uteh.evaluate_many(rows), reference.rank_six(rows))


@pytest.mark.exhaustive
def test_all_six_card_hands():
    """20,358,520 hands: five cards below a highest one, in blocks."""
    paths = uteh.cpu_features()["available"]
    for high in range(5, 52):
        below = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(high), 5)), dtype=np.uint8)
        rows = np.column_stack([below.reshape(-1, 5), np.full(len(below) // 5, high, dtype=np.uint8)])
        expected = reference.rank_six(rows)
        for path in paths:
            assert np.array_equal(on_path(path, rows), expected), path


def test_random_seven_card_hands():
    rng = np.random.default_rng(7)
    rows = np.argsort(rng.random((100_000, 52)), axis=1)[:, :7].astype(np.uint8)
    strengths = uteh.evaluate_many(rows)
    assert np.array_equal(strengths, reference.rank_seven(rows))
    assert [uteh.evaluate(row.tolist()) for row in rows[:2000]] == strengths[:2000].tolist()


@pytest.mark.exhaustive
def test_all_seven_card_hands():
    """133,784,560 hands: the strength of each on every path, and the published number of each category."""
    counts = np.zeros(10, dtype=np.int64)
    paths = uteh.cpu_features()["available"]
    for rows, expected in reference.all_seven():
        strengths = uteh.evaluate_many(rows)
        assert np.array_equal(strengths, expected)
        for path in paths:
            assert np.array_equal(on_path(path, rows), expected), path
            assert _eval.check_rows(rows, 7, 0, len(rows), path) == len(rows)
        counts += np.bincount(uteh.category(strengths), minlength=10)
    assert counts[:8].tolist() == SEVEN_CARD_COUNTS[:8]
    assert counts[8:].tolist() == [SEVEN_CARD_COUNTS[8] - ROYALS, ROYALS]


@given(any_hand, st.randoms(use_true_random=False))
def test_the_order_of_cards_does_not_matter(cards, rnd):
    strength = uteh.evaluate(cards)
    assert strength == reference.rank(cards)
    rnd.shuffle(cards)
    assert uteh.evaluate(tuple(cards)) == strength
    assert uteh.evaluate(uteh.format_cards(cards)) == strength
    assert uteh.evaluate(np.array(cards)) == strength
    suits = list(range(4))
    rnd.shuffle(suits)
    assert uteh.evaluate([card - card % 4 + suits[card % 4] for card in cards]) == strength


@pytest.mark.smoke
def test_category_and_ranks_of_every_strength():
    for strength in range(1, 7463):
        category = uteh.category(strength)
        assert category == reference.category_of(strength)
        five = ranks(strength)
        suited = category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
        # Each copy of a rank in another suit, and the last card in a suit of its own, unless it is a flush.
        cards = [
            4 * r + (0 if suited else five[:i].count(r) + (i == 4 and five.count(r) == 1)) for i, r in enumerate(five)
        ]
        assert reference.rank5(cards) == strength
        assert spoken_order([4 * r + 3 - five[:i].count(r) for i, r in enumerate(five)])
    everything = np.arange(1, 7463, dtype=np.uint16).reshape(2, 3731)
    categories = uteh.category(everything)
    assert categories.dtype == np.uint8
    assert categories.shape == everything.shape
    assert categories.ravel().tolist() == [int(uteh.category(int(s))) for s in everything.ravel()]
    assert uteh.category([1, 7462]).tolist() == [0, 9]
    assert uteh.category(np.uint16(7462)) is Category.ROYAL_FLUSH


def spoken_order(five):
    """Whether five ids stand as a dealer says them: groups by size, then rank, the wheel from its five, equal ranks by
    id."""
    ranks = [card // 4 for card in five]
    if ranks == [3, 2, 1, 0, 12]:
        return True
    keys = [(-ranks.count(card // 4), -(card // 4), -card) for card in five]
    return keys == sorted(keys)


@given(any_hand)
def test_best_five(cards):
    five = uteh.best_five(cards)
    assert len(set(five)) == 5
    assert set(five) <= set(cards)
    assert reference.rank5(five) == uteh.evaluate(cards)
    assert spoken_order(five)
    # Of the choices that are worth as much, the one with the highest ids.
    equals = [c for c in itertools.combinations(cards, 5) if reference.rank5(c) == uteh.evaluate(cards)]
    assert sorted(five, reverse=True) == max(sorted(c, reverse=True) for c in equals)


@pytest.mark.parametrize(
    ("cards", "best", "words"),
    [
        ("7c 5d 4h 3s 2c", "7c 5d 4h 3s 2c", "high card, 7 5 4 3 2"),
        ("As Kd Qh Js 9c", "As Kd Qh Js 9c", "high card, A K Q J 9"),
        ("As Ad Qh Js Kc 2d", "As Ad Kc Qh Js", "pair of aces, K Q J"),
        ("6s 6d Qh Js Kc 2d 3d", "6s 6d Kc Qh Js", "pair of sixes, K Q J"),
        ("As Ad Ks Kd Qh Qd 2c", "As Ad Ks Kd Qh", "two pair, aces and kings, Q"),
        ("9s 9d 9h As Kc 2d 3d", "9s 9h 9d As Kc", "three nines, A K"),
        ("5s 6d 7h 8s 9c 9d 9h", "9h 8s 7h 6d 5s", "straight, nine high"),
        ("As 2d 3h 4s 5c Kd Qh", "5c 4s 3h 2d As", "straight, five high"),
        ("As Ks Qs Js 9s 8s 7s", "As Ks Qs Js 9s", "flush, A K Q J 9"),
        ("Kc Kd Ks 9h 9c 9d 2h", "Ks Kd Kc 9h 9d", "kings full of nines"),
        ("7c 7d 7h 7s Kd Kh Ks", "7s 7h 7d 7c Ks", "four sevens, K"),
        ("5s 6s 7s 8s 9s Ts Kd", "Ts 9s 8s 7s 6s", "straight flush, ten high"),
        ("5s 6s 7s 8s 9s Td Kd", "9s 8s 7s 6s 5s", "straight flush, nine high"),
        ("As 2s 3s 4s 5s Kd Qh", "5s 4s 3s 2s As", "straight flush, five high"),
        ("As Ks Qs Js Ts Td Th", "As Ks Qs Js Ts", "royal flush"),
    ],
)  # fmt: skip
def test_best_five_and_words(cards, best, words):
    assert uteh.format_cards(uteh.best_five(cards)) == best
    assert uteh.describe(uteh.evaluate(cards)) == words


def test_every_strength_has_its_own_words():
    assert len({uteh.describe(strength) for strength in range(1, 7463)}) == 7462


@pytest.mark.parametrize("function", [uteh.evaluate, uteh.best_five])
def test_wrong_hands(function):
    for cards, named in [
        ("As Kd 7h 8h", "4"),
        ("As Kd 7h 8h 2c 3c 4c 5c", "8"),
        ([], "0"),
        ("", "0"),
        (list(range(8)), "8"),
        ([0, 1, 2, 3, 3], "2s is given twice, as card 4 and card 5"),
        ([0, 1, 2, 3, 52], "52"),
        ([0, 1, 2, 3, -1], "-1"),
        ([0, 1, 2, 3, 10**40], "large"),
        ("As Kd 7h 8h Xc", "Xc"),
    ]:
        with pytest.raises(uteh.CardError) as caught:
            function(cards)
        assert named in str(caught.value)
    for cards in (None, 5, [0, 1, 2, 3, 4.0], [0, 1, 2, 3, True], [0, 1, 2, 3, None]):
        with pytest.raises(TypeError):
            function(cards)


def test_wrong_strengths():
    for strength in (0, 7463, -1, 10**30):
        with pytest.raises(ValueError, match="strength"):
            uteh.category(strength)
        with pytest.raises(ValueError, match="strength"):
            uteh.describe(strength)
    for strength in (None, 1.0, True, "7462", np.float64(3)):
        with pytest.raises(TypeError):
            uteh.describe(strength)
        with pytest.raises(TypeError):
            uteh.category(strength)
    for strengths in (np.array([1, 2]), [1], np.array([[7462]])):
        with pytest.raises(TypeError, match="a strength is an int"):
            uteh.describe(strengths)
    with pytest.raises(TypeError):
        uteh.category(np.array([1.5]))
    with pytest.raises(ValueError, match="row 1: 0 is not a strength") as caught:
        uteh.category(np.array([7462, 0], dtype=np.uint16))
    assert caught.value.row == 1


# Arrays ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(11)
    return np.argsort(rng.random((5000, 52)), axis=1)[:, :7].astype(np.uint8)


def test_any_integer_dtype_and_any_strides(rows):
    expected = uteh.evaluate_many(rows)
    assert expected.dtype == np.uint16
    wide = np.zeros((10000, 21), dtype=np.uint8)
    wide[::2, ::3] = rows
    shapes = [rows.astype(dtype) for dtype in ("i1", "i2", ">i4", "<i8", "u2", ">u8")]
    shapes += [np.asfortranarray(rows), wide[::2, ::3], rows[::-1][::-1], rows.tolist(), [tuple(row) for row in rows]]
    for array in shapes:
        assert np.array_equal(uteh.evaluate_many(array), expected)
    read_only = rows.copy()
    read_only.flags.writeable = False
    assert np.array_equal(uteh.evaluate_many(read_only), expected)
    assert np.array_equal(uteh.evaluate_many(np.ma.masked_array(rows)), expected)


RANK = {5: reference.rank_five, 6: reference.rank_six, 7: reference.rank_seven}


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 6, 7, 9, 63, 64, 65])
def test_any_length(rows, n, k):
    part = np.ascontiguousarray(rows[:n, :k])
    for check in (True, False):
        assert np.array_equal(uteh.evaluate_many(part, check=check), RANK[k](part))


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("path", PATHS)
def test_any_length_and_place_on_every_path(rows, path, k):
    """Whole blocks, the rest after them, and any first row; the kernels write what they are asked for and no more."""
    hands = np.ascontiguousarray(rows[:, :k])
    expected = RANK[k](hands)
    for n in [*range(140), 1023, 1024, 1025, len(hands)]:
        first = n % 7
        last = min(n + first, len(hands))
        assert np.array_equal(on_path(path, hands, first, last), expected[first:last])
        assert _eval.check_rows(hands, k, first, last, path) == last


def suited_hands(k):
    """Hands with at least k - 2 cards of a suit, and with four: what the search for flushes may mistake."""
    rnd = random.Random(23)
    hands = []
    for _ in range(20_000):
        most = rnd.randint(4, k)
        suit = rnd.randrange(4)
        others = [card for card in range(52) if card % 4 != suit]
        hand = [4 * rank + suit for rank in rnd.sample(range(13), most)] + rnd.sample(others, k - most)
        rnd.shuffle(hand)
        hands.append(hand)
    return np.array(hands, dtype=np.uint8)


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("path", PATHS)
def test_flushes_and_almost_flushes(path, k):
    hands = suited_hands(k)
    assert np.array_equal(on_path(path, hands), RANK[k](hands))


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("path", PATHS)
def test_the_first_bad_row_on_every_path(rows, path, k):
    hands = np.ascontiguousarray(rows[:200, :k])
    for row in range(200):
        for first, second in itertools.combinations(range(k), 2):
            bad = hands.copy()
            bad[row, second] = bad[row, first]
            bad[row + 1 :, 0] = 99
            assert _eval.check_rows(bad, k, 0, 200, path) == row
        for column in range(k):
            bad = hands.copy()
            bad[row, column] = (52, 60, 63, 64, 127, 128, 255)[(row + column) % 7]
            assert _eval.check_rows(bad, k, 0, 200, path) == row


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("path", PATHS)
def test_any_bytes_on_every_path(path, k):
    rows = np.random.default_rng(29).integers(0, 256, size=(100_000, k), dtype=np.uint8)
    assert on_path(path, rows).max() <= 7462
    assert on_path(path, np.repeat(rows[:, :1], k, axis=1)).max() <= 7462


def test_any_alignment(rows):
    flat = np.zeros(rows.size + 64, dtype=np.uint8)
    expected = uteh.evaluate_many(rows)
    for shift in range(16):
        view = flat[shift : shift + rows.size].reshape(rows.shape)
        view[...] = rows
        assert np.array_equal(uteh.evaluate_many(view), expected)


def test_threads_give_the_same():
    rng = np.random.default_rng(13)
    rows = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (1 << 16, 1)), axis=1)[:, :7]
    many = np.ascontiguousarray(np.tile(rows, (80, 1)))  # five slices
    expected = np.tile(uteh.evaluate_many(rows), 80)
    for threads in (1, 2, 5, None):
        assert np.array_equal(uteh.evaluate_many(many, threads=threads), expected)
    many[4_000_000, 6] = many[4_000_000, 0]
    many[3_000_000, 3] = 77
    with pytest.raises(uteh.CardError) as caught:
        uteh.evaluate_many(many, threads=3)
    assert caught.value.row == 3_000_000


def test_out(rows):
    out = np.zeros(len(rows), dtype=np.uint16)
    assert uteh.evaluate_many(rows, out=out) is out
    assert np.array_equal(out, uteh.evaluate_many(rows))
    with pytest.raises(TypeError, match="uint16"):
        uteh.evaluate_many(rows, out=np.zeros(len(rows), dtype=np.int16))
    with pytest.raises(TypeError, match="array"):
        uteh.evaluate_many(rows, out=[0] * len(rows))
    with pytest.raises(ValueError, match="shape"):
        uteh.evaluate_many(rows, out=np.zeros(len(rows) - 1, dtype=np.uint16))
    with pytest.raises(ValueError, match="contiguous"):
        uteh.evaluate_many(rows, out=np.zeros(2 * len(rows), dtype=np.uint16)[::2])
    both = rows.copy()
    inside = both.reshape(-1)[: 2 * len(rows)].view(np.uint16)
    with pytest.raises(ValueError, match="shares memory"):
        uteh.evaluate_many(both, out=inside)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        uteh.evaluate_many(rows, out=out)
    with pytest.raises(TypeError):
        uteh.evaluate_many(rows, out=np.zeros(len(rows), dtype=">u2"))


@pytest.mark.parametrize("k", [5, 6, 7])
def test_bad_rows_are_named_before_anything_is_written(rows, k):
    hands = np.ascontiguousarray(rows[:, :k])
    rnd = random.Random(k)
    for row in [0, 1, 2, 3, 4, 5, *rnd.sample(range(len(hands)), 60), len(hands) - 2, len(hands) - 1]:
        for first, second in itertools.combinations(range(k), 2):
            bad = hands.copy()
            bad[row, second] = bad[row, first]
            out = np.full(len(bad), 9, dtype=np.uint16)
            with pytest.raises(uteh.CardError) as caught:
                uteh.evaluate_many(bad, out=out)
            assert caught.value.row == row
            card = uteh.format_cards([int(bad[row, first])])
            assert str(caught.value) == f"row {row}: {card} is given twice, in columns {first} and {second}"
            assert (out == 9).all()
        for column in range(k):
            for value in (52, 63, 64, 127, 128, 255):
                bad = hands.copy()
                bad[row, column] = value
                with pytest.raises(uteh.CardError) as caught:
                    uteh.evaluate_many(bad)
                assert caught.value.row == row
                assert str(caught.value) == f"row {row}: column {column}: {value} is not a card id (0 to 51)"


def test_wider_integers_are_not_wrapped(rows):
    for dtype, value in [("i8", 256), ("i2", -1), ("i1", -1), ("u8", 2**63), ("i8", -(2**63))]:
        bad = rows.astype(dtype)
        bad[7, 3] = value
        for check in (True, False):
            with pytest.raises(uteh.CardError, match=f"row 7: column 3: {value}") as caught:
                uteh.evaluate_many(bad, check=check)
            assert caught.value.row == 7


@pytest.mark.parametrize(
    "cards",
    [None, "AsKd", b"AsKd", object(), np.zeros((2, 7)), np.zeros((2, 7), bool), np.zeros((2, 7), object), [["As"] * 7],
     np.zeros((2, 7), "M8[s]"), np.zeros((2, 7), complex), []],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_other_dtypes_are_type_errors(cards):
    with pytest.raises(TypeError, match="cards"):
        uteh.evaluate_many(cards)


@pytest.mark.parametrize("shape", [(7,), (3, 4), (3, 8), (7, 3), (2, 3, 7), (0,), (), (0, 0), (5, 0)])
def test_wrong_shapes(shape):
    with pytest.raises(ValueError, match="shape"):
        uteh.evaluate_many(np.zeros(shape, dtype=np.uint8))


def test_other_wrong_arguments(rows):
    with pytest.raises(ValueError, match="cards"):
        uteh.evaluate_many([[1, 2, 3, 4, 5], [1, 2]])
    for threads, error in [(0, ValueError), (-1, ValueError), (1.0, TypeError), (True, TypeError), ("2", TypeError)]:
        with pytest.raises(error, match="threads"):
            uteh.evaluate_many(rows, threads=threads)
    with pytest.raises(TypeError, match="check"):
        uteh.evaluate_many(rows, check=1)


def test_unchecked_rows_may_hold_anything():
    """No bytes crash the kernels, whatever they say."""
    rng = np.random.default_rng(17)
    for k in (5, 6, 7):
        rows = rng.integers(0, 256, size=(200_000, k), dtype=np.uint8)
        assert uteh.evaluate_many(rows, check=False).shape == (200_000,)
        assert uteh.evaluate_many(np.repeat(rows[:, :1], k, axis=1), check=False).max() <= 7462


def test_another_thread_writes_into_the_array(rows):
    """Checked once, then read again while it changes: any answer will do, a crash will not."""
    shared = np.tile(rows, (40, 1))
    stop = threading.Event()

    def write():
        rng = np.random.default_rng(19)
        while not stop.is_set():
            shared[rng.integers(len(shared), size=1000)] = rng.integers(0, 256, size=(1000, 7), dtype=np.uint8)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(20):
            try:
                uteh.evaluate_many(shared, threads=2)
            except uteh.CardError as error:
                assert 0 <= error.row < len(shared)  # noqa: PT017
            uteh.evaluate_many(shared, check=False)
    finally:
        stop.set()
        writer.join()


def test_threads_race_for_the_first_call():
    """A fresh process whose first call comes from eight threads at once: lazy names and NumPy's import are safe."""
    code = (
        "import threading, uteh\n"
        "rows = [[51, 45, 22, 26, 0, 5, 10]] * 1000\n"
        "out = []\n"
        "threads = [threading.Thread(target=lambda: out.append(uteh.evaluate_many(rows).tolist())) for _ in range(8)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "assert len(out) == 8 and all(o == out[0] for o in out)\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, env=os.environ)
