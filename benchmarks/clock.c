/* Prints the clock in GHz: 160 million dependent one-cycle adds, best of seven. A mark at 3.5 GHz is read as figure x GHz / 3.5.
   cc -O2 clock.c -o clock && ./clock */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    double best = 1e9;
    volatile uint64_t step = 3;

    for (int run = 0; run < 7; run++) {
        uint64_t x = 1, s = step;
        double start = now();

        for (int i = 0; i < 10000000; i++) {
            /* The empty statements keep the compiler from folding sixteen adds into one. */
#define ADD                                                                                                                        \
    x += s;                                                                                                                        \
    __asm__ volatile("" : "+r"(x));
            ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
        }
        double seconds = now() - start;
        if (seconds < best)
            best = seconds;
        step = x | 1;
    }
    printf("%.3f\n", 0.16 / best);
    return 0;
}
