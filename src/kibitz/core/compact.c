#include "rows.h"

#define BATCH 64
#define LOW 0xFFFFFFFFull
#define NO_PLIES 0xFFFF

INLINE int swap(u64 *place, u64 old, u64 new)
{
    return __atomic_compare_exchange_n(place, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

INLINE i64 batch_end(i64 start, i64 count)
{
    return start + BATCH < count ? start + BATCH : count;
}

/* Enter the rows that the table lacks, and put them into the pool; return how many. `mine` is this
 * thread's place in the pool, and the end of its chunk. */
i64 compact_insert(struct pool *pool, const u64 *rows, const u64 *hashes, i64 count, i64 *mine,
                   i64 words)
{
    u64 *table = pool->table, mask = pool->mask;
    i64 place = mine[0], end = mine[1], new = 0;
    for (i64 start = 0; start < count; start += BATCH) {
        i64 stop = batch_end(start, count);
        for (i64 e = start; e < stop; e++)
            __builtin_prefetch(table + (hashes[e] & mask));
        for (i64 e = start; e < stop; e++) {
            u64 entry = table[hashes[e] & mask];
            if (entry)
                __builtin_prefetch(pool->rows + ((entry & LOW) - 1) * (u64)words);
        }
        for (i64 e = start; e < stop; e++) {
            u64 at = hashes[e] & mask, tag = hashes[e] & ~LOW;
            const u64 *row = rows + e * words;
            for (;;) {
                u64 entry = __atomic_load_n(table + at, __ATOMIC_ACQUIRE);
                if (entry == 0) {
                    if (place == end) {
                        place = __atomic_fetch_add(pool->chunks, 1, __ATOMIC_SEQ_CST) * POOL_CHUNK;
                        end = place + POOL_CHUNK;
                    }
                    for (i64 w = 0; w < words; w++)
                        pool->rows[place * words + w] = row[w];
                    if (swap(table + at, 0, tag | (u64)(place + 1))) {
                        place++;
                        new++;
                        break;
                    }
                    continue;
                }
                if ((entry & ~LOW) == tag &&
                    equal_rows(pool->rows + ((entry & LOW) - 1) * (u64)words, row, words))
                    break;
                at = (at + 1) & mask;
            }
        }
    }
    mine[0] = place;
    mine[1] = end;
    return new;
}

/* Enter rows that differ from all others, by their hashes, under numbers from `first` on. */
void compact_enter(struct pool *pool, const u64 *hashes, i64 first, i64 count, i64 words)
{
    (void)words;
    u64 *table = pool->table, mask = pool->mask;
    for (i64 start = 0; start < count; start += BATCH) {
        i64 stop = batch_end(start, count);
        for (i64 e = start; e < stop; e++)
            __builtin_prefetch(table + (hashes[e] & mask));
        for (i64 e = start; e < stop; e++) {
            u64 at = hashes[e] & mask, entry = (hashes[e] & ~LOW) | (u64)(first + e + 1);
            while (__atomic_load_n(table + at, __ATOMIC_RELAXED) || !swap(table + at, 0, entry))
                at = (at + 1) & mask;
        }
    }
}

/* Look successors up, and give each parent the result that its mover likes best: a role that is
 * ahead prefers short play, others long play. Returns how many successors were not found. */
i64 compact_combine(struct results *run, i64 words)
{
    const u64 *table = run->table, *hashes = run->hashes, *known = run->known;
    u64 mask = run->mask;
    i64 numbers[BATCH], lost = 0;
    for (i64 start = 0; start < run->count; start += BATCH) {
        i64 stop = batch_end(start, run->count);
        for (i64 e = start; e < stop; e++)
            __builtin_prefetch(table + (hashes[e] & mask));
        for (i64 e = start; e < stop; e++) {
            u64 entry = table[hashes[e] & mask] & LOW;
            if (entry) {
                __builtin_prefetch(known + (entry - 1) * (u64)words);
                __builtin_prefetch(run->results + entry - 1);
            }
        }
        for (i64 e = start; e < stop; e++) {
            u64 at = hashes[e] & mask, tag = hashes[e] & ~LOW;
            numbers[e - start] = -1;
            for (; table[at]; at = (at + 1) & mask) {
                u64 number = (table[at] & LOW) - 1;
                if ((table[at] & ~LOW) == tag &&
                    equal_rows(known + number * (u64)words, run->rows + e * words, words)) {
                    numbers[e - start] = (i64)number;
                    break;
                }
            }
        }
        for (i64 e = start; e < stop; e++) {
            if (numbers[e - start] < 0) {
                lost++;
                continue;
            }
            i64 result = run->results[numbers[e - start]], parent = run->parents[e];
            i64 rank = result >> 16, plies = result & NO_PLIES;
            int second = run->turn[parent] == 1;
            int ahead = second ? rank < run->below : rank >= run->above;
            i64 key = (second ? 255 - rank : rank) << 16 | (ahead ? NO_PLIES - plies : plies);
            if (key > run->best[parent]) {
                run->best[parent] = key;
                run->out[parent] = (i32)(result + 1);
            }
        }
    }
    return lost;
}

/* Give terminal states the ranks of the first role's goals as results. */
void compact_value_ends(const u8 *terminal, const i8 *goals, i64 roles, const i64 *ranks, i64 first,
                        i64 last, i32 *out, i64 words)
{
    (void)words;
    for (i64 state = first; state < last; state++)
        if (terminal[state])
            out[state] = (i32)(ranks[goals[state * roles]] << 16);
}

/* Count ends, stuck states, and states where several roles choose; note the goals of ends. */
void compact_tally(struct tally *run, i64 first, i64 last, i64 words)
{
    (void)words;
    i64 *figures = run->figures;
    for (i64 state = first; state < last; state++)
        run->has_move[state] = 0;
    for (i64 e = 0; e < run->found; e++)
        run->has_move[run->parents[e]] = 1;
    for (i64 state = first; state < last; state++) {
        if (!run->terminal[state]) {
            figures[2] += run->turn[state] == -2;
            if (!run->has_move[state]) {
                figures[1]++;
                if (figures[3] == 0)
                    figures[3] = state + 1;
            }
            continue;
        }
        const i8 *goals = run->goals + state * run->roles;
        i64 total = 0;
        int is_whole = 1;
        for (i64 role = 0; role < run->roles; role++) {
            total += goals[role];
            is_whole &= goals[role] >= 0;
        }
        figures[0]++;
        if (is_whole)
            run->sums[total] = run->seen[goals[0]] = 1;
        else if (figures[4] == 0)
            figures[4] = state + 1;
    }
}

/* Write which bytes of a row differ from the row before, and how; return where that ends.
 *
 * Of several words, bits say first which differ. For each of these a byte says which of its bytes
 * differ, and these follow, each combined with the one before by exclusive or. Without `data`
 * nothing is written. */
INLINE i64 write_row(const u64 *row, u8 *data, i64 at, i64 words)
{
    i64 heads = at;
    if (words > 1) {
        at += (words + 7) / 8;
        for (i64 i = heads; data && i < at; i++)
            data[i] = 0;
    }
    for (i64 w = 0; w < words; w++) {
        u64 differ = row[w] ^ row[w - words];
        if (differ == 0)
            continue;
        if (data && words > 1)
            data[heads + w / 8] |= (u8)(1 << w % 8);
        i64 head = at++;
        int which = 0;
        for (int i = 0; i < 8; i++) {
            u8 octet = (u8)(differ >> 8 * i);
            if (octet) {
                which |= 1 << i;
                if (data)
                    data[at] = octet;
                at++;
            }
        }
        if (data)
            data[head] = (u8)which;
    }
    return at;
}

INLINE i64 block_end(i64 block, i64 count)
{
    return (block + 1) * CODE_BLOCK < count ? (block + 1) * CODE_BLOCK : count;
}

/* Find how many bytes each of some blocks takes when it is coded. */
void compact_measure(const u64 *rows, i64 count, i64 *sizes, i64 first, i64 last, i64 words)
{
    for (i64 block = first; block < last; block++) {
        i64 size = 8 * words;
        for (i64 row = block * CODE_BLOCK + 1; row < block_end(block, count); row++)
            size = write_row(rows + row * words, NULL, size, words);
        sizes[block] = size;
    }
}

/* Write some blocks: the first row in full, then of each row what differs. */
void compact_encode(const u64 *rows, i64 count, const i64 *starts, u8 *data, i64 first, i64 last,
                    i64 words)
{
    for (i64 block = first; block < last; block++) {
        i64 at = starts[block];
        for (i64 w = 0; w < words; w++)
            for (int i = 0; i < 8; i++)
                data[at++] = (u8)(rows[block * CODE_BLOCK * words + w] >> 8 * i);
        for (i64 row = block * CODE_BLOCK + 1; row < block_end(block, count); row++)
            at = write_row(rows + row * words, data, at, words);
    }
}

/* Read the first rows of a block, and put them from a row of their destination on. */
void compact_decode(const u8 *data, i64 at, i64 count, u64 *rows, i64 row, i64 words)
{
    u64 *out = rows + row * words;
    for (i64 w = 0; w < words; w++) {
        out[w] = 0;
        for (int i = 0; i < 8; i++)
            out[w] |= (u64)data[at++] << 8 * i;
    }
    for (i64 later = 1; later < count; later++) {
        i64 heads = at;
        out += words;
        if (words > 1)
            at += (words + 7) / 8;
        for (i64 w = 0; w < words; w++) {
            u64 word = out[w - words];
            if (words == 1 || data[heads + w / 8] >> w % 8 & 1) {
                int which = data[at++];
                for (int i = 0; i < 8; i++)
                    if (which >> i & 1)
                        word ^= (u64)data[at++] << 8 * i;
            }
            out[w] = word;
        }
    }
}

/* Write ranks of a few bits each; `first` starts a byte. */
void compact_pack(const i32 *results, i64 bits_each, u8 *ranks, i64 first, i64 last, i64 words)
{
    (void)words;
    i64 each = 8 / bits_each;
    for (i64 byte = first / each; byte * each < last; byte++) {
        int joined = 0;
        for (i64 state = byte * each; state < last && state < (byte + 1) * each; state++)
            joined |= (results[state] >> 16) << bits_each * (state - byte * each);
        ranks[byte] = (u8)joined;
    }
}
