# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A simulator of Ultimate Texas Hold'em on top of uteh: standard rules, and a strategy that fits in a sentence."""
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from uteh._eval cimport category, strength_rows

cdef enum:
    BATCH = 1024

# What the Blind wins by category, in halves of an ante.
cdef int[10] BLIND = [0, 0, 0, 0, 2, 3, 6, 20, 100, 1000]


cdef uint64_t draw(uint64_t *state) noexcept nogil:
    """SplitMix64."""
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef void deal(uint64_t *state, uint8_t *deck, uint8_t *cards) noexcept nogil:
    """Nine cards from the front of a deck that is shuffled as far as they go: player 2, dealer 2, board 5."""
    cdef int i, j
    for i in range(9):
        j = i + <int>((draw(state) >> 32) * <uint64_t>(52 - i) >> 32)
        deck[i], deck[j] = deck[j], deck[i]
        cards[i] = deck[i]


cdef int multiple_of(const uint8_t *hole, uint16_t player, uint16_t board) noexcept nogil:
    """4x with a pair or an ace; else 1x on the river if the hole makes a better category than the board's; else fold."""
    if hole[0] >> 2 == hole[1] >> 2 or hole[0] >= 48 or hole[1] >= 48:
        return 4
    return 1 if category(player) > category(board) else 0


cdef int net_of(int multiple, uint16_t player, uint16_t dealer) noexcept nogil:
    """Net win of Ante, Blind and Play in halves of an ante."""
    cdef int ante = 2 if category(dealer) > 0 else 0  # it pushes where the dealer does not qualify
    if multiple == 0:
        return -4
    if player == dealer:
        return 0
    if player > dealer:
        return ante + 2 * multiple + BLIND[category(player)]
    return -ante - 2 * multiple - 2


def simulate(uint8_t[:, ::1] cards not None, uint8_t[::1] multiples not None, uint64_t seed):
    """Deals a round into every row of cards, (n, 9), notes how it was played, and returns the sum of the net wins in half antes."""
    cdef int64_t n = cards.shape[0], first = 0, total = 0
    cdef int i, size
    cdef uint64_t state = seed
    cdef uint8_t[52] deck
    cdef uint8_t[BATCH * 7] players
    cdef uint8_t[BATCH * 7] dealers
    cdef uint8_t[BATCH * 5] boards
    cdef uint16_t[BATCH] player
    cdef uint16_t[BATCH] dealer
    cdef uint16_t[BATCH] board
    cdef uint8_t *row
    if cards.shape[1] != 9 or multiples.shape[0] != n:
        raise ValueError("cards are (n, 9) and multiples (n,)")
    with nogil:
        for i in range(52):
            deck[i] = <uint8_t>i
        while first < n:
            size = <int>min(BATCH, n - first)
            for i in range(size):
                row = &cards[first + i, 0]
                deal(&state, deck, row)
                memcpy(players + 7 * i, row, 2)
                memcpy(players + 7 * i + 2, row + 4, 5)
                memcpy(dealers + 7 * i, row + 2, 7)
                memcpy(boards + 5 * i, row + 4, 5)
            strength_rows(players, size, 7, player)
            strength_rows(dealers, size, 7, dealer)
            strength_rows(boards, size, 5, board)
            for i in range(size):
                multiples[first + i] = <uint8_t>multiple_of(&cards[first + i, 0], player[i], board[i])
                total += net_of(multiples[first + i], player[i], dealer[i])
            first += size
    return total
