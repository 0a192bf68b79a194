#ifndef KIBITZ_SPACE_H
#define KIBITZ_SPACE_H

#include "rows.h"

/* The number of a joint move. One that is not known is entered if `enters`, else noted down. */
INLINE u64 joint_number(struct intake *run, u64 moves, int enters)
{
    for (u64 at = mix(moves) & run->joint_mask;; at = (at + 1) & run->joint_mask) {
        u64 entry = run->joints[at];
        if (entry == 0) {
            if (!enters) {
                run->fresh_joint = 1;
                return 0;
            }
            run->joints[at] = (u64)++run->joint_count;
            run->joint_words[run->joint_count - 1] = moves;
            return (u64)run->joint_count - 1;
        }
        if (run->joint_words[entry - 1] == moves)
            return entry - 1;
    }
}

#endif
