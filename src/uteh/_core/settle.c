#include "settle.h"

#include <stddef.h>

/* A factor of the stake, and why. */
typedef struct {
    int64_t factor; /* in 1/unit */
    uint8_t reason;
} verdict;

static verdict says(int64_t factor, uint8_t reason)
{
    verdict v;

    v.factor = factor;
    v.reason = reason;
    return v;
}

/* An entry of a table whose missing hands lose. */
static verdict by_table(const uteh_rules *rules, int64_t entry, uint8_t pays, uint8_t pushes, uint8_t loses)
{
    if (entry < 0)
        return says(-rules->unit, loses);
    return says(entry, entry > 0 ? pays : pushes);
}

static verdict ante(const uteh_rules *rules, const uteh_outcome *o, int qualifies)
{
    if (o->result == UTEH_FOLD)
        return says(-rules->unit, UTEH_FOLDED);
    if (!qualifies) {
        if (rules->unqualified_ante == UTEH_ANTE_ALWAYS)
            return says(rules->unit, UTEH_UNQUALIFIED_PAID);
        if (rules->unqualified_ante == UTEH_ANTE_PUSH ||
            (rules->unqualified_ante == UTEH_ANTE_WIN_ONLY && o->result == UTEH_LOSE) ||
            (rules->unqualified_ante == UTEH_ANTE_LOSE_ONLY && o->result == UTEH_WIN))
            return says(0, UTEH_UNQUALIFIED_PUSH);
    }
    if (o->result == UTEH_TIE)
        return says(0, UTEH_TIED);
    return o->result == UTEH_WIN ? says(rules->unit, UTEH_EVEN_MONEY) : says(-rules->unit, UTEH_BEATEN);
}

static verdict play(const uteh_rules *rules, const uteh_outcome *o, int qualifies)
{
    if (o->result == UTEH_FOLD)
        return says(0, UTEH_NO_STAKE);
    if (!qualifies && rules->unqualified_play)
        return says(0, UTEH_UNQUALIFIED_PUSH);
    if (o->result == UTEH_TIE)
        return says(0, UTEH_TIED);
    return o->result == UTEH_WIN ? says(rules->unit, UTEH_EVEN_MONEY) : says(-rules->unit, UTEH_BEATEN);
}

static verdict blind(const uteh_rules *rules, const uteh_outcome *o)
{
    int64_t entry = rules->blind[o->player];

    switch (o->result) {
    case UTEH_FOLD: return says(-rules->unit, UTEH_FOLDED);
    case UTEH_LOSE: return says(-rules->unit, UTEH_BEATEN);
    case UTEH_TIE: return says(0, UTEH_TIED);
    default: return says(entry, entry > 0 ? UTEH_TABLE_PAYS : UTEH_TABLE_PUSH);
    }
}

static verdict trips(const uteh_rules *rules, const uteh_outcome *o)
{
    int64_t entry = rules->trips[o->player];

    if (o->result == UTEH_FOLD) {
        if (rules->trips_on_fold == UTEH_FOLD_LOSE)
            return says(-rules->unit, UTEH_FOLDED);
        if (rules->trips_on_fold == UTEH_FOLD_BOARD)
            return by_table(rules, rules->trips[o->board], UTEH_BOARD_PAYS, UTEH_BOARD_PUSH, UTEH_BOARD_LOSES);
    } else if (o->result != UTEH_WIN && entry >= 0) {
        if (rules->trips_when_not_won == UTEH_NOT_WON_LOSE && o->result == UTEH_LOSE)
            return says(-rules->unit, UTEH_NOT_WON_LOST);
        if (rules->trips_when_not_won != UTEH_NOT_WON_PAY)
            return says(0, UTEH_NOT_WON_PUSHED);
    }
    return by_table(rules, entry, UTEH_TABLE_PAYS, UTEH_TABLE_PUSH, UTEH_TABLE_LOSES);
}

static verdict bad_beat(const uteh_rules *rules, const uteh_outcome *o)
{
    int loser = o->result == UTEH_WIN ? o->dealer : o->player;

    if (o->result == UTEH_FOLD)
        return says(-rules->unit, UTEH_FOLDED);
    if (o->result == UTEH_TIE)
        return says(-rules->unit, UTEH_TIED);
    return by_table(rules, rules->bad_beat[loser], UTEH_LOSING_HAND_PAYS, UTEH_LOSING_HAND_PUSH, UTEH_LOSING_HAND_LOSES);
}

void uteh_settle(const uteh_rules *rules, const uteh_stakes *stakes, const uteh_outcome *outcome, int64_t net[UTEH_BETS],
                 uint8_t *reason)
{
    int qualifies = outcome->dealer >= rules->qualifier, bet;
    verdict v[UTEH_BETS];

    v[UTEH_ANTE] = ante(rules, outcome, qualifies);
    v[UTEH_PLAY] = play(rules, outcome, qualifies);
    v[UTEH_BLIND] = blind(rules, outcome);
    v[UTEH_TRIPS] = trips(rules, outcome);
    v[UTEH_BAD_BEAT] = bad_beat(rules, outcome);
    for (bet = 0; bet < UTEH_BETS; bet++) {
        net[bet] = stakes->stake[bet] * v[bet].factor;
        if (reason)
            reason[bet] = stakes->stake[bet] ? v[bet].reason : UTEH_NO_STAKE;
    }
}

unsigned uteh_cap(int64_t net[UTEH_BETS], int64_t cap)
{
    static const int order[UTEH_BETS] = {UTEH_BLIND, UTEH_TRIPS, UTEH_BAD_BEAT, UTEH_PLAY, UTEH_ANTE};
    int64_t over = -cap;
    unsigned cut = 0;
    int i;

    if (cap < 0)
        return 0;
    for (i = 0; i < UTEH_BETS; i++)
        if (net[i] > 0)
            over = (int64_t)((uint64_t)over + (uint64_t)net[i]);
    for (i = 0; i < UTEH_BETS && over > 0; i++) {
        int bet = order[i];

        if (net[bet] > 0) {
            int64_t less = net[bet] < over ? net[bet] : over;

            net[bet] -= less;
            over -= less;
            cut |= 1u << bet;
        }
    }
    return cut;
}
