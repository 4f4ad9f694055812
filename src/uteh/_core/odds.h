/* Questions about one hand: every completion of the board and of the dealer's hand, counted exactly, and the value of every action.
   odds.c answers for a whole board, runouts.c for everything that comes before, and questions.c for rows of questions; nothing is
   allocated, and no state is kept between calls. */
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

/* By the player's category and result (lose, tie, win), and the part of each result in which the dealer's category is below the
   qualifier. */
typedef struct {
    int64_t by_category[10][3];
    int64_t unqualified[3];
} uteh_odds;

/* Adds so many boards on which the player's hand is of a category, and of so many dealer hands some are below the player's, not above
   it, and below the qualifier. */
static inline void uteh_add_odds(uteh_odds *odds, int player, int qualifier, int64_t boards, int64_t hands, int64_t below,
                                 int64_t through, int64_t unqualified)
{
    int64_t *by_result = odds->by_category[player];

    by_result[0] += boards * (hands - through);
    by_result[1] += boards * (through - below);
    by_result[2] += boards * below;
    /* A player who would qualify beats every dealer hand that does not; one who would not is beaten by qualified ones and others. */
    if (player >= qualifier)
        odds->unqualified[2] += boards * unqualified;
    else {
        odds->unqualified[0] += boards * (unqualified - through);
        odds->unqualified[1] += boards * (through - below);
        odds->unqualified[2] += boards * below;
    }
}

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

/* What a play is worth to a player of some category: so much for every dealer hand, more for those below the player's strength, for
   those not above it, and for those below each category that makes a difference. */
typedef struct {
    int64_t all, below, through, category[9];
} uteh_form;

/* The categories that make a difference: the qualifier (0: none) and those at which a payoff of the plan (NULL: none) changes. Returns how
   many. */
int uteh_plan_categories(const uteh_plan *plan, int qualifier, int categories[9]);
void uteh_form_of(const uteh_payoff *pay, int player, const int *categories, int ncategories, uteh_form *form);

/* From the numbers of dealer hands. */
static inline int64_t uteh_worth(const uteh_form *f, int ncategories, int64_t all, int64_t below, int64_t through,
                                 const int32_t *category)
{
    int64_t sum = f->all * all + f->below * below + f->through * through;
    int i;

    for (i = 0; i < ncategories; i++)
        sum += f->category[i] * category[i];
    return sum;
}

/* In how many ways a completion splits into flop and later cards: a sum over boards counts once, one over flops this many times. */
int64_t uteh_splits(const uteh_question *q);

/* Bytes of a scratch for a question, with a plan or for odds (NULL); and for any question with so many cards of the board. */
int64_t uteh_question_scratch(const uteh_question *q, const uteh_plan *plan);
int64_t uteh_most_scratch(int nflop, int nlater, const uteh_plan *plan);

/* The counts of every completion; the sum of each action of the plan's street over every completion, split into flop and later cards
   in every way. */
void uteh_question_odds(const uteh_question *q, int qualifier, void *scratch, uteh_odds *odds);
void uteh_question_values(const uteh_question *q, const uteh_plan *plan, void *scratch, uteh_wide *sums);

/* The same where all five board cards are known. */
void uteh_board_odds(const uteh_question *q, int qualifier, uteh_odds *odds); /* adds */
void uteh_board_values(const uteh_question *q, const uteh_plan *plan, uteh_wide *sums);

/* Rows of questions ------------------------------------------------------------------------------------------------------------------ */

enum { UTEH_HOLE, UTEH_BOARD, UTEH_LATER, UTEH_DEALER, UTEH_DEAD, UTEH_PLACES };
enum { UTEH_NO_CARD = 255 }; /* an empty place among the dead cards */

/* What is known in each row: cards[place] has width[place] cards, and the next row's are stride[place] bytes on; stride 0 is one set
   for all rows. Widths: 2; 0 to 5; 0 to 2, at most two beyond the flop; 0 to 2; any. */
typedef struct {
    const uint8_t *cards[UTEH_PLACES];
    int64_t stride[UTEH_PLACES];
    int32_t width[UTEH_PLACES];
    int32_t both, qualifier;
} uteh_asked;

/* Answers, each NULL where it is not wanted; in the order lose, tie, win. */
typedef struct {
    int64_t *deals, *result[3], *unqualified[3];
    int64_t *by_category; /* [row][category][win, tie, lose] */
    double *equity;
} uteh_odds_columns;

/* The sums of a row are over as many deals as it has live cards for: by that number, the denominator of its values, and what brings
   its numerators to the one that all rows share. */
typedef struct {
    int64_t denominator[53], scale[53];
    int64_t *numerators; /* [row][action] */
    double *values, *margin;
    uint8_t *best;
} uteh_value_columns;

/* The first row that is no question (a byte that is no card, one given twice, too few live cards left), or last. */
int64_t uteh_asked_check(const uteh_asked *asked, int64_t first, int64_t last);

/* Answers to rows, which need not have been checked: any bytes are safe. The scratch is that of the board, uteh_most_scratch. */
void uteh_asked_odds(const uteh_asked *asked, int64_t first, int64_t last, void *scratch, const uteh_odds_columns *out);
void uteh_asked_values(const uteh_asked *asked, const uteh_plan *plan, int64_t first, int64_t last, void *scratch,
                       const uteh_value_columns *out);

#endif
