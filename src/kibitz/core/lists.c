#include "lanes.h"

/* Lists of rules, scored by the moves that they make in given positions.
 *
 * A rule is a word of bits, the conditions that its moves must meet, and some preferences: of the
 * moves that meet them, those stay for which the first preference is highest, of these those for
 * which the second is, and so on. The first rule of a list that has a move decides. */

#define NO_RULE -1

/* The moves of a position that a rule leaves; returns how many. */
INLINE i64 moves_of_rule(const struct examples *run, i64 at, u64 need, const i64 *wants, i64 *chosen)
{
    i64 count = 0;
    for (i64 move = run->first[at]; move < run->first[at + 1]; move++)
        if ((run->bits[move] & need) == need)
            chosen[count++] = move;
    for (i64 slot = 0; slot < run->slots && count > 1 && wants[slot] != NO_RULE; slot++) {
        i64 best = run->ranks[chosen[0] * run->preferences + wants[slot]], kept = 0;
        for (i64 i = 0; i < count; i++) {
            i64 rank = run->ranks[chosen[i] * run->preferences + wants[slot]];
            if (rank > best) {
                best = rank;
                kept = 0;
            }
            if (rank == best)
                chosen[kept++] = chosen[i];
        }
        count = kept;
    }
    return count;
}

/* The weighted mean value of the moves that a list makes; writes which rule decides. Where none
 * does, any legal move may be made. */
f64 lists_score(const struct examples *run, const u64 *needs, const i64 *wants, i64 rules)
{
    f64 total = 0.0, weight = 0.0;
    for (i64 at = 0; at < run->count; at++) {
        i64 *chosen = run->chosen, count = 0, rule = 0;
        while (rule < rules &&
               !(count = moves_of_rule(run, at, needs[rule], wants + rule * run->slots, chosen)))
            rule++;
        run->decider[at] = count ? rule : NO_RULE;
        if (!count)
            for (i64 move = run->first[at]; move < run->first[at + 1]; move++)
                chosen[count++] = move;
        f64 here = 0.0;
        for (i64 i = 0; i < count; i++)
            here += run->values[chosen[i]];
        total += run->weights[at] * here / (f64)count;
        weight += run->weights[at];
    }
    return total / weight;
}

/* Count the conditions and preferences of a list. */
INLINE i64 cost_of(const u64 *needs, const i64 *wants, i64 rules, i64 slots)
{
    i64 count = 0;
    for (i64 rule = 0; rule < rules; rule++)
        count += ones(needs[rule]);
    for (i64 i = 0; i < rules * slots; i++)
        count += wants[i] != NO_RULE;
    return count;
}

/* Draw one condition or two; now and then none. */
INLINE u64 random_need(u64 *random, i64 conditions)
{
    u64 need = 0;
    if (!conditions)
        return need;
    i64 kind = draw_below(random, 8);
    if (kind)
        need |= 1ull << draw_below(random, conditions);
    if (kind > 4)
        need |= 1ull << draw_below(random, conditions);
    return need;
}

/* Move rules from `at` on by one place, up or down. */
INLINE void shift(u64 *needs, i64 *wants, i64 slots, i64 at, i64 rules, int up)
{
    for (i64 i = 0; i < rules - at; i++) {
        i64 to = up ? rules - i : at + i, from = up ? to - 1 : to + 1;
        needs[to] = needs[from];
        for (i64 slot = 0; slot < slots; slot++)
            wants[to * slots + slot] = wants[from * slots + slot];
    }
}

/* Change a list a little; return how many rules it has, or -1 if nothing was changed. */
static i64 propose(const struct examples *run, const struct walk *walk, u64 *random, u64 *needs,
                   i64 *wants, i64 rules)
{
    i64 slots = run->slots, preferences = run->preferences, conditions = walk->conditions;
    i64 kind = draw_below(random, 10);
    if (rules == 0 || (kind < 2 && rules < walk->most)) {
        i64 at = draw_below(random, rules + 1);
        shift(needs, wants, slots, at, rules, 1);
        needs[at] = random_need(random, conditions);
        for (i64 slot = 0; slot < slots; slot++)
            wants[at * slots + slot] = NO_RULE;
        if (preferences && draw_below(random, 2))
            wants[at * slots] = draw_below(random, preferences);
        return rules + 1;
    }
    i64 at = draw_below(random, rules), *own = wants + at * slots;
    if (kind == 2) {
        shift(needs, wants, slots, at, rules - 1, 0);
        return rules - 1;
    }
    if (kind == 3) {
        i64 other = draw_below(random, rules);
        u64 need = needs[at];
        needs[at] = needs[other];
        needs[other] = need;
        for (i64 slot = 0; slot < slots; slot++) {
            i64 want = own[slot];
            own[slot] = wants[other * slots + slot];
            wants[other * slots + slot] = want;
        }
        return other != at ? rules : -1;
    }
    if (kind < 6 && conditions) {
        needs[at] ^= 1ull << draw_below(random, conditions);
        return rules;
    }
    if (kind < 9 && preferences) {
        i64 slot = draw_below(random, slots);
        if (slot && own[slot - 1] == NO_RULE)
            slot = 0;
        if (draw_below(random, 3)) {
            i64 new = draw_below(random, preferences);
            if (draw_below(random, 2) && slots > 1) /* put it before the others */
                for (i64 later = slots - 1; later > slot; later--)
                    own[later] = own[later - 1];
            own[slot] = new;
        } else {
            for (i64 later = slot; later < slots - 1; later++)
                own[later] = own[later + 1];
            own[slots - 1] = NO_RULE;
        }
        return rules;
    }
    needs[at] = random_need(random, conditions);
    return rules;
}

INLINE void copy_list(u64 *needs, i64 *wants, const u64 *from, const i64 *from_wants, i64 room,
                      i64 slots)
{
    for (i64 rule = 0; rule < room; rule++)
        needs[rule] = from[rule];
    for (i64 i = 0; i < room * slots; i++)
        wants[i] = from_wants[i];
}

/* Walk from a list through others, ever more seldom to worse ones (simulated annealing); leave the
 * best in place, and return how many rules it has. Conditions and preferences have a price. */
i64 lists_anneal(const struct examples *run, const struct walk *walk, u64 *needs, i64 *wants,
                 i64 rules, u64 *random)
{
    i64 slots = run->slots, room = walk->room, best_rules = rules;
    u64 *new_needs = walk->needs, *best_needs = new_needs + room;
    i64 *new_wants = walk->wants, *best_wants = new_wants + room * slots;
    f64 heat = walk->hot;
    f64 now = lists_score(run, needs, wants, rules) -
              walk->price * (f64)cost_of(needs, wants, rules, slots);
    f64 best = now;
    copy_list(best_needs, best_wants, needs, wants, room, slots);
    for (i64 step = 0; step < walk->steps; step++, heat *= walk->cooling) {
        copy_list(new_needs, new_wants, needs, wants, room, slots);
        i64 new = propose(run, walk, random, new_needs, new_wants, rules);
        int is_valid = new >= 0;
        for (i64 rule = 0; rule < new; rule++)
            is_valid &= ones(new_needs[rule]) <= walk->widest;
        if (!is_valid)
            continue;
        f64 score = lists_score(run, new_needs, new_wants, new) -
                    walk->price * (f64)cost_of(new_needs, new_wants, new, slots);
        f64 chance = score >= now ? 1.0 : exponential((score - now) / heat);
        if ((f64)draw_below(random, 1 << 30) >= chance * (1 << 30))
            continue;
        copy_list(needs, wants, new_needs, new_wants, room, slots);
        rules = new;
        now = score;
        if (now > best) {
            best = now;
            best_rules = rules;
            copy_list(best_needs, best_wants, needs, wants, room, slots);
        }
    }
    copy_list(needs, wants, best_needs, best_wants, room, slots);
    return best_rules;
}
