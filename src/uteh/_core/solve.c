#include "solve.h"

#include <string.h>

#include "evaluator.h"

/* Numbers of sets and multisets ------------------------------------------------------------------------------------------------------ */

static int two(int a, int b) /* a >= b, multiset */
{
    return a * (a + 1) / 2 + b;
}

static int three(int a, int b, int c) /* a >= b >= c, multiset */
{
    return (a + 2) * (a + 1) * a / 6 + two(b, c);
}

static int four(int a, int b, int c, int d)
{
    return (a + 3) * (a + 2) * (a + 1) * a / 24 + three(b, c, d);
}

static int five(int a, int b, int c, int d, int e)
{
    return (a + 4) * (a + 3) * (a + 2) * (a + 1) * a / 120 + four(b, c, d, e);
}

static int pair_of(int a, int b) /* in either order */
{
    return a > b ? two(a, b) : two(b, a);
}

/* From counts by rank. */
static int number_of(const int8_t count[13])
{
    int ranks[5], n = 0, r, i;

    for (r = 12; r >= 0; r--)
        for (i = 0; i < count[r]; i++)
            ranks[n++] = r;
    return n == 5 ? five(ranks[0], ranks[1], ranks[2], ranks[3], ranks[4]) : three(ranks[0], ranks[1], ranks[2]);
}

/* The row of a flop with the ranks `in` of a suit (a mask) and the others `out`. */
static int flop_row(unsigned in, const int *out)
{
    int ranks[3], n = 0, r;

    for (r = 12; r >= 0; r--)
        if (in >> r & 1)
            ranks[n++] = r;
    if (n == 3) /* sets: each rank once */
        return ranks[0] * (ranks[0] - 1) * (ranks[0] - 2) / 6 + ranks[1] * (ranks[1] - 1) / 2 + ranks[2];
    if (n == 2)
        return 286 + (ranks[0] * (ranks[0] - 1) / 2 + ranks[1]) * 13 + out[0];
    return 286 + 1014 + ranks[0] * 91 + pair_of(out[0], out[1]);
}

/* The ranks of the next multiset, r[0] >= r[1] >= ... ; returns r[0], 13 after the last. */
static int next_multiset(int r[5])
{
    int i = 4;

    while (i > 0 && r[i] == r[i - 1])
        r[i--] = 0;
    return ++r[i] > 12 && i == 0 ? 13 : r[0];
}

static int bits(unsigned x)
{
    int n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

int uteh_hole(uint8_t a, uint8_t b)
{
    return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
}

int uteh_class(uint8_t a, uint8_t b)
{
    int x = a >> 2, y = b >> 2, high = x > y ? x : y, low = x > y ? y : x;

    return (a & 3) == (b & 3) ? low * 13 + high : high * 13 + low;
}

/* Suits by the flop's pattern: for three ranks a > b > c all five, for a pair and another rank two, for three of a rank one. */
int uteh_flop(int number, uint8_t cards[3])
{
    static const uint8_t patterns[5][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 2}};
    static const int times[5] = {4, 12, 12, 12, 24};
    int a, b, c, n = 0, i;

    for (a = 0; a < 13; a++)
        for (b = 0; b <= a; b++)
            for (c = 0; c <= b; c++) {
                int kinds = a != b && b != c ? 5 : a == b && b == c ? 1 : 2;

                if (number >= n + kinds) {
                    n += kinds;
                    continue;
                }
                i = number - n;
                cards[0] = (uint8_t)(4 * a);
                cards[1] = (uint8_t)(4 * b);
                cards[2] = (uint8_t)(4 * c);
                if (kinds == 5) {
                    cards[0] = (uint8_t)(cards[0] + patterns[i][0]);
                    cards[1] = (uint8_t)(cards[1] + patterns[i][1]);
                    cards[2] = (uint8_t)(cards[2] + patterns[i][2]);
                    return times[i];
                }
                if (kinds == 1) {
                    cards[1] = (uint8_t)(cards[1] + 1);
                    cards[2] = (uint8_t)(cards[2] + 2);
                    return 4;
                }
                /* The pair has suits 0 and 1; the other card is of suit 0, or of neither. */
                if (a == b) {
                    cards[1] = (uint8_t)(cards[1] + 1);
                    cards[2] = (uint8_t)(cards[2] + (i ? 2 : 0));
                } else {
                    cards[2] = (uint8_t)(cards[2] + 1);
                    cards[0] = (uint8_t)(cards[0] + (i ? 2 : 0));
                }
                return 12;
            }
    return 0;
}

/* Numbers of the first canonical flop with each multiset of ranks. */
static void first_flops(int first[UTEH_FLOP_RANKS])
{
    int a, b, c, n = 0, i = 0;

    for (a = 0; a < 13; a++)
        for (b = 0; b <= a; b++)
            for (c = 0; c <= b; c++) {
                first[i++] = n;
                n += a != b && b != c ? 5 : a == b && b == c ? 1 : 2;
            }
}

/* The number of a flop's canonical form, and what its suits are called there. */
static int canonical(const int first[UTEH_FLOP_RANKS], const uint8_t flop[3], int suit[4])
{
    uint8_t x = flop[0] % 52, y = flop[1] % 52, z = flop[2] % 52, t;
    int a, b, c, kind, next = 0, s, named[4] = {-1, -1, -1, -1}, used[4] = {0, 0, 0, 0};

#define SWAP(p, q)                                                                                                                 \
    do {                                                                                                                           \
        t = p;                                                                                                                     \
        p = q;                                                                                                                     \
        q = t;                                                                                                                     \
    } while (0)
    if (x < y)
        SWAP(x, y);
    if (y < z)
        SWAP(y, z);
    if (x < y)
        SWAP(x, y);
#undef SWAP
    a = x & 3;
    b = y & 3;
    c = z & 3;
    if (x >> 2 != y >> 2 && y >> 2 != z >> 2) {
        /* As in the patterns of uteh_flop: all one suit, the last, the middle or the first another, all three. */
        kind = a == b ? (b == c ? 0 : 1) : a == c ? 2 : b == c ? 3 : 4;
        named[a] = kind == 3;
        named[b] = kind == 2 || kind == 4;
        named[c] = kind == 4 ? 2 : kind == 1;
    } else if (x >> 2 == z >> 2) {
        kind = 0;
        named[a] = 0;
        named[b] = 1;
        named[c] = 2;
    } else {
        int other = x >> 2 == y >> 2 ? c : a, one = x >> 2 == y >> 2 ? a : b, two_ = x >> 2 == y >> 2 ? b : c;

        kind = other != one && other != two_;
        named[one] = other == two_;
        named[two_] = other != two_;
        if (kind)
            named[other] = 2;
    }
    for (s = 0; s < 4; s++)
        if (named[s] >= 0)
            used[named[s]] = 1;
    for (s = 0; s < 4; s++) {
        if (named[s] < 0) {
            while (used[next])
                next++;
            used[next] = 1;
            named[s] = next;
        }
        suit[s] = named[s];
    }
    return first[three(x >> 2, y >> 2, z >> 2)] + kind;
}

void uteh_flop_decisions(const uint8_t *rows, int64_t n, const uint8_t *decisions, uint8_t *out)
{
    int first[UTEH_FLOP_RANKS];
    int64_t i;

    first_flops(first);
    for (i = 0; i < n; i++, rows += 5) {
        int suit[4], flop = canonical(first, rows + 2, suit), a = rows[0] % 52, b = rows[1] % 52;
        int hole = a == b ? 0 : uteh_hole((uint8_t)((a & ~3) | suit[a & 3]), (uint8_t)((b & ~3) | suit[b & 3]));

        out[i] = decisions[(int64_t)flop * UTEH_HOLES + hole];
    }
}

void uteh_classes(const uint8_t *rows, int64_t n, uint8_t *out)
{
    int64_t i;

    for (i = 0; i < n; i++)
        out[i] = (uint8_t)uteh_class(rows[2 * i] % 52, rows[2 * i + 1] % 52);
}

int64_t uteh_game_units(int stage)
{
    static const int64_t units[UTEH_STAGES] = {UTEH_MULTISETS, UTEH_OTHERS, UTEH_FLOP_RANKS, UTEH_FLOPS};

    return units[stage];
}

/* Which columns are kept: for each tally the river's, then one for each bet or fold at the flop; and one for each before the flop. */
int uteh_game_columns(const uteh_game *g, int *before_flop)
{
    int i, n = 1;

    *before_flop = 0;
    for (i = 0; i < g->plan.nactions[UTEH_PREFLOP]; i++)
        *before_flop += g->plan.actions[UTEH_PREFLOP][i] != UTEH_A_CHECK;
    for (i = 0; i < g->plan.nactions[UTEH_FLOP]; i++)
        n += g->plan.actions[UTEH_FLOP][i] != UTEH_A_CHECK;
    if (g->what == UTEH_COUNTS)
        *before_flop = 0;
    return g->what == UTEH_RAISED ? 0 : n;
}

/* Hands in the order of their strength ------------------------------------------------------------------------------------------------ */

enum { MOST_TYPES = 26, MOST_HANDS = 351 };

/* Numbers that the loops below would otherwise work out again and again; made by each call for itself, since nothing here is global. */
typedef struct {
    uint8_t x[UTEH_RANK_PAIRS], y[UTEH_RANK_PAIRS]; /* ranks of a rank pair, x >= y */
    uint16_t pair[MOST_TYPES][MOST_TYPES];          /* number of a pair of types, and of ranks below 13 */
} numbers_t;

static void fill_numbers(numbers_t *n)
{
    int x, y;

    for (x = 0; x < MOST_TYPES; x++)
        for (y = 0; y < MOST_TYPES; y++)
            n->pair[x][y] = (uint16_t)pair_of(x, y);
    for (x = 0; x < 13; x++)
        for (y = 0; y <= x; y++) {
            n->x[two(x, y)] = (uint8_t)x;
            n->y[two(x, y)] = (uint8_t)y;
        }
}

/* What a hole is called: by its ranks, by its starting hand, and seen from each suit that a canonical flop can have. */
typedef struct {
    uint8_t pairs[UTEH_HOLES], classes[UTEH_HOLES];
    uint16_t types[3][UTEH_HOLES];
} holes_t;

static void fill_holes(holes_t *holes, const numbers_t *numbers)
{
    int a, b, s, hole = 0;

    for (a = 1; a < 52; a++)
        for (b = 0; b < a; b++, hole++) {
            for (s = 0; s < 3; s++)
                holes->types[s][hole] = numbers->pair[(a >> 2) + 13 * ((a & 3) == s)][(b >> 2) + 13 * ((b & 3) == s)];
            holes->pairs[hole] = (uint8_t)two(a >> 2, b >> 2);
            holes->classes[hole] = (uint8_t)uteh_class((uint8_t)a, (uint8_t)b);
        }
}

/* The hole hands of one board class, sorted, and what a sweep over them finds for each: dealer hands that it beats, that it ties, and
   that do not qualify; all of 990. Where a suit is seen, type r is a card of rank r off the suit and 13 + r the one of the suit; the
   number of a hand is that of its type pair there, and that of its rank pair where no suit is seen. There is room for one entry more,
   because an entry is written before it is known whether it counts. */
typedef struct {
    int n;
    /* Types, rank pair, and number; not bytes, because a byte that is written could be anything else that the compiler keeps. */
    uint16_t first[MOST_HANDS + 3], second[MOST_HANDS + 3], ranks[MOST_HANDS + 3], number[MOST_HANDS + 3];
    int16_t beats[MOST_HANDS + 3], ties[MOST_HANDS + 3], unqualified[MOST_HANDS + 3];
    int16_t below[10][MOST_HANDS + 3]; /* dealer hands of lower categories: filled only where payoffs ask for it */
    int start[11];                     /* first hand of each category */
    /* The sweep: cards of each type that the board leaves; dealer hands so far, and those of them that hold one card of a type. */
    int32_t live[MOST_TYPES], less, through[MOST_TYPES];
    int category;
    int32_t less_at[11], through_at[11][MOST_TYPES]; /* as they were where each category starts */
} order_t;

static void begin(order_t *o)
{
    o->n = 0;
    o->less = 0;
    o->category = 0;
    memset(o->through, 0, sizeof(o->through));
}

static void reach(order_t *o, int category)
{
    for (; o->category <= category; o->category++) {
        o->start[o->category] = o->n;
        o->less_at[o->category] = o->less;
        memcpy(o->through_at[o->category], o->through, sizeof(o->through));
    }
}

static void finish(order_t *o, int qualifier, int by_dealer)
{
    const int32_t *through = o->through_at[qualifier];
    int32_t less;
    int i, category;

    /* Categories that no hand here reaches start where the hands end; only now is every one of them known. */
    reach(o, 10);
    less = o->less_at[qualifier];
    for (i = 0; i < o->n; i++)
        o->unqualified[i] = (int16_t)(less - through[o->first[i]] - through[o->second[i]] + (i < o->start[qualifier]));
    if (by_dealer)
        for (category = 0; category < 10; category++)
            for (i = 0; i < o->n; i++)
                o->below[category][i] =
                    (int16_t)(o->less_at[category] - o->through_at[category][o->first[i]] - o->through_at[category][o->second[i]]);
}

/* One more hand of types a and b, if cards are left for it; what it beats is known, what it ties is not yet. */
static inline void put(order_t *o, const numbers_t *numbers, int a, int b, int ranks, int counts)
{
    const int n = o->n;

    o->first[n] = (uint16_t)a;
    o->second[n] = (uint16_t)b;
    o->ranks[n] = (uint16_t)ranks;
    o->number[n] = numbers->pair[a][b];
    o->beats[n] = (int16_t)(o->less - o->through[a] - o->through[b]);
    o->n = n + counts;
}

/* The dealer's hands of types a and b. */
static inline void pass(order_t *o, int a, int b)
{
    if (a == b) {
        o->less += o->live[a] * (o->live[a] - 1) / 2;
        o->through[a] += o->live[a] > 1 ? o->live[a] - 1 : 0;
    } else {
        o->less += o->live[a] * o->live[b];
        o->through[a] += o->live[b];
        o->through[b] += o->live[a];
    }
}

/* What the hands from a place on tie: they are all of one strength, and the dealer's hands of that strength have been passed. */
static inline void tie(order_t *o, int from)
{
    int i;

    for (i = from; i < o->n; i++)
        /* The player's own hand was taken away twice. */
        o->ties[i] = (int16_t)(o->less - o->through[o->first[i]] - o->through[o->second[i]] + 1 - o->beats[i]);
}

/* Whether what a win pays depends on more of the dealer's hand than whether it qualifies. */
static int needs_dealer(const uteh_game *g)
{
    int tally, play, p, d;

    for (tally = -1; tally < (g->what == UTEH_VALUES ? 0 : g->ntallies); tally++)
        for (play = 0; play < UTEH_MAX_PLAYS + (tally >= 0); play++) {
            const uteh_payoff *pay = tally < 0 ? &g->plan.pay[play] : &g->tally[tally].pay[play];

            for (p = 0; p < 10; p++)
                for (d = 0; d <= p; d++)
                    if (pay->win[p][d] != pay->win[p][d < g->qualifier ? 0 : p])
                        return 1;
        }
    return 0;
}

/* 91 rank pairs of a multiset sorted by strength, for all multisets: the flush classes with those ranks read it again. Pairs that the board
   has used up come first, with strength 0. */
typedef struct {
    uint16_t strength[UTEH_RANK_PAIRS + 1]; /* the last one is higher than any */
    uint8_t pair[UTEH_RANK_PAIRS];
} sorted_t;

static unsigned by_ranks_both(const uint32_t key[5], uint32_t pair)
{
    unsigned best = 0;
    int i, j, k;

    for (i = 0; i < 3; i++)
        for (j = i + 1; j < 4; j++)
            for (k = j + 1; k < 5; k++) {
                unsigned s = uteh_by_ranks56(key[i] + key[j] + key[k] + pair);

                if (s > best)
                    best = s;
            }
    return best;
}

/* Sorted by two passes over seven bits each. */
static void sort_pairs(const numbers_t *numbers, const int r[5], const int8_t board[13], int both, sorted_t *sorted)
{
    uint16_t strength[2][UTEH_RANK_PAIRS];
    uint8_t pair[2][UTEH_RANK_PAIRS];
    uint32_t key[5], sum = 0;
    int i, pass_;

    for (i = 0; i < 5; i++)
        sum += key[i] = (uint32_t)uteh_key[4 * r[i]];
    for (i = 0; i < UTEH_RANK_PAIRS; i++) {
        int x = numbers->x[i], y = numbers->y[i];
        uint32_t two_cards = (uint32_t)uteh_key[4 * x] + (uint32_t)uteh_key[4 * y];
        unsigned s = both ? by_ranks_both(key, two_cards) : uteh_by_ranks7(sum + two_cards);

        strength[0][i] = (uint16_t)(board[x] + (x == y) > 3 || board[y] > 3 ? 0 : s);
        pair[0][i] = (uint8_t)i;
    }
    for (pass_ = 0; pass_ < 2; pass_++) {
        uint8_t at[128] = {0};
        int total = 0;

        for (i = 0; i < UTEH_RANK_PAIRS; i++)
            at[strength[pass_][i] >> (7 * pass_) & 127]++;
        for (i = 0; i < 128; i++) {
            int count = at[i];

            at[i] = (uint8_t)total;
            total += count;
        }
        for (i = 0; i < UTEH_RANK_PAIRS; i++) {
            int to = at[strength[pass_][i] >> (7 * pass_) & 127]++;

            if (pass_ == 0) {
                strength[1][to] = strength[0][i];
                pair[1][to] = pair[0][i];
            } else {
                sorted->strength[to] = strength[1][i];
                sorted->pair[to] = pair[1][i];
            }
        }
    }
    sorted->strength[UTEH_RANK_PAIRS] = UINT16_MAX;
}

/* Flushes in a suit of which the board has the ranks S: two cards of it, one (the other of any rank), or none, sorted. */
typedef struct {
    int n;
    uint16_t strength[64]; /* the last one is higher than any */
    int8_t x[64], y[64]; /* ranks of the hole cards of the suit; -1 none */
} flushes_t;

static unsigned flush_strength(unsigned set, int both, unsigned hole)
{
    unsigned best = 0, s, part;

    if (!both)
        return uteh_flush[set | hole];
    for (part = set;; part = (part - 1) & set) {
        if (bits(part) == 3 && (s = uteh_flush[part | hole]) > best)
            best = s;
        if (!part)
            return best;
    }
}

static void find_flushes(unsigned set, int both, flushes_t *f)
{
    int suited = bits(set), x, y, i;

    f->n = 0;
    for (x = -1; x < 13; x++)
        for (y = -1; y < (x < 0 ? 0 : x); y++) {
            unsigned hole = (x >= 0 ? 1u << x : 0) | (y >= 0 ? 1u << y : 0);
            int cards = (x >= 0) + (y >= 0);
            unsigned s;

            if (set & hole || (both ? cards < 2 : cards + suited < 5))
                continue;
            s = flush_strength(set, both, hole);
            for (i = f->n++; i > 0 && f->strength[i - 1] > s; i--) {
                f->strength[i] = f->strength[i - 1];
                f->x[i] = f->x[i - 1];
                f->y[i] = f->y[i - 1];
            }
            f->strength[i] = (uint16_t)s;
            f->x[i] = (int8_t)x;
            f->y[i] = (int8_t)y;
        }
    f->strength[f->n] = UINT16_MAX;
}

/* Where no suit is seen: types are ranks. */
static void order_ranks(order_t *o, const numbers_t *numbers, const sorted_t *sorted, const int8_t board[13])
{
    int i, j, k, r;

    begin(o);
    for (r = 0; r < 13; r++)
        o->live[r] = 4 - board[r];
    for (i = 0; !sorted->strength[i]; i++)
        ;
    for (; i < UTEH_RANK_PAIRS; i = j) {
        int from = o->n;

        reach(o, uteh_category[sorted->strength[i]]);
        for (j = i; sorted->strength[j] == sorted->strength[i]; j++) {
            int x = numbers->x[sorted->pair[j]], y = numbers->y[sorted->pair[j]];

            put(o, numbers, x, y, sorted->pair[j], o->live[y] > (x == y) && o->live[x] > 0);
        }
        for (k = i; k < j; k++)
            pass(o, numbers->x[sorted->pair[k]], numbers->y[sorted->pair[k]]);
        tie(o, from);
    }
}

/* Hands with the flush cards x and y of a suit, of one strength. */
static void flush_group(order_t *o, const numbers_t *numbers, const flushes_t *flushes, int f, int to)
{
    int from = o->n, i, r, q;

    reach(o, uteh_category[flushes->strength[f]]);
    if (to == f + 1 && flushes->y[f] >= 0) { /* one hand, which ties nobody */
        int x = 13 + flushes->x[f], y = 13 + flushes->y[f];

        put(o, numbers, x, y, numbers->pair[x - 13][y - 13], 1);
        o->ties[from] = 0;
        o->less++;
        o->through[x]++;
        o->through[y]++;
        return;
    }
    for (i = f; i < to; i++) {
        int x = flushes->x[i], y = flushes->y[i];

        if (y >= 0)
            put(o, numbers, 13 + x, 13 + y, numbers->pair[x][y], 1);
        else if (x >= 0)
            for (r = 0; r < 13; r++)
                put(o, numbers, 13 + x, r, numbers->pair[x][r], o->live[r] > 0);
        else
            for (r = 0; r < 13; r++)
                for (q = 0; q <= r; q++)
                    put(o, numbers, r, q, numbers->pair[r][q], o->live[q] > (r == q) && o->live[r] > 0);
    }
    for (i = from; i < o->n; i++)
        pass(o, o->first[i], o->second[i]);
    tie(o, from);
}

/* Hands that are no flushes with the ranks of sorted pairs i to j - 1, of one strength. `mixed` says whether those with one card of the
   suit are among them; with none, hands with cards off the suit alone. */
static inline void rank_group(order_t *o, const numbers_t *numbers, const sorted_t *sorted, int i, int j, int mixed)
{
    const int32_t *live = o->live;
    int32_t *through = o->through;
    const int from = o->n;
    int k;

    for (k = i; k < j; k++) {
        int pair = sorted->pair[k], x = numbers->x[pair], y = numbers->y[pair];

        if (x == y) {
            put(o, numbers, x, x, pair, live[x] > 1);
            if (mixed)
                put(o, numbers, 13 + x, x, pair, (live[x] > 0) & live[13 + x]);
        } else {
            int a = live[x] > 0, b = live[y] > 0;

            put(o, numbers, x, y, pair, a & b);
            if (mixed) {
                put(o, numbers, 13 + x, y, pair, live[13 + x] & b);
                put(o, numbers, x, 13 + y, pair, a & live[13 + y]);
            }
        }
    }
    for (k = i; k < j; k++) {
        int pair = sorted->pair[k], x = numbers->x[pair], y = numbers->y[pair];
        int a = live[x], b = live[y], suit_a = mixed ? live[13 + x] : 0, suit_b = mixed ? live[13 + y] : 0;

        if (x == y) {
            o->less += a * (a - 1) / 2 + suit_a * a;
            through[x] += (a > 1 ? a - 1 : 0) + suit_a;
            if (mixed)
                through[13 + x] += a;
        } else {
            o->less += a * b + suit_a * b + a * suit_b;
            through[x] += b + suit_b;
            through[y] += a + suit_a;
            if (mixed) {
                through[13 + x] += b;
                through[13 + y] += a;
            }
        }
    }
    tie(o, from);
}

/* The order of a class with a flush suit. */
static void order_suit(order_t *o, const numbers_t *numbers, const sorted_t *sorted, const flushes_t *flushes, unsigned set,
                       const int8_t others[13], int both)
{
    int i, j, f = 0, to, suited = bits(set), r;

    begin(o);
    for (r = 0; r < 13; r++) {
        o->live[r] = 3 - others[r];
        o->live[13 + r] = !(set >> r & 1);
    }
    for (i = 0; !sorted->strength[i]; i++)
        ;
    if (!both && suited == 5)
        i = UTEH_RANK_PAIRS;
    for (; i < UTEH_RANK_PAIRS; i = j) {
        while (flushes->strength[f] < sorted->strength[i]) {
            for (to = f + 1; flushes->strength[to] == flushes->strength[f]; to++)
                ;
            flush_group(o, numbers, flushes, f, to);
            f = to;
        }
        reach(o, uteh_category[sorted->strength[i]]);
        for (j = i + 1; sorted->strength[j] == sorted->strength[i]; j++)
            ;
        /* Twice the same call, so that each is compiled for its own case. */
        if (both || suited == 3)
            rank_group(o, numbers, sorted, i, j, 1);
        else
            rank_group(o, numbers, sorted, i, j, 0);
    }
    for (; f < flushes->n; f = to) {
        for (to = f + 1; flushes->strength[to] == flushes->strength[f]; to++)
            ;
        flush_group(o, numbers, flushes, f, to);
    }
}

#define CELL uint32_t
#define SIGNED int32_t
#define FACTOR int16_t
#define NAME(name) name##_32
#include "solve_cells.h"
#undef CELL
#undef SIGNED
#undef FACTOR
#undef NAME
#define CELL uint64_t
#define SIGNED int64_t
#define FACTOR int64_t
#define NAME(name) name##_64
#include "solve_cells.h"

int64_t uteh_game_scratch(const uteh_game *g)
{
    return g->wide ? scratch_64(g) : scratch_32(g);
}

void uteh_game_range(const uteh_game *g, int stage, int64_t first, int64_t last, void *shared, void *scratch, uint8_t *decisions)
{
    if (g->wide)
        range_64(g, stage, (int)first, (int)last, shared, scratch, decisions);
    else
        range_32(g, stage, (int)first, (int)last, shared, scratch, decisions);
}

void uteh_game_merge(const uteh_game *g, void *shared, void *scratch)
{
    if (g->wide)
        merge_64(g, shared, scratch);
    else
        merge_32(g, shared, scratch);
}

void uteh_game_raised(const uteh_game *g, const void *shared, uteh_wide *raised)
{
    if (g->wide)
        raised_64(g, shared, raised);
    else
        raised_32(g, shared, raised);
}

void uteh_game_checked(const uteh_game *g, const void *shared, uteh_wide *checked)
{
    if (g->wide)
        checked_64(g, shared, checked);
    else
        checked_32(g, shared, checked);
}
