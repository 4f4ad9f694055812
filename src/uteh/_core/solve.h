/* The whole game by suit classes. A suit matters only where a flush is possible in it, so a final board is either a multiset of five
   ranks (no flush), or, seen from the one suit that has three to five of its cards, the set S of its ranks in that suit and the
   multiset O of its other ranks. A hole card seen from a suit is one of 26 types: a rank, off the suit or of it.

   The sum of a river value over the run-outs of a flop is split into a part as if no flush could happen, which the ranks alone decide,
   and for each suit the difference that its flushes make:
       sum(flop, hole) = all[ranks of flop][ranks of hole] + sum over suits of delta[flop seen from it][hole seen from it].

   Work comes in stages of numbered units; a stage needs the ones before it. The values of the game are UTEH_STAGE_SETS, _RANKS, _ALL and
   _FLOPS: what each decision before the river is worth, and which is taken. How the game then ends is counted the other way round, by
   _SETS, _COUNTS and _ENDS: how often each class of boards is reached with each action, and what happens there. _SETS and _RIVERS write
   down the decisions on the river.

   Where the player sees cards of the dealer's, a game is solved for one set of these; the suits that they do not have may be renamed. */
#ifndef UTEH_SOLVE_H
#define UTEH_SOLVE_H

#include "odds.h"

enum {
    UTEH_STAGE_SETS, /* flushes by the board's cards of a suit */
    UTEH_STAGE_RANKS, /* multisets of five ranks, and the classes with these ranks */
    UTEH_STAGE_ALL, /* multisets of three ranks */
    UTEH_STAGE_FLOPS,
    UTEH_STAGE_COUNTS, /* flops */
    UTEH_STAGE_ENDS, /* multisets of five ranks */
    UTEH_STAGE_RIVERS, /* the same */
    UTEH_STAGES
};
enum {
    UTEH_FLOPS = 1755, /* up to renaming of suits */
    UTEH_ALL_FLOPS = 22100,
    UTEH_HOLES = 1326,
    UTEH_CLASSES = 169,
    UTEH_NO_ACTION = 255,
    UTEH_END_FOLD = UTEH_MAX_PLAYS, /* among the ways to end: after a fold; those before are the plays */
    UTEH_LEVELS = 12
};

typedef struct {
    uteh_plan plan; /* for UTEH_PREFLOP */
    int32_t qualifier, both;
    int32_t wide; /* sums modulo 2**64 instead of 2**32 */
    int32_t ndealer; /* cards of the dealer's that the player sees */
    int32_t flop_exposed; /* 1: and one of the flop's */
    uint8_t dealer[2];
    uint8_t pad[2];
} uteh_game;

/* Counts of deals by how they end: by the last action, the player's category and a level of strength: all of the dealer's hands, those
   below the player's, those not above it, and those below each category that makes a difference (uteh_plan_categories). After a fold
   also all of the dealer's hands by the category of the five board cards. */
typedef struct {
    int64_t by_level[UTEH_MAX_PLAYS + 1][10][UTEH_LEVELS];
    int64_t fold_board[10];
} uteh_ends;

/* Bytes of a scratch, which must start as zeros: for values, or for what comes after. */
int64_t uteh_game_scratch(const uteh_game *game, int after);
int64_t uteh_game_units(const uteh_game *game, int stage);

/* Does the units first to last - 1 of a stage. What several units add to stands in `scratch`, which one thread alone writes; everything
   else in `shared`, which may be the same.
   flops: decisions on the flop, written by _FLOPS (unless NULL) and read by _COUNTS: a row of UTEH_HOLES for each unit.
   first_actions: places of the actions before the flop, by hole, or by hole and exposed flop card (52 a hole); read by _COUNTS.
   rivers: uteh_river_bytes, that are zeros, written by _RIVERS; units of it may not be done at once. */
void uteh_game_range(const uteh_game *game, int stage, int64_t first, int64_t last, void *shared, void *scratch, uint8_t *flops,
                     const uint8_t *first_actions, uint8_t *rivers);

/* Moves what a stage has added up in another scratch to the shared one; before the next stage. */
void uteh_game_merge(const uteh_game *game, int stage, void *shared, void *scratch);

/* Starting hands that are the same up to renaming of suits have the same number: 0 to 168 where the player sees nothing (22 is 0, then
   row by row of the square with the suited hands above the diagonal), otherwise that of one of them among the holes, with an exposed flop
   card 52 to a hole. `which` has a number for every hole (and card); UTEH_NO_HAND where there is none. Returns how many numbers there
   may be. */
#define UTEH_NO_HAND UINT32_MAX
int64_t uteh_game_hands(const uteh_game *game, uint32_t *which);

/* After the last stage of the values. Sums over the deals, by hole (and card): for each action before the flop that is no check, as if
   it were taken ([action]), of splits x 1 board for each deal; and of the check, along the decisions on the flop. */
void uteh_game_sums(const uteh_game *game, const void *shared, const uint32_t *which, uteh_wide *raised, uteh_wide *checked);

/* How the deals end that are over before the flop, by what the same stages have counted; not with an exposed flop card. */
void uteh_game_first_ends(const uteh_game *game, const void *shared, const uint8_t *first_actions, uteh_ends *ends);
/* How the others do; after _ENDS. */
void uteh_game_ends(const uteh_game *game, const void *shared, uteh_ends *ends);

/* Bits of a decision on the river, 2 or 4, and bytes of all of them. */
int uteh_game_river_bits(const uteh_game *game);
int64_t uteh_river_bytes(int bits);

/* A canonical flop and how many flops it stands for; a hole's number, from its ids; the number of a starting hand. */
int uteh_flop(int number, uint8_t cards[3]);
int uteh_hole(uint8_t a, uint8_t b);
int uteh_class(uint8_t a, uint8_t b);

/* The place among `decisions` of a hole on a flop for each of n rows of hole and flop (five cards): suits are renamed to those of the
   canonical flop. The place of the action on the river for each of n rows of hole and board (seven cards). The number of the starting
   hand for each of n rows of two cards. Any bytes are safe. */
void uteh_flop_decisions(const uint8_t *rows, int64_t n, const uint8_t *decisions, uint8_t *out);
void uteh_river_decisions(const uint8_t *rows, int64_t n, const uint8_t *rivers, int bits, uint8_t *out);
void uteh_classes(const uint8_t *rows, int64_t n, uint8_t *out);

#endif
