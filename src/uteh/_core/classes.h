/* Sets and multisets of ranks by number, and the strengths of hands by their ranks or by a flush suit: what the two engines that go by
   suit classes, runouts.c and solve.c, have in common. */
#ifndef UTEH_CLASSES_H
#define UTEH_CLASSES_H

#include "evaluator.h"

enum { UTEH_FLUSH_CATEGORY = 5 };

static const uint16_t uteh_below[18][6] = {
    {1, 0, 0, 0, 0, 0},
    {1, 1, 0, 0, 0, 0},
    {1, 2, 1, 0, 0, 0},
    {1, 3, 3, 1, 0, 0},
    {1, 4, 6, 4, 1, 0},
    {1, 5, 10, 10, 5, 1},
    {1, 6, 15, 20, 15, 6},
    {1, 7, 21, 35, 35, 21},
    {1, 8, 28, 56, 70, 56},
    {1, 9, 36, 84, 126, 126},
    {1, 10, 45, 120, 210, 252},
    {1, 11, 55, 165, 330, 462},
    {1, 12, 66, 220, 495, 792},
    {1, 13, 78, 286, 715, 1287},
    {1, 14, 91, 364, 1001, 2002},
    {1, 15, 105, 455, 1365, 3003},
    {1, 16, 120, 560, 1820, 4368},
    {1, 17, 136, 680, 2380, 6188},
}; /* binomials */

/* How many multisets of n ranks there are. */
static inline int uteh_multisets(int n)
{
    return uteh_below[12 + n][n];
}

/* The number of a multiset of n ranks, and of a set of n ranks; both ascending. */
static inline int uteh_multiset(const int8_t *r, int n)
{
    int number = 0, i;

    for (i = 0; i < n; i++)
        number += uteh_below[r[i] + i][i + 1];
    return number;
}

static inline int uteh_set(const int8_t *r, int n)
{
    int number = 0, i;

    for (i = 0; i < n; i++)
        number += uteh_below[r[i]][i + 1];
    return number;
}

/* The next multiset of n ranks in the order of their numbers, or 0: the lowest rank that may rise does, those below it start again. */
static inline int uteh_next_multiset(int8_t *r, int n)
{
    int i;

    for (i = 0; i < n && r[i] == (i + 1 < n ? r[i + 1] : 12); i++)
        ;
    if (i == n)
        return 0;
    r[i]++;
    while (i-- > 0)
        r[i] = 0;
    return 1;
}

static inline int uteh_bits(unsigned x)
{
    int n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

/* Three cards in ascending order. */
static inline void uteh_sort_three(uint8_t card[3])
{
    uint8_t t;

#define UTEH_ORDER(a, b)                                                                                                           \
    if (card[a] > card[b]) {                                                                                                       \
        t = card[a];                                                                                                               \
        card[a] = card[b];                                                                                                         \
        card[b] = t;                                                                                                               \
    }
    UTEH_ORDER(0, 1)
    UTEH_ORDER(1, 2)
    UTEH_ORDER(0, 1)
#undef UTEH_ORDER
}

/* Where both hole cards must play: the rank keys of the board's ten parts of three cards, and the best with two hole cards. */
static inline void uteh_three_of_five(const uint32_t key[5], uint32_t three[10])
{
    int i, j, k, n = 0;

    for (i = 0; i < 3; i++)
        for (j = i + 1; j < 4; j++)
            for (k = j + 1; k < 5; k++)
                three[n++] = key[i] + key[j] + key[k];
}

static inline unsigned uteh_best_of_ten(const uint32_t three[10], uint32_t pair)
{
    unsigned best = 0;
    int i;

    for (i = 0; i < 10; i++) {
        unsigned s = uteh_by_ranks56(three[i] + pair);

        if (s > best)
            best = s;
    }
    return best;
}

/* A flush of the board's ranks `set` in a suit and those of the hole; three of the board's where both hole cards must play. */
static inline unsigned uteh_flush_of(unsigned set, int both, unsigned hole)
{
    unsigned best = 0, part;

    if (!both)
        return uteh_flush[set | hole];
    for (part = set;; part = (part - 1) & set) {
        if (uteh_bits(part) == 3 && uteh_flush[part | hole] > best)
            best = uteh_flush[part | hole];
        if (!part)
            return best;
    }
}

#endif
