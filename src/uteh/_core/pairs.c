/* The joint moments of seats at one table, board by board: the dealer's hands are gone through from the weakest up while every hole's
   net win is kept up to date, with its sums over the holes that hold each card. The pairs of holes that share no card follow from those
   sums: all pairs, less the pairs that share a card, in which a hole with itself was taken away twice. */
#include "pairs.h"

#include "evaluator.h"

#include <string.h>

enum { CARDS = 47, ROW = 48, HOLES = 1081, DEALERS = 990, FLOPS = 22100, SPLITS = 10 };

typedef struct {
    uint16_t strength;
    uint8_t a, b; /* places among the 47 cards that are left */
    uint8_t category;
} hand_t;

/* Runs of the dealer's categories between which no payoff differs. */
typedef struct {
    int from[11], n;
    int of[10]; /* the segment of each category */
} segments_t;

enum { LOSES, TIES, WINS };

/* Every hole's net win against the dealer's hand of the moment, and its sums; one kind of seats. */
typedef struct {
    double value[ROW][ROW];
    double by_card[ROW]; /* over the holes with each card */
    double total;
    double pays[10][3][UTEH_MAX_PLAYS + 1][10]; /* by segment, result, play (a fold is the first) and category */
    int8_t before[HOLES], river[HOLES],
        play[HOLES]; /* by order of strength: what is played before the flop, or a check; on the river;
                                                        and in the end. -1 is a fold. */
} kind_t;

typedef struct {
    double by_card[ROW], total; /* of the products of two kinds' net wins with one hole */
} square_t;

typedef struct {
    int n, named; /* named: the flops have their numbers */
    kind_t kind[UTEH_MOST_KINDS];
    square_t square[UTEH_MOST_KINDS][UTEH_MOST_KINDS];
    hand_t hands[HOLES], sorted[HOLES];
    segments_t seg;
    int16_t flop[FLOPS]; /* the number of each flop's form that stands for it, */
    uint8_t renaming[FLOPS]; /* and of the order of suits that leads there */
} table_t;

static const uint8_t orders[24][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1},
                                      {1, 0, 2, 3}, {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 0, 2}, {1, 3, 2, 0},
                                      {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3}, {2, 1, 3, 0}, {2, 3, 0, 1}, {2, 3, 1, 0},
                                      {3, 0, 1, 2}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0}};

static int renamed(int card, const uint8_t order[4])
{
    return (card & ~3) | order[card & 3];
}

/* The number of a set of three cards. */
static int three_cards(int x, int y, int z)
{
    int t;

    if (x > y) {
        t = x;
        x = y;
        y = t;
    }
    if (y > z) {
        t = y;
        y = z;
        z = t;
    }
    if (x > y) {
        t = x;
        x = y;
        y = t;
    }
    return z * (z - 1) * (z - 2) / 6 + y * (y - 1) / 2 + x;
}

/* Which flop of the solver's each flop is, and by which names of suits: for every form, all that it stands for. */
static void name_flops(table_t *table)
{
    int number, i, s;

    for (number = 0; number < UTEH_FLOPS; number++) {
        uint8_t cards[3];

        uteh_flop(number, cards);
        for (i = 0; i < 24; i++) {
            uint8_t back[4] = {0, 0, 0, 0};
            int j;

            /* The flop that this order turns into the form is the form under the opposite order. */
            for (s = 0; s < 4; s++)
                back[orders[i][s]] = (uint8_t)s;
            j = three_cards(renamed(cards[0], back), renamed(cards[1], back), renamed(cards[2], back));
            table->flop[j] = (int16_t)number;
            table->renaming[j] = (uint8_t)i;
        }
    }
}

static void add(uteh_wide *to, int64_t value, int64_t times)
{
    /* In two limbs, so that no sum over the game wraps. */
    to->high += (value >> 32) * times;
    to->low += (value & INT64_C(0xffffffff)) * times;
    to->high += to->low >> 32;
    to->low &= INT64_C(0xffffffff);
}

/* Where payoffs change with the dealer's category, for any of the kinds. */
static void find_segments(const uteh_pairs *pairs, segments_t *s)
{
    int d, c, k, p;

    s->n = 0;
    for (d = 0; d < 10; d++) {
        int differs = d == 0;

        for (k = 0; k < pairs->nkinds; k++)
            for (p = 0; p < UTEH_MAX_PLAYS; p++) {
                const uteh_payoff *pay = &pairs->plan[k]->pay[p];

                for (c = 0; c < 10 && d > 0; c++)
                    differs |=
                        (c >= d && pay->win[c][d] != pay->win[c][d - 1]) || (c < d && pay->lose[c][d] != pay->lose[c][d - 1]);
            }
        if (differs)
            s->from[s->n++] = d;
        s->of[d] = s->n - 1;
    }
}

static void by_strength(const hand_t *from, hand_t *to, int shift)
{
    int start[128] = {0}, i, sum = 0;

    for (i = 0; i < HOLES; i++)
        start[(from[i].strength >> shift) & 127]++;
    for (i = 0; i < 128; i++) {
        int count = start[i];

        start[i] = sum;
        sum += count;
    }
    for (i = 0; i < HOLES; i++)
        to[start[(from[i].strength >> shift) & 127]++] = from[i];
}

/* All holes from the weakest up. */
static void rank_holes(table_t *table, const uint8_t board[5], const uint8_t rest[CARDS], int both)
{
    const uint64_t sum = UTEH_START + uteh_sum(board, 5);
    int i, j, k, n = 0;

    for (i = 0; i < CARDS; i++)
        for (j = i + 1; j < CARDS; j++, n++) {
            const uint64_t all = sum + uteh_key[rest[i]] + uteh_key[rest[j]];
            hand_t *to = &table->hands[n];
            unsigned strength;

            if (both)
                strength = uteh_strength_both(board, rest[i], rest[j]);
            else if (!(all & UTEH_FIVE_SUITED))
                strength = uteh_by_ranks7((uint32_t)all);
            else {
                uint8_t hand[7];

                for (k = 0; k < 5; k++)
                    hand[k] = board[k];
                hand[5] = rest[i];
                hand[6] = rest[j];
                strength = uteh_flush[uteh_flush_mask(hand, 7, uteh_flush_suit(all))];
            }
            to->strength = (uint16_t)strength;
            to->category = uteh_category[strength];
            to->a = (uint8_t)i;
            to->b = (uint8_t)j;
        }
    by_strength(table->hands, table->sorted, 0);
    by_strength(table->sorted, table->hands, 7);
}

/* What each net win is, in doubles: by segment of the dealer's category. A category that a hand cannot win or lose against is read as the
   nearest that it can. */
static void read_payoffs(const uteh_pairs *pairs, table_t *table)
{
    int k, s, p, c;

    for (k = 0; k < pairs->nkinds; k++)
        for (s = 0; s < table->seg.n; s++)
            for (p = 0; p < UTEH_MAX_PLAYS; p++)
                for (c = 0; c < 10; c++) {
                    const uteh_payoff *pay = &pairs->plan[k]->pay[p];
                    const int d = table->seg.from[s];

                    table->kind[k].pays[s][LOSES][p + 1][c] = (double)pay->lose[c][d < c ? c : d];
                    table->kind[k].pays[s][TIES][p + 1][c] = (double)pay->tie[c];
                    table->kind[k].pays[s][WINS][p + 1][c] = (double)pay->win[c][d > c ? c : d];
                }
}

static void read_folds(const uteh_pairs *pairs, table_t *table, int board_category)
{
    int k, s, r, c;

    for (k = 0; k < pairs->nkinds; k++)
        for (s = 0; s < table->seg.n; s++)
            for (r = 0; r < 3; r++)
                for (c = 0; c < 10; c++) {
                    const uteh_plan *plan = pairs->plan[k];

                    table->kind[k].pays[s][r][0][c] = (double)plan->fold[plan->fold_by_board ? board_category : c];
                }
}

/* What each kind does with each hole before the flop, and on the river if it comes to that. */
static void decide(const uteh_pairs *pairs, table_t *table, const uint8_t rest[CARDS])
{
    int all[10] = {0}, with[10][CARDS] = {{0}}, weaker[10] = {0}, weaker_with[10][CARDS] = {{0}}, equal_with[CARDS] = {0};
    const hand_t *hands = table->hands;
    const segments_t *seg = &table->seg;
    int i, j, k, g, s, n;

    for (i = 0; i < HOLES; i++) {
        s = seg->of[hands[i].category];
        all[s]++;
        with[s][hands[i].a]++;
        with[s][hands[i].b]++;
    }
    for (g = 0; g < HOLES; g = j) {
        const int category = hands[g].category, own = seg->of[category];

        for (j = g; j < HOLES && hands[j].strength == hands[g].strength; j++) {
            equal_with[hands[j].a]++;
            equal_with[hands[j].b]++;
        }
        for (i = g; i < j; i++) {
            const int a = hands[i].a, b = hands[i].b;
            const int ties = (j - g) - equal_with[a] - equal_with[b] + 1;
            int won[10], lost[10];

            for (s = 0; s < seg->n; s++) {
                won[s] = weaker[s] - weaker_with[s][a] - weaker_with[s][b];
                lost[s] = all[s] - with[s][a] - with[s][b] + (s == own) - won[s] - (s == own ? ties : 0);
            }
            for (k = 0; k < pairs->nkinds; k++) {
                const uteh_plan *plan = pairs->plan[k];
                kind_t *kind = &table->kind[k];
                const int first = pairs->first[k][uteh_class(rest[a], rest[b]) % UTEH_CLASSES];
                double most = 0;

                kind->before[i] = (int8_t)(first < plan->nactions[0] ? plan->actions[0][first] : UTEH_A_CHECK);
                kind->river[i] = -1;
                for (n = 0; n < plan->nactions[2] && kind->before[i] == UTEH_A_CHECK; n++) {
                    const int play = plan->actions[2][n] < 0 ? -1 : plan->actions[2][n];
                    double value = ties * kind->pays[own][TIES][play + 1][category];

                    for (s = 0; s < seg->n; s++)
                        value +=
                            won[s] * kind->pays[s][WINS][play + 1][category] + lost[s] * kind->pays[s][LOSES][play + 1][category];
                    /* Of equal values the first, which risks less. */
                    if (n == 0 || value > most) {
                        most = value;
                        kind->river[i] = (int8_t)play;
                    }
                }
            }
        }
        for (i = g; i < j; i++) {
            weaker[own]++;
            weaker_with[own][hands[i].a]++;
            weaker_with[own][hands[i].b]++;
            equal_with[hands[i].a] = equal_with[hands[i].b] = 0;
        }
    }
}

/* What each hole comes to where three of the board's cards are the flop. */
static void play_flop(const uteh_pairs *pairs, table_t *table, const uint8_t rest[CARDS], int flop)
{
    const uint8_t *order = orders[table->renaming[flop]];
    const int64_t row = (int64_t)table->flop[flop] * UTEH_HOLES;
    uint8_t name[CARDS];
    int i, k;

    for (i = 0; i < CARDS; i++)
        name[i] = (uint8_t)renamed(rest[i], order);
    for (k = 0; k < pairs->nkinds; k++) {
        const uteh_plan *plan = pairs->plan[k];
        const uint8_t *decisions = pairs->decisions[k] + row;
        kind_t *kind = &table->kind[k];

        for (i = 0; i < HOLES; i++) {
            int action = kind->before[i];

            if (action == UTEH_A_CHECK) {
                const int second = decisions[uteh_hole(name[table->hands[i].a], name[table->hands[i].b])];

                action = second < plan->nactions[1] ? plan->actions[1][second] : UTEH_A_CHECK;
                if (action == UTEH_A_CHECK)
                    action = kind->river[i];
            }
            kind->play[i] = (int8_t)(action < 0 ? -1 : action);
        }
    }
}

/* Puts a hole's net win of all kinds in its place and into the sums. */
static inline void set(table_t *table, int i, int segment, int result)
{
    const hand_t *hand = &table->hands[i];
    const int a = hand->a, b = hand->b;
    double before[UTEH_MOST_KINDS], now[UTEH_MOST_KINDS];
    int k, l;

    for (k = 0; k < table->n; k++) {
        kind_t *kind = &table->kind[k];

        before[k] = kind->value[a][b];
        now[k] = kind->pays[segment][result][kind->play[i] + 1][hand->category];
        kind->value[a][b] = kind->value[b][a] = now[k];
        kind->by_card[a] += now[k] - before[k];
        kind->by_card[b] += now[k] - before[k];
        kind->total += now[k] - before[k];
    }
    for (k = 0; k < table->n; k++)
        for (l = k; l < table->n; l++) {
            square_t *square = &table->square[k][l];
            const double more = now[k] * now[l] - before[k] * before[l];

            square->by_card[a] += more;
            square->by_card[b] += more;
            square->total += more;
        }
}

/* The sum over the cards of the product of two kinds' sums over the holes with that card, of holes without the dealer's cards x and y. */
static double shared_card(const kind_t *one, const kind_t *other, int x, int y)
{
    const double *p = one->by_card, *px = one->value[x], *py = one->value[y];
    const double *q = other->by_card, *qx = other->value[x], *qy = other->value[y];
    double sum[4] = {0, 0, 0, 0};
    int c;

    for (c = 0; c < ROW; c += 4) {
        sum[0] += (p[c] - px[c] - py[c]) * (q[c] - qx[c] - qy[c]);
        sum[1] += (p[c + 1] - px[c + 1] - py[c + 1]) * (q[c + 1] - qx[c + 1] - qy[c + 1]);
        sum[2] += (p[c + 2] - px[c + 2] - py[c + 2]) * (q[c + 2] - qx[c + 2] - qy[c + 2]);
        sum[3] += (p[c + 3] - px[c + 3] - py[c + 3]) * (q[c + 3] - qx[c + 3] - qy[c + 3]);
    }
    return sum[0] + sum[1] + sum[2] + sum[3] - (p[x] - py[x]) * (q[x] - qy[x]) - (p[y] - px[y]) * (q[y] - qx[y]);
}

/* The same for one kind with itself. */
static double shared_card_squared(const kind_t *one, int x, int y)
{
    const double *p = one->by_card, *px = one->value[x], *py = one->value[y];
    double sum[4] = {0, 0, 0, 0}, at_x = p[x] - py[x], at_y = p[y] - px[y];
    int c;

    for (c = 0; c < ROW; c += 4) {
        const double v0 = p[c] - px[c] - py[c], v1 = p[c + 1] - px[c + 1] - py[c + 1];
        const double v2 = p[c + 2] - px[c + 2] - py[c + 2], v3 = p[c + 3] - px[c + 3] - py[c + 3];

        sum[0] += v0 * v0;
        sum[1] += v1 * v1;
        sum[2] += v2 * v2;
        sum[3] += v3 * v3;
    }
    return sum[0] + sum[1] + sum[2] + sum[3] - at_x * at_x - at_y * at_y;
}

/* All dealer hands, with what each hole comes to. */
static void meet(table_t *table, int64_t times, uteh_pair_sums *sums)
{
    const hand_t *hands = table->hands;
    const int n = table->n;
    int64_t net[UTEH_MOST_KINDS] = {0}, square[UTEH_MOST_KINDS] = {0}, product[UTEH_MOST_KINDS][UTEH_MOST_KINDS] = {{0}};
    int g, i, j, k, l, segment = -1;

    for (g = 0; g < HOLES; g = j) {
        const int now = table->seg.of[hands[g].category];

        for (j = g + 1; j < HOLES && hands[j].strength == hands[g].strength; j++)
            ;
        if (now != segment)
            for (i = 0; i < HOLES; i++)
                set(table, i, now, i < g ? LOSES : WINS);
        segment = now;
        for (i = g; i < j; i++)
            set(table, i, segment, TIES);
        for (i = g; i < j; i++) {
            const int x = hands[i].a, y = hands[i].b;
            double mine[UTEH_MOST_KINDS];

            for (k = 0; k < n; k++) {
                const kind_t *kind = &table->kind[k];

                mine[k] = kind->total - kind->by_card[x] - kind->by_card[y] + kind->value[x][y];
                net[k] += (int64_t)mine[k];
            }
            for (k = 0; k < n; k++)
                for (l = k; l < n; l++) {
                    const square_t *q = &table->square[k][l];
                    const kind_t *one = &table->kind[k], *other = &table->kind[l];
                    const double same = q->total - q->by_card[x] - q->by_card[y] + one->value[x][y] * other->value[x][y];
                    const double shared = l == k ? shared_card_squared(one, x, y) : shared_card(one, other, x, y);

                    product[k][l] += (int64_t)(mine[k] * mine[l] - shared + same);
                    if (l == k)
                        square[k] += (int64_t)same;
                }
        }
        for (i = g; i < j; i++)
            set(table, i, segment, LOSES);
    }
    for (k = 0; k < n; k++) {
        add(&sums->net[k], net[k], times);
        add(&sums->square[k], square[k], times);
        for (l = k; l < n; l++)
            add(&sums->product[k][l], product[k][l], times);
    }
}

/* How many boards a board stands for by its suits; 0 if another stands for it: the ranks in each suit are in falling order. */
static int stands_for(const uint8_t board[5])
{
    unsigned ranks[4] = {0, 0, 0, 0};
    int i, times = 24, run = 1;

    for (i = 0; i < 5; i++)
        ranks[board[i] & 3] |= 1u << (board[i] >> 2);
    for (i = 1; i < 4; i++) {
        if (ranks[i] > ranks[i - 1])
            return 0;
        run = ranks[i] == ranks[i - 1] ? run + 1 : 1;
        times /= run;
    }
    return times;
}

int64_t uteh_pairs_scratch(void)
{
    return (int64_t)sizeof(table_t);
}

void uteh_pairs_range(const uteh_pairs *pairs, int64_t first, int64_t last, void *scratch, uteh_pair_sums *sums)
{
    static const uint8_t splits[SPLITS][3] = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 2, 3}, {0, 2, 4},
                                              {0, 3, 4}, {1, 2, 3}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}};
    table_t *table = scratch;
    uint8_t board[5];
    int64_t number, left = first;
    int i, k, l;

    table->n = pairs->nkinds;
    if (!table->named)
        name_flops(table);
    table->named = 1;
    find_segments(pairs, &table->seg);
    read_payoffs(pairs, table);
    for (k = 5; k > 0; k--) {
        int place = k - 1;

        while (uteh_choose(place + 1, k) <= left)
            place++;
        left -= uteh_choose(place, k);
        board[k - 1] = (uint8_t)place;
    }
    for (number = first; number < last; number++) {
        const int times = stands_for(board);

        if (times) {
            uint8_t rest[CARDS];
            int n = 0, next = 0;

            for (i = 0; i < 52; i++)
                if (next < 5 && board[next] == i)
                    next++;
                else
                    rest[n++] = (uint8_t)i;
            rank_holes(table, board, rest, pairs->both);
            read_folds(pairs, table, uteh_category[uteh_strength(board, 5)]);
            decide(pairs, table, rest);
            for (i = 0; i < SPLITS; i++) {
                const uint8_t *f = splits[i];

                play_flop(pairs, table, rest, three_cards(board[f[0]], board[f[1]], board[f[2]]));
                for (k = 0; k < table->n; k++) {
                    memset(table->kind[k].value, 0, sizeof table->kind[k].value);
                    memset(table->kind[k].by_card, 0, sizeof table->kind[k].by_card);
                    table->kind[k].total = 0;
                    for (l = k; l < table->n; l++)
                        memset(&table->square[k][l], 0, sizeof table->square[k][l]);
                }
                meet(table, times, sums);
            }
        }
        /* The next set of five. */
        for (i = 0; i < 4 && board[i] + 1 == board[i + 1]; i++)
            board[i] = (uint8_t)i;
        board[i]++;
    }
}
