#include "numbers.h"

i64 number_state(struct numbered *states, const u64 *row)
{
    return find_or_add(states, row);
}

/* Put hashes into a table with room for them, where 0 is an empty slot; mark the new ones. */
void insert_hashes(u64 *table, u64 mask, const u64 *hashes, i64 count, u8 *is_new)
{
    for (i64 i = 0; i < count; i++) {
        u64 at = hashes[i] & mask;
        while (table[at] && table[at] != hashes[i])
            at = (at + 1) & mask;
        is_new[i] = table[at] == 0;
        table[at] = hashes[i];
    }
}
