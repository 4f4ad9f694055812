/* Kernels for rounds of nine cards with AVX2: the strengths of both hands, and the search for repeated cards. What they are for stands
   in batch.h, and the method in batch_x86.c: sums of bytes in lanes of eight, one multiplication, two look-ups a hand. */
#include "batch.h"

#if UTEH_WITH_X86
#include <immintrin.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS static inline __attribute__((always_inline))
#else
#define ALWAYS static __forceinline
#endif

UTEH_TARGET_AVX2 ALWAYS __m256i twice(const uint8_t *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

/* What the kernels keep in registers. */
typedef struct {
    __m256i a, b, c, suit, low, high, multiplier, added, needed;
} constants;

UTEH_TARGET_AVX2 ALWAYS constants get_constants(void)
{
    constants k;

    k.a = twice(uteh_planes);
    k.b = twice(uteh_planes + 16);
    k.c = twice(uteh_planes + 32);
    k.suit = twice(uteh_planes + 48);
    k.low = twice(uteh_flush_digits + 64);
    k.high = twice(uteh_flush_digits + 80);
    k.multiplier = _mm256_set1_epi64x((long long)uteh_multiplier[0]);
    k.added = _mm256_set1_epi64x((long long)uteh_added_keys(7));
    k.needed = _mm256_set1_epi64x((long long)uteh_needed_bits(7));
    return k;
}

/* Hashes of the four hands in a vector's lanes; their suits go to byte v of each lane. */
UTEH_TARGET_AVX2 ALWAYS __m256i four_hands(const constants *k, __m256i x, int v, __m256i *suits)
{
    const __m256i zero = _mm256_setzero_si256(), rank = _mm256_and_si256(_mm256_srli_epi16(x, 2), _mm256_set1_epi8(15));
    __m256i sum = _mm256_sad_epu8(_mm256_shuffle_epi8(k->a, rank), zero);

    sum = _mm256_add_epi64(sum, _mm256_slli_epi64(_mm256_sad_epu8(_mm256_shuffle_epi8(k->b, rank), zero), 10));
    sum = _mm256_add_epi64(sum, _mm256_slli_epi64(_mm256_sad_epu8(_mm256_shuffle_epi8(k->c, rank), zero), 20));
    sum = _mm256_sub_epi64(_mm256_mul_epu32(sum, k->multiplier), k->added);
    *suits = _mm256_or_si256(*suits, _mm256_slli_epi64(_mm256_sad_epu8(_mm256_shuffle_epi8(k->suit, x), zero), 8 * v));
    return _mm256_and_si256(sum, k->needed);
}

/* A bit for each of 32 bytes of suits that is that of a flush: bit 8 l + v for lane l of vector v. */
UTEH_TARGET_AVX2 ALWAYS uint32_t flushes_of(const constants *k, __m256i suits)
{
    const __m256i digit = _mm256_set1_epi8(15);
    __m256i low = _mm256_shuffle_epi8(k->low, _mm256_and_si256(suits, digit));
    __m256i high = _mm256_shuffle_epi8(k->high, _mm256_and_si256(_mm256_srli_epi16(suits, 4), digit));

    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256()));
}

/* Adds the flushes of 32 hands to a list, of which entries are bit numbers and more: three at a time, since there are about as many, and
   what is too many is written over. */
UTEH_TARGET_AVX2 ALWAYS int note_flushes(uint32_t flushes, uint32_t more, uint32_t *list, int listed)
{
    const int found = _mm_popcnt_u32(flushes);
    int i, j;

    for (i = 0; i < found; i += 3)
        for (j = 0; j < 3; j++) {
            list[listed + i + j] = more | (uint32_t)_tzcnt_u32(flushes);
            flushes &= flushes - 1;
        }
    return listed + found;
}

/* The strength of a hand that has a flush: seven ids, the lowest byte first. */
UTEH_TARGET_AVX2 ALWAYS uint16_t flush_strength(uint64_t ids)
{
    uint8_t hand[8];
    unsigned suit;

    ids &= UINT64_C(0x003f3f3f3f3f3f3f);
    suit = (unsigned)(_mm_popcnt_u64(ids & UINT64_C(0x0101010101010101)) >= 4) |
           (unsigned)(_mm_popcnt_u64(ids & UINT64_C(0x0202020202020202)) >= 4) << 1;
    memcpy(hand, &ids, 8);
    return uteh_flush[uteh_flush_mask(hand, 7, suit)];
}

/* Blocks of 32 rounds. Sixteen bytes are read of a row; of the last, those that end with it. */
UTEH_TARGET_AVX2 int64_t uteh_round_rows_avx2(const uint8_t *rows, int64_t n, uint16_t *player, uint16_t *dealer)
{
    static const uint8_t places[16] = {0, 1, 4, 5, 6, 7, 8, 128, 2, 3, 4, 5, 6, 7, 8, 128};
    const constants k = get_constants();
    const __m256i lanes = twice(places);
    const __m256i last_lanes =
        _mm256_add_epi8(lanes, _mm256_setr_epi64x(0, 0, INT64_C(0x0007070707070707), INT64_C(0x0007070707070707)));
    int64_t i = 0;
    int j;

    while (i + 32 <= n) {
        const int64_t start = i;
        uint32_t list[UTEH_LIST + 64 + 6];
        int listed = 0;

        for (; listed < UTEH_LIST && i + 32 <= n; i += 32) {
            const uint8_t *p = rows + 9 * i;
            union {
                __m256i vector[16];
                uint32_t word[128];
            } hash;
            __m256i suits[2];
            int half, v;

            for (j = 0; j < 9 * 32; j += 64)
                _mm_prefetch((const char *)((uintptr_t)p + UTEH_AHEAD + (uintptr_t)j), _MM_HINT_NTA);
            suits[0] = suits[1] = _mm256_setzero_si256();
            for (half = 0; half < 2; half++)
                for (v = 0; v < 8; v++) {
                    const int last = half && v == 7;
                    const uint8_t *two = p + 18 * (8 * half + v);
                    __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)two)),
                                                        _mm_loadu_si128((const __m128i *)(two + (last ? 2 : 9))), 1);

                    x = _mm256_shuffle_epi8(x, last ? last_lanes : lanes);
                    hash.vector[8 * half + v] = four_hands(&k, x, v, &suits[half]);
                }
            for (j = 0; j < 32; j++) {
                player[i + j] = uteh_strength_at(hash.word[4 * j], 7);
                dealer[i + j] = uteh_strength_at(hash.word[4 * j + 2], 7);
            }
            for (half = 0; half < 2; half++)
                listed =
                    note_flushes(flushes_of(&k, suits[half]), ((uint32_t)(i - start) / 16 + (uint32_t)half) << 5, list, listed);
        }
        for (j = 0; j < listed; j++) {
            /* The number of 16 rounds, the lane and the vector. */
            const uint32_t bit = list[j] & 31;
            const int64_t round = start + (int64_t)(list[j] >> 5) * 16 + 2 * (bit & 7) + (bit >> 4);
            const uint8_t *p = rows + 9 * round;
            uint64_t ids;

            memcpy(&ids, p + 1, 8);
            if (bit & 8)
                dealer[round] = flush_strength(ids >> 8);
            else
                player[round] = flush_strength((ids >> 24 << 16) | p[0] | (uint64_t)p[1] << 8);
        }
    }
    return i;
}

/* The same from columns: bytes of 32 rounds are turned into lanes of eight cards by three rounds of interleaving, in which each half of
   a register has sixteen rounds of its own. */
UTEH_TARGET_AVX2 int64_t uteh_round_columns_avx2(const uint8_t *cards, int64_t column, int64_t n, uint16_t *player,
                                                 uint16_t *dealer)
{
    const constants k = get_constants();
    const __m256i zero = _mm256_setzero_si256();
    int64_t i = 0;
    int j;

    while (i + 32 <= n) {
        const int64_t start = i;
        uint32_t list[UTEH_LIST + 64 + 6];
        int listed = 0;

        for (; listed < UTEH_LIST && i + 32 <= n; i += 32) {
            __m256i pairs[5][2], own[4], theirs[4], last[4], suits[2];
            union {
                __m256i vector[16];
                uint32_t word[128];
            } hash;
            int side, v;

            for (j = 0; j < 5; j++) {
                __m256i one = _mm256_loadu_si256((const __m256i *)(cards + 2 * j * column + i));
                __m256i other = j < 4 ? _mm256_loadu_si256((const __m256i *)(cards + (2 * j + 1) * column + i)) : zero;

                pairs[j][0] = _mm256_unpacklo_epi8(one, other);
                pairs[j][1] = _mm256_unpackhi_epi8(one, other);
            }
            for (j = 0; j < 2; j++) {
                own[2 * j] = _mm256_unpacklo_epi16(pairs[0][j], pairs[2][j]);
                own[2 * j + 1] = _mm256_unpackhi_epi16(pairs[0][j], pairs[2][j]);
                theirs[2 * j] = _mm256_unpacklo_epi16(pairs[1][j], pairs[2][j]);
                theirs[2 * j + 1] = _mm256_unpackhi_epi16(pairs[1][j], pairs[2][j]);
                last[2 * j] = _mm256_unpacklo_epi16(pairs[3][j], pairs[4][j]);
                last[2 * j + 1] = _mm256_unpackhi_epi16(pairs[3][j], pairs[4][j]);
            }
            suits[0] = suits[1] = zero;
            for (v = 0; v < 4; v++) {
                hash.vector[2 * v] = four_hands(&k, _mm256_unpacklo_epi32(own[v], last[v]), 2 * v, &suits[0]);
                hash.vector[2 * v + 1] = four_hands(&k, _mm256_unpackhi_epi32(own[v], last[v]), 2 * v + 1, &suits[0]);
                hash.vector[8 + 2 * v] = four_hands(&k, _mm256_unpacklo_epi32(theirs[v], last[v]), 2 * v, &suits[1]);
                hash.vector[8 + 2 * v + 1] = four_hands(&k, _mm256_unpackhi_epi32(theirs[v], last[v]), 2 * v + 1, &suits[1]);
            }
            for (j = 0; j < 32; j++) {
                const int at = 8 * (j >> 1 & 7) + 4 * (j >> 4) + 2 * (j & 1);

                player[i + j] = uteh_strength_at(hash.word[at], 7);
                dealer[i + j] = uteh_strength_at(hash.word[64 + at], 7);
            }
            for (side = 0; side < 2; side++)
                listed =
                    note_flushes(flushes_of(&k, suits[side]), ((uint32_t)(i - start) / 16 + (uint32_t)side) << 5, list, listed);
        }
        for (j = 0; j < listed; j++) {
            /* The number of 32 rounds and the side, the lane and the vector. */
            const uint32_t bit = list[j] & 31, side = list[j] >> 5 & 1;
            const int64_t round = start + (int64_t)(list[j] >> 6) * 32 + 2 * (bit & 7) + (bit >> 3 & 1) + 16 * (bit >> 4);
            uint64_t ids = cards[2 * side * column + round] | (uint64_t)cards[(2 * side + 1) * column + round] << 8;
            int card;

            for (card = 0; card < 5; card++)
                ids |= (uint64_t)cards[(4 + card) * column + round] << (16 + 8 * card);
            (side ? dealer : player)[round] = flush_strength(ids);
        }
    }
    return i;
}

/* Rows of nine, two to a register: nine bytes turned by one to four places, in which every pair of cards meets. */
UTEH_TARGET_AVX2 int64_t uteh_good_nine_avx2(const uint8_t *rows, int64_t n)
{
    static const uint8_t places[4][16] = {{1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 9, 9, 9, 9, 9, 9},
                                          {2, 3, 4, 5, 6, 7, 8, 0, 1, 9, 9, 9, 9, 9, 9, 9},
                                          {3, 4, 5, 6, 7, 8, 0, 1, 2, 9, 9, 9, 9, 9, 9, 9},
                                          {4, 5, 6, 7, 8, 0, 1, 2, 3, 9, 9, 9, 9, 9, 9, 9}};
    static const uint8_t nine[16] = {255, 255, 255, 255, 255, 255, 255, 255, 255};
    const __m256i turns[4] = {twice(places[0]), twice(places[1]), twice(places[2]), twice(places[3])}, cards = twice(nine);
    int64_t i;
    int j, turn;

    for (i = 0; (n - i) * 9 >= 7 * 9 + 16; i += 8) {
        __m256i bad = _mm256_setzero_si256();

        for (j = 0; j < 8; j += 2) {
            const uint8_t *two = rows + 9 * (i + j);
            __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)two)),
                                                _mm_loadu_si128((const __m128i *)(two + 9)), 1);

            bad = _mm256_or_si256(bad, _mm256_subs_epu8(x, _mm256_set1_epi8(51)));
            for (turn = 0; turn < 4; turn++)
                bad = _mm256_or_si256(bad, _mm256_cmpeq_epi8(x, _mm256_shuffle_epi8(x, turns[turn])));
        }
        if (!_mm256_testz_si256(bad, cards))
            break;
    }
    return i;
}
#else
typedef int uteh_nothing_here; /* a file of C has to declare something */
#endif
