/* The part of table.c that depends on the kind of money; included twice, with MONEY, NAME, PLUS and MINUS. */

static inline MONEY NAME(at)(const void *from, int64_t stride, int64_t row)
{
    return ((const MONEY *)from)[stride ? row : 0];
}

static inline MONEY NAME(size)(MONEY amount)
{
    return amount < 0 ? MINUS(0, amount) : amount;
}

/* What the player-dealer can still pay and still collect. */
typedef struct {
    MONEY pay, take;
    int gross;
} NAME(fund_t);

/* Settles one bet: of what is due, what is covered moves. Returns what goes back to the player untouched. */
static inline MONEY NAME(cover)(NAME(fund_t) * f, MONEY stake, MONEY *net, MONEY *uncovered)
{
    const MONEY due = *net, size = NAME(size)(due);
    MONEY moved = size;

    if (f->pay <= 0 || f->take <= 0) {
        *net = 0;
        *uncovered = size;
        return stake;
    }
    if (due > 0) {
        if (moved > f->pay)
            moved = f->pay;
        f->pay = MINUS(f->pay, moved);
        f->take = f->gross ? MINUS(f->take, moved) : PLUS(f->take, moved);
        *net = moved;
        *uncovered = MINUS(size, moved);
        return 0;
    }
    if (moved > f->take)
        moved = f->take;
    f->take = MINUS(f->take, moved);
    f->pay = f->gross ? MINUS(f->pay, moved) : PLUS(f->pay, moved);
    *net = MINUS(0, moved);
    *uncovered = MINUS(size, moved);
    return due < 0 ? MINUS(stake, moved) : 0;
}

/* The rows of one table, folded hands first. */
static void NAME(limited)(const uteh_tables *t, const bets_t *bets, int64_t from, int64_t to, MONEY fund)
{
    const uteh_rounds *r = &t->rounds;
    MONEY *returned = t->returned, *uncovered = t->uncovered;
    NAME(fund_t) f;
    int folded, k;
    int64_t row;

    f.pay = f.take = fund;
    f.gross = t->gross != 0;
    for (folded = 1; folded >= 0; folded--)
        for (row = from; row < to; row++) {
            const int *order = bets->order[r->result[row] < 0];
            MONEY back = 0, open = 0;

            if ((r->result[row] == UTEH_FOLD) != folded)
                continue;
            for (k = 0; k < bets->n; k++) {
                const int bet = order[k];
                const MONEY stake = NAME(at)(r->amount[bet], r->stride[bet], row);
                MONEY less, gone;

                if (stake == 0)
                    continue;
                gone = NAME(cover)(&f, stake, (MONEY *)r->net[bet] + row, &less);
                back = PLUS(back, gone);
                open = PLUS(open, less);
                if (t->returned_by_bet)
                    ((MONEY *)t->returned_by_bet)[row * UTEH_BETS + column[bet]] = gone;
                if (t->uncovered_by_bet)
                    ((MONEY *)t->uncovered_by_bet)[row * UTEH_BETS + column[bet]] = less;
            }
            if (returned)
                returned[row] = back;
            if (uncovered)
                uncovered[row] = open;
        }
}

static void NAME(fund_range)(const uteh_tables *t, const bets_t *bets, int64_t first, int64_t last)
{
    const uteh_rounds *r = &t->rounds;
    MONEY *net = t->net, *bank_net = t->bank_net;
    int64_t table, row;
    int k;

    for (table = first; table < last; table++) {
        const int64_t from = start_of(t, table), to = start_of(t, table + 1);
        MONEY bank = t->bank_fee ? MINUS(0, NAME(at)(t->bank_fee, t->bank_fee_stride, table)) : 0;

        for (row = from; row < to; row++) {
            if (t->returned)
                ((MONEY *)t->returned)[row] = 0;
            if (t->uncovered)
                ((MONEY *)t->uncovered)[row] = 0;
            for (k = 0; k < UTEH_BETS && t->returned_by_bet; k++)
                ((MONEY *)t->returned_by_bet)[row * UTEH_BETS + k] = 0;
            for (k = 0; k < UTEH_BETS && t->uncovered_by_bet; k++)
                ((MONEY *)t->uncovered_by_bet)[row * UTEH_BETS + k] = 0;
        }
        if (t->fund) {
            const MONEY fund = NAME(at)(t->fund, t->fund_stride, table);
            MONEY moved = 0;

            /* A fund that is more than all that can move covers everything. */
            for (k = 0; k < bets->n; k++) {
                const MONEY *due = r->net[bets->order[0][k]];

                for (row = from; row < to; row++)
                    moved = PLUS(moved, NAME(size)(due[row]));
            }
            if (!(moved < fund))
                NAME(limited)(t, bets, from, to, fund);
        }
        for (row = from; row < to; row++) {
            MONEY won = 0;

            for (k = 0; k < bets->n; k++)
                won = PLUS(won, ((const MONEY *)r->net[bets->order[0][k]])[row]);
            bank = MINUS(bank, won);
            if (net)
                net[row] = t->fee ? MINUS(won, NAME(at)(t->fee, t->fee_stride, row)) : won;
        }
        if (bank_net)
            bank_net[table] = bank;
    }
}
