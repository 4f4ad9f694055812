/* What seats at one table have to do with each other: they share the board and the dealer's hand. For every way to play, the sums over all
   deals of a seat's net win and of its square, and over all deals of two seats the sum of the product of their net wins. */
#ifndef UTEH_PAIRS_H
#define UTEH_PAIRS_H

#include "solve.h"

enum { UTEH_MOST_KINDS = 4, UTEH_PAIR_BOARDS = 2598960 };

/* Seats of one kind have the same stakes and play alike. */
typedef struct {
    int32_t nkinds, both;
    const uteh_plan *plan[UTEH_MOST_KINDS];
    const uint8_t *decisions[UTEH_MOST_KINDS]; /* on the flop: UTEH_FLOPS rows of UTEH_HOLES */
    const uint8_t *first[UTEH_MOST_KINDS]; /* before the flop: places among the actions, by starting hand */
} uteh_pairs;

/* The largest payoff with which every number is exact. */
enum { UTEH_PAIRS_LARGEST = 60000 };

typedef struct {
    uteh_wide net[UTEH_MOST_KINDS], square[UTEH_MOST_KINDS];
    uteh_wide product[UTEH_MOST_KINDS][UTEH_MOST_KINDS]; /* of ordered pairs of seats; the second kind is not below the first */
} uteh_pair_sums;

/* Bytes of a scratch, which must start as zeros and serves one thread at a time. */
int64_t uteh_pairs_scratch(void);

/* Adds the boards first to last - 1, by their number among all sets of five cards, each with its ten flops. Of boards that differ by the
   names of suits, one stands for all. */
void uteh_pairs_range(const uteh_pairs *pairs, int64_t first, int64_t last, void *scratch, uteh_pair_sums *sums);

#endif
