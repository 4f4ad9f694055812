/* Random rounds. Round i of a key is a function of the key and i alone: any part of the stream is dealt on any machine, in any order
   and by any number of threads, and is the same.

   The generator is Philox4x64-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC11), a bijection of 256-bit
   counters under a key of 128 bits. Round i reads word i mod 4 of the block with the counter (i div 4, 0, attempt, 0).

   One word deals one round. Times 52 its upper half is the place of the first card, the lower half times 51 the place of the second,
   and so on down to 44 (Brackett-Rozinsky and Lemire: Batched ranged random integer generation, 2024). What is left below
   2**64 mod (52 * 51 * ... * 44) is the surplus of some outcomes over others: such a word, one in some 16,000 or fewer, is dropped, and
   attempt counts up for that round. So every one of the 52 * 51 * ... * 44 ordered deals is exactly as likely as any other if the words
   are. The places are those of a shuffle (Fisher and Yates): a place is where the card lies in a deck that closes each gap with its last
   card. */
#ifndef UTEH_DEAL_H
#define UTEH_DEAL_H

#include <stdint.h>

enum { UTEH_DEAL_BLOCK = 512, UTEH_CARDS = 9 };

/* Ten rounds of Philox4x64. */
void uteh_philox(const uint64_t counter[4], const uint64_t key[2], uint64_t out[4]);

/* Rounds first to first + n - 1, n at most UTEH_DEAL_BLOCK: player 2, dealer 2, board 5, each card of all rounds side by side. Of a vector
   of 32 that has been begun, the rest is written too. The path is one of cpu.h. */
void uteh_deal_columns(int path, const uint64_t key[2], uint64_t first, int n, uint8_t cards[UTEH_CARDS][UTEH_DEAL_BLOCK]);

/* The same as rows of nine, for any n. */
void uteh_deal_rows(int path, const uint64_t key[2], uint64_t first, int64_t n, uint8_t *rows);

#endif
