#include "deal.h"

#include <string.h>

#include "cpu.h"

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
#include <intrin.h>
#endif

/* Loops over the nine cards and the ten rounds, whose arrays are to be registers. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 10")
#else
#define UNROLL
#endif

/* The lower half of a product of 128 bits, and its upper half. */
static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high)
{
#if defined(__SIZEOF_INT128__) && !defined(UTEH_NO_INT128)
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
#elif defined(_MSC_VER) && defined(_M_X64)
    return _umul128(a, b, high);
#elif defined(_MSC_VER) && defined(_M_ARM64)
    *high = __umulh(a, b);
    return a * b;
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;

    *high = a1 * b1 + (middle >> 32) + (other >> 32);
    return a * b;
#endif
}

/* The ten rounds for a block, or for several: their products do not wait for each other. */
static inline void philox(int blocks, uint64_t c[][4], const uint64_t key[2])
{
    uint64_t k0 = key[0], k1 = key[1];
    int round, i;

    UNROLL
    for (round = 0; round < 10; round++) {
        UNROLL
        for (i = 0; i < blocks; i++) {
            uint64_t high0, high2, low0 = multiply(UINT64_C(0xd2e7470ee14c6c93), c[i][0], &high0),
                                   low2 = multiply(UINT64_C(0xca5a826395121157), c[i][2], &high2);

            c[i][0] = high2 ^ c[i][1] ^ k0;
            c[i][1] = low2;
            c[i][2] = high0 ^ c[i][3] ^ k1;
            c[i][3] = low0;
        }
        k0 += UINT64_C(0x9e3779b97f4a7c15);
        k1 += UINT64_C(0xbb67ae8584caa73b);
    }
}

void uteh_philox(const uint64_t counter[4], const uint64_t key[2], uint64_t out[4])
{
    uint64_t c[1][4];

    memcpy(c[0], counter, sizeof(c[0]));
    philox(1, c, key);
    memcpy(out, c[0], sizeof(c[0]));
}

/* The words of n rounds, rounded up to blocks, and how many of the first block stand before the first round. */
static inline int words_from(const uint64_t key[2], uint64_t first, int n, uint64_t word[UTEH_DEAL_BLOCK + 8])
{
    const int lead = (int)(first & 3);
    uint64_t block = first >> 2;
    int i;

    for (i = 0; i < n + lead; i += 8) {
        uint64_t c[2][4] = {{0}};

        c[0][0] = block++;
        c[1][0] = block++;
        philox(2, c, key);
        memcpy(word + i, c, sizeof(c));
    }
    return lead;
}

#define DEALS (UINT64_C(52) * 51 * 50 * 49 * 48 * 47 * 46 * 45 * 44)
#define SURPLUS ((UINT64_MAX - DEALS + 1) % DEALS) /* 2**64 mod DEALS */

/* The nine places of a round, or 0 if the word is one of the surplus. */
static inline int places(uint64_t word, uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK], int i)
{
    int k;

    for (k = 0; k < UTEH_CARDS; k++) {
        uint64_t place;

        word = multiply(word, (uint64_t)(52 - k), &place);
        cards[k][i] = (uint8_t)place;
    }
    return word >= SURPLUS;
}

/* The other attempts of a round. */
static void again(const uint64_t key[2], uint64_t round, uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK], int i)
{
    uint64_t c[1][4], attempt = 1;

    do {
        c[0][0] = round >> 2;
        c[0][1] = c[0][3] = 0;
        c[0][2] = attempt++;
        philox(1, c, key);
    } while (!places(c[0][round & 3], cards, i));
}

/* From places to cards. After step j the last card of the deck, at place 51 - j, lies at place[j]: `moved[j]` is that card. A later
   place that is one of the earlier ones holds what was moved there last. */
static void cards_of(uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK], int n)
{
    int i;

    for (i = 0; i < n; i++) {
        uint8_t place[UTEH_CARDS], moved[UTEH_CARDS];
        int j, k;

        UNROLL
        for (k = 0; k < UTEH_CARDS; k++) {
            uint8_t card = place[k] = cards[k][i], last = (uint8_t)(51 - k);

            UNROLL
            for (j = 0; j < k; j++) {
                card = place[j] == place[k] ? moved[j] : card;
                last = place[j] == 51 - k ? moved[j] : last;
            }
            moved[k] = last;
            cards[k][i] = card;
        }
    }
}

static void columns_portable(const uint64_t key[2], uint64_t first, int n, uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK])
{
    uint64_t word[UTEH_DEAL_BLOCK + 8];
    const int lead = words_from(key, first, n, word);
    int i;

    for (i = 0; i < n; i++)
        if (!places(word[i + lead], cards, i))
            again(key, first + (uint64_t)i, cards, i);
    cards_of(cards, n);
}

#if UTEH_WITH_AVX2
#include <immintrin.h>

/* The same with 32 rounds side by side. A word is in two halves, and a product reads the lower 32 bits of each lane alone: what stands
   above them need not be cleared. */
UTEH_TARGET_AVX2 static void columns_avx2(const uint64_t key[2], uint64_t first, int n, uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK])
{
    uint64_t word[UTEH_DEAL_BLOCK + 8];
    const int end = (n + 31) / 32 * 32, lead = words_from(key, first, end, word);
    int i, j, k, at;

    for (at = 0; at < end; at += 32) {
        __m256i place[UTEH_CARDS], moved[UTEH_CARDS], enough = _mm256_set1_epi64x(-1);

        for (k = 0; k < UTEH_CARDS; k++)
            place[k] = _mm256_setzero_si256();
        for (j = 0; j < 8; j++) { /* byte j of lane l is round 8 l + j */
            const uint64_t *w = word + lead + at + j;
            __m256i low = _mm256_set_epi64x((int64_t)w[24], (int64_t)w[16], (int64_t)w[8], (int64_t)w[0]);
            __m256i high = _mm256_srli_epi64(low, 32);

            UNROLL
            for (k = 0; k < UTEH_CARDS; k++) {
                const __m256i left = _mm256_set1_epi64x(52 - k);

                low = _mm256_mul_epu32(low, left);
                high = _mm256_add_epi64(_mm256_mul_epu32(high, left), _mm256_srli_epi64(low, 32));
                place[k] = _mm256_or_si256(_mm256_srli_epi64(place[k], 8), _mm256_slli_epi64(_mm256_srli_epi64(high, 32), 56));
            }
            /* What is left is no surplus if its upper half is more than that of the bound. */
            high = _mm256_and_si256(high, _mm256_set1_epi64x(0xffffffff));
            enough = _mm256_and_si256(enough, _mm256_cmpgt_epi64(high, _mm256_set1_epi64x((int64_t)(SURPLUS >> 32))));
        }
        if (_mm256_movemask_epi8(enough) != -1) {
            for (k = 0; k < UTEH_CARDS; k++)
                _mm256_storeu_si256((__m256i *)&cards[k][at], place[k]);
            for (i = at; i < at + 32; i++)
                if (!places(word[i + lead], cards, i))
                    again(key, first + (uint64_t)i, cards, i);
            for (k = 0; k < UTEH_CARDS; k++)
                place[k] = _mm256_loadu_si256((const __m256i *)&cards[k][at]);
        }
        UNROLL
        for (k = 0; k < UTEH_CARDS; k++) {
            const __m256i end_of_deck = _mm256_set1_epi8((char)(51 - k));
            __m256i card = place[k], last = end_of_deck;

            UNROLL
            for (j = 0; j < k; j++) {
                card = _mm256_blendv_epi8(card, moved[j], _mm256_cmpeq_epi8(place[j], place[k]));
                last = _mm256_blendv_epi8(last, moved[j], _mm256_cmpeq_epi8(place[j], end_of_deck));
            }
            moved[k] = last;
            _mm256_storeu_si256((__m256i *)&cards[k][at], card);
        }
    }
}
#endif

void uteh_deal_columns(int path, const uint64_t key[2], uint64_t first, int n, uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK])
{
#if UTEH_WITH_AVX2
    if (path >= UTEH_AVX2 && path <= UTEH_AVX512) {
        columns_avx2(key, first, n, cards);
        return;
    }
#endif
    (void)path;
    columns_portable(key, first, n, cards);
}

void uteh_deal_rows(int path, const uint64_t key[2], uint64_t first, int64_t n, uint8_t *rows)
{
    uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK];

    while (n > 0) {
        int m = n < UTEH_DEAL_BLOCK ? (int)n : UTEH_DEAL_BLOCK, i, k;

        uteh_deal_columns(path, key, first, m, cards);
        for (i = 0; i < m; i++, rows += UTEH_CARDS)
            for (k = 0; k < UTEH_CARDS; k++)
                rows[k] = cards[k][i];
        first += (uint64_t)m;
        n -= m;
    }
}
