#include "lanes.h"

/* List the decision states that can come next after each start, whatever others do; return the
 * number of starts done, which is all of them unless room was short. */
i64 decisions_follow(const struct graph *graph, struct decisions *run, i64 begin)
{
    i64 total = run->first[begin];
    for (i64 row = begin; row < run->rows; row++) {
        i64 count = 1;
        if (run->room - total < run->most)
            return row;
        run->stack[0] = run->starts[row];
        run->stamp[run->starts[row]] = row;
        while (count) {
            i64 state = run->stack[--count];
            if (run->is_mine[state]) {
                if (run->number[state] >= 0)
                    run->found[total++] = run->number[state];
                continue;
            }
            for (i64 e = graph->first_edge[state]; e < graph->first_edge[state + 1]; e++) {
                i64 to = graph->target[e];
                if (run->stamp[to] != row) {
                    run->stamp[to] = row;
                    run->stack[count++] = to;
                }
            }
        }
        run->first[row + 1] = (i32)total;
    }
    return run->rows;
}

/* The rule of a list that decides, or -1; whether it errs. */
INLINE i64 deciding_rule(const struct repair *run, const i64 *order, i64 length, i64 state, int *errs)
{
    for (i64 i = 0; i < length; i++)
        if (run->applies[order[i] * run->states + state]) {
            *errs = run->errs[order[i] * run->states + state];
            return order[i];
        }
    *errs = !run->all_correct[state];
    return -1;
}

/* Play by a list from the start; return in how many states it errs, up to `most`. Nothing after an
 * error counts. */
i64 repair_follow(const struct repair *given, const i64 *order, i64 length, i64 most)
{
    const struct repair run = *given; /* a copy: stores to arrays may alias it */
    i64 count = 0, found = 0;
    for (i64 state = 0; state < run.states; state++)
        run.parent[state] = -2;
    for (i64 i = 0; i < run.root_count; i++)
        if (run.parent[run.roots[i]] == -2) {
            run.parent[run.roots[i]] = -1;
            run.queue[count++] = run.roots[i];
        }
    for (i64 at = 0; at < count; at++) {
        i64 state = run.queue[at];
        int errs;
        i64 rule = deciding_rule(&run, order, length, state, &errs);
        if (errs) {
            run.bad[found++] = (i32)state;
            if (found >= most)
                return found;
            continue;
        }
        for (i64 edge = run.first[state]; edge < run.first[state + 1]; edge++)
            if (rule < 0 || run.allowed[rule * run.edges + edge])
                for (i64 i = run.succ_first[edge]; i < run.succ_first[edge + 1]; i++)
                    if (run.parent[run.succ[i]] == -2) {
                        run.parent[run.succ[i]] = (i32)state;
                        run.queue[count++] = run.succ[i];
                    }
    }
    return found;
}

/* Count the decision states in which a list errs, whether it leads there or not. */
i64 repair_count(const struct repair *run, const i64 *order, i64 length)
{
    i64 found = 0;
    for (i64 state = 0; state < run->states; state++) {
        int errs;
        deciding_rule(run, order, length, state, &errs);
        found += errs;
    }
    return found;
}
