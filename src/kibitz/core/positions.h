/* A bounded table of positions with their proof and disproof numbers, for several threads. */
#ifndef KIBITZ_POSITIONS_H
#define KIBITZ_POSITIONS_H

#include "rows.h"

struct numbers {
    i64 pn;
    i64 dn;
};

INLINE int is_decided(struct numbers numbers)
{
    return (numbers.pn == 0) != (numbers.dn == 0);
}

INLINE struct numbers numbers_of(u64 entry)
{
    return (struct numbers){entry & INFINITE, entry >> DN_SHIFT & INFINITE};
}

INLINE i64 aim_of(u64 entry)
{
    return entry >> AIM_SHIFT & 127;
}

INLINE u64 *lock_of(const struct positions *table, u64 hash)
{
    return table->locks + ((hash & table->mask) / BUCKET & table->lock_mask);
}

/* The numbers of a row, both 0 if the table has none. What reaches a value reaches every smaller
 * one, and what misses it misses every larger one. A lock that is odd, or another one afterwards,
 * says that the bucket was written meanwhile. */
INLINE struct numbers
probe(const struct positions *table, const u64 *row, u64 hash, i64 aim, i64 words)
{
    const u64 *bucket = table->entries + (hash & table->mask) * (u64)(words + 1);
    const u64 *lock = lock_of(table, hash);
    for (;;) {
        struct numbers found = {0, 0};
        u64 before = __atomic_load_n(lock, __ATOMIC_ACQUIRE);
        for (const u64 *place = bucket; place < bucket + BUCKET * (words + 1); place += words + 1) {
            u64 entry = *place;
            if (!entry || !equal_rows(place + 1, row, words))
                continue;
            struct numbers here = numbers_of(entry);
            i64 asked = aim_of(entry);
            if (asked == aim || (asked > aim && here.pn == 0) || (asked < aim && here.dn == 0)) {
                found = here;
                if (is_decided(here))
                    break;
            }
        }
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(lock, __ATOMIC_ACQUIRE) == before && !(before & 1))
            return found;
    }
}

/* Write the numbers of a row, over the entry of its bucket that took the least work. */
static void keep_numbers(const struct positions *table, const u64 *row, u64 hash, i64 aim,
                         struct numbers numbers, i64 work, i64 words)
{
    u64 size = 64 - (u64)__builtin_clzll((u64)work | 1), before, least = 64;
    u64 *bucket = table->entries + (hash & table->mask) * (u64)(words + 1), *into = bucket;
    u64 *lock = lock_of(table, hash);
    do
        before = __atomic_load_n(lock, __ATOMIC_RELAXED) & ~1ull;
    while (!__atomic_compare_exchange_n(lock, &before, before + 1, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED));
    for (u64 *place = bucket; place < bucket + BUCKET * (words + 1); place += words + 1) {
        u64 entry = *place;
        if (entry && aim_of(entry) == aim && equal_rows(place + 1, row, words)) {
            into = place;
            break;
        }
        if (entry >> WORK_SHIFT < least) {
            least = entry >> WORK_SHIFT;
            into = place;
        }
    }
    *into = (u64)numbers.pn | (u64)numbers.dn << DN_SHIFT | (u64)aim << AIM_SHIFT |
            size << WORK_SHIFT;
    for (i64 word = 0; word < words; word++)
        into[1 + word] = row[word];
    __atomic_store_n(lock, before + 2, __ATOMIC_RELEASE);
}

#endif
