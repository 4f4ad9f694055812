/* The part of solve.c that depends on the width of its sums; included twice, with CELL, SIGNED and NAME. Flop columns are numbered tally
   by tally: the river's, then one for each flop action that is no check. Preflop columns follow: one for each preflop action that is no
   check, tally by tally. */

/* Where things are in a scratch, in bytes. What several threads add to comes last and is private to each. */
typedef struct {
    int ntallies, nflop, npreflop, ncolumns; /* nflop counts the river's column too */
    int width, totals; /* flop and preflop columns of all tallies */
    int64_t flushes, sorted, ranks, all, suits, all_totals, suit_totals, checked, work, flop_sums, size;
} NAME(layout);

static void NAME(lay_out)(const uteh_game *g, NAME(layout) * l)
{
    int64_t at = 0;

    l->ntallies = g->ntallies;
    l->nflop = uteh_game_columns(g, &l->npreflop);
    l->width = l->ntallies * l->nflop;
    l->totals = l->ntallies * l->npreflop;
    l->ncolumns = l->width + l->totals;
    l->flushes = at; /* [set S] */
    at += UTEH_SUIT_SETS * (int64_t)sizeof(flushes_t);
    l->sorted = at; /* [multiset] */
    at += UTEH_MULTISETS * (int64_t)sizeof(sorted_t);
    at = (at + 63) / 64 * 64;
    l->ranks = at; /* [multiset][column][rank pair] */
    at += (int64_t)UTEH_MULTISETS * l->ncolumns * UTEH_RANK_PAIRS * (int64_t)sizeof(CELL);
    l->all = at; /* [flop ranks][rank pair][flop column] */
    at += (int64_t)UTEH_FLOP_RANKS * UTEH_RANK_PAIRS * l->width * (int64_t)sizeof(CELL);
    at = (at + 63) / 64 * 64;
    l->suits = at; /* [flop row][tally][type pair][flop column of the tally] */
    at += (int64_t)UTEH_FLOP_ROWS * UTEH_TYPE_PAIRS * l->width * (int64_t)sizeof(CELL);
    at = (at + 63) / 64 * 64;
    l->all_totals = at; /* [tally and preflop column][rank pair], always 64 bits */
    at += (int64_t)l->totals * UTEH_RANK_PAIRS * 8;
    l->suit_totals = at; /* [tally and preflop column][type pair] */
    at += (int64_t)l->totals * UTEH_TYPE_PAIRS * 8;
    l->checked = at; /* [tally][flop column][field][starting hand] */
    at += (int64_t)l->width * UTEH_FIELDS * UTEH_CLASSES * (int64_t)sizeof(uteh_wide);
    l->work = at; /* [column][hand], [tally][type pair][flop column of the tally], and [preflop column][type pair] */
    at += 3 * (int64_t)l->ncolumns * MOST_HANDS * (int64_t)sizeof(CELL);
    at = (at + 63) / 64 * 64;
    l->flop_sums = at; /* of one flop, as checked */
    at += (int64_t)l->width * UTEH_FIELDS * UTEH_CLASSES * 8;
    l->size = at;
}

static int64_t NAME(scratch)(const uteh_game *g)
{
    NAME(layout) l;

    NAME(lay_out)(g, &l);
    return l.size;
}

/* A number of dealer hands times what each pays. In 32 bits payoffs are below 2,006, and a product of 16 bits by 16 is one that vector
   units have. */
static inline CELL NAME(times)(int16_t hands, FACTOR pay)
{
    return (CELL)((SIGNED)hands * (SIGNED)pay);
}

/* The net of one action over 990 dealer hands, for every hand of an order. */
static void NAME(action)(const uteh_game *g, int tally, int action, const order_t *o, int board, int by_dealer, CELL *restrict out)
{
    const uteh_payoff *pays = tally < 0 ? g->plan.pay : g->tally[tally].pay;
    int p, i, k, q = g->qualifier;
    const int16_t *beats = o->beats, *ties = o->ties, *unqualified = o->unqualified;

    for (p = 0; p < 10; p++) {
        int from = o->start[p], to = o->start[p + 1];
        const uteh_payoff *pay;
        FACTOR won, tied, lost, more;
        CELL every;

        if (from == to)
            continue;
        if (action == UTEH_A_FOLD && tally < 0) {
            CELL folded = (CELL)(990 * g->plan.fold[g->plan.fold_by_board ? board : p]);

            for (i = from; i < to; i++)
                out[i] = folded;
            continue;
        }
        /* As if every dealer hand were lost to, then the rest for those that are beaten, tied, or do not qualify. */
        pay = &pays[action == UTEH_A_FOLD ? UTEH_MAX_PLAYS : action];
        lost = (FACTOR)pay->lose[p][p < q ? q : p];
        every = (CELL)(990 * (SIGNED)lost);
        if (action == UTEH_A_FOLD)
            every += (CELL)(990 * g->tally[tally].fold_board[board]);
        if (p >= q) { /* all that do not qualify are beaten */
            won = (FACTOR)(pay->win[p][p] - lost);
            tied = (FACTOR)(pay->tie[p] - lost);
            more = (FACTOR)(pay->win[p][0] - pay->win[p][p]);
        } else { /* all that are beaten or tied do not qualify */
            won = (FACTOR)(pay->win[p][0] - pay->lose[p][p]);
            tied = (FACTOR)(pay->tie[p] - pay->lose[p][p]);
            more = (FACTOR)(pay->lose[p][p] - lost);
        }
        if (!won && !tied && !more && !by_dealer) {
            for (i = from; i < to; i++)
                out[i] = every;
            continue;
        }
        for (i = from; i < to; i++)
            out[i] = every + NAME(times)(beats[i], won) + NAME(times)(ties[i], tied) + NAME(times)(unqualified[i], more);
        if (by_dealer) /* what was taken for wins is replaced by what each category of the dealer's pays */
            for (i = from; i < to; i++) {
                int16_t u = p >= q ? unqualified[i] : beats[i];

                out[i] -= NAME(times)((int16_t)(beats[i] - u), (FACTOR)pay->win[p][p]) + NAME(times)(u, (FACTOR)pay->win[p][0]);
                for (k = 0; k < p; k++)
                    out[i] += NAME(times)((int16_t)(o->below[k + 1][i] - o->below[k][i]), (FACTOR)pay->win[p][k]);
                out[i] += NAME(times)((int16_t)(beats[i] - o->below[p][i]), (FACTOR)pay->win[p][p]);
            }
    }
}

/* All columns of an order, [column][hand]: the river's along the best action of the plan. */
static void NAME(columns)(const uteh_game *g, const NAME(layout) * l, const order_t *o, int board, int by_dealer,
                          CELL (*out)[MOST_HANDS])
{
    const uteh_plan *plan = &g->plan;
    CELL value[MOST_HANDS + 3], best[MOST_HANDS + 3];
    uint8_t chosen[MOST_HANDS + 3];
    int tally, a, i, column = 0;

    for (a = 0; a < plan->nactions[UTEH_RIVER]; a++) {
        NAME(action)(g, -1, plan->actions[UTEH_RIVER][a], o, board, by_dealer, a ? value : best);
        if (a == 0)
            memset(chosen, 0, (size_t)o->n);
        else if (g->what != UTEH_VALUES) {
            for (i = 0; i < o->n; i++)
                if ((SIGNED)value[i] > (SIGNED)best[i]) {
                    best[i] = value[i];
                    chosen[i] = (uint8_t)a;
                }
        } else
            for (i = 0; i < o->n; i++)
                best[i] = (SIGNED)value[i] > (SIGNED)best[i] ? value[i] : best[i];
    }
    for (tally = 0; tally < l->ntallies && l->nflop; tally++) {
        if (g->what == UTEH_VALUES)
            memcpy(out[column], best, (size_t)o->n * sizeof(CELL));
        else
            for (a = 0; a < plan->nactions[UTEH_RIVER]; a++) {
                NAME(action)(g, tally, plan->actions[UTEH_RIVER][a], o, board, by_dealer, value);
                for (i = 0; i < o->n; i++)
                    if (chosen[i] == a)
                        out[column][i] = value[i];
            }
        column++;
        for (a = 0; a < plan->nactions[UTEH_FLOP]; a++)
            if (plan->actions[UTEH_FLOP][a] != UTEH_A_CHECK)
                NAME(action)(g, g->what == UTEH_VALUES ? -1 : tally, plan->actions[UTEH_FLOP][a], o, board, by_dealer,
                             out[column++]);
    }
    for (tally = 0; tally < l->ntallies && l->npreflop; tally++)
        for (a = 0; a < plan->nactions[UTEH_PREFLOP]; a++)
            if (plan->actions[UTEH_PREFLOP][a] != UTEH_A_CHECK)
                NAME(action)(g, g->what == UTEH_VALUES ? -1 : tally, plan->actions[UTEH_PREFLOP][a], o, board, by_dealer,
                             out[column++]);
}

/* No flush: the values of every hand on one multiset of ranks, and its part of the totals before the flop. */
static void NAME(rank_unit)(const uteh_game *g, const NAME(layout) * l, const numbers_t *numbers, const int r[5], int by_dealer,
                            char *shared, char *scratch)
{
    int8_t board[13] = {0};
    int number = five(r[0], r[1], r[2], r[3], r[4]), i, j, k, h;
    sorted_t *sorted = (sorted_t *)(shared + l->sorted) + number;
    CELL *ranks = (CELL *)(shared + l->ranks) + (int64_t)number * l->ncolumns * UTEH_RANK_PAIRS;
    CELL(*found)[MOST_HANDS] = (CELL(*)[MOST_HANDS])(scratch + l->work);
    uint64_t *totals = (uint64_t *)(scratch + l->all_totals);
    order_t o;
    uint32_t key = 0;
    int64_t ways[UTEH_RANK_PAIRS], fewer[13][3], every = 1;

    for (i = 0; i < 5; i++) {
        board[r[i]]++;
        key += (uint32_t)uteh_key[4 * r[i]];
    }
    sort_pairs(numbers, r, board, g->both, sorted);
    order_ranks(&o, numbers, sorted, board);
    finish(&o, g->qualifier, by_dealer);
    NAME(columns)(g, l, &o, uteh_category[uteh_by_ranks56(key)], by_dealer, found);
    for (k = 0; k < l->ncolumns; k++)
        for (i = 0; i < o.n; i++)
            ranks[k * UTEH_RANK_PAIRS + o.number[i]] = found[k][i];
    if (!l->totals)
        return;
    /* In how many ways the board's ranks get suits beside each hand: every rank has C(4, times on the board), and of the one or two that
       the hand holds a card of, fewer. */
    for (i = 0; i < 13; i++)
        for (j = 0; j < 3; j++)
            fewer[i][j] = uteh_choose(4 - j, board[i]);
    for (i = 0; i < 13; i++)
        every *= fewer[i][0];
    for (h = 0; h < UTEH_RANK_PAIRS; h++) {
        int x = numbers->x[h], y = numbers->y[h];

        /* The ranks that are not on the board have one way; a division by it would be most of the work. */
        int64_t way = every;

        if (x == y)
            way = board[x] ? way / fewer[x][0] * fewer[x][2] : way;
        else {
            way = board[x] ? way / fewer[x][0] * fewer[x][1] : way;
            way = board[y] ? way / fewer[y][0] * fewer[y][1] : way;
        }
        ways[h] = way;
    }
    for (k = 0; k < l->totals; k++)
        for (h = 0; h < UTEH_RANK_PAIRS; h++)
            totals[k * UTEH_RANK_PAIRS + h] +=
                (uint64_t)ways[h] * (uint64_t)(int64_t)(SIGNED)ranks[(l->width + k) * UTEH_RANK_PAIRS + h];
}

/* Adds what a class is worth to one flop row, times the ways in which the n ranks p, q of its run-out that are off the suit can come
   beside each hand; `taken` copies of p are on the flop. */
static void NAME(send_tally)(const NAME(layout) * l, const numbers_t *numbers, char *scratch, const CELL *restrict from, int tally,
                             int row, int n, int p, int q, int taken)
{
    const int width = l->nflop, cells = UTEH_TYPE_PAIRS * width;
    CELL *restrict to = (CELL *)(scratch + l->suits) + ((int64_t)row * l->ntallies + tally) * cells;
    int i, t, k;

    from += tally * cells;
    /* The ways of a hand that holds neither rank: 1, 2, 3 or 9; additions, because SSE2 has no product of 32 bits. */
    if (n == 0)
        for (i = 0; i < cells; i++)
            to[i] += from[i];
    else if (n == 1 && taken)
        for (i = 0; i < cells; i++)
            to[i] += from[i] + from[i];
    else if (n == 1 || p == q)
        for (i = 0; i < cells; i++)
            to[i] += from[i] + from[i] + from[i];
    else
        for (i = 0; i < cells; i++)
            to[i] += (from[i] << 3) + from[i];
    /* Hands that hold one of the ranks off the suit have fewer. */
    if (n == 0)
        return;
#define LESS(a, b, by)                                                                                                             \
    for (k = numbers->pair[a][b] * width, i = 0; i < width; i++, k++)                                                              \
    to[k] -= (CELL)(by) * from[k]
    if (n == 1) { /* 3 - taken - h */
        for (t = 0; t < MOST_TYPES; t++)
            LESS(t, p, 1);
        LESS(p, p, 1);
    } else if (p == q) { /* C(3 - h, 2) is 3, 1, 0 */
        for (t = 0; t < MOST_TYPES; t++)
            LESS(t, p, 2);
        LESS(p, p, 1);
    } else { /* (3 - h)(3 - k) is 9, 6 with one, 3 with two of a rank, 4 with one of each */
        for (t = 0; t < MOST_TYPES; t++) {
            LESS(t, p, 3);
            LESS(t, q, 3);
        }
        LESS(p, p, 3);
        LESS(q, q, 3);
        LESS(p, q, -1);
    }
#undef LESS
}

static void NAME(send)(const NAME(layout) * l, const numbers_t *numbers, char *scratch, const CELL *from, unsigned loud, int row,
                       int n, int p, int q, int taken)
{
    int tally;

    for (tally = 0; tally < l->ntallies; tally++)
        if (loud >> tally & 1)
            NAME(send_tally)(l, numbers, scratch, from, tally, row, n, p, q, taken);
}

/* The same ways for the totals before the flop, where the whole of O comes. */
static int64_t NAME(ways_of)(int n, int p, int q, int a, int b)
{
    int hp = (a == p) + (b == p), hq = (a == q) + (b == q);

    return n == 0 ? 1 : n == 1 ? 3 - hp : p == q ? uteh_choose(3 - hp, 2) : (3 - hp) * (3 - hq);
}

/* What the flushes of a class change, by the number of the hand: written for the flop columns, added for those before the flop. Returns a
   bit mask of the tallies for which they change anything on the flop; many count what a class of boards cannot have. */
static unsigned NAME(differences)(const NAME(layout) * l, const order_t *o, CELL (*found)[MOST_HANDS], const CELL *ranks,
                                  CELL *restrict from, CELL *restrict totals)
{
    const int nflop = l->nflop;
    unsigned loud = 0;
    int i, k, tally;

    for (tally = 0; tally < l->ntallies && nflop; tally++, from += nflop * UTEH_TYPE_PAIRS) {
        const int first = tally * nflop;
        CELL any = l->ntallies == 1;

        for (k = first; k < first + nflop && !any; k++)
            for (i = 0; i < o->n; i++)
                any |= found[k][i] - ranks[k * UTEH_RANK_PAIRS + o->ranks[i]];
        if (!any)
            continue;
        loud |= 1u << tally;
        /* Hands that the board makes impossible have no difference. */
        memset(from, 0, (size_t)(nflop * UTEH_TYPE_PAIRS) * sizeof(CELL));
        if (nflop == 2)
            for (i = 0; i < o->n; i++) {
                from[o->number[i] * 2] = found[first][i] - ranks[first * UTEH_RANK_PAIRS + o->ranks[i]];
                from[o->number[i] * 2 + 1] = found[first + 1][i] - ranks[(first + 1) * UTEH_RANK_PAIRS + o->ranks[i]];
            }
        else
            for (k = 0; k < nflop; k++)
                for (i = 0; i < o->n; i++)
                    from[o->number[i] * nflop + k] = found[first + k][i] - ranks[(first + k) * UTEH_RANK_PAIRS + o->ranks[i]];
    }
    for (k = 0; k < l->totals; k++) {
        const CELL *mine = found[l->width + k], *plain = ranks + (l->width + k) * UTEH_RANK_PAIRS;
        CELL *to = totals + k * UTEH_TYPE_PAIRS;

        for (i = 0; i < o->n; i++)
            to[o->number[i]] += mine[i] - plain[o->ranks[i]];
    }
    return loud;
}

/* All classes with the same ranks off the flush suit: n of them, p >= q. */
static void NAME(suit_unit)(const uteh_game *g, const NAME(layout) * l, const numbers_t *numbers, int n, int p, int q,
                            int by_dealer, const char *shared, char *scratch)
{
    CELL(*found)[MOST_HANDS] = (CELL(*)[MOST_HANDS])(scratch + l->work);
    CELL *from = (CELL *)(found + l->ncolumns), *totals = from + l->ncolumns * UTEH_TYPE_PAIRS;
    uint64_t *totals_of_all = (uint64_t *)(scratch + l->suit_totals);
    order_t o;
    unsigned set;
    int8_t others[13] = {0};
    uint32_t others_key = 0;
    int suited = 5 - n, index = -1, i, j, k, r, a, b;

    if (n > 0) {
        others[p]++;
        others_key += (uint32_t)uteh_key[4 * p];
    }
    if (n > 1) {
        others[q]++;
        others_key += (uint32_t)uteh_key[4 * q];
    }
    memset(totals, 0, (size_t)(l->totals * UTEH_TYPE_PAIRS) * sizeof(CELL));
    for (set = 0; set < 8192; set++) {
        int8_t board[13];
        const flushes_t *flushes;
        const CELL *ranks;
        int number, category, s[5], nset = 0, size = bits(set);
        uint32_t key = others_key;
        unsigned loud;

        if (size < 3 || size > 5)
            continue;
        index++;
        if (size != suited)
            continue;
        for (r = 0; r < 13; r++) {
            board[r] = (int8_t)(others[r] + (int)(set >> r & 1));
            if (set >> r & 1) {
                s[nset++] = r;
                key += (uint32_t)uteh_key[4 * r];
            }
        }
        number = number_of(board);
        flushes = (const flushes_t *)(shared + l->flushes) + index;
        ranks = (const CELL *)(shared + l->ranks) + (int64_t)number * l->ncolumns * UTEH_RANK_PAIRS;
        category = uteh_category[suited == 5 ? uteh_flush[set] : uteh_by_ranks56(key)];
        order_suit(&o, numbers, (const sorted_t *)(shared + l->sorted) + number, flushes, set, others, g->both);
        finish(&o, g->qualifier, by_dealer);
        NAME(columns)(g, l, &o, category, by_dealer, found);
        loud = NAME(differences)(l, &o, found, ranks, from, totals);
        /* Every flop that has a card of the suit; the rest of the board is its run-out. */
        for (i = 0; i < (loud ? 1 << suited : 0); i++) {
            unsigned in = 0;
            int cards = bits((unsigned)i), out[2];

            if (!cards || cards > 3 || 3 - cards > n)
                continue;
            for (j = 0; j < suited; j++)
                if (i >> j & 1)
                    in |= 1u << s[j];
            out[0] = p;
            out[1] = q;
            if (cards == 3)
                NAME(send)(l, numbers, scratch, from, loud, flop_row(in, out), n, p, q, 0);
            else if (cards == 1)
                NAME(send)(l, numbers, scratch, from, loud, flop_row(in, out), 0, 0, 0, 0);
            else {
                NAME(send)(l, numbers, scratch, from, loud, flop_row(in, out), n - 1, q, q, n == 2 && p == q);
                if (n == 2 && p != q) {
                    out[0] = q;
                    NAME(send)(l, numbers, scratch, from, loud, flop_row(in, out), 1, p, p, 0);
                }
            }
        }
    }
    for (k = 0; k < l->totals; k++)
        for (a = 0; a < MOST_TYPES; a++)
            for (b = 0; b <= a; b++)
                totals_of_all[k * UTEH_TYPE_PAIRS + two(a, b)] +=
                    (uint64_t)NAME(ways_of)(n, p, q, a, b) * (uint64_t)(int64_t)(SIGNED)totals[k * UTEH_TYPE_PAIRS + two(a, b)];
}

/* Run-outs of one flop's ranks as if there were no flushes. */
static void NAME(all_unit)(const NAME(layout) * l, int a, int b, int c, char *shared, char *scratch)
{
    CELL *sums = (CELL *)(scratch + l->work), *to;
    int8_t board[13] = {0}, have[13][UTEH_RANK_PAIRS];
    int x, y, h, i, flop = three(a, b, c);

    to = (CELL *)(shared + l->all) + (int64_t)flop * UTEH_RANK_PAIRS * l->width;
    memset(sums, 0, (size_t)(l->width * UTEH_RANK_PAIRS) * sizeof(CELL));
    board[a]++;
    board[b]++;
    board[c]++;
    for (i = 0; i < 13; i++)
        for (x = 0, h = 0; x < 13; x++)
            for (y = 0; y <= x; y++, h++)
                have[i][h] = (int8_t)(4 - board[i] - (x == i) - (y == i));
    for (x = 0; x < 13; x++)
        for (y = 0; y <= x; y++) {
            int8_t whole[13];
            const CELL *ranks;
            CELL ways[UTEH_RANK_PAIRS];

            memcpy(whole, board, sizeof(whole));
            whole[x]++;
            whole[y]++;
            if (whole[x] > 4 || whole[y] > 4)
                continue;
            ranks = (const CELL *)(shared + l->ranks) + (int64_t)number_of(whole) * l->ncolumns * UTEH_RANK_PAIRS;
            if (x == y)
                for (h = 0; h < UTEH_RANK_PAIRS; h++)
                    ways[h] = (CELL)(have[x][h] * (have[x][h] - 1) / 2);
            else
                for (h = 0; h < UTEH_RANK_PAIRS; h++)
                    ways[h] = (CELL)(have[x][h] * have[y][h]);
            for (i = 0; i < l->width; i++)
                for (h = 0; h < UTEH_RANK_PAIRS; h++)
                    sums[i * UTEH_RANK_PAIRS + h] += ways[h] * ranks[i * UTEH_RANK_PAIRS + h];
        }
    for (i = 0; i < l->width; i++)
        for (h = 0; h < UTEH_RANK_PAIRS; h++)
            to[h * l->width + i] = sums[i * UTEH_RANK_PAIRS + h];
}

/* The usual decision, between a check and one bet, for n holes of one flop: their places in `chosen`, their values in sums. */
static void NAME(check_or_bet)(const holes_t *holes, const uint16_t *restrict legal, int n, const CELL *restrict all,
                               const CELL *const rows[3], const uint16_t *const seen[3], int nsuits, int swapped,
                               uint16_t *restrict chosen, int64_t (*restrict sums)[UTEH_CLASSES])
{
    int i;

    for (i = 0; i < n; i++) {
        const int hole = legal[i];
        const CELL *from = all + 2 * holes->pairs[hole];
        CELL check = from[0], bet = from[1];
        int bets;

        from = rows[0] + 2 * seen[0][hole];
        check += from[0];
        bet += from[1];
        if (nsuits > 1) {
            from = rows[1] + 2 * seen[1][hole];
            check += from[0];
            bet += from[1];
        }
        if (nsuits > 2) {
            from = rows[2] + 2 * seen[2][hole];
            check += from[0];
            bet += from[1];
        }
        /* Of equal values the first action; the check is not the first where a fold is the other one. */
        bets = swapped ? (SIGNED)bet >= (SIGNED)check : (SIGNED)bet > (SIGNED)check;
        chosen[i] = (uint16_t)bets;
        sums[bets * UTEH_FIELDS][holes->classes[hole]] += (SIGNED)(bets ? bet : check);
    }
}

/* The decision of every hand on one canonical flop, and what comes of it for the check before the flop. */
static void NAME(flop_unit)(const uteh_game *g, const NAME(layout) * l, int number, const holes_t *holes, const char *shared,
                            char *scratch, uint8_t *decisions)
{
    uint8_t flop[3];
    const int times = uteh_flop(number, flop), width = l->width, nflop = l->nflop;
    const uteh_plan *plan = &g->plan;
    const int nactions = plan->nactions[UTEH_FLOP];
    int64_t (*sums)[UTEH_CLASSES] = (int64_t (*)[UTEH_CLASSES])(scratch + l->flop_sums); /* [tally, column, field] */
    uint16_t legal[UTEH_HOLES], chosen[UTEH_HOLES];
    int ranks[3], nsuits = 0, column_of[UTEH_MAX_ACTIONS], hole = 0, n = 0, a, b, i, k, s, tally;
    const CELL *all, *rows[3];
    const uint16_t *seen[3];

    memset(sums, 0, sizeof(*sums) * (size_t)(width * UTEH_FIELDS));
    for (i = 0; i < 3; i++)
        ranks[i] = flop[i] >> 2;
    /* uteh_flop's ranks descend */
    all = (const CELL *)(shared + l->all) + (int64_t)three(ranks[0], ranks[1], ranks[2]) * UTEH_RANK_PAIRS * width;
    for (s = 0; s < 3; s++) {
        unsigned in = 0;
        int out[3] = {0, 0, 0}, others = 0;

        for (i = 0; i < 3; i++)
            if ((flop[i] & 3) == s)
                in |= 1u << ranks[i];
            else
                out[others++] = ranks[i];
        if (in) {
            seen[nsuits] = holes->types[s];
            rows[nsuits++] = (const CELL *)(shared + l->suits) + (int64_t)flop_row(in, out) * UTEH_TYPE_PAIRS * width;
        }
    }
    for (i = 0, k = 1; i < nactions; i++)
        column_of[i] = plan->actions[UTEH_FLOP][i] == UTEH_A_CHECK ? 0 : k++;
    decisions += (int64_t)number * UTEH_HOLES;
    for (a = 1; a < 52; a++)
        for (b = 0; b < a; b++, hole++)
            if (a != flop[0] && a != flop[1] && a != flop[2] && b != flop[0] && b != flop[1] && b != flop[2])
                legal[n++] = (uint16_t)hole;
    if (g->what == UTEH_VALUES) {
        memset(decisions, UTEH_NO_ACTION, UTEH_HOLES);
        if (nactions == 2 && nflop == 2) {
            NAME(check_or_bet)(holes, legal, n, all, rows, seen, nsuits, column_of[0] == 1, chosen, sums);
            for (i = 0; i < n; i++)
                decisions[legal[i]] = (uint8_t)(column_of[0] == 1 ? 1 - chosen[i] : chosen[i]);
        } else
            for (i = 0; i < n; i++) {
                SIGNED best = 0;
                int action = 0;

                for (k = 0; k < nactions; k++) {
                    CELL sum = all[holes->pairs[legal[i]] * width + column_of[k]];

                    for (s = 0; s < nsuits; s++)
                        sum += rows[s][seen[s][legal[i]] * nflop + column_of[k]];
                    if (k == 0 || (SIGNED)sum > best) {
                        best = (SIGNED)sum;
                        action = k;
                    }
                }
                decisions[legal[i]] = (uint8_t)action;
                sums[column_of[action] * UTEH_FIELDS][holes->classes[legal[i]]] += best;
            }
    } else
        for (i = 0; i < n; i++)
            for (tally = 0; tally < l->ntallies; tally++) {
                int column = tally * nflop + column_of[decisions[legal[i]] % UTEH_MAX_ACTIONS];
                int64_t *sum = &sums[column * UTEH_FIELDS][holes->classes[legal[i]]];
                CELL one = all[holes->pairs[legal[i]] * width + column];

                for (s = 0; s < nsuits; s++)
                    one += rows[s][(tally * UTEH_TYPE_PAIRS + seen[s][legal[i]]) * nflop + column - tally * nflop];
                if (g->what == UTEH_COUNTS)
                    for (k = 0; k < UTEH_FIELDS; k++)
                        sum[k * UTEH_CLASSES] += (int64_t)((uint64_t)one >> (21 * k) & 0x1fffff);
                else
                    *sum += (SIGNED)one;
            }
    for (i = 0; i < width * UTEH_FIELDS; i++)
        for (k = 0; k < UTEH_CLASSES; k++)
            if (sums[i][k])
                uteh_add_wide((uteh_wide *)(scratch + l->checked) + i * UTEH_CLASSES + k, times * sums[i][k]);
}

static void NAME(range)(const uteh_game *g, int stage, int first, int last, char *shared, char *scratch, uint8_t *decisions)
{
    NAME(layout) l;
    const int by_dealer = needs_dealer(g);
    numbers_t numbers;
    int n = 0, a, b, c, r[5] = {0, 0, 0, 0, 0};
    unsigned set;

    NAME(lay_out)(g, &l);
    fill_numbers(&numbers);
    if (stage == UTEH_STAGE_RANKS) {
        for (set = 0; set < 8192 && n < last; set++)
            if (bits(set) >= 3 && bits(set) <= 5 && n++ >= first)
                find_flushes(set, g->both, (flushes_t *)(shared + l.flushes) + n - 1);
        n = 0;
        do {
            if (n >= first && r[0] != r[4])
                NAME(rank_unit)(g, &l, &numbers, r, by_dealer, shared, scratch);
            n++;
        } while (n < last && next_multiset(r) < 13);
    } else if (stage == UTEH_STAGE_SUITS) {
        for (a = 0; a < 13; a++)
            for (b = 0; b <= a; b++, n++)
                if (n >= first && n < last)
                    NAME(suit_unit)(g, &l, &numbers, 2, a, b, by_dealer, shared, scratch);
        for (a = 0; a < 13; a++, n++)
            if (n >= first && n < last)
                NAME(suit_unit)(g, &l, &numbers, 1, a, a, by_dealer, shared, scratch);
        if (n >= first && n < last)
            NAME(suit_unit)(g, &l, &numbers, 0, 0, 0, by_dealer, shared, scratch);
    } else if (stage == UTEH_STAGE_ALL) {
        for (a = 0; a < 13; a++)
            for (b = 0; b <= a; b++)
                for (c = 0; c <= b; c++, n++)
                    if (n >= first && n < last)
                        NAME(all_unit)(&l, a, b, c, shared, scratch);
    } else {
        holes_t holes;

        fill_holes(&holes, &numbers);
        for (n = first; n < last; n++)
            NAME(flop_unit)(g, &l, n, &holes, shared, scratch, decisions);
    }
}

/* Moves what a private scratch has added up to the shared one. */
static void NAME(merge)(const uteh_game *g, char *shared, char *scratch)
{
    NAME(layout) l;
    int64_t i;
    CELL *to, *from;
    uint64_t *wide_to, *wide_from;

    NAME(lay_out)(g, &l);
    to = (CELL *)(shared + l.suits);
    from = (CELL *)(scratch + l.suits);
    for (i = 0; i < (int64_t)l.width * UTEH_FLOP_ROWS * UTEH_TYPE_PAIRS; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
    wide_to = (uint64_t *)(shared + l.all_totals);
    wide_from = (uint64_t *)(scratch + l.all_totals);
    for (i = 0; i < (l.work - l.all_totals) / 8; i++) {
        wide_to[i] += wide_from[i];
        wide_from[i] = 0;
    }
}

static void NAME(checked)(const uteh_game *g, const char *shared, uteh_wide *checked)
{
    NAME(layout) l;

    NAME(lay_out)(g, &l);
    memcpy(checked, shared + l.checked, (size_t)(l.width * UTEH_FIELDS * UTEH_CLASSES) * sizeof(uteh_wide));
}

static void NAME(raised)(const uteh_game *g, const char *shared, uteh_wide *raised)
{
    NAME(layout) l;
    int column, a, b, s;

    NAME(lay_out)(g, &l);
    memset(raised, 0, (size_t)(l.totals * UTEH_CLASSES) * sizeof(uteh_wide));
    for (column = 0; column < l.totals; column++)
        for (a = 1; a < 52; a++)
            for (b = 0; b < a; b++) {
                uint64_t sum = ((const uint64_t *)(shared + l.all_totals))[column * UTEH_RANK_PAIRS + two(a >> 2, b >> 2)];

                for (s = 0; s < 4; s++)
                    sum += ((const uint64_t *)(shared +
                                               l.suit_totals))[column * UTEH_TYPE_PAIRS + pair_of((a >> 2) + 13 * ((a & 3) == s),
                                                                                                  (b >> 2) + 13 * ((b & 3) == s))];
                if (g->what == UTEH_RAISED) { /* the two counts, one in each limb */
                    raised[column * UTEH_CLASSES + uteh_class((uint8_t)a, (uint8_t)b)].low += (int64_t)(sum & 0xffffffff);
                    raised[column * UTEH_CLASSES + uteh_class((uint8_t)a, (uint8_t)b)].high += (int64_t)(sum >> 32);
                } else
                    uteh_add_wide(&raised[column * UTEH_CLASSES + uteh_class((uint8_t)a, (uint8_t)b)], (int64_t)sum);
            }
}
