#include "lanes.h"

#define UNKNOWN 255
#define LONGEST 0xFFFE

/* Count the edges of each state to states that have no value, or that end with the middle. */
void value_count_open(const struct graph *graph, const u8 *value, const u16 *distance, i64 middle,
                      u32 *open)
{
    for (i64 state = 0; state < graph->states; state++) {
        open[state] = 0;
        if (value[state] != UNKNOWN)
            continue;
        for (i64 edge = graph->first_edge[state]; edge < graph->first_edge[state + 1]; edge++) {
            i64 to = graph->target[edge];
            open[state] += value[to] == UNKNOWN || (value[to] == middle && distance[to] == 0);
        }
    }
}

/* Spread the value of the first `size` states in the queue to all from which it can be forced.
 *
 * States enter the queue in the order of their distance. One whose mover wants the value gets it
 * with the first of its edges, others with the last, which `left` counts down to. Returns 0 if a
 * distance is too long to store. */
i64 value_spread(u32 *queue, i64 size, const i64 *first_back, const u32 *back, const u8 *wants,
                 u32 *left, u8 *value, u16 *distance)
{
    for (i64 done = 0; done < size; done++) {
        i64 state = queue[done];
        for (i64 i = first_back[state]; i < first_back[state + 1]; i++) {
            i64 source = back[i];
            if (value[source] != UNKNOWN || (!wants[source] && --left[source] > 0))
                continue;
            if (distance[state] >= LONGEST)
                return 0;
            value[source] = value[state];
            distance[source] = distance[state] + 1;
            queue[size++] = (u32)source;
        }
    }
    return 1;
}

/* Find the outcomes that best play may have if each mover maximises only its own goal. */
void value_outcomes(const struct graph *graph, struct outcomes *run)
{
    i64 words = run->words;
    for (i64 at = 0; at < graph->states; at++) {
        i64 state = run->order[at];
        i64 begin = graph->first_edge[state], end = graph->first_edge[state + 1];
        if (begin == end)
            continue;
        i64 mover = run->turn[state], least = -1;
        u32 shortest = ~0u, longest = 0;
        /* The mover's guaranteed goal: the best of the least that each move gives. */
        for (i64 edge = begin; mover >= 0 && edge < end; edge++) {
            const u64 *there = run->possible + graph->target[edge] * words;
            i64 worst = INT8_MAX;
            for (i64 w = 0; w < words; w++)
                for (u64 left = there[w]; left; left &= left - 1) {
                    i64 goal =
                        run->goals[(64 * w + __builtin_ctzll(left)) * run->roles + mover];
                    worst = goal < worst ? goal : worst;
                }
            least = worst > least ? worst : least;
        }
        int is_first = 1;
        for (i64 edge = begin; edge < end; edge++) {
            i64 to = graph->target[edge];
            const u64 *there = run->possible + to * words;
            int is_played = 0, differs = 0;
            for (i64 w = 0; w < words; w++) {
                u64 kept = there[w];
                for (u64 left = mover >= 0 ? kept : 0; left; left &= left - 1)
                    if (run->goals[(64 * w + __builtin_ctzll(left)) * run->roles + mover] < least)
                        kept &= ~(left & -left);
                is_played |= kept != 0;
                if (is_first)
                    run->first[w] = kept;
                else
                    differs |= kept != run->first[w];
                run->possible[state * words + w] |= kept;
            }
            if (is_played) {
                run->has_tie[state] |= differs;
                is_first = 0;
                shortest = run->shortest[to] + 1 < shortest ? run->shortest[to] + 1 : shortest;
                longest = run->longest[to] + 1 > longest ? run->longest[to] + 1 : longest;
            }
        }
        run->shortest[state] = shortest;
        run->longest[state] = longest;
    }
}

/* The best value that edges lead to, for the first or the second role. */
INLINE i32 best_value(const struct graph *graph, const i32 *values, i64 state, int is_second)
{
    i64 edge = graph->first_edge[state];
    i32 best = values[graph->target[edge]];
    while (++edge < graph->first_edge[state + 1]) {
        i32 here = values[graph->target[edge]];
        if (is_second ? here < best : here > best)
            best = here;
    }
    return best;
}

/* Value states by their successors' values, ends by their goals. Values beyond `limit` are ends,
 * and lose one for each ply of distance. */
void value_back_up(const struct graph *graph, const i8 *turn, i64 limit, const i32 *values,
                   i32 *result, i64 start, i64 stop)
{
    for (i64 state = start; state < stop; state++) {
        result[state] = values[state];
        if (graph->first_edge[state] == graph->first_edge[state + 1])
            continue;
        i32 best = best_value(graph, values, state, turn[state] == 1);
        result[state] = best - (best > limit) + (best < -limit);
    }
}

/* Mark the edges that lead to the best value for whoever is to move. */
void value_mark_best(const struct graph *graph, const i8 *turn, const i32 *values, u8 *chosen,
                     i64 start, i64 stop)
{
    for (i64 state = start; state < stop; state++) {
        if (graph->first_edge[state] == graph->first_edge[state + 1])
            continue;
        i32 best = best_value(graph, values, state, turn[state] == 1);
        for (i64 edge = graph->first_edge[state]; edge < graph->first_edge[state + 1]; edge++)
            chosen[edge] = values[graph->target[edge]] == best;
    }
}
