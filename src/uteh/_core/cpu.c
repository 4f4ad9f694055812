/* Asks the processor what it has, by CPUID and XGETBV themselves: what compilers offer for it answers no under some run-time
   libraries, and does not always ask whether the operating system saves the wide registers. */
#include "cpu.h"

#include <stddef.h>
#include <stdint.h>

#if UTEH_WITH_X86

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>

static void cpuid(uint32_t leaf, uint32_t sub, uint32_t out[4])
{
    int registers[4], i;

    __cpuidex(registers, (int)leaf, (int)sub);
    for (i = 0; i < 4; i++)
        out[i] = (uint32_t)registers[i];
}

static uint32_t xgetbv(void)
{
    return (uint32_t)_xgetbv(0);
}
#else
static void cpuid(uint32_t leaf, uint32_t sub, uint32_t out[4])
{
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "0"(leaf), "2"(sub));
}

static uint32_t xgetbv(void)
{
    uint32_t low, high;

    /* The instruction's bytes: assemblers know its name only where a target has it. */
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}
#endif

enum { EBX = 1, ECX = 2 };

#define ALL(value, bits) (((value) & (bits)) == (bits))

static int best_of_x86(void)
{
    uint32_t r[4], saved, extended;

    cpuid(0, 0, r);
    if (r[0] < 7)
        return UTEH_PORTABLE;
    cpuid(1, 0, r);
    /* POPCNT, OSXSAVE and AVX; the operating system saves the registers of SSE and AVX. */
    if (!ALL(r[ECX], UINT32_C(1) << 23 | UINT32_C(1) << 27 | UINT32_C(1) << 28))
        return UTEH_PORTABLE;
    saved = xgetbv();
    if (!ALL(saved, UINT32_C(0x6)))
        return UTEH_PORTABLE;
    cpuid(UINT32_C(0x80000000), 0, r);
    extended = r[0];
    cpuid(UINT32_C(0x80000001), 0, r);
    if (extended < UINT32_C(0x80000001) || !(r[ECX] & UINT32_C(1) << 5)) /* LZCNT */
        return UTEH_PORTABLE;
    cpuid(7, 0, r);
    if (!ALL(r[EBX], UINT32_C(1) << 3 | UINT32_C(1) << 5 | UINT32_C(1) << 8)) /* BMI1, AVX2, BMI2 */
        return UTEH_PORTABLE;
    /* F, DQ, BW, VL; VBMI; the mask registers and both halves of the 512-bit ones are saved. */
    if (ALL(r[EBX], UINT32_C(1) << 16 | UINT32_C(1) << 17 | UINT32_C(1) << 30 | UINT32_C(1) << 31) && r[ECX] & UINT32_C(1) << 1 &&
        ALL(saved, UINT32_C(0xe6)))
        return UTEH_AVX512;
    return UTEH_AVX2;
}
#endif

static int best(void)
{
#if UTEH_WITH_X86
    return best_of_x86();
#elif UTEH_WITH_NEON
    return UTEH_NEON;
#else
    return UTEH_PORTABLE;
#endif
}

static int path_in_use = UTEH_PORTABLE;

int uteh_cpu_path(void)
{
    return path_in_use;
}

int uteh_cpu_has(int path)
{
    int most = best();

    return path == UTEH_PORTABLE || path == most || (path == UTEH_AVX2 && most == UTEH_AVX512);
}

int uteh_cpu_use(int path)
{
    if (path < 0)
        path = best();
    else if (!uteh_cpu_has(path))
        return -1;
    path_in_use = path;
    return 0;
}

const char *uteh_cpu_name(int path)
{
    static const char *const names[UTEH_PATHS] = {"portable", "avx2", "avx512", "neon"};

    return path >= 0 && path < UTEH_PATHS ? names[path] : NULL;
}
