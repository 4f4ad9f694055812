/* Kernels for arrays of hands with AVX2 and with AVX-512; batch.h says what they do, cpu.h when they may run. */
#include "batch.h"

#if UTEH_WITH_X86
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS static inline __attribute__((always_inline))
#else
#define ALWAYS static __forceinline
#endif

/* The strength of a row that has a flush. Its suit is that of most cards, bit by bit. Eight bytes are read. */
UTEH_TARGET_AVX2 ALWAYS uint16_t flush_strength(const uint8_t *row, int k)
{
    const uint64_t cards = ~UINT64_C(0) >> (64 - 8 * k);
    const __m128i low_ranks = _mm_set_epi8(0, 0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1);
    const __m128i high_ranks = _mm_set_epi8(0, 0, 0, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const int most = (k + 1) / 2;
    uint64_t ids;
    unsigned suit, mask;
    __m128i x, in_suit, ranks, sums;

    memcpy(&ids, row, 8);
    ids &= cards & UINT64_C(0x3f3f3f3f3f3f3f3f);
    suit = (unsigned)((int)_mm_popcnt_u64(ids & UINT64_C(0x0101010101010101)) >= most) |
           (unsigned)((int)_mm_popcnt_u64(ids & UINT64_C(0x0202020202020202)) >= most) << 1;
    /* The top bit, which no id has here, keeps the other places out of every suit. */
    x = _mm_cvtsi64_si128((long long)(ids | ~cards));
    in_suit = _mm_cmpeq_epi8(_mm_and_si128(x, _mm_set1_epi8(-125)), _mm_set1_epi8((char)suit));
    ranks = _mm_and_si128(_mm_srli_epi16(x, 2), _mm_set1_epi8(15));
    /* No rank comes twice in a suit, so adding bits is joining them. */
    sums = _mm_sad_epu8(_mm_unpacklo_epi64(_mm_and_si128(in_suit, _mm_shuffle_epi8(low_ranks, ranks)),
                                           _mm_and_si128(in_suit, _mm_shuffle_epi8(high_ranks, ranks))),
                        _mm_setzero_si128());
    mask = (unsigned)_mm_cvtsi128_si32(sums) | (unsigned)_mm_extract_epi16(sums, 4) << 8;
    return uteh_flush[mask & 0x1fff];
}

/* AVX2 --------------------------------------------------------------------------------------------------------------------------- */

UTEH_TARGET_AVX2 ALWAYS __m256i twice(const uint8_t *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

/* Four rows, two in each half; bytes past them come along. */
UTEH_TARGET_AVX2 ALWAYS __m256i four_rows(const uint8_t *p, int k)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                   _mm_loadu_si128((const __m128i *)(p + 2 * k)), 1);
}

UTEH_TARGET_AVX2 ALWAYS int64_t rows_avx2(const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    const __m256i zero = _mm256_setzero_si256(), digit = _mm256_set1_epi8(15);
    const __m256i a = twice(uteh_planes), b = twice(uteh_planes + 16), c = twice(uteh_planes + 32), suit = twice(uteh_planes + 48);
    const __m256i low = twice(uteh_flush_digits + 32 * (k - 5)), high = twice(uteh_flush_digits + 32 * (k - 5) + 16);
    const __m256i multiplier = _mm256_set1_epi64x((long long)uteh_multiplier[0]);
    const __m256i added = _mm256_set1_epi64x((long long)uteh_added_keys(k)),
                  needed = _mm256_set1_epi64x((long long)uteh_needed_bits(k));
    uint8_t places[16];
    __m256i lanes;
    int64_t i = 0;
    int j;

    for (j = 0; j < 16; j++)
        places[j] = (uint8_t)((j & 7) < k ? (j >> 3) * k + (j & 7) : 128);
    lanes = twice(places);
    /* The last four rows of a block are read with two loads of 16 bytes. */
    while ((n - i) * k >= 30 * k + 16) {
        const int64_t start = i;
        uint32_t list[UTEH_LIST + 32 + 3];
        int listed = 0;

        for (; listed < UTEH_LIST && i < start + UTEH_STRETCH && (n - i) * k >= 30 * k + 16; i += 32) {
            const uint8_t *p = rows + i * k;
            uint16_t *to = out + i;
            union {
                __m256i vector[8];
                uint32_t word[64];
            } hash;
            __m256i suits = zero;
            uint32_t flushes;
            int found;

            uteh_ask_for(p, 32 * k);
#define FOUR(v)                                                                                                                    \
    do {                                                                                                                           \
        const __m256i x = _mm256_shuffle_epi8(four_rows(p + 4 * (v) * k, k), lanes);                                               \
        const __m256i rank = _mm256_and_si256(_mm256_srli_epi16(x, 2), digit);                                                     \
        __m256i sum = _mm256_sad_epu8(_mm256_shuffle_epi8(a, rank), zero);                                                         \
        sum = _mm256_add_epi64(sum, _mm256_slli_epi64(_mm256_sad_epu8(_mm256_shuffle_epi8(b, rank), zero), 10));                   \
        sum = _mm256_add_epi64(sum, _mm256_slli_epi64(_mm256_sad_epu8(_mm256_shuffle_epi8(c, rank), zero), 20));                   \
        sum = _mm256_sub_epi64(_mm256_mul_epu32(sum, multiplier), added);                                                          \
        hash.vector[v] = _mm256_and_si256(sum, needed);                                                                            \
        suits = _mm256_or_si256(suits, _mm256_slli_epi64(_mm256_sad_epu8(_mm256_shuffle_epi8(suit, x), zero), 8 * (v)));           \
    } while (0)
            FOUR(0);
            FOUR(1);
            FOUR(2);
            FOUR(3);
            FOUR(4);
            FOUR(5);
            FOUR(6);
            FOUR(7);
#undef FOUR
            flushes = ~(uint32_t)_mm256_movemask_epi8(
                _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(low, _mm256_and_si256(suits, digit)),
                                                   _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(suits, 4), digit))),
                                  zero));
            for (j = 0; j < 32; j += 4) {
                to[j] = uteh_strength_at(hash.word[2 * j], k);
                to[j + 1] = uteh_strength_at(hash.word[2 * j + 2], k);
                to[j + 2] = uteh_strength_at(hash.word[2 * j + 4], k);
                to[j + 3] = uteh_strength_at(hash.word[2 * j + 6], k);
            }
            /* A block has about one flush; three are listed at a time, and what is too many is written over. */
            found = _mm_popcnt_u32(flushes);
            for (j = 0; j < found; j += 3) {
                int more;

                for (more = 0; more < 3; more++) {
                    uint32_t bit = _tzcnt_u32(flushes);

                    list[listed + j + more] = (uint32_t)(i - start) + 4 * (bit & 7) + (bit >> 3);
                    flushes &= flushes - 1;
                }
            }
            listed += found;
        }
        for (j = 0; j < listed; j++)
            out[start + list[j]] = flush_strength(rows + (start + list[j]) * k, k);
    }
    return i;
}

UTEH_TARGET_AVX2 int64_t uteh_rows_avx2(const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    return k == 7 ? rows_avx2(rows, n, 7, out) : k == 6 ? rows_avx2(rows, n, 6, out) : rows_avx2(rows, n, 5, out);
}

/* Four rows and the same turned by one to k/2 places, in which every pair of cards meets; and what is left of ids over 51. */
UTEH_TARGET_AVX2 ALWAYS __m256i bad_avx2(const uint8_t *p, int k, const __m256i turns[3])
{
    const __m256i x = four_rows(p, k);
    __m256i bad = _mm256_subs_epu8(x, _mm256_set1_epi8(51));

    bad = _mm256_or_si256(bad, _mm256_cmpeq_epi8(x, _mm256_shuffle_epi8(x, turns[0])));
    bad = _mm256_or_si256(bad, _mm256_cmpeq_epi8(x, _mm256_shuffle_epi8(x, turns[1])));
    if (k > 5)
        bad = _mm256_or_si256(bad, _mm256_cmpeq_epi8(x, _mm256_shuffle_epi8(x, turns[2])));
    return bad;
}

UTEH_TARGET_AVX2 ALWAYS int64_t good_avx2(const uint8_t *rows, int64_t n, int k)
{
    uint8_t places[4][16];
    __m256i turns[3], cards;
    int64_t i = 0;
    int turn, j;

    for (turn = 0; turn < 4; turn++)
        for (j = 0; j < 16; j++) {
            if (turn == 3)
                places[turn][j] = (uint8_t)(j < 2 * k ? 255 : 0);
            else
                places[turn][j] = (uint8_t)(j < 2 * k ? j / k * k + (j + turn + 1) % k : j);
        }
    for (turn = 0; turn < 3; turn++)
        turns[turn] = twice(places[turn]);
    cards = twice(places[3]);
    for (; (n - i) * k >= 14 * k + 16; i += 16) {
        const uint8_t *p = rows + i * k;
        __m256i bad;

        uteh_ask_for(p, 16 * k);
        bad = _mm256_or_si256(_mm256_or_si256(bad_avx2(p, k, turns), bad_avx2(p + 4 * k, k, turns)),
                              _mm256_or_si256(bad_avx2(p + 8 * k, k, turns), bad_avx2(p + 12 * k, k, turns)));
        if (!_mm256_testz_si256(bad, cards))
            break;
    }
    return i;
}

UTEH_TARGET_AVX2 int64_t uteh_good_avx2(const uint8_t *rows, int64_t n, int k)
{
    return k == 7 ? good_avx2(rows, n, 7) : k == 6 ? good_avx2(rows, n, 6) : good_avx2(rows, n, 5);
}

/* AVX-512 ------------------------------------------------------------------------------------------------------------------------ */

UTEH_TARGET_AVX512 ALWAYS __m512i four_times(const uint8_t *p)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p));
}

/* Eight rows in as many lanes; a plane is looked up by the whole id, 64 bytes in one instruction. */
UTEH_TARGET_AVX512 ALWAYS int64_t rows_avx512(const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    const __m512i zero = _mm512_setzero_si512(), digit = _mm512_set1_epi8(15);
    const __m512i a = _mm512_loadu_si512(uteh_card_planes), b = _mm512_loadu_si512(uteh_card_planes + 64);
    const __m512i c = _mm512_loadu_si512(uteh_card_planes + 128), suit = _mm512_loadu_si512(uteh_card_planes + 192);
    const __m512i low = four_times(uteh_flush_digits + 32 * (k - 5)), high = four_times(uteh_flush_digits + 32 * (k - 5) + 16);
    const __m512i multiplier = _mm512_set1_epi64((long long)uteh_multiplier[0]);
    const __m512i added = _mm512_set1_epi64((long long)uteh_added_keys(k)),
                  needed = _mm512_set1_epi64((long long)uteh_needed_bits(k));
    const __mmask64 cards = (__mmask64)((~UINT64_C(0) >> (64 - k)) * UINT64_C(0x0101010101010101));
    uint8_t places[64];
    __m512i lanes;
    int64_t i = 0;
    int j;

    for (j = 0; j < 64; j++)
        places[j] = (uint8_t)((j & 7) < k ? (j >> 3) * k + (j & 7) : 0);
    lanes = _mm512_loadu_si512(places);
    while ((n - i) * k >= 56 * k + 64) {
        const int64_t start = i;
        uint32_t list[UTEH_LIST + 64 + 4];
        int listed = 0;

        for (; listed < UTEH_LIST && i < start + UTEH_STRETCH && (n - i) * k >= 56 * k + 64; i += 64) {
            const uint8_t *p = rows + i * k;
            uint16_t *to = out + i;
            union {
                __m512i vector[8];
                uint32_t word[128];
            } hash;
            __m512i suits = zero;
            uint64_t flushes;
            int found;

            uteh_ask_for(p, 64 * k);
#define EIGHT(v)                                                                                                                   \
    do {                                                                                                                           \
        const __m512i x = _mm512_maskz_permutexvar_epi8(cards, lanes, _mm512_loadu_si512(p + 8 * (v) * k));                        \
        __m512i sum = _mm512_sad_epu8(_mm512_permutexvar_epi8(x, a), zero);                                                        \
        sum = _mm512_add_epi64(sum, _mm512_slli_epi64(_mm512_sad_epu8(_mm512_permutexvar_epi8(x, b), zero), 10));                  \
        sum = _mm512_add_epi64(sum, _mm512_slli_epi64(_mm512_sad_epu8(_mm512_permutexvar_epi8(x, c), zero), 20));                  \
        sum = _mm512_sub_epi64(_mm512_mul_epu32(sum, multiplier), added);                                                          \
        hash.vector[v] = _mm512_and_si512(sum, needed);                                                                            \
        suits = _mm512_or_si512(suits, _mm512_slli_epi64(_mm512_sad_epu8(_mm512_permutexvar_epi8(x, suit), zero), 8 * (v)));       \
    } while (0)
            EIGHT(0);
            EIGHT(1);
            EIGHT(2);
            EIGHT(3);
            EIGHT(4);
            EIGHT(5);
            EIGHT(6);
            EIGHT(7);
#undef EIGHT
            flushes =
                (uint64_t)_mm512_test_epi8_mask(_mm512_shuffle_epi8(low, _mm512_and_si512(suits, digit)),
                                                _mm512_shuffle_epi8(high, _mm512_and_si512(_mm512_srli_epi16(suits, 4), digit)));
            for (j = 0; j < 64; j += 4) {
                to[j] = uteh_strength_at(hash.word[2 * j], k);
                to[j + 1] = uteh_strength_at(hash.word[2 * j + 2], k);
                to[j + 2] = uteh_strength_at(hash.word[2 * j + 4], k);
                to[j + 3] = uteh_strength_at(hash.word[2 * j + 6], k);
            }
            found = (int)_mm_popcnt_u64(flushes);
            for (j = 0; j < found; j += 4) {
                int more;

                for (more = 0; more < 4; more++) {
                    uint32_t bit = (uint32_t)_tzcnt_u64(flushes);

                    list[listed + j + more] = (uint32_t)(i - start) + 8 * (bit & 7) + (bit >> 3);
                    flushes &= flushes - 1;
                }
            }
            listed += found;
        }
        for (j = 0; j < listed; j++)
            out[start + list[j]] = flush_strength(rows + (start + list[j]) * k, k);
    }
    return i;
}

UTEH_TARGET_AVX512 int64_t uteh_rows_avx512(const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    return k == 7 ? rows_avx512(rows, n, 7, out) : k == 6 ? rows_avx512(rows, n, 6, out) : rows_avx512(rows, n, 5, out);
}

/* As many whole rows as 64 bytes hold: 9 to 12. */
UTEH_TARGET_AVX512 ALWAYS __mmask64 bad_avx512(const uint8_t *p, int k, const __m512i turns[3])
{
    const __m512i x = _mm512_loadu_si512(p);
    __mmask64 bad = _mm512_cmpgt_epu8_mask(x, _mm512_set1_epi8(51));

    bad |= _mm512_cmpeq_epi8_mask(x, _mm512_permutexvar_epi8(turns[0], x));
    bad |= _mm512_cmpeq_epi8_mask(x, _mm512_permutexvar_epi8(turns[1], x));
    if (k > 5)
        bad |= _mm512_cmpeq_epi8_mask(x, _mm512_permutexvar_epi8(turns[2], x));
    return bad;
}

UTEH_TARGET_AVX512 ALWAYS int64_t good_avx512(const uint8_t *rows, int64_t n, int k)
{
    const int held = 64 / k;
    const __mmask64 cards = (__mmask64)(~UINT64_C(0) >> (64 - held * k));
    uint8_t places[3][64];
    __m512i turns[3];
    int64_t i = 0;
    int turn, j;

    for (turn = 0; turn < 3; turn++) {
        for (j = 0; j < 64; j++)
            places[turn][j] = (uint8_t)(j < held * k ? j / k * k + (j + turn + 1) % k : j);
        turns[turn] = _mm512_loadu_si512(places[turn]);
    }
    for (; (n - i) * k >= held * k + 64; i += 2 * held) {
        const uint8_t *p = rows + i * k;

        uteh_ask_for(p, 2 * held * k);
        if ((bad_avx512(p, k, turns) | bad_avx512(p + held * k, k, turns)) & cards)
            break;
    }
    return i;
}

UTEH_TARGET_AVX512 int64_t uteh_good_avx512(const uint8_t *rows, int64_t n, int k)
{
    return k == 7 ? good_avx512(rows, n, 7) : k == 6 ? good_avx512(rows, n, 6) : good_avx512(rows, n, 5);
}
#else
typedef int uteh_nothing_here; /* a file of C has to declare something */
#endif
