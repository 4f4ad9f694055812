/* Side bets by themselves: how often each category comes, with what is known of the hand and the board. Cards that are not known come from
   `live`; nothing is decided, so every completion counts once. */
#ifndef UTEH_SIDE_H
#define UTEH_SIDE_H

#include <stdint.h>

typedef struct {
    int32_t nknown, nlive; /* cards of the hand that are known, and those that may still come */
    int32_t cards; /* of a finished hand: 5 or 7 */
    int32_t hole, both, dealers; /* for boards: whether the hole is known, whether it must play, whether dealer hands are dealt */
    uint8_t known[7]; /* for boards: the hole if it is known, then the board */
    uint8_t live[52];
} uteh_side;

/* Hands: the known cards and any of the others. A unit is the two lowest of those, by place in `live`, or the only one. */
int64_t uteh_side_hands(const uteh_side *s);
void uteh_side_hands_range(const uteh_side *s, int64_t first, int64_t last, int64_t counts[10]);

/* Boards: a unit is a completion of the board; then every hole that is open and, with dealers, every dealer hand. Counts are [category of
   the player][lose, tie, win], everything being a tie without dealers, and after them the wins by [category of the dealer]. */
int64_t uteh_side_boards(const uteh_side *s);
void uteh_side_boards_range(const uteh_side *s, int64_t first, int64_t last, int64_t counts[40]);

#endif
