/* Side bets: going through the hands or boards that are left, and for each board comparing all hands with one another in one sweep. */
#include "side.h"

#include "evaluator.h"

enum { HOLES = 1326 };

static int64_t choose(int n, int k)
{
    int64_t c = 1;
    int i;

    if (k < 0 || n < k)
        return 0;
    for (i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

/* Hands -------------------------------------------------------------------------------------------------------------------------- */

static unsigned strength_of(const uint8_t *cards, int n, uint64_t sum)
{
    if (sum & UTEH_FIVE_SUITED)
        return uteh_flush[uteh_flush_mask(cards, n, uteh_flush_suit(sum))];
    return n == 7 ? uteh_by_ranks7((uint32_t)sum) : uteh_by_ranks56((uint32_t)sum);
}

/* Adds what the hand comes to with every choice of live cards from `from` on for its places from n on. */
static void finish(const uteh_side *s, uint8_t *hand, int n, uint64_t sum, int from, int64_t counts[10])
{
    int i;

    if (n == s->cards) {
        counts[uteh_category[strength_of(hand, n, sum)]]++;
        return;
    }
    for (i = from; i < s->nlive; i++) {
        hand[n] = s->live[i];
        if (n + 1 == s->cards)
            counts[uteh_category[strength_of(hand, n + 1, sum + uteh_key[hand[n]])]]++;
        else
            finish(s, hand, n + 1, sum + uteh_key[hand[n]], i + 1, counts);
    }
}

int64_t uteh_side_hands(const uteh_side *s)
{
    int open = s->cards - s->nknown;

    return choose(s->nlive, open < 2 ? open : 2);
}

void uteh_side_hands_range(const uteh_side *s, int64_t first, int64_t last, int64_t counts[10])
{
    uint8_t hand[7];
    uint64_t sum = UTEH_START + uteh_sum(s->known, s->nknown);
    int open = s->cards - s->nknown, i, a = 0, b = 1;
    int64_t unit;

    for (i = 0; i < s->nknown; i++)
        hand[i] = s->known[i];
    if (open < 2) {
        for (unit = first; unit < last; unit++)
            if (open == 0)
                finish(s, hand, s->nknown, sum, 0, counts);
            else {
                hand[s->nknown] = s->live[unit];
                finish(s, hand, s->nknown + 1, sum + uteh_key[s->live[unit]], 0, counts);
            }
        return;
    }
    for (unit = 0; unit < last; unit++) {
        if (unit >= first) {
            hand[s->nknown] = s->live[a];
            hand[s->nknown + 1] = s->live[b];
            finish(s, hand, s->nknown + 2, sum + uteh_key[s->live[a]] + uteh_key[s->live[b]], b + 1, counts);
        }
        if (++b == s->nlive)
            b = ++a + 1;
    }
}

/* Boards ------------------------------------------------------------------------------------------------------------------------- */

static unsigned worth(const uteh_side *s, const uint8_t board[5], uint64_t sum, uint8_t x, uint8_t y)
{
    uint8_t hand[7];
    int i;

    if (s->both)
        return uteh_strength_both(board, x, y);
    sum += uteh_key[x] + uteh_key[y];
    if (!(sum & UTEH_FIVE_SUITED))
        return uteh_by_ranks7((uint32_t)sum);
    for (i = 0; i < 5; i++)
        hand[i] = board[i];
    hand[5] = x;
    hand[6] = y;
    return uteh_flush[uteh_flush_mask(hand, 7, uteh_flush_suit(sum))];
}

/* The number of a combination is the sum of C(place, i): places of the highest number that fits, from the last down. */
static void combination(int64_t number, int k, int *places)
{
    while (k > 0) {
        int place = k - 1;

        while (choose(place + 1, k) <= number)
            place++;
        places[--k] = place;
        number -= choose(place, k + 1);
    }
}

static void one_hole(const uteh_side *s, const uint8_t board[5], const uint8_t *rest, int n, int64_t counts[40])
{
    const uint64_t sum = UTEH_START + uteh_sum(board, 5);
    const unsigned own = worth(s, board, sum, s->known[0], s->known[1]);
    const int category = uteh_category[own];
    int64_t *mine = counts + 3 * category;
    int i, j;

    if (!s->dealers) {
        mine[1]++;
        return;
    }
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++) {
            unsigned theirs = worth(s, board, sum, rest[i], rest[j]);

            mine[(own > theirs) - (own < theirs) + 1]++;
            counts[30 + uteh_category[theirs]] += own > theirs;
        }
}

typedef struct {
    uint16_t strength;
    uint8_t a, b;
} hand_t;

static void by_digit(const hand_t *from, hand_t *to, int n, int shift, unsigned mask)
{
    int start[128] = {0}, i, sum = 0;

    for (i = 0; i < n; i++)
        start[(from[i].strength >> shift) & mask]++;
    for (i = 0; i <= (int)mask; i++) {
        int count = start[i];

        start[i] = sum;
        sum += count;
    }
    for (i = 0; i < n; i++)
        to[start[(from[i].strength >> shift) & mask]++] = from[i];
}

/* All holes against all dealer hands: the hands from the weakest up, with how many have been passed and how many of those hold each
   card. */
static void all_holes(const uteh_side *s, const uint8_t board[5], const uint8_t *rest, int n, int64_t counts[40])
{
    const uint64_t sum = UTEH_START + uteh_sum(board, 5);
    hand_t hands[HOLES] = {{0, 0, 0}}, sorted[HOLES];
    int passed[52] = {0}, equal[52] = {0}, all = 0, of_each = (n - 2) * (n - 3) / 2, i, j, k, nhands = 0;

    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++) {
            hands[nhands].strength = (uint16_t)worth(s, board, sum, rest[i], rest[j]);
            hands[nhands].a = (uint8_t)i;
            hands[nhands++].b = (uint8_t)j;
        }
    if (!s->dealers) {
        for (i = 0; i < nhands; i++)
            counts[3 * uteh_category[hands[i].strength] + 1]++;
        return;
    }
    by_digit(hands, sorted, nhands, 0, 127);
    by_digit(sorted, hands, nhands, 7, 127);
    for (i = 0; i < nhands; i = j) {
        const int category = uteh_category[hands[i].strength];

        for (j = i; j < nhands && hands[j].strength == hands[i].strength; j++) {
            equal[hands[j].a]++;
            equal[hands[j].b]++;
        }
        for (k = i; k < j; k++) {
            const int a = hands[k].a, b = hands[k].b;
            const int wins = all - passed[a] - passed[b], ties = (j - i) - equal[a] - equal[b] + 1;

            counts[3 * category] += of_each - wins - ties;
            counts[3 * category + 1] += ties;
            counts[3 * category + 2] += wins;
            counts[30 + category] += of_each - wins - ties; /* who loses here is a dealer who loses there */
        }
        for (k = i; k < j; k++) {
            passed[hands[k].a]++;
            passed[hands[k].b]++;
            equal[hands[k].a] = equal[hands[k].b] = 0;
        }
        all += j - i;
    }
}

int64_t uteh_side_boards(const uteh_side *s)
{
    return choose(s->nlive, 5 - (s->nknown - 2 * s->hole));
}

void uteh_side_boards_range(const uteh_side *s, int64_t first, int64_t last, int64_t counts[40])
{
    const int nboard = s->nknown - 2 * s->hole, open = 5 - nboard;
    int64_t unit;

    for (unit = first; unit < last; unit++) {
        uint8_t board[5], rest[52];
        int places[5], i, n = 0, next = 0;

        combination(unit, open, places);
        for (i = 0; i < nboard; i++)
            board[i] = s->known[2 * s->hole + i];
        for (i = 0; i < open; i++)
            board[nboard + i] = s->live[places[i]];
        for (i = 0; i < s->nlive; i++)
            if (next < open && places[next] == i)
                next++;
            else
                rest[n++] = s->live[i];
        if (s->hole)
            one_hole(s, board, rest, n, counts);
        else
            all_holes(s, board, rest, n, counts);
    }
}
