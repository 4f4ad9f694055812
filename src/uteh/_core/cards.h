/* Cards: reading text, and finding ids that are out of range or repeated. A card is rank * 4 + suit, ranks 2..A are 0..12,
   suits c d h s are 0..3. Nothing here knows what a hand is worth. */
#ifndef UTEH_CARDS_H
#define UTEH_CARDS_H

#include <stddef.h>
#include <stdint.h>

enum { UTEH_BAD_TEXT = -1, UTEH_MANY = -2 };

/* Reads the cards of a UTF-8 text into ids, at most max of them, and returns how many there are. UTEH_BAD_TEXT: the len bytes from
   at are not a card (or a comma that stands between no two cards). UTEH_MANY: the text goes on after max cards. */
int uteh_parse(const char *text, size_t size, uint8_t *ids, int max, size_t *at, size_t *len);

/* Reads the name of a starting hand ("AKs", "QJo", "TT", higher rank first) as two ids, a representative of the class. 1 if it is one. */
int uteh_parse_start(const char *text, size_t size, uint8_t ids[2]);

/* A deck from which cards are taken once each, with the place that each card went to. */
typedef struct {
    uint64_t taken;
    uint8_t place[64];
} uteh_deck;

/* Takes n cards for a place. Returns n, or the index of the first card that was taken before; the earlier place is in deck->place. */
int uteh_take(uteh_deck *deck, const uint8_t *ids, int n, int place);

/* The first of n rows of k cards (k at most 9) that has an id over 51 or a repeated card, or n if there is none. Any bytes are safe. */
int64_t uteh_check_rows(const uint8_t *rows, int64_t n, int k);
int64_t uteh_check_rows_on(int path, const uint8_t *rows, int64_t n, int k); /* on a path that uteh_cpu_has() */

/* What is wrong with one row: columns of the two equal cards, or the column of the bad id twice. Returns 0 if nothing is. */
int uteh_check_row(const uint8_t *row, int k, int *first, int *second);

#endif
