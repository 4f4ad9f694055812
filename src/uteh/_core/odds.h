/* Questions about one hand: every completion of the board and of the dealer's hand, counted exactly, and the value of every action.
   The boards that may still come are numbered, so that long work is done a range at a time; nothing is allocated, and no state is
   kept between calls. */
#ifndef UTEH_ODDS_H
#define UTEH_ODDS_H

#include "settle.h"

/* A sum of many int64 in two limbs: high * 2**32 + low. */
typedef struct {
    int64_t high, low;
} uteh_wide;

static inline void uteh_add_wide(uteh_wide *w, int64_t x)
{
    int64_t low = x & 0xffffffff;

    w->low += low;
    w->high += (x - low) / (INT64_C(1) << 32);
}

/* n over k, 0 where n is below k. */
static inline int64_t uteh_choose(int64_t n, int k)
{
    int64_t c = 1;
    int i;

    if (n < k)
        return 0;
    for (i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

/* What is known. Cards that are not known are the live ones. */
typedef struct {
    uint64_t live; /* bit per card */
    int32_t nlive, nflop, nlater, ndealer;
    int32_t both; /* both hole cards must play */
    uint8_t cards[52]; /* the live cards, ascending */
    uint8_t hole[2], flop[3], later[2], dealer[2];
} uteh_question;

/* Fills live, nlive and cards from the mask of all known and dead cards. */
void uteh_question_init(uteh_question *q, uint64_t taken);

int64_t uteh_boards(const uteh_question *q); /* completions of the board */
int64_t uteh_dealer_hands(const uteh_question *q); /* completions of the dealer's hand, for one board */

/* Adds the counts of the boards numbered first to last - 1: by the player's category and result (lose, tie, win), and the part of
   each result in which the dealer's category is below the qualifier. */
typedef struct {
    int64_t by_category[10][3];
    int64_t unqualified[3];
} uteh_odds;
void uteh_odds_range(const uteh_question *q, int qualifier, int64_t first, int64_t last, uteh_odds *sum);

/* Net of one action by outcome, in 1/unit of a chip. */
typedef struct {
    int64_t win[10][10], lose[10][10]; /* [player's category][dealer's] */
    int64_t tie[10];
} uteh_payoff;

enum { UTEH_PREFLOP, UTEH_FLOP, UTEH_RIVER };
enum { UTEH_MAX_PLAYS = 5 }; /* one river minimum and 1x to 4x */
enum { UTEH_A_FOLD = -1, UTEH_A_CHECK = -2 };

enum { UTEH_MAX_ACTIONS = 7 }; /* a street's: fold, check, the minimum, 1x to 4x */

/* Rules and stakes as the decisions of one street need them. actions[street][i] is an index into pay, or one of UTEH_A_*. */
typedef struct {
    int32_t street;
    int32_t nactions[3];
    int32_t actions[3][UTEH_MAX_ACTIONS];
    int32_t fold_by_board; /* the payoff of a fold is read by the board's category, not the hand's */
    int64_t largest; /* the largest payoff, for the bounds */
    int64_t fold[10];
    uteh_payoff pay[UTEH_MAX_PLAYS];
} uteh_plan;

/* Fills the payoffs: play i is plays[i] chips; cap in 1/unit of a chip, below 0 none; of all bets together (bet below 0) or one. */
void uteh_plan_payoffs(uteh_plan *plan, const uteh_rules *rules, const uteh_stakes *stakes, const int64_t *plays, int nplays,
                       int64_t cap, int bet);

/* How many flops may come (1 once the flop is known), which is how many rows of uteh_plan_range's `flops` there are. */
int64_t uteh_flops(const uteh_question *q);
/* In how many ways a completion splits into flop and later cards: a sum over boards counts once, one over flops this many times. */
int64_t uteh_splits(const uteh_question *q);

/* Adds, for the boards numbered first to last - 1, the net of each action of the plan's street over all dealer hands to totals
   (a check has no total before the river), and the net of each flop action to its row in flops (n flop actions a row; before the
   river only, otherwise NULL). */
void uteh_plan_range(const uteh_plan *plan, const uteh_question *q, int64_t first, int64_t last, uteh_wide *totals, int64_t *flops);

/* The place of the best river action for each of n rows of hole and board (seven cards), by the payoffs of a plan for any street. */
void uteh_river_best(const uteh_plan *plan, int both, const uint8_t *rows, int64_t n, uint8_t *best);

/* The sum over the flops of the best flop action. */
uteh_wide uteh_plan_best(const uteh_plan *plan, const uteh_question *q, const int64_t *flops);

#endif
