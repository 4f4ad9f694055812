/* Questions by the row: reading and checking the cards of arrays, asking odds.c and runouts.c, and writing the answers to columns. One
   scratch serves all rows of a call. */
#include <string.h>

#include "odds.h"

static int count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(x * UINT64_C(0x0101010101010101) >> 56);
}

int64_t uteh_asked_check(const uteh_asked *asked, int64_t first, int64_t last)
{
    const int wanted = 5 - asked->width[UTEH_BOARD] - asked->width[UTEH_LATER] + 2 - asked->width[UTEH_DEALER];
    int64_t row;
    int place, i;

    for (row = first; row < last; row++) {
        uint64_t taken = 0;
        int n = 0, bad = 0;

        for (place = 0; place < UTEH_PLACES; place++) {
            const uint8_t *cards = asked->cards[place] + row * asked->stride[place];

            for (i = 0; i < asked->width[place]; i++) {
                const uint8_t card = cards[i];

                if (place == UTEH_DEAD && card == UTEH_NO_CARD)
                    continue;
                bad |= card > 51;
                taken |= UINT64_C(1) << (card & 63);
                n++;
            }
        }
        if (bad || count_bits(taken) != n || 52 - n < wanted)
            return row;
    }
    return last;
}

/* A card of any byte, read once, because another thread may write. */
static inline uint8_t a_card(uint8_t byte)
{
    byte &= 63;
    return (uint8_t)(byte < 52 ? byte : byte - 52);
}

/* Copies cards of a row, and takes them. */
static inline void read_cards(const uint8_t *cards, int n, uint8_t *to, uint64_t *taken)
{
    int i;

    for (i = 0; i < n; i++) {
        to[i] = a_card(cards[i]);
        *taken |= UINT64_C(1) << to[i];
    }
}

static void read_question(const uteh_asked *asked, int64_t row, uteh_question *q)
{
    const uint8_t *cards[UTEH_PLACES];
    const int nboard = asked->width[UTEH_BOARD];
    uint64_t taken = 0;
    int i;

    for (i = 0; i < UTEH_PLACES; i++)
        cards[i] = asked->cards[i] + row * asked->stride[i];
    q->both = asked->both;
    q->nflop = nboard < 3 ? nboard : 3;
    q->nlater = nboard - q->nflop + asked->width[UTEH_LATER];
    q->ndealer = asked->width[UTEH_DEALER];
    read_cards(cards[UTEH_HOLE], 2, q->hole, &taken);
    read_cards(cards[UTEH_BOARD], q->nflop, q->flop, &taken);
    read_cards(cards[UTEH_BOARD] + q->nflop, nboard - q->nflop, q->later, &taken);
    read_cards(cards[UTEH_LATER], asked->width[UTEH_LATER], q->later + nboard - q->nflop, &taken);
    read_cards(cards[UTEH_DEALER], q->ndealer, q->dealer, &taken);
    for (i = 0; i < asked->width[UTEH_DEAD]; i++) {
        const uint8_t card = cards[UTEH_DEAD][i];

        if (card != UTEH_NO_CARD)
            taken |= UINT64_C(1) << a_card(card);
    }
    if (nboard + asked->width[UTEH_LATER] < 5 || q->ndealer == 1)
        uteh_question_init(q, taken);
    else { /* nobody asks for the list of live cards */
        q->live = ~taken & ((UINT64_C(1) << 52) - 1);
        q->nlive = count_bits(q->live);
    }
}

static inline void put(int64_t *column, int64_t row, int64_t value)
{
    if (column)
        column[row] = value;
}

void uteh_asked_odds(const uteh_asked *asked, int64_t first, int64_t last, void *scratch, const uteh_odds_columns *out)
{
    uteh_question q;
    uteh_odds odds;
    int64_t row;
    int category, i;

    memset(&q, 0, sizeof(q));
    for (row = first; row < last; row++) {
        int64_t sum[3] = {0, 0, 0}, deals;

        read_question(asked, row, &q);
        uteh_question_odds(&q, asked->qualifier, scratch, &odds);
        for (category = 0; category < 10; category++)
            for (i = 0; i < 3; i++)
                sum[i] += odds.by_category[category][i];
        deals = sum[0] + sum[1] + sum[2];
        put(out->deals, row, deals);
        for (i = 0; i < 3; i++) {
            put(out->result[i], row, sum[i]);
            put(out->unqualified[i], row, odds.unqualified[i]);
        }
        if (out->equity)
            out->equity[row] = deals ? (double)(2 * sum[2] + sum[1]) / (double)(2 * deals) : 0;
        if (out->by_category)
            for (category = 0; category < 10; category++)
                for (i = 0; i < 3; i++)
                    out->by_category[(row * 10 + category) * 3 + i] = odds.by_category[category][2 - i];
    }
}

static inline int64_t as_signed(uint64_t x)
{
    return x >> 63 ? -(int64_t)(UINT64_MAX - x) - 1 : (int64_t)x;
}

void uteh_asked_values(const uteh_asked *asked, const uteh_plan *plan, int64_t first, int64_t last, void *scratch,
                       const uteh_value_columns *out)
{
    const int n = plan->nactions[plan->street];
    uteh_question q;
    int64_t row;
    int i;

    memset(&q, 0, sizeof(q));
    for (row = first; row < last; row++) {
        uteh_wide sums[UTEH_MAX_ACTIONS];
        int64_t value[UTEH_MAX_ACTIONS], denominator;
        uint64_t lead = 0, scale;
        int best = 0;

        read_question(asked, row, &q);
        uteh_question_values(&q, plan, scratch, sums);
        denominator = out->denominator[q.nlive] > 0 ? out->denominator[q.nlive] : 1;
        scale = (uint64_t)out->scale[q.nlive];
        /* Whoever lays out the columns has seen to it that the sums, and the scaled ones, fit; modulo 2**64 all are defined. */
        for (i = 0; i < n; i++)
            value[i] = as_signed(((uint64_t)sums[i].high << 32) + (uint64_t)sums[i].low);
        for (i = 1; i < n; i++)
            if (value[i] > value[best]) {
                lead = (uint64_t)value[i] - (uint64_t)value[best];
                best = i;
            } else if (i == 1 || (uint64_t)value[best] - (uint64_t)value[i] < lead)
                lead = (uint64_t)value[best] - (uint64_t)value[i];
        if (out->best)
            out->best[row] = (uint8_t)best;
        if (out->margin)
            out->margin[row] = (double)lead / (double)denominator;
        for (i = 0; i < n; i++) {
            if (out->numerators)
                out->numerators[row * n + i] = as_signed((uint64_t)value[i] * scale);
            if (out->values)
                out->values[row * n + i] = (double)value[i] / (double)denominator;
        }
    }
}
