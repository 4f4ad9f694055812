/* Rounds played and counted: dealt by their number, decided by the tables of a solution or by somebody else's actions, and counted by
   how they end. Money comes later: what a round wins is a function of what is counted. */
#ifndef UTEH_SIMULATE_H
#define UTEH_SIMULATE_H

#include "deal.h"
#include "solve.h"

/* What is done with a hand: the number of a play (0 to 4: the payoffs of a plan), or one of these. */
enum { UTEH_TURN_FOLD = UTEH_MAX_PLAYS, UTEH_TURN_CHECK };

/* How rounds end: for each play by the result (lose, tie, win) and the categories of player and dealer, [play][result][player][dealer];
   then the folds by the categories of player, dealer and, where a fold is settled by it, the board: [player][dealer][board]. */
enum { UTEH_PLAY_ENDS = 300, UTEH_FOLD_ENDS = 1000, UTEH_ENDS = UTEH_MAX_PLAYS * UTEH_PLAY_ENDS + UTEH_FOLD_ENDS };

typedef struct {
    int64_t end[UTEH_ENDS];
} uteh_counts;

/* Who plays, under which rules; made once for a run by uteh_player_init. */
typedef struct {
    uint64_t key[2]; /* of the deals */
    int32_t both, fold_by_board; /* of the rules of the rounds */
    int32_t packed; /* a bit for each decision on the flop, not a byte: the places there are 0 and 1 */
    int32_t river_bits; /* of a decision on the river */
    uint8_t flop[8], river[8]; /* what a place among the decisions there means */
    uint8_t preflop[64 * 64]; /* by both hole cards */
    uint32_t
        canonical[UTEH_ALL_FLOPS + 4]; /* by the flop's place among all: canonical flop << 8, and its names of the four suits */
    uint16_t choose2[64], choose3[64]; /* ways to choose 2 and 3 of so many cards */
} uteh_player;

/* first: what to do before the flop, by starting hand. */
void uteh_player_init(uteh_player *player, const uint8_t first[UTEH_CLASSES]);

/* Plays the rounds first to first + n - 1 and adds them to the counts. flops: UTEH_FLOPS rows of UTEH_HOLES decisions, a byte each, or,
   packed, a bit, the lowest first: then the second cache holds them. rivers: what uteh_river_decisions reads. */
void uteh_simulate(const uteh_player *player, const uint8_t *flops, const uint8_t *rivers, uint64_t first, int64_t n,
                   uteh_counts *counts);

/* Adds n rounds, rows of nine cards, which ended with these actions: numbers of plays or a fold; what is more counts as a fold. */
void uteh_count_rounds(const uteh_player *player, const uint8_t *rows, const uint8_t *actions, int64_t n, uteh_counts *counts);

#endif
