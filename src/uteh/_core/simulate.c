#include "simulate.h"

#include <string.h>

#include "classes.h"
#include "cpu.h"

/* The tables of decisions are larger than the inner caches: they are asked for before they are read. */
#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) (void)(address)
#endif

enum { BLOCK = UTEH_DEAL_BLOCK };

/* The place of a flop among all, a > b > c. */
static inline unsigned flop_place(const uteh_player *p, unsigned a, unsigned b, unsigned c)
{
    return (unsigned)p->choose3[a & 63] + p->choose2[b & 63] + c;
}

void uteh_player_init(uteh_player *p, const uint8_t first[UTEH_CLASSES])
{
    int n, a, b, c, d;

    for (n = 0; n < 64; n++) {
        p->choose2[n] = (uint16_t)(n < 52 ? uteh_choose(n, 2) : 0);
        p->choose3[n] = (uint16_t)(n < 52 ? uteh_choose(n, 3) : 0);
    }
    for (a = 0; a < 64; a++)
        for (b = 0; b < 64; b++)
            p->preflop[a << 6 | b] = a < 52 && b < 52 ? first[uteh_class((uint8_t)a, (uint8_t)b)] : (uint8_t)UTEH_TURN_FOLD;
    /* Every renaming of the suits of every canonical flop: some flops come up more than once, and any of their names will do, since
       what is decided does not change with them. */
    for (n = 0; n < UTEH_FLOPS; n++) {
        uint8_t cards[3];

        uteh_flop(n, cards);
        for (a = 0; a < 4; a++)
            for (b = 0; b < 4; b++)
                for (c = 0; c < 4; c++) {
                    unsigned suit[4], names = 0;
                    uint8_t card[3];
                    int k;

                    if (a == b || a == c || b == c)
                        continue;
                    d = 6 - a - b - c;
                    suit[0] = (unsigned)a;
                    suit[1] = (unsigned)b;
                    suit[2] = (unsigned)c;
                    suit[3] = (unsigned)d;
                    for (k = 0; k < 4; k++)
                        names |= (unsigned)k << 2 * suit[k];
                    for (k = 0; k < 3; k++)
                        card[k] = (uint8_t)((cards[k] & ~3u) | suit[cards[k] & 3]);
                    uteh_sort_three(card);
                    p->canonical[flop_place(p, card[2], card[1], card[0])] = (uint32_t)n << 8 | names;
                }
    }
}

/* Counting ----------------------------------------------------------------------------------------------------------------------- */

/* Counts twice, so that rounds that end alike do not wait for each other. */
static void count_block(const uteh_player *p, const uint8_t *cards, int64_t row, int64_t column, const uint8_t *action, int n,
                        uteh_counts counts[2])
{
    uint16_t player[BLOCK], dealer[BLOCK], end[BLOCK];
    int i, k;

    uteh_rank_rounds(cards, row, column, n, p->both, player, dealer);
    for (i = 0; i < n; i++) {
        unsigned own = uteh_category[player[i] & 8191], theirs = uteh_category[dealer[i] & 8191];
        unsigned result = (unsigned)(1 + (player[i] > dealer[i]) - (player[i] < dealer[i])), folded = action[i] >= UTEH_TURN_FOLD;
        unsigned played = action[i] * (unsigned)UTEH_PLAY_ENDS + result * 100 + own * 10 + theirs;
        unsigned passed = UTEH_MAX_PLAYS * UTEH_PLAY_ENDS + own * 100 + theirs * 10;

        /* Without a branch that a processor would guess wrong for one fold in five. */
        end[i] = (uint16_t)(played ^ ((played ^ passed) & (0u - folded)));
    }
    if (p->fold_by_board)
        for (i = 0; i < n; i++)
            if (action[i] >= UTEH_TURN_FOLD) {
                const uint8_t *from = cards + i * row + 4 * column;
                uint8_t board[5];

                for (k = 0; k < 5; k++)
                    board[k] = from[k * column];
                end[i] = (uint16_t)(end[i] + uteh_category[uteh_strength(board, 5) & 8191]);
            }
    for (i = 0; i + 2 <= n; i += 2) {
        counts[0].end[end[i]]++;
        counts[1].end[end[i + 1]]++;
    }
    if (i < n)
        counts[0].end[end[i]]++;
}

static void add_counts(const uteh_counts from[2], uteh_counts *to)
{
    int i;

    for (i = 0; i < UTEH_ENDS; i++)
        to->end[i] += from[0].end[i] + from[1].end[i];
}

void uteh_count_rounds(const uteh_player *p, const uint8_t *rows, const uint8_t *actions, int64_t n, uteh_counts *counts)
{
    uteh_counts twice[2] = {{{0}}};

    while (n > 0) {
        int m = n < BLOCK ? (int)n : BLOCK;

        count_block(p, rows, UTEH_CARDS, 1, actions, m, twice);
        rows += (int64_t)UTEH_CARDS * m;
        actions += m;
        n -= m;
    }
    add_counts(twice, counts);
}

/* Deciding ----------------------------------------------------------------------------------------------------------------------- */

/* Those of m rounds that are still to be decided. */
static int undecided(const uint8_t *action, const uint16_t *from, int m, uint16_t *open)
{
    int j, left = 0;

    for (j = 0; j < m; j++) {
        uint16_t i = from ? from[j] : (uint16_t)j;

        open[left] = i;
        left += action[i] == UTEH_TURN_CHECK;
    }
    return left;
}

static void decide_flops(const uteh_player *p, const uint8_t *flops, uint8_t cards[UTEH_CARDS][BLOCK], const uint16_t *open, int m,
                         uint8_t *action)
{
    uint8_t high[BLOCK], middle[BLOCK], low[BLOCK];
    uint16_t place[BLOCK];
    uint32_t at[BLOCK];
    const unsigned shift = p->packed ? 3 : 0, bits = p->packed ? 7 : 0, mask = p->packed ? 1 : 7;
    int i, j;

    for (i = 0; i < BLOCK; i++) {
        uint8_t x = cards[4][i], y = cards[5][i], z = cards[6][i];
        uint8_t more = x > y ? x : y, less = x > y ? y : x;
        uint8_t second = more > z ? z : more;

        high[i] = more > z ? more : z;
        middle[i] = second > less ? second : less;
        low[i] = second > less ? less : second;
    }
    for (j = 0; j < m; j++)
        place[j] = (uint16_t)flop_place(p, high[open[j]], middle[open[j]], low[open[j]]);
    for (j = 0; j < m; j++)
        at[j] = p->canonical[place[j]];
    for (j = 0; j < m; j++) {
        unsigned x = cards[0][open[j]], y = cards[1][open[j]], more, less;
        uint32_t flop = at[j];

        x = (x & ~3u) | (flop >> 2 * (x & 3) & 3);
        y = (y & ~3u) | (flop >> 2 * (y & 3) & 3);
        more = x > y ? x : y;
        less = x > y ? y : x;
        at[j] = (flop >> 8) * UTEH_HOLES + p->choose2[more & 63] + less;
        PREFETCH(flops + (at[j] >> shift));
    }
    for (j = 0; j < m; j++)
        action[open[j]] = p->flop[flops[at[j] >> shift] >> (at[j] & bits) & mask];
}

static void decide_rivers(const uteh_player *p, const uint8_t *rivers, uint8_t cards[UTEH_CARDS][BLOCK], const uint16_t *open,
                          int m, uint8_t *action)
{
    uint8_t rows[BLOCK * 7], best[BLOCK], *row = rows;
    int j, k;

    for (j = 0; j < m; j++, row += 7) {
        row[0] = cards[0][open[j]];
        row[1] = cards[1][open[j]];
        for (k = 0; k < 5; k++)
            row[2 + k] = cards[4 + k][open[j]];
    }
    uteh_river_decisions(rows, m, rivers, p->river_bits, best);
    for (j = 0; j < m; j++)
        action[open[j]] = p->river[best[j] & 7];
}

void uteh_simulate(const uteh_player *p, const uint8_t *flops, const uint8_t *rivers, uint64_t first, int64_t n,
                   uteh_counts *counts)
{
    uint8_t cards[UTEH_CARDS][BLOCK], action[BLOCK];
    uint16_t open[BLOCK], left[BLOCK];
    uteh_counts twice[2] = {{{0}}};
    const int path = uteh_cpu_path();

    memset(cards, 0, sizeof(cards));
    while (n > 0) {
        int m = n < BLOCK ? (int)n : BLOCK, i, at_flop, at_river;

        uteh_deal_columns(path, p->key, first, m, cards);
        for (i = 0; i < m; i++)
            action[i] = p->preflop[(cards[0][i] & 63u) << 6 | (cards[1][i] & 63u)];
        at_flop = undecided(action, NULL, m, open);
        decide_flops(p, flops, cards, open, at_flop, action);
        at_river = undecided(action, open, at_flop, left);
        decide_rivers(p, rivers, cards, left, at_river, action);
        count_block(p, cards[0], 1, BLOCK, action, m, twice);
        first += (uint64_t)m;
        n -= m;
    }
    add_counts(twice, counts);
}
