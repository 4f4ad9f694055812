/* Kernels for arrays of hands with NEON on 64-bit ARM; batch.h says what they do. */
#include "batch.h"

#if UTEH_WITH_NEON
#include <arm_neon.h>

#define ALWAYS static inline __attribute__((always_inline))

/* Rows are two to a register, and sums of their planes come as a0 a1 b0 b1 c0 c1 s0 s1, the last of the suits' weights. */
ALWAYS int64_t rows_neon(const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    const uint8x16_t a = vld1q_u8(uteh_planes), b = vld1q_u8(uteh_planes + 16), c = vld1q_u8(uteh_planes + 32);
    const uint8x16_t suit = vld1q_u8(uteh_planes + 48), digit = vdupq_n_u8(15);
    const uint8x16_t low = vld1q_u8(uteh_flush_digits + 32 * (k - 5)), high = vld1q_u8(uteh_flush_digits + 32 * (k - 5) + 16);
    const uint32x4_t added = vdupq_n_u32(uteh_added_keys(k)), needed = vdupq_n_u32(uteh_needed_bits(k));
    const uint32_t multiplier = uteh_multiplier[0];
    uint8_t places[16];
    uint8x16_t lanes;
    int64_t i = 0;
    int j, half;

    for (j = 0; j < 16; j++)
        places[j] = (uint8_t)((j & 7) < k ? (j >> 3) * k + (j & 7) : 255);
    lanes = vld1q_u8(places);
    while ((n - i) * k >= 14 * k + 16) {
        const int64_t start = i;
        uint32_t list[UTEH_LIST + 16 + 2];
        int listed = 0;

        for (; listed < UTEH_LIST && i < start + UTEH_STRETCH && (n - i) * k >= 14 * k + 16; i += 16) {
            const uint8_t *p = rows + i * k;
            uint16x8_t weights[2];
            uint32_t hash[16];
            uint8x16_t sums, flush;
            uint64_t flushes;
            int found;

            uteh_ask_for(p, 16 * k);
            for (half = 0; half < 2; half++) {
                uint32x4_t pair[4], ac0, bs0, ac1, bs1, sum;
                uint16x8_t all_a, all_b, all_c;

                for (j = 0; j < 4; j++) {
                    const uint8x16_t x = vqtbl1q_u8(vld1q_u8(p + (8 * half + 2 * j) * k), lanes), rank = vshrq_n_u8(x, 2);
                    const uint16x8_t ab = vpaddq_u16(vpaddlq_u8(vqtbl1q_u8(a, rank)), vpaddlq_u8(vqtbl1q_u8(b, rank)));
                    const uint16x8_t cs =
                        vpaddq_u16(vpaddlq_u8(vqtbl1q_u8(c, rank)), vpaddlq_u8(vqtbl1q_u8(suit, vandq_u8(x, digit))));

                    pair[j] = vreinterpretq_u32_u16(vpaddq_u16(ab, cs));
                }
                ac0 = vtrn1q_u32(pair[0], pair[1]);
                bs0 = vtrn2q_u32(pair[0], pair[1]);
                ac1 = vtrn1q_u32(pair[2], pair[3]);
                bs1 = vtrn2q_u32(pair[2], pair[3]);
#define JOIN(how, x, y) vreinterpretq_u16_u64(how(vreinterpretq_u64_u32(x), vreinterpretq_u64_u32(y)))
                all_a = JOIN(vtrn1q_u64, ac0, ac1);
                all_b = JOIN(vtrn1q_u64, bs0, bs1);
                all_c = JOIN(vtrn2q_u64, ac0, ac1);
                weights[half] = JOIN(vtrn2q_u64, bs0, bs1);
#undef JOIN
#define HASH(part)                                                                                                                 \
    sum = vaddq_u32(vmovl_u16(part(all_a)), vshll_n_u16(part(all_b), 10));                                                         \
    sum = vaddq_u32(sum, vshlq_n_u32(vmovl_u16(part(all_c)), 20));                                                                 \
    sum = vandq_u32(vsubq_u32(vmulq_n_u32(sum, multiplier), added), needed)
                HASH(vget_low_u16);
                vst1q_u32(hash + 8 * half, sum);
                HASH(vget_high_u16);
                vst1q_u32(hash + 8 * half + 4, sum);
#undef HASH
            }
            sums = vuzp1q_u8(vreinterpretq_u8_u16(weights[0]), vreinterpretq_u8_u16(weights[1]));
            flush = vtstq_u8(vqtbl1q_u8(low, vandq_u8(sums, digit)), vqtbl1q_u8(high, vshrq_n_u8(sums, 4)));
            for (j = 0; j < 16; j++)
                out[i + j] = uteh_strength_at(hash[j], k);
            /* Four bits a row, of which one is kept. Two rows are listed at a time, and what is too many is written over. */
            flushes = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(flush), 4)), 0);
            flushes &= UINT64_C(0x1111111111111111);
            found = (int)vaddvq_u8(vshrq_n_u8(flush, 7));
            for (j = 0; j < found; j += 2) {
                int more;

                for (more = 0; more < 2; more++) {
                    list[listed + j + more] = (uint32_t)(i - start) + (flushes ? (uint32_t)__builtin_ctzll(flushes) / 4 : 0);
                    flushes &= flushes - 1;
                }
            }
            listed += found;
        }
        for (j = 0; j < listed; j++)
            out[start + list[j]] = (uint16_t)uteh_strength(rows + (start + list[j]) * k, k);
    }
    return i;
}

int64_t uteh_rows_neon(const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    return k == 7 ? rows_neon(rows, n, 7, out) : k == 6 ? rows_neon(rows, n, 6, out) : rows_neon(rows, n, 5, out);
}

/* Two rows and the same turned by one to k/2 places, in which every pair of cards meets; and ids over 51. */
ALWAYS int64_t good_neon(const uint8_t *rows, int64_t n, int k)
{
    uint8_t places[3][16];
    uint8x16_t turns[3], cards;
    int64_t i = 0;
    int turn, j;

    for (turn = 0; turn < 3; turn++) {
        for (j = 0; j < 16; j++)
            places[turn][j] = (uint8_t)(j < 2 * k ? j / k * k + (j + turn + 1) % k : j);
        turns[turn] = vld1q_u8(places[turn]);
    }
    for (j = 0; j < 16; j++)
        places[0][j] = (uint8_t)(j < 2 * k ? 255 : 0);
    cards = vld1q_u8(places[0]);
    for (; (n - i) * k >= 14 * k + 16; i += 16) {
        uint8x16_t bad = vdupq_n_u8(0);

        uteh_ask_for(rows + i * k, 16 * k);
        for (j = 0; j < 8; j++) {
            const uint8x16_t x = vld1q_u8(rows + (i + 2 * j) * k);

            bad = vorrq_u8(bad, vcgtq_u8(x, vdupq_n_u8(51)));
            for (turn = 0; turn < k / 2; turn++)
                bad = vorrq_u8(bad, vceqq_u8(x, vqtbl1q_u8(x, turns[turn])));
        }
        if (vmaxvq_u8(vandq_u8(bad, cards)))
            break;
    }
    return i;
}

int64_t uteh_good_neon(const uint8_t *rows, int64_t n, int k)
{
    return k == 7 ? good_neon(rows, n, 7) : k == 6 ? good_neon(rows, n, 6) : good_neon(rows, n, 5);
}
#else
typedef int uteh_nothing_here; /* a file of C has to declare something */
#endif
