/* What batch.c and cards.c ask of the vector kernels. Each does as many of the n rows as it can do whole blocks of, from the first, and
   returns how many that were; the rest is left to portable C. Rows have k cards, 5, 6 or 7. Any bytes are safe.

   The method is that of tables.c, which tools/make_tables.py tells: sums of bytes, one multiplication, two look-ups a row, and a bit
   for each row that has a flush. Flushes are 3% of random hands, so the bits go to a list, without a branch that a processor could
   guess wrong, and the list is gone through every few thousand rows at the latest, while these are still in a near cache.

   uteh_rows_* write strengths. uteh_good_* stop before the first block in which a row has an id over 51 or a card twice. */
#ifndef UTEH_BATCH_H
#define UTEH_BATCH_H

#include "cpu.h"
#include "evaluator.h"

#include <stdint.h>
#if UTEH_WITH_X86
#include <immintrin.h>
#endif

#if UTEH_WITH_X86
int64_t uteh_rows_avx2(const uint8_t *rows, int64_t n, int k, uint16_t *out);
int64_t uteh_good_avx2(const uint8_t *rows, int64_t n, int k);
int64_t uteh_rows_avx512(const uint8_t *rows, int64_t n, int k, uint16_t *out);
int64_t uteh_good_avx512(const uint8_t *rows, int64_t n, int k);
#endif
#if UTEH_WITH_NEON
int64_t uteh_rows_neon(const uint8_t *rows, int64_t n, int k, uint16_t *out);
int64_t uteh_good_neon(const uint8_t *rows, int64_t n, int k);
#endif

/* The list is gone through once it has so many rows, or after so many. And how far ahead of its work a kernel asks for memory, in bytes:
   without that, rows that stream by push the tables out of the second cache, and processors do not fetch across pages by themselves. */
enum { UTEH_LIST = 64, UTEH_STRETCH = 4096, UTEH_AHEAD = 2048 };

/* Asks for bytes that come UTEH_AHEAD after p, which may lie anywhere. */
static inline void uteh_ask_for(const uint8_t *p, int bytes)
{
    int i;

    for (i = 0; i < bytes; i += 64) {
#if defined(__GNUC__) || defined(__clang__)
        __builtin_prefetch((const void *)((uintptr_t)p + UTEH_AHEAD + (uintptr_t)i), 0, 0);
#elif UTEH_WITH_X86
        _mm_prefetch((const char *)((uintptr_t)p + UTEH_AHEAD + (uintptr_t)i), _MM_HINT_NTA);
#else
        (void)p;
#endif
    }
}

/* The bits of a hash that are looked at: the position in the low half and the bucket in the high one. */
static inline uint32_t uteh_needed_bits(int k)
{
    return k == 7 ? UINT32_C(0x1fffffff) : UINT32_C(0x0fff7fff);
}

/* Places past the k cards of a row of eight are read as card 0, and its key is added for each. */
static inline uint32_t uteh_added_keys(int k)
{
    return (uint32_t)uteh_key[0] * (uint32_t)(8 - k);
}

/* The strength where no bits but the needed ones are set. */
static inline uint16_t uteh_strength_at(uint32_t hash, int k)
{
    return k == 7 ? uteh_ranks7[(uint16_t)(hash ^ uteh_displace7[hash >> 16])]
                  : uteh_ranks56[(uint16_t)(hash ^ uteh_displace56[hash >> 16])];
}

#endif
