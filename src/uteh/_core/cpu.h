/* Which kernels this processor can run. Nothing here knows what a kernel does.

   A *path* is a level of instructions. Every kernel exists for UTEH_PORTABLE; the others are compiled where the compiler can make
   them and run where the processor has them. How a file adds a kernel:

       #include "cpu.h"

       static void add_portable(...) { plain C99 }

       #if UTEH_WITH_AVX2
       #include <immintrin.h>
       UTEH_TARGET_AVX2 static void add_avx2(...) { _mm256_... }
       #endif

       void uteh_add_on(int path, ...)
       {
       #if UTEH_WITH_AVX2
           if (path >= UTEH_AVX2 && path <= UTEH_AVX512) { add_avx2(...); return; }
       #endif
           add_portable(...);
       }

   and callers pass uteh_cpu_path(), or a path of uteh_cpu_has() in tests. A function with UTEH_TARGET_AVX2 may call inline functions
   without it, not the other way round. UTEH_AVX512 implies UTEH_AVX2. Do not use the bit deposit and extract of BMI2: they take
   hundreds of cycles on some AMD processors.

   The only state is one int, which uteh_cpu_use() writes while the module is imported and nothing writes afterwards. */
#ifndef UTEH_CPU_H
#define UTEH_CPU_H

enum { UTEH_PORTABLE, UTEH_AVX2, UTEH_AVX512, UTEH_NEON, UTEH_PATHS };

/* The path in use: the best that this machine has, or what uteh_cpu_use() chose. UTEH_PORTABLE before its first call. */
int uteh_cpu_path(void);

/* Uses a path, or the best one for -1. Returns 0, or -1 and changes nothing if this build or this machine lacks it. */
int uteh_cpu_use(int path);

/* Whether this build and this machine have a path. Asks the processor every time. */
int uteh_cpu_has(int path);

/* "portable", "avx2", "avx512" or "neon"; NULL for any other number. */
const char *uteh_cpu_name(int path);

/* What the compiler can make, and how it is told to make it for one function. AVX2 stands for AVX2, BMI1, BMI2 and what they imply
   (x86-64-v3 without FMA), AVX-512 for F, BW, DQ, VL and VBMI besides (Ice Lake and Zen 4 onward), NEON for 64-bit ARM, where it is
   always there. Visual C++ takes intrinsics anywhere. UTEH_NO_VECTORS leaves the portable path alone. */
#if defined(UTEH_NO_VECTORS)
#define UTEH_WITH_X86 0
#define UTEH_WITH_NEON 0
#else
#if (defined(__x86_64__) && !defined(__ILP32__) && (defined(__GNUC__) || defined(__clang__))) ||                                   \
    (defined(_M_X64) && !defined(_M_ARM64EC) && defined(_MSC_VER) && _MSC_VER >= 1920)
#define UTEH_WITH_X86 1
#else
#define UTEH_WITH_X86 0
#endif
/* Little-endian only: the kernels read several cards as one number. */
#if defined(__aarch64__) && !defined(__AARCH64EB__) && (defined(__GNUC__) || defined(__clang__))
#define UTEH_WITH_NEON 1
#else
#define UTEH_WITH_NEON 0
#endif
#endif
#define UTEH_WITH_AVX2 UTEH_WITH_X86
#define UTEH_WITH_AVX512 UTEH_WITH_X86

#if UTEH_WITH_X86 && (defined(__GNUC__) || defined(__clang__))
#define UTEH_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define UTEH_TARGET_AVX512 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
#else
#define UTEH_TARGET_AVX2
#define UTEH_TARGET_AVX512
#endif

#endif
