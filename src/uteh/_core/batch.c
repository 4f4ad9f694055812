/* Strengths of arrays of hands: the portable kernels, and the choice among these and those of batch_x86.c and batch_neon.c. Rows are read
   byte by byte, so any alignment and byte order will do. */
#include "batch.h"
#include "evaluator.h"

#define STRENGTH_ROWS(k, by_ranks)                                                                                                 \
    static void rows##k(const uint8_t *row, int64_t n, uint16_t *out)                                                              \
    {                                                                                                                              \
        int64_t i;                                                                                                                 \
        for (i = 0; i < n; i++, row += (k)) {                                                                                      \
            uint64_t sum = UTEH_START + uteh_sum(row, k);                                                                          \
            out[i] = (uint16_t)by_ranks((uint32_t)sum);                                                                            \
            if (sum & UTEH_FIVE_SUITED)                                                                                            \
                out[i] = uteh_flush[uteh_flush_mask(row, k, uteh_flush_suit(sum))];                                                \
        }                                                                                                                          \
    }
STRENGTH_ROWS(5, uteh_by_ranks56)
STRENGTH_ROWS(6, uteh_by_ranks56)
STRENGTH_ROWS(7, uteh_by_ranks7)

void uteh_strength_rows_on(int path, const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    int64_t done = 0;

#if UTEH_WITH_X86
    if (path == UTEH_AVX512)
        done = uteh_rows_avx512(rows, n, k, out);
    else if (path == UTEH_AVX2)
        done = uteh_rows_avx2(rows, n, k, out);
#elif UTEH_WITH_NEON
    if (path == UTEH_NEON)
        done = uteh_rows_neon(rows, n, k, out);
#else
    (void)path;
#endif
    rows += done * k;
    out += done;
    n -= done;
    if (k == 7)
        rows7(rows, n, out);
    else if (k == 6)
        rows6(rows, n, out);
    else
        rows5(rows, n, out);
}

void uteh_strength_rows(const uint8_t *rows, int64_t n, int k, uint16_t *out)
{
    uteh_strength_rows_on(uteh_cpu_path(), rows, n, k, out);
}
