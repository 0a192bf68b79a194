/* Masks of moves, which policies fill in. */
#ifndef KIBITZ_MATCHES_H
#define KIBITZ_MATCHES_H

#include "choice.h"

/* Fill in the masks of a block that was viewed; where no lane that goes on leaves the role a
 * choice, what is legal will do. */
INLINE void fill_masks(const struct mask *masks, i64 count, lanes *memory, lanes resting)
{
    for (const struct mask *mask = masks; mask < masks + count; mask++) {
        lanes one = NONE, several = NONE;
        for (i64 i = 0; i < mask->moves; i++) {
            lanes here = memory[mask->legal + i];
            several |= one & here;
            one |= here;
            memory[mask->mask + i] = here;
        }
        if (mask->fill && is_any(several & ~resting))
            mask->fill(memory, mask->code);
    }
}

#endif
