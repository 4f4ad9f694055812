/* The strength of five, six and seven cards: 1 (7-5-4-3-2) to 7462 (royal flush), higher is better. Inline, for one hand at a time
   and for the loops of other files; batch.c has the kernels for arrays. The method is told in tools/make_tables.py. */
#ifndef UTEH_EVALUATOR_H
#define UTEH_EVALUATOR_H

#include "tables.h"

#define UTEH_START UINT64_C(0x3333000000000000)      /* every suit counter at three, */
#define UTEH_FIVE_SUITED UINT64_C(0x8888000000000000) /* so that five cards set its top bit */

/* By the sum of rank keys alone; what stands above bit 31 does not matter. */
static inline unsigned uteh_by_ranks7(uint32_t sum)
{
    return uteh_ranks7[(sum & 0xffff) ^ uteh_displace7[sum >> 16 & 0x1fff]];
}

static inline unsigned uteh_by_ranks56(uint32_t sum)
{
    return uteh_ranks56[((sum & 0x7fff) ^ uteh_displace56[sum >> 16 & 0xfff]) & 0x7fff];
}

/* Which suit has set its top bit. */
static inline unsigned uteh_flush_suit(uint64_t sum)
{
    unsigned bits = (unsigned)(sum >> 48);

    return (bits >> 7 & 1) + (bits >> 11 & 1) * 2 + (bits >> 15 & 1) * 3;
}

static inline unsigned uteh_flush_mask(const uint8_t *cards, int n, unsigned suit)
{
    unsigned mask = 0;
    int i;

    for (i = 0; i < n; i++)
        mask |= (unsigned)((cards[i] & 3u) == suit) << (cards[i] >> 2 & 15);
    return mask & 0x1fff;
}

static inline uint64_t uteh_sum(const uint8_t *cards, int n)
{
    uint64_t sum = 0;
    int i;

    for (i = 0; i < n; i++)
        sum += uteh_key[cards[i]];
    return sum;
}

/* n is 5, 6 or 7. Any bytes are safe; ids over 51 and repeated cards give a number without meaning. */
static inline unsigned uteh_strength(const uint8_t *cards, int n)
{
    uint64_t sum = UTEH_START + uteh_sum(cards, n);

    if (sum & UTEH_FIVE_SUITED)
        return uteh_flush[uteh_flush_mask(cards, n, uteh_flush_suit(sum))];
    return n == 7 ? uteh_by_ranks7((uint32_t)sum) : uteh_by_ranks56((uint32_t)sum);
}

/* The strength of a hand in which both hole cards must play: the best of the ten with three of the board's. */
static inline unsigned uteh_strength_both(const uint8_t board[5], uint8_t x, uint8_t y)
{
    unsigned best = 0;
    int i, j, k;

    for (i = 0; i < 3; i++)
        for (j = i + 1; j < 4; j++)
            for (k = j + 1; k < 5; k++) {
                uint8_t hand[5];
                unsigned s;

                hand[0] = board[i];
                hand[1] = board[j];
                hand[2] = board[k];
                hand[3] = x;
                hand[4] = y;
                s = uteh_strength(hand, 5);
                if (s > best)
                    best = s;
            }
    return best;
}

/* Strengths of n rows of k cards (k is 5, 6 or 7), and the same on a path that uteh_cpu_has(). Any bytes are safe; for ids over 51 and
   repeated cards, paths may differ. */
void uteh_strength_rows(const uint8_t *rows, int64_t n, int k, uint16_t *out);
void uteh_strength_rows_on(int path, const uint8_t *rows, int64_t n, int k, uint16_t *out);

#endif
