#include "space.h"

#define BATCH 64 /* look-ups whose memory is fetched ahead together */
#define TAG 0xFFFFFFFF00000000ull

void space_number_joints(struct intake *run, i64 begin, i64 end, i64 words)
{
    (void)words;
    for (i64 e = begin; e < end; e++)
        run->codes[e] = (u16)joint_number(run, run->moves[e], 1);
}

/* Count a new row as a stray where its mark differs from that of its layer. */
INLINE void check_layer(struct intake *run, const u64 *row, i64 words)
{
    u64 total = 0, differ = 0;
    for (i64 w = 0; w < words; w++) {
        total += (u64)ones(row[w] & run->counted[w]);
        differ |= (row[w] ^ run->pattern[w]) & run->fixed[w];
    }
    run->strays += (differ | (total ^ run->count)) != 0;
}

/* Set the number of a successor; return 1 if it is new, and 0 otherwise. */
INLINE i64 look_up(struct intake *run, i64 e, i64 words)
{
    const u64 *row = run->rows + e * words;
    u64 hash = run->hashes[e], tag = hash & TAG, at = hash & run->mask;
    for (;; at = ((at + 1) & run->section_mask) | run->section) {
        u64 entry = run->table[at];
        if (entry == 0) {
            run->table[at] = tag | (u64)(run->known + e + 1);
            run->numbers[e] = run->known + e;
            run->slots[e] = (i64)at;
            check_layer(run, row, words);
            return 1;
        }
        if ((entry & TAG) != tag)
            continue;
        i64 number = (i64)(entry & ~TAG) - 1;
        const u64 *other = number >= run->known ? run->rows + (number - run->known) * words
                                                : run->states + number * words;
        if (equal_rows(row, other, words)) {
            run->numbers[e] = number;
            run->slots[e] = -1;
            return 0;
        }
    }
}

i64 space_claim(struct intake *run, i64 begin, i64 end, i64 words)
{
    u64 not_section = run->mask & ~run->section_mask;
    i64 new = 0, *batch = run->batch;
    while (begin < end) {
        i64 size = 0;
        for (; begin < end && size < BATCH; begin++) {
            u64 hash = run->hashes[begin];
            int mine = (hash & not_section) == run->section;
            batch[size] = begin;
            __builtin_prefetch(mine ? (void *)(run->table + (hash & run->mask)) : batch + size);
            size += mine;
        }
        for (i64 i = 0; i < size; i++) {
            u64 entry = run->table[run->hashes[batch[i]] & run->mask] & ~TAG;
            __builtin_prefetch((u8 *)run->states + ((i64)entry - 1) * words * 8);
        }
        for (i64 i = 0; i < size; i++)
            new += look_up(run, batch[i], words);
    }
    return new;
}

/* Number the new among successors, from a number. */
void space_number(struct intake *run, i64 begin, i64 end, i64 first, i64 words)
{
    for (i64 e = begin; e < end; e++)
        if (run->slots[e] != -1) {
            run->numbers[e] = first;
            run->table[run->slots[e]] = (run->hashes[e] & TAG) | (u64)(first + 1);
            for (i64 w = 0; w < words; w++)
                run->states[first * words + w] = run->rows[e * words + w];
            first++;
        }
}

/* Write the edges of states, from an edge; return the lowest number that an edge leads to. The
 * edges of a state are consecutive. A successor that another one claimed has a passing number, the
 * place of that one. */
i64 space_link(struct intake *run, i64 first, i64 count, i64 begin, i64 end, i64 edge, i64 words)
{
    (void)words;
    for (i64 i = 0; i < count; i++)
        run->places[i] = 0;
    for (i64 e = begin; e < end; e++)
        run->places[run->parents[e] - first]++;
    for (i64 i = 0; i < count; i++) {
        i64 here = run->places[i];
        run->places[i] = run->first_edge[first + i] = edge;
        edge += here;
    }
    run->first_edge[first + count] = edge;
    u64 lowest = ~0ull;
    for (i64 e = begin; e < end; e++) {
        i64 number = run->numbers[e];
        if (run->slots[e] == -1 && number >= run->known)
            number = run->numbers[number - run->known];
        if ((u64)number < lowest)
            lowest = (u64)number;
        i64 at = run->places[run->parents[e] - first]++;
        run->targets[at] = (u32)number;
        run->actions[at] = run->codes[e];
    }
    return (i64)(lowest & INT64_MAX);
}

/* Enter states of one section that the table lacks. */
void space_rehash(struct intake *run, i64 first, i64 count, i64 words)
{
    u64 not_section = run->mask & ~run->section_mask, *hashes = (u64 *)run->batch;
    i64 *numbers = run->batch + BATCH;
    for (i64 at = 0; at < count;) {
        i64 size = 0;
        for (; at < count && size < BATCH; at++) {
            u64 hash = hash_row(run->states + (first + at) * words, words);
            hashes[size] = hash;
            numbers[size] = first + at;
            int mine = (hash & not_section) == run->section;
            __builtin_prefetch(mine ? run->table + (hash & run->mask) : hashes + size);
            size += mine;
        }
        for (i64 i = 0; i < size; i++) {
            u64 place = hashes[i] & run->mask;
            while (run->table[place])
                place = ((place + 1) & run->section_mask) | run->section;
            run->table[place] = (hashes[i] & TAG) | (u64)(numbers[i] + 1);
        }
    }
}

void hash_rows(const u64 *rows, u64 *hashes, i64 count, i64 words)
{
    for (i64 i = 0; i < count; i++)
        hashes[i] = hash_row(rows + i * words, words);
}
