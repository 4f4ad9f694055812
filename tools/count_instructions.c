/* What tools/count_instructions.py counts the instructions of: one kernel of the core on fixed input, in the function `measured`. It links
   the core alone. `count_instructions NAME` runs a kernel once; it exits 77 if this processor lacks the kernel's path, 2 for a name that is
   not in the list below. */
#include "batch.h"
#include "cards.h"
#include "cpu.h"
#include "settle.h"
#include "solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8192 };

static uint8_t rows[ROWS * 9];
static uint16_t strengths[ROWS];
static uteh_cells cells;
static uteh_rounds rounds;
static int64_t amounts[UTEH_BETS + 1][ROWS], nets[UTEH_BETS + 1][ROWS];
static int8_t result[ROWS];
static uint8_t qualifies[ROWS];
static uint16_t player[ROWS], dealer[ROWS];

static uint64_t state = UINT64_C(20261201);

static int below(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 33) % (uint64_t)n);
}

static void deal(int k)
{
    int i, j;

    for (i = 0; i < ROWS; i++) {
        uint64_t taken = 0;

        for (j = 0; j < k; j++) {
            int card;

            do
                card = below(52);
            while (taken >> card & 1);
            taken |= (uint64_t)1 << card;
            rows[i * k + j] = (uint8_t)card;
        }
    }
}

/* Rounds under the standard rules: every one raised or folded somewhere, a Trips bet in half of them, all columns wanted. */
static void make_rounds(void)
{
    static const int64_t blind[10] = {0, 0, 0, 0, 2, 3, 6, 20, 100, 1000}, trips[10] = {-1, -1, -1, 6, 8, 14, 16, 60, 80, 100};
    static const int64_t plays[5] = {0, 10, 20, 30, 40};
    uteh_rules rules;
    int i;

    memset(&rules, 0, sizeof rules);
    rules.unit = 2;
    rules.preflop = 24;
    rules.flop = 4;
    rules.river = 2;
    rules.river_min_num = 1;
    rules.river_min_den = 1;
    rules.qualifier = 1;
    rules.has_trips = 1;
    memcpy(rules.blind, blind, sizeof blind);
    memcpy(rules.trips, trips, sizeof trips);
    uteh_cells_init(&cells, &rules);
    deal(9);
    for (i = 0; i < ROWS; i++) {
        amounts[0][i] = amounts[2][i] = 10;
        amounts[1][i] = plays[below(5)];
        amounts[3][i] = below(2) * 5;
    }
    rounds.cards = rows;
    for (i = 0; i <= UTEH_BETS; i++) {
        rounds.amount[i] = amounts[i];
        rounds.stride[i] = 1;
    }
    for (i = 0; i < UTEH_BETS; i++)
        rounds.net[i] = nets[i];
    rounds.total = nets[UTEH_BETS];
    rounds.result = result;
    rounds.player = player;
    rounds.dealer = dealer;
    rounds.qualifies = qualifies;
}

/* The standard game: of a stage a sixteenth of the units, from the middle. Of the stages before only the sets are done, because the
   others take callgrind a minute: decisions do not branch on what those leave, and empty tables take within 2% of the instructions. */
static uteh_game game;
static uint8_t decisions[UTEH_FLOPS * UTEH_HOLES];
static const uint8_t first_actions[UTEH_HOLES]; /* checks */
static void *scratch;

static void do_units(int stage, int64_t first, int64_t last)
{
    uteh_game_range(&game, stage, first, last, scratch, scratch, decisions, first_actions, NULL);
}

static int make_game(int stage)
{
    static const int64_t blind[10] = {0, 0, 0, 0, 2, 3, 6, 20, 100, 1000}, plays[4] = {1, 2, 3, 4};
    uteh_stakes stakes = {{1, 0, 1, 0, 0}};
    uteh_rules rules;

    memset(&rules, 0, sizeof rules);
    rules.unit = 2;
    rules.qualifier = 1;
    memcpy(rules.blind, blind, sizeof blind);
    game.plan.nactions[UTEH_PREFLOP] = 3;
    game.plan.actions[UTEH_PREFLOP][0] = UTEH_A_CHECK;
    game.plan.actions[UTEH_PREFLOP][1] = 2;
    game.plan.actions[UTEH_PREFLOP][2] = 3;
    game.plan.nactions[UTEH_FLOP] = 2;
    game.plan.actions[UTEH_FLOP][0] = UTEH_A_CHECK;
    game.plan.actions[UTEH_FLOP][1] = 1;
    game.plan.nactions[UTEH_RIVER] = 2;
    game.plan.actions[UTEH_RIVER][0] = UTEH_A_FOLD;
    game.plan.actions[UTEH_RIVER][1] = 0;
    uteh_plan_payoffs(&game.plan, &rules, &stakes, plays, 4, -1, -1);
    game.qualifier = 1;
    scratch = calloc(1, (size_t)uteh_game_scratch(&game, stage >= UTEH_STAGE_COUNTS));
    if (scratch == NULL)
        return -1;
    if (stage > UTEH_STAGE_SETS)
        do_units(UTEH_STAGE_SETS, 0, uteh_game_units(&game, UTEH_STAGE_SETS));
    return 0;
}

enum { SCALAR, STRENGTHS, CHECK, SETTLE, SOLVE };

static const struct {
    const char *name;
    int what, path, cards; /* for SOLVE, the stage in the place of the cards */
} kernels[] = {
    {"scalar 5", SCALAR, UTEH_PORTABLE, 5},
    {"scalar 6", SCALAR, UTEH_PORTABLE, 6},
    {"scalar 7", SCALAR, UTEH_PORTABLE, 7},
    {"strengths 5 portable", STRENGTHS, UTEH_PORTABLE, 5},
    {"strengths 6 portable", STRENGTHS, UTEH_PORTABLE, 6},
    {"strengths 7 portable", STRENGTHS, UTEH_PORTABLE, 7},
    {"strengths 5 avx2", STRENGTHS, UTEH_AVX2, 5},
    {"strengths 6 avx2", STRENGTHS, UTEH_AVX2, 6},
    {"strengths 7 avx2", STRENGTHS, UTEH_AVX2, 7},
    {"check 7 portable", CHECK, UTEH_PORTABLE, 7},
    {"check 7 avx2", CHECK, UTEH_AVX2, 7},
    {"settle", SETTLE, UTEH_PORTABLE, 9},
    {"solve, sets", SOLVE, UTEH_PORTABLE, UTEH_STAGE_SETS},
    {"solve, ranks", SOLVE, UTEH_PORTABLE, UTEH_STAGE_RANKS},
    {"solve, all", SOLVE, UTEH_PORTABLE, UTEH_STAGE_ALL},
    {"solve, flops", SOLVE, UTEH_PORTABLE, UTEH_STAGE_FLOPS},
    {"solve, counts", SOLVE, UTEH_PORTABLE, UTEH_STAGE_COUNTS},
    {"solve, ranks avx2", SOLVE, UTEH_AVX2, UTEH_STAGE_RANKS},
    {"solve, all avx2", SOLVE, UTEH_AVX2, UTEH_STAGE_ALL},
    {"solve, flops avx2", SOLVE, UTEH_AVX2, UTEH_STAGE_FLOPS},
    {"solve, ends avx2", SOLVE, UTEH_AVX2, UTEH_STAGE_ENDS},
};

/* All that is counted. */
int64_t measured(int kernel);
#if defined(__GNUC__) || defined(__clang__)
__attribute__((noinline))
#endif
int64_t measured(int kernel)
{
    const int k = kernels[kernel].cards;
    int64_t sum = 0;
    int i;

    switch (kernels[kernel].what) {
    case SCALAR:
        for (i = 0; i < ROWS; i++)
            sum += uteh_strength(rows + i * k, k);
        break;
    case STRENGTHS: uteh_strength_rows_on(kernels[kernel].path, rows, ROWS, k, strengths); break;
    case CHECK: sum = uteh_check_rows_on(kernels[kernel].path, rows, ROWS, k); break;
    case SETTLE: uteh_rounds_settle(&cells, &rounds, 0, ROWS); break;
    default: do_units(k, uteh_game_units(&game, k) / 2, uteh_game_units(&game, k) / 2 + uteh_game_units(&game, k) / 16); break;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int i, kernel = -1;
    const int n = (int)(sizeof kernels / sizeof *kernels);

    if (argc != 2) {
        for (i = 0; i < n; i++)
            puts(kernels[i].name);
        return 0;
    }
    for (i = 0; i < n; i++)
        if (!strcmp(argv[1], kernels[i].name))
            kernel = i;
    if (kernel < 0)
        return 2;
    if (uteh_cpu_use(kernels[kernel].path) < 0)
        return 77;
    if (kernels[kernel].what == SETTLE)
        make_rounds();
    else if (kernels[kernel].what != SOLVE)
        deal(kernels[kernel].cards);
    else if (make_game(kernels[kernel].cards) < 0)
        return 1;
    printf("%lld\n", (long long)measured(kernel));
    return 0;
}
