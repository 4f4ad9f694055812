#include "cards.h"
#include "batch.h"

/* One more than the rank or the suit that a letter names, and 0 for every other byte. */
static const uint8_t rank_of[256] = {
    ['2'] = 1, ['3'] = 2,  ['4'] = 3,  ['5'] = 4,  ['6'] = 5,  ['7'] = 6,  ['8'] = 7,  ['9'] = 8,  ['T'] = 9,
    ['t'] = 9, ['J'] = 10, ['j'] = 10, ['Q'] = 11, ['q'] = 11, ['K'] = 12, ['k'] = 12, ['A'] = 13, ['a'] = 13,
};
static const uint8_t suit_of[256] = {
    ['c'] = 1, ['C'] = 1, ['d'] = 2, ['D'] = 2, ['h'] = 3, ['H'] = 3, ['s'] = 4, ['S'] = 4,
};

/* Rank of the character at p (10 counts as one), or -1; *used is how many bytes it takes. */
static int rank_at(const char *p, const char *end, int *used)
{
    if (*p == '1' && end - p > 1 && p[1] == '0') {
        *used = 2;
        return 8;
    }
    *used = 1;
    return rank_of[(uint8_t)*p] - 1;
}

/* Suit of the character at p, a letter or one of the eight Unicode suits with or without a variation selector, or -1. */
static int suit_at(const char *p, const char *end, int *used)
{
    /* U+2660 to U+2667: spade heart diamond club, black, then white, in UTF-8. */
    static const int unicode_suits[8] = {3, 2, 1, 0, 3, 2, 1, 0};

    if (p >= end)
        return -1;
    *used = 1;
    if (suit_of[(uint8_t)*p])
        return suit_of[(uint8_t)*p] - 1;
    if (end - p >= 3 && (uint8_t)p[0] == 0xE2 && (uint8_t)p[1] == 0x99 && (uint8_t)p[2] >= 0xA0 && (uint8_t)p[2] <= 0xA7) {
        *used = 3;
        /* U+FE0E and U+FE0F only say whether the suit before them is drawn as text or as a picture. */
        if (end - p >= 6 && (uint8_t)p[3] == 0xEF && (uint8_t)p[4] == 0xB8 && ((uint8_t)p[5] & 0xFE) == 0x8E)
            *used = 6;
        return unicode_suits[(uint8_t)p[2] - 0xA0];
    }
    return -1;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t char_bytes(const char *p, const char *end)
{
    size_t n = 1;

    while (p + n < end && ((uint8_t)p[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* How much of the text from p a message should quote: a rank and what stands where its suit should, or a character and a suit, or
   the word. */
static size_t bad_length(const char *p, const char *end)
{
    int used = 0, suit_used = 0;
    const char *q;
    int letters = 0;

    if (rank_at(p, end, &used) >= 0) {
        q = p + used;
        if (q < end && !is_blank(*q) && *q != ',')
            q += char_bytes(q, end);
        return (size_t)(q - p);
    }
    q = p + char_bytes(p, end);
    if (suit_at(q, end, &suit_used) >= 0)
        return (size_t)(q - p) + (size_t)suit_used;
    for (letters = 1; q < end && !is_blank(*q) && *q != ',' && letters < 16; letters++)
        q += char_bytes(q, end);
    return (size_t)(q - p);
}

int uteh_parse(const char *text, size_t size, uint8_t *ids, int max, size_t *at, size_t *len)
{
    const char *p = text, *end = text + size, *comma = NULL;
    int n = 0;

    for (;;) {
        int rank, suit, used, suit_used;

        /* Two letters a card, as most texts have it. */
        while (end - p >= 2 && n < max && rank_of[(uint8_t)p[0]] && suit_of[(uint8_t)p[1]]) {
            ids[n++] = (uint8_t)(rank_of[(uint8_t)p[0]] * 4 + suit_of[(uint8_t)p[1]] - 5);
            p += 2;
            comma = NULL;
        }
        while (p < end && is_blank(*p))
            p++;
        if (p < end && *p == ',' && n > 0 && !comma) {
            comma = p++;
            continue;
        }
        if (p >= end) {
            if (!comma)
                return n;
            *at = (size_t)(comma - text);
            *len = 1;
            return UTEH_BAD_TEXT;
        }
        rank = rank_at(p, end, &used);
        suit = rank < 0 ? -1 : suit_at(p + used, end, &suit_used);
        if (suit < 0) {
            *at = (size_t)(p - text);
            *len = *p == ',' ? 1 : bad_length(p, end);
            return UTEH_BAD_TEXT;
        }
        if (n == max)
            return UTEH_MANY;
        ids[n++] = (uint8_t)(rank * 4 + suit);
        p += used + suit_used;
        comma = NULL;
    }
}

int uteh_parse_start(const char *text, size_t size, uint8_t ids[2])
{
    const char *p = text, *end = text + size;
    int high, low, used, suited;

    while (p < end && is_blank(*p))
        p++;
    while (end > p && is_blank(end[-1]))
        end--;
    if (p >= end || (high = rank_at(p, end, &used)) < 0)
        return 0;
    p += used;
    if (p >= end || (low = rank_at(p, end, &used)) < 0 || low > high)
        return 0;
    p += used;
    if (high == low) {
        suited = 0;
        if (p != end)
            return 0;
    } else {
        if (end - p != 1 || (*p != 's' && *p != 'S' && *p != 'o' && *p != 'O'))
            return 0;
        suited = *p == 's' || *p == 'S';
    }
    ids[0] = (uint8_t)(high * 4 + 3);
    ids[1] = (uint8_t)(low * 4 + (suited ? 3 : 2));
    return 1;
}

int uteh_take(uteh_deck *deck, const uint8_t *ids, int n, int place)
{
    int i;

    for (i = 0; i < n; i++) {
        uint64_t bit = (uint64_t)1 << (ids[i] & 63);

        if (deck->taken & bit)
            return i;
        deck->taken |= bit;
        deck->place[ids[i] & 63] = (uint8_t)place;
    }
    return n;
}

int uteh_check_row(const uint8_t *row, int k, int *first, int *second)
{
    int i, j;

    for (i = 0; i < k; i++)
        if (row[i] > 51) {
            *first = *second = i;
            return 1;
        }
    for (j = 1; j < k; j++)
        for (i = 0; i < j; i++)
            if (row[i] == row[j]) {
                *first = i;
                *second = j;
                return 1;
            }
    return 0;
}

/* Adding and or-ing one bit a card come to the same exactly when no bit comes twice. */
static int64_t check_each(const uint8_t *rows, int64_t first, int64_t n, int k)
{
    int64_t i;

    for (i = first; i < n; i++) {
        const uint8_t *row = rows + i * k;
        uint64_t sum = 0, any = 0;
        unsigned high = 0;
        int j;

        for (j = 0; j < k; j++) {
            uint64_t bit = (uint64_t)1 << (row[j] & 63);

            sum += bit;
            any |= bit;
            high |= row[j];
        }
        if (sum != any || any >> 52 || high > 63)
            return i;
    }
    return n;
}

#if defined(__SSE2__)
#include <emmintrin.h>

/* A row of k cards with itself turned by one to k/2 places: every pair of its cards meets once. Two rows, one in each half. */
static inline __m128i repeats(__m128i rows, int k)
{
    __m128i found = _mm_setzero_si128();
    int turn;

    for (turn = 1; turn <= k / 2; turn++) {
        __m128i turned = _mm_or_si128(_mm_srli_epi64(rows, 8 * turn), _mm_slli_epi64(rows, 8 * (k - turn)));

        found = _mm_or_si128(found, _mm_cmpeq_epi8(rows, turned));
    }
    return found;
}

static inline int64_t check_pairs(const uint8_t *rows, int64_t first, int64_t n, int k)
{
    const __m128i mask = _mm_set1_epi64x((long long)(~UINT64_C(0) >> (64 - 8 * k)));
    const __m128i most = _mm_set1_epi8(51);
    int64_t i;

    /* Eight bytes are read of each row, so the last two rows are left to the byte by byte check. */
    for (i = first; i + 6 <= n; i += 4) {
        const uint8_t *p = rows + i * k;
        __m128i a = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p), _mm_loadl_epi64((const __m128i *)(p + k)));
        __m128i b =
            _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(p + 2 * k)), _mm_loadl_epi64((const __m128i *)(p + 3 * k)));
        __m128i bad;

        a = _mm_and_si128(a, mask);
        b = _mm_and_si128(b, mask);
        bad =
            _mm_or_si128(_mm_and_si128(_mm_or_si128(repeats(a, k), repeats(b, k)), mask), _mm_subs_epu8(_mm_max_epu8(a, b), most));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) != 0xffff)
            break;
    }
    return check_each(rows, i, n, k);
}
/* Rows of nine: one to a register, its nine bytes turned by one to four places. */
static int64_t check_nine(const uint8_t *rows, int64_t n)
{
    const __m128i mask = _mm_set_epi8(0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i most = _mm_set1_epi8(51);
    int64_t i;

    /* Sixteen bytes are read of each row, so the last rows are left to the byte by byte check. */
    for (i = 0; i + 2 <= n; i++) {
        __m128i row = _mm_and_si128(_mm_loadu_si128((const __m128i *)(rows + 9 * i)), mask);
        __m128i found, bad;

#define TURNED(by) _mm_cmpeq_epi8(row, _mm_or_si128(_mm_srli_si128(row, by), _mm_slli_si128(row, 9 - (by))))
        found = _mm_or_si128(_mm_or_si128(TURNED(1), TURNED(2)), _mm_or_si128(TURNED(3), TURNED(4)));
#undef TURNED
        bad = _mm_or_si128(_mm_and_si128(found, mask), _mm_subs_epu8(row, most));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) != 0xffff)
            break;
    }
    return check_each(rows, i, n, 9);
}
#else
static int64_t check_nine(const uint8_t *rows, int64_t n)
{
    return check_each(rows, 0, n, 9);
}

static inline int64_t check_pairs(const uint8_t *rows, int64_t first, int64_t n, int k)
{
    return check_each(rows, first, n, k);
}
#endif

int64_t uteh_check_rows_on(int path, const uint8_t *rows, int64_t n, int k)
{
    int64_t good = 0;

    if (k >= 5 && k <= 7) {
#if UTEH_WITH_X86
        if (path == UTEH_AVX512)
            good = uteh_good_avx512(rows, n, k);
        else if (path == UTEH_AVX2)
            good = uteh_good_avx2(rows, n, k);
#elif UTEH_WITH_NEON
        if (path == UTEH_NEON)
            good = uteh_good_neon(rows, n, k);
#else
        (void)path;
#endif
    }
    switch (k) {
    case 5: return check_pairs(rows, good, n, 5);
    case 6: return check_pairs(rows, good, n, 6);
    case 7: return check_pairs(rows, good, n, 7);
    case 9: return check_nine(rows, n);
    default: return check_each(rows, 0, n, k);
    }
}

int64_t uteh_check_rows(const uint8_t *rows, int64_t n, int k)
{
    return uteh_check_rows_on(uteh_cpu_path(), rows, n, k);
}
