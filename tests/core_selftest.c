/* Runs the C core without Python: every five-card hand, rows of any bytes at every length and alignment on every path that the machine
   has, texts of any bytes, odds, settlements, tables, and the value of the whole game. It links only src/uteh/_core. .ci/run builds it for this
   machine with the address and undefined behaviour sanitizers, for processors with and without AVX2, for aarch64, and for s390x
   (big-endian), and compares the checksum, the one line on stdout; the best path is named on stderr. Buffers are allocated at exactly
   the size that a function may touch, so that the sanitizer sees one byte too many. */
#include "cards.h"
#include "cpu.h"
#include "deal.h"
#include "evaluator.h"
#include "odds.h"
#include "pairs.h"
#include "settle.h"
#include "side.h"
#include "simulate.h"
#include "solve.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(truth)                                                                                                               \
    do {                                                                                                                           \
        if (!(truth)) {                                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #truth);                                                            \
            exit(1);                                                                                                               \
        }                                                                                                                          \
    } while (0)

static uint64_t checksum = UINT64_C(14695981039346656037);

/* FNV-1a over the value's eight bytes, the lowest first, whatever the byte order of the machine. */
static void mix(int64_t value)
{
    int i;

    for (i = 0; i < 64; i += 8)
        checksum = (checksum ^ (((uint64_t)value >> i) & 0xff)) * UINT64_C(1099511628211);
}

static uint64_t state = UINT64_C(20260801);

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int below(int n)
{
    return (int)((next() >> 33) % (uint64_t)n);
}

static void deal(uint8_t *cards, int n)
{
    uint64_t taken = 0;
    int i;

    for (i = 0; i < n; i++) {
        int card;

        do
            card = below(52);
        while (taken >> card & 1);
        taken |= (uint64_t)1 << card;
        cards[i] = (uint8_t)card;
    }
}

/* Makes a hand one of k - 2 or more cards of a suit. */
static void flush(uint8_t *cards, int n)
{
    int suit = below(4), others = below(3), i, j, again;

    for (i = others; i < n; i++)
        do {
            cards[i] = (uint8_t)(below(13) * 4 + suit);
            for (j = 0, again = 0; j < i; j++)
                again |= cards[j] == cards[i];
        } while (again);
    /* The others last, first or in between. */
    for (i = 0; i < others; i++) {
        j = below(n);
        again = cards[i];
        cards[i] = cards[j];
        cards[j] = (uint8_t)again;
    }
}

static int has[UTEH_PATHS]; /* the paths of this machine */

static void *allocate(size_t size)
{
    void *p = malloc(size ? size : 1);

    CHECK(p != NULL);
    return p;
}

/* All 2,598,960 five-card hands, one at a time and as rows: the published number of hands in each category. */
static void five_cards(void)
{
    static const int64_t published[10] = {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4};
    int64_t counts[10] = {0};
    static uint8_t rows[48 * 5];
    static uint16_t strengths[48];
    int a, b, c, d, e, i;

    for (a = 0; a < 52; a++)
        for (b = a + 1; b < 52; b++)
            for (c = b + 1; c < 52; c++)
                for (d = c + 1; d < 52; d++) {
                    int n = 0, path;

                    for (e = d + 1; e < 52; e++, n++) {
                        uint8_t *row = rows + n * 5;

                        row[0] = (uint8_t)a;
                        row[1] = (uint8_t)b;
                        row[2] = (uint8_t)c;
                        row[3] = (uint8_t)d;
                        row[4] = (uint8_t)e;
                    }
                    for (path = 0; path < UTEH_PATHS; path++) {
                        if (!has[path])
                            continue;
                        uteh_strength_rows_on(path, rows, n, 5, strengths);
                        for (i = 0; i < n; i++)
                            CHECK(strengths[i] == uteh_strength(rows + i * 5, 5));
                    }
                    for (i = 0; i < n; i++) {
                        unsigned strength = uteh_strength(rows + i * 5, 5);

                        CHECK(strength >= 1 && strength <= 7462);
                        counts[uteh_category[strength]]++;
                        mix(strength);
                    }
                }
    for (i = 0; i < 10; i++)
        CHECK(counts[i] == published[i]);
}

/* Six and seven cards are worth the best five of them. */
static void best_of(int k, int hands)
{
    uint8_t cards[7], five[5];

    while (hands--) {
        unsigned best = 0, mask;

        deal(cards, k);
        for (mask = 0; mask < 1u << k; mask++) {
            unsigned strength;
            int i, n = 0;

            for (i = 0; i < k; i++)
                if (mask >> i & 1) {
                    if (n < 5)
                        five[n] = cards[i];
                    n++;
                }
            if (n != 5)
                continue;
            strength = uteh_strength(five, 5);
            if (strength > best)
                best = strength;
        }
        CHECK(uteh_strength(cards, k) == best);
        mix(best);
    }
}

/* The strength of any bytes is some number of the table's; rows of cards are worth what they are worth one by one, at every offset and
   length, on every path. */
static void any_rows(int k)
{
    int offset, n, path;

    for (offset = 0; offset < 64; offset++)
        for (n = 0; n < 160; n += n < 80 ? 1 : 7) {
            size_t size = (size_t)(n * k);
            uint8_t *buffer = allocate((size_t)offset + size);
            uint16_t *out = allocate((size_t)n * sizeof *out);
            uint8_t *rows = buffer + offset;
            int i, kind = n % 3;

            /* Cards as they come, cards of one suit or almost, any bytes. */
            for (i = 0; i < n; i++) {
                deal(rows + i * k, k);
                if (kind == 1)
                    flush(rows + i * k, k);
            }
            for (i = 0; kind == 2 && i < n * k; i++)
                rows[i] = (uint8_t)next();
            for (path = 0; path < UTEH_PATHS; path++) {
                if (!has[path])
                    continue;
                memset(out, 0xff, (size_t)n * sizeof *out);
                uteh_strength_rows_on(path, rows, n, k, out);
                for (i = 0; i < n; i++) {
                    CHECK(out[i] <= 7462);
                    CHECK(kind == 2 || out[i] == uteh_strength(rows + i * k, k));
                    if (path == UTEH_PORTABLE)
                        mix(out[i]);
                }
            }
            free(out);
            free(buffer);
        }
}

static int row_is_bad(const uint8_t *row, int k)
{
    int i, j;

    for (i = 0; i < k; i++) {
        if (row[i] > 51)
            return 1;
        for (j = 0; j < i; j++)
            if (row[i] == row[j])
                return 1;
    }
    return 0;
}

/* The first bad row is found wherever it stands, whatever is wrong with it. */
static void check_rows(int k)
{
    int offset, n, turn;

    for (offset = 0; offset < 64; offset++)
        for (n = 0; n < 60; n += n < 20 ? 1 : 3)
            for (turn = 0; turn < 4; turn++) {
                uint8_t *buffer = allocate((size_t)(offset + n * k));
                uint8_t *rows = buffer + offset;
                int64_t found;
                int i, first = -1, second = -1, expected = 0, path;

                for (i = 0; i < n; i++)
                    deal(rows + i * k, k);
                for (i = 0; n && i < turn; i++) {
                    int at = below(n * k);

                    rows[at] = turn == 1 ? rows[at / k * k + below(k)] : (uint8_t)next();
                }
                while (expected < n && !row_is_bad(rows + expected * k, k))
                    expected++;
                for (path = 0; path < UTEH_PATHS; path++)
                    CHECK(!has[path] || uteh_check_rows_on(path, rows, n, k) == expected);
                found = uteh_check_rows(rows, n, k);
                CHECK(found == expected);
                if (expected < n) {
                    const uint8_t *row = rows + expected * k;

                    CHECK(uteh_check_row(row, k, &first, &second) == 1);
                    CHECK(first >= 0 && first <= second && second < k);
                    CHECK(first == second ? row[first] > 51 : row[first] == row[second]);
                }
                mix(found);
                mix(first);
                mix(second);
                free(buffer);
            }
}

/* Texts: whatever the bytes, the quoted part lies within the text and no more ids are written than asked for. */
static void any_texts(int texts)
{
    static const char likely[] = "23456789TJQKAtjqka10cdhsCDHSo ,\t\n\xe2\x99\xa0\xa7\xef\xb8\x8f\x8e";

    while (texts--) {
        int size = below(24), max = below(8), likely_only = below(4), i, n;
        char *text = allocate((size_t)size);
        uint8_t *ids = allocate((size_t)max);
        uint8_t start[2];
        size_t at = 0, length = 0;

        for (i = 0; i < size; i++)
            text[i] = likely_only ? likely[below((int)sizeof likely)] : (char)(next() & 0xff);
        n = uteh_parse(text, (size_t)size, ids, max, &at, &length);
        CHECK(n >= UTEH_MANY && n <= max);
        if (n == UTEH_BAD_TEXT)
            CHECK(at < (size_t)size && length >= 1 && at + length <= (size_t)size);
        for (i = 0; i < n; i++)
            CHECK(ids[i] < 52);
        mix(n);
        mix((int64_t)at);
        mix((int64_t)length);
        if (uteh_parse_start(text, (size_t)size, start)) {
            CHECK(start[0] < 52 && start[1] < 52 && start[0] != start[1]);
            mix(start[0] * 64 + start[1]);
        }
        free(ids);
        free(text);
    }
}

static void names(void)
{
    int card, other;

    for (card = 0; card < 52; card++)
        for (other = 0; other < 52; other++) {
            char text[4];
            uint8_t ids[2];
            size_t at, length;

            text[0] = "23456789TJQKA"[card >> 2];
            text[1] = "cdhs"[card & 3];
            text[2] = "23456789tjqka"[other >> 2];
            text[3] = "CDHS"[other & 3];
            CHECK(uteh_parse(text, 4, ids, 2, &at, &length) == 2);
            CHECK(ids[0] == card && ids[1] == other);
        }
}

/* Boards of a question with its unknown cards named one after another, each asked about alone. */
static void board_by_board(const uteh_question *q, const uteh_plan *plan, int from, uteh_odds *odds, int64_t *values)
{
    uteh_question next;
    int known = q->nflop + q->nlater, i, j, card;

    if (known == 5) {
        uteh_odds one;
        uteh_wide sums[UTEH_MAX_ACTIONS];

        uteh_question_odds(q, 1, NULL, &one);
        for (i = 0; i < 10; i++)
            for (j = 0; j < 3; j++)
                odds->by_category[i][j] += one.by_category[i][j];
        for (j = 0; j < 3; j++)
            odds->unqualified[j] += one.unqualified[j];
        uteh_question_values(q, plan, NULL, sums);
        for (i = 0; i < plan->nactions[plan->street]; i++)
            values[i] += sums[i].high * (INT64_C(1) << 32) + sums[i].low;
        return;
    }
    for (i = from; i < q->nlive; i++) {
        card = q->cards[i];
        next = *q;
        if (next.nflop < 3)
            next.flop[next.nflop++] = (uint8_t)card;
        else
            next.later[next.nlater++] = (uint8_t)card;
        uteh_question_init(&next, ~q->live | (uint64_t)1 << card);
        /* The live cards from this one on have moved down a place. */
        board_by_board(&next, plan, i, odds, values);
    }
}

/* Every completion is counted once: what comes out at once for all run-outs is what comes out board by board. */
static void odds(void)
{
    int turn;

    for (turn = 0; turn < 36; turn++) {
        uteh_question question;
        uteh_odds whole, parts;
        uteh_plan plan;
        uteh_wide sums[UTEH_MAX_ACTIONS];
        uint8_t cards[52];
        uint64_t taken = 0;
        int64_t total = 0, values[UTEH_MAX_ACTIONS];
        int i, j, k;
        void *scratch;

        memset(&question, 0, sizeof question);
        memset(&parts, 0, sizeof parts);
        memset(&plan, 0, sizeof plan);
        memset(values, 0, sizeof values);
        deal(cards, 52);
        memcpy(question.hole, cards, 2);
        memcpy(question.flop, cards + 2, 3);
        memcpy(question.later, cards + 5, 2);
        memcpy(question.dealer, cards + 7, 2);
        question.nflop = turn % 2 ? 3 : turn / 2 % 3;
        question.nlater = question.nflop < 3 ? 0 : turn / 2 % 3;
        question.ndealer = turn / 6 % 3;
        question.both = turn / 18 % 2;
        taken = (uint64_t)1 << cards[0] | (uint64_t)1 << cards[1];
        for (i = 0; i < question.nflop; i++)
            taken |= (uint64_t)1 << cards[2 + i];
        for (i = 0; i < question.nlater; i++)
            taken |= (uint64_t)1 << cards[5 + i];
        for (i = 0; i < question.ndealer; i++)
            taken |= (uint64_t)1 << cards[7 + i];
        /* Fewer cards where more are unknown. */
        for (i = 9; i < (question.nflop < 3 ? 36 : 9 + turn % 20); i++)
            taken |= (uint64_t)1 << cards[i];
        uteh_question_init(&question, taken);
        /* No decision: the river is bet, so that values add up over boards. */
        plan.street = UTEH_FLOP;
        plan.nactions[UTEH_RIVER] = 1;
        plan.nactions[UTEH_FLOP] = 2;
        plan.actions[UTEH_FLOP][0] = UTEH_A_CHECK;
        plan.actions[UTEH_FLOP][1] = 1;
        for (i = 0; i < UTEH_MAX_PLAYS; i++)
            for (j = 0; j < 10; j++) {
                plan.pay[i].tie[j] = below(2000) - 1000;
                for (k = 0; k < 10; k++) {
                    plan.pay[i].win[j][k] = below(2000) - 1000;
                    plan.pay[i].lose[j][k] = below(2000) - 1000;
                }
            }
        scratch = calloc(1, (size_t)uteh_question_scratch(&question, NULL) + 1);
        uteh_question_odds(&question, 1, scratch, &whole);
        free(scratch);
        board_by_board(&question, &plan, 0, &parts, values);
        CHECK(memcmp(&whole, &parts, sizeof whole) == 0);
        for (i = 0; i < 10; i++)
            for (j = 0; j < 3; j++) {
                total += whole.by_category[i][j];
                mix(whole.by_category[i][j]);
            }
        CHECK(total == uteh_boards(&question) * uteh_dealer_hands(&question));
        if (question.nflop < 3)
            continue;
        scratch = calloc(1, (size_t)uteh_question_scratch(&question, &plan) + 1);
        uteh_question_values(&question, &plan, scratch, sums);
        free(scratch);
        for (i = 0; i < 2; i++)
            CHECK(sums[i].high * (INT64_C(1) << 32) + sums[i].low == values[i]);
    }
}

/* Rows of any bytes are answered without harm, at every shape; rows that the check lets pass, as questions of their own are. */
static void question_rows(void)
{
    static uint8_t bytes[5][6 * 52];
    int board, later, dealer, turn, row, i, place, passed = 0;

    for (board = 0; board <= 5; board++)
        for (later = 0; later <= 2 && (board < 3 ? 0 : board - 3) + later <= 2; later++)
            for (dealer = 0; dealer <= 2; dealer++)
                for (turn = 0; turn < 4; turn++) {
                    const int unknown = 5 - board - later, rows = unknown > 2 ? 1 : 6;
                    const int nflop = board < 3 ? board : 3, nlater = board - nflop + later;
                    uteh_asked asked;
                    uteh_plan plan;
                    uteh_odds_columns odds;
                    uteh_value_columns values;
                    int64_t counts[8][6], categories[6][10][3], numerators[6 * UTEH_MAX_ACTIONS];
                    double equity[6], quotients[6 * UTEH_MAX_ACTIONS], margin[6];
                    uint8_t best[6], cards[52];
                    void *scratch;

                    memset(&plan, 0, sizeof plan);
                    memset(&values, 0, sizeof values);
                    plan.street = board < 3 ? UTEH_PREFLOP : unknown ? UTEH_FLOP : UTEH_RIVER;
                    for (i = 0; i < 3; i++) {
                        plan.nactions[i] = 2;
                        plan.actions[i][0] = i == UTEH_RIVER ? UTEH_A_FOLD : UTEH_A_CHECK;
                        plan.actions[i][1] = i;
                        plan.pay[i].win[i][i] = 1 + i;
                        plan.pay[i].lose[i][9] = -1;
                    }
                    for (i = 0; i < 53; i++)
                        values.denominator[i] = values.scale[i] = below(3);
                    asked.both = turn / 2;
                    asked.qualifier = turn;
                    asked.width[UTEH_HOLE] = 2;
                    asked.width[UTEH_BOARD] = board;
                    asked.width[UTEH_LATER] = later;
                    asked.width[UTEH_DEALER] = dealer;
                    asked.width[UTEH_DEAD] = turn * 10;
                    for (row = 0; row < rows; row++) {
                        int from = 0;

                        deal(cards, 52);
                        for (place = 0; place < UTEH_PLACES; place++)
                            for (i = 0; i < asked.width[place]; i++)
                                bytes[place][row * asked.width[place] + i] =
                                    (uint8_t)(turn % 2                      ? below(256)
                                              : place == UTEH_DEAD && i % 3 ? UTEH_NO_CARD
                                                                            : cards[from++]);
                    }
                    for (place = 0; place < UTEH_PLACES; place++) {
                        asked.cards[place] = bytes[place];
                        asked.stride[place] = asked.width[place];
                    }
                    odds.deals = counts[0];
                    for (i = 0; i < 3; i++) {
                        odds.result[i] = counts[1 + i];
                        odds.unqualified[i] = counts[4 + i];
                    }
                    odds.by_category = categories[0][0];
                    odds.equity = equity;
                    values.numerators = numerators;
                    values.values = quotients;
                    values.margin = margin;
                    values.best = best;
                    scratch = malloc((size_t)uteh_most_scratch(nflop, nlater, NULL) + 1);
                    uteh_asked_odds(&asked, 0, rows, scratch, &odds);
                    free(scratch);
                    scratch = malloc((size_t)uteh_most_scratch(nflop, nlater, &plan) + 1);
                    uteh_asked_values(&asked, &plan, 0, rows, scratch, &values);
                    free(scratch);
                    for (row = 0; row < rows; row++) {
                        CHECK(best[row] < 2);
                        CHECK(counts[1][row] + counts[2][row] + counts[3][row] == counts[0][row]);
                        if (uteh_asked_check(&asked, row, row + 1) > row) {
                            int live = 52 - 2 - board - later - dealer;

                            for (i = 0; i < asked.width[UTEH_DEAD]; i++)
                                live -= bytes[UTEH_DEAD][row * asked.width[UTEH_DEAD] + i] != UTEH_NO_CARD;
                            CHECK(counts[0][row] == uteh_choose(live, unknown) * uteh_choose(live - unknown, 2 - dealer));
                            passed++;
                        }
                    }
                    CHECK(turn % 2 || uteh_asked_check(&asked, 0, rows) == rows);
                }
    CHECK(passed > 100);
    mix(passed);
}

/* Settlements of random hands under random rules: no bet is lost twice over, and a cap cuts wins to itself and nothing else. */
static void settlements(int hands)
{
    while (hands--) {
        uteh_rules rules;
        uteh_stakes stakes;
        uteh_outcome outcome;
        int64_t net[UTEH_BETS], cut[UTEH_BETS], wins = 0, left = 0, cap;
        uint8_t reason[UTEH_BETS];
        unsigned bets;
        int i;

        memset(&rules, 0, sizeof rules);
        rules.unit = 1 + below(12);
        rules.qualifier = below(10);
        rules.unqualified_ante = below(5);
        rules.unqualified_play = below(2);
        rules.has_trips = below(2);
        rules.has_bad_beat = below(2);
        rules.trips_on_fold = below(3);
        rules.trips_when_not_won = below(3);
        for (i = 0; i < 10; i++) {
            rules.blind[i] = below(600) * rules.unit / 4;
            rules.trips[i] = below(60) - 1;
            rules.bad_beat[i] = below(600) - 1;
        }
        for (i = 0; i < UTEH_BETS; i++)
            stakes.stake[i] = below(1000);
        outcome.result = below(4) - 2;
        outcome.player = below(10);
        outcome.dealer = below(10);
        outcome.board = below(10);
        if (outcome.result == UTEH_FOLD)
            stakes.stake[UTEH_PLAY] = 0;
        uteh_settle(&rules, &stakes, &outcome, net, reason);
        for (i = 0; i < UTEH_BETS; i++) {
            CHECK(net[i] >= -stakes.stake[i] * rules.unit);
            CHECK(reason[i] < UTEH_REASONS);
            wins += net[i] > 0 ? net[i] : 0;
            mix(net[i]);
            mix(reason[i]);
        }
        cap = below(2) ? wins / 2 : -1;
        memcpy(cut, net, sizeof cut);
        bets = uteh_cap(cut, cap);
        for (i = 0; i < UTEH_BETS; i++) {
            CHECK(cut[i] == net[i] || (bets >> i & 1 && cut[i] >= 0 && cut[i] < net[i]));
            left += cut[i] > 0 ? cut[i] : 0;
            mix(cut[i]);
        }
        CHECK(left == (cap >= 0 && cap < wins ? cap : wins));
    }
}

/* Rounds of any bytes and any amounts are checked and settled without harm, at every offset. */
static void rounds(int n)
{
    uint8_t *rows = allocate((size_t)n * 9), *street = allocate((size_t)n), *qualifies = allocate((size_t)n);
    uint8_t *reasons = allocate((size_t)n * 5);
    uint16_t *player = allocate((size_t)n * 2), *dealer = allocate((size_t)n * 2);
    int8_t *result = allocate((size_t)n);
    int64_t *amounts[6], *nets[6];
    uteh_cells *cells = allocate(sizeof *cells);
    const int before = uteh_cpu_path();
    int turn, i, kind, path;

    for (kind = 0; kind < 6; kind++) {
        amounts[kind] = allocate((size_t)n * 8);
        nets[kind] = allocate((size_t)n * 8);
    }
    for (turn = 0; turn < 24; turn++) {
        uteh_rules rules;
        uteh_rounds r;
        int code, field;

        memset(&rules, 0, sizeof rules);
        memset(&r, 0, sizeof r);
        rules.unit = 1 + turn;
        rules.preflop = 24;
        rules.flop = 4;
        rules.river = 2;
        rules.river_min_num = 1;
        rules.river_min_den = 1 + turn % 2;
        rules.qualifier = turn % 10;
        rules.has_trips = turn & 1;
        rules.has_bad_beat = turn >> 1 & 1;
        rules.trips_on_fold = turn % 3;
        rules.both = turn % 5 == 0;
        rules.breakage = turn % 3;
        for (i = 0; i < 10; i++) {
            rules.blind[i] = below(600);
            rules.trips[i] = below(60) - 1;
            rules.bad_beat[i] = below(600) - 1;
        }
        uteh_cells_init(cells, &rules);
        for (i = 0; i < n; i++) {
            for (kind = 0; kind < 9; kind++)
                rows[9 * i + kind] = (uint8_t)next();
            street[i] = (uint8_t)next();
            for (kind = 0; kind < 6; kind++)
                amounts[kind][i] = turn & 4 ? (int64_t)next() : below(40);
        }
        r.cards = rows;
        for (kind = 0; kind < 6; kind++) {
            r.amount[kind] = amounts[kind];
            r.stride[kind] = turn & 8 ? 1 : kind & 1;
        }
        r.capped = turn % 4 == 3;
        r.floats = turn % 6 == 5;
        r.street = turn & 1 ? street : NULL;
        r.street_stride = 1;
        for (kind = 0; kind < 5; kind++)
            r.net[kind] = nets[kind];
        r.total = nets[5];
        r.result = result;
        r.player = player;
        r.dealer = dealer;
        r.qualifies = qualifies;
        r.reasons = reasons;
        r.streamed = turn >> 1 & 1;
        /* What rows of any bytes are worth differs from path to path. */
        for (path = 0; path < UTEH_PATHS; path++) {
            if (uteh_cpu_use(path))
                continue;
            for (i = 0; i < n; i += 61) {
                CHECK(uteh_rounds_check(cells, &r, i, n, &code, &field) <= n);
                CHECK(uteh_rounds_whole(cells, &r, i, n, &field) <= n);
            }
            uteh_rounds_settle(cells, &r, 0, n);
            for (i = 0; i < n; i++) {
                CHECK(result[i] >= -2 && result[i] <= 1);
                if (path != UTEH_PORTABLE)
                    continue;
                mix(player[i] + dealer[i] + result[i]);
                for (kind = 0; kind < 6 && !r.floats; kind++)
                    mix(nets[kind][i]);
            }
        }
    }
    CHECK(uteh_cpu_use(before) == 0);
    for (kind = 0; kind < 6; kind++) {
        free(amounts[kind]);
        free(nets[kind]);
    }
    free(rows);
    free(street);
    free(qualifies);
    free(reasons);
    free(player);
    free(dealer);
    free(result);
    free(cells);
}

/* Tables of any bytes, amounts and lengths are checked and settled without harm; with amounts that do not wrap, what the player-dealer
   wins the players lose, and no more of it than the fund. */
static void tables(int ntables)
{
    int64_t *start = allocate((size_t)(ntables + 1) * 8), n;
    uteh_cells *cells = allocate(sizeof *cells);
    int turn, i, kind;

    for (turn = 0; turn < 24; turn++) {
        const int wild = turn % 3 == 2, floats = turn % 6 == 5;
        uint8_t *holes, *dealers = allocate((size_t)ntables * 2), *boards = allocate((size_t)ntables * 5), *seated;
        int64_t *amount[5], *net[5], *money[3], *out[6];
        int8_t *result;
        uteh_rules rules;
        uteh_tables t;
        int code, field;

        memset(&rules, 0, sizeof rules);
        memset(&t, 0, sizeof t);
        rules.unit = 1;
        rules.preflop = 24;
        rules.flop = 4;
        rules.river = 2;
        rules.river_min_num = rules.river_min_den = 1;
        rules.qualifier = 1;
        rules.has_trips = rules.has_bad_beat = 1;
        for (i = 0; i < 10; i++) {
            rules.blind[i] = i < 4 ? 0 : i - 3;
            rules.trips[i] = i < 3 ? -1 : i;
            rules.bad_beat[i] = i < 2 ? -1 : 2 * i;
        }
        uteh_cells_init(cells, &rules);
        for (n = 0, i = 0; i < ntables; i++) {
            start[i] = n;
            n += turn % 4 ? below(7) : i % 50 ? 6 : 600;
        }
        start[ntables] = n;
        holes = allocate((size_t)n * 2);
        seated = allocate((size_t)n);
        result = allocate((size_t)n);
        for (kind = 0; kind < 5; kind++) {
            amount[kind] = allocate((size_t)n * 8);
            net[kind] = allocate((size_t)n * 8);
        }
        for (kind = 0; kind < 3; kind++)
            money[kind] = allocate((size_t)(kind == 1 ? n : ntables) * 8);
        for (kind = 0; kind < 6; kind++)
            out[kind] = allocate((size_t)(kind == 1 ? ntables : kind > 3 ? 5 * n : n) * 8);
        for (i = 0; i < n; i++) {
            holes[2 * i] = (uint8_t)(wild ? next() : (uint64_t)below(52));
            holes[2 * i + 1] = (uint8_t)(wild ? next() : (uint64_t)below(52));
            seated[i] = (uint8_t)(below(4) > 0);
            for (kind = 0; kind < 5; kind++)
                amount[kind][i] = wild ? (int64_t)next() : below(20);
            money[1][i] = wild ? (int64_t)next() : below(3);
        }
        for (i = 0; i < ntables; i++) {
            for (kind = 0; kind < 5; kind++)
                boards[5 * i + kind] = (uint8_t)(wild ? next() : (uint64_t)below(52));
            dealers[2 * i] = (uint8_t)(wild ? next() : (uint64_t)below(52));
            dealers[2 * i + 1] = (uint8_t)(wild ? next() : (uint64_t)below(52));
            money[0][i] = wild ? (int64_t)next() : below(100);
            money[2][i] = wild ? (int64_t)next() : below(3);
        }
        t.rows = n;
        t.start = start;
        t.holes = holes;
        t.dealers = dealers;
        t.boards = boards;
        t.seated = turn & 1 ? seated : NULL;
        t.gross = turn >> 1 & 1;
        t.rounds.floats = floats;
        t.rounds.result = result;
        for (kind = 0; kind < 5; kind++) {
            t.order[0][kind] = kind;
            t.order[1][kind] = 4 - kind;
            t.rounds.amount[kind] = amount[kind];
            t.rounds.stride[kind] = 1;
            t.rounds.net[kind] = net[kind];
        }
        t.fund = money[0];
        t.fee = money[1];
        t.bank_fee = money[2];
        t.fund_stride = t.fee_stride = t.bank_fee_stride = 1;
        t.net = out[0];
        t.bank_net = out[1];
        t.returned = out[2];
        t.uncovered = out[3];
        t.returned_by_bet = out[4];
        t.uncovered_by_bet = out[5];
        CHECK(uteh_tables_cards(&t, 0, ntables) <= ntables);
        CHECK(uteh_tables_check(cells, &t, 1000, 0, ntables, &code, &field) <= n);
        CHECK(uteh_tables_whole(cells, &t, 0, ntables, &field) <= n);
        uteh_tables_settle(cells, &t, 0, ntables / 2);
        uteh_tables_settle(cells, &t, ntables / 2, ntables);
        for (i = 0; i < ntables && !floats && !wild; i++) {
            int64_t row, sum = out[1][i] + money[2][i], moved = 0;

            for (row = start[i]; row < start[i + 1]; row++) {
                sum += out[0][row] + money[1][row];
                moved -= out[0][row] + money[1][row];
                mix(out[0][row] + out[2][row] + out[3][row] + result[row]);
            }
            CHECK(sum == 0 && moved <= money[0][i] && -moved <= money[0][i]);
        }
        for (kind = 0; kind < 5; kind++) {
            free(amount[kind]);
            free(net[kind]);
        }
        for (kind = 0; kind < 3; kind++)
            free(money[kind]);
        for (kind = 0; kind < 6; kind++)
            free(out[kind]);
        free(holes);
        free(dealers);
        free(boards);
        free(seated);
        free(result);
    }
    free(start);
    free(cells);
}

/* Side bets: every count is there once, and what one side wins the other loses. */
static void side_bets(void)
{
    int turn, i, n;

    for (turn = 0; turn < 40; turn++) {
        int64_t counts[40] = {0}, sum = 0, won = 0;
        uint64_t taken = 0;
        uteh_side s;

        memset(&s, 0, sizeof s);
        s.cards = turn % 4 == 0 ? 7 : turn % 4 == 1 ? 5 : 0;
        s.hole = turn >> 2 & 1;
        s.both = turn >> 3 & 1;
        s.dealers = turn % 4 == 2;
        s.nknown = s.cards ? s.cards - below(4) : 3 + 2 * s.hole + below(3);
        deal(s.known, s.nknown);
        for (i = 0; i < s.nknown; i++)
            taken |= (uint64_t)1 << s.known[i];
        for (n = 0; n < 52; n++)
            if (!(taken >> n & 1))
                s.live[s.nlive++] = (uint8_t)n;
        if (s.cards)
            uteh_side_hands_range(&s, 0, uteh_side_hands(&s), counts);
        else
            uteh_side_boards_range(&s, 0, uteh_side_boards(&s) / 8 + 1, counts);
        for (i = 0; i < 40; i++) {
            if (i < 30)
                sum += counts[i];
            else
                won += counts[i];
            mix(counts[i]);
        }
        CHECK(sum > 0);
        if (s.cards) {
            const int open = s.cards - s.nknown;

            CHECK(sum == (open > 2    ? s.nlive * (s.nlive - 1) / 2 * (s.nlive - 2) / 3
                          : open == 2 ? s.nlive * (s.nlive - 1) / 2
                          : open      ? s.nlive
                                      : 1));
        }
        for (i = 0; i < 10 && s.dealers; i++)
            won -= counts[3 * i + 2];
        CHECK(won == 0);
    }
}

/* Two kinds of seats that are the same: the products of two seats of one kind and of the other are the same, on some boards. A board
   is millions of sums of doubles, which emulators are slow at, so that there are few: low pairs, trips, quads and full houses, then
   one of every other kind. */
static void pairs(const uteh_plan *plan, const uint8_t *decisions, const uint8_t *first)
{
    static const uint8_t boards[7][5] = {
        {0, 4, 8, 12, 16}, /* a straight flush */
        {40, 41, 44, 45, 48}, /* high pairs */
        {0, 12, 28, 36, 48}, /* a flush */
        {0, 4, 28, 36, 48}, /* four of a suit */
        {1, 24, 30, 37, 48}, /* no three of a suit */
        {2, 5, 8, 13, 48}, /* a straight */
        {16, 25, 32, 45, 48}, /* three of a suit */
    };
    void *scratch = calloc(1, (size_t)uteh_pairs_scratch());
    uteh_pair_sums sums;
    uteh_pairs p;
    int k, i;

    CHECK(scratch != NULL);
    memset(&p, 0, sizeof p);
    memset(&sums, 0, sizeof sums);
    p.nkinds = 2;
    for (k = 0; k < 2; k++) {
        p.plan[k] = plan;
        p.decisions[k] = decisions;
        p.first[k] = first;
    }
    uteh_pairs_range(&p, 0, 60, scratch, &sums);
    uteh_pairs_range(&p, 60, 90, scratch, &sums);
    for (k = 0; k < 7; k++) {
        const int64_t low = sums.net[0].low;
        int64_t number = 0;

        for (i = 0; i < 5; i++)
            number += uteh_choose(boards[k][i], i + 1);
        uteh_pairs_range(&p, number, number + 1, scratch, &sums);
        CHECK(sums.net[0].low != low); /* it is one that stands for others */
    }
    uteh_pairs_range(&p, UTEH_PAIR_BOARDS - 12, UTEH_PAIR_BOARDS, scratch, &sums);
    CHECK(sums.square[0].low || sums.square[0].high);
    CHECK(!memcmp(&sums.net[0], &sums.net[1], sizeof sums.net[0]) && !memcmp(&sums.square[0], &sums.square[1], sizeof sums.net[0]));
    CHECK(!memcmp(&sums.product[0][0], &sums.product[0][1], sizeof sums.net[0]));
    CHECK(!memcmp(&sums.product[0][0], &sums.product[1][1], sizeof sums.net[0]));
    mix(sums.net[0].high);
    mix(sums.net[0].low);
    mix(sums.square[0].low);
    mix(sums.product[0][0].high);
    mix(sums.product[0][0].low);
    free(scratch);
}

/* The standard game's value over all deals, in half antes: -607,723,787,676 antes (published as a house edge of 2.185%, wizardofodds.com;
   the integer by independent enumerations). */
static void whole_game(void)
{
    static const int64_t blind[10] = {0, 0, 0, 0, 2, 3, 6, 20, 100, 1000};
    static const int64_t plays[4] = {1, 2, 3, 4};
    uteh_game *game = allocate(sizeof *game);
    uteh_wide raised[2 * UTEH_CLASSES], checked[UTEH_CLASSES];
    uint32_t which[UTEH_HOLES];
    uint8_t first_actions[UTEH_HOLES], best_action[UTEH_CLASSES];
    uteh_ends before, after;
    uint8_t *decisions = allocate((size_t)UTEH_FLOPS * UTEH_HOLES);
    uteh_stakes stakes = {{1, 0, 1, 0, 0}};
    uteh_rules rules;
    int64_t sum = 0;
    void *scratch;
    int stage, hand, i;

    memset(game, 0, sizeof *game);
    memset(&rules, 0, sizeof rules);
    rules.unit = 2;
    rules.qualifier = 1;
    memcpy(rules.blind, blind, sizeof blind);
    game->plan.nactions[UTEH_PREFLOP] = 3;
    game->plan.actions[UTEH_PREFLOP][0] = UTEH_A_CHECK;
    game->plan.actions[UTEH_PREFLOP][1] = 2;
    game->plan.actions[UTEH_PREFLOP][2] = 3;
    game->plan.nactions[UTEH_FLOP] = 2;
    game->plan.actions[UTEH_FLOP][0] = UTEH_A_CHECK;
    game->plan.actions[UTEH_FLOP][1] = 1;
    game->plan.nactions[UTEH_RIVER] = 2;
    game->plan.actions[UTEH_RIVER][0] = UTEH_A_FOLD;
    game->plan.actions[UTEH_RIVER][1] = 0;
    uteh_plan_payoffs(&game->plan, &rules, &stakes, plays, 4, -1, -1);
    game->qualifier = 1;
    scratch = calloc(1, (size_t)uteh_game_scratch(game, 0));
    CHECK(scratch != NULL);
    for (stage = UTEH_STAGE_SETS; stage <= UTEH_STAGE_FLOPS; stage++)
        uteh_game_range(game, stage, 0, uteh_game_units(game, stage), scratch, scratch, decisions, NULL, NULL);
    memset(raised, 0, sizeof raised);
    memset(checked, 0, sizeof checked);
    CHECK(uteh_game_hands(game, which) == UTEH_CLASSES);
    uteh_game_sums(game, scratch, which, raised, checked);
    for (hand = 0; hand < UTEH_CLASSES; hand++) {
        int64_t best = checked[hand].high * (INT64_C(1) << 32) + checked[hand].low;

        best_action[hand] = 0;
        for (i = 0; i < 2; i++) {
            const uteh_wide *bet = &raised[2 * hand + i];
            int64_t value = bet->high * (INT64_C(1) << 32) + bet->low;

            best_action[hand] = (uint8_t)(value > best ? 1 + i : best_action[hand]);
            best = value > best ? value : best;
        }
        sum += best;
        mix(best);
    }
    for (hand = 0; hand < UTEH_HOLES; hand++)
        first_actions[hand] = best_action[which[hand]];
    uteh_game_first_ends(game, scratch, first_actions, &before);
    free(scratch);
    scratch = calloc(1, (size_t)uteh_game_scratch(game, 1));
    CHECK(scratch != NULL);
    uteh_game_range(game, UTEH_STAGE_SETS, 0, uteh_game_units(game, UTEH_STAGE_SETS), scratch, scratch, NULL, NULL, NULL);
    uteh_game_range(game, UTEH_STAGE_COUNTS, 0, uteh_game_units(game, UTEH_STAGE_COUNTS), scratch, scratch, decisions,
                    first_actions, NULL);
    /* A part of it: the tests in Python hold the whole to the number of all deals. */
    uteh_game_range(game, UTEH_STAGE_ENDS, 2000, 2600, scratch, scratch, decisions, first_actions, NULL);
    uteh_game_ends(game, scratch, &after);
    for (i = 0; i <= UTEH_MAX_PLAYS; i++)
        for (hand = 0; hand < 10; hand++)
            for (stage = 0; stage < 4; stage++) {
                mix(before.by_level[i][hand][stage]);
                mix(after.by_level[i][hand][stage]);
            }
    CHECK(sum == -2 * INT64_C(607723787676));
    pairs(&game->plan, decisions, best_action);
    free(scratch);
    free(decisions);
    free(game);
}

/* A path is used once it is asked for, if the machine has it, and never otherwise. */
static void paths(void)
{
    int path, n = 0;

    CHECK(uteh_cpu_path() == UTEH_PORTABLE);
    for (path = -3; path < UTEH_PATHS + 3; path++) {
        CHECK((uteh_cpu_name(path) != NULL) == (path >= 0 && path < UTEH_PATHS));
        if (path < 0)
            continue;
        if (path < UTEH_PATHS)
            n += has[path] = uteh_cpu_has(path);
        CHECK(uteh_cpu_use(path) == (uteh_cpu_has(path) ? 0 : -1));
        CHECK((uteh_cpu_path() == path) == uteh_cpu_has(path));
    }
    CHECK(uteh_cpu_has(UTEH_PORTABLE) && n >= 1 && n <= 3);
    CHECK(uteh_cpu_use(-1) == 0 && uteh_cpu_has(uteh_cpu_path()));
    CHECK(n == 1 || uteh_cpu_path() != UTEH_PORTABLE);
    fprintf(stderr, "path %s\n", uteh_cpu_name(uteh_cpu_path()));
}

/* The generator's published known answer for the digits of pi; rounds at every length and offset on every path. */
static void deals(int most)
{
    static const uint64_t counter[4] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344), UINT64_C(0xa4093822299f31d0),
                                        UINT64_C(0x082efa98ec4e6c89)};
    static const uint64_t key[2] = {UINT64_C(0x452821e638d01377), UINT64_C(0xbe5466cf34e90c6c)};
    static const uint64_t answer[4] = {UINT64_C(0xa528f45403e61d95), UINT64_C(0x38c72dbd566e9788), UINT64_C(0xa5a1610e72fd18b5),
                                       UINT64_C(0x57bd43b5e52b7fe6)};
    uint64_t out[4];
    int n, i, path;

    uteh_philox(counter, key, out);
    CHECK(memcmp(out, answer, sizeof(out)) == 0);
    for (n = 0; n < most; n = n < 70 ? n + 1 : n + 111) {
        uint8_t *want = allocate((size_t)n * 9);

        uteh_deal_rows(UTEH_PORTABLE, key, (uint64_t)n * 7, n, want);
        CHECK(uteh_check_rows(want, n, 9) == n);
        for (path = 0; path < UTEH_PATHS; path++) {
            uint8_t *rows = allocate((size_t)n * 9);

            if (uteh_cpu_has(path)) {
                uteh_deal_rows(path, key, (uint64_t)n * 7, n, rows);
                CHECK(memcmp(rows, want, (size_t)n * 9) == 0);
            }
            free(rows);
        }
        for (i = 0; i < 9 * n; i++)
            mix(want[i]);
        free(want);
    }
}

/* Strengths of both hands, in rows and in columns, on every path; and any bytes. */
static void both_hands(int most)
{
    static const uint64_t key[2] = {1, 2};
    const int before = uteh_cpu_path();
    const uint64_t kept = state; /* machines have more or fewer paths, and the same chance afterwards */
    int n, i, j, path, columns;

    for (n = 0; n < most; n = n < 70 ? n + 1 : n + 111)
        for (path = 0; path < UTEH_PATHS; path++) {
            uint8_t *rows = allocate((size_t)n * 9), *turned = allocate((size_t)n * 9);
            uint16_t *player = allocate((size_t)n * 2), *dealer = allocate((size_t)n * 2);

            if (uteh_cpu_use(path))
                goto next;
            uteh_deal_rows(path, key, (uint64_t)n, n, rows);
            for (i = 0; i < n; i++) {
                if (i % 5 == 0) /* all of one suit, so that flushes of all lengths come up */
                    for (j = 0; j < 9; j++)
                        rows[9 * i + j] = (uint8_t)(4 * (j + (i >> 2) % 4) + (j > i % 9 ? 1 : 2));
                for (j = 0; j < 9; j++)
                    turned[j * n + i] = rows[9 * i + j];
            }
            for (columns = 0; columns < 2; columns++) {
                if (n > 1 || !columns) /* one column of one row is a row */
                    uteh_rank_rounds(columns ? turned : rows, columns ? 1 : 9, columns ? n : 1, n, 0, player, dealer);
                for (i = 0; i < n; i++) {
                    uint8_t hand[7];

                    memcpy(hand, rows + 9 * i + 2, 7);
                    CHECK(dealer[i] == uteh_strength(hand, 7));
                    memcpy(hand, rows + 9 * i, 2);
                    CHECK(player[i] == uteh_strength(hand, 7));
                }
            }
            CHECK(uteh_check_rows(rows, n, 9) == n);
            if (n) {
                i = below(n);
                j = below(8);
                rows[9 * i + j] = (uint8_t)(n % 2 ? 52 + below(204) : rows[9 * i + j + 1]);
                CHECK(uteh_check_rows(rows, n, 9) == i);
            }
            for (i = 0; i < 9 * n; i++)
                rows[i] = (uint8_t)below(256);
            uteh_rank_rounds(rows, 9, 1, n, 0, player, dealer);
        next:
            free(rows);
            free(turned);
            free(player);
            free(dealer);
        }
    CHECK(uteh_cpu_use(before) == 0);
    state = kept;
}

/* Rounds played by tables of any bytes: each round is counted once. */
static void simulations(int64_t rounds)
{
    uteh_player *player = allocate(sizeof(uteh_player));
    uint8_t *flops = allocate((size_t)UTEH_FLOPS * UTEH_HOLES), *rivers = allocate((size_t)uteh_river_bytes(2)),
            first[UTEH_CLASSES];
    uteh_counts *counts = allocate(sizeof(uteh_counts));
    int64_t sum = 0;
    size_t i;
    int by_board, both;

    for (i = 0; i < (size_t)UTEH_FLOPS * UTEH_HOLES; i++)
        flops[i] = (uint8_t)(next() >> 33);
    for (i = 0; i < (size_t)uteh_river_bytes(2); i++)
        rivers[i] = (uint8_t)(next() >> 33);
    for (i = 0; i < UTEH_CLASSES; i++)
        first[i] = (uint8_t)(i % 3 ? UTEH_TURN_CHECK : i % 7 ? 4 : UTEH_TURN_FOLD);
    for (by_board = 0; by_board < 2; by_board++)
        for (both = 0; both < 2; both++) {
            memset(player, 0, sizeof(*player));
            memset(counts, 0, sizeof(*counts));
            player->key[0] = 1;
            player->fold_by_board = by_board;
            player->both = both;
            player->river_bits = 2;
            for (i = 0; i < 8; i++) {
                player->flop[i] = (uint8_t)(i < 7 ? i : UTEH_TURN_CHECK);
                player->river[i] = (uint8_t)(i % 2 ? 1 : UTEH_TURN_FOLD);
            }
            uteh_player_init(player, first);
            uteh_simulate(player, flops, rivers, 3, rounds, counts);
            for (i = 0; i < UTEH_ENDS; i++) {
                sum += counts->end[i];
                mix(counts->end[i]);
            }
        }
    CHECK(sum == 4 * rounds);
    free(counts);
    free(flops);
    free(rivers);
    free(player);
}

int main(void)
{
    int k;

    paths();
    five_cards();
    best_of(6, 20000);
    best_of(7, 20000);
    for (k = 5; k <= 7; k++)
        any_rows(k);
    for (k = 1; k <= 9; k++)
        check_rows(k);
    names();
    any_texts(200000);
    odds();
    question_rows();
    settlements(100000);
    rounds(1000);
    tables(300);
    side_bets();
    whole_game();
    deals(1600);
    both_hands(1600);
    simulations(5000);
    printf("core checksum %016llx\n", (unsigned long long)checksum);
    return 0;
}
