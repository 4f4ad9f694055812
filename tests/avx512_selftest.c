/* The AVX-512 kernels against the portable ones, without a C library and an operating system: tools/run_on_bochs.py runs it on an
   emulated processor, because few that build and test this package have these instructions. It leaves its findings in `result`. */
#include "batch.h"
#include "cards.h"
#include "cpu.h"

#include <stddef.h>

#if UTEH_WITH_X86
/* done, whether the path is found, whether it is the best one, rows ranked, of these wrong, searches for a bad row, of these wrong, rows
   that whole blocks of the kernels did */
volatile uint64_t result[8];

enum { ROWS = 1500, ROUNDS = 40 };

static uint8_t buffer[64 + ROWS * 7];
static uint16_t found[ROWS + 64], expected[ROWS];

/* What the compiler calls and the core takes from a C library. */
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

void *memcpy(void *to, const void *from, size_t size)
{
    size_t i;

    for (i = 0; i < size; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    size_t i;

    for (i = 0; i < size; i++)
        ((uint8_t *)to)[i] = (uint8_t)byte;
    return to;
}

static uint64_t state = UINT64_C(20261129);

static int below(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state >> 33) % (uint64_t)n);
}

/* Every fifth hand has a suit for most of its cards. */
static void deal(uint8_t *cards, int k)
{
    uint64_t taken = 0;
    int j, card, suit = below(4), suited = below(5) ? 0 : 4 + below(k - 3);

    for (j = 0; j < k; j++) {
        do
            card = j < suited ? below(13) * 4 + suit : below(52);
        while (taken >> card & 1);
        taken |= (uint64_t)1 << card;
        cards[j] = (uint8_t)card;
    }
    for (j = k - 1; j > 0; j--) {
        int other = below(j + 1);
        uint8_t moved = cards[j];

        cards[j] = cards[other];
        cards[other] = moved;
    }
}

static void one_array(int k, int n)
{
    uint8_t *rows = buffer + below(64);
    int i, turn;

    for (i = 0; i < n; i++)
        deal(rows + i * k, k);
    for (i = 0; i < ROWS + 64; i++)
        found[i] = 9999;
    uteh_strength_rows_on(UTEH_PORTABLE, rows, n, k, expected);
    uteh_strength_rows_on(UTEH_AVX512, rows, n, k, found);
    result[3] += (uint64_t)n;
    for (i = 0; i < n; i++)
        result[4] += found[i] != expected[i];
    for (; i < ROWS + 64; i++)
        result[4] += found[i] != 9999;
    result[7] += (uint64_t)uteh_rows_avx512(rows, n, k, found);
    result[5]++;
    result[6] += uteh_check_rows_on(UTEH_AVX512, rows, n, k) != n;
    for (turn = 0; turn < 8 && n > 0; turn++) {
        int row = below(n), column = below(k);
        uint8_t *card = rows + row * k + column, was = *card;

        *card = (uint8_t)(turn & 1 ? 52 + below(204) : rows[row * k + (column + 1 + below(k - 1)) % k]);
        result[5]++;
        result[6] += uteh_check_rows_on(UTEH_AVX512, rows, n, k) != row;
        *card = was;
    }
    /* Any bytes. */
    for (i = 0; i < n * k; i++)
        rows[i] = (uint8_t)below(256);
    uteh_strength_rows_on(UTEH_AVX512, rows, n, k, found);
    for (i = 0; i < n; i++)
        result[4] += found[i] > 7462;
    result[6] += uteh_check_rows_on(UTEH_AVX512, rows, n, k) != uteh_check_rows_on(UTEH_PORTABLE, rows, n, k);
}

void start(void);

__attribute__((section(".start"), noinline)) void start(void)
{
    int k, n;

    result[1] = (uint64_t)uteh_cpu_has(UTEH_AVX512);
    result[2] = uteh_cpu_use(-1) == 0 && uteh_cpu_path() == UTEH_AVX512;
    for (k = 5; k <= 7 && result[1]; k++) {
        for (n = 0; n < 150; n++)
            one_array(k, n);
        for (n = 0; n < ROUNDS; n++)
            one_array(k, 150 + below(ROWS - 150));
    }
    result[0] = 1;
    __asm__ volatile("hlt");
}
#else
typedef int nothing_here; /* a file of C has to declare something */
#endif
