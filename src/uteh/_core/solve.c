#include "solve.h"

#include <string.h>

#include "classes.h"
#include "cpu.h"

#if UTEH_WITH_AVX2
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) (void)(address)
#endif

/* Lanes as values, for compilers that have them; others are given loops. */
#if defined(__GNUC__) || defined(__clang__)
#define LANE_VALUES 1
typedef int16_t lanes16_t __attribute__((vector_size(16), aligned(2), may_alias));
#define LANES16(p) (*(lanes16_t *)(void *)(p))
#define CONST_LANES16(p) (*(const lanes16_t *)(const void *)(p))
#else
#define LANE_VALUES 0
#endif

/* For functions that are compiled once more for the numbers that are usual. */
#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

enum { SOURCE_FOLD = UTEH_MAX_PLAYS, SOURCE_BEST, SOURCES };
enum {
    LANES = 8, /* classes of boards that are swept side by side */
    TYPES = 26,
    PAIRS = 91, /* of ranks */
    TYPE_PAIRS = 351,
    /* Pairs of types once more, as vectors want them: both off the suit, by rank pair; rank of the suit x 16 + rank off it; and both of it,
       by entry_of. What is between stays zero. */
    MIXED = 96,
    INSIDE = MIXED + 13 * 16,
    CELLS = 384,
    SETS = 2288, /* of three, four or five ranks */
    BOARDS = 36608, /* classes of boards on which a flush is possible */
    FLOP_RANKS = 455,
    FLOP_ROWS = 2483, /* a flop seen from a suit of which it has a card */
    MOST_BOARDS = 52, /* classes with the same ranks, seen from all suits: 16 in each of three views, and more than there are */
    MOST_VIEWS = 3,
    MOST_COLUMNS = 2 * UTEH_MAX_ACTIONS,
    ENTRIES = 92 /* hands with a flush: 78 pairs of ranks of the suit, 13 single ranks, and those with none */
};

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
static void first_flops(int first[FLOP_RANKS])
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
static int canonical(const int first[FLOP_RANKS], const uint8_t flop[3], int suit[4])
{
    uint8_t sorted[3], x, y, z;
    int8_t ranks[3];
    int a, b, c, kind, next = 0, s, named[4] = {-1, -1, -1, -1}, used[4] = {0, 0, 0, 0};

    for (s = 0; s < 3; s++)
        sorted[s] = flop[s] % 52;
    uteh_sort_three(sorted);
    for (s = 0; s < 3; s++)
        ranks[s] = (int8_t)(sorted[s] >> 2);
    x = sorted[2];
    y = sorted[1];
    z = sorted[0];
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
    return first[uteh_multiset(ranks, 3)] + kind;
}

/* What a game looks like -------------------------------------------------------------------------------------------------------------- */

/* A suit, or several that look alike, with regard to the dealer's known cards. */
typedef struct {
    int suits;
    unsigned live; /* ranks of the suit that are not the dealer's */
    int ndealer; /* the dealer's cards of the suit */
    unsigned dealer; /* their ranks */
    int8_t off[13]; /* cards of each rank off the suit that are not the dealer's */
    int noff;
} view_t;

typedef struct {
    const uteh_game *g;
    int wider; /* AVX2 is there */
    int hands; /* the dealer's, for a board */
    int own; /* 1 where the player's own hand is among those that are taken away twice */
    int8_t live[13];
    int nviews, view_of[4], nfree; /* suits that the dealer's known cards do not have, which may be renamed */
    view_t view[MOST_VIEWS];
    int ncategories, categories[9], nlevels; /* levels: all, below, through, and these */
    int need[10]; /* whether the sweep keeps its totals where a category starts */
    uteh_form form[UTEH_MAX_PLAYS][10];
    int nflop, nfirst,
        ncolumns; /* flop columns, and with an exposed flop card one for each action before the flop that is no check */
    int column_action[MOST_COLUMNS]; /* UTEH_A_CHECK: the best action on the river */
    int nplays, play[UTEH_MAX_PLAYS]; /* that columns and the river are made of */
    int nriver, river_source[UTEH_MAX_ACTIONS], column_source[MOST_COLUMNS]; /* a place in `play`, or one of these */
    int usual; /* one category; two columns, the best action on the river and a play; a fold and another play on the river */
    uint8_t rank_pair[TYPES][TYPES]; /* number of the ranks of a pair of types */
    uint16_t kind[3][PAIRS]; /* cell of a rank pair: both off the suit, the higher of it, the lower of it */
    uint16_t pair[TYPES][TYPES]; /* number of a pair of types, and of ranks below 13 */
    uint16_t cell[TYPES][TYPES], pair_of[CELLS]; /* cell of a pair of types; and its number, */
    uint8_t ranks_of[CELLS]; /* and that of its ranks */
    int16_t held[13][CELLS]; /* cards off the suit that a hole has of a rank */
    uint8_t x[PAIRS], y[PAIRS]; /* ranks of a rank pair, x >= y */
    int8_t entry_x[ENTRIES], entry_y[ENTRIES]; /* ranks of the suit of a hand with a flush, -1 none */
    /* Where things are in a scratch, in bytes. What several threads add to comes last and is private to each. */
    int64_t sets, ranks, all, rows, sums, boards, checked, work, numbers, size;
} game_t;

static void read_dealer(game_t *c)
{
    const uteh_game *g = c->g;
    int s, r, i, j;

    c->hands = g->ndealer == 0 ? 990 : g->ndealer == 1 ? 44 : 1;
    c->own = g->ndealer == 0;
    for (r = 0; r < 13; r++)
        c->live[r] = 4;
    for (i = 0; i < g->ndealer; i++)
        c->live[g->dealer[i] >> 2]--;
    c->nviews = 0;
    c->nfree = 0;
    for (s = 0; s < 4; s++) {
        view_t *v = &c->view[c->nviews];

        v->dealer = 0;
        for (i = 0; i < g->ndealer; i++)
            if ((g->dealer[i] & 3) == s)
                v->dealer |= 1u << (g->dealer[i] >> 2);
        c->nfree += !v->dealer;
        for (j = 0; j < c->nviews && c->view[j].dealer != v->dealer; j++)
            ;
        c->view_of[s] = j;
        if (j < c->nviews) {
            c->view[j].suits++;
            continue;
        }
        c->nviews++;
        v->suits = 1;
        v->live = 0x1fff & ~v->dealer;
        v->ndealer = uteh_bits(v->dealer);
        v->noff = 0;
        for (r = 0; r < 13; r++) {
            v->off[r] = (int8_t)(c->live[r] - (int)(v->live >> r & 1));
            v->noff += v->off[r];
        }
    }
}

static int source_of(const game_t *c, int action)
{
    int i;

    for (i = 0; i < c->nplays; i++)
        if (c->play[i] == action)
            return i;
    return action == UTEH_A_CHECK ? SOURCE_BEST : SOURCE_FOLD;
}

static void need_play(game_t *c, int action)
{
    if (action >= 0 && source_of(c, action) == SOURCE_FOLD)
        c->play[c->nplays++] = action;
}

static void read_plan(game_t *c)
{
    const uteh_game *g = c->g;
    const uteh_plan *plan = &g->plan;
    int i, p;

    c->ncategories = uteh_plan_categories(plan, g->qualifier, c->categories);
    c->nlevels = 3 + c->ncategories;
    memset(c->need, 0, sizeof(c->need));
    c->need[UTEH_FLUSH_CATEGORY] = 1;
    for (i = 0; i < c->ncategories; i++)
        c->need[c->categories[i]] = 1;
    for (i = 0; i < UTEH_MAX_PLAYS; i++)
        for (p = 0; p < 10; p++)
            uteh_form_of(&plan->pay[i], p, c->categories, c->ncategories, &c->form[i][p]);
    c->nflop = plan->nactions[UTEH_FLOP];
    c->nfirst = 0;
    c->ncolumns = 0;
    for (i = 0; i < c->nflop; i++)
        c->column_action[c->ncolumns++] = plan->actions[UTEH_FLOP][i];
    for (i = 0; i < plan->nactions[UTEH_PREFLOP]; i++)
        if (plan->actions[UTEH_PREFLOP][i] != UTEH_A_CHECK) {
            c->nfirst++;
            if (g->flop_exposed)
                c->column_action[c->ncolumns++] = plan->actions[UTEH_PREFLOP][i];
        }
    c->nriver = plan->nactions[UTEH_RIVER];
    c->nplays = 0;
    for (i = 0; i < c->ncolumns; i++)
        need_play(c, c->column_action[i]);
    for (i = 0; i < c->nriver; i++)
        need_play(c, plan->actions[UTEH_RIVER][i]);
    for (i = 0; i < c->nriver; i++)
        c->river_source[i] = source_of(c, plan->actions[UTEH_RIVER][i]);
    for (i = 0; i < c->ncolumns; i++)
        c->column_source[i] = source_of(c, c->column_action[i]);
    c->usual = c->ncategories == 1 && c->nplays == 2 && c->nriver == 2 && c->ncolumns == 2 && c->river_source[0] == SOURCE_FOLD &&
               c->river_source[1] == 1 && c->column_source[0] == SOURCE_BEST && c->column_source[1] == 0;
}

/* Flushes by the board's cards of a suit ------------------------------------------------------------------------------------------------ */

/* A hand that is a flush is called by its ranks of the suit: 78 pairs, as numbered among sets; 78 + r; or 91. */
typedef struct {
    uint8_t category[ENTRIES]; /* 0: no such hand, or no flush */
    uint8_t live; /* whether the board may have these cards */
    uint8_t straight; /* whether any hand is a straight flush */
    uint8_t n, entry[ENTRIES]; /* those with a category */
    /* The dealer's flushes, or for a straight flush the straight flushes, of lower and of no higher strength. `through` is -1 less itself for
       a straight flush, and NO_FLUSH for no hand, so that flushes and no more are those from 0 up. */
    int16_t below[ENTRIES], through[ENTRIES];
    /* The dealer's flushes and straight flushes: all; those through one card off the suit; and through each card of it. */
    int16_t hands[2], off[2], in[2][13];
} flushes_t;

enum { NO_FLUSH = INT16_MIN };

static int entry_of(int x, int y) /* ranks of the suit, x > y; -1 none */
{
    return x < 0 ? 91 : y < 0 ? 78 + x : x * (x - 1) / 2 + y;
}

/* A flush hand: its ranks of the suit beside those that are known (13: none), how many cards off it, and its strength. */
typedef struct {
    unsigned strength;
    int x, y, off, entry;
} flush_t;

/* Hands in which at least `least` cards of the suit are among `have` and `free` cards beside them, by strength; they come nearly sorted. */
static int sort_flushes(const game_t *c, unsigned set, unsigned have, unsigned live, int free, int least, flush_t *list)
{
    int n = 0, x, y, i;

    for (x = -1; x < 13; x++)
        for (y = -1; y < (x < 0 ? 0 : x); y++) {
            const unsigned more = (x < 0 ? 0 : 1u << x) | (y < 0 ? 0 : 1u << y);
            const int cards = (x >= 0) + (y >= 0);
            flush_t f;

            if (more & ~live || cards > free || cards < least)
                continue;
            f.strength = uteh_flush_of(set, c->g->both, more | have);
            f.x = x < 0 ? 13 : x;
            f.y = y < 0 ? 13 : y;
            f.off = free - cards;
            f.entry = entry_of(x, y);
            for (i = n++; i > 0 && list[i - 1].strength > f.strength; i--)
                list[i] = list[i - 1];
            list[i] = f;
        }
    return n;
}

/* The dealer's hands so far, by how many cards off the suit they have: groups of them, and those with each rank; the last stays zero. */
typedef struct {
    int all[3], with[3][14];
} flushes_so_far_t;

static void count_group(flushes_so_far_t *so_far, const flush_t *group)
{
    so_far->all[group->off]++;
    if (group->x < 13)
        so_far->with[group->off][group->x]++;
    if (group->y < 13)
        so_far->with[group->off][group->y]++;
}

/* Hands of these groups that have none of a hand's cards, of which noff - hand->off off the suit are left to choose from. */
static int apart(const flushes_so_far_t *so_far, const flush_t *hand, int noff)
{
    const int one = noff - hand->off, beside[3] = {1, one, one * (one - 1) / 2};
    int i, sum = 0;

    for (i = 0; i < 3; i++)
        sum += beside[i] * (so_far->all[i] - so_far->with[i][hand->x] - so_far->with[i][hand->y]);
    return sum;
}

static void find_flushes(const game_t *c, const view_t *v, unsigned set, flushes_t *f)
{
    const int n = uteh_bits(set), least = c->g->both ? 2 : 5 - n;
    const int noff = v->noff - (5 - n);
    const unsigned live = v->live & ~set;
    flush_t group[ENTRIES], hand[ENTRIES];
    flushes_so_far_t so_far;
    int ngroups, nhands, i, j, k, g = 0;

    memset(f, 0, sizeof(*f));
    for (i = 0; i < ENTRIES; i++)
        f->through[i] = NO_FLUSH;
    if (set & ~v->live)
        return;
    f->live = 1;
    ngroups = sort_flushes(c, set, v->dealer, live, 2 - c->g->ndealer, least - v->ndealer, group);
    for (i = 0; i < ngroups; i++) {
        int category = uteh_category[group[i].strength], kind = category == 8;
        const int off = group[i].off, hands = off == 0 ? 1 : off == 1 ? noff : noff * (noff - 1) / 2;

        f->straight |= category > UTEH_FLUSH_CATEGORY;
        if (category == 9)
            continue;
        f->hands[kind] = (int16_t)(f->hands[kind] + hands);
        if (off)
            f->off[kind] = (int16_t)(f->off[kind] + (off == 1 ? 1 : noff - 1));
        if (group[i].x < 13)
            f->in[kind][group[i].x] = (int16_t)(f->in[kind][group[i].x] + hands);
        if (group[i].y < 13)
            f->in[kind][group[i].y] = (int16_t)(f->in[kind][group[i].y] + hands);
    }
    nhands = sort_flushes(c, set, 0, live, 2, least, hand);
    memset(&so_far, 0, sizeof(so_far));
    for (i = 0; i < nhands; i = j) {
        const unsigned strength = hand[i].strength;
        const int category = uteh_category[strength], straight = category > UTEH_FLUSH_CATEGORY;
        int pass;

        for (j = i; j < nhands && hand[j].strength == strength; j++)
            ;
        /* First those below; straight flushes are counted anew. */
        for (pass = 0; pass < 2; pass++) {
            for (; g < ngroups && group[g].strength < strength + (unsigned)pass; g++) {
                if (uteh_category[group[g].strength] > UTEH_FLUSH_CATEGORY &&
                    (g == 0 || uteh_category[group[g - 1].strength] == UTEH_FLUSH_CATEGORY))
                    memset(&so_far, 0, sizeof(so_far));
                count_group(&so_far, &group[g]);
            }
            if (straight && (g == 0 || uteh_category[group[g - 1].strength] == UTEH_FLUSH_CATEGORY))
                memset(&so_far, 0, sizeof(so_far));
            for (k = i; k < j; k++) {
                const int own = pass && hand[k].off == 0 && c->g->ndealer == 0; /* taken away twice */
                const int there = apart(&so_far, &hand[k], noff) + own;

                if (pass)
                    f->through[hand[k].entry] = (int16_t)(straight ? -1 - there : there);
                else
                    f->below[hand[k].entry] = (int16_t)there;
            }
        }
        for (k = i; k < j; k++) {
            f->category[hand[k].entry] = (uint8_t)category;
            f->entry[f->n++] = (uint8_t)hand[k].entry;
        }
        f->straight = (uint8_t)(f->straight | straight);
    }
}

/* Hands by ranks, in the order of their strength ---------------------------------------------------------------------------------------- */

/* 91 rank pairs beside a multiset of the board's ranks, sorted by strength; those that the board has used up come first, with 0. */
typedef struct {
    uint16_t strength[PAIRS + 1]; /* the last one is higher than any */
    uint8_t pair[PAIRS];
    int board; /* the category of the board's ranks */
} sorted_t;

/* Sorted by two passes over seven bits each. */
static void sort_pairs(const game_t *c, const int8_t r[5], sorted_t *sorted)
{
    int8_t left[13];
    uint32_t at[2][128], key[5], three[10], sum = 0, one[PAIRS], other[PAIRS];
    int i, x, y;

    memset(at, 0, sizeof(at));
    memset(left, 4, sizeof(left)); /* the dealer's known cards too are part of a hand */
    for (i = 0; i < 5; i++)
        left[r[i]]--;
    for (i = 0; i < 5; i++)
        sum += key[i] = (uint32_t)uteh_key[4 * r[i]];
    sorted->board = uteh_category[uteh_by_ranks56(sum)];
    if (c->g->both)
        uteh_three_of_five(key, three);
    for (x = 0, i = 0; x < 13; x++)
        for (y = 0; y <= x; y++, i++) {
            uint32_t two = (uint32_t)uteh_key[4 * x] + (uint32_t)uteh_key[4 * y];
            unsigned s = c->g->both ? uteh_best_of_ten(three, two) : uteh_by_ranks7(sum + two);

            if (left[x] < 1 + (x == y) || left[y] < 1)
                s = 0;
            one[i] = (uint32_t)s << 8 | (uint32_t)i;
        }
    for (i = 0; i < PAIRS; i++) {
        at[0][one[i] >> 8 & 127]++;
        at[1][one[i] >> 15]++;
    }
    for (i = 0, x = 0, y = 0; i < 128; i++) {
        uint32_t low = at[0][i], high = at[1][i];

        at[0][i] = (uint32_t)x;
        at[1][i] = (uint32_t)y;
        x += (int)low;
        y += (int)high;
    }
    for (i = 0; i < PAIRS; i++)
        other[at[0][one[i] >> 8 & 127]++] = one[i];
    for (i = 0; i < PAIRS; i++) {
        uint32_t to = at[1][other[i] >> 15]++;

        sorted->strength[to] = (uint16_t)(other[i] >> 8);
        sorted->pair[to] = (uint8_t)other[i];
    }
    sorted->strength[PAIRS] = UINT16_MAX;
}

/* Sweeps ------------------------------------------------------------------------------------------------------------------------------- */

typedef int16_t lanes_t[LANES];

/* What has been passed at some place of the order: all dealer hands, and those through one card of a rank, off the suit or of it. */
typedef struct {
    lanes_t less, off[13], in[13];
} passed_t;

/* Classes of boards with the same ranks, side by side; the first may be the board seen without suits. A hand by ranks is of one of three
   kinds: both cards off the suit, the higher rank of it, the lower rank of it; with two cards of the suit it is a flush. */
typedef struct {
    lanes_t off[13], in[13]; /* live cards; of the suit only where one of them makes no flush */
    lanes_t one; /* -1 where one card of the suit makes no flush */
    lanes_t allow_off, allow_in; /* -1 where the dealer's other card may be off the suit, and of it, for a hand by ranks */
    const flushes_t *flushes[LANES]; /* or NULL */
    passed_t now, at[10]; /* and where categories start */
    int category;
    lanes_t below[3][PAIRS], through[3][PAIRS];
} batch_t;

static void add_flushes(batch_t *b, int kind)
{
    int l, r;

    for (l = 0; l < LANES; l++) {
        const flushes_t *f = b->flushes[l];

        if (!f || !f->hands[kind])
            continue;
        b->now.less[l] = (int16_t)(b->now.less[l] + f->hands[kind]);
        for (r = 0; r < 13; r++) {
            b->now.off[r][l] = (int16_t)(b->now.off[r][l] + f->off[kind]);
            b->now.in[r][l] = (int16_t)(b->now.in[r][l] + f->in[kind][r]);
        }
    }
}

static void reach(const game_t *c, batch_t *b, int category)
{
    for (; b->category <= category; b->category++) {
        if (c->need[b->category] || b->category == 8)
            b->at[b->category] = b->now;
        if (b->category == UTEH_FLUSH_CATEGORY)
            add_flushes(b, 0);
        else if (b->category == 8)
            add_flushes(b, 1);
    }
}

/* The dealer's hands with two cards of a rank: live cards off the suit and of it, and what is through one card of each. Pointers never
   meet, which is said so that compilers make vectors of the loops. */
static inline void pass_pair(const int16_t *restrict off, const int16_t *restrict in, const int16_t *restrict one,
                             int16_t *restrict less, int16_t *restrict through_off, int16_t *restrict through_in)
{
    int l;

    for (l = 0; l < LANES; l++) {
        const int16_t o = off[l], s = in[l];

        less[l] = (int16_t)(less[l] + (o * (o - 1) >> 1) + s * o);
        through_off[l] = (int16_t)(through_off[l] + o - (o > 0) + s);
        through_in[l] = (int16_t)(through_in[l] + (o & one[l]));
    }
}

/* The dealer's hands with two ranks. */
static inline void pass_two(const int16_t *restrict off, const int16_t *restrict in, const int16_t *restrict off_y,
                            const int16_t *restrict in_y, const int16_t *restrict one, int16_t *restrict less,
                            int16_t *restrict through_off, int16_t *restrict through_in, int16_t *restrict through_off_y,
                            int16_t *restrict through_in_y)
{
    int l;

    for (l = 0; l < LANES; l++) {
        const int16_t a = off[l], s = in[l], o = off_y[l], t = in_y[l];

        less[l] = (int16_t)(less[l] + a * (o + t) + s * o);
        through_off[l] = (int16_t)(through_off[l] + o + t);
        through_off_y[l] = (int16_t)(through_off_y[l] + a + s);
        through_in[l] = (int16_t)(through_in[l] + (o & one[l]));
        through_in_y[l] = (int16_t)(through_in_y[l] + (a & one[l]));
    }
}

static inline void pass(batch_t *b, int x, int y)
{
    passed_t *now = &b->now;

    if (x == y)
        pass_pair(b->off[x], b->in[x], b->one, now->less, now->off[x], now->in[x]);
    else
        pass_two(b->off[x], b->in[x], b->off[y], b->in[y], b->one, now->less, now->off[x], now->in[x], now->off[y], now->in[y]);
}

/* The same where one of the dealer's cards, or both, are known. */
static void pass_known(const game_t *c, batch_t *b, int x, int y)
{
    const int d = c->g->dealer[0] >> 2, e = c->g->dealer[1] >> 2;
    passed_t *now = &b->now;
    int other, l;

    if (c->g->ndealer == 2) {
        if ((x == d && y == e) || (x == e && y == d))
            for (l = 0; l < LANES; l++)
                now->less[l] = (int16_t)(now->less[l] - b->allow_off[l]);
        return;
    }
    if (x != d && y != d)
        return;
    other = x == d ? y : x;
    for (l = 0; l < LANES; l++) {
        now->less[l] = (int16_t)(now->less[l] + (b->off[other][l] & b->allow_off[l]) + (b->in[other][l] & b->allow_in[l]));
        now->off[other][l] = (int16_t)(now->off[other][l] - b->allow_off[l]);
        now->in[other][l] = (int16_t)(now->in[other][l] - b->allow_in[l]);
    }
}

/* What is left of `less` for hands of each kind, when what is through their cards is taken away. */
static inline void note(const int16_t *restrict less, const int16_t *restrict off_x, const int16_t *restrict in_x,
                        const int16_t *restrict off_y, const int16_t *restrict in_y, int own, int16_t *restrict neither,
                        int16_t *restrict first, int16_t *restrict second)
{
    int l;

    for (l = 0; l < LANES; l++) {
        const int16_t all = (int16_t)(less[l] + own);

        neither[l] = (int16_t)(all - off_x[l] - off_y[l]);
        first[l] = (int16_t)(all - in_x[l] - off_y[l]);
        second[l] = (int16_t)(all - off_x[l] - in_y[l]);
    }
}

static inline void note_pair(const game_t *c, const passed_t *now, int pair, int own, int16_t out[3][PAIRS][LANES])
{
    const int x = c->x[pair], y = c->y[pair];

    note(now->less, now->off[x], now->in[x], now->off[y], now->in[y], own, out[0][pair], out[1][pair], out[2][pair]);
}

static void start_sweep(batch_t *b)
{
    memset(&b->now, 0, sizeof(b->now));
    b->category = 0;
}

/* Categories that nothing has been passed of are reached as well, where they make a difference. */
static void end_sweep(const game_t *c, batch_t *b)
{
    int i, high = 0;

    for (i = 0; i < LANES; i++)
        high |= b->flushes[i] && b->flushes[i]->straight;
    for (i = UTEH_FLUSH_CATEGORY + 1; i < 10; i++)
        high |= c->need[i];
    reach(c, b, high ? 9 : UTEH_FLUSH_CATEGORY);
}

/* For every hand by ranks, the dealer's hands below it and not above it. */
static void sweep(const game_t *c, batch_t *b, const sorted_t *s)
{
    const int known = c->g->ndealer;
    int i, j, k;

    start_sweep(b);
    for (i = 0; i < PAIRS && !s->strength[i]; i++)
        ;
    for (; i < PAIRS; i = j) {
        reach(c, b, uteh_category[s->strength[i]]);
        for (j = i; s->strength[j] == s->strength[i]; j++)
            note_pair(c, &b->now, s->pair[j], 0, b->below);
        for (k = i; k < j; k++)
            if (known)
                pass_known(c, b, c->x[s->pair[k]], c->y[s->pair[k]]);
            else
                pass(b, c->x[s->pair[k]], c->y[s->pair[k]]);
        for (k = i; k < j; k++)
            note_pair(c, &b->now, s->pair[k], c->own, b->through);
    }
    end_sweep(c, b);
}

/* The boards with the same ranks -------------------------------------------------------------------------------------------------------- */

/* A class of boards seen from a suit: S, and O. */
typedef struct {
    const view_t *view;
    const flushes_t *flushes;
    int8_t in[5], others[2];
    int n, nothers;
    int category; /* the board's */
    int whole; /* 1: only flushes count */
} board_t;

/* A multiset of five ranks and its classes. */
typedef struct {
    int number;
    int8_t ranks[5], left[13]; /* ascending; live cards that the board leaves of each rank */
    int ndistinct;
    int8_t distinct[5], times[5];
    sorted_t sorted;
    int nboards;
    board_t board[MOST_BOARDS];
} multiset_t;

static int64_t class_number(const board_t *b)
{
    int others = uteh_multiset(b->others, b->nothers);

    return b->n == 3   ? uteh_set(b->in, 3) * 91 + others
           : b->n == 4 ? 286 * 91 + uteh_set(b->in, 4) * 13 + others
                       : 286 * 91 + 715 * 13 + uteh_set(b->in, 5);
}

static int set_place(const int8_t *in, int n)
{
    return (n == 3 ? 0 : n == 4 ? 286 : 286 + 715) + uteh_set(in, n);
}

/* Fills in what the ranks say; 0 where no deck has them. */
static int read_multiset(const game_t *c, const flushes_t *sets, multiset_t *m)
{
    int i, j, part, v;

    memcpy(m->left, c->live, sizeof(m->left));
    m->ndistinct = 0;
    m->nboards = 0;
    for (i = 0; i < 5; i++) {
        if (m->left[m->ranks[i]]-- == 0)
            return 0;
        if (i == 0 || m->ranks[i] != m->ranks[i - 1]) {
            m->distinct[m->ndistinct] = m->ranks[i];
            m->times[m->ndistinct++] = 0;
        }
        m->times[m->ndistinct - 1]++;
    }
    sort_pairs(c, m->ranks, &m->sorted);
    for (v = 0; v < c->nviews; v++)
        for (part = 0; part < 1 << m->ndistinct; part++) {
            board_t *b = &m->board[m->nboards];
            int possible = 1;
            unsigned set = 0;

            if (uteh_bits((unsigned)part) < 3)
                continue;
            b->view = &c->view[v];
            b->n = b->nothers = 0;
            for (i = 0; i < m->ndistinct; i++) {
                int here = part >> i & 1, others = m->times[i] - here;

                possible &= others <= b->view->off[m->distinct[i]];
                b->in[b->n] = m->distinct[i];
                b->n += here;
                set |= (unsigned)here << m->distinct[i];
                for (j = 0; j < others; j++)
                    b->others[b->nothers++] = m->distinct[i];
            }
            if (!possible || set & ~b->view->live)
                continue;
            b->flushes = sets + v * SETS + set_place(b->in, b->n);
            b->whole = b->n == 5 && !c->g->both;
            b->category = b->n == 5 ? uteh_category[uteh_flush[set]] : m->sorted.board;
            m->nboards++;
        }
    return 1;
}

/* Puts a class into a lane. */
static void load(const game_t *c, batch_t *b, int l, const board_t *board)
{
    const view_t *v = board->view;
    const int one = c->g->both || board->n == 3;
    int r, i;

    for (r = 0; r < 13; r++) {
        b->off[r][l] = v->off[r];
        b->in[r][l] = (int16_t)(one & (int)(v->live >> r & 1));
    }
    for (i = 0; i < board->n; i++)
        b->in[board->in[i]][l] = 0;
    for (i = 0; i < board->nothers; i++)
        b->off[board->others[i]][l]--;
    b->one[l] = (int16_t)-one;
    b->allow_off[l] = (int16_t)-(v->ndealer == 0 || (one && v->ndealer == 1));
    b->allow_in[l] = (int16_t)-(one && v->ndealer == 0);
    b->flushes[l] = board->flushes;
}

/* The lane of the board seen without suits. */
static void load_ranks(batch_t *b, int l, const multiset_t *m)
{
    int r;

    for (r = 0; r < 13; r++) {
        b->off[r][l] = m->left[r];
        b->in[r][l] = 0;
    }
    b->one[l] = 0;
    b->allow_off[l] = -1;
    b->allow_in[l] = 0;
    b->flushes[l] = NULL;
}

static void load_nothing(batch_t *b, int l)
{
    int r;

    for (r = 0; r < 13; r++)
        b->off[r][l] = b->in[r][l] = 0;
    b->one[l] = b->allow_off[l] = b->allow_in[l] = 0;
    b->flushes[l] = NULL;
}

/* Live cards of each type on a class. */
static void live_types(const board_t *b, int8_t live[TYPES])
{
    int r, i;

    for (r = 0; r < 13; r++) {
        live[r] = b->view->off[r];
        live[13 + r] = (int8_t)(b->view->live >> r & 1);
    }
    for (i = 0; i < b->nothers; i++)
        live[b->others[i]]--;
    for (i = 0; i < b->n; i++)
        live[13 + b->in[i]] = 0;
}

/* In how many ways the cards of O come beside holes that have `held` cards of each of its ranks off the suit. */
static int64_t others_ways(const board_t *b, const int *held)
{
    const int8_t *off = b->view->off;

    if (b->nothers == 0)
        return 1;
    if (b->nothers == 1)
        return off[b->others[0]] - held[0];
    if (b->others[0] == b->others[1])
        return uteh_choose(off[b->others[0]] - held[0], 2);
    return (off[b->others[0]] - held[0]) * (off[b->others[1]] - held[1]);
}

/* The places of ranks among a multiset's distinct ones; 5: it is none of them. */
static void find_places(const multiset_t *m, int8_t place[13])
{
    int i;

    memset(place, 5, 13);
    for (i = 0; i < m->ndistinct; i++)
        place[m->distinct[i]] = (int8_t)i;
}

/* The same for classes side by side, from `lane` on, by the places of a hole's cards off the suit; 5: it has none there. */
static void find_ways(const multiset_t *m, const int8_t place[13], int lane, const board_t *boards, int nboards, lanes_t ways[6][6])
{
    int i, j, k, l;

    memset(ways, 0, 36 * sizeof(ways[0][0]));
    for (l = 0; l < nboards; l++) {
        static const int none[2] = {0, 0};
        const board_t *board = &boards[l];
        const int16_t most = (int16_t)others_ways(board, none);

        for (i = 0; i < 6; i++)
            for (j = 0; j < 6; j++)
                if ((i < m->ndistinct || i == 5) && (j < m->ndistinct || j == 5))
                    ways[i][j][lane + l] = most;
        /* Fewer beside cards of the others' own ranks. */
        for (k = 0; k < board->nothers; k++) {
            const int at = place[board->others[k]];

            for (i = 0; i < 6; i++) {
                int held[2] = {0, 0};

                if (i >= m->ndistinct && i < 5)
                    continue;
                for (j = 0; j < board->nothers; j++)
                    held[j] = (place[board->others[j]] == at) + (place[board->others[j]] == i);
                ways[at][i][lane + l] = ways[i][at][lane + l] = (int16_t)others_ways(board, held);
            }
        }
    }
}

/* A board that is a flush, and has no others, is one of the ranks' no more: counts by cell and the board's category. */
static void count_flush_board(const game_t *c, const multiset_t *m, const board_t *board, int64_t *boards)
{
    int8_t live[TYPES];
    int s, t;

    live_types(board, live);
    for (s = 0; s < TYPES; s++)
        for (t = 0; t <= s; t++)
            if (live[s] > (s == t) && live[t] > 0) {
                boards[c->cell[s][t] * 10 + board->category]++;
                boards[c->cell[s][t] * 10 + m->sorted.board]--;
            }
}

/* A hand on a class of boards, and how many of the dealer's hands there are at each level. */
typedef struct {
    int cell, pair; /* by its types, and by its ranks */
    int category;
    int32_t level[UTEH_LEVELS];
} hand_t;

/* What is through a card of a type; types are ranks off the suit, then those of the suit. */
static inline int through(const passed_t *p, int type, int l)
{
    return type < 13 ? p->off[type][l] : p->in[type - 13][l];
}

static inline void levels_by_category(const game_t *c, const batch_t *b, int l, int s, int t, hand_t *h)
{
    int j;

    h->level[0] = c->hands;
    for (j = 0; j < c->ncategories; j++) {
        const passed_t *at = &b->at[c->categories[j]];

        h->level[3 + j] = at->less[l] - through(at, s, l) - through(at, t, l) + (c->own && c->categories[j] > h->category);
    }
}

/* A function that is called for every hand of a class. */
typedef void visit_t(void *to, const hand_t *h);

/* The hands of a class that are flushes, and how many of the dealer's hands there are at each level (but the first, which is all). */
typedef struct {
    int n;
    uint16_t cell[TYPE_PAIRS];
    uint8_t pair[TYPE_PAIRS], category[TYPE_PAIRS];
    int16_t level[UTEH_LEVELS][TYPE_PAIRS + 1];
    int16_t ways[TYPE_PAIRS]; /* of the board's other cards beside them */
} flush_hands_t;

/* One lane of what has been passed, by type; less nothing for a card that is not there. */
typedef struct {
    int less, type[TYPES];
} lane_t;

static void read_lane(const passed_t *p, int l, lane_t *lane)
{
    int r;

    lane->less = p->less[l];
    for (r = 0; r < 13; r++) {
        lane->type[r] = p->off[r][l];
        lane->type[13 + r] = p->in[r][l];
    }
}

/* Writes one hand of types s and t; `lower` and `at` are where its category starts and where the levels by category do. */
static inline void add_hand(const game_t *c, const flushes_t *f, const lane_t *lane, int e, int s, int t, int ways,
                            const int ncategories, flush_hands_t *h)
{
    const int category = f->category[e], n = h->n++;
    const lane_t *at = lane + (category > UTEH_FLUSH_CATEGORY);
    const int lower = at->less - at->type[s] - at->type[t];
    int j;

    h->cell[n] = c->cell[s][t];
    h->pair[n] = c->rank_pair[s][t];
    h->category[n] = (uint8_t)category;
    h->level[1][n] = (int16_t)(lower + f->below[e]);
    h->level[2][n] = (int16_t)(lower + (f->through[e] < 0 ? -1 - f->through[e] : f->through[e]));
    for (j = 0; j < ncategories; j++) {
        at = lane + 2 + j;
        h->level[3 + j][n] = (int16_t)(at->less - at->type[s] - at->type[t] + (c->own & (c->categories[j] > category)));
    }
    h->ways[n] = (int16_t)ways;
}

static ALWAYS_INLINE void add_hands(const game_t *c, const board_t *board, const batch_t *b, int l, const lane_t *lane,
                                    const int *ways, int least, const int ncategories, flush_hands_t *h)
{
    const flushes_t *f = board->flushes;
    int live[13], nlive = 0, i, j, r, q;

    for (r = 0; r < 13; r++)
        if (b->off[r][l] > 0)
            live[nlive++] = r;
    h->n = 0;
    for (i = 0; i < f->n; i++) {
        const int e = f->entry[i], x = c->entry_x[e], y = c->entry_y[e];

        if (f->category[e] < least)
            continue;
        if (y >= 0)
            add_hand(c, f, lane, e, 13 + x, 13 + y, ways[13], ncategories, h);
        else if (x >= 0)
            for (j = 0; j < nlive; j++)
                add_hand(c, f, lane, e, 13 + x, live[j], ways[live[j]], ncategories, h);
        else /* then the whole board is of the suit, and leaves one way */
            for (j = 0; j < nlive; j++)
                for (q = 0; q <= j; q++)
                    if (q < j || b->off[live[j]][l] > 1)
                        add_hand(c, f, lane, e, live[j], live[q], 1, ncategories, h);
    }
}

/* Those of a category from `least` up. */
static void list_flushes(const game_t *c, const board_t *board, const batch_t *b, int l, int least, flush_hands_t *h)
{
    lane_t lane[2 + 9]; /* where flushes start, where straight flushes do, and where each category does */
    int i, j, r, ways[14], held[2];

    read_lane(&b->at[UTEH_FLUSH_CATEGORY], l, &lane[0]);
    if (board->flushes->straight)
        read_lane(&b->at[8], l, &lane[1]);
    for (j = 0; j < c->ncategories; j++)
        read_lane(&b->at[c->categories[j]], l, &lane[2 + j]);
    for (r = 0; r < 14; r++) { /* beside a card of rank r off the suit; 13: beside none */
        for (i = 0; i < 2; i++)
            held[i] = i < board->nothers && board->others[i] == r;
        ways[r] = (int)others_ways(board, held);
    }
    if (c->ncategories == 1)
        add_hands(c, board, b, l, lane, ways, least, 1, h);
    else
        add_hands(c, board, b, l, lane, ways, least, c->ncategories, h);
}

static inline void visit_flushes(const game_t *c, const board_t *board, const batch_t *b, int l, int least, visit_t *visit,
                                 void *to)
{
    flush_hands_t list;
    hand_t h;
    int i, j;

    list_flushes(c, board, b, l, least, &list);
    h.level[0] = c->hands;
    for (i = 0; i < list.n; i++) {
        h.cell = list.cell[i];
        h.pair = list.pair[i];
        h.category = list.category[i];
        for (j = 1; j < c->nlevels; j++)
            h.level[j] = list.level[j][i];
        visit(to, &h);
    }
}

/* Hands by their ranks. */
static inline void visit_ranks(const game_t *c, const multiset_t *m, const batch_t *b, int l, visit_t *visit, void *to)
{
    int i, kind;

    for (i = 0; i < PAIRS && !m->sorted.strength[i]; i++)
        ;
    for (; i < PAIRS; i++) {
        const int pair = m->sorted.pair[i], x = c->x[pair], y = c->y[pair];
        hand_t h;

        h.pair = pair;
        h.category = uteh_category[m->sorted.strength[i]];
        for (kind = 0; kind < (x == y ? 2 : 3); kind++) {
            const int s = x + 13 * (kind == 1), t = y + 13 * (kind == 2);

            if (kind == 0   ? b->off[x][l] <= (x == y) || b->off[y][l] <= 0
                : kind == 1 ? b->in[x][l] <= 0 || b->off[y][l] <= 0
                            : b->off[x][l] <= 0 || b->in[y][l] <= 0)
                continue;
            h.cell = c->cell[s][t];
            h.level[1] = b->below[kind][pair][l];
            h.level[2] = b->through[kind][pair][l];
            levels_by_category(c, b, l, s, t, &h);
            visit(to, &h);
        }
    }
}

typedef void sweep_t(const game_t *c, batch_t *b, const sorted_t *s);

/* Batches of a multiset: fills one from the board `next` on, the board seen without suits first; *lane0 is where classes start. All
   classes of a batch are seen from one view. Returns the next board. */
static int fill_batch(const game_t *c, const multiset_t *m, int next, int with_ranks, sweep_t *swept, batch_t *b)
{
    const int whole = next < m->nboards && m->board[next].whole;
    const view_t *view = next < m->nboards ? m->board[next].view : NULL;
    int l = 0;

    if (with_ranks)
        load_ranks(b, l++, m);
    for (; l < LANES && next < m->nboards && m->board[next].view == view && m->board[next].whole == whole && !(whole && with_ranks);
         next++)
        load(c, b, l++, &m->board[next]);
    for (; l < LANES; l++)
        load_nothing(b, l);
    if (whole && !with_ranks) {
        start_sweep(b);
        reach(c, b, 9);
    } else
        swept(c, b, &m->sorted);
    return next;
}

/* What is left of `less` for hands of one kind. */
static inline void left_of(const int16_t *restrict less, const int16_t *restrict of_x, const int16_t *restrict of_y, int own,
                           int16_t *restrict left)
{
#if LANE_VALUES
    LANES16(left) = CONST_LANES16(less) - CONST_LANES16(of_x) - CONST_LANES16(of_y) + (int16_t)own;
#else
    int l;

    for (l = 0; l < LANES; l++)
        left[l] = (int16_t)(less[l] - of_x[l] - of_y[l] + own);
#endif
}

/* Masks of lanes where both cards of a hand are live; and of the ways in which the rest of the board comes there. */
static inline void both_live(const int16_t *restrict x, const int16_t *restrict y, const int16_t *restrict way,
                             int16_t *restrict live, int16_t *restrict times)
{
#if LANE_VALUES
    LANES16(live) = CONST_LANES16(x) & CONST_LANES16(y);
    LANES16(times) = CONST_LANES16(x) & CONST_LANES16(y) & CONST_LANES16(way);
#else
    int l;

    for (l = 0; l < LANES; l++) {
        live[l] = (int16_t)(x[l] & y[l]);
        times[l] = (int16_t)(x[l] & y[l] & way[l]);
    }
#endif
}

/* The sums of the lanes of w, and of w times a, b and d. */
static inline void weighted_sums(const int16_t *w, const int16_t *a, const int16_t *b, const int16_t *d, int32_t sums[4])
{
#if defined(__SSE2__)
    const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)w);
    const __m128i p = _mm_madd_epi16(v, _mm_set1_epi16(1)),
                  q = _mm_madd_epi16(v, _mm_loadu_si128((const __m128i *)(const void *)a));
    const __m128i r = _mm_madd_epi16(v, _mm_loadu_si128((const __m128i *)(const void *)b));
    const __m128i s = _mm_madd_epi16(v, _mm_loadu_si128((const __m128i *)(const void *)d));
    const __m128i pq = _mm_add_epi32(_mm_unpacklo_epi32(p, q), _mm_unpackhi_epi32(p, q));
    const __m128i rs = _mm_add_epi32(_mm_unpacklo_epi32(r, s), _mm_unpackhi_epi32(r, s));

    _mm_storeu_si128((__m128i *)(void *)sums, _mm_add_epi32(_mm_unpacklo_epi64(pq, rs), _mm_unpackhi_epi64(pq, rs)));
#else
    int l;

    sums[0] = sums[1] = sums[2] = sums[3] = 0;
    for (l = 0; l < LANES; l++) {
        sums[0] += w[l];
        sums[1] += w[l] * a[l];
        sums[2] += w[l] * b[l];
        sums[3] += w[l] * d[l];
    }
#endif
}

/* In how many ways the suits of the board's ranks can be beside a hole with ranks x and y, which are live. */
static int64_t ranks_ways(const game_t *c, const multiset_t *m, int x, int y)
{
    int64_t ways = 1;
    int i;

    for (i = 0; i < m->ndistinct; i++)
        ways *= uteh_below[c->live[m->distinct[i]] - (m->distinct[i] == x) - (m->distinct[i] == y)][m->times[i]];
    return ways;
}

/* Flops ------------------------------------------------------------------------------------------------------------------------------- */

/* The row of a flop with n ranks of a suit and the others off it, ascending. */
static int flop_row(const int8_t *in, int n, const int8_t *out)
{
    return n == 3   ? uteh_set(in, 3)
           : n == 2 ? 286 + uteh_set(in, 2) * 13 + out[0]
                    : 286 + 1014 + in[0] * 91 + uteh_multiset(out, 2);
}

/* A flop, how many it stands for, and the rows that it is seen as. */
typedef struct {
    uint8_t card[3];
    int times, ranks;
    int nrows, row[3], suit[3];
} flop_t;

/* A renaming of the suits that the dealer's known cards do not have, by its number, below their factorial: suit s gets name[s]. */
static void rename_suits(const game_t *c, int number, uint8_t name[4])
{
    uint8_t left[4];
    int n = 0, s, i, place;

    for (s = 0; s < 4; s++) {
        name[s] = (uint8_t)s;
        if (!c->view[c->view_of[s]].dealer)
            left[n++] = (uint8_t)s;
    }
    for (s = 0; s < 4; s++) {
        if (c->view[c->view_of[s]].dealer)
            continue;
        place = number % n;
        number /= n--;
        name[s] = left[place];
        for (i = place; i < n; i++)
            left[i] = left[i + 1];
    }
}

static int renamings(const game_t *c)
{
    static const int factorial[5] = {1, 1, 2, 6, 24};

    return factorial[c->nfree];
}

/* The flop of a unit; 0 where it is another one's image, or has a card of the dealer's. */
static int read_flop(const game_t *c, int number, flop_t *f)
{
    int s, i, n;

    if (c->g->ndealer == 0)
        f->times = uteh_flop(number, f->card);
    else {
        int same = 0;

        for (i = 2; i >= 0; i--) { /* places of a combination */
            int place = i;

            while (uteh_choose(place + 1, i + 1) <= number)
                place++;
            number -= (int)uteh_choose(place, i + 1);
            f->card[i] = (uint8_t)place;
        }
        for (i = 0; i < 3; i++)
            for (s = 0; s < c->g->ndealer; s++)
                if (f->card[i] == c->g->dealer[s])
                    return 0;
        for (n = 0; n < renamings(c); n++) {
            uint8_t name[4], image[3];
            int order;

            rename_suits(c, n, name);
            for (i = 0; i < 3; i++)
                image[i] = (uint8_t)((f->card[i] & ~3) | name[f->card[i] & 3]);
            uteh_sort_three(image);
            order = memcmp(image, f->card, 3);
            if (order < 0)
                return 0;
            same += order == 0;
        }
        f->times = renamings(c) / same;
    }
    uteh_sort_three(f->card);
    {
        int8_t r[3];

        for (i = 0; i < 3; i++)
            r[i] = (int8_t)(f->card[i] >> 2);
        f->ranks = uteh_multiset(r, 3);
    }
    f->nrows = 0;
    for (s = 0; s < 4; s++) {
        int8_t in[3], out[3];
        int nin = 0, nout = 0;

        for (i = 0; i < 3; i++)
            if ((f->card[i] & 3) == s)
                in[nin++] = (int8_t)(f->card[i] >> 2);
            else
                out[nout++] = (int8_t)(f->card[i] >> 2);
        if (nin) {
            f->suit[f->nrows] = s;
            f->row[f->nrows++] = c->view_of[s] * FLOP_ROWS + flop_row(in, nin, out);
        }
    }
    return 1;
}

/* What a hole is called: by its ranks, and seen from each suit. */
typedef struct {
    uint64_t cards[UTEH_HOLES];
    uint8_t pairs[UTEH_HOLES];
    uint16_t cell[4][UTEH_HOLES];
} holes_t;

static void fill_holes(const game_t *c, holes_t *holes)
{
    int a, b, s, hole = 0;

    for (a = 1; a < 52; a++)
        for (b = 0; b < a; b++, hole++) {
            holes->cards[hole] = (uint64_t)1 << a | (uint64_t)1 << b;
            holes->pairs[hole] = (uint8_t)c->pair[a >> 2][b >> 2];
            for (s = 0; s < 4; s++)
                holes->cell[s][hole] = c->cell[(a >> 2) + 13 * ((a & 3) == s)][(b >> 2) + 13 * ((b & 3) == s)];
        }
}

/* Cards of a flop and of the dealer's. */
static uint64_t taken_cards(const game_t *c, const flop_t *f)
{
    uint64_t taken = 0;
    int i;

    for (i = 0; i < 3; i++)
        taken |= (uint64_t)1 << f->card[i];
    for (i = 0; i < c->g->ndealer; i++)
        taken |= (uint64_t)1 << c->g->dealer[i];
    return taken;
}

/* Rows --------------------------------------------------------------------------------------------------------------------------------- */

/* The ways in which cards come that a class has off the suit, beside each hole: 1; a - h; the choices of two from a - h; or (a - h)(b - k).
   h and k are the cards off the suit that a hole has of two ranks. */
enum { ONE_WAY, WAYS_OF_ONE, WAYS_OF_TWO, WAYS_OF_TWO_RANKS };
typedef struct {
    int kind;
    int8_t h, k;
    int a, b;
} ways_t;

static inline int same_ways(const ways_t *v, const ways_t *w)
{
    return v->kind == w->kind && (v->kind == ONE_WAY || (v->h == w->h && v->a == w->a && v->k == w->k && v->b == w->b));
}

/* Every flop row that a class has a part in: the flop's cards of the suit are some of S, its other cards are some of O, and what is left
   of O comes in so many ways. */
enum { MOST_PARTS = 10 };
typedef struct {
    int row;
    ways_t ways;
} part_t;

static int list_parts(const game_t *c, const board_t *b, part_t parts[MOST_PARTS])
{
    const int8_t *off = b->view->off;
    const int view_row = (int)(b->view - c->view) * FLOP_ROWS;
    const int two = b->nothers == 2, same = two && b->others[0] == b->others[1];
    int j, n = 0, part;

    for (part = 1; part < 1 << b->n; part++) {
        int8_t in[5];
        int nin = 0, wanted, turn;

        for (j = 0; j < b->n; j++)
            if (part >> j & 1)
                in[nin++] = b->in[j];
        wanted = 3 - nin;
        if (wanted < 0 || wanted > b->nothers)
            continue;
        for (turn = 0; turn < (wanted == 1 && two && !same ? 2 : 1); turn++) {
            part_t *p = &parts[n++];

            p->row = view_row + flop_row(in, nin, b->others + turn);
            p->ways.h = p->ways.k = 0;
            p->ways.a = p->ways.b = 0;
            p->ways.kind = ONE_WAY;
            if (b->nothers == wanted)
                continue;
            p->ways.h = wanted == 1 ? b->others[1 - turn] : b->others[0];
            p->ways.a = off[p->ways.h] - (wanted == 1 && same);
            p->ways.kind = b->nothers - wanted == 1 ? WAYS_OF_ONE : same ? WAYS_OF_TWO : WAYS_OF_TWO_RANKS;
            if (p->ways.kind == WAYS_OF_TWO_RANKS) {
                p->ways.k = b->others[1];
                p->ways.b = off[p->ways.k];
            }
        }
    }
    return n;
}

/* Cells are gone through so many at a time, for which they are near. */
enum { TILE = 96 };

/* The classes of a multiset of ranks times the ways of their parts, and the sums of these that go to each row. */
typedef struct {
    int board;
    ways_t ways;
} product_t;

enum { MOST_TERMS = 4 };
typedef struct {
    int row, n, term[MOST_TERMS];
} sum_t;

typedef struct {
    int nproducts, nsums;
    product_t product[4 * MOST_BOARDS];
    sum_t sum[MOST_PARTS * MOST_BOARDS];
} sums_t;

/* `number` is of zeros by flop row, and is that again. */
static void list_sums(const game_t *c, const multiset_t *m, uint16_t *number, sums_t *sums)
{
    int i, j, k;

    sums->nproducts = sums->nsums = 0;
    for (i = 0; i < m->nboards; i++) {
        part_t parts[MOST_PARTS];
        const int n = list_parts(c, &m->board[i], parts), first = sums->nproducts;

        for (j = 0; j < n; j++) {
            const ways_t *ways = &parts[j].ways;
            uint16_t *to = &number[parts[j].row];
            sum_t *sum;

            for (k = first; k < sums->nproducts && !same_ways(&sums->product[k].ways, ways); k++)
                ;
            if (k == sums->nproducts) {
                sums->product[k].board = i;
                sums->product[k].ways = *ways;
                sums->nproducts++;
            }
            if (!*to || sums->sum[*to - 1].n == MOST_TERMS) {
                sums->sum[sums->nsums].row = parts[j].row;
                sums->sum[sums->nsums++].n = 0;
                *to = (uint16_t)sums->nsums;
            }
            sum = &sums->sum[*to - 1];
            sum->term[sum->n++] = k;
        }
    }
    for (i = 0; i < sums->nsums; i++)
        number[sums->sum[i].row] = 0;
}

/* Numbers of type t times the ways beside each hole; `add` 1: added to what is there. */
#define TIMES_WAYS(t, c, ways, at, from, to, add)                                                                                  \
    do {                                                                                                                           \
        const int16_t *restrict h_ = (c)->held[(ways)->h] + (at) % CELLS, *restrict k_ = (c)->held[(ways)->k] + (at) % CELLS;      \
        const int a_ = (ways)->a, b_ = (ways)->b;                                                                                  \
        int i_;                                                                                                                    \
                                                                                                                                   \
        switch ((ways)->kind) {                                                                                                    \
        case ONE_WAY:                                                                                                              \
            for (i_ = 0; i_ < TILE; i_++)                                                                                          \
                (to)[i_] = (t)(((add) ? (to)[i_] : 0) + (from)[i_]);                                                               \
            break;                                                                                                                 \
        case WAYS_OF_ONE:                                                                                                          \
            for (i_ = 0; i_ < TILE; i_++)                                                                                          \
                (to)[i_] = (t)(((add) ? (to)[i_] : 0) + (t)(a_ - h_[i_]) * (from)[i_]);                                            \
            break;                                                                                                                 \
        case WAYS_OF_TWO:                                                                                                          \
            for (i_ = 0; i_ < TILE; i_++)                                                                                          \
                (to)[i_] = (t)(((add) ? (to)[i_] : 0) + (t)((a_ - h_[i_]) * (a_ - h_[i_] - 1) >> 1) * (from)[i_]);                 \
            break;                                                                                                                 \
        default:                                                                                                                   \
            for (i_ = 0; i_ < TILE; i_++)                                                                                          \
                (to)[i_] = (t)(((add) ? (to)[i_] : 0) + (t)((a_ - h_[i_]) * (b_ - k_[i_])) * (from)[i_]);                          \
        }                                                                                                                          \
    } while (0)

#define CELL uint32_t
#define SIGNED int32_t
#define FACTOR int16_t
#define NAME(name) name##_32
#define USUAL 1
#include "solve_cells.h"
#undef CELL
#undef SIGNED
#undef FACTOR
#undef NAME
#undef USUAL
#define CELL uint64_t
#define SIGNED int64_t
#define FACTOR int64_t
#define NAME(name) name##_64
#define USUAL 0
#include "solve_cells.h"

/* How the game ends --------------------------------------------------------------------------------------------------------------------- */

/* The rows turned round: how many flops and holes there are with each decision, seen from each suit and by their ranks. column[] says what
   an action before the flop (of an exposed card of it) leads to: a column; 254, the decision on the flop; or 255, the end. */
enum { BY_FLOP = 254, ENDED = 255 };

static void count_unit(const game_t *c, const flop_t *f, const holes_t *holes, char *scratch, const uint8_t *decisions,
                       const uint8_t *first_actions, const uint8_t column[256])
{
    const int width = c->ncolumns, ncards = c->g->flop_exposed ? 3 : 1;
    const uint64_t taken = taken_cards(c, f);
    int32_t *all = (int32_t *)(void *)(scratch + c->all) + (int64_t)f->ranks * PAIRS * width;
    uint16_t *rows[3];
    const uint16_t *cell[3];
    int hole, s, e;

    for (s = 0; s < f->nrows; s++) {
        rows[s] = (uint16_t *)(void *)(scratch + c->rows) + (int64_t)f->row[s] * CELLS * width;
        cell[s] = holes->cell[f->suit[s]];
    }
    for (hole = 0; hole < UTEH_HOLES; hole++) {
        if (holes->cards[hole] & taken)
            continue;
        /* With an exposed flop card, a flop comes in three ways, each with a decision of its own before it. */
        for (e = 0; e < ncards; e++) {
            int to = column[first_actions[ncards > 1 ? hole * 52 + f->card[e] : hole]];

            if (to == ENDED)
                continue;
            if (to == BY_FLOP)
                to = decisions[hole] < c->nflop ? decisions[hole] : 0;
            all[to * PAIRS + holes->pairs[hole]] += f->times;
            for (s = 0; s < f->nrows; s++) {
                uint16_t *count = &rows[s][to * CELLS + cell[s][hole]];

                *count = (uint16_t)(*count + f->times);
            }
        }
    }
}

/* What stands in the rows for a class: what a class adds to rows, the other way round. No count of a class that has live cards is above
   10 flops x 4 suits x 9 ways of its other cards x 9 holes x 3 exposed cards. */
static ALWAYS_INLINE void gather_class(const game_t *c, const board_t *board, const uint16_t *rows, uint16_t *restrict to)
{
    const int cells = c->ncolumns * CELLS;
    part_t parts[MOST_PARTS];
    const int n = list_parts(c, board, parts);
    int first[MOST_PARTS]; /* part with the same ways */
    int at, i, j, k;

    for (i = 0; i < n; i++)
        for (first[i] = 0; !same_ways(&parts[first[i]].ways, &parts[i].ways); first[i]++)
            ;
    memset(to, 0, (size_t)cells * sizeof(*to));
    for (at = 0; at < cells; at += TILE)
        for (i = 0; i < n; i++) {
            uint16_t sum[TILE];

            if (first[i] != i)
                continue;
            memcpy(sum, rows + (int64_t)parts[i].row * cells + at, sizeof(sum));
            for (j = i + 1; j < n; j++) {
                const uint16_t *from = rows + (int64_t)parts[j].row * cells + at;

                if (first[j] != i)
                    continue;
                for (k = 0; k < TILE; k++)
                    sum[k] = (uint16_t)(sum[k] + from[k]);
            }
            TIMES_WAYS(uint16_t, c, &parts[i].ways, at, sum, to + at, 1);
        }
}

static void gather(const game_t *c, const board_t *board, const uint16_t *rows, uint16_t *to)
{
    gather_class(c, board, rows, to);
}

/* How often each column has been taken, by rank pair, with a board seen without suits. */
static ALWAYS_INLINE void gather_ranks(const game_t *c, const multiset_t *m, const int32_t *all, int32_t *restrict to)
{
    const int width = c->ncolumns;
    int i, j, k, h, n;

    memset(to, 0, (size_t)(PAIRS * width) * sizeof(*to));
    for (i = 0; i < 5; i++)
        for (j = i + 1; j < 5; j++) { /* the turn and the river */
            int8_t flop[3], left[13];
            const int8_t x = m->ranks[i], y = m->ranks[j];
            const int32_t *restrict from;
            int32_t ways[PAIRS];
            int again = 0;

            /* Each pair of ranks once. */
            for (k = 0; k < i; k++)
                for (n = k + 1; n < 5; n++)
                    again |= m->ranks[k] == x && m->ranks[n] == y;
            for (n = i + 1; n < j; n++)
                again |= m->ranks[n] == y;
            if (again)
                continue;
            memcpy(left, c->live, sizeof(left));
            for (k = 0, n = 0; k < 5; k++)
                if (k != i && k != j) {
                    left[m->ranks[k]]--;
                    flop[n++] = m->ranks[k];
                }
            from = all + (int64_t)uteh_multiset(flop, 3) * PAIRS * width;
            for (h = 0; h < PAIRS; h++) { /* rank pairs are the first cells */
                const int a = left[x] - c->held[x][h], b = left[y] - c->held[y][h];

                ways[h] = x == y ? (a * (a - 1)) >> 1 : a * b;
            }
            for (k = 0; k < width; k++, from += PAIRS)
                for (h = 0; h < PAIRS; h++)
                    to[k * PAIRS + h] += ways[h] * from[h];
        }
}

/* The place of the best action on the river. */
static int best_river(const game_t *c, int board, const hand_t *h)
{
    const uteh_plan *plan = &c->g->plan;
    int64_t best = 0;
    int i, place = 0;

    for (i = 0; i < plan->nactions[UTEH_RIVER]; i++) {
        const int action = plan->actions[UTEH_RIVER][i];
        const int64_t value = action < 0 ? c->hands * plan->fold[plan->fold_by_board ? board : h->category]
                                         : uteh_worth(&c->form[action][h->category], c->ncategories, h->level[0], h->level[1],
                                                      h->level[2], h->level + 3);

        if (i == 0 || value > best) {
            best = value;
            place = i;
        }
    }
    return place;
}

typedef struct {
    const game_t *c;
    int board; /* category */
    const int32_t *ranks; /* how often the hand comes there, [column][rank pair]; or NULL, and */
    const uint16_t *times; /* [column][cell] */
    int32_t *left; /* or NULL: what is left of another one's `ranks` */
    uteh_ends *ends;
    uint8_t *rivers;
    int bits;
} ending_t;

static void see_end(void *to, const hand_t *h)
{
    const ending_t *e = to;
    const game_t *c = e->c;
    int k, j;

    for (k = 0; k < c->ncolumns; k++) {
        const int64_t n = e->ranks ? e->ranks[k * PAIRS + h->pair] : e->times[k * CELLS + h->cell];
        int action = c->column_action[k];
        int64_t *level;

        if (!n)
            continue;
        if (e->left)
            e->left[k * PAIRS + h->pair] -= (int32_t)n;
        if (action == UTEH_A_CHECK)
            action = c->g->plan.actions[UTEH_RIVER][best_river(c, e->board, h)];
        if (action < 0) {
            action = UTEH_END_FOLD;
            e->ends->fold_board[e->board] += n * c->hands;
        }
        level = e->ends->by_level[action][h->category];
        for (j = 0; j < c->nlevels; j++)
            level[j] += n * h->level[j];
    }
}

static void see_river(void *to, const hand_t *h)
{
    const ending_t *e = to;
    const int number = e->ranks ? h->pair : e->c->pair_of[h->cell];
    const int each = 8 / e->bits;
    const int place = best_river(e->c, e->board, h) << number % each * e->bits;

    e->rivers[number / each] = (uint8_t)(e->rivers[number / each] | place);
}

int uteh_game_river_bits(const uteh_game *g)
{
    return g->plan.nactions[UTEH_RIVER] > 4 ? 4 : 2;
}

static int64_t ranks_bytes(int bits)
{
    return (PAIRS * bits + 7) / 8;
}

static int64_t class_bytes(int bits)
{
    return (TYPE_PAIRS * bits + 7) / 8;
}

int64_t uteh_river_bytes(int bits)
{
    return uteh_multisets(5) * ranks_bytes(bits) + BOARDS * class_bytes(bits);
}

/* The classes of a multiset once more: how deals end there, or the decisions. */
static void ends_unit(const game_t *c, const multiset_t *m, char *shared, char *scratch, uint8_t *rivers)
{
    const int width = c->ncolumns;
    const uint16_t *rows = (const uint16_t *)(const void *)(shared + c->rows);
    int32_t *ranks = (int32_t *)(void *)(scratch + c->work);
    uint16_t *times = (uint16_t *)(void *)(ranks + PAIRS * width);
    ending_t e, plain;
    batch_t b;
    int next = 0, start, with_ranks = 1, i;

    e.c = c;
    e.ends = (uteh_ends *)(void *)(scratch + c->sums);
    e.ranks = NULL;
    e.times = times;
    e.bits = uteh_game_river_bits(c->g);
    e.left = ranks; /* boards without a flush are what others leave */
    plain = e;
    plain.left = NULL;
    plain.board = m->sorted.board;
    plain.ranks = ranks;
    if (!rivers)
        gather_ranks(c, m, (const int32_t *)(const void *)(shared + c->all), ranks);
    do {
        start = next;
        next = fill_batch(c, m, start, with_ranks, sweep, &b);
        if (with_ranks) {
            plain.rivers = rivers ? rivers + (int64_t)m->number * ranks_bytes(e.bits) : NULL;
            if (rivers)
                visit_ranks(c, m, &b, 0, see_river, &plain);
        }
        for (i = start; i < next; i++) {
            const board_t *board = &m->board[i];
            const int l = with_ranks + i - start;

            e.board = board->category;
            if (rivers) {
                e.rivers = rivers + uteh_multisets(5) * ranks_bytes(e.bits) + class_number(board) * class_bytes(e.bits);
                if (!board->whole)
                    visit_ranks(c, m, &b, l, see_river, &e);
                visit_flushes(c, board, &b, l, 0, see_river, &e);
                continue;
            }
            gather(c, board, rows, times);
            if (!board->whole)
                visit_ranks(c, m, &b, l, see_end, &e);
            visit_flushes(c, board, &b, l, 0, see_end, &e);
        }
        with_ranks = 0;
    } while (next < m->nboards);
    if (!rivers) {
        fill_batch(c, m, m->nboards, 1, sweep, &b);
        visit_ranks(c, m, &b, 0, see_end, &plain);
    }
}

/* The hands of a batch of classes, the rows and the flops once more, by intrinsics. */
#if UTEH_WITH_AVX2 && defined(__clang__)
#define WIDER 1
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif UTEH_WITH_AVX2 && defined(__GNUC__)
#define WIDER 1
#pragma GCC push_options
#pragma GCC target("avx2")
#else
#define WIDER 0
#endif
#if WIDER
#include "solve_avx2.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

/* Stages ------------------------------------------------------------------------------------------------------------------------------- */

static void read_game(game_t *c, const uteh_game *g, int after)
{
    const int64_t cell = !after && g->wide ? 8 : 4;
    int64_t at = 0, cells;
    int x, y;

    memset(c, 0, sizeof(*c));
    c->g = g;
    c->wider = (uteh_cpu_path() == UTEH_AVX2 || uteh_cpu_path() == UTEH_AVX512) && !g->wide;
    for (x = 0; x < TYPES; x++)
        for (y = 0; y < TYPES; y++)
            c->pair[x][y] = (uint16_t)(x > y ? x * (x + 1) / 2 + y : y * (y + 1) / 2 + x);
    for (x = 0; x < TYPES; x++)
        for (y = 0; y < TYPES; y++)
            c->rank_pair[x][y] = (uint8_t)c->pair[x % 13][y % 13];
    for (x = 0; x < TYPES; x++)
        for (y = 0; y < TYPES; y++) {
            const int in = x < 13 ? y : x, off = x < 13 ? x : y, high = x > y ? x : y, low = x > y ? y : x;

            c->cell[x][y] = (uint16_t)(high < 13    ? c->pair[x][y]
                                       : low < 13   ? MIXED + (in - 13) * 16 + off
                                       : high > low ? INSIDE + entry_of(high - 13, low - 13)
                                                    : CELLS - 1); /* no such hand */
            c->pair_of[c->cell[x][y]] = c->pair[x][y];
            c->ranks_of[c->cell[x][y]] = c->rank_pair[x][y];
            if (x < 13)
                c->held[x][c->cell[x][y]] = (int16_t)(1 + (x == y));
        }
    for (x = 0; x < 13; x++)
        for (y = 0; y <= x; y++) {
            c->kind[0][c->pair[x][y]] = c->cell[x][y];
            c->kind[1][c->pair[x][y]] = c->cell[x + 13][y];
            c->kind[2][c->pair[x][y]] = c->cell[x][y + 13];
            c->x[c->pair[x][y]] = (uint8_t)x;
            c->y[c->pair[x][y]] = (uint8_t)y;
        }
    for (x = -1; x < 13; x++)
        for (y = -1; y < (x < 0 ? 0 : x); y++) {
            c->entry_x[entry_of(x, y)] = (int8_t)x;
            c->entry_y[entry_of(x, y)] = (int8_t)y;
        }
    read_dealer(c);
    read_plan(c);
    cells = (int64_t)CELLS * c->ncolumns;
    c->sets = at;
    at += (int64_t)c->nviews * SETS * (int64_t)sizeof(flushes_t);
    at = (at + 63) / 64 * 64;
    c->ranks = at; /* [multiset][column][rank pair] */
    at += after ? 0 : (int64_t)uteh_multisets(5) * c->ncolumns * PAIRS * cell;
    at = (at + 63) / 64 * 64;
    c->all = at; /* [flop ranks][column][rank pair] */
    at += (int64_t)FLOP_RANKS * PAIRS * c->ncolumns * cell;
    at = (at + 63) / 64 * 64;
    c->rows = at; /* [view][flop row][column][cell] */
    at += c->nviews * FLOP_ROWS * cells * (after ? 2 : cell);
    at = (at + 63) / 64 * 64;
    c->sums = at;
    if (after) /* an uteh_ends */
        at += (int64_t)sizeof(uteh_ends);
    else {
        /* [view, then without suits][cell or rank pair][category][level]; the same by the board's category; and [hole and
           card][check, first actions] */
        c->boards = at += (int64_t)(c->nviews + 1) * CELLS * 10 * c->nlevels * 8;
        c->checked = at += (int64_t)(c->nviews + 1) * CELLS * 10 * 8;
        at += (int64_t)UTEH_HOLES * (g->flop_exposed ? 52 * (1 + c->nfirst) : 1) * (int64_t)sizeof(uteh_wide);
    }
    at = (at + 63) / 64 * 64;
    /* [class][column][cell], [column][cell][lane] and products; or [column][rank pair], [lane][column][cell] and [column][cell][lane] */
    c->work = at;
    at += after ? PAIRS * c->ncolumns * cell + 2 * LANES * cells * 2
                : ((MOST_BOARDS + LANES) * cells + 3 * MOST_BOARDS * TILE) * cell;
    c->numbers = at; /* by flop row, zeros between uses */
    at += after ? 0 : c->nviews * FLOP_ROWS * 2;
    c->size = (at + 63) / 64 * 64;
}

int64_t uteh_game_scratch(const uteh_game *g, int after)
{
    game_t c;

    read_game(&c, g, after);
    return c.size;
}

int64_t uteh_game_units(const uteh_game *g, int stage)
{
    game_t c;

    read_game(&c, g, 0);
    switch (stage) {
    case UTEH_STAGE_SETS: return (int64_t)c.nviews * SETS;
    case UTEH_STAGE_ALL: return FLOP_RANKS;
    case UTEH_STAGE_FLOPS:
    case UTEH_STAGE_COUNTS: return g->ndealer ? UTEH_ALL_FLOPS : UTEH_FLOPS;
    default: return uteh_multisets(5);
    }
}

static void sets_range(const game_t *c, int64_t first, int64_t last, char *shared)
{
    flushes_t *sets = (flushes_t *)(void *)(shared + c->sets);
    int64_t n = 0;
    unsigned set;
    int v;

    /* By size, because that is how they are numbered; a set's place is found from its ranks. */
    for (v = 0; v < c->nviews; v++)
        for (set = 0; set < 8192; set++) {
            int8_t in[5];
            int size = 0, r;

            if (uteh_bits(set) < 3 || uteh_bits(set) > 5)
                continue;
            if (n++ < first)
                continue;
            if (n > last)
                return;
            for (r = 0; r < 13; r++)
                if (set >> r & 1)
                    in[size++] = (int8_t)r;
            find_flushes(c, &c->view[v], set, sets + v * SETS + set_place(in, size));
        }
}

static void multisets_range(const game_t *c, int stage, int64_t first, int64_t last, char *shared, char *scratch, uint8_t *rivers)
{
    const flushes_t *sets = (const flushes_t *)(const void *)(shared + c->sets);
    int8_t ranks[5] = {0, 0, 0, 0, 0};
    multiset_t m;
    int64_t n = 0;
#if WIDER
    factors_t factors[10];

    if (c->wider)
        read_factors(c, factors);
#endif

    do {
        if (n < first)
            continue;
        m.number = (int)n;
        memcpy(m.ranks, ranks, sizeof(ranks));
        if (!read_multiset(c, sets, &m))
            continue;
#if WIDER
        if (c->wider && stage != UTEH_STAGE_RIVERS) {
            if (stage == UTEH_STAGE_RANKS)
                ranks_unit_avx2(c, factors, &m, shared, scratch);
            else
                ends_unit_avx2(c, factors, &m, shared, scratch);
            continue;
        }
#endif
        if (stage != UTEH_STAGE_RANKS)
            ends_unit(c, &m, shared, scratch, stage == UTEH_STAGE_RIVERS ? rivers : NULL);
        else if (c->g->wide)
            ranks_unit_64(c, &m, shared, scratch);
        else
            ranks_unit_32(c, &m, shared, scratch);
    } while (++n < last && uteh_next_multiset(ranks, 5));
}

static void all_range(const game_t *c, int64_t first, int64_t last, char *shared)
{
    int8_t ranks[3] = {0, 0, 0};
    int64_t n;

    for (n = 0; n < last; n++, uteh_next_multiset(ranks, 3)) {
        if (n < first)
            continue;
        if (c->g->wide)
            all_unit_64(c, ranks, shared);
#if WIDER
        else if (c->wider)
            all_unit_avx2(c, ranks, shared);
#endif
        else
            all_unit_32(c, ranks, shared);
    }
}

static void flops_range(const game_t *c, int stage, int64_t first, int64_t last, const char *shared, char *scratch, uint8_t *flops,
                        const uint8_t *first_actions)
{
    uint8_t column[256];
    holes_t holes;
    int64_t n;
    int i, k;
#if WIDER
    matrices_t matrices;

    if (c->wider)
        start_matrices(&matrices);
#endif

    fill_holes(c, &holes);
    memset(column, ENDED, sizeof(column));
    for (i = 0, k = c->nflop; i < c->g->plan.nactions[UTEH_PREFLOP]; i++)
        if (c->g->plan.actions[UTEH_PREFLOP][i] == UTEH_A_CHECK)
            column[i] = BY_FLOP;
        else if (c->g->flop_exposed)
            column[i] = (uint8_t)k++;
    for (n = first; n < last; n++) {
        uint8_t *row = flops ? flops + n * UTEH_HOLES : NULL;
        flop_t f;

        if (!read_flop(c, (int)n, &f))
            continue;
        if (stage == UTEH_STAGE_COUNTS)
            count_unit(c, &f, &holes, scratch, row, first_actions, column);
#if WIDER
        else if (c->wider && !c->g->flop_exposed)
            flop_unit_avx2(c, &f, shared, &matrices, row);
#endif
        else if (c->g->wide)
            flop_unit_64(c, &f, &holes, shared, scratch, row);
        else
            flop_unit_32(c, &f, &holes, shared, scratch, row);
    }
#if WIDER
    if (c->wider && stage == UTEH_STAGE_FLOPS && !c->g->flop_exposed)
        end_matrices(&matrices, scratch + c->checked);
#endif
}

void uteh_game_range(const uteh_game *g, int stage, int64_t first, int64_t last, void *shared, void *scratch, uint8_t *flops,
                     const uint8_t *first_actions, uint8_t *rivers)
{
    game_t c;

    read_game(&c, g, stage >= UTEH_STAGE_COUNTS);
    if (stage == UTEH_STAGE_SETS)
        sets_range(&c, first, last, shared);
    else if (stage == UTEH_STAGE_ALL)
        all_range(&c, first, last, shared);
    else if (stage == UTEH_STAGE_FLOPS || stage == UTEH_STAGE_COUNTS)
        flops_range(&c, stage, first, last, shared, scratch, flops, first_actions);
    else
        multisets_range(&c, stage, first, last, shared, scratch, rivers);
}

void uteh_game_merge(const uteh_game *g, int stage, void *shared, void *scratch)
{
    game_t c;
    int64_t i, *to, *from;

    read_game(&c, g, stage >= UTEH_STAGE_COUNTS);
    if (stage == UTEH_STAGE_COUNTS) {
        /* The rows' counts of 16 bits too, two at a time: none overflows into its neighbour. */
        int32_t *counts = (int32_t *)(void *)((char *)shared + c.all), *more = (int32_t *)(void *)((char *)scratch + c.all);

        for (i = 0; i < (c.sums - c.all) / 4; i++) {
            counts[i] += more[i];
            more[i] = 0;
        }
    } else if (stage == UTEH_STAGE_RANKS) {
        if (g->wide)
            merge_rows_64(&c, shared, scratch);
        else
            merge_rows_32(&c, shared, scratch);
    }
    to = (int64_t *)(void *)((char *)shared + c.sums);
    from = (int64_t *)(void *)((char *)scratch + c.sums);
    for (i = 0; i < (c.work - c.sums) / 8; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}

/* Answers ------------------------------------------------------------------------------------------------------------------------------ */

int64_t uteh_game_hands(const uteh_game *g, uint32_t *which)
{
    const int cards = g->flop_exposed ? 52 : 1;
    game_t c;
    int a, b, e, i, n, hole = 0;

    read_game(&c, g, 0);
    for (a = 1; a < 52; a++)
        for (b = 0; b < a; b++, hole++)
            for (e = 0; e < cards; e++) {
                uint32_t *to = &which[hole * cards + e], least = UTEH_NO_HAND;

                *to = UTEH_NO_HAND;
                for (i = 0; i < g->ndealer; i++)
                    if (g->dealer[i] == a || g->dealer[i] == b || (cards > 1 && g->dealer[i] == e))
                        break;
                if (i < g->ndealer || (cards > 1 && (e == a || e == b)))
                    continue;
                if (!g->ndealer && cards == 1) {
                    *to = (uint32_t)uteh_class((uint8_t)a, (uint8_t)b);
                    continue;
                }
                for (n = 0; n < renamings(&c); n++) {
                    uint8_t name[4];
                    uint32_t image;

                    rename_suits(&c, n, name);
                    image = (uint32_t)uteh_hole((uint8_t)((a & ~3) | name[a & 3]), (uint8_t)((b & ~3) | name[b & 3]));
                    if (cards > 1)
                        image = image * 52 + (uint32_t)((e & ~3) | name[e & 3]);
                    least = image < least ? image : least;
                }
                *to = least;
            }
    return !g->ndealer && cards == 1 ? UTEH_CLASSES : (int64_t)UTEH_HOLES * cards;
}

/* A product of more than 64 bits; both factors are below 2**46 in size. */
static void add_product(uteh_wide *w, int64_t a, int64_t b)
{
    const int64_t low = a & 0xffff, high = (a - low) / 65536;
    const int64_t product = high * b, part = product & 0xffff; /* to be taken 65,536 times */

    uteh_add_wide(w, low * b);
    uteh_add_wide(w, part * 65536);
    w->high += (product - part) / 65536;
}

/* The deals of a hole with every board in all its ways: by category and level, and the boards by their category. */
static void first_levels(const game_t *c, const void *shared, int a, int b, int64_t level[10][UTEH_LEVELS], int64_t board[10])
{
    const int64_t *first = (const int64_t *)(const void *)((const char *)shared + c->sums);
    const int64_t *boards = (const int64_t *)(const void *)((const char *)shared + c->boards);
    int s, p, j;

    for (p = 0; p < 10; p++) {
        board[p] = boards[(c->nviews * CELLS + c->pair[a >> 2][b >> 2]) * 10 + p];
        for (s = 0; s < 4; s++)
            board[p] +=
                boards[(c->view_of[s] * CELLS + c->cell[(a >> 2) + 13 * ((a & 3) == s)][(b >> 2) + 13 * ((b & 3) == s)]) * 10 + p];
        for (j = 0; j < c->nlevels; j++) {
            level[p][j] = first[((c->nviews * CELLS + c->pair[a >> 2][b >> 2]) * 10 + p) * c->nlevels + j];
            for (s = 0; s < 4; s++) {
                int cell = c->cell[(a >> 2) + 13 * ((a & 3) == s)][(b >> 2) + 13 * ((b & 3) == s)];

                level[p][j] += first[((c->view_of[s] * CELLS + cell) * 10 + p) * c->nlevels + j];
            }
        }
    }
}

void uteh_game_sums(const uteh_game *g, const void *shared, const uint32_t *which, uteh_wide *raised, uteh_wide *checked)
{
    const int cards = g->flop_exposed ? 52 : 1;
    const uteh_wide *sums;
    game_t c;
    int a, b, e, i, p, j, k, hole = 0;

    read_game(&c, g, 0);
    sums = (const uteh_wide *)(const void *)((const char *)shared + c.checked);
    for (a = 1; a < 52; a++)
        for (b = 0; b < a; b++, hole++) {
            int64_t level[10][UTEH_LEVELS], board[10];

            for (e = 0; e < cards; e++) {
                const uint32_t to = which[hole * cards + e];
                const uteh_wide *from = sums + (int64_t)(hole * cards + e) * (cards > 1 ? 1 + c.nfirst : 1);

                if (to == UTEH_NO_HAND)
                    continue;
                checked[to].high += from->high;
                checked[to].low += from->low;
                for (k = 0; cards > 1 && k < c.nfirst; k++) {
                    raised[(int64_t)to * c.nfirst + k].high += from[1 + k].high;
                    raised[(int64_t)to * c.nfirst + k].low += from[1 + k].low;
                }
            }
            if (cards > 1 || which[hole] == UTEH_NO_HAND)
                continue;
            first_levels(&c, shared, a, b, level, board);
            for (i = 0, k = 0; i < g->plan.nactions[UTEH_PREFLOP]; i++) {
                const int action = g->plan.actions[UTEH_PREFLOP][i];
                uteh_wide *to = raised + (int64_t)which[hole] * c.nfirst + k;

                if (action == UTEH_A_CHECK)
                    continue;
                k++;
                for (p = 0; p < 10; p++) {
                    const uteh_form *f = &c.form[action < 0 ? 0 : action][p];

                    if (action < 0) {
                        add_product(to, g->plan.fold_by_board ? board[p] * c.hands : level[p][0], 10 * g->plan.fold[p]);
                        continue;
                    }
                    add_product(to, level[p][0], 10 * f->all);
                    add_product(to, level[p][1], 10 * f->below);
                    add_product(to, level[p][2], 10 * f->through);
                    for (j = 0; j < c.ncategories; j++)
                        add_product(to, level[p][3 + j], 10 * f->category[j]);
                }
            }
        }
}

void uteh_game_first_ends(const uteh_game *g, const void *shared, const uint8_t *first_actions, uteh_ends *ends)
{
    game_t c;
    int a, b, p, j, hole = 0;

    read_game(&c, g, 0);
    memset(ends, 0, sizeof(*ends));
    for (a = 1; a < 52; a++)
        for (b = 0; b < a; b++, hole++) {
            const uint8_t place = first_actions[hole];
            int64_t level[10][UTEH_LEVELS], board[10];
            int action;

            if (place >= g->plan.nactions[UTEH_PREFLOP] || g->plan.actions[UTEH_PREFLOP][place] == UTEH_A_CHECK)
                continue;
            action = g->plan.actions[UTEH_PREFLOP][place];
            first_levels(&c, shared, a, b, level, board);
            for (p = 0; p < 10; p++) {
                for (j = 0; j < c.nlevels; j++)
                    ends->by_level[action < 0 ? UTEH_END_FOLD : action][p][j] += 10 * level[p][j];
                if (action < 0)
                    ends->fold_board[p] += 10 * board[p] * c.hands;
            }
        }
}

void uteh_game_ends(const uteh_game *g, const void *shared, uteh_ends *ends)
{
    game_t c;

    read_game(&c, g, 1);
    memcpy(ends, (const char *)shared + c.sums, sizeof(*ends));
}

/* Decisions ---------------------------------------------------------------------------------------------------------------------------- */

void uteh_flop_decisions(const uint8_t *rows, int64_t n, const uint8_t *decisions, uint8_t *out)
{
    int first[FLOP_RANKS];
    int64_t i;

    first_flops(first);
    for (i = 0; i < n; i++, rows += 5) {
        int suit[4], flop = canonical(first, rows + 2, suit), a = rows[0] % 52, b = rows[1] % 52;
        int hole = a == b ? 0 : uteh_hole((uint8_t)((a & ~3) | suit[a & 3]), (uint8_t)((b & ~3) | suit[b & 3]));

        out[i] = decisions[(int64_t)flop * UTEH_HOLES + hole];
    }
}

/* Boards side by side, in ascending order, and the suit of which each has three cards or more; 4 for none. */
enum { ROWS = 256 };
typedef struct {
    uint8_t card[5][ROWS], suit[ROWS];
} rows_t;

#define ORDER(x, y)                                                                                                                \
    do {                                                                                                                           \
        uint8_t less = x < y ? x : y, more = x < y ? y : x;                                                                        \
        x = less;                                                                                                                  \
        y = more;                                                                                                                  \
    } while (0)
static void read_rows(const uint8_t *rows, int n, rows_t *r)
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < 5; j++)
            r->card[j][i] = rows[7 * i + 2 + j];
    for (i = 0; i < n; i++) {
        uint8_t a = r->card[0][i], b = r->card[1][i], c = r->card[2][i], d = r->card[3][i], e = r->card[4][i], s, suit = 4;

        ORDER(a, d);
        ORDER(b, e);
        ORDER(a, c);
        ORDER(b, d);
        ORDER(a, b);
        ORDER(c, e);
        ORDER(b, c);
        ORDER(d, e);
        ORDER(c, d);
        r->card[0][i] = a;
        r->card[1][i] = b;
        r->card[2][i] = c;
        r->card[3][i] = d;
        r->card[4][i] = e;
        for (s = 0; s < 4; s++) {
            uint8_t count = (uint8_t)(((a & 3) == s) + ((b & 3) == s) + ((c & 3) == s) + ((d & 3) == s) + ((e & 3) == s));

            suit = count > 2 ? s : suit;
        }
        r->suit[i] = suit;
    }
}
#undef ORDER

/* The tables are larger than the inner caches: what a block needs of them is asked for before it is read. */
void uteh_river_decisions(const uint8_t *rows, int64_t n, const uint8_t *rivers, int bits, uint8_t *out)
{
    static const int32_t base[8] = {0, 0, 0, 0, 286 * 91, 286 * 91 + 715 * 13}, width[8] = {0, 0, 0, 91, 13, 1};
    const int shift = bits == 2 ? 2 : 1, each = 8 / bits;
    /* What a rank adds to the number of a multiset in its place; and to those of the ranks off the suit, or, above bit 16, in it. */
    uint16_t by_rank[5][16] = {{0}};
    uint32_t by_type[2][5][16] = {{{0}}};
    int rank, j;

    for (j = 0; j < 5; j++)
        for (rank = 0; rank < 13; rank++) {
            by_rank[j][rank] = uteh_below[rank + j][j + 1];
            by_type[0][j][rank] = by_rank[j][rank];
            by_type[1][j][rank] = (uint32_t)uteh_below[rank][j + 1] << 16;
        }
    while (n > 0) {
        const int m = n < ROWS ? (int)n : ROWS;
        uint32_t at[ROWS];
        uint16_t plain[ROWS], suited[ROWS];
        uint8_t turn[ROWS];
        int nplain = 0, nsuited = 0, i, k;
        rows_t r;

        read_rows(rows, m, &r);
        for (i = 0; i < m; i++) {
            plain[nplain] = suited[nsuited] = (uint16_t)i;
            nplain += r.suit[i] == 4;
            nsuited += r.suit[i] != 4;
        }
        for (k = 0; k < nplain; k++) {
            const uint8_t *hole = rows + 7 * plain[k];
            int x = (hole[0] < 52 ? hole[0] : 51) >> 2, y = (hole[1] < 52 ? hole[1] : 51) >> 2, number;
            int board = 0;

            i = plain[k];
            for (j = 0; j < 5; j++)
                board += by_rank[j][r.card[j][i] >> 2 & 15];
            number = x > y ? x * (x + 1) / 2 + y : y * (y + 1) / 2 + x;
            at[i] = (uint32_t)(board * ranks_bytes(bits)) + ((uint32_t)number >> shift);
            turn[i] = (uint8_t)(number & (each - 1));
            PREFETCH(rivers + at[i]);
        }
        for (k = 0; k < nsuited; k++) {
            const uint8_t *hole = rows + 7 * suited[k];
            int x = hole[0] < 52 ? hole[0] : 51, y = hole[1] < 52 ? hole[1] : 51, number, in = 0;
            uint32_t sums = 0;
            int64_t board;
            uint8_t suit;

            i = suited[k];
            suit = r.suit[i];
            for (j = 0; j < 5; j++) {
                const int here = (r.card[j][i] & 3) == suit;

                sums += by_type[here][here ? in : j - in][r.card[j][i] >> 2 & 15];
                in += here;
            }
            board = base[in] + (int64_t)(sums >> 16) * width[in] + (sums & 0xffff);
            board = board < BOARDS ? board : 0; /* no class, where a card is repeated */
            x = (x >> 2) + 13 * ((x & 3) == suit);
            y = (y >> 2) + 13 * ((y & 3) == suit);
            number = x > y ? x * (x + 1) / 2 + y : y * (y + 1) / 2 + x;
            at[i] = (uint32_t)(uteh_multisets(5) * ranks_bytes(bits) + board * class_bytes(bits)) + ((uint32_t)number >> shift);
            turn[i] = (uint8_t)(number & (each - 1));
            PREFETCH(rivers + at[i]);
        }
        for (i = 0; i < m; i++)
            out[i] = (uint8_t)(rivers[at[i]] >> turn[i] * bits & ((1 << bits) - 1));
        rows += 7 * (int64_t)m;
        out += m;
        n -= m;
    }
}

void uteh_classes(const uint8_t *rows, int64_t n, uint8_t *out)
{
    int64_t i;

    for (i = 0; i < n; i++)
        out[i] = (uint8_t)uteh_class(rows[2 * i] % 52, rows[2 * i + 1] % 52);
}
