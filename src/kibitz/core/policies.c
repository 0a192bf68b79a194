#include "lanes.h"

/* Gates of policies: make them, put others in their place, order them, and write them as code.
 *
 * A gate is the AND of two literals, a literal being twice a node's number, plus one where it is
 * negated. A hash table finds those that are known, so that equal gates are made once. */

#define FULL -2 /* in the place of a literal: there is no room for another gate */
#define NEW -3

INLINE i64 number_of(const struct gates *store, i64 literal)
{
    return (literal >> 1) - store->first;
}

/* Look one level down for a literal that decides or repeats the other; else say it is new. A
 * literal of the answer may need another AND: that of `a` and minus the answer less four. */
INLINE i64 simplify(const struct gates *store, i64 a, i64 b)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        i64 one = swapped ? a : b, other = swapped ? b : a, node = number_of(store, one);
        if (node < 0)
            continue;
        i64 left = store->pairs[2 * node], right = store->pairs[2 * node + 1];
        if (other == left || other == right)
            return one & 1 ? -4 - (2 * ((left == other ? right : left) ^ 1) + swapped) : one;
        if ((other ^ 1) == left || (other ^ 1) == right)
            return one & 1 ? other : 0;
    }
    return NEW;
}

/* Return the AND of two literals, as a gate that is known or new. */
i64 gates_conjoin(struct gates *store, i64 a, i64 b)
{
    for (;;) {
        if (a > b) {
            i64 larger = a;
            a = b;
            b = larger;
        }
        if (a <= 1)
            return a ? b : 0;
        if (a >> 1 == b >> 1)
            return a == b ? a : 0;
        u64 place = ((u64)a * 0x9E3779B1u ^ (u64)b * 0x85EBCA77u) & 0xFFFFFFFFu;
        place = (place ^ place >> 15) & store->mask;
        for (; store->table[place]; place = (place + 1) & store->mask) {
            i64 known = store->table[place] - 1;
            if (store->pairs[2 * known] == a && store->pairs[2 * known + 1] == b)
                return 2 * (store->first + known);
        }
        i64 found = simplify(store, a, b);
        if (found >= 0)
            return found;
        if (found <= -4) {
            i64 rest = -4 - found;
            a = rest & 1 ? b : a;
            b = rest >> 1;
            continue;
        }
        if (store->count == store->most)
            return FULL;
        store->pairs[2 * store->count] = (i32)a;
        store->pairs[2 * store->count + 1] = (i32)b;
        store->table[place] = (i32)++store->count;
        return 2 * (store->first + store->count - 1);
    }
}

/* Give the nodes of a cone, in order, their literals; return whether there was room. `values` has a
 * literal for each node, or -1 where it is not known yet; `before` those of an earlier state: a
 * node whose operands are the same is the same. */
i64 gates_substitute(struct gates *store, i32 *values, const i32 *before, const i32 *cone, i64 count,
                     const i32 *operands)
{
    for (i64 i = 0; i < count; i++) {
        i64 node = cone[i], one = operands[2 * node], other = operands[2 * node + 1];
        if (values[node] >= 0)
            continue;
        i64 a = values[one >> 1], b = values[other >> 1], made;
        if (before[node] >= 0 && before[one >> 1] == a && before[other >> 1] == b)
            made = before[node];
        else
            made = gates_conjoin(store, a ^ (one & 1), b ^ (other & 1));
        if (made < 0)
            return 0;
        values[node] = (i32)made;
    }
    return 1;
}

/* Mark the gates that a literal depends on; return how many. */
i64 gates_mark_cone(const struct gates *store, i64 root, i32 *marks)
{
    i64 total = 0, last = number_of(store, root);
    if (last >= 0)
        marks[last] = 1;
    for (i64 i = last; i >= 0; i--)
        if (marks[i]) {
            total++;
            for (int side = 0; side < 2; side++) {
                i64 node = number_of(store, store->pairs[2 * i + side]);
                if (node >= 0)
                    marks[node] = 1;
            }
        }
    return total;
}

/* Write the marked gates in order, and a network of all inputs and then these gates: its operands
 * are literals of its own nodes. */
void gates_cut_cone(const struct gates *store, i64 root, i32 *marks, i32 *cone, i32 *operands)
{
    i64 found = 0;
    for (i64 i = 0; i <= number_of(store, root); i++) {
        if (!marks[i])
            continue;
        i64 node = store->first + found;
        cone[found++] = (i32)(store->first + i);
        marks[i] = (i32)node;
        for (int side = 0; side < 2; side++) {
            i64 literal = store->pairs[2 * i + side], other = number_of(store, literal);
            operands[2 * node + side] =
                (i32)(other >= 0 ? 2 * marks[other] + (literal & 1) : literal);
        }
    }
}

/* Order the gates that roots need depth first, so that a gate is used soon after it is made; return
 * how many. The stack has room for twice the gates and one more: a gate pushes its operands once. */
i64 gates_order(const struct gates *store, const i64 *roots, i64 root_count, i64 *order, i64 *stack,
                u8 *done)
{
    i64 found = 0;
    for (i64 root = 0; root < root_count; root++) {
        i64 top = 0;
        stack[0] = number_of(store, roots[root]);
        if (stack[0] < 0)
            continue;
        while (top >= 0) {
            i64 node = stack[top], waits = 0;
            for (int side = 0; side < 2 && !done[node]; side++) {
                i64 other = number_of(store, store->pairs[2 * node + side]);
                if (other >= 0 && !done[other]) {
                    stack[++top] = other;
                    waits = 1;
                }
            }
            if (waits)
                continue;
            if (!done[node]) {
                done[node] = 1;
                order[found++] = node;
            }
            top--;
        }
    }
    return found;
}

/* Write a key for each ordered gate: its window, and within it its level and kind. */
void gates_levels(const struct gates *store, const i64 *order, i64 count, i64 window, i64 *level,
                  i64 *keys)
{
    for (i64 start = 0; start < count; start += window) {
        i64 end = start + window < count ? start + window : count;
        for (i64 i = start; i < end; i++) {
            const i32 *pair = store->pairs + 2 * order[i];
            i64 deepest = 0;
            for (int side = 0; side < 2; side++) {
                i64 other = number_of(store, pair[side]);
                if (other >= 0 && level[other] > deepest)
                    deepest = level[other];
            }
            level[order[i]] = deepest + 1;
            keys[i] = ((start / window * (window + 2)) + deepest + 1) * 4 + (pair[0] & 1) + (pair[1] & 1);
        }
        for (i64 i = start; i < end; i++)
            level[order[i]] = 0;
    }
}

/* Write ordered gates as code of the interpreter. A gate's place is used again once it is no longer
 * read. Returns how long the code is. */
i64 gates_write(const struct gates *store, struct placing *run)
{
    const i64 *order = run->order, *roots = run->roots;
    i64 *last = run->last, *place = run->place, *free = run->free, free_count = 0;
    i32 *code = run->code;
    i64 at = 1, runs = 0, header = 0, kind_before = -1;
    for (i64 i = 0; i < run->count; i++)
        for (int side = 0; side < 2; side++) {
            i64 node = number_of(store, store->pairs[2 * order[i] + side]);
            if (node >= 0)
                last[node] = i;
        }
    for (i64 root = 0; root < run->root_count; root++)
        if (number_of(store, roots[root]) >= 0)
            last[number_of(store, roots[root])] = run->count;
    for (i64 i = 0; i < run->count; i++) {
        i64 a = store->pairs[2 * order[i]], b = store->pairs[2 * order[i] + 1];
        i64 kind = (a & 1) + (b & 1);
        if (kind == 1 && a & 1) {
            i64 negated = a;
            a = b;
            b = negated;
        }
        i64 one = number_of(store, a), other = number_of(store, b);
        i64 left = one >= 0 ? place[one] : run->slots[a >> 1];
        i64 right = other >= 0 ? place[other] : run->slots[b >> 1];
        if (one >= 0 && last[one] == i)
            free[free_count++] = left;
        if (other >= 0 && other != one && last[other] == i)
            free[free_count++] = right;
        place[order[i]] = free_count ? free[--free_count] : run->free_slot++;
        if (kind != kind_before) {
            header = at;
            code[header] = (i32)kind;
            code[header + 1] = 0;
            at += 2;
            runs++;
            kind_before = kind;
        }
        code[header + 1]++;
        code[at++] = (i32)place[order[i]];
        code[at++] = (i32)left;
        code[at++] = (i32)right;
    }
    code[0] = (i32)runs;
    code[at++] = (i32)run->root_count;
    for (i64 root = 0; root < run->root_count; root++) {
        i64 node = number_of(store, roots[root]);
        i64 source = node >= 0 ? place[node] : run->slots[roots[root] >> 1];
        code[at++] = (i32)run->targets[root];
        code[at++] = (i32)(2 * source + (roots[root] & 1));
    }
    return at;
}
