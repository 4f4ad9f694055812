#include "odds.h"

#include <stddef.h>
#include <string.h>

#include "evaluator.h"

/* Dealer hands by what they mean to the player (lose, tie, win) and by the dealer's category. */
typedef struct {
    uint32_t n[3][16];
} tally;

/* The same in so far as odds need it: dealer hands below the player's, not above it, and below the lowest that qualifies. */
typedef struct {
    unsigned floor;
    uint32_t below, through, unqualified;
} levels;

void uteh_question_init(uteh_question *q, uint64_t taken)
{
    int card, n = 0;

    q->live = ~taken & ((UINT64_C(1) << 52) - 1);
    for (card = 0; card < 52; card++) {
        q->cards[n] = (uint8_t)card; /* to be written over where it is taken */
        n += (int)(q->live >> card & 1);
    }
    q->nlive = n;
}

static int unknown(const uteh_question *q)
{
    return 5 - q->nflop - q->nlater;
}

int64_t uteh_boards(const uteh_question *q)
{
    return uteh_choose(q->nlive, unknown(q));
}

int64_t uteh_dealer_hands(const uteh_question *q)
{
    return uteh_choose(q->nlive - unknown(q), 2 - q->ndealer);
}

int64_t uteh_splits(const uteh_question *q)
{
    return uteh_choose(unknown(q), 3 - q->nflop);
}

/* One hand against one board ---------------------------------------------------------------------------------------------------- */

/* A board as the counting below needs it. */
typedef struct {
    uint8_t cards[5];
    uint64_t sum;      /* of its keys, on top of UTEH_START */
    int flush_suit;    /* the suit that has three or more cards, or -1 */
    int flush_cards;   /* how many */
    unsigned mask;     /* their ranks */
    uint32_t three[10]; /* rank sums of its ten three-card parts, where both hole cards must play */
} board_t;

static void read_board(board_t *b, int both)
{
    int suit, i, j, k, n = 0;

    b->sum = UTEH_START + uteh_sum(b->cards, 5);
    b->flush_suit = -1;
    b->flush_cards = 0;
    b->mask = 0;
    for (suit = 0; suit < 4; suit++) {
        int count = (int)(b->sum >> (48 + 4 * suit) & 15) - 3;

        if (count >= 3) {
            b->flush_suit = suit;
            b->flush_cards = count;
            b->mask = uteh_flush_mask(b->cards, 5, (unsigned)suit);
        }
    }
    if (!both)
        return;
    for (i = 0; i < 3; i++)
        for (j = i + 1; j < 4; j++)
            for (k = j + 1; k < 5; k++)
                b->three[n++] = (uint32_t)(uteh_key[b->cards[i]] + uteh_key[b->cards[j]] + uteh_key[b->cards[k]]);
}

static unsigned best_by_ranks_both(const board_t *b, uint32_t pair)
{
    unsigned best = 0;
    int i;

    for (i = 0; i < 10; i++) {
        unsigned s = uteh_by_ranks56(b->three[i] + pair);

        if (s > best)
            best = s;
    }
    return best;
}

static unsigned strength_with(const board_t *b, int both, uint8_t x, uint8_t y)
{
    uint64_t sum;
    unsigned suit;

    if (both)
        return uteh_strength_both(b->cards, x, y);
    sum = b->sum + uteh_key[x] + uteh_key[y];
    if (sum & UTEH_FIVE_SUITED) {
        suit = uteh_flush_suit(sum);
        return uteh_flush[b->mask | (unsigned)((x & 3u) == suit) << (x >> 2) | (unsigned)((y & 3u) == suit) << (y >> 2)];
    }
    return uteh_by_ranks7((uint32_t)sum);
}

/* Counts hands in one of the two, the other is NULL. */
static inline void add(tally *t, levels *v, unsigned player, unsigned dealer, uint32_t hands)
{
    if (t) {
        t->n[(player >= dealer) + (player > dealer)][uteh_category[dealer]] += hands;
        return;
    }
    v->below += dealer < player ? hands : 0;
    v->through += dealer <= player ? hands : 0;
    v->unqualified += dealer < v->floor ? hands : 0;
}

/* Strength of a flush in the board's suit whose hole cards have the ranks of `bits`. */
static unsigned flush_with(const board_t *b, int both, unsigned bits)
{
    unsigned best = 0, suited[10];
    int n = 0, i, j, k, r;

    if (!both)
        return uteh_flush[b->mask | bits];
    for (r = 0; r < 13; r++)
        if (b->mask >> r & 1)
            suited[n++] = 1u << r;
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            for (k = j + 1; k < n; k++) {
                unsigned s = uteh_flush[bits | suited[i] | suited[j] | suited[k]];

                if (s > best)
                    best = s;
            }
    return best;
}

enum { NEVER = 0x7f7f }; /* above every strength */

/* Strengths of the dealer's hands that are no flushes: of two ranks x > y, with all other places above every strength so that they are
   never counted; and of pairs. */
static void by_ranks(const board_t *b, int both, int16_t unpaired[13][16], int16_t paired[13])
{
    uint32_t key[13];
    int x, y;

    memset(unpaired, NEVER & 255, 13 * sizeof(*unpaired));
    for (x = 0; x < 13; x++)
        key[x] = (uint32_t)uteh_key[4 * x];
    for (x = 0; x < 13; x++) {
        const uint32_t sum = (uint32_t)b->sum + key[x];

        if (both) {
            for (y = 0; y < x; y++)
                unpaired[x][y] = (int16_t)best_by_ranks_both(b, key[x] + key[y]);
            paired[x] = (int16_t)best_by_ranks_both(b, 2 * key[x]);
            continue;
        }
        for (y = 0; y < x; y++)
            unpaired[x][y] = (int16_t)uteh_by_ranks7(sum + key[y]);
        paired[x] = (int16_t)uteh_by_ranks7(sum + key[x]);
    }
}

/* Hands of two ranks below each of three levels, n[r] cards of each rank. Sixteen places a rank, so that compilers make vectors of
   it; no count leaves 16 bits, because a deck has 1,326 hands. */
static void count_unpaired(int16_t strength[13][16], const int16_t n[16], const int16_t level[3], int32_t out[3])
{
    const int16_t first = level[0], second = level[1], third = level[2];
    int16_t a[16] = {0}, b[16] = {0}, c[16] = {0};
    int x, y;

    for (x = 0; x < 13; x++) {
        const int16_t *s = strength[x], cards = n[x];

        for (y = 0; y < 16; y++) {
            a[y] = (int16_t)(a[y] + (cards & -(s[y] < first)));
            b[y] = (int16_t)(b[y] + (cards & -(s[y] < second)));
            c[y] = (int16_t)(c[y] + (cards & -(s[y] < third)));
        }
    }
    out[0] = out[1] = out[2] = 0;
    for (y = 0; y < 13; y++) {
        out[0] += n[y] * a[y];
        out[1] += n[y] * b[y];
        out[2] += n[y] * c[y];
    }
}

/* Counts hands without a flush, n[r] cards of each rank: those of two ranks are less by the product of m, where that is given. */
static void count_ranks(const board_t *b, const int16_t n[16], const int16_t *m, unsigned player, int both, tally *t, levels *v)
{
    int16_t unpaired[13][16], paired[13], level[3];
    int32_t all[3], less[3] = {0, 0, 0};
    int x, y;

    by_ranks(b, both, unpaired, paired);
    if (t)
        for (x = 0; x < 13; x++)
            for (y = 0; n[x] && y < x; y++)
                add(t, v, player, (unsigned)unpaired[x][y], (uint32_t)(n[x] * n[y] - (m ? m[x] * m[y] : 0)));
    else {
        level[0] = (int16_t)player;
        level[1] = (int16_t)(player + 1);
        level[2] = (int16_t)v->floor;
        count_unpaired(unpaired, n, level, all);
        if (m)
            count_unpaired(unpaired, m, level, less);
        v->below += (uint32_t)(all[0] - less[0]);
        v->through += (uint32_t)(all[1] - less[1]);
        v->unqualified += (uint32_t)(all[2] - less[2]);
    }
    for (x = 0; x < 13; x++)
        if (n[x] > 1)
            add(t, v, player, (unsigned)paired[x], (uint32_t)(n[x] * (n[x] - 1) / 2));
}

/* All dealer hands against one board, by classes: a hand that is no flush counts by its two ranks, one that is by its cards of the
   suit. At most 91 + 45 look-ups stand for 990 hands. */
static void count_all(const uteh_question *q, const board_t *b, unsigned player, int both, tally *t, levels *v)
{
    static const uint8_t nibble_ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    uint64_t live = q->live;
    int r, i, j;
    int16_t n[16] = {0}, suited[16] = {0}; /* live cards of each rank, and whether the one of the flush suit is among them */
    int nsuited = 0, total = 0;

    for (i = 0; i < 5; i++)
        live &= ~(UINT64_C(1) << b->cards[i]);
    for (r = 0; r < 13; r++) {
        const unsigned of_rank = (unsigned)(live >> (4 * r) & 15);

        n[r] = nibble_ones[of_rank];
        suited[r] = b->flush_suit >= 0 ? (int16_t)(of_rank >> b->flush_suit & 1) : 0;
        total += n[r];
        nsuited += suited[r];
    }
    /* With four or five of the suit on the board one suited hole card makes the flush, with five none is needed, unless both must
       play: then a flush is two suited cards and three of the board's. */
    if (both || b->flush_cards < 5) {
        int16_t off[16];

        if (!both && b->flush_cards == 4) {
            for (r = 0; r < 16; r++)
                off[r] = (int16_t)(n[r] - suited[r]);
            count_ranks(b, off, NULL, player, both, t, v);
        } else
            count_ranks(b, n, b->flush_suit < 0 ? NULL : suited, player, both, t, v);
    }
    if (b->flush_suit < 0)
        return;
    for (i = 0; i < 13; i++) {
        if (!suited[i])
            continue;
        for (j = 0; j < i; j++)
            if (suited[j])
                add(t, v, player, flush_with(b, both, 1u << i | 1u << j), 1);
        if (!both && b->flush_cards >= 4)
            add(t, v, player, flush_with(b, both, 1u << i), (uint32_t)(total - nsuited));
    }
    if (!both && b->flush_cards == 5)
        add(t, v, player, flush_with(b, both, 0), (uint32_t)uteh_choose(total - nsuited, 2));
}

static void count_known(const uteh_question *q, const board_t *b, unsigned player, tally *t, levels *v)
{
    uint64_t live = q->live;
    int i;

    if (q->ndealer == 2) {
        add(t, v, player, strength_with(b, q->both, q->dealer[0], q->dealer[1]), 1);
        return;
    }
    for (i = 0; i < 5; i++)
        live &= ~(UINT64_C(1) << b->cards[i]);
    for (i = 0; i < q->nlive; i++)
        if (live >> q->cards[i] & 1)
            add(t, v, player, strength_with(b, q->both, q->dealer[0], q->cards[i]), 1);
}

static unsigned count_board(const uteh_question *q, board_t *b, tally *t, levels *v)
{
    unsigned player;

    read_board(b, q->both);
    player = strength_with(b, q->both, q->hole[0], q->hole[1]);
    if (q->ndealer)
        count_known(q, b, player, t, v);
    else
        count_all(q, b, player, q->both, t, v);
    return player;
}

/* By category, for what actions are worth. */
static unsigned count_hands(const uteh_question *q, board_t *b, tally *t)
{
    memset(t, 0, sizeof(*t));
    return count_board(q, b, t, NULL);
}

static void known_board(const uteh_question *q, board_t *b)
{
    int i;

    for (i = 0; i < 3; i++)
        b->cards[i] = q->flop[i];
    for (i = 0; i < 2; i++)
        b->cards[3 + i] = q->later[i];
}

void uteh_board_odds(const uteh_question *q, int qualifier, uteh_odds *sum)
{
    board_t b;
    levels v = {0, 0, 0, 0};
    unsigned player;

    v.floor = uteh_first[qualifier];
    known_board(q, &b);
    player = count_board(q, &b, NULL, &v);
    uteh_add_odds(sum, uteh_category[player], qualifier, 1, uteh_dealer_hands(q), v.below, v.through, v.unqualified);
}

/* Decisions ----------------------------------------------------------------------------------------------------------------------- */

static int64_t net_of(const uteh_rules *rules, const uteh_stakes *stakes, int result, int player, int dealer, int64_t cap, int bet)
{
    uteh_outcome outcome;
    int64_t net[UTEH_BETS];

    outcome.result = result;
    outcome.player = outcome.board = player;
    outcome.dealer = dealer;
    uteh_settle(rules, stakes, &outcome, net, NULL);
    uteh_cap(net, cap);
    if (bet >= 0)
        return net[bet];
    return net[0] + net[1] + net[2] + net[3] + net[4];
}

static int64_t noted(uteh_plan *plan, int64_t net)
{
    int64_t size = net < 0 ? -net : net;

    if (size > plan->largest)
        plan->largest = size;
    return net;
}

void uteh_plan_payoffs(uteh_plan *plan, const uteh_rules *rules, const uteh_stakes *stakes, const int64_t *plays, int nplays,
                       int64_t cap, int bet)
{
    uteh_stakes s = *stakes;
    int i, p, d;

    plan->fold_by_board = rules->trips_on_fold == UTEH_FOLD_BOARD;
    plan->largest = 0;
    s.stake[UTEH_PLAY] = 0;
    for (p = 0; p < 10; p++)
        plan->fold[p] = noted(plan, net_of(rules, &s, UTEH_FOLD, p, 0, cap, bet));
    for (i = 0; i < nplays; i++) {
        s.stake[UTEH_PLAY] = plays[i];
        for (p = 0; p < 10; p++) {
            plan->pay[i].tie[p] = noted(plan, net_of(rules, &s, UTEH_TIE, p, p, cap, bet));
            for (d = 0; d < 10; d++) {
                plan->pay[i].win[p][d] = d > p ? 0 : noted(plan, net_of(rules, &s, UTEH_WIN, p, d, cap, bet));
                plan->pay[i].lose[p][d] = d < p ? 0 : noted(plan, net_of(rules, &s, UTEH_LOSE, p, d, cap, bet));
            }
        }
    }
}

int uteh_plan_categories(const uteh_plan *plan, int qualifier, int categories[9])
{
    int c, i, p, n = 0;

    for (c = 1; c < 10; c++) {
        int matters = c == qualifier;

        for (i = 0; plan && i < UTEH_MAX_PLAYS; i++)
            for (p = 0; p < 10; p++) {
                const int64_t *pay = c <= p ? plan->pay[i].win[p] : plan->pay[i].lose[p];

                matters |= pay[c - 1] != pay[c];
            }
        if (matters)
            categories[n++] = c;
    }
    return n;
}

void uteh_form_of(const uteh_payoff *pay, int player, const int *categories, int ncategories, uteh_form *form)
{
    int i;

    form->all = pay->lose[player][9];
    form->below = pay->win[player][player] - pay->tie[player];
    form->through = pay->tie[player] - pay->lose[player][player];
    for (i = 0; i < ncategories; i++) {
        const int c = categories[i];
        const int64_t *by_category = c <= player ? pay->win[player] : pay->lose[player];

        form->category[i] = by_category[c - 1] - by_category[c];
    }
}

static int64_t value(const uteh_plan *plan, int action, const board_t *b, int player, const tally *t, int64_t hands)
{
    const uteh_payoff *pay;
    int64_t sum;
    int d;

    if (action == UTEH_A_FOLD)
        return hands * plan->fold[plan->fold_by_board ? uteh_category[uteh_strength(b->cards, 5)] : player];
    pay = &plan->pay[action];
    sum = t->n[1][player] * pay->tie[player];
    for (d = 0; d <= player; d++)
        sum += t->n[2][d] * pay->win[player][d];
    for (d = player; d < 10; d++)
        sum += t->n[0][d] * pay->lose[player][d];
    return sum;
}

void uteh_board_values(const uteh_question *q, const uteh_plan *plan, uteh_wide *sums)
{
    const int64_t hands = uteh_dealer_hands(q);
    int64_t river[UTEH_MAX_ACTIONS], best = INT64_MIN;
    board_t b;
    tally t;
    int player, i, street;

    known_board(q, &b);
    player = uteh_category[count_hands(q, &b, &t)];
    for (i = 0; i < plan->nactions[UTEH_RIVER]; i++) {
        river[i] = value(plan, plan->actions[UTEH_RIVER][i], &b, player, &t, hands);
        if (river[i] > best)
            best = river[i];
    }
    /* Whoever knows the whole board checks earlier for the best of what comes later. */
    for (street = UTEH_RIVER; street >= plan->street; street--) {
        int64_t later = best;

        for (i = 0; i < plan->nactions[street]; i++) {
            int64_t v =
                plan->actions[street][i] == UTEH_A_CHECK ? later : value(plan, plan->actions[street][i], &b, player, &t, hands);

            sums[i].high = sums[i].low = 0;
            uteh_add_wide(&sums[i], v);
            if (i == 0 || v > best)
                best = v;
        }
    }
}
