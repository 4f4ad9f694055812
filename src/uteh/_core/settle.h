/* What a finished hand pays: the one place in the package that knows how bets are settled. A hand enters as its outcome (who is
   higher, the categories), never as cards. rules.py packs the rules; tests hold the order of the fields below to its list. */
#ifndef UTEH_SETTLE_H
#define UTEH_SETTLE_H

#include <stddef.h>
#include <stdint.h>

/* A packed rule set. Table entries are in 1/unit of the stake; -1 in trips and bad_beat is a hand that the table does not name. */
typedef struct {
    int64_t unit;
    int64_t preflop, flop, river; /* bit m: m antes may be bet there */
    int64_t preflop_between;
    int64_t river_min_num, river_min_den;
    int64_t fold_preflop, fold_flop;
    int64_t qualifier;
    int64_t unqualified_ante;
    int64_t unqualified_play;
    int64_t blind[10];
    int64_t has_trips, trips[10];
    int64_t trips_on_fold;
    int64_t trips_when_not_won;
    int64_t has_bad_beat, bad_beat[10];
    int64_t bad_beat_needs_trips;
    int64_t both; /* both hole cards must play */
    int64_t wager_order[5], losing_order[5];
    int64_t fund_gross;
    int64_t breakage;
} uteh_rules;

enum { UTEH_ANTE_PUSH, UTEH_ANTE_SETTLE, UTEH_ANTE_WIN_ONLY, UTEH_ANTE_LOSE_ONLY, UTEH_ANTE_ALWAYS };
enum { UTEH_FOLD_HAND, UTEH_FOLD_BOARD, UTEH_FOLD_LOSE };
enum { UTEH_NOT_WON_PAY, UTEH_NOT_WON_PUSH, UTEH_NOT_WON_LOSE };
enum { UTEH_FOLD = -2, UTEH_LOSE = -1, UTEH_TIE = 0, UTEH_WIN = 1 };
enum { UTEH_ANTE, UTEH_PLAY, UTEH_BLIND, UTEH_TRIPS, UTEH_BAD_BEAT, UTEH_BETS };

/* Why a bet ended as it did; settlement.py has a sentence for each. */
enum {
    UTEH_NO_STAKE,
    UTEH_EVEN_MONEY,       /* the player's hand is higher: 1 to 1 */
    UTEH_BEATEN,           /* the dealer's hand is higher */
    UTEH_TIED,             /* equal hands */
    UTEH_FOLDED,           /* lost by folding */
    UTEH_UNQUALIFIED_PUSH, /* the dealer does not qualify: returned */
    UTEH_UNQUALIFIED_PAID, /* the dealer does not qualify: paid whoever is higher */
    UTEH_TABLE_PAYS,       /* by the category of the player's hand */
    UTEH_TABLE_PUSH,       /* the player wins with a hand that the table leaves out or names with 0 */
    UTEH_TABLE_LOSES,      /* the hand is not in the table */
    UTEH_NOT_WON_PUSHED,   /* a paying hand that did not win is returned */
    UTEH_NOT_WON_LOST,     /* a paying hand that lost is lost */
    UTEH_BOARD_PAYS,       /* after a fold, the five board cards pay */
    UTEH_BOARD_PUSH,       /* after a fold, the board's entry is 0 */
    UTEH_BOARD_LOSES,      /* after a fold, the five board cards are not in the table */
    UTEH_LOSING_HAND_PAYS, /* Bad Beat, by the losing hand */
    UTEH_LOSING_HAND_PUSH,
    UTEH_LOSING_HAND_LOSES,
    UTEH_REASONS
};

typedef struct {
    int64_t stake[UTEH_BETS]; /* play 0 and result UTEH_FOLD is a fold */
} uteh_stakes;

typedef struct {
    int result;        /* UTEH_FOLD .. UTEH_WIN */
    int player;        /* category of the player's hand */
    int dealer;        /* category of the dealer's hand */
    int board;         /* category of the five board cards; read only after a fold under UTEH_FOLD_BOARD */
} uteh_outcome;

/* Net of each bet, in 1/unit of a chip, before breakage and caps. reason may be NULL. */
void uteh_settle(const uteh_rules *rules, const uteh_stakes *stakes, const uteh_outcome *outcome, int64_t net[UTEH_BETS],
                 uint8_t *reason);

/* Cuts positive wins in the order Blind, Trips, Bad Beat, Play, Ante until their sum is at most cap (same unit as net; below 0:
   none). Returns a bit mask of the bets that were cut. */
unsigned uteh_cap(int64_t net[UTEH_BETS], int64_t cap);

/* Rounds by the row -------------------------------------------------------------------------------------------------------------- */

/* What is wrong with the bets of a row. The field is one of UTEH_ANTE .. UTEH_BAD_BEAT, or UTEH_CAP. */
enum { UTEH_CAP = UTEH_BETS };
enum {
    UTEH_BETS_OK,
    UTEH_NOT_AMOUNT,   /* negative, or no finite number */
    UTEH_TOO_LARGE,    /* beyond the limit under which no sum can overflow */
    UTEH_BLIND_UNLIKE, /* the Blind is not the Ante */
    UTEH_PLAY_ILLEGAL, /* no amount that the street allows */
    UTEH_FOLD_ILLEGAL, /* a fold where the street allows none */
    UTEH_NO_TABLE,     /* a side bet that the rules do not have */
    UTEH_NEEDS_TRIPS,  /* Bad Beat without Trips */
    UTEH_BAD_STREET,
    UTEH_FRACTION      /* winnings that are no whole chip, under exact breakage */
};
enum { UTEH_ANY_STREET = 255 };

/* Factors and reasons for every outcome, and what the checks need: made once for a rule set. */
enum { UTEH_CELLS = 400 };
typedef struct {
    int64_t unit, limit;
    uint64_t inverse; /* of the odd part of unit, modulo 2**64: an exact division is a shift and a product */
    int64_t whole_most; /* the largest quotient that such a division can have */
    int32_t shift;
    int32_t breakage, both, qualifier, fold_by_board;
    int32_t has_trips, has_bad_beat, bad_beat_needs_trips;
    int32_t fractional[UTEH_BETS]; /* whether a win can be no multiple of the stake */
    /* By street, then for an unknown one: multiples (bit 0: a fold), whether a range is open, and which. */
    int32_t multiples[4], range[4];
    int64_t low_num[4], low_den[4], high[4];
    int64_t factor[UTEH_BETS][UTEH_CELLS]; /* in 1/unit of the stake */
    int64_t whole[UTEH_BETS][UTEH_CELLS];  /* in stakes, for the bets that are not fractional */
    uint8_t reason[UTEH_BETS][UTEH_CELLS];
} uteh_cells;

void uteh_cells_init(uteh_cells *cells, const uteh_rules *rules);

/* The cell of an outcome; x is the dealer's category or, after a fold that Trips settles on the board, the board's. */
static inline int uteh_cell(int result, int player, int x)
{
    return ((result + 2) * 10 + player) * 10 + x;
}

/* Amounts of one kind are int64 (chips) or double; stride 0 repeats one amount for every row. */
typedef struct {
    const uint8_t *cards; /* rows of nine: player 2, dealer 2, board 5 */
    const void *amount[UTEH_BETS + 1];
    int64_t stride[UTEH_BETS + 1];
    const uint8_t *street;
    int64_t street_stride;
    int32_t floats;
    int32_t capped;
    int32_t streamed; /* the results are so large that no cache will hold them */
    /* Results, each NULL where it is not wanted. */
    void *net[UTEH_BETS], *total;
    int8_t *result;
    uint16_t *player, *dealer;
    uint8_t *qualifies;
    uint8_t *reasons; /* five a row, in the order of the bets; the cut mask is not among them */
} uteh_rounds;

/* The first row from first whose bets the rules forbid, or last; *code and *field say what is wrong with it. */
int64_t uteh_rounds_check(const uteh_cells *cells, const uteh_rounds *rounds, int64_t first, int64_t last, int *code, int *field);

/* Under exact breakage: the first row whose winnings are no whole chips, or last; *field is the bet. */
int64_t uteh_rounds_whole(const uteh_cells *cells, const uteh_rounds *rounds, int64_t first, int64_t last, int *field);

void uteh_rounds_settle(const uteh_cells *cells, const uteh_rounds *rounds, int64_t first, int64_t last);

/* Strengths of both hands of n rounds; card k of round i stands at cards[i * row + k * column], in the order of a row of nine: row is 9 and
   column 1, or row is 1. Any bytes are safe. */
void uteh_rank_rounds(const uint8_t *cards, int64_t row, int64_t column, int n, int both, uint16_t *player, uint16_t *dealer);

/* One round in exact units: stakes in chips, net in 1/unit of a chip before breakage and caps. */
typedef struct {
    int result, qualifies, cell;
    unsigned player, dealer, board; /* strengths; board only after a fold that Trips settles on it */
} uteh_round;
void uteh_round_rank(const uteh_cells *cells, const uint8_t cards[9], int folded, uteh_round *round);

/* What uteh_rounds_check says, for one round of whole amounts: ante, play, blind, trips, bad_beat, cap. */
int uteh_round_check(const uteh_cells *cells, const int64_t stake[UTEH_BETS + 1], int capped, int street, int *field);

/* Whole chips of a win in 1/unit under the rules' breakage; UTEH_FRACTION where exact breakage forbids it. */
int uteh_break(const uteh_cells *cells, int64_t *net);

#endif
