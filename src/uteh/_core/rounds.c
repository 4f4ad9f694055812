/* Rounds by the row: ranking both hands, checking bets, and the arithmetic of money. What a bet's factor is comes from settle.c,
   through a table of every outcome that is made once for a rule set. */
#include "batch.h"
#include "evaluator.h"
#include "settle.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { BLOCK = 256, HIGHEST_FLOAT = 52 };

/* Some loops are compiled twice, the second time for wider registers. */
#if UTEH_WITH_AVX2
static int wide_path(void)
{
    int path = uteh_cpu_path();

    return path >= UTEH_AVX2 && path <= UTEH_AVX512;
}
#endif

void uteh_cells_init(uteh_cells *c, const uteh_rules *rules)
{
    static const uteh_cells none;
    static const uteh_stakes one = {{1, 1, 1, 1, 1}};
    const int64_t masks[3] = {rules->preflop, rules->flop, rules->river};
    int64_t odd = rules->unit, most = rules->unit;
    int result, p, x, bet, street, m;
    uint64_t inverse = 1;

    *c = none;
    c->unit = rules->unit;
    while (!(odd & 1)) {
        odd >>= 1;
        c->shift++;
    }
    for (m = 0; m < 6; m++) /* Newton: each step doubles the number of right bits */
        inverse *= 2 - (uint64_t)odd * inverse;
    c->inverse = inverse;
    c->whole_most = INT64_MAX / odd;
    c->breakage = (int32_t)rules->breakage;
    c->both = rules->both != 0;
    c->qualifier = (int32_t)rules->qualifier;
    c->fold_by_board = rules->trips_on_fold == UTEH_FOLD_BOARD;
    c->has_trips = rules->has_trips != 0;
    c->has_bad_beat = rules->has_bad_beat != 0;
    c->bad_beat_needs_trips = rules->bad_beat_needs_trips != 0;
    for (street = 0; street < 3; street++) {
        c->multiples[street] = (int32_t)masks[street];
        c->low_den[street] = 1;
    }
    c->multiples[0] |= rules->fold_preflop != 0;
    c->multiples[1] |= rules->fold_flop != 0;
    c->multiples[2] |= 1;
    c->multiples[3] = c->multiples[0] | c->multiples[1] | c->multiples[2];
    if (rules->preflop_between) {
        c->range[0] = 1;
        for (m = 4; m >= 1; m--)
            if (rules->preflop >> m & 1)
                c->low_num[0] = m;
        for (m = 1; m <= 4; m++)
            if (rules->preflop >> m & 1)
                c->high[0] = m;
    }
    if (rules->river_min_num < rules->river_min_den) {
        c->range[2] = 1;
        c->low_num[2] = rules->river_min_num;
        c->low_den[2] = rules->river_min_den;
        c->high[2] = 1;
    }
    for (result = UTEH_FOLD; result <= UTEH_WIN; result++)
        for (p = 0; p < 10; p++)
            for (x = 0; x < 10; x++) {
                uteh_outcome outcome;
                int64_t net[UTEH_BETS];
                uint8_t reason[UTEH_BETS];
                int cell = uteh_cell(result, p, x);

                outcome.result = result;
                outcome.player = p;
                outcome.dealer = outcome.board = x;
                uteh_settle(rules, &one, &outcome, net, reason);
                for (bet = 0; bet < UTEH_BETS; bet++) {
                    c->factor[bet][cell] = net[bet];
                    c->whole[bet][cell] = net[bet] / rules->unit;
                    c->reason[bet][cell] = reason[bet];
                    if (net[bet] > most)
                        most = net[bet];
                    c->fractional[bet] |= net[bet] % rules->unit != 0;
                }
            }
    if (c->range[2] && c->low_den[2] > most)
        most = c->low_den[2];
    /* Five bets, each at most limit * most, stay within 62 bits, and so do four antes. */
    c->limit = (INT64_C(1) << 59) / most;
}

/* Ranking ------------------------------------------------------------------------------------------------------------------------ */

/* Strengths of both hands of n rounds; the board's part of the key is shared. Keys come first and the tables later, because the tables
   are large and a short loop has more of their lines on the way at once. Flushes, one round in twenty, are noted without a branch and
   looked up afterwards. */
static inline void rank_any(const uint8_t *cards, int64_t row, int64_t column, int n, uint16_t *player, uint16_t *dealer)
{
    uint32_t own[BLOCK], theirs[BLOCK];
    uint16_t flushes[BLOCK];
    int i, k, nflushes = 0;

    for (i = 0; i < n; i++) {
        const uint8_t *c = cards + i * row;
        uint64_t board = UTEH_START + uteh_key[c[4 * column]] + uteh_key[c[5 * column]] + uteh_key[c[6 * column]] +
                         uteh_key[c[7 * column]] + uteh_key[c[8 * column]];
        uint64_t p = board + uteh_key[c[0]] + uteh_key[c[column]];
        uint64_t d = board + uteh_key[c[2 * column]] + uteh_key[c[3 * column]];

        own[i] = (uint32_t)p;
        theirs[i] = (uint32_t)d;
        flushes[nflushes] = (uint16_t)i;
        nflushes += ((p | d) & UTEH_FIVE_SUITED) != 0;
    }
    for (i = 0; i < n; i++)
        player[i] = (uint16_t)uteh_by_ranks7(own[i]);
    for (i = 0; i < n; i++)
        dealer[i] = (uint16_t)uteh_by_ranks7(theirs[i]);
    for (k = 0; k < nflushes; k++) {
        const uint8_t *c = cards + flushes[k] * row;
        uint8_t hand[7];
        int side, j;

        for (j = 0; j < 5; j++)
            hand[j] = c[(4 + j) * column];
        for (side = 0; side < 2; side++) {
            hand[5] = c[2 * side * column];
            hand[6] = c[(2 * side + 1) * column];
            (side ? dealer : player)[flushes[k]] = (uint16_t)uteh_strength(hand, 7);
        }
    }
}

static void rank_both(const uint8_t *cards, int64_t row, int64_t column, int n, uint16_t *player, uint16_t *dealer)
{
    int i, k;

    for (i = 0; i < n; i++, cards += row) {
        uint8_t c[9];

        for (k = 0; k < 9; k++)
            c[k] = cards[k * column];
        player[i] = (uint16_t)uteh_strength_both(c + 4, c[0], c[1]);
        dealer[i] = (uint16_t)uteh_strength_both(c + 4, c[2], c[3]);
    }
}

void uteh_rank_rounds(const uint8_t *cards, int64_t row, int64_t column, int n, int both, uint16_t *player, uint16_t *dealer)
{
    int at = 0, m;

#if UTEH_WITH_AVX2
    if (!both && wide_path())
        at = (int)(column == 1 ? uteh_round_rows_avx2(cards, n, player, dealer)
                               : uteh_round_columns_avx2(cards, column, n, player, dealer));
#endif
    for (; at < n; at += BLOCK) {
        m = n - at < BLOCK ? n - at : BLOCK;
        if (both)
            rank_both(cards + at * row, row, column, m, player + at, dealer + at);
        else if (column == 1) /* constants make the better loops */
            rank_any(cards + at * row, 9, 1, m, player + at, dealer + at);
        else
            rank_any(cards + at * row, 1, column, m, player + at, dealer + at);
    }
}

void uteh_round_rank(const uteh_cells *c, const uint8_t cards[9], int folded, uteh_round *round)
{
    uint16_t player[1], dealer[1];
    int x;

    uteh_rank_rounds(cards, 9, 1, 1, c->both, player, dealer);
    round->player = player[0];
    round->dealer = dealer[0];
    round->board = 0;
    x = uteh_category[round->dealer];
    round->qualifies = x >= c->qualifier;
    round->result = (round->player > round->dealer) - (round->player < round->dealer);
    if (folded) {
        round->result = UTEH_FOLD;
        if (c->fold_by_board) {
            round->board = uteh_strength(cards + 4, 5);
            x = uteh_category[round->board];
        }
    }
    round->cell = uteh_cell(round->result, uteh_category[round->player], x);
}

/* Money -------------------------------------------------------------------------------------------------------------------------- */

/* Whether a quotient found by shift and inverse is the exact one. What the shift lost tells for the power of two in the unit; for the odd
   part, a quotient that is not exact is a large number: a small one would come back to the same product without wrapping. */
static inline int is_whole(const uteh_cells *c, int64_t exact, int64_t whole)
{
    int64_t lost = exact & ((INT64_C(1) << c->shift) - 1);

    return !lost & ((uint64_t)whole + (uint64_t)c->whole_most <= 2 * (uint64_t)c->whole_most);
}

int uteh_break(const uteh_cells *c, int64_t *net)
{
    int64_t whole;

    if (c->unit == 1)
        return UTEH_BETS_OK;
    whole = (int64_t)((uint64_t)(*net >> c->shift) * c->inverse);
    if (!is_whole(c, *net, whole)) {
        /* Only wins are broken: a loss is the whole stake. */
        if (c->breakage == 0)
            return UTEH_FRACTION;
        whole = *net / c->unit;
        if (c->breakage == 2 && 2 * (*net % c->unit) >= c->unit)
            whole++;
    }
    *net = whole;
    return UTEH_BETS_OK;
}

/* Amounts of a block of rows, side by side: the caller's own where there is one a row, otherwise BLOCK times the same. */
typedef union {
    const int64_t *chips;
    const double *real;
} amounts;

typedef union {
    int64_t chips[BLOCK];
    double real[BLOCK];
} amount_block;

/* Fills the blocks of the kinds that are one amount for all rows; once a call. */
static void repeat(const uteh_rounds *r, amount_block same[UTEH_BETS + 1])
{
    int kind, i;

    for (kind = 0; kind < UTEH_BETS + r->capped; kind++)
        for (i = 0; i < BLOCK && !r->stride[kind]; i++)
            if (r->floats)
                same[kind].real[i] = *(const double *)r->amount[kind];
            else
                same[kind].chips[i] = *(const int64_t *)r->amount[kind];
}

static void point(const uteh_rounds *r, const amount_block same[UTEH_BETS + 1], int64_t first, amounts a[UTEH_BETS + 1])
{
    int kind;

    for (kind = 0; kind < UTEH_BETS + r->capped; kind++)
        if (r->floats)
            a[kind].real = r->stride[kind] ? (const double *)r->amount[kind] + first : same[kind].real;
        else
            a[kind].chips = r->stride[kind] ? (const int64_t *)r->amount[kind] + first : same[kind].chips;
}

static int legal_chips(const uteh_cells *c, int street, int64_t ante, int64_t play)
{
    int m;

    for (m = 1; m <= 4; m++)
        if (c->multiples[street] >> m & 1 && play == m * ante)
            return 1;
    return c->range[street] && play * c->low_den[street] >= ante * c->low_num[street] && play <= ante * c->high[street];
}

/* Decimal fractions have no exact doubles: three times 0.1 is not 0.3. A Play is what the rules allow if it is within 1e-9 of it. */
static int legal_real(const uteh_cells *c, int street, double ante, double play)
{
    double near = 1e-9 * ante;
    int m;

    for (m = 1; m <= 4; m++)
        if (c->multiples[street] >> m & 1 && play >= m * ante - near && play <= m * ante + near)
            return 1;
    return c->range[street] && play * (double)c->low_den[street] >= (double)c->low_num[street] * ante - near &&
           play <= (double)c->high[street] * ante + near;
}

static int fail(int *code, int *field, int what, int where)
{
    *code = what;
    *field = where;
    return 1;
}

/* One row of amounts, already read: ante, play, blind, trips, bad_beat, cap. */
static int row_is_bad(const uteh_cells *c, const uteh_rounds *r, const amounts a[UTEH_BETS + 1], int i, int street, int *code,
                      int *field)
{
    int kind, number;
    int legal = 0, fold;

    for (kind = 0; kind < UTEH_BETS + r->capped; kind++) {
        if (r->floats ? !(a[kind].real[i] >= 0 && a[kind].real[i] <= 1e300) : a[kind].chips[i] < 0)
            return fail(code, field, UTEH_NOT_AMOUNT, kind);
        /* A cap may be any amount: beyond what can be won it is none. */
        if (kind == UTEH_CAP)
            continue;
        if (r->floats ? a[kind].real[i] > (double)(INT64_C(1) << HIGHEST_FLOAT) : a[kind].chips[i] > c->limit)
            return fail(code, field, UTEH_TOO_LARGE, kind);
    }
    if (street > 2 && street != UTEH_ANY_STREET)
        return fail(code, field, UTEH_BAD_STREET, 0);
    fold = r->floats ? a[UTEH_PLAY].real[i] == 0 : a[UTEH_PLAY].chips[i] == 0;
    for (number = street > 2 ? 0 : street; number <= (street > 2 ? 2 : street) && !legal; number++) {
        if (fold)
            legal = c->multiples[number] & 1;
        else if (r->floats)
            legal = legal_real(c, number, a[UTEH_ANTE].real[i], a[UTEH_PLAY].real[i]);
        else
            legal = legal_chips(c, number, a[UTEH_ANTE].chips[i], a[UTEH_PLAY].chips[i]);
    }
    if (!legal)
        return fail(code, field, fold ? UTEH_FOLD_ILLEGAL : UTEH_PLAY_ILLEGAL, UTEH_PLAY);
    if (r->floats) {
        double apart = a[UTEH_BLIND].real[i] - a[UTEH_ANTE].real[i], near = 1e-9 * a[UTEH_ANTE].real[i];

        if (apart > near || apart < -near)
            return fail(code, field, UTEH_BLIND_UNLIKE, UTEH_BLIND);
    } else if (a[UTEH_BLIND].chips[i] != a[UTEH_ANTE].chips[i])
        return fail(code, field, UTEH_BLIND_UNLIKE, UTEH_BLIND);
    for (kind = UTEH_TRIPS; kind <= UTEH_BAD_BEAT; kind++)
        if (!(kind == UTEH_TRIPS ? c->has_trips : c->has_bad_beat) && (r->floats ? a[kind].real[i] > 0 : a[kind].chips[i] > 0))
            return fail(code, field, UTEH_NO_TABLE, kind);
    if (c->bad_beat_needs_trips && (r->floats ? a[UTEH_BAD_BEAT].real[i] > 0 && !(a[UTEH_TRIPS].real[i] > 0)
                                              : a[UTEH_BAD_BEAT].chips[i] > 0 && a[UTEH_TRIPS].chips[i] == 0))
        return fail(code, field, UTEH_NEEDS_TRIPS, UTEH_BAD_BEAT);
    return 0;
}

int uteh_round_check(const uteh_cells *c, const int64_t stake[UTEH_BETS + 1], int capped, int street, int *field)
{
    uteh_rounds r = {0};
    amounts a[UTEH_BETS + 1];
    int code = UTEH_BETS_OK, kind;

    r.capped = capped;
    for (kind = 0; kind < UTEH_BETS + capped; kind++)
        a[kind].chips = &stake[kind];
    row_is_bad(c, &r, a, 0, street, &code, field);
    return code;
}

/* Amounts that are the same for all rows, or one of each row: nothing negative or over the limit, and no side bet that has no table. */
static inline int plain_amounts(const uteh_cells *c, const uteh_rounds *r, int kind, const int64_t *amount, int n)
{
    int has_table = kind == UTEH_TRIPS ? c->has_trips : kind == UTEH_BAD_BEAT ? c->has_bad_beat && !c->bad_beat_needs_trips : 1;
    int64_t limit = has_table ? c->limit : 0, wrong = 0;
    int i;

    if (!r->stride[kind])
        n = 1;
    /* The limit is far from the ends, so no difference of it and an amount that is not negative wraps. */
    for (i = 0; i < n; i++)
        wrong |= amount[i] | (int64_t)((uint64_t)limit - (uint64_t)amount[i]);
    return wrong >= 0;
}

/* Whole chips in a block that is plainly right, without a branch a row: a multiple that some street allows and the Blind like the Ante.
   Everything else is looked at again, row by row. */
static inline int plainly_right(const uteh_cells *c, const uteh_rounds *r, const amounts *a, int n)
{
    const int64_t *ante = a[UTEH_ANTE].chips, *play = a[UTEH_PLAY].chips, *blind = a[UTEH_BLIND].chips;
    uint64_t m[5];
    int64_t unlike = 0;
    int i, k, right = 1;

    if (r->floats || r->capped || r->street)
        return 0;
    for (k = 0; k < UTEH_BETS; k++)
        if (!plain_amounts(c, r, k, a[k].chips, n))
            return 0;
    if (blind != ante)
        for (i = 0; i < (r->stride[UTEH_ANTE] || r->stride[UTEH_BLIND] ? n : 1); i++)
            unlike |= ante[i] ^ blind[i];
    if (unlike)
        return 0;
    /* A multiple that is not allowed is replaced by one that is: they are at most five. */
    for (k = 0, i = 0; k < 5; k++)
        if (c->multiples[3] >> k & 1)
            for (; i <= k; i++)
                m[i] = (uint64_t)k;
    for (k = i - 1; i < 5; i++)
        m[i] = (uint64_t)k;
    for (k = 0; k < 5; k++)
        if (!(c->multiples[3] >> m[k] & 1))
            return 0;
    if (r->stride[UTEH_ANTE])
        for (i = 0; i < n; i++) {
            uint64_t x = (uint64_t)ante[i], y = (uint64_t)play[i];

            right &= (y == m[0] * x) | (y == m[1] * x) | (y == m[2] * x) | (y == m[3] * x) | (y == m[4] * x);
        }
    else {
        for (k = 0; k < 5; k++)
            m[k] *= (uint64_t)ante[0];
        for (i = 0; i < n; i++) {
            uint64_t y = (uint64_t)play[i];

            right &= (y == m[0]) | (y == m[1]) | (y == m[2]) | (y == m[3]) | (y == m[4]);
        }
    }
    return right;
}

static int right_portable(const uteh_cells *c, const uteh_rounds *r, const amounts *a, int n)
{
    return plainly_right(c, r, a, n);
}

#if UTEH_WITH_AVX2
UTEH_TARGET_AVX2 static int right_avx2(const uteh_cells *c, const uteh_rounds *r, const amounts *a, int n)
{
    return plainly_right(c, r, a, n);
}
#endif

int64_t uteh_rounds_check(const uteh_cells *c, const uteh_rounds *r, int64_t first, int64_t last, int *code, int *field)
{
    amount_block same[UTEH_BETS + 1];
    int64_t at;
    int i;

    *code = UTEH_BETS_OK;
    *field = 0;
    repeat(r, same);
    for (at = first; at < last; at += BLOCK) {
        int n = last - at < BLOCK ? (int)(last - at) : BLOCK;
        amounts a[UTEH_BETS + 1];

        point(r, same, at, a);
#if UTEH_WITH_AVX2
        if (wide_path() ? right_avx2(c, r, a, n) : right_portable(c, r, a, n))
            continue;
#else
        if (right_portable(c, r, a, n))
            continue;
#endif
        for (i = 0; i < n; i++)
            if (row_is_bad(c, r, a, i, r->street ? r->street[(at + i) * r->street_stride] : UTEH_ANY_STREET, code, field))
                return at + i;
    }
    return last;
}

/* What a block of rows comes to: the hands, and the cell of each. */
typedef struct {
    uint16_t player[BLOCK], dealer[BLOCK];
    int16_t own[BLOCK], theirs[BLOCK]; /* categories */
    int16_t result[BLOCK], cell[BLOCK];
} hands_block;

/* Categories of n strengths: how many categories start at or below each. */
static inline void categories(const uint16_t strength[BLOCK], int n, int16_t category[BLOCK])
{
    int i, k;

    for (i = 0; i < n; i++) {
        int16_t above = 0;

        for (k = 1; k < 10; k++)
            above = (int16_t)(above + ((int16_t)strength[i] >= (int16_t)uteh_first[k]));
        category[i] = above;
    }
}

/* Categories, results and cells of ranked hands; folded becomes -1 where the player has folded, else 0. */
static inline void find_cells(hands_block *h, const amounts *play, int floats, int16_t folded[BLOCK], int n)
{
    int i;

    if (floats)
        for (i = 0; i < n; i++)
            folded[i] = (int16_t)-(play->real[i] == 0);
    else
        for (i = 0; i < n; i++)
            folded[i] = (int16_t)-(play->chips[i] == 0);
    categories(h->player, n, h->own);
    categories(h->dealer, n, h->theirs);
    for (i = 0; i < n; i++) {
        int16_t own = (int16_t)h->player[i], theirs = (int16_t)h->dealer[i];
        int16_t result = (int16_t)((own > theirs) - (own < theirs));

        result = (int16_t)((result & ~folded[i]) | (UTEH_FOLD & folded[i]));
        h->result[i] = result;
        h->cell[i] = (int16_t)((result + 2) * 100 + h->own[i] * 10 + h->theirs[i]);
    }
}

static void find_cells_portable(hands_block *h, const amounts *play, int floats, int16_t folded[BLOCK], int n)
{
    find_cells(h, play, floats, folded, n);
}

#if UTEH_WITH_AVX2
UTEH_TARGET_AVX2 static void find_cells_avx2(hands_block *h, const amounts *play, int floats, int16_t folded[BLOCK], int n)
{
    find_cells(h, play, floats, folded, n);
}
#endif

static void rank_block(const uteh_cells *c, const uteh_rounds *r, const amounts *play, int64_t first, int n, hands_block *h)
{
    const uint8_t *cards = r->cards + 9 * first;
    int16_t folded[BLOCK] = {0};
    int i;

    uteh_rank_rounds(cards, 9, 1, n, c->both, h->player, h->dealer);
#if UTEH_WITH_AVX2
    if (wide_path())
        find_cells_avx2(h, play, r->floats, folded, n);
    else
#endif
        find_cells_portable(h, play, r->floats, folded, n);
    if (c->fold_by_board)
        for (i = 0; i < n; i++)
            if (folded[i])
                h->cell[i] = (int16_t)uteh_cell(UTEH_FOLD, h->own[i], uteh_category[uteh_strength(cards + 9 * i + 4, 5)]);
}

/* Amounts have been checked, but another thread may write into them since: whatever they are then, no product is undefined. */
static inline int64_t product(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* Wins of a bet in whole chips, or the first row in which exact breakage forbids one. */
static int chips_block(const uteh_cells *c, int bet, const int64_t *stake, const int16_t *cell, int n, int64_t *restrict net)
{
    const int64_t *factor = c->factor[bet];
    int64_t odd = 0;
    int i, first = n;

    if (!c->fractional[bet]) {
        factor = c->whole[bet];
        for (i = 0; i < n; i++)
            net[i] = product(stake[i], factor[cell[i]]);
        return n;
    }
    /* Stakes that are multiples of a unit that is a power of two, such as even amounts where a flush pays 3 to 2. */
    for (i = 0; i < n; i++)
        odd |= stake[i] & (c->unit - 1);
    if (!odd && c->inverse == 1) {
        const int shift = c->shift;

        for (i = 0; i < n; i++)
            net[i] = product(stake[i] >> shift, factor[cell[i]]);
        return n;
    }
    for (i = 0; i < n; i++) {
        net[i] = product(stake[i], factor[cell[i]]);
        if (uteh_break(c, &net[i]) != UTEH_BETS_OK && first == n)
            first = i;
    }
    return first;
}

int64_t uteh_rounds_whole(const uteh_cells *c, const uteh_rounds *r, int64_t first, int64_t last, int *field)
{
    amount_block same[UTEH_BETS + 1];
    int64_t at;
    int i, kind;

    *field = 0;
    if (r->floats || c->breakage || c->unit == 1)
        return last;
    repeat(r, same);
    for (at = first; at < last; at += BLOCK) {
        int n = last - at < BLOCK ? (int)(last - at) : BLOCK, bad = BLOCK;
        amounts a[UTEH_BETS + 1];
        hands_block h;
        int64_t net[BLOCK], odd = 0;

        point(r, same, at, a);
        /* A stake that is a multiple of the unit wins whole chips whatever the hand. */
        for (kind = 0; kind < UTEH_BETS; kind++) {
            int m = r->stride[kind] ? n : 1;

            if (!c->fractional[kind])
                continue;
            if (c->unit & (c->unit - 1))
                for (i = 0; i < m; i++)
                    odd |= a[kind].chips[i] % c->unit;
            else
                for (i = 0; i < m; i++)
                    odd |= a[kind].chips[i] & (c->unit - 1);
        }
        if (!odd)
            continue;
        rank_block(c, r, &a[UTEH_PLAY], at, n, &h);
        for (kind = 0; kind < UTEH_BETS; kind++) {
            int whole = chips_block(c, kind, a[kind].chips, h.cell, n, net);

            if (whole < n && whole < bad) {
                bad = whole;
                *field = kind;
            }
        }
        if (bad < n)
            return at + bad;
    }
    return last;
}

/* The same cuts as uteh_cap, for doubles. */
static void cap_real(double net[UTEH_BETS], double cap)
{
    static const int order[UTEH_BETS] = {UTEH_BLIND, UTEH_TRIPS, UTEH_BAD_BEAT, UTEH_PLAY, UTEH_ANTE};
    double over = -cap;
    int i;

    for (i = 0; i < UTEH_BETS; i++)
        if (net[i] > 0)
            over += net[i];
    for (i = 0; i < UTEH_BETS && over > 0; i++)
        if (net[order[i]] > 0) {
            double less = net[order[i]] < over ? net[order[i]] : over;

            net[order[i]] -= less;
            over -= less;
        }
}

static void cap_block(const uteh_rounds *r, amount_block net[UTEH_BETS], const amounts *cap, int n)
{
    int i, kind;

    for (i = 0; i < n; i++)
        if (r->floats) {
            double row[UTEH_BETS];

            for (kind = 0; kind < UTEH_BETS; kind++)
                row[kind] = net[kind].real[i];
            cap_real(row, cap->real[i]);
            for (kind = 0; kind < UTEH_BETS; kind++)
                net[kind].real[i] = row[kind];
        } else {
            int64_t row[UTEH_BETS];

            for (kind = 0; kind < UTEH_BETS; kind++)
                row[kind] = net[kind].chips[i];
            uteh_cap(row, cap->chips[i]);
            for (kind = 0; kind < UTEH_BETS; kind++)
                net[kind].chips[i] = row[kind];
        }
}

/* Adding 0 turns a double's negative zero into zero. */
static void write_money(const uteh_rounds *r, void *to, int64_t first, const amount_block *from, int n)
{
    int i;

    if (r->floats)
        for (i = 0; i < n; i++)
            ((double *)to)[first + i] = from->real[i] + 0.0;
    else
        for (i = 0; i < n; i++)
            ((int64_t *)to)[first + i] = from->chips[i];
}

/* What a bet that is the same in every row wins by cell, and what all such bets win together. */
typedef struct {
    int64_t each[UTEH_BETS][UTEH_CELLS], together[UTEH_CELLS];
} worth;

static void find_worth(const uteh_cells *c, const uteh_rounds *r, worth *w)
{
    int kind, cell;

    for (cell = 0; cell < UTEH_CELLS; cell++)
        w->together[cell] = 0;
    for (kind = 0; kind < UTEH_BETS && !r->floats; kind++)
        for (cell = 0; cell < UTEH_CELLS && !r->stride[kind]; cell++) {
            int64_t net = product(*(const int64_t *)r->amount[kind], c->factor[kind][cell]);

            /* A cell that exact breakage forbids is none that a row has: that has been looked at. */
            uteh_break(c, &net);
            w->each[kind][cell] = net;
            w->together[cell] = (int64_t)((uint64_t)w->together[cell] + (uint64_t)net);
        }
}

/* Copies a block's column to its place. Past the caches, where it would push out the tables, if it is streamed. */
static void put_column(const uteh_rounds *r, int64_t *to, const int64_t *from, int n)
{
    int i = 0;

    if (to == from)
        return;
#if defined(__SSE2__)
    if (r->streamed && ((uintptr_t)to & 7) == 0) {
        for (; i < n && ((uintptr_t)(to + i) & 15); i++)
            to[i] = from[i];
        for (; i + 2 <= n; i += 2)
            _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
    }
#endif
    (void)r;
    memcpy(to + i, from + i, (size_t)(n - i) * sizeof(*to));
}

static void settle_chips(const uteh_cells *c, const uteh_rounds *r, const worth *w, const amounts stake[UTEH_BETS + 1],
                         int64_t first, int n, const hands_block *h, amount_block net[UTEH_BETS])
{
    const int64_t *column[UTEH_BETS];
    int64_t *total = r->total ? (int64_t *)r->total + first : NULL, *sum = total;
    amount_block sums;
    int kind, i;

    if (r->streamed)
        sum = sums.chips;
    for (kind = 0; kind < UTEH_BETS; kind++) {
        int64_t *out = r->net[kind] ? (int64_t *)r->net[kind] + first : NULL, *to = out && !r->streamed ? out : net[kind].chips;

        column[kind] = to;
        if (!r->stride[kind]) {
            if (out)
                for (i = 0; i < n; i++)
                    to[i] = w->each[kind][h->cell[i]];
        } else if (kind != UTEH_PLAY || out || !total)
            chips_block(c, kind, stake[kind].chips, h->cell, n, to);
        else
            column[kind] = NULL;
        if (out)
            put_column(r, out, to, n);
    }
    if (!total)
        return;
    /* A Play is won or lost as a whole. */
    if (r->stride[UTEH_PLAY] && !column[UTEH_PLAY]) {
        const int64_t *play = stake[UTEH_PLAY].chips;

        for (i = 0; i < n; i++)
            sum[i] = (int64_t)((uint64_t)w->together[h->cell[i]] + (uint64_t)product(play[i], c->whole[UTEH_PLAY][h->cell[i]]));
    } else
        for (i = 0; i < n; i++)
            sum[i] = w->together[h->cell[i]];
    for (kind = 0; kind < UTEH_BETS; kind++)
        if (r->stride[kind] && column[kind])
            for (i = 0; i < n; i++)
                sum[i] = (int64_t)((uint64_t)sum[i] + (uint64_t)column[kind][i]);
    put_column(r, total, sum, n);
}

/* Floats, and whatever is capped. */
static void settle_others(const uteh_cells *c, const uteh_rounds *r, const amounts stake[UTEH_BETS + 1], int64_t first, int n,
                          const hands_block *h, amount_block net[UTEH_BETS])
{
    amount_block total;
    int kind, i;

    for (kind = 0; kind < UTEH_BETS; kind++)
        if (r->floats)
            for (i = 0; i < n; i++)
                net[kind].real[i] = stake[kind].real[i] * (double)c->factor[kind][h->cell[i]] / (double)c->unit;
        else
            chips_block(c, kind, stake[kind].chips, h->cell, n, net[kind].chips);
    if (r->capped)
        cap_block(r, net, &stake[UTEH_CAP], n);
    for (kind = 0; kind < UTEH_BETS; kind++)
        if (r->net[kind])
            write_money(r, r->net[kind], first, &net[kind], n);
    if (!r->total)
        return;
    for (kind = 0; kind < UTEH_BETS; kind++)
        for (i = 0; i < n; i++)
            if (r->floats)
                total.real[i] = kind ? total.real[i] + net[kind].real[i] : net[kind].real[i];
            else
                total.chips[i] = kind ? (int64_t)((uint64_t)total.chips[i] + (uint64_t)net[kind].chips[i]) : net[kind].chips[i];
    write_money(r, r->total, first, &total, n);
}

/* A byte may be part of anything: what is written through a pointer of the caller's is read from nowhere else in the loop. */
static void write_bytes(uint8_t *to, const int16_t *from, int n)
{
    int i;

    for (i = 0; i < n; i++)
        to[i] = (uint8_t)from[i];
}

static void settle_block(const uteh_cells *c, const uteh_rounds *r, const worth *w, const amount_block *same, int64_t first, int n)
{
    amounts stake[UTEH_BETS + 1];
    amount_block net[UTEH_BETS];
    hands_block h;
    int kind, i;

    point(r, same, first, stake);
    rank_block(c, r, &stake[UTEH_PLAY], first, n, &h);
    if (r->floats || r->capped)
        settle_others(c, r, stake, first, n, &h, net);
    else
        settle_chips(c, r, w, stake, first, n, &h, net);
    if (r->result)
        write_bytes((uint8_t *)r->result + first, h.result, n);
    if (r->player)
        memcpy(r->player + first, h.player, (size_t)n * sizeof(h.player[0]));
    if (r->dealer)
        memcpy(r->dealer + first, h.dealer, (size_t)n * sizeof(h.dealer[0]));
    if (r->qualifies) {
        for (i = 0; i < n; i++)
            h.theirs[i] = h.theirs[i] >= c->qualifier;
        write_bytes(r->qualifies + first, h.theirs, n);
    }
    if (r->reasons)
        for (i = 0; i < n; i++)
            for (kind = 0; kind < UTEH_BETS; kind++) {
                int staked = r->floats ? stake[kind].real[i] > 0 : stake[kind].chips[i] > 0;

                r->reasons[(first + i) * UTEH_BETS + kind] = staked ? c->reason[kind][h.cell[i]] : UTEH_NO_STAKE;
            }
}

void uteh_rounds_settle(const uteh_cells *c, const uteh_rounds *r, int64_t first, int64_t last)
{
    amount_block same[UTEH_BETS + 1];
    worth w;
    int64_t at;

    repeat(r, same);
    find_worth(c, r, &w);
    for (at = first; at < last; at += BLOCK)
        settle_block(c, r, &w, same, at, last - at < BLOCK ? (int)(last - at) : BLOCK);
#if defined(__SSE2__)
    if (r->streamed)
        _mm_sfence();
#endif
}
