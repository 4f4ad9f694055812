/* Every run-out of a question at once, by suit classes: a suit matters only where a flush is possible in it. The boards that may
   still come are gone through as multisets of ranks, as if there were no flushes; then, for each suit, as the unknown cards of the
   suit (a set of ranks) beside the other unknown cards (a multiset), where the board has three cards of the suit or more, for the
   difference that its flushes make. Known cards change nothing but how many cards of a rank and a suit are live.

   The dealer's hands against a board are counted below a few levels of strength at once; what an action is worth is a linear form of
   these counts. For a decision before the flop the same values are added up flop by flop: the value of an unknown part of the flop is
   one sum by its ranks, and one for each suit by what of it is of the suit. */
#include "odds.h"

#include <stddef.h>
#include <string.h>

#include "classes.h"

enum {
    PAIRS = 91, /* of ranks: what a dealer's hand without a flush is */
    ROOM = 96, /* the same, in whole vectors */
    MOST_LEVELS = 12, /* of strength, nine of them categories */
    MOST_COLUMNS = 2 * UTEH_MAX_ACTIONS
};

/* What is counted for a question ----------------------------------------------------------------------------------------------------- */

/* The dealer's flushes beside one set of unknown cards of a suit. */
typedef struct {
    uint16_t known; /* 1 once the rest is */
    uint16_t board, player; /* strength of the board's flush and of the player's, or 0 */
    int16_t hands[3]; /* the dealer's: flushes, straight flushes, royal ones */
    int16_t others; /* and all others */
    int16_t below, through; /* flushes of lower strength than the player's, and of no higher */
} flushes_t;

/* A set of rank pairs: pair i is bit pair_bit(i). */
typedef struct {
    uint64_t low, high;
} pairs_t;

/* A suit as the question sees it: masks of its ranks. */
typedef struct {
    unsigned live, board, hole, dealer;
    int suits; /* how many suits look like this */
    int nboard, noff;
    int8_t off[13]; /* live cards of each rank off the suit */
    int set_at[6]; /* by its size, where the sets of unknown cards start among the flushes; -1 where no flush is possible */
    int row_at[4]; /* by its cards of the suit, where the rows of the unknown part of the flop start; -1 where it has none */
    pairs_t suited; /* dealer hands with both cards of the suit */
    flushes_t *flushes;
    uint64_t *rows; /* [row][flop column] */
    int16_t off_pairs[14][ROOM]; /* hands by ranks with none of it, where one rank is gone, or none; those that can be asked for */
} view_t;

typedef struct {
    const uteh_question *q;
    const uteh_plan *plan; /* or NULL, for odds */
    int k, a; /* unknown cards of the board, and of the flop */
    int hands; /* the dealer's, for a board */
    int qualifier;
    int npairs; /* rank pairs of the dealer's hands */
    uint8_t x[ROOM], y[ROOM]; /* their ranks, x >= y */
    uint32_t key[ROOM];
    pairs_t has[13]; /* the pairs with a rank */
    int8_t live[13];
    uint32_t known_key, hole_key, known_keys[5];
    int nknown;
    int ncategories, categories[9]; /* that make a difference */
    int ncolumns, nflop; /* of which flop columns, which come first */
    int column_action[MOST_COLUMNS]; /* UTEH_A_CHECK: the best action on the river */
    int nriver;
    int nviews;
    int view_of[4]; /* by suit */
    uint64_t *all, *flops; /* [multiset of the unknown board, of the unknown part of the flop][flop column] */
    int16_t pairs[ROOM]; /* the dealer's hands by ranks */
    uteh_form form[UTEH_MAX_PLAYS][10]; /* with a plan */
    view_t view[4];
} count_t;

/* One class of boards: what the player has and what the dealer's hands are. */
typedef struct {
    int player, board; /* categories */
    int32_t below, through, category[9];
} reading_t;

/* Dealer hands with the weights w whose strength is below each level; written so that compilers make vectors of it. The counts stay
   below 2**15: a deck has 1,326 hands. */
static void count_below(const int16_t *restrict s, const int16_t *restrict w, const int16_t *level, int nlevels, int32_t *out)
{
    int i, j;

    for (j = 0; j + 3 <= nlevels; j += 3) {
        const int16_t x = level[j], y = level[j + 1], z = level[j + 2];
        int16_t a = 0, b = 0, c = 0;

        for (i = 0; i < ROOM; i++) {
            a = (int16_t)(a + (w[i] & -(s[i] < x)));
            b = (int16_t)(b + (w[i] & -(s[i] < y)));
            c = (int16_t)(c + (w[i] & -(s[i] < z)));
        }
        out[j] = a;
        out[j + 1] = b;
        out[j + 2] = c;
    }
    for (; j < nlevels; j++) {
        const int16_t x = level[j];
        int16_t a = 0;

        for (i = 0; i < ROOM; i++)
            a = (int16_t)(a + (w[i] & -(s[i] < x)));
        out[j] = a;
    }
}

/* In the order in which the product of below_level() leaves the bits of eight bytes, which is the machine's. */
static inline int pair_bit(int i)
{
    const uint16_t one = 1;
    uint8_t first;

    memcpy(&first, &one, 1);
    return first ? i : i ^ 7;
}

/* The pairs with strengths below a level. */
static pairs_t below_level(const int16_t *restrict s, int16_t level)
{
    uint8_t below[ROOM];
    pairs_t pairs = {0, 0};
    uint64_t eight;
    int i;

    for (i = 0; i < ROOM; i++)
        below[i] = (uint8_t)(s[i] < level);
    for (i = 0; i < ROOM / 8; i++) {
        memcpy(&eight, below + 8 * i, 8);
        eight = eight * UINT64_C(0x0102040810204080) >> 56;
        if (i < 8)
            pairs.low |= eight << (8 * i);
        else
            pairs.high |= eight << (8 * i - 64);
    }
    return pairs;
}

static inline int count_common(const pairs_t *a, const pairs_t *b)
{
    const uint64_t two = UINT64_C(0x3333333333333333), one = UINT64_C(0x5555555555555555), four = UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t x = a->low & b->low, y = a->high & b->high;

    if (!(x | y))
        return 0;
    x -= x >> 1 & one;
    y -= y >> 1 & one;
    x = (x & two) + (x >> 2 & two) + (y & two) + (y >> 2 & two);
    x = (x & four) + (x >> 4 & four);
    return (int)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Dealer hands by ranks, where n[r] cards of each rank may be among them and `fixed` of the dealer's known cards are. */
static void weigh(const count_t *c, const int8_t n[13], int fixed, int16_t *w)
{
    const uteh_question *q = c->q;
    int i, d;

    if (fixed < q->ndealer) {
        memset(w, 0, ROOM * sizeof(*w));
        return;
    }
    d = q->dealer[0] >> 2;
    for (i = 0; i < c->npairs; i++) {
        int x = c->x[i], y = c->y[i];

        if (q->ndealer == 0)
            w[i] = (int16_t)(x == y ? n[x] * (n[x] - 1) / 2 : n[x] * n[y]);
        else if (q->ndealer == 1)
            w[i] = x == d ? n[y] : n[x];
        else
            w[i] = 1;
    }
    for (; i < ROOM; i++)
        w[i] = 0;
}

/* The same with all of the dealer's cards unknown, from those where nothing is gone: the hands with one of k ranks have changed. */
static void weigh_less(const count_t *c, const int8_t n[13], const int8_t *ranks, int k, int16_t *w)
{
    int i, y, at;

    memcpy(w, c->pairs, sizeof(c->pairs));
    for (i = 0; i < k; i++) {
        const int x = ranks[i], row = x * (x + 1) / 2;

        if (i > 0 && x == ranks[i - 1])
            continue;
        for (y = 0; y < x; y++)
            w[row + y] = (int16_t)(n[x] * n[y]);
        w[row + x] = (int16_t)(n[x] * (n[x] - 1) / 2);
        for (y = x + 1, at = row + 2 * x + 1; y < 13; at += ++y)
            w[at] = (int16_t)(n[x] * n[y]);
    }
}

/* Setting up -------------------------------------------------------------------------------------------------------------------------- */

static void add_to(pairs_t *pairs, int pair)
{
    const int i = pair_bit(pair);

    if (i < 64)
        pairs->low |= UINT64_C(1) << i;
    else
        pairs->high |= UINT64_C(1) << (i - 64);
}

static void add_pair(count_t *c, int a, int b)
{
    int i = c->npairs++;

    c->x[i] = (uint8_t)(a > b ? a : b);
    c->y[i] = (uint8_t)(a > b ? b : a);
    c->key[i] = (uint32_t)uteh_key[4 * a] + (uint32_t)uteh_key[4 * b];
    add_to(&c->has[a], i);
    add_to(&c->has[b], i);
}

static void list_pairs(count_t *c)
{
    const uteh_question *q = c->q;
    int a, b;

    c->npairs = 0;
    if (q->ndealer == 2)
        add_pair(c, q->dealer[0] >> 2, q->dealer[1] >> 2);
    else if (q->ndealer == 1)
        for (a = 0; a < 13; a++)
            add_pair(c, q->dealer[0] >> 2, a);
    else
        for (a = 0; a < 13; a++)
            for (b = 0; b <= a; b++)
                add_pair(c, a, b);
}

static void read_plan(count_t *c)
{
    const uteh_plan *plan = c->plan;
    int street, i, p;

    c->ncategories = uteh_plan_categories(plan, c->qualifier, c->categories);
    if (!plan)
        return;
    for (i = 0; i < UTEH_MAX_PLAYS; i++)
        for (p = 0; p < 10; p++)
            uteh_form_of(&plan->pay[i], p, c->categories, c->ncategories, &c->form[i][p]);
    for (street = UTEH_FLOP; street >= plan->street; street--)
        for (i = 0; i < plan->nactions[street]; i++)
            if (street == UTEH_FLOP || plan->actions[street][i] != UTEH_A_CHECK)
                c->column_action[c->ncolumns++] = plan->actions[street][i];
    c->nflop = plan->street == UTEH_PREFLOP ? plan->nactions[UTEH_FLOP] : 0;
}

/* Ranks of a suit among n cards. */
static unsigned ranks_in(const uint8_t *cards, int n, int suit)
{
    unsigned mask = 0;
    int i;

    for (i = 0; i < n; i++)
        if ((cards[i] & 3) == suit)
            mask |= 1u << (cards[i] >> 2);
    return mask;
}

static void fill_view(count_t *c, view_t *v)
{
    const uteh_question *q = c->q;
    int r, i, j, sets = 0, rows = 0;
    int8_t off[13];

    v->nboard = uteh_bits(v->board);
    v->noff = 0;
    for (r = 0; r < 13; r++) {
        v->off[r] = (int8_t)(c->live[r] - (int)(v->live >> r & 1));
        v->noff += v->off[r];
    }
    for (i = 0; i <= 5; i++) {
        v->set_at[i] = i <= c->k && v->nboard + i >= 3 ? sets : -1;
        if (v->set_at[i] >= 0)
            sets += uteh_below[13][i];
    }
    for (i = 0; i <= 3; i++) {
        v->row_at[i] = c->nflop && i <= c->a && v->nboard + i + c->k - c->a >= 3 ? rows : -1;
        if (v->row_at[i] >= 0)
            rows += uteh_below[13][i] * uteh_multisets(c->a - i);
    }
    for (i = 0; i < c->npairs; i++) {
        int x = c->x[i], y = c->y[i];
        unsigned pair = 1u << x | 1u << y;

        /* Two ranks of the suit, each live or the dealer's; the dealer's known cards must both be of it. */
        if (x != y && !(pair & ~(v->live | v->dealer)) && !(v->dealer & ~pair) && uteh_bits(v->dealer) == q->ndealer)
            add_to(&v->suited, i);
    }
    /* Hands with none of the suit are asked for beside four board cards of it; the fifth is known, or one of the unknown cards. */
    i = 4 - v->nboard;
    if (q->both || i < 0 || i > c->k)
        return;
    for (j = 0; j < 14; j++) {
        memcpy(off, v->off, sizeof(off));
        if (j < 13)
            off[j]--;
        if (j < 13 ? i < c->k && off[j] >= 0 : i == c->k)
            weigh(c, off, q->ndealer - uteh_bits(v->dealer), v->off_pairs[j]);
    }
}

static int64_t flush_sets(const view_t *v, int k)
{
    int64_t n = 0;
    int i;

    for (i = 0; i <= k; i++)
        n += v->set_at[i] >= 0 ? uteh_below[13][i] : 0;
    return n;
}

static int64_t flop_rows(const view_t *v, int a)
{
    int64_t n = 0;
    int i;

    for (i = 0; i <= a; i++)
        n += v->row_at[i] >= 0 ? uteh_below[13][i] * uteh_multisets(a - i) : 0;
    return n;
}

/* Reads a question and a plan (or none), and lays out and clears the scratch; returns its size in bytes. */
static int64_t set_up(count_t *c, const uteh_question *q, const uteh_plan *plan, int qualifier, char *scratch)
{
    int s, i, j;
    int64_t at = 0;

    memset(c, 0, offsetof(count_t, form));
    c->q = q;
    c->plan = plan;
    c->qualifier = qualifier;
    c->k = 5 - q->nflop - q->nlater;
    c->a = 3 - q->nflop;
    c->hands = (int)uteh_dealer_hands(q);
    c->nriver = plan ? plan->nactions[UTEH_RIVER] : 0;
    list_pairs(c);
    read_plan(c);
    for (i = 0; i < q->nlive; i++)
        c->live[q->cards[i] >> 2]++;
    weigh(c, c->live, q->ndealer, c->pairs);
    for (i = 0; i < q->nflop + q->nlater; i++)
        c->known_key += c->known_keys[c->nknown++] = (uint32_t)uteh_key[i < q->nflop ? q->flop[i] : q->later[i - q->nflop]];
    c->hole_key = (uint32_t)uteh_key[q->hole[0]] + (uint32_t)uteh_key[q->hole[1]];
    for (s = 0; s < 4; s++) {
        view_t *v = &c->view[c->nviews];

        memset(v, 0, offsetof(view_t, off_pairs));
        v->live = ranks_in(q->cards, q->nlive, s);
        v->board = ranks_in(q->flop, q->nflop, s) | ranks_in(q->later, q->nlater, s);
        v->hole = ranks_in(q->hole, 2, s);
        v->dealer = ranks_in(q->dealer, q->ndealer, s);
        for (j = 0; j < c->nviews; j++)
            if (v->live == c->view[j].live && v->board == c->view[j].board && v->hole == c->view[j].hole &&
                v->dealer == c->view[j].dealer)
                break;
        c->view_of[s] = j;
        if (j < c->nviews) {
            c->view[j].suits++;
            continue;
        }
        v->suits = 1;
        fill_view(c, v);
        c->nviews++;
    }
    c->all = (uint64_t *)(void *)scratch;
    at += (int64_t)uteh_multisets(c->k) * c->nflop * 8;
    c->flops = scratch ? (uint64_t *)(void *)(scratch + at) : NULL;
    at += (int64_t)uteh_multisets(c->a) * c->nflop * 8;
    for (i = 0; i < c->nviews; i++) {
        view_t *v = &c->view[i];

        v->rows = scratch ? (uint64_t *)(void *)(scratch + at) : NULL;
        at += flop_rows(v, c->a) * c->nflop * 8;
        v->flushes = scratch ? (flushes_t *)(void *)(scratch + at) : NULL;
        at += (flush_sets(v, c->k) * (int64_t)sizeof(flushes_t) + 7) / 8 * 8;
    }
    if (scratch)
        memset(scratch, 0, (size_t)at);
    return at;
}

/* Flushes ----------------------------------------------------------------------------------------------------------------------------- */

/* A class seen from a suit: the ranks of its unknown cards of the suit, and of the other unknown cards; ascending. */
typedef struct {
    int n, nothers;
    int8_t in[5], others[5];
    unsigned set; /* the same as `in` */
} suit_t;

static void add_flush(flushes_t *f, unsigned strength, int64_t hands)
{
    int category = uteh_category[strength], kind = category == UTEH_FLUSH_CATEGORY ? 0 : category == 8 ? 1 : 2;

    f->hands[kind] = (int16_t)(f->hands[kind] + hands);
    f->others = (int16_t)(f->others - hands);
    if (strength < f->player)
        f->below = (int16_t)(f->below + hands);
    if (strength <= f->player)
        f->through = (int16_t)(f->through + hands);
}

/* The dealer's flushes beside the unknown cards of a suit. */
static const flushes_t *flushes_with(const count_t *c, const view_t *v, const suit_t *s)
{
    const int both = c->q->both, suited = v->nboard + s->n, fixed = uteh_bits(v->dealer), more = 2 - c->q->ndealer;
    flushes_t *f = v->flushes + v->set_at[s->n] + uteh_set(s->in, s->n);
    const unsigned board = v->board | s->set, live = v->live & ~s->set;
    const int off = v->noff - (c->k - s->n), least = both ? 2 : 5 - suited; /* cards of the suit in a hand that is a flush */
    int x, y;

    if (f->known)
        return f;
    f->known = 1;
    f->others = (int16_t)c->hands;
    if (suited == 5)
        f->board = uteh_flush[board];
    if (uteh_bits(v->hole) >= least)
        f->player = (uint16_t)uteh_flush_of(board, both, v->hole);
    if (fixed >= least)
        add_flush(f, uteh_flush_of(board, both, v->dealer), uteh_choose(off, more));
    if (more >= 1 && fixed + 1 >= least)
        for (x = 0; x < 13; x++)
            if (live >> x & 1)
                add_flush(f, uteh_flush_of(board, both, v->dealer | 1u << x), uteh_choose(off, more - 1));
    if (more == 2)
        for (x = 1; x < 13; x++)
            for (y = 0; y < x && live >> x & 1; y++)
                if (live >> y & 1)
                    add_flush(f, uteh_flush_of(board, both, 1u << x | 1u << y), 1);
    return f;
}

/* Values ------------------------------------------------------------------------------------------------------------------------------ */

static int64_t worth(const count_t *c, int action, const reading_t *d)
{
    if (action == UTEH_A_FOLD)
        return c->hands * c->plan->fold[c->plan->fold_by_board ? d->board : d->player];
    return uteh_worth(&c->form[action][d->player], c->ncategories, c->hands, d->below, d->through, d->category);
}

static void columns(const count_t *c, const reading_t *d, int64_t *out)
{
    int i, j;

    for (i = 0; i < c->ncolumns; i++)
        if (c->column_action[i] != UTEH_A_CHECK)
            out[i] = worth(c, c->column_action[i], d);
        else
            for (j = 0; j < c->nriver; j++) {
                int64_t value = worth(c, c->plan->actions[UTEH_RIVER][j], d);

                if (j == 0 || value > out[i])
                    out[i] = value;
            }
}

static void add_odds(const count_t *c, const reading_t *d, int64_t boards, uteh_odds *odds)
{
    uteh_add_odds(odds, d->player, c->qualifier, boards, c->hands, d->below, d->through, c->qualifier ? d->category[0] : 0);
}

/* Boards ------------------------------------------------------------------------------------------------------------------------------ */

/* A multiset of unknown cards, and what its boards have in common. Levels of strength: the player's, the next one, the categories
   that make a difference, and the lowest flush. */
typedef struct {
    int8_t ranks[5], live[13]; /* ascending; live cards of each rank left */
    int board; /* category of the board's ranks */
    unsigned player; /* strength of the player's ranks */
    int16_t strength[ROOM], weight[ROOM]; /* of the dealer's hands by ranks */
    int nlevels;
    int16_t level[MOST_LEVELS];
    pairs_t lower[MOST_LEVELS]; /* rank pairs below each level, */
    int32_t hands[MOST_LEVELS]; /* and how many hands that is */
    reading_t reading; /* as if there were no flushes */
    int64_t value[MOST_COLUMNS];
} ranks_t;

static void read_ranks(const count_t *c, ranks_t *m)
{
    uint32_t keys[5], sum = c->known_key;
    int i, j, n = 0;

    for (i = 0; i < c->k; i++)
        sum += keys[n++] = (uint32_t)uteh_key[4 * m->ranks[i]];
    for (i = 0; i < c->nknown; i++)
        keys[n++] = c->known_keys[i];
    m->board = uteh_category[uteh_by_ranks56(sum)];
    if (c->q->both) {
        uint32_t three[10];

        uteh_three_of_five(keys, three);
        m->player = uteh_best_of_ten(three, c->hole_key);
        for (i = 0; i < c->npairs; i++)
            m->strength[i] = (int16_t)uteh_best_of_ten(three, c->key[i]);
    } else {
        m->player = uteh_by_ranks7(sum + c->hole_key);
        for (i = 0; i < c->npairs; i++)
            m->strength[i] = (int16_t)uteh_by_ranks7(sum + c->key[i]);
    }
    if (c->q->ndealer)
        weigh(c, m->live, c->q->ndealer, m->weight);
    else
        weigh_less(c, m->live, m->ranks, c->k, m->weight);
    m->level[0] = (int16_t)m->player;
    m->level[1] = (int16_t)(m->player + 1);
    for (j = 0; j < c->ncategories; j++)
        m->level[2 + j] = (int16_t)uteh_first[c->categories[j]];
    m->level[2 + j] = (int16_t)uteh_first[UTEH_FLUSH_CATEGORY];
    m->nlevels = 3 + c->ncategories;
    count_below(m->strength, m->weight, m->level, m->nlevels, m->hands);
    for (j = 0; j < m->nlevels; j++)
        m->lower[j] = below_level(m->strength, m->level[j]);
    m->reading.player = uteh_category[m->player];
    m->reading.board = m->board;
    m->reading.below = m->hands[0];
    m->reading.through = m->hands[1];
    memcpy(m->reading.category, m->hands + 2, sizeof(m->hands[0]) * (size_t)c->ncategories);
}

/* Dealer hands without a flush below the levels first to last, where the unknown cards of a suit have the ranks `set`. */
static void count_ranks(const count_t *c, const view_t *v, const ranks_t *m, const suit_t *s, int first, int32_t *out)
{
    int j;

    if (c->q->both || v->nboard + s->n == 3) { /* all but those with two cards of the suit */
        pairs_t suited = v->suited;

        for (j = 0; j < s->n; j++) {
            suited.low &= ~c->has[s->in[j]].low;
            suited.high &= ~c->has[s->in[j]].high;
        }
        for (j = first; j < m->nlevels; j++)
            out[j] = m->hands[j] - count_common(&m->lower[j], &suited);
    } else if (v->nboard + s->n == 4) /* those with none; at most one unknown card is off the suit */
        count_below(m->strength, v->off_pairs[s->nothers ? s->others[0] : 13], m->level + first, m->nlevels - first, out + first);
    else /* none: the board is a flush */
        memset(out, 0, sizeof(*out) * MOST_LEVELS);
}

/* The reading of a class. */
static void read_suit(const count_t *c, const view_t *v, const ranks_t *m, const suit_t *s, reading_t *d)
{
    const int suited = v->nboard + s->n, nhole = uteh_bits(v->hole), ncategories = c->ncategories;
    const int flush = nhole + suited >= 5 && (!c->q->both || nhole == 2); /* the player's */
    const int highest = ncategories ? c->categories[ncategories - 1] : 0;
    const flushes_t *f = NULL;
    int32_t hands[MOST_LEVELS];
    int j;

    count_ranks(c, v, m, s, flush ? 2 : 0, hands);
    /* The dealer's flushes are above every level but these. */
    if (flush || suited == 5 || m->reading.player > UTEH_FLUSH_CATEGORY || highest > UTEH_FLUSH_CATEGORY)
        f = flushes_with(c, v, s);
    d->board = suited == 5 ? (int)uteh_category[f->board] : m->board;
    for (j = 0; j < ncategories; j++) {
        d->category[j] = hands[2 + j];
        if (c->categories[j] > UTEH_FLUSH_CATEGORY)
            d->category[j] += f->hands[0] + (c->categories[j] == 9 ? f->hands[1] : 0);
    }
    if (!flush) {
        const int32_t beaten = m->reading.player > UTEH_FLUSH_CATEGORY ? f->hands[0] : 0;

        d->player = m->reading.player;
        d->below = hands[0] + beaten;
        d->through = hands[1] + beaten;
    } else {
        int32_t by_ranks = hands[2 + ncategories]; /* below the player's flush */

        d->player = uteh_category[f->player];
        if (d->player > UTEH_FLUSH_CATEGORY)
            by_ranks = f->others;
        d->below = by_ranks + f->below;
        d->through = by_ranks + f->through;
    }
}

/* The row of an unknown part of the flop: n ranks of the suit and nout others, ascending. */
static inline uint64_t *row_of(const count_t *c, const view_t *v, const int8_t *in, int n, const int8_t *out, int nout)
{
    return v->rows + (v->row_at[n] + uteh_set(in, n) * uteh_multisets(nout) + uteh_multiset(out, nout)) * c->nflop;
}

/* What a class adds to the rows with so many cards of the suit: the other cards of the flop are chosen among those off it, in at most
   two ways, and what remains of these comes in so many ways. */
typedef struct {
    int row; /* among those with the same cards of the suit */
    uint64_t difference[UTEH_MAX_ACTIONS];
} addend_t;

static int find_addends(const count_t *c, const view_t *v, const suit_t *s, int wanted, const int64_t *difference,
                        addend_t *addends)
{
    const int more = s->nothers, x = more > 0 ? s->others[0] : 0, y = more > 1 ? s->others[1] : 0;
    int ways[2], n = 1, turn, i;

    addends[0].row = uteh_multiset(s->others, wanted);
    if (wanted == more) /* nothing remains */
        ways[0] = 1;
    else if (more == 1) /* one rank does */
        ways[0] = v->off[x];
    else if (wanted == 0) /* two do */
        ways[0] = x == y ? v->off[x] * (v->off[x] - 1) / 2 : v->off[x] * v->off[y];
    else { /* x is on the flop and y remains; or the other way */
        ways[0] = v->off[y] - (x == y);
        ways[1] = v->off[x];
        addends[1].row = y;
        n = x == y ? 1 : 2;
    }
    for (turn = 0; turn < n; turn++)
        for (i = 0; i < c->nflop; i++)
            addends[turn].difference[i] = (uint64_t)(ways[turn] * difference[i]);
    return n;
}

static inline void add_to_rows(const count_t *c, const view_t *v, int row, const addend_t *addends, int n)
{
    int turn, i;

    for (turn = 0; turn < n; turn++) {
        uint64_t *to = v->rows + (row + addends[turn].row) * c->nflop;

        for (i = 0; i < c->nflop; i++)
            to[i] += addends[turn].difference[i];
    }
}

/* Adds a difference to the row of each unknown part of the flop that a class's cards have: some of those of the suit, some others. */
static void to_rows(const count_t *c, const view_t *v, const suit_t *s, const int64_t *difference)
{
    const int8_t *in = s->in;
    int size, p, q, r;

    for (size = c->a > s->nothers ? c->a - s->nothers : 0; size <= c->a && size <= s->n; size++) {
        const int wanted = c->a - size, others = uteh_multisets(wanted), first = v->row_at[size];
        addend_t addends[2];
        int n;

        if (first < 0)
            continue;
        n = find_addends(c, v, s, wanted, difference, addends);
        if (size == 0)
            add_to_rows(c, v, first, addends, n);
        /* Sets of p < q < r, by their numbers. */
        for (p = 0; size == 1 && p < s->n; p++)
            add_to_rows(c, v, first + in[p] * others, addends, n);
        for (q = 1; size == 2 && q < s->n; q++)
            for (p = 0; p < q; p++)
                add_to_rows(c, v, first + (uteh_below[in[q]][2] + in[p]) * others, addends, n);
        for (r = 2; size == 3 && r < s->n; r++)
            for (q = 1; q < r; q++)
                for (p = 0; p < q; p++)
                    add_to_rows(c, v, first + (uteh_below[in[r]][3] + uteh_below[in[q]][2] + in[p]) * others, addends, n);
    }
}

/* The classes of a multiset seen from a suit. */
static void see(const count_t *c, const view_t *v, const ranks_t *m, uteh_wide *totals, uteh_odds *odds)
{
    static const uint8_t size[32] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                     1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5};
    int8_t ranks[5], times[5];
    int i, j, k = 0, part, ndistinct = 0;
    unsigned places = 0; /* of distinct ranks that the suit has live */

    if (v->nboard + c->k < 3)
        return;
    for (i = 0; i < c->k; i = k) {
        for (k = i; k < c->k && m->ranks[k] == m->ranks[i]; k++)
            ;
        ranks[ndistinct] = m->ranks[i];
        times[ndistinct] = (int8_t)(k - i);
        places |= (v->live >> m->ranks[i] & 1) << ndistinct++;
    }
    for (part = 0; part < 1 << ndistinct; part++) {
        suit_t s;
        int64_t ways = 1, value[MOST_COLUMNS];
        reading_t d;

        s.n = size[part];
        if (v->nboard + s.n < 3 || (unsigned)part & ~places)
            continue;
        s.n = s.nothers = 0;
        s.set = 0;
        for (i = 0; i < ndistinct; i++) {
            int here = part >> i & 1, left = times[i] - here;

            s.in[s.n] = ranks[i];
            s.n += here;
            s.set |= (unsigned)here << ranks[i];
            /* At most two are left: the whole board has five cards, three of them of the suit. */
            for (j = 0; j < left; j++)
                s.others[s.nothers++] = ranks[i];
        }
        if (s.nothers == 1)
            ways = v->off[s.others[0]];
        else if (s.nothers == 2)
            ways = s.others[0] == s.others[1] ? v->off[s.others[0]] * (v->off[s.others[0]] - 1) / 2
                                              : v->off[s.others[0]] * v->off[s.others[1]];
        if (ways <= 0)
            continue;
        read_suit(c, v, m, &s, &d);
        if (odds) {
            add_odds(c, &d, ways * v->suits, odds);
            add_odds(c, &m->reading, -ways * v->suits, odds);
            continue;
        }
        columns(c, &d, value);
        for (i = 0; i < c->ncolumns; i++)
            value[i] -= m->value[i];
        for (i = c->nflop; i < c->ncolumns; i++)
            uteh_add_wide(&totals[i], ways * v->suits * value[i]);
        if (c->nflop)
            to_rows(c, v, &s, value);
    }
}

/* Every multiset of unknown cards. */
static void go_through(const count_t *c, uteh_wide *totals, uteh_odds *odds)
{
    ranks_t m;
    int i, n, k = c->k, number = 0;

    memset(&m, 0, sizeof(m));
    for (;; number++) {
        int64_t ways = 1;

        memcpy(m.live, c->live, sizeof(m.live));
        for (i = 0, n = 0; i < k; i++) {
            /* C(live, n) card by card */
            n = i > 0 && m.ranks[i] == m.ranks[i - 1] ? n + 1 : 1;
            ways = ways * m.live[m.ranks[i]]-- / n;
        }
        if (ways > 0) {
            read_ranks(c, &m);
            if (odds)
                add_odds(c, &m.reading, ways, odds);
            else {
                columns(c, &m.reading, m.value);
                for (i = c->nflop; i < c->ncolumns; i++)
                    uteh_add_wide(&totals[i], ways * m.value[i]);
                for (i = 0; i < c->nflop; i++)
                    c->all[number * c->nflop + i] = (uint64_t)m.value[i];
            }
            for (i = 0; i < c->nviews; i++)
                see(c, &c->view[i], &m, totals, odds);
        }
        if (!uteh_next_multiset(m.ranks, k))
            return;
    }
}

/* Flops ------------------------------------------------------------------------------------------------------------------------------- */

/* The value of each flop column for an unknown part of the flop with these ranks (ascending), as if there were no flushes. */
static void all_run_outs(const count_t *c, const int8_t *flop, uint64_t *sum)
{
    const int a = c->a, b = c->k - c->a;
    int8_t live[13], board[5];
    int x, y, i, j;

    memcpy(live, c->live, sizeof(live));
    memset(sum, 0, (size_t)c->nflop * sizeof(*sum));
    for (i = 0; i < a; i++)
        if (live[flop[i]]-- == 0) /* no such flop */
            return;
    /* Ranks that a turn and a river do not have: each loop runs once where its card is known. */
    for (x = 0; x < (b > 0 ? 13 : 1); x++)
        for (y = 0; y <= (b > 1 ? x : 0); y++) {
            int64_t ways = b == 0 ? 1 : b == 1 ? live[x] : x == y ? live[x] * (live[x] - 1) / 2 : live[x] * live[y];
            const uint64_t *value;

            if (ways <= 0)
                continue;
            memcpy(board, flop, (size_t)a);
            for (i = 0; i < b; i++) {
                int8_t r = (int8_t)(i == 0 ? x : y);

                for (j = a + i; j > 0 && board[j - 1] > r; j--)
                    board[j] = board[j - 1];
                board[j] = r;
            }
            value = c->all + uteh_multiset(board, c->k) * c->nflop;
            for (i = 0; i < c->nflop; i++)
                sum[i] += (uint64_t)ways * value[i];
        }
}

/* The best action on one flop: its unknown cards, ascending, and its sums as if there were no flushes. */
static int64_t best_on(const count_t *c, const uint8_t *cards, const uint64_t *all)
{
    const uint64_t *rows[4];
    const int a = c->a;
    int64_t best = 0;
    int nrows = 0, s, i, j;

    for (s = 0; s < 4; s++) {
        const view_t *v = &c->view[c->view_of[s]];
        int n = 0, nout = 0;
        int8_t in[3], out[3];

        for (i = 0; i < a; i++) {
            in[n] = out[nout] = (int8_t)(cards[i] >> 2);
            n += (cards[i] & 3) == s;
            nout += (cards[i] & 3) != s;
        }
        if (v->row_at[n] >= 0)
            rows[nrows++] = row_of(c, v, in, n, out, nout);
    }
    for (j = 0; j < c->nflop; j++) {
        uint64_t sum = all[j];

        for (i = 0; i < nrows; i++)
            sum += rows[i][j];
        if (j == 0 || (int64_t)sum > best)
            best = (int64_t)sum;
    }
    return best;
}

static void best_flops(const count_t *c, uteh_wide *sum)
{
    const uint8_t *live = c->q->cards;
    const int a = c->a, n = c->q->nlive;
    int place[3] = {0, 1, 2}, i;
    int8_t flop[5] = {0, 0, 0, 0, 0};

    /* The parts of the flop by their ranks, then by their cards. */
    do
        all_run_outs(c, flop, c->flops + uteh_multiset(flop, a) * c->nflop);
    while (uteh_next_multiset(flop, a));
    for (;;) {
        uint8_t cards[3];

        for (i = 0; i < a; i++) {
            cards[i] = live[place[i]];
            flop[i] = (int8_t)(cards[i] >> 2);
        }
        uteh_add_wide(sum, best_on(c, cards, c->flops + uteh_multiset(flop, a) * c->nflop));
        for (i = 0; i < a && place[i] + 1 == (i + 1 < a ? place[i + 1] : n); i++)
            ;
        if (i == a)
            return;
        place[i]++;
        while (i-- > 0)
            place[i] = i;
    }
}

/* Answers ----------------------------------------------------------------------------------------------------------------------------- */

int64_t uteh_question_scratch(const uteh_question *q, const uteh_plan *plan)
{
    count_t c;

    return q->nflop + q->nlater == 5 ? 0 : set_up(&c, q, plan, 0, NULL);
}

int64_t uteh_most_scratch(int nflop, int nlater, const uteh_plan *plan)
{
    const int k = 5 - nflop - nlater, a = 3 - nflop;
    const int ncolumns = plan && plan->street == UTEH_PREFLOP ? plan->nactions[UTEH_FLOP] : 0;
    int64_t sets = 0, rows = 0;
    int i;

    if (k == 0)
        return 0;
    for (i = 0; i <= k; i++)
        sets += uteh_below[13][i];
    for (i = 0; i <= a; i++)
        rows += uteh_below[13][i] * uteh_multisets(a - i);
    return (uteh_multisets(k) + uteh_multisets(a) + 4 * rows) * ncolumns * 8 + 4 * (sets * (int64_t)sizeof(flushes_t) + 8);
}

void uteh_question_odds(const uteh_question *q, int qualifier, void *scratch, uteh_odds *odds)
{
    count_t c;

    memset(odds, 0, sizeof(*odds));
    if (q->nflop + q->nlater == 5)
        uteh_board_odds(q, qualifier, odds);
    else {
        set_up(&c, q, NULL, qualifier, scratch);
        go_through(&c, NULL, odds);
    }
}

void uteh_question_values(const uteh_question *q, const uteh_plan *plan, void *scratch, uteh_wide *sums)
{
    const int64_t splits = uteh_splits(q);
    uteh_wide totals[MOST_COLUMNS];
    count_t c;
    int i, column;

    memset(totals, 0, sizeof(totals));
    if (q->nflop + q->nlater == 5) {
        uteh_board_values(q, plan, sums);
        return;
    }
    set_up(&c, q, plan, 0, scratch);
    go_through(&c, totals, NULL);
    column = c.nflop;
    for (i = 0; i < plan->nactions[plan->street]; i++) {
        sums[i].high = sums[i].low = 0;
        if (plan->street == UTEH_PREFLOP && plan->actions[UTEH_PREFLOP][i] == UTEH_A_CHECK)
            best_flops(&c, &sums[i]);
        else {
            sums[i].high = totals[column].high * splits;
            sums[i].low = totals[column++].low * splits;
        }
    }
}
