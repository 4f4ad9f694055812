/* The tables that tools/make_tables.py writes; it says how they are made and why they work. */
#ifndef UTEH_TABLES_H
#define UTEH_TABLES_H

#include <stdint.h>

extern const uint64_t uteh_key[256];         /* by card: rank key in the low half, a one in the suit's counter above bit 48 */
extern const uint16_t uteh_displace7[8192];  /* by bucket of a seven-card sum */
extern const uint16_t uteh_ranks7[65536];    /* strength of seven ranks */
extern const uint16_t uteh_displace56[4096]; /* by bucket of a five- or six-card sum */
extern const uint16_t uteh_ranks56[32768];   /* strength of five or six ranks */
extern const uint32_t uteh_multiplier[1];     /* of the sum of the planes a, b << 10, c << 20, which makes it the sum of keys */
extern const uint8_t uteh_planes[64];         /* a, b and c by rank, the suits' weights by the low four bits of an id */
extern const uint8_t uteh_card_planes[256];   /* the same four by id */
extern const uint8_t
    uteh_flush_digits[96];   /* for 5, 6 and 7 cards, by low and by high digit of the sum of weights: flush if both have a bit */
extern const uint16_t uteh_flush[8192];      /* strength by the mask of the ranks of the flush suit; 0 below five ranks */
extern const uint8_t uteh_category[8192];    /* category by strength */
extern const uint16_t uteh_first[11];        /* the lowest strength of each category, then one more than the highest */

#endif
