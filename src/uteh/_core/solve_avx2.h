/* The part of solve.c that AVX2 does by hand: the hands of eight classes of boards side by side, the flop rows they are added to or read
   from, and the decisions on a flop. It gives what solve_cells.h gives in 32 bits. Cards of a suit and off it are told apart by cells. */

enum { MATRIX = 13 * 16 };

static inline __m128i load_8(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static inline __m256i load_16(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void store_16(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/* What is the same for all hands of a category: the payoffs, as products of pairs of 16 bits want them; and 1 for each level that is above,
   from which the player's own hand has been taken away twice. */
typedef struct {
    __m256i all[UTEH_MAX_PLAYS], rank[UTEH_MAX_PLAYS], category[5][UTEH_MAX_PLAYS];
    __m128i own[9];
    int p;
} factors_t;

static __m256i two_factors(int64_t low, int64_t high)
{
    return _mm256_set1_epi32((int32_t)(((uint32_t)low & 0xffff) | (uint32_t)high << 16));
}

static void read_factors(const game_t *c, factors_t factors[10])
{
    int i, j, p;

    for (p = 0; p < 10; p++) {
        factors_t *f = &factors[p];

        f->p = p;
        for (i = 0; i < c->nplays; i++) {
            const uteh_form *form = &c->form[c->play[i]][p];

            f->all[i] = _mm256_set1_epi32((int32_t)(form->all * c->hands));
            f->rank[i] = two_factors(form->below, form->through);
            for (j = 0; j < c->ncategories; j += 2)
                f->category[j / 2][i] = two_factors(form->category[j], j + 1 < c->ncategories ? form->category[j + 1] : 0);
        }
        for (j = 0; j < c->ncategories; j++)
            f->own[j] = _mm_set1_epi16((int16_t)(c->own && c->categories[j] > p));
    }
}

/* Eight rows of eight numbers, turned round. */
static inline void turn_16(__m128i r[8])
{
    __m128i a[8], b[8];
    int i;

    for (i = 0; i < 4; i++) {
        a[2 * i] = _mm_unpacklo_epi16(r[2 * i], r[2 * i + 1]);
        a[2 * i + 1] = _mm_unpackhi_epi16(r[2 * i], r[2 * i + 1]);
    }
    for (i = 0; i < 8; i += 4) {
        b[i] = _mm_unpacklo_epi32(a[i], a[i + 2]);
        b[i + 1] = _mm_unpackhi_epi32(a[i], a[i + 2]);
        b[i + 2] = _mm_unpacklo_epi32(a[i + 1], a[i + 3]);
        b[i + 3] = _mm_unpackhi_epi32(a[i + 1], a[i + 3]);
    }
    for (i = 0; i < 4; i++) {
        r[2 * i] = _mm_unpacklo_epi64(b[i], b[i + 4]);
        r[2 * i + 1] = _mm_unpackhi_epi64(b[i], b[i + 4]);
    }
}

static inline void turn_32(__m256i r[8])
{
    __m256i a[8], b[8];
    int i;

    for (i = 0; i < 4; i++) {
        a[2 * i] = _mm256_unpacklo_epi32(r[2 * i], r[2 * i + 1]);
        a[2 * i + 1] = _mm256_unpackhi_epi32(r[2 * i], r[2 * i + 1]);
    }
    for (i = 0; i < 8; i += 4) {
        b[i] = _mm256_unpacklo_epi64(a[i], a[i + 2]);
        b[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 2]);
        b[i + 2] = _mm256_unpacklo_epi64(a[i + 1], a[i + 3]);
        b[i + 3] = _mm256_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
    for (i = 0; i < 4; i++) {
        r[i] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x20);
        r[i + 4] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x31);
    }
}

/* The sums of four vectors. */
static inline __m128i four_sums(__m128i s, __m128i t, __m128i u, __m128i v)
{
    const __m128i a = _mm_add_epi32(_mm_unpacklo_epi32(s, t), _mm_unpackhi_epi32(s, t));
    const __m128i b = _mm_add_epi32(_mm_unpacklo_epi32(u, v), _mm_unpackhi_epi32(u, v));

    return _mm_add_epi32(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b));
}

static inline int32_t one_sum(__m128i s)
{
    return _mm_cvtsi128_si32(four_sums(s, s, s, s));
}

/* One multiset of ranks, of which the classes are seen batch by batch. */
typedef struct {
    const game_t *c;
    const factors_t *factors; /* by category */
    const multiset_t *m;
    const factors_t *of[PAIRS]; /* for a rank pair's category; or NULL, where the board's ranks leave none */
    int8_t place[13]; /* of a rank among the distinct ones; 5: it is none of them */
    int32_t level[PAIRS * UTEH_LEVELS]; /* with the board seen without suits, dealer hands: [rank pair][level] */
    /* The batch. */
    const batch_t *b;
    const passed_t *at[9]; /* where categories that make a difference start */
    int lane, nlanes; /* where classes start and end; before them is the board without suits */
    const board_t *boards;
    __m128i any_off[13], two_off[13], any_in[13]; /* -1 where there are live cards */
    lanes_t ways[6][6]; /* of the boards' other cards, by the places of a hole's cards off the suit */
    __m256i fold[10];
    int one_suited; /* whether there are boards on which one hole card of the suit makes a flush; */
    int16_t one_below[13][LANES],
        one_through[13][LANES]; /* by its rank: dealer's lower flushes, and flushes not above; -1: no flush */
    __m128i flush[13]; /* -1 where there is one */
    /* Of values: */
    int32_t plain[PAIRS * MOST_COLUMNS]; /* with the board seen without suits: [rank pair][column] */
    uint32_t *to; /* [class][column][cell]: what the suits change */
    int64_t *first; /* [cell][category][level]: deals, with every board in all its ways, beyond those without suits */
    int32_t replaced[CELLS]; /* boards on which hands are flushes and no more what they are without suits */
    /* Of ends: */
    const uint16_t (*times)[LANES]; /* [column][cell]: how often the hand comes there */
    __m128i reached[MOST_COLUMNS][PAIRS]; /* the same, added up by rank pair */
    __m128i sums[UTEH_MAX_PLAYS + 1][UTEH_LEVELS]; /* by action and level, not yet added to */
    int nsums, most, category; /* so many hands, of at most so many, of one category */
    int nslots, slot[UTEH_MAX_PLAYS + 1]; /* actions that there are */
    __m128i *column_sums[MOST_COLUMNS], *river_sums[UTEH_MAX_ACTIONS]; /* of each column's action, and of each on the river */
    __m256i folded; /* by class */
    uint8_t best[PAIRS]; /* place of the action on the river, with the board seen without suits */
    uteh_ends *ends;
} walk_t;

/* What is left of a number of dealer hands for both cards of a rank pair off the suit, the higher of it, and the lower of it. */
static ALWAYS_INLINE void note_avx2(const passed_t *now, __m128i less, int x, int y, int pair, int16_t (*out)[PAIRS][LANES])
{
    const __m128i off_x = _mm_sub_epi16(less, load_8(now->off[x])), in_x = _mm_sub_epi16(less, load_8(now->in[x]));
    const __m128i off_y = load_8(now->off[y]);

    _mm_storeu_si128((__m128i *)(void *)out[0][pair], _mm_sub_epi16(off_x, off_y));
    _mm_storeu_si128((__m128i *)(void *)out[1][pair], _mm_sub_epi16(in_x, off_y));
    _mm_storeu_si128((__m128i *)(void *)out[2][pair], _mm_sub_epi16(off_x, load_8(now->in[y])));
}

static inline void add_to(int16_t *to, __m128i more)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm_add_epi16(load_8(to), more));
}

static ALWAYS_INLINE void pass_avx2(batch_t *b, int x, int y)
{
    passed_t *now = &b->now;
    const __m128i a = load_8(b->off[x]), s = load_8(b->in[x]), one = load_8(b->one);

    if (x == y) {
        const __m128i others = _mm_add_epi16(a, _mm_cmpgt_epi16(a, _mm_setzero_si128())); /* a - 1, or 0 */

        add_to(now->less, _mm_add_epi16(_mm_srli_epi16(_mm_mullo_epi16(a, others), 1), _mm_mullo_epi16(s, a)));
        add_to(now->off[x], _mm_add_epi16(others, s));
        add_to(now->in[x], _mm_and_si128(a, one));
    } else {
        const __m128i o = load_8(b->off[y]), t = load_8(b->in[y]), both = _mm_add_epi16(o, t);

        add_to(now->less, _mm_add_epi16(_mm_mullo_epi16(a, both), _mm_mullo_epi16(s, o)));
        add_to(now->off[x], both);
        add_to(now->off[y], _mm_add_epi16(a, s));
        add_to(now->in[x], _mm_and_si128(o, one));
        add_to(now->in[y], _mm_and_si128(a, one));
    }
}

static void sweep_avx2(const game_t *c, batch_t *b, const sorted_t *s)
{
    const __m128i own = _mm_set1_epi16((int16_t)c->own);
    int i, j, k;

    if (c->g->ndealer) {
        sweep(c, b, s);
        return;
    }
    start_sweep(b);
    for (i = 0; i < PAIRS && !s->strength[i]; i++)
        ;
    for (; i < PAIRS; i = j) {
        __m128i less;

        reach(c, b, uteh_category[s->strength[i]]);
        less = load_8(b->now.less);
        for (j = i; s->strength[j] == s->strength[i]; j++)
            note_avx2(&b->now, less, c->x[s->pair[j]], c->y[s->pair[j]], s->pair[j], b->below);
        for (k = i; k < j; k++)
            pass_avx2(b, c->x[s->pair[k]], c->y[s->pair[k]]);
        less = _mm_add_epi16(load_8(b->now.less), own);
        for (k = i; k < j; k++)
            note_avx2(&b->now, less, c->x[s->pair[k]], c->y[s->pair[k]], s->pair[k], b->through);
    }
    end_sweep(c, b);
}

static void start_batch(walk_t *w)
{
    const game_t *c = w->c;
    const uteh_plan *plan = &c->g->plan;
    const __m128i zero = _mm_setzero_si128(), one = _mm_set1_epi16(1);
    int32_t fold[LANES];
    int i, l;

    find_ways(w->m, w->place, w->lane, w->boards, w->nlanes - w->lane, w->ways);
    for (i = 0; i < 13; i++) {
        w->any_off[i] = _mm_cmpgt_epi16(load_8(w->b->off[i]), zero);
        w->two_off[i] = _mm_cmpgt_epi16(load_8(w->b->off[i]), one);
        w->any_in[i] = _mm_cmpgt_epi16(load_8(w->b->in[i]), zero);
    }
    for (i = 0; i < 10; i++) {
        for (l = 0; l < LANES; l++) {
            const int board = l >= w->lane && l < w->nlanes ? w->boards[l - w->lane].category : w->m->sorted.board;

            fold[l] = (int32_t)(c->hands * plan->fold[plan->fold_by_board ? board : i]);
        }
        w->fold[i] = load_16(fold);
    }
    for (i = 0; i < c->ncategories; i++)
        w->at[i] = &w->b->at[c->categories[i]];
    w->one_suited = 0;
    for (l = w->lane; l < w->nlanes && !c->g->both; l++)
        w->one_suited |= w->boards[l - w->lane].n == 4;
    for (i = 0; w->one_suited && i < 13; i++) {
        for (l = 0; l < LANES; l++) {
            const int there = l >= w->lane && l < w->nlanes;

            w->one_below[i][l] = there ? w->b->flushes[l]->below[78 + i] : 0;
            w->one_through[i][l] = there ? w->b->flushes[l]->through[78 + i] : -1;
        }
        w->flush[i] = _mm_cmpgt_epi16(load_8(w->one_through[i]), _mm_set1_epi16(-1));
    }
}

/* Numbers that are loops' ends, known where this is compiled for the usual ones. */
typedef struct {
    int ncategories, nplays, nriver, ncolumns, usual;
} sizes_t;

static ALWAYS_INLINE int river_source(const walk_t *w, const sizes_t z, int i)
{
    return !z.usual ? w->c->river_source[i] : i ? 1 : SOURCE_FOLD;
}

static ALWAYS_INLINE int column_source(const walk_t *w, const sizes_t z, int i)
{
    return !z.usual ? w->c->column_source[i] : i ? 0 : SOURCE_BEST;
}

static inline __m256i two_by_two(__m128i a, __m128i b)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi16(a, b)), _mm_unpackhi_epi16(a, b), 1);
}

/* What plays are worth to a hand. */
static ALWAYS_INLINE void find_worth(const walk_t *w, const factors_t *f, __m128i below, __m128i through, const __m128i *level,
                                     const sizes_t z, __m256i worth[SOURCES])
{
    const __m256i rank = two_by_two(below, through);
    int j, k;

    for (k = 0; k < z.nplays; k++)
        worth[k] = _mm256_add_epi32(f->all[k], _mm256_madd_epi16(rank, f->rank[k]));
    for (j = 0; j < z.ncategories; j += 2) {
        const __m256i both = j + 1 < z.ncategories ? two_by_two(level[j], level[j + 1]) : _mm256_cvtepu16_epi32(level[j]);

        for (k = 0; k < z.nplays; k++)
            worth[k] = _mm256_add_epi32(worth[k], _mm256_madd_epi16(both, f->category[j / 2][k]));
    }
    worth[SOURCE_FOLD] = w->fold[f->p];
}

/* Hands by their ranks, and flushes with one hole card of the suit and with two. */
enum { BY_RANKS, ONE_SUITED, TWO_SUITED };

/* Hands of one cell on the classes of a batch: dealer's hands below and not above them, and at each level by category; -1 where there are
   such hands; and the ways of the board's other cards. */
typedef struct {
    int kind, cell, pair;
    const factors_t *f;
    __m128i below, through, level[9], live, ways;
} hands_t;

/* By column, what the suits change goes to `to`, or is added to it. `first` is the cell's. */
static ALWAYS_INLINE void see_values(walk_t *w, const hands_t *h, int64_t *first, const sizes_t z, __m256i (*to)[8])
{
    const int nlevels = 3 + z.ncategories;
    const __m256i wide = _mm256_cvtepi16_epi32(h->live);
    const __m128i times = _mm_and_si128(h->live, h->ways);
    const int32_t *level = w->level + h->pair * nlevels;
    __m256i worth[SOURCES], wider;
    __m128i below = h->below, through = h->through, category = _mm_setzero_si128(), sums;
    int i;

    first += h->f->p * nlevels;
    find_worth(w, h->f, h->below, h->through, h->level, z, worth);
    worth[SOURCE_BEST] = worth[river_source(w, z, 0)];
    for (i = 1; i < z.nriver; i++)
        worth[SOURCE_BEST] = _mm256_max_epi32(worth[SOURCE_BEST], worth[river_source(w, z, i)]);
    for (i = 0; i < z.ncolumns; i++) {
        const __m256i value = worth[column_source(w, z, i)];
        int32_t *plain = &w->plain[h->pair * z.ncolumns + i];
        __m256i change;

        if (h->kind == BY_RANKS && w->lane && h->cell < PAIRS) /* the first lane is the board without suits */
            *plain = _mm_cvtsi128_si32(_mm256_castsi256_si128(value));
        change = _mm256_and_si256(wide, _mm256_sub_epi32(value, _mm256_set1_epi32(*plain)));
        *to[i] = h->kind == ONE_SUITED ? _mm256_or_si256(*to[i], change) : change;
    }
    if (z.ncategories)
        category = h->level[0];
    if (h->kind == BY_RANKS) { /* of the same category as without suits */
        below = _mm_sub_epi16(below, _mm_set1_epi16((int16_t)level[1]));
        through = _mm_sub_epi16(through, _mm_set1_epi16((int16_t)level[2]));
        if (z.ncategories)
            category = _mm_sub_epi16(category, _mm_set1_epi16((int16_t)level[3]));
    }
    sums = four_sums(h->kind == BY_RANKS ? _mm_setzero_si128() : _mm_madd_epi16(times, _mm_set1_epi16(1)),
                     _mm_madd_epi16(times, below), _mm_madd_epi16(times, through), _mm_madd_epi16(times, category));
    wider = _mm256_cvtepi32_epi64(sums);
    if (h->kind != BY_RANKS) {
        w->replaced[h->cell] += _mm_cvtsi128_si32(sums);
        wider = _mm256_mul_epi32(wider, _mm256_set_epi64x(1, 1, 1, w->c->hands));
    }
    if (z.ncategories)
        store_16(first, _mm256_add_epi64(load_16(first), wider));
    else {
        first[0] += _mm256_extract_epi64(wider, 0);
        first[1] += _mm256_extract_epi64(wider, 1);
        first[2] += _mm256_extract_epi64(wider, 2);
    }
    for (i = 1; i < z.ncategories; i++) {
        category = h->level[i];
        if (h->kind == BY_RANKS)
            category = _mm_sub_epi16(category, _mm_set1_epi16((int16_t)level[3 + i]));
        first[3 + i] += one_sum(_mm_madd_epi16(times, category));
    }
}

/* Sums of so many hands, over all classes of a batch, stay below 2**31: each adds at most 8 x 3,240 x 990, where a flop card is shown three
   times that (see gather_class). */
enum { MOST_SUMS = 83, MOST_SUMS_SHOWN = 27 };

/* Adds up what has been seen of one category. */
static void end_sums(walk_t *w)
{
    const game_t *c = w->c;
    int i, j;

    for (i = 0; w->nsums && i < w->nslots; i++)
        for (j = 0; j < c->nlevels; j++) {
            const int64_t sum = one_sum(w->sums[w->slot[i]][j]);

            w->ends->by_level[w->slot[i]][w->category][j] += j ? sum : sum * c->hands;
            w->sums[w->slot[i]][j] = _mm_setzero_si128();
        }
    w->nsums = 0;
}

static __m128i *sums_of(walk_t *w, int action)
{
    return w->sums[action < 0 ? UTEH_END_FOLD : action];
}

static void start_sums(walk_t *w)
{
    const game_t *c = w->c;
    int i;

    memset(w->reached, 0, (size_t)c->ncolumns * sizeof(w->reached[0]));
    memset(w->sums, 0, sizeof(w->sums));
    w->nsums = w->category = 0;
    w->most = c->g->flop_exposed ? MOST_SUMS_SHOWN : MOST_SUMS;
    for (i = 0; i < c->nplays; i++)
        w->slot[i] = c->play[i];
    w->slot[i] = UTEH_END_FOLD;
    w->nslots = i + 1;
    for (i = 0; i < c->ncolumns; i++)
        w->column_sums[i] = c->column_action[i] == UTEH_A_CHECK ? NULL : sums_of(w, c->column_action[i]);
    for (i = 0; i < c->nriver; i++)
        w->river_sums[i] = sums_of(w, c->g->plan.actions[UTEH_RIVER][i]);
}

static ALWAYS_INLINE void add_ends(walk_t *w, __m128i *to, int fold, __m128i n, const hands_t *h, const sizes_t z)
{
    int j;

    to[0] = _mm_add_epi32(to[0], _mm_madd_epi16(n, _mm_set1_epi16(1)));
    to[1] = _mm_add_epi32(to[1], _mm_madd_epi16(n, h->below));
    to[2] = _mm_add_epi32(to[2], _mm_madd_epi16(n, h->through));
    for (j = 0; j < z.ncategories; j++)
        to[3 + j] = _mm_add_epi32(to[3 + j], _mm_madd_epi16(n, h->level[j]));
    if (fold)
        w->folded = _mm256_add_epi32(w->folded, _mm256_cvtepu16_epi32(n));
}

static ALWAYS_INLINE void see_ends(walk_t *w, const hands_t *h, const sizes_t z)
{
    const uteh_plan *plan = &w->c->g->plan;
    __m256i worth[SOURCES], best, place = _mm256_setzero_si256();
    int i, k;

    if (h->f->p != w->category || w->nsums == w->most) {
        end_sums(w);
        w->category = h->f->p;
    }
    w->nsums++;
    find_worth(w, h->f, h->below, h->through, h->level, z, worth);
    best = worth[river_source(w, z, 0)];
    for (i = 1; i < z.nriver; i++) {
        const __m256i value = worth[river_source(w, z, i)], better = _mm256_cmpgt_epi32(value, best);

        best = _mm256_max_epi32(best, value);
        place = _mm256_blendv_epi8(place, _mm256_set1_epi32(i), better);
    }
    if (h->kind == BY_RANKS && w->lane && h->cell < PAIRS)
        w->best[h->pair] = (uint8_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(place));
    for (k = 0; k < z.ncolumns; k++) {
        const __m128i n = _mm_and_si128(load_8(w->times[k * CELLS + h->cell]), h->live);
        const int action = !z.usual ? w->c->column_action[k] : k ? 0 : UTEH_A_CHECK; /* usually the second is a play */

        w->reached[k][h->pair] = _mm_add_epi32(w->reached[k][h->pair], _mm_madd_epi16(n, _mm_set1_epi16(1)));
        if (action != UTEH_A_CHECK) {
            add_ends(w, w->column_sums[k], action < 0, n, h, z);
            continue;
        }
        for (i = 0; i < z.nriver; i++) {
            const __m256i mask = _mm256_cmpeq_epi32(place, _mm256_set1_epi32(i));
            const __m128i here = _mm_packs_epi32(_mm256_castsi256_si128(mask), _mm256_extracti128_si256(mask, 1));

            add_ends(w, w->river_sums[i], z.usual ? !i : plan->actions[UTEH_RIVER][i] < 0, _mm_and_si128(n, here), h, z);
        }
    }
}

/* The levels of a hand by category, from what is through its cards at the place where each starts. */
static ALWAYS_INLINE void find_levels(const walk_t *w, int in_x, int x, int in_y, int y, const sizes_t z, hands_t *h)
{
    int j;

    for (j = 0; j < z.ncategories; j++) {
        const passed_t *at = w->at[j];
        const __m128i less = _mm_sub_epi16(load_8(at->less), load_8(in_x ? at->in[x] : at->off[x]));

        h->level[j] = _mm_add_epi16(_mm_sub_epi16(less, load_8(in_y ? at->in[y] : at->off[y])), h->f->own[j]);
    }
}

/* Both cards off the suit; from the board seen without suits, the levels are noted. */
static ALWAYS_INLINE hands_t read_off(walk_t *w, const batch_t *b, int pair, int x, int y, const sizes_t z)
{
    hands_t h;
    int j;

    h.kind = BY_RANKS;
    h.cell = h.pair = pair;
    h.f = w->of[pair];
    h.below = load_8(b->below[0][pair]);
    h.through = load_8(b->through[0][pair]);
    h.live = _mm_and_si128(w->any_off[x], x == y ? w->two_off[y] : w->any_off[y]);
    h.ways = load_8(w->ways[w->place[x]][w->place[y]]);
    find_levels(w, 0, x, 0, y, z, &h);
    if (w->lane) {
        int32_t *level = w->level + pair * (3 + z.ncategories);

        level[0] = w->c->hands;
        level[1] = _mm_cvtsi128_si32(h.below) & 0xffff;
        level[2] = _mm_cvtsi128_si32(h.through) & 0xffff;
        for (j = 0; j < z.ncategories; j++)
            level[3 + j] = _mm_cvtsi128_si32(h.level[j]) & 0xffff;
    }
    return h;
}

/* A rank of the suit and one off it, where that is no flush. */
static ALWAYS_INLINE hands_t read_mixed(const walk_t *w, const batch_t *b, int pair, int x, int y, const sizes_t z)
{
    hands_t h;

    h.kind = BY_RANKS;
    h.cell = MIXED + 16 * x + y;
    h.pair = pair;
    h.f = w->of[pair];
    h.below = load_8(b->below[x < y ? 2 : 1][pair]);
    h.through = load_8(b->through[x < y ? 2 : 1][pair]);
    h.live = _mm_and_si128(w->any_in[x], w->any_off[y]);
    h.ways = load_8(w->ways[5][w->place[y]]);
    find_levels(w, 1, x, 0, y, z, &h);
    return h;
}

/* The same where it is one. The dealer's lower hands are those below all flushes and the lower flushes. */
static ALWAYS_INLINE hands_t read_one_suited(const walk_t *w, const batch_t *b, int pair, int x, int y, const sizes_t z)
{
    const passed_t *start = &b->at[UTEH_FLUSH_CATEGORY];
    const __m128i lower = _mm_sub_epi16(_mm_sub_epi16(load_8(start->less), load_8(start->in[x])), load_8(start->off[y]));
    hands_t h;

    h.kind = ONE_SUITED;
    h.cell = MIXED + 16 * x + y;
    h.pair = pair;
    h.f = &w->factors[UTEH_FLUSH_CATEGORY];
    h.below = _mm_add_epi16(lower, load_8(w->one_below[x]));
    h.through = _mm_add_epi16(lower, load_8(w->one_through[x]));
    h.live = _mm_and_si128(w->flush[x], w->any_off[y]);
    h.ways = load_8(w->ways[5][w->place[y]]);
    find_levels(w, 1, x, 0, y, z, &h);
    return h;
}

/* Eight hands with two cards of the suit, from the i-th: their flushes, by hand. */
static inline void read_flushes(const walk_t *w, int i, __m128i below[8], __m128i through[8])
{
    int l;

    for (l = 0; l < LANES; l++) {
        const int there = l >= w->lane && l < w->nlanes;

        below[l] = there ? load_8(w->b->flushes[l]->below + i) : _mm_setzero_si128();
        through[l] = there ? load_8(w->b->flushes[l]->through + i) : _mm_set1_epi16(-1);
    }
    turn_16(below);
    turn_16(through);
}

static ALWAYS_INLINE hands_t read_two_suited(const walk_t *w, const batch_t *b, int i, int x, int y, __m128i below, __m128i through,
                                             const sizes_t z)
{
    const passed_t *start = &b->at[UTEH_FLUSH_CATEGORY];
    const __m128i lower = _mm_sub_epi16(_mm_sub_epi16(load_8(start->less), load_8(start->in[x])), load_8(start->in[y]));
    hands_t h;

    h.kind = TWO_SUITED;
    h.cell = INSIDE + i;
    h.pair = i + x; /* which are the pairs of different ranks, and one of each rank below */
    h.f = &w->factors[UTEH_FLUSH_CATEGORY];
    h.below = _mm_add_epi16(lower, below);
    h.through = _mm_add_epi16(lower, through);
    h.live = _mm_cmpgt_epi16(through, _mm_set1_epi16(-1));
    h.ways = load_8(w->ways[5][5]);
    find_levels(w, 1, x, 1, y, z, &h);
    return h;
}

/* Eight cells of all columns, turned round and written to the classes. */
static ALWAYS_INLINE void write_cells(const walk_t *w, int cell, const sizes_t z, __m256i (*of)[8])
{
    int k, l;

    for (k = 0; k < z.ncolumns; k++) {
        turn_32(of[k]);
        for (l = w->lane; l < w->nlanes; l++)
            store_16(w->to + ((l - w->lane) * z.ncolumns + k) * CELLS + cell, of[k][l]);
    }
}

/* What the suits change for all hands of a batch but straight flushes, cell by cell. */
static ALWAYS_INLINE void find_values(walk_t *w, const sizes_t z)
{
    const batch_t *const b = w->b;
    const int each = 10 * (3 + z.ncategories);
    int64_t *first = w->first;
    __m256i of[MOST_COLUMNS][8];
    __m128i below[8], through[8];
    hands_t h;
    int i, k, x, y;

#define AT(i) (__m256i(*)[8]) & of[0][(i) % 8]
#define NOTHING(i)                                                                                                                 \
    for (k = 0; k < z.ncolumns; k++)                                                                                               \
    of[k][(i) % 8] = _mm256_setzero_si256()
    for (x = 0, i = 0; x < 13; x++)
        for (y = 0; y <= x; y++, i++, first += each) {
            if (w->of[i]) {
                h = read_off(w, b, i, x, y, z);
                see_values(w, &h, first, z, AT(i));
            } else
                NOTHING(i);
            if (i % 8 == 7)
                write_cells(w, i - 7, z, of);
        }
    write_cells(w, PAIRS / 8 * 8, z, of); /* and what is no cell */
    first = w->first + MIXED * each;
    for (x = 0; x < 13; x++)
        for (y = 0; y < 16; y++, first += each) {
            const int pair = y < 13 ? w->c->pair[x][y] : 0;

            if (y < 13 && w->of[pair]) {
                h = read_mixed(w, b, pair, x, y, z);
                see_values(w, &h, first, z, AT(y));
                if (w->one_suited) {
                    h = read_one_suited(w, b, pair, x, y, z);
                    see_values(w, &h, first, z, AT(y));
                }
            } else
                NOTHING(y);
            if (y % 8 == 7)
                write_cells(w, MIXED + 16 * x + y - 7, z, of);
        }
    first = w->first + INSIDE * each;
    for (x = 1, i = 0; x < 13; x++)
        for (y = 0; y < x; y++, i++, first += each) {
            if (i % 8 == 0)
                read_flushes(w, i, below, through);
            h = read_two_suited(w, b, i, x, y, below[i % 8], through[i % 8], z);
            see_values(w, &h, first, z, AT(i));
            if (i % 8 == 7)
                write_cells(w, INSIDE + i - 7, z, of);
        }
    write_cells(w, INSIDE + 72, z, of);
#undef NOTHING
#undef AT
}

/* How deals end with all hands of a batch but straight flushes, by category. */
static ALWAYS_INLINE void find_ends(walk_t *w, const sizes_t z)
{
    const batch_t *const b = w->b;
    __m128i below[8], through[8];
    hands_t h;
    int i, x, y;

    for (i = 0; i < PAIRS; i++) {
        const int pair = w->m->sorted.pair[i];

        if (!w->of[pair])
            continue;
        x = w->c->x[pair];
        y = w->c->y[pair];
        h = read_off(w, b, pair, x, y, z);
        see_ends(w, &h, z);
        h = read_mixed(w, b, pair, x, y, z);
        see_ends(w, &h, z);
        if (x == y)
            continue;
        h = read_mixed(w, b, pair, y, x, z);
        see_ends(w, &h, z);
    }
    for (x = 1, i = 0; x < 13; x++)
        for (y = 0; y < x; y++, i++) {
            if (i % 8 == 0)
                read_flushes(w, i, below, through);
            h = read_two_suited(w, b, i, x, y, below[i % 8], through[i % 8], z);
            see_ends(w, &h, z);
        }
    for (x = 0; w->one_suited && x < 13; x++)
        for (y = 0; y < 13; y++) {
            h = read_one_suited(w, b, w->c->pair[x][y], x, y, z);
            see_ends(w, &h, z);
        }
}

static const sizes_t usual_sizes = {1, 2, 2, 2, 1};

static sizes_t sizes_of(const game_t *c)
{
    const sizes_t sizes = {c->ncategories, c->nplays, c->nriver, c->ncolumns, 0};

    return sizes;
}

static void see_batch_values(walk_t *w)
{
    if (w->c->usual)
        find_values(w, usual_sizes);
    else
        find_values(w, sizes_of(w->c));
}

static void see_batch_ends(walk_t *w)
{
    if (w->c->usual)
        find_ends(w, usual_sizes);
    else
        find_ends(w, sizes_of(w->c));
}

/* Hands from this category up are not seen in lanes: all on boards that are flushes, straight flushes on others; 10 for none. */
static int least_alone(const board_t *board)
{
    return board->whole ? 0 : board->flushes->straight ? UTEH_FLUSH_CATEGORY + 1 : 10;
}

static void start_walk(walk_t *w, const game_t *c, const factors_t *factors, const multiset_t *m)
{
    int i;

    w->c = c;
    w->factors = factors;
    w->m = m;
    find_places(m, w->place);
    for (i = 0; i < PAIRS; i++) {
        const unsigned strength = m->sorted.strength[i];

        w->of[m->sorted.pair[i]] = strength ? &factors[uteh_category[strength]] : NULL;
    }
}

/* Adds the classes of a multiset to the rows, and reads from them, with wider vectors. */
static void add_rows_avx2(const game_t *c, const multiset_t *m, const uint32_t *work, char *scratch)
{
    add_rows_32(c, m, work, scratch);
}

static void gather_avx2(const game_t *c, const board_t *board, const uint16_t *rows, uint16_t *to)
{
    gather_class(c, board, rows, to);
}

static void gather_ranks_avx2(const game_t *c, const multiset_t *m, const int32_t *all, int32_t *to)
{
    gather_ranks(c, m, all, to);
}

/* Units -------------------------------------------------------------------------------------------------------------------------------- */

/* Deals times the numbers of dealer hands at each level. */
static ALWAYS_INLINE void add_levels(int64_t *to, int32_t deals, const int32_t *level, const int nlevels)
{
    int j;

    if (nlevels == 4) {
        const __m256i more = _mm256_mul_epi32(_mm256_cvtepi32_epi64(load_8(level)), _mm256_set1_epi64x(deals));

        store_16(to, _mm256_add_epi64(load_16(to), more));
        return;
    }
    for (j = 0; j < nlevels; j++)
        to[j] += (int64_t)deals * level[j];
}

/* The board without suits, when its batch has been seen. */
static void first_ranks(const walk_t *w, int64_t *first, int64_t *boards)
{
    const game_t *c = w->c;
    const multiset_t *m = w->m;
    int32_t ways[6][6];
    int i, j, x, y, pair = 0;

    for (i = 0; i < 6; i++)
        for (j = 0; j < 6; j++)
            if ((i < m->ndistinct || i == 5) && (j < m->ndistinct || j == 5))
                ways[i][j] = (int32_t)ranks_ways(c, m, i < 5 ? m->distinct[i] : -1, j < 5 ? m->distinct[j] : -1);
    for (x = 0; x < 13; x++)
        for (y = 0; y <= x; y++, pair++) {
            const int32_t n = ways[w->place[x]][w->place[y]];

            if (m->left[x] < 1 + (x == y) || m->left[y] < 1)
                continue;
            add_levels(first + (pair * 10 + w->of[pair]->p) * c->nlevels, n, w->level + pair * c->nlevels, c->nlevels);
            boards[pair * 10 + m->sorted.board] += n;
        }
}

/* Boards that have been counted as flushes are no longer what they are without suits. */
static void take_away_flushes(walk_t *w)
{
    const game_t *c = w->c;
    int i, j;

    for (i = 0; i < CELLS; i += 8) {
        const __m256i replaced = load_16(w->replaced + i);

        if (_mm256_testz_si256(replaced, replaced))
            continue;
        for (j = i; j < i + 8; j++) {
            const int pair = c->ranks_of[j];

            if (w->replaced[j])
                add_levels(w->first + (j * 10 + w->of[pair]->p) * c->nlevels, -w->replaced[j], w->level + pair * c->nlevels,
                           c->nlevels);
        }
    }
}

/* One multiset of ranks and the classes with these ranks. */
static void ranks_unit_avx2(const game_t *c, const factors_t *factors, const multiset_t *m, char *shared, char *scratch)
{
    const int cells = CELLS * c->ncolumns;
    uint32_t *work = (uint32_t *)(void *)(scratch + c->work);
    int64_t *first = (int64_t *)(void *)(scratch + c->sums), *boards = (int64_t *)(void *)(scratch + c->boards);
    flush_hands_t flushes;
    job_32 job;
    batch_t b;
    walk_t w;
    int next = 0, start, with_ranks = 1, i, k;

    start_walk(&w, c, factors, m);
    w.b = &b;
    job.c = c;
    job.m = m;
    job.plain = (uint32_t *)(void *)(shared + c->ranks) + (int64_t)m->number * c->ncolumns * PAIRS;
    job.replaced = w.replaced;
    do {
        start = next;
        next = fill_batch(c, m, start, with_ranks, sweep_avx2, &b);
        if (next > start) {
            const int64_t view = m->board[start].view - c->view;

            w.first = job.first = first + view * CELLS * 10 * c->nlevels;
            job.boards = boards + view * CELLS * 10;
            if (start == 0 || m->board[start].view != m->board[start - 1].view)
                memset(w.replaced, 0, sizeof(w.replaced));
        } else
            w.first = first;
        w.lane = with_ranks;
        w.nlanes = with_ranks + next - start;
        w.boards = m->board + start;
        w.to = work + start * cells;
        if (with_ranks || !m->board[start].whole) {
            start_batch(&w);
            see_batch_values(&w);
        }
        for (i = 0; with_ranks && i < PAIRS; i++)
            for (k = 0; w.of[i] && k < c->ncolumns; k++)
                job.plain[k * PAIRS + i] = (uint32_t)w.plain[i * c->ncolumns + k];
        if (with_ranks)
            first_ranks(&w, first + (int64_t)c->nviews * CELLS * 10 * c->nlevels, boards + (int64_t)c->nviews * CELLS * 10);
        if (next > start && m->board[start].whole)
            memset(w.to, 0, sizeof(*work) * (size_t)(cells * (next - start)));
        for (i = start; i < next; i++) {
            const int least = least_alone(&m->board[i]);

            if (m->board[i].n == 5)
                count_flush_board(c, m, &m->board[i], job.boards);
            if (least == 10)
                continue;
            job.board = &m->board[i];
            job.to = work + i * cells;
            list_flushes(c, job.board, &b, with_ranks + i - start, least, &flushes);
            see_flushes_32(&job, &flushes);
        }
        if (next > start && (next == m->nboards || m->board[next].view != m->board[start].view))
            take_away_flushes(&w);
        with_ranks = 0;
    } while (next < m->nboards);
    add_rows_avx2(c, m, work, scratch);
}

static void ends_unit_avx2(const game_t *c, const factors_t *factors, const multiset_t *m, const char *shared, char *scratch)
{
    const uteh_plan *plan = &c->g->plan;
    const int cells = CELLS * c->ncolumns;
    const uint16_t *rows = (const uint16_t *)(const void *)(shared + c->rows);
    int32_t *ranks = (int32_t *)(void *)(scratch + c->work);
    uint16_t *times = (uint16_t *)(void *)(ranks + c->ncolumns * PAIRS);
    uint16_t (*lanes)[LANES] = (uint16_t (*)[LANES])(void *)(times + LANES * cells);
    ending_t e;
    batch_t b;
    walk_t w;
    int next = 0, start, with_ranks = 1, i, j, k, l;

    start_walk(&w, c, factors, m);
    w.b = &b;
    w.times = (const uint16_t (*)[LANES])lanes;
    w.ends = e.ends = (uteh_ends *)(void *)(scratch + c->sums);
    start_sums(&w);
    gather_ranks_avx2(c, m, (const int32_t *)(const void *)(shared + c->all), ranks);
    e.c = c;
    e.ranks = NULL;
    e.left = ranks;
    do {
        start = next;
        next = fill_batch(c, m, start, with_ranks, sweep_avx2, &b);
        for (i = start; i < next; i++)
            gather_avx2(c, &m->board[i], rows, times + (i - start) * cells);
        w.lane = with_ranks;
        w.nlanes = with_ranks + next - start;
        w.boards = m->board + start;
        if (with_ranks || !m->board[start].whole) {
            uint32_t folded[LANES];

            for (j = 0; j < cells; j += 8) {
                __m128i turned[8];

                for (l = 0; l < LANES; l++)
                    turned[l] = l >= w.lane && l < w.nlanes ? load_8(times + (l - w.lane) * cells + j) : _mm_setzero_si128();
                turn_16(turned);
                for (l = 0; l < 8; l++)
                    _mm_storeu_si128((__m128i *)(void *)lanes[j + l], turned[l]);
            }
            w.folded = _mm256_setzero_si256();
            start_batch(&w);
            see_batch_ends(&w);
            store_16(folded, w.folded);
            for (i = start; i < next; i++)
                e.ends->fold_board[m->board[i].category] += (int64_t)folded[w.lane + i - start] * c->hands;
        }
        for (i = start; i < next; i++) {
            const int least = least_alone(&m->board[i]);

            if (least == 10)
                continue;
            e.board = m->board[i].category;
            e.times = times + (i - start) * cells;
            visit_flushes(c, &m->board[i], &b, with_ranks + i - start, least, see_end, &e);
        }
        with_ranks = 0;
    } while (next < m->nboards);
    end_sums(&w);
    /* What is left are boards on which no flush is possible. */
    for (i = 0; i < PAIRS; i++) {
        for (k = 0; w.of[i] && k < c->ncolumns; k++) {
            const int32_t n = ranks[k * PAIRS + i] - one_sum(w.reached[k][i]);
            int action = c->column_action[k];

            if (action == UTEH_A_CHECK)
                action = plan->actions[UTEH_RIVER][w.best[i]];
            if (action < 0) {
                action = UTEH_END_FOLD;
                e.ends->fold_board[m->sorted.board] += (int64_t)n * c->hands;
            }
            add_levels(e.ends->by_level[action][w.of[i]->p], n, w.level + i * c->nlevels, c->nlevels);
        }
    }
}

static void all_unit_avx2(const game_t *c, const int8_t flop[3], char *shared)
{
    all_unit_32(c, flop, shared);
}

/* Flops -------------------------------------------------------------------------------------------------------------------------------- */

/* Holes by their suits, of which the second is not below the first, and a matrix of their ranks in this order; with one suit the higher rank
   comes first. Sums of a value are a matrix for the ranks alone and one for each suit of the flop, which depends on whether the first, the
   second or both cards are of it. */
enum { SUIT_PAIRS = 10 };
typedef struct {
    uint16_t place[UTEH_HOLES]; /* of a hole in the matrices */
    int64_t sums[SUIT_PAIRS * MATRIX];
    uint8_t decisions[SUIT_PAIRS * MATRIX];
    int ranks; /* of the flop for which `all` stands, or -1 */
    uint32_t all[UTEH_MAX_ACTIONS][MATRIX];
    uint32_t both_off[3][UTEH_MAX_ACTIONS][MATRIX], second_in[3][UTEH_MAX_ACTIONS][MATRIX], both_in[3][UTEH_MAX_ACTIONS][MATRIX];
} matrices_t;

static int suit_pair(int s, int t)
{
    return s * (7 - s) / 2 + t;
}

static void start_matrices(matrices_t *x)
{
    int a, b, s, t, hole = 0;

    memset(x, 0, sizeof(*x));
    x->ranks = -1;
    for (a = 1; a < 52; a++)
        for (b = 0; b < a; b++, hole++) {
            const int swap = (a & 3) > (b & 3), first = swap ? b : a, second = swap ? a : b;

            s = first & 3;
            t = second & 3;
            x->place[hole] = (uint16_t)(suit_pair(s, t) * MATRIX + (first >> 2) * 16 + (second >> 2));
        }
}

/* To a symmetric matrix, from rank pairs (`pairs` 1) or from pairs of different ranks. */
static void spread(const uint32_t *from, int pairs, uint32_t *to)
{
    int x, y;

    for (x = 0; x < 13; x++)
        for (y = 0; y < x + pairs; y++, from++)
            to[16 * x + y] = to[16 * y + x] = *from;
}

static void flop_unit_avx2(const game_t *c, const flop_t *f, const char *shared, matrices_t *x, uint8_t *decisions)
{
    const int width = c->ncolumns;
    const uint64_t taken = taken_cards(c, f);
    const uint32_t *rows[3];
    int32_t live[4][16];
    int i, j, k, n, s, t, hole;

    if (f->ranks != x->ranks)
        for (k = 0; k < width; k++)
            spread((const uint32_t *)(const void *)(shared + c->all) + ((int64_t)f->ranks * width + k) * PAIRS, 1, x->all[k]);
    x->ranks = f->ranks;
    for (n = 0; n < f->nrows; n++) {
        rows[n] = (const uint32_t *)(const void *)(shared + c->rows) + (int64_t)f->row[n] * CELLS * width;
        for (k = 0; k < width; k++) {
            spread(rows[n] + k * CELLS, 1, x->both_off[n][k]);
            spread(rows[n] + k * CELLS + INSIDE, 0, x->both_in[n][k]);
            for (i = 0; i < 13; i++)
                for (j = 0; j < 13; j++)
                    x->second_in[n][k][16 * j + i] = rows[n][k * CELLS + MIXED + 16 * i + j];
        }
    }
    memset(live, 0, sizeof(live));
    for (s = 0; s < 4; s++)
        for (i = 0; i < 13; i++)
            live[s][i] = taken >> (4 * i + s) & 1 ? 0 : -1;
    for (s = 0; s < 4; s++)
        for (t = s; t < 4; t++) {
            const int at = suit_pair(s, t) * MATRIX;
            const uint32_t *from[4][UTEH_MAX_ACTIONS];

            for (k = 0; k < width; k++) {
                from[0][k] = x->all[k];
                for (n = 0; n < f->nrows; n++)
                    from[1 + n][k] = s == f->suit[n] && t == f->suit[n] ? x->both_in[n][k]
                                     : s == f->suit[n]                  ? rows[n] + k * CELLS + MIXED
                                     : t == f->suit[n]                  ? x->second_in[n][k]
                                                                        : x->both_off[n][k];
            }
            for (i = 0; i < MATRIX; i += 8) {
                const int rank = i / 16;
                __m256i mask = load_16(&live[t][i % 16]), best = _mm256_setzero_si256(), place = _mm256_setzero_si256();
                const __m256i times = _mm256_set1_epi64x(f->times);
                __m128i bytes;

                mask = _mm256_and_si256(mask, _mm256_set1_epi32(live[s][rank]));
                if (s == t)
                    mask = _mm256_and_si256(
                        mask, _mm256_cmpgt_epi32(_mm256_set1_epi32(rank - i % 16), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
                for (k = 0; k < width; k++) {
                    __m256i sum = load_16(from[0][k] + i), better;

                    for (n = 0; n < f->nrows; n++)
                        sum = _mm256_add_epi32(sum, load_16(from[1 + n][k] + i));
                    if (k == 0) {
                        best = sum;
                        continue;
                    }
                    better = _mm256_cmpgt_epi32(sum, best);
                    best = _mm256_max_epi32(best, sum);
                    place = _mm256_blendv_epi8(place, _mm256_set1_epi32(k), better);
                }
                best = _mm256_and_si256(best, mask);
                place = _mm256_or_si256(place, _mm256_xor_si256(mask, _mm256_set1_epi32(-1)));
                bytes = _mm_packs_epi32(_mm256_castsi256_si128(place), _mm256_extracti128_si256(place, 1));
                _mm_storel_epi64((__m128i *)(void *)(x->decisions + at + i), _mm_packs_epi16(bytes, bytes));
                for (k = 0; k < 2; k++) {
                    int64_t *to = x->sums + at + i + 4 * k;
                    const __m128i half = k ? _mm256_extracti128_si256(best, 1) : _mm256_castsi256_si128(best);

                    store_16(to, _mm256_add_epi64(load_16(to), _mm256_mul_epi32(_mm256_cvtepi32_epi64(half), times)));
                }
            }
        }
    if (decisions)
        for (hole = 0; hole < UTEH_HOLES; hole++)
            decisions[hole] = x->decisions[x->place[hole]];
}

static void end_matrices(const matrices_t *x, void *checked)
{
    uteh_wide *sums = checked;
    int hole;

    for (hole = 0; hole < UTEH_HOLES; hole++)
        uteh_add_wide(&sums[hole], x->sums[x->place[hole]]);
}
