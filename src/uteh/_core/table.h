/* Tables with a player-dealer: many wagers against one hand and one fund. What a wager wins under full cover is settle.h's; here is who
   is settled when, what the fund still covers, and what goes back untouched. */
#ifndef UTEH_TABLE_H
#define UTEH_TABLE_H

#include "settle.h"

enum { UTEH_NOBODY = -128 }; /* the result of a seat in which nobody sits */

/* Wagers stand row after row, table after table, each table's from the player-dealer's left. */
typedef struct {
    /* Amounts and results of all rows. Its cards and total are not read; result is needed, and the net of every bet that is ever made.
       What a net holds under full cover is replaced by what was settled. */
    uteh_rounds rounds;
    const uint8_t *holes, *dealers, *boards; /* two cards a row; two and five a table */
    const uint8_t *seated; /* one a row, or NULL: everybody. Who is not has bet nothing. */
    const int64_t *start; /* the first row of each table, and the number of rows; or NULL: tables of `seats` rows */
    int64_t seats, rows;
    int64_t order[2][UTEH_BETS]; /* of the bets, for hands that do not lose and that do */
    int32_t gross;
    int32_t shared; /* rows that follow one another may have one hole */
    /* Of the rounds' kind of money; stride 0 repeats one amount, and NULL is none: no limit, no fee. */
    const void *fund, *fee, *bank_fee;
    int64_t fund_stride, fee_stride, bank_fee_stride;
    /* Results, each NULL where it is not wanted: by row after fees, by table after its fee; by row; by row and bet. */
    void *net, *bank_net;
    void *returned, *uncovered;
    void *returned_by_bet, *uncovered_by_bet; /* in the order ante, blind, play, trips, bad_beat */
} uteh_tables;

/* The first of tables first to last - 1 in which an id is over 51 or a card stands twice, or last. */
int64_t uteh_tables_cards(const uteh_tables *t, int64_t first, int64_t last);

/* As uteh_rounds_check and uteh_rounds_whole, for the rows of tables first to last - 1: the first bad row, or where they end. limit is the
   most that an amount may be. */
int64_t uteh_tables_check(const uteh_cells *cells, const uteh_tables *t, int64_t limit, int64_t first, int64_t last, int *code,
                          int *field);
int64_t uteh_tables_whole(const uteh_cells *cells, const uteh_tables *t, int64_t first, int64_t last, int *field);

/* Settles tables first to last - 1. */
void uteh_tables_settle(const uteh_cells *cells, const uteh_tables *t, int64_t first, int64_t last);

/* The second half of it alone: the nets under full cover and the results of all rows are there. */
void uteh_tables_fund(const uteh_tables *t, int64_t first, int64_t last);

#endif
