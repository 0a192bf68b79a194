#include "lanes.h"

#define AHEAD 48
#define NEVER 0xFFFF

/* Value states last - 1 down to first; every edge leads to a state with a value, and terminal
 * states have theirs. A role ahead of the middle prefers short play, and a role behind it long
 * play; neither shortens a draw. A play that is stuck never ends, nor does one that leads there. */
void sweep_layered(struct sweep *run, i64 first, i64 last)
{
    const i64 *first_edge = run->first_edge, middle = run->middle;
    const u32 *targets = run->targets;
    u8 *values = run->value;
    u16 *distances = run->distance;
    for (i64 state = last - 1; state >= first; state--) {
        i64 begin = first_edge[state], end = first_edge[state + 1];
        i64 best = -1, best_value = 0, best_plies = 0;
        int is_second = run->turn[state] != 0;
        for (i64 edge = begin; edge < end; edge++) {
            /* States come in descending order, so lower edges are used later. */
            u32 later = targets[edge >= AHEAD ? edge - AHEAD : edge], target = targets[edge];
            __builtin_prefetch(values + later);
            __builtin_prefetch(distances + later);
            i64 value = values[target], plies = distances[target];
            int ahead = is_second ? value < middle : value > middle;
            /* A number that orders results by the mover's preference: value, then time. */
            i64 key = (is_second ? 255 - value : value) << 16 | (ahead ? NEVER - plies : plies);
            if (key > best) {
                best = key;
                best_value = value;
                best_plies = plies == NEVER ? plies : plies + 1;
            }
        }
        if (begin < end) {
            values[state] = (u8)best_value;
            distances[state] = (u16)best_plies;
        }
    }
}
