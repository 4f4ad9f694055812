/* The part of solve.c that depends on the width of its sums; included once for each, with CELL, SIGNED, FACTOR and NAME, and USUAL: whether
   loops are compiled once more for the numbers that are usual. */

/* A number of dealer hands times what each pays. In 32 bits payoffs are below 2,006, and a product of 16 bits by 16 is one that vector
   units have. */
static inline CELL NAME(times)(int16_t hands, FACTOR pay)
{
    return (CELL)((SIGNED)hands * (SIGNED)pay);
}

/* What every column is worth to one hand. */
static inline void NAME(columns)(const game_t *c, int board, int category, const int32_t *level, CELL *out)
{
    const uteh_plan *plan = &c->g->plan;
    CELL worth[SOURCES], best;
    int i, j;

    for (i = 0; i < c->nplays; i++) {
        const uteh_form *f = &c->form[c->play[i]][category];

        worth[i] = (CELL)f->all * (CELL)level[0] + (CELL)f->below * (CELL)level[1] + (CELL)f->through * (CELL)level[2];
        for (j = 0; j < c->ncategories; j++)
            worth[i] += (CELL)f->category[j] * (CELL)level[3 + j];
    }
    worth[SOURCE_FOLD] = (CELL)(c->hands * plan->fold[plan->fold_by_board ? board : category]);
    best = worth[c->river_source[0]];
    for (i = 1; i < c->nriver; i++)
        best = (SIGNED)worth[c->river_source[i]] > (SIGNED)best ? worth[c->river_source[i]] : best;
    worth[SOURCE_BEST] = best;
    for (i = 0; i < c->ncolumns; i++)
        out[i] = worth[c->column_source[i]];
}

/* The work of one multiset of ranks. */
typedef struct {
    const game_t *c;
    const multiset_t *m;
    CELL *plain; /* [column][rank pair]: the board seen without suits */
    int32_t (*levels)[PAIRS]; /* the same */
    uint8_t *categories; /* by rank pair */
    const board_t *board;
    CELL *to; /* [column][cell]: what the flushes of a class change */
    int32_t *replaced; /* by cell: on how many boards the hand is a flush, and no more what it is without suits */
    int64_t *
        first; /* [cell or rank pair][category][level]: deals, with every board in all its ways; by cell beyond those without suits */
    int64_t *boards; /* [cell or rank pair][board's category]: boards, in the same way */
} NAME(job);

static void NAME(see_ranks)(void *to, const hand_t *h)
{
    NAME(job) *job = to;
    const game_t *c = job->c;
    int64_t *first = job->first + (h->pair * 10 + h->category) * c->nlevels;
    const int64_t ways = ranks_ways(c, job->m, c->x[h->pair], c->y[h->pair]);
    CELL value[MOST_COLUMNS];
    int i;

    NAME(columns)(c, job->m->sorted.board, h->category, h->level, value);
    for (i = 0; i < c->ncolumns; i++)
        job->plain[i * PAIRS + h->pair] = value[i];
    for (i = 0; i < c->nlevels; i++) {
        job->levels[i][h->pair] = h->level[i];
        first[i] += ways * h->level[i];
    }
    job->categories[h->pair] = (uint8_t)h->category;
    job->boards[h->pair * 10 + job->m->sorted.board] += ways;
}

/* Flushes of one class. */
static void NAME(see_flushes)(const NAME(job) * job, const flush_hands_t *h)
{
    const game_t *c = job->c;
    const uteh_plan *plan = &c->g->plan;
    const board_t *b = job->board;
    const int n = h->n, ncolumns = c->ncolumns, nlevels = c->nlevels;
    CELL worth[SOURCES][TYPE_PAIRS + 1];
    int i, j, k;

    /* As if all were flushes and no more, which most are. */
    for (k = 0; k < c->nplays; k++) {
        const uteh_form *f = &c->form[c->play[k]][UTEH_FLUSH_CATEGORY];
        const FACTOR one = (FACTOR)f->below, two = (FACTOR)f->through;
        const CELL all = (CELL)(f->all * c->hands);

        for (i = 0; i < n; i++)
            worth[k][i] = all + NAME(times)(h->level[1][i], one) + NAME(times)(h->level[2][i], two);
        for (j = 0; j < c->ncategories; j++) {
            const FACTOR more = (FACTOR)f->category[j];

            if (more)
                for (i = 0; i < n; i++)
                    worth[k][i] += NAME(times)(h->level[3 + j][i], more);
        }
    }
    for (i = 0; i < n; i++)
        worth[SOURCE_FOLD][i] = (CELL)(c->hands * plan->fold[plan->fold_by_board ? b->category : UTEH_FLUSH_CATEGORY]);
    for (i = 0; i < (b->flushes->straight ? n : 0); i++)
        if (h->category[i] > UTEH_FLUSH_CATEGORY) {
            const int p = h->category[i];

            for (k = 0; k < c->nplays; k++) {
                const uteh_form *f = &c->form[c->play[k]][p];

                worth[k][i] =
                    (CELL)f->all * (CELL)c->hands + (CELL)f->below * (CELL)h->level[1][i] + (CELL)f->through * (CELL)h->level[2][i];
                for (j = 0; j < c->ncategories; j++)
                    worth[k][i] += (CELL)f->category[j] * (CELL)h->level[3 + j][i];
            }
            worth[SOURCE_FOLD][i] = (CELL)(c->hands * plan->fold[plan->fold_by_board ? b->category : p]);
        }
    for (k = 0; k < c->nriver; k++) {
        const CELL *value = worth[c->river_source[k]];
        CELL *best = worth[SOURCE_BEST];

        for (i = 0; i < n; i++)
            best[i] = k == 0 || (SIGNED)value[i] > (SIGNED)best[i] ? value[i] : best[i];
    }
    for (k = 0; k < ncolumns; k++) {
        const CELL *value = worth[c->column_source[k]];

        for (i = 0; i < n; i++)
            job->to[k * CELLS + h->cell[i]] = value[i] - job->plain[k * PAIRS + h->pair[i]];
    }
    for (i = 0; i < n; i++) {
        int64_t *first = job->first + (h->cell[i] * 10 + h->category[i]) * nlevels;
        const int64_t ways = h->ways[i];

        first[0] += ways * c->hands;
        first[1] += ways * h->level[1][i];
        first[2] += ways * h->level[2][i];
        for (j = 0; j < c->ncategories; j++)
            first[3 + j] += ways * h->level[3 + j][i];
        job->replaced[h->cell[i]] += h->ways[i];
    }
}

#if LANE_VALUES
typedef CELL NAME(lanes_t) __attribute__((vector_size(LANES * sizeof(CELL)), aligned(sizeof(CELL)), may_alias));
typedef SIGNED NAME(signed_t) __attribute__((vector_size(LANES * sizeof(CELL)), aligned(sizeof(CELL)), may_alias));
#endif

/* By how much values differ from what they are without suits, where there are such hands. */
static inline void NAME(differ)(const CELL *restrict value, CELL plain, const int16_t *restrict live, CELL *restrict difference)
{
#if LANE_VALUES
    *(NAME(lanes_t) *)(void *)difference =
        (*(const NAME(lanes_t) *)(const void *)value - plain) & __builtin_convertvector(CONST_LANES16(live), NAME(lanes_t));
#else
    int l;

    for (l = 0; l < LANES; l++) {
        const SIGNED mask = live[l];

        difference[l] = (value[l] - plain) & (CELL)mask;
    }
#endif
}

/* The better of two values, lane by lane. */
static inline void NAME(better)(const CELL *restrict value, CELL *restrict best)
{
#if LANE_VALUES
    const NAME(signed_t) a = *(const NAME(signed_t) *)(const void *)value, b = *(const NAME(signed_t) *)(const void *)best;

    *(NAME(signed_t) *)(void *)best = (a & (a > b)) | (b & ~(a > b));
#else
    int l;

    for (l = 0; l < LANES; l++)
        best[l] = (SIGNED)value[l] > (SIGNED)best[l] ? value[l] : best[l];
#endif
}

/* Hands by ranks on the classes of a batch, side by side: differences to [column][cell][lane]. The last four are the game's. */
static ALWAYS_INLINE void NAME(see_lanes)(const NAME(job) * job, const batch_t *b, int lane, const board_t *boards, int nboards,
                                          CELL (*restrict to)[LANES], const int ncategories, const int nplays, const int nriver,
                                          const int ncolumns)
{
    const game_t *c = job->c;
    const multiset_t *m = job->m;
    const uteh_plan *plan = &c->g->plan;
    const int nlevels = 3 + ncategories;
    lanes_t ways[6][6]; /* by the places of a hole's cards off the suit among the distinct ranks; 5: none of them */
    lanes_t any_off[13], two_off[13], any_in[13]; /* -1 where there are live cards */
    CELL fold[10][LANES];
    int8_t place[13];
    int i, j, k, l, kind;

    find_places(m, place);
    find_ways(m, place, lane, boards, nboards, ways);
    for (i = 0; i < 13; i++)
        for (l = 0; l < LANES; l++) {
            any_off[i][l] = (int16_t)-(b->off[i][l] > 0);
            two_off[i][l] = (int16_t)-(b->off[i][l] > 1);
            any_in[i][l] = (int16_t)-(b->in[i][l] > 0);
        }
    memset(fold, 0, sizeof(fold));
    for (i = 0; i < 10; i++)
        for (l = 0; l < nboards; l++)
            fold[i][lane + l] = (CELL)(c->hands * plan->fold[plan->fold_by_board ? boards[l].category : i]);
    for (i = 0; i < PAIRS; i++) {
        const int pair = m->sorted.pair[i], x = c->x[pair], y = c->y[pair], p = uteh_category[m->sorted.strength[i]];
        CELL all[UTEH_MAX_PLAYS], plain[MOST_COLUMNS];
        FACTOR one[UTEH_MAX_PLAYS], two[UTEH_MAX_PLAYS], more[9][UTEH_MAX_PLAYS];

        if (!m->sorted.strength[i]) {
            for (kind = 0; kind < 3; kind++)
                for (k = 0; k < ncolumns; k++)
                    memset(to[k * CELLS + c->kind[kind][pair]], 0, sizeof(*to));
            continue;
        }
        for (k = 0; k < nplays; k++) {
            const uteh_form *f = &c->form[c->play[k]][p];

            all[k] = (CELL)(f->all * c->hands);
            one[k] = (FACTOR)f->below;
            two[k] = (FACTOR)f->through;
            for (j = 0; j < ncategories; j++)
                more[j][k] = (FACTOR)f->category[j];
        }
        for (k = 0; k < ncolumns; k++)
            plain[k] = job->plain[k * PAIRS + pair];
        for (kind = 0; kind < (x == y ? 2 : 3); kind++) {
            const int cell = c->kind[kind][pair];
            const int16_t *restrict below = b->below[kind][pair], *restrict not_above = b->through[kind][pair];
            const int16_t *restrict live_x = kind == 1 ? any_in[x] : any_off[x];
            const int16_t *restrict live_y = kind == 2 ? any_in[y] : kind == 0 && x == y ? two_off[y] : any_off[y];
            const int16_t *restrict way = ways[kind == 1 ? 5 : place[x]][kind == 2 ? 5 : place[y]];
            int64_t *restrict first = job->first + (cell * 10 + p) * nlevels;
            lanes_t live, times, level[9];
            CELL worth[SOURCES][LANES];
            int32_t sums[4];

            both_live(live_x, live_y, way, live, times);
            for (j = 0; j < ncategories; j++) {
                const passed_t *at = &b->at[c->categories[j]];

                left_of(at->less, kind == 1 ? at->in[x] : at->off[x], kind == 2 ? at->in[y] : at->off[y],
                        c->own && c->categories[j] > p, level[j]);
            }
            weighted_sums(times, below, not_above, ncategories ? level[0] : below, sums);
            /* Of the same category as without suits. */
            first[1] += sums[1] - sums[0] * job->levels[1][pair];
            first[2] += sums[2] - sums[0] * job->levels[2][pair];
            if (ncategories)
                first[3] += sums[3] - sums[0] * job->levels[3][pair];
            for (j = 1; j < ncategories; j++) {
                weighted_sums(times, level[j], level[j], level[j], sums);
                first[3 + j] += sums[1] - sums[0] * job->levels[3 + j][pair];
            }
            for (k = 0; k < nplays; k++) {
                for (l = 0; l < LANES; l++)
                    worth[k][l] = all[k] + NAME(times)(below[l], one[k]) + NAME(times)(not_above[l], two[k]);
                for (j = 0; j < ncategories; j++)
                    for (l = 0; l < LANES; l++)
                        worth[k][l] += NAME(times)(level[j][l], more[j][k]);
            }
            memcpy(worth[SOURCE_FOLD], fold[p], sizeof(fold[p]));
            memcpy(worth[SOURCE_BEST], worth[c->river_source[0]], sizeof(worth[0]));
            for (k = 1; k < nriver; k++)
                NAME(better)(worth[c->river_source[k]], worth[SOURCE_BEST]);
            for (k = 0; k < ncolumns; k++) {
                NAME(differ)(worth[c->column_source[k]], plain[k], live, to[k * CELLS + cell]);
            }
        }
    }
}

static void NAME(see_batch)(const NAME(job) * job, const batch_t *b, int lane, const board_t *boards, int nboards,
                            CELL (*restrict to)[LANES])
{
    const game_t *c = job->c;

    if (USUAL && c->usual)
        NAME(see_lanes)(job, b, lane, boards, nboards, to, 1, 2, 2, 2);
    else
        NAME(see_lanes)(job, b, lane, boards, nboards, to, c->ncategories, c->nplays, c->nriver, c->ncolumns);
}

/* Boards that have been counted as flushes are no longer what they are without suits. */
static void NAME(take_away)(const NAME(job) * job)
{
    const game_t *c = job->c;
    int i, j;

    for (i = 0; i < CELLS; i++) {
        const int pair = c->ranks_of[i];
        int64_t *first = job->first + (i * 10 + job->categories[pair]) * c->nlevels;

        for (j = 0; job->replaced[i] && j < c->nlevels; j++)
            first[j] -= (int64_t)job->replaced[i] * job->levels[j][pair];
    }
}

/* Pointers never meet. */
static ALWAYS_INLINE void NAME(add_terms)(CELL *restrict to, int n, const CELL *restrict a, const CELL *restrict b,
                                          const CELL *restrict c, const CELL *restrict d)
{
    int k;

    switch (n) {
    case 1:
        for (k = 0; k < TILE; k++)
            to[k] += a[k];
        break;
    case 2:
        for (k = 0; k < TILE; k++)
            to[k] += a[k] + b[k];
        break;
    case 3:
        for (k = 0; k < TILE; k++)
            to[k] += a[k] + b[k] + c[k];
        break;
    default:
        for (k = 0; k < TILE; k++)
            to[k] += a[k] + b[k] + c[k] + d[k];
    }
}

/* Adds the classes of a multiset to all flop rows that they have a part in. */
static ALWAYS_INLINE void NAME(add_rows)(const game_t *c, const multiset_t *m, const CELL *work, char *scratch)
{
    const int cells = c->ncolumns * CELLS;
    CELL *rows = (CELL *)(void *)(scratch + c->rows);
    CELL *products = (CELL *)(void *)(scratch + c->work) + (MOST_BOARDS + LANES) * cells;
    const CELL *product[4 * MOST_BOARDS];
    sums_t sums;
    int at, i, k;

    list_sums(c, m, (uint16_t *)(void *)(scratch + c->numbers), &sums);
    for (at = 0; at < cells; at += TILE) {
        CELL *restrict next = products;

        for (i = 0; i < sums.nproducts; i++) {
            const CELL *restrict from = work + sums.product[i].board * cells + at;

            product[i] = sums.product[i].ways.kind == ONE_WAY ? from : next;
            if (sums.product[i].ways.kind == ONE_WAY)
                continue;
            TIMES_WAYS(CELL, c, &sums.product[i].ways, at, from, next, 0);
            next += TILE;
        }
        for (i = 0; i < sums.nsums; i++) {
            const sum_t *sum = &sums.sum[i];
            const CELL *from[MOST_TERMS] = {NULL, NULL, NULL, NULL};
            const CELL *ahead = rows + (int64_t)sums.sum[i + 4 < sums.nsums ? i + 4 : i].row * cells + at;

            for (k = 0; k < sum->n; k++)
                from[k] = product[sum->term[k]];
            for (k = 0; k < TILE; k += 64 / (int)sizeof(CELL))
                PREFETCH(ahead + k);
            NAME(add_terms)(rows + (int64_t)sum->row * cells + at, sum->n, from[0], from[1], from[2], from[3]);
        }
    }
}

/* One multiset of ranks and the classes with these ranks. */
static void NAME(ranks_unit)(const game_t *c, multiset_t *m, char *shared, char *scratch)
{
    CELL *work = (CELL *)(void *)(scratch + c->work);
    const int cells = CELLS * c->ncolumns;
    CELL(*lanes)[LANES] = (CELL(*)[LANES])(void *)(work + MOST_BOARDS * cells);
    int32_t levels[UTEH_LEVELS][PAIRS], replaced[CELLS];
    uint8_t categories[PAIRS];
    flush_hands_t flushes;
    NAME(job) job;
    batch_t b;
    int next = 0, start, with_ranks = 1, i, j;

    job.c = c;
    job.m = m;
    job.levels = levels;
    job.categories = categories;
    job.replaced = replaced;
    job.plain = (CELL *)(void *)(shared + c->ranks) + (int64_t)m->number * c->ncolumns * PAIRS;
    do {
        start = next;
        next = fill_batch(c, m, start, with_ranks, sweep, &b);
        if (with_ranks) {
            job.first = (int64_t *)(void *)(scratch + c->sums) + (int64_t)c->nviews * CELLS * 10 * c->nlevels;
            job.boards = (int64_t *)(void *)(scratch + c->boards) + (int64_t)c->nviews * CELLS * 10;
            visit_ranks(c, m, &b, 0, NAME(see_ranks), &job);
        }
        if (next > start) {
            const int64_t view = m->board[start].view - c->view;

            job.first = (int64_t *)(void *)(scratch + c->sums) + view * CELLS * 10 * c->nlevels;
            job.boards = (int64_t *)(void *)(scratch + c->boards) + view * CELLS * 10;
            if (start == 0 || m->board[start].view != m->board[start - 1].view)
                memset(replaced, 0, sizeof(replaced));
            if (!m->board[start].whole)
                NAME(see_batch)(&job, &b, with_ranks, m->board + start, next - start, lanes);
        }
        for (i = start; i < next; i++) {
            const int l = with_ranks + i - start;

            if (m->board[i].n == 5)
                count_flush_board(c, m, &m->board[i], job.boards);
            job.board = &m->board[i];
            job.to = work + i * cells;
            if (m->board[i].whole)
                memset(job.to, 0, sizeof(CELL) * (size_t)cells);
            else
                for (j = 0; j < cells; j++)
                    job.to[j] = lanes[j][l];
            list_flushes(c, job.board, &b, l, 0, &flushes);
            NAME(see_flushes)(&job, &flushes);
        }
        if (next > start && (next == m->nboards || m->board[next].view != m->board[start].view))
            NAME(take_away)(&job);
        with_ranks = 0;
    } while (next < m->nboards);
    NAME(add_rows)(c, m, work, scratch);
}

/* Run-outs of one flop's ranks as if there were no flushes. */
static ALWAYS_INLINE void NAME(all_unit)(const game_t *c, const int8_t flop[3], char *shared)
{
    CELL *sums = (CELL *)(void *)(shared + c->all) + (int64_t)uteh_multiset(flop, 3) * PAIRS * c->ncolumns;
    int8_t left[13], have[13][PAIRS];
    int x, y, h, i;

    memset(sums, 0, (size_t)(c->ncolumns * PAIRS) * sizeof(CELL));
    memcpy(left, c->live, sizeof(left));
    for (i = 0; i < 3; i++)
        if (left[flop[i]]-- == 0)
            return;
    for (i = 0; i < 13; i++)
        for (h = 0; h < PAIRS; h++)
            have[i][h] = (int8_t)(left[i] - (c->x[h] == i) - (c->y[h] == i));
    for (x = 0; x < 13; x++)
        for (y = 0; y <= x; y++) {
            int8_t whole[5];
            const CELL *ranks;
            CELL ways[PAIRS];
            int n = 0, j;

            if (left[x] < 1 + (x == y) || left[y] < 1)
                continue;
            for (i = 0, j = 0; n < 5;) { /* y <= x among the flop's */
                int8_t next = j == 0 ? (int8_t)y : j == 1 ? (int8_t)x : 13;

                if (i < 3 && flop[i] <= next)
                    whole[n++] = flop[i++];
                else {
                    whole[n++] = next;
                    j++;
                }
            }
            ranks = (const CELL *)(const void *)(shared + c->ranks) + (int64_t)uteh_multiset(whole, 5) * c->ncolumns * PAIRS;
            if (x == y)
                for (h = 0; h < PAIRS; h++)
                    ways[h] = (CELL)(have[x][h] * (have[x][h] - 1) / 2);
            else
                for (h = 0; h < PAIRS; h++)
                    ways[h] = (CELL)(have[x][h] * have[y][h]);
            for (i = 0; i < c->ncolumns; i++) {
                const CELL *restrict from = ranks + i * PAIRS;
                CELL *restrict to = sums + i * PAIRS;

                for (h = 0; h < PAIRS; h++)
                    to[h] += ways[h] * from[h];
            }
        }
}

/* The decision of every hole on one flop, and what comes of it for the check before the flop. */
static void NAME(flop_unit)(const game_t *c, const flop_t *f, const holes_t *holes, const char *shared, char *scratch,
                            uint8_t *decisions)
{
    const int width = c->ncolumns, nflop = c->nflop, exposed = c->g->flop_exposed;
    uteh_wide *sums = (uteh_wide *)(void *)(scratch + c->checked);
    const CELL *all = (const CELL *)(const void *)(shared + c->all) + (int64_t)f->ranks * PAIRS * width, *rows[3];
    const uint64_t taken = taken_cards(c, f);
    int hole, k, s, e;

    for (s = 0; s < f->nrows; s++)
        rows[s] = (const CELL *)(const void *)(shared + c->rows) + (int64_t)f->row[s] * CELLS * width;
    if (decisions)
        memset(decisions, UTEH_NO_ACTION, UTEH_HOLES);
    for (hole = 0; hole < UTEH_HOLES; hole++) {
        CELL sum[MOST_COLUMNS], best;
        int action = 0;

        if (holes->cards[hole] & taken)
            continue;
        for (k = 0; k < width; k++) {
            sum[k] = all[k * PAIRS + holes->pairs[hole]];
            for (s = 0; s < f->nrows; s++)
                sum[k] += rows[s][k * CELLS + holes->cell[f->suit[s]][hole]];
        }
        best = sum[0];
        for (k = 1; k < nflop; k++)
            if ((SIGNED)sum[k] > (SIGNED)best) {
                best = sum[k];
                action = k;
            }
        if (decisions)
            decisions[hole] = (uint8_t)action;
        if (!exposed) {
            uteh_add_wide(&sums[hole], f->times * (int64_t)(SIGNED)best);
            continue;
        }
        for (e = 0; e < 3; e++) {
            uteh_wide *at = sums + (hole * 52 + f->card[e]) * (1 + c->nfirst);

            uteh_add_wide(at, f->times * (int64_t)(SIGNED)best);
            for (k = 0; k < c->nfirst; k++)
                uteh_add_wide(at + 1 + k, f->times * (int64_t)(SIGNED)sum[nflop + k]);
        }
    }
}

static void NAME(merge_rows)(const game_t *c, char *shared, char *scratch)
{
    CELL *to = (CELL *)(void *)(shared + c->rows), *from = (CELL *)(void *)(scratch + c->rows);
    const int64_t n = (int64_t)c->nviews * FLOP_ROWS * CELLS * c->ncolumns;
    int64_t i;

    for (i = 0; i < n; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}
