#include "lanes.h"

/* Lists of rules over situations: where a list errs, and a walk through lists that err.
 *
 * What a rule does in a state is computed when first needed, and kept until the rule changes. */

enum { SILENT, RIGHT, WRONG };

/* Steps without improvement until states that are wrong gain weight, and how much of the weight
 * that states have gained remains then. */
#define PATIENCE 300
#define MEMORY 0.98
#define UNLIMITED 1e300

INLINE i64 holds(u64 word, i64 bit)
{
    return word >> bit & 1;
}

/* Find the situations of a state that a rule applies to; return what it does there. */
INLINE i64 apply_rule(const struct situations *on, const struct rule_table *rules, i64 slot,
                      i64 state)
{
    i64 verdict = SILENT, size = rules->size[slot], start = on->sit_first[state];
    const i32 *literals = rules->literals + slot * rules->width;
    const i32 *first = on->block_first + rules->orbit[slot] * (on->states + 1) + state;
    u64 *mask = rules->masks + (slot * on->states + state) * rules->words;
    for (i64 w = 0; w < rules->words; w++)
        mask[w] = 0;
    for (i64 block = first[0]; block < first[1]; block++) {
        u64 word = on->full[block];
        for (i64 i = 0; i < size && word; i++)
            word &= on->columns[literals[i] * on->blocks + block];
        if (!word)
            continue;
        i64 place = on->block_sit[on->is_first ? 64 * block + __builtin_ctzll(word) : block];
        mask[place >> 6] |= 1ull << (place & 63);
        if (!on->sit_correct[start + place])
            verdict = WRONG;
        else if (verdict == SILENT)
            verdict = RIGHT;
        if (on->is_first)
            break;
    }
    rules->known[state * rules->slots + slot] = rules->version[slot] << 2 | verdict;
    return verdict;
}

/* The place of the first rule from `place` on that applies in a state, or -1. */
INLINE i64 decide(const struct situations *on, const struct rule_table *rules, i64 state, i64 place,
                  i64 *verdict)
{
    for (; place < rules->length; place++) {
        i64 slot = rules->order[place], known = rules->known[state * rules->slots + slot];
        *verdict = known >> 2 == rules->version[slot] ? known & 3 : apply_rule(on, rules, slot, state);
        if (*verdict)
            return place;
    }
    *verdict = SILENT;
    return -1;
}

i64 situations_first_rule(const struct rule_table *rules, i64 state, i64 place)
{
    return decide(rules->on, rules, state, place, &(i64){0});
}

/* Mark the rules that decide in some state. */
void situations_mark_live(const struct rule_table *rules, u8 *live)
{
    for (i64 state = 0; state < rules->on->states; state++) {
        i64 place = situations_first_rule(rules, state, 0);
        if (place >= 0)
            live[place] = 1;
    }
}

/* Queue the states of a list that were not reached; return how many are queued. */
INLINE i64 reach(const struct rule_table *rules, i64 stamp, i64 count, const i32 *states, i64 begin,
                 i64 end)
{
    for (i64 i = begin; i < end; i++)
        if (rules->reached[states[i]] != stamp) {
            rules->reached[states[i]] = stamp;
            rules->queue[count++] = states[i];
        }
    return count;
}

/* Play a list against everything; return the weight of the states in which it errs, which are
 * written to `bad`. After an error, and where no rule applies, play continues with the correct
 * moves. Stops once the weight exceeds the limit. */
static f64 find_errors(const struct rule_table *table, i64 silence, f64 limit, i32 *bad, i64 *wrong)
{
    const struct rule_table rules = *table; /* copies: stores to arrays may alias them */
    const struct situations on = *rules.on;
    i64 stamp = ++rules.reached[on.states], count = 0, errors = 0;
    f64 cost = 0.0;
    count = reach(&rules, stamp, count, on.roots, 0, on.root_count);
    for (i64 at = 0; at < count; at++) {
        i64 state = rules.queue[at], verdict;
        i64 place = decide(&on, &rules, state, 0, &verdict);
        if (verdict == WRONG ||
            (verdict == SILENT && silence < ANY_SILENCE &&
             (silence == NO_SILENCE || !on.all_correct[state]))) {
            bad[errors++] = (i32)state;
            cost += rules.weights[state];
            if (cost > limit)
                break;
        }
        if (verdict != RIGHT) {
            count = reach(&rules, stamp, count, on.correct_succ, on.correct_first[state],
                          on.correct_first[state + 1]);
            continue;
        }
        const u64 *mask = rules.masks + (rules.order[place] * on.states + state) * rules.words;
        i64 start = on.sit_first[state];
        for (i64 sit = start; sit < on.sit_first[state + 1]; sit++)
            if (holds(mask[(sit - start) >> 6], (sit - start) & 63))
                count = reach(&rules, stamp, count, on.succ, on.succ_first[sit],
                              on.succ_first[sit + 1]);
    }
    *wrong = errors;
    return cost;
}

/* Write the states in which a list errs to `bad`, and count them. */
i64 situations_errors(const struct rule_table *rules, i64 silence, f64 limit)
{
    i64 wrong;
    find_errors(rules, silence, limit, rules->bad, &wrong);
    return wrong;
}

/* Draw a number below another, by xorshift64* (Vigna 2016). */
INLINE u64 draw_bits(u64 *random)
{
    u64 x = *random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *random = x;
    return x * 2685821657736338717ull;
}

INLINE i64 below(u64 *random, i64 bound)
{
    return (i64)((draw_bits(random) >> 33) % (u64)bound);
}

/* A rule that is being changed. */
struct draft {
    i32 *literals;
    i64 size;
    i64 orbit;
};

/* Add a literal if there is room and nothing is said of the same atom. */
INLINE void add_literal(struct draft *rule, i64 literal)
{
    if (rule->size == MOST_LITERALS)
        return;
    for (i64 i = 0; i < rule->size; i++)
        if (rule->literals[i] >> 1 == literal >> 1)
            return;
    rule->literals[rule->size++] = (i32)literal;
}

INLINE void drop_literal(struct draft *rule, i64 index)
{
    rule->literals[index] = rule->literals[--rule->size];
}

INLINE void drop_any(struct draft *rule, u64 *random)
{
    drop_literal(rule, below(random, rule->size));
}

/* Draw a literal that says something about an orbit's images; -1 if there is none. */
INLINE i64 draw_literal(const struct situations *on, i64 orbit, u64 *random)
{
    i64 start = on->usable_first[orbit], end = on->usable_first[orbit + 1];
    return start == end ? -1 : on->usable[start + below(random, end - start)];
}

/* An image of a situation; no block if none is found soon. */
struct image {
    i64 block;
    i64 bit;
};

/* Draw a literal that holds, or fails, in an image; -1 if none is found soon. */
INLINE i64 draw_holding(const struct situations *on, struct image at, i64 orbit, i64 wanted,
                        u64 *random)
{
    for (int tries = 0; tries < 20; tries++) {
        i64 literal = draw_literal(on, orbit, random);
        if (literal < 0 || holds(on->columns[literal * on->blocks + at.block], at.bit) == wanted)
            return literal;
    }
    return -1;
}

/* Draw an image in a state, of an orbit of moves, whose situation is correct or not. */
INLINE struct image draw_image(const struct situations *on, i64 state, i64 orbit, i64 is_correct,
                               u64 *random)
{
    const i32 *first = on->block_first + orbit * (on->states + 1) + state;
    for (int tries = 0; tries < 12 && first[0] < first[1]; tries++) {
        i64 block = first[0] + below(random, first[1] - first[0]);
        i64 bit = below(random, 64);
        while (!holds(on->full[block], bit)) /* no block is empty */
            bit = (bit + 1) & 63;
        i64 place = on->block_sit[on->is_first ? 64 * block + bit : block];
        if (on->sit_correct[on->sit_first[state] + place] == is_correct)
            return (struct image){block, bit};
    }
    return (struct image){-1, 0};
}

/* A change of a list: which place, to which place, and whether the spare slot takes over. */
struct change {
    i64 place; /* -1 for none */
    i64 to;
    i64 is_new;
};

/* Propose a change of a list that errs; rules before `locked` stay as they are. */
INLINE struct change propose_change(const struct rule_walk *walk, const i32 *bad, i64 wrong, i64 spare)
{
    static const struct change none = {-1, 0, 0};
    const struct rule_table *rules = walk->rules;
    const struct situations *on = rules->on;
    u64 *random = walk->random;
    i64 locked = walk->locked, open = rules->length - locked;
    i64 place = locked + below(random, open), to = place, state = 0;
    i64 kind = below(random, 100);
    if (kind < 10) {
        to = locked + below(random, open);
        return to == place ? none : (struct change){place, to, 0};
    }
    if (kind >= 35)
        state = bad[below(random, wrong)];
    if (kind >= 80)
        to = locked + below(random, open);
    if ((kind >= 35 && kind < 60) || kind >= 80) {
        i64 verdict, decides = decide(on, rules, state, locked, &verdict);
        if (kind < 80 && decides >= 0)
            place = to = decides;
        if (kind >= 80 && decides >= 0 && decides < to)
            to = decides;
    }
    i64 source = rules->order[place];
    struct draft rule = {rules->literals + spare * rules->width, rules->size[source],
                         rules->orbit[source]};
    for (i64 i = 0; i < rule.size; i++)
        rule.literals[i] = rules->literals[source * rules->width + i];
    if (kind < 25) {
        if (!rule.size)
            return none;
        drop_any(&rule, random);
    } else if (kind < 35) {
        i64 literal = draw_literal(on, rule.orbit, random);
        if (literal < 0)
            return none;
        if (rule.size && kind < 31)
            drop_any(&rule, random);
        add_literal(&rule, literal);
    } else {
        /* Up to 60 the rule that errs in the bad state, or a random rule, no longer applies to one
         * of its images; up to 80 the rule applies to a correct situation of the state; else a new
         * rule does, before the rule that decides there. */
        i64 is_correct = kind >= 60, more = 1;
        struct image at = {-1, 0};
        for (int tries = kind >= 80 ? 20 : 1; tries > 0 && at.block < 0; tries--) {
            if (kind >= 80)
                rule.orbit = below(random, on->orbits);
            at = draw_image(on, state, rule.orbit, is_correct, random);
        }
        if (at.block < 0)
            return none;
        if (kind >= 80) {
            rule.size = 0;
            more = below(random, 4);
        } else if (kind >= 60) {
            for (i64 i = 0; i < rule.size;)
                if (holds(on->columns[rule.literals[i] * on->blocks + at.block], at.bit))
                    i++;
                else
                    drop_literal(&rule, i);
            more = kind < 70;
        }
        for (; more > 0; more--) {
            i64 literal = draw_holding(on, at, rule.orbit, is_correct, random);
            if (!is_correct) {
                if (literal < 0)
                    return none;
                if (rule.size && kind < 45)
                    drop_any(&rule, random);
            }
            if (literal >= 0)
                add_literal(&rule, literal);
        }
    }
    rules->size[spare] = (i32)rule.size;
    rules->orbit[spare] = (i32)rule.orbit;
    return (struct change){place, to, 1};
}

/* Move an entry to another place; those between close up. */
INLINE void move_entry(i32 *order, i64 place, i64 to)
{
    i32 entry = order[place];
    i64 step = to > place ? 1 : -1;
    for (i64 i = place; i != to; i += step)
        order[i] = order[i + step];
    order[to] = entry;
}

INLINE f64 price_of(const struct rule_walk *walk, i64 slot)
{
    const struct rule_table *rules = walk->rules;
    f64 total = 0.0;
    for (i64 i = 0; i < rules->size[slot]; i++)
        total += walk->prices[rules->orbit[slot] * rules->on->literals +
                              rules->literals[slot * rules->width + i]];
    return total;
}

/* Walk through lists of one length until one has no error and costs no more than the cap; return
 * the steps left, -1 if there is none. A step proposes one change and takes it if the weight of
 * errors falls, or by chance if it does not. When nothing has improved for a while, states that are
 * still wrong gain weight (Morris 1993 calls it breaking out). */
i64 situations_walk(const struct rule_walk *walk, i64 silence)
{
    const struct rule_table *rules = walk->rules;
    i64 states = rules->on->states, spare = rules->order[rules->length], idle = 0, wrong;
    i32 *bad = rules->bad, *other_bad = walk->other_bad, *order = rules->order;
    u64 *random = walk->random;
    f64 price = 0.0;
    for (i64 place = 0; place < rules->length; place++)
        price += price_of(walk, order[place]);
    f64 cost = find_errors(rules, silence, UNLIMITED, bad, &wrong), best = cost;
    for (i64 left = walk->steps; left > 0; left--) {
        if (!wrong && price <= walk->cap)
            return left;
        if (*(const volatile i64 *)walk->stop)
            return -1;
        if (!wrong) {
            /* A correct list that costs too much: drop any of its literals. */
            i64 slot = order[walk->locked + below(random, rules->length - walk->locked)];
            if (rules->size[slot]) {
                i32 *literals = rules->literals + slot * rules->width;
                i64 index = below(random, rules->size[slot]);
                price -= walk->prices[rules->orbit[slot] * rules->on->literals + literals[index]];
                literals[index] = literals[--rules->size[slot]];
                rules->version[slot]++;
                cost = find_errors(rules, silence, UNLIMITED, bad, &wrong);
            }
            continue;
        }
        if (++idle > PATIENCE) {
            idle = 0;
            for (i64 state = 0; state < states; state++) {
                f64 gained = (rules->weights[state] - 1.0) * MEMORY;
                rules->weights[state] = 1.0 + gained;
            }
            cost = 0.0;
            for (i64 i = 0; i < wrong; i++)
                cost += rules->weights[bad[i]] += 1.0;
            best = cost;
        }
        struct change change = propose_change(walk, bad, wrong, spare);
        if (change.place < 0)
            continue;
        f64 chance = (f64)(draw_bits(random) >> 11) / 9007199254740992.0 + 1e-300;
        f64 heat = walk->temperature * logarithm(chance), limit = cost - heat, dearer = 0.0;
        i32 old = order[change.place];
        if (change.is_new) {
            dearer = price_of(walk, spare) - price_of(walk, old);
            if (dearer > 0 && price + dearer > walk->cap)
                continue;
            rules->version[spare]++;
        }
        move_entry(order, change.place, change.to);
        if (change.is_new)
            order[change.to] = (i32)spare;
        i64 new_wrong;
        f64 new = find_errors(rules, silence, limit, other_bad, &new_wrong);
        if (new > limit) {
            order[change.to] = old;
            move_entry(order, change.to, change.place);
            continue;
        }
        if (change.is_new) {
            spare = old;
            order[rules->length] = old;
            price += dearer;
        }
        cost = new;
        wrong = new_wrong;
        i32 *swapped = bad;
        bad = other_bad;
        other_bad = swapped;
        if (cost < best - 1e-9) {
            best = cost;
            idle = 0;
        }
    }
    return -1;
}
