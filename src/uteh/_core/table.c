/* Tables by the row of wagers: their cards, then full cover by the kernel of settle.h a block at a time, then each table's fund. */
#include "table.h"

enum { BLOCK = 256 };

/* The place of each bet in a row of five results. */
static const int column[UTEH_BETS] = {0, 2, 1, 3, 4};

/* The bets that are ever made, in the order in which they are settled: [0] for hands that do not lose, [1] for those that do. */
typedef struct {
    int n;
    int order[2][UTEH_BETS];
} bets_t;

/* Where a table's rows start; whatever stands in the caller's array, it is a row or the end of them. */
static int64_t start_of(const uteh_tables *t, int64_t table)
{
    int64_t row = t->start ? t->start[table] : table * t->seats;

    return row < 0 ? 0 : row > t->rows ? t->rows : row;
}

/* Amounts have been checked, but another thread may write into them since: whatever they are then, no sum is undefined. */
static inline int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

#define MONEY int64_t
#define NAME(name) name##_chips
#define PLUS(a, b) plus(a, b)
#define MINUS(a, b) minus(a, b)
#include "table_fund.h"
#undef MONEY
#undef NAME
#undef PLUS
#undef MINUS

#define MONEY double
#define NAME(name) name##_real
#define PLUS(a, b) ((a) + (b))
#define MINUS(a, b) ((a) - (b))
#include "table_fund.h"
#undef MONEY
#undef NAME
#undef PLUS
#undef MINUS

/* Cards -------------------------------------------------------------------------------------------------------------------------- */

/* Adds the bits of some cards; with no card twice, their sum is their union. */
static inline void add_cards(const uint8_t *cards, int n, uint64_t *sum, uint64_t *any, unsigned *high)
{
    int i;

    for (i = 0; i < n; i++) {
        uint64_t bit = (uint64_t)1 << (cards[i] & 63);

        *sum += bit;
        *any |= bit;
        *high |= cards[i];
        *high |= (unsigned)(cards[i] > 51) << 8;
    }
}

int64_t uteh_tables_cards(const uteh_tables *t, int64_t first, int64_t last)
{
    int64_t table, row;

    for (table = first; table < last; table++) {
        const int64_t from = start_of(t, table), to = start_of(t, table + 1);
        const uint8_t *before = NULL;
        uint64_t sum = 0, any = 0;
        unsigned high = 0;
        int64_t hands = 0;

        add_cards(t->dealers + 2 * table, 2, &sum, &any, &high);
        add_cards(t->boards + 5 * table, 5, &sum, &any, &high);
        for (row = from; row < to; row++) {
            const uint8_t *hole = t->holes + 2 * row;

            if (t->seated && !t->seated[row])
                continue;
            if (t->shared && before && hole[0] == before[0] && hole[1] == before[1])
                continue;
            before = hole;
            add_cards(hole, 2, &sum, &any, &high);
            hands++;
        }
        /* More than 52 cards could have a sum that wraps. */
        if (sum != any || high > 255 || hands > 22)
            return table;
    }
    return last;
}

/* Blocks ------------------------------------------------------------------------------------------------------------------------- */

typedef struct {
    uteh_rounds rounds;
    uint8_t cards[9 * BLOCK];
} block_t;

static const void *later(const void *from, int64_t stride, int64_t rows)
{
    return from && stride ? (const uint8_t *)from + 8 * rows : from;
}

/* Rows from .. from + n - 1 as rounds of their own, the first of them in the given table. */
static void cut(const uteh_tables *t, int64_t table, int64_t from, int n, block_t *b)
{
    const uteh_rounds *r = &t->rounds;
    int i, k, j;

    b->rounds = *r;
    b->rounds.cards = b->cards;
    for (k = 0; k < UTEH_BETS + r->capped; k++)
        b->rounds.amount[k] = later(r->amount[k], r->stride[k], from);
    for (k = 0; k < UTEH_BETS; k++)
        b->rounds.net[k] = r->net[k] ? (uint8_t *)r->net[k] + 8 * from : NULL;
    b->rounds.total = NULL;
    b->rounds.street = r->street ? r->street + r->street_stride * from : NULL;
    b->rounds.result = r->result ? r->result + from : NULL;
    b->rounds.player = r->player ? r->player + from : NULL;
    b->rounds.dealer = r->dealer ? r->dealer + from : NULL;
    b->rounds.qualifies = r->qualifies ? r->qualifies + from : NULL;
    b->rounds.reasons = r->reasons ? r->reasons + UTEH_BETS * from : NULL;
    if (!t->holes)
        return;
    for (i = 0; i < n; i++) {
        uint8_t *card = b->cards + 9 * i;

        while (start_of(t, table + 1) <= from + i)
            table++;
        card[0] = t->holes[2 * (from + i)];
        card[1] = t->holes[2 * (from + i) + 1];
        card[2] = t->dealers[2 * table];
        card[3] = t->dealers[2 * table + 1];
        for (j = 0; j < 5; j++)
            card[4 + j] = t->boards[5 * table + j];
    }
}

/* The next block of rows, at most up to a table's end: its first row, and through `table` the table that row is in. */
static int next_block(const uteh_tables *t, int64_t *table, int64_t row, int64_t end)
{
    while (start_of(t, *table + 1) <= row)
        ++*table;
    return end - row < BLOCK ? (int)(end - row) : BLOCK;
}

int64_t uteh_tables_check(const uteh_cells *cells, const uteh_tables *t, int64_t limit, int64_t first, int64_t last, int *code,
                          int *field)
{
    const uteh_rounds *r = &t->rounds;
    const int64_t from = start_of(t, first), to = start_of(t, last);
    int64_t bad = from < to ? uteh_rounds_check(cells, r, from, to, code, field) : to, row;
    int k;

    if (from >= to)
        *code = UTEH_BETS_OK;
    for (k = 0; k < UTEH_BETS && !r->floats; k++)
        for (row = from; row < (r->stride[k] ? bad : from + (from < bad)); row++)
            if (((const int64_t *)r->amount[k])[r->stride[k] ? row : 0] > limit) {
                *code = UTEH_TOO_LARGE;
                *field = k;
                bad = row;
            }
    return bad;
}

int64_t uteh_tables_whole(const uteh_cells *cells, const uteh_tables *t, int64_t first, int64_t last, int *field)
{
    const int64_t end = start_of(t, last);
    int64_t row = start_of(t, first), table = first;

    *field = 0;
    if (t->rounds.floats || cells->breakage || cells->unit == 1)
        return end;
    while (row < end) {
        block_t b;
        int n = next_block(t, &table, row, end);
        int64_t bad;

        cut(t, table, row, n, &b);
        bad = uteh_rounds_whole(cells, &b.rounds, 0, n, field);
        if (bad < n)
            return row + bad;
        row += n;
    }
    return end;
}

static void list_bets(const uteh_tables *t, bets_t *bets)
{
    const uteh_rounds *r = &t->rounds;
    int losing, k;

    for (losing = 0; losing < 2; losing++)
        for (k = 0, bets->n = 0; k < UTEH_BETS; k++) {
            int bet = (int)t->order[losing][k];

            if (bet >= 0 && bet < UTEH_BETS && r->net[bet])
                bets->order[losing][bets->n++] = bet;
        }
}

void uteh_tables_fund(const uteh_tables *t, int64_t first, int64_t last)
{
    bets_t bets;

    list_bets(t, &bets);
    if (t->rounds.floats)
        fund_range_real(t, &bets, first, last);
    else
        fund_range_chips(t, &bets, first, last);
}

void uteh_tables_settle(const uteh_cells *cells, const uteh_tables *t, int64_t first, int64_t last)
{
    int64_t table = first, done = first;

    /* Some tables at a time, so that what the first half writes is still at hand in the second; one may be longer than a block. */
    for (; done < last; done = table) {
        const int64_t from = start_of(t, done);
        int64_t end, row = from, at = done;

        for (table = done + 1; table < last && start_of(t, table + 1) - from <= BLOCK; table++)
            ;
        for (end = start_of(t, table); row < end;) {
            block_t b;
            int n = next_block(t, &at, row, end), i;

            cut(t, at, row, n, &b);
            uteh_rounds_settle(cells, &b.rounds, 0, n);
            for (i = 0; i < n && t->seated; i++)
                if (!t->seated[row + i]) {
                    b.rounds.result[i] = UTEH_NOBODY;
                    if (b.rounds.player)
                        b.rounds.player[i] = 0;
                }
            row += n;
        }
        uteh_tables_fund(t, done, table);
    }
}
