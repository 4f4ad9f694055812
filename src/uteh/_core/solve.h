/* The whole game by suit classes. A suit matters only where a flush is possible in it, so a final board is either a multiset of five
   ranks (no flush), or, seen from the one suit that has three to five of its cards, the set S of its ranks in that suit and the
   multiset O of its other ranks. A hole card seen from a suit is one of 26 types: a rank, of the suit or not.

   The sum of a river value over the run-outs of a flop is split into a part as if no flush could happen, which the ranks alone decide,
   and for each suit the difference that its flushes make:
       sum(flop, hole) = all[ranks of flop][ranks of hole] + sum over suits of delta[flop seen from it][hole seen from it].
   The same with no flop at all gives the totals of the bets before the flop.

   Work comes in stages of numbered units: STAGE_RANKS (multisets of five ranks), STAGE_SUITS (multisets O), STAGE_ALL (multisets of three
   ranks), STAGE_FLOPS (canonical flops). The units of a stage add to the scratch, and to nothing else; a stage needs the ones before
   it. Sums are kept modulo 2**32 or 2**64: the caller makes sure that what comes out in the end fits. */
#ifndef UTEH_SOLVE_H
#define UTEH_SOLVE_H

#include "odds.h"

enum { UTEH_STAGE_RANKS, UTEH_STAGE_SUITS, UTEH_STAGE_ALL, UTEH_STAGE_FLOPS, UTEH_STAGES };
enum {
    UTEH_MULTISETS = 6188, /* of five ranks, numbered with the 13 that no deck has */
    UTEH_SUIT_SETS = 2288, /* of three, four or five ranks */
    UTEH_OTHERS = 105, /* multisets of two, one or no ranks beside them */
    UTEH_FLOP_RANKS = 455, /* multisets of three ranks */
    UTEH_FLOPS = 1755, /* up to renaming of suits */
    UTEH_FLOP_ROWS = 2483, /* a flop seen from a suit of which it has a card */
    UTEH_RANK_PAIRS = 91,
    UTEH_TYPE_PAIRS = 351,
    UTEH_HOLES = 1326,
    UTEH_CLASSES = 169,
    UTEH_NO_ACTION = 255,
    UTEH_MOST_TALLIES = 8,
    UTEH_FIELDS = 3
};

/* A function of how a round ends, added up along the decisions of a plan; the last payoff is for a fold, to which what the category of
   the five board cards says is added. */
typedef struct {
    uteh_payoff pay[UTEH_MAX_PLAYS + 1];
    int64_t fold_board[10];
} uteh_tally;

/* What a game adds up. */
enum {
    UTEH_VALUES, /* the plan itself; the decisions at the flop are written */
    UTEH_SUMS, /* tallies; the decisions are read */
    UTEH_COUNTS, /* tallies of three counts of 21 bits each, taken apart flop by flop and hole by hole; nothing before the flop */
    UTEH_RAISED /* tallies of two counts of 32 bits each, of the bets before the flop alone: only the first two stages */
};

typedef struct {
    uteh_plan plan; /* for UTEH_PREFLOP */
    int32_t qualifier, both;
    int32_t wide; /* sums modulo 2**64 instead of 2**32; all but UTEH_VALUES need it */
    int32_t what;
    int32_t ntallies; /* 1 for UTEH_VALUES */
    int32_t pad;
    uteh_tally tally[UTEH_MOST_TALLIES];
} uteh_game;

/* Bytes of a scratch, which must start as zeros. */
int64_t uteh_game_scratch(const uteh_game *game);

int64_t uteh_game_units(int stage);

/* Does the units first to last - 1 of a stage. What several units add to stands in `scratch`, which one thread alone writes; everything
   else in `shared`, which may be the same. decisions has UTEH_FLOPS rows of UTEH_HOLES. */
void uteh_game_range(const uteh_game *game, int stage, int64_t first, int64_t last, void *shared, void *scratch,
                     uint8_t *decisions);

/* Moves what has been added up in another scratch to the shared one; between two stages. */
void uteh_game_merge(const uteh_game *game, void *shared, void *scratch);

/* After the last stage. Sums over the deals of each of the 169 starting hands:
   raised: for each preflop action that is no check, as if it were taken ([tally][action][starting hand], of 10 x 1 board for each deal);
   checked: for each flop column, along the decisions there ([tally][column][field][starting hand]); column 0 is a check at the flop. */
void uteh_game_raised(const uteh_game *game, const void *shared, uteh_wide *raised);
void uteh_game_checked(const uteh_game *game, const void *shared, uteh_wide *checked);
int uteh_game_columns(const uteh_game *game, int *before_flop); /* flop columns of a tally; and its preflop ones */

/* A canonical flop and how many flops it stands for; a hole's number, from its ids; the starting hand of a hole, 0 to 168: 22 is 0, then
   row by row of the square with the suited hands above the diagonal. */
int uteh_flop(int number, uint8_t cards[3]);
int uteh_hole(uint8_t a, uint8_t b);

/* The place among `decisions` of a hole on a flop for each of n rows of hole and flop (five cards): suits are renamed to those of the
   canonical flop. The number of the starting hand for each of n rows of two cards. Any bytes are safe. */
void uteh_flop_decisions(const uint8_t *rows, int64_t n, const uint8_t *decisions, uint8_t *out);
void uteh_classes(const uint8_t *rows, int64_t n, uint8_t *out);
int uteh_class(uint8_t a, uint8_t b);

#endif
