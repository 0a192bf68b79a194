#include "lanes.h"

/* Put the sources of the edges that lead to state s at back[first_back[s]] up to first_back[s + 1].
 * `first_back` comes as zeros, one more than there are states. */
void graph_invert(const struct graph *graph, i64 *first_back, u32 *back)
{
    i64 end = 0, edges = graph->first_edge[graph->states];
    for (i64 edge = 0; edge < edges; edge++)
        first_back[graph->target[edge]]++;
    for (i64 state = 0; state <= graph->states; state++)
        first_back[state] = end += first_back[state];
    /* From the last edge to the first, so that ends become beginnings. */
    for (i64 source = graph->states - 1; source >= 0; source--)
        for (i64 edge = graph->first_edge[source]; edge < graph->first_edge[source + 1]; edge++)
            back[--first_back[graph->target[edge]]] = (u32)source;
}

void graph_sources(const struct graph *graph, u32 *source)
{
    for (i64 state = 0; state < graph->states; state++)
        for (i64 edge = graph->first_edge[state]; edge < graph->first_edge[state + 1]; edge++)
            source[edge] = (u32)state;
}

/* Mark the states that follow from marked ones; return whether another pass is needed. */
i64 graph_mark_following(const struct graph *graph, u8 *marks)
{
    int is_new = 0;
    for (i64 state = 0; state < graph->states; state++)
        if (marks[state])
            for (i64 edge = graph->first_edge[state]; edge < graph->first_edge[state + 1]; edge++) {
                i64 to = graph->target[edge];
                is_new |= to < state && !marks[to];
                marks[to] = 1;
            }
    return is_new;
}

/* Write states so that each comes after all it leads to; return how many can be ordered. */
i64 graph_order_backwards(const struct graph *graph, const i64 *first_back, const u32 *back,
                          u32 *left, u32 *order)
{
    i64 size = 0;
    for (i64 state = 0; state < graph->states; state++) {
        left[state] = (u32)(graph->first_edge[state + 1] - graph->first_edge[state]);
        if (left[state] == 0)
            order[size++] = (u32)state;
    }
    for (i64 done = 0; done < size; done++)
        for (i64 i = first_back[order[done]]; i < first_back[order[done] + 1]; i++)
            if (--left[back[i]] == 0)
                order[size++] = back[i];
    return size;
}

/* Write the states that allowed edges lead to from state 0, nearest first; count them. */
i64 graph_follow(const struct graph *graph, const u8 *allowed, u8 *seen, i64 *arrival, i64 *order)
{
    i64 count = 1;
    seen[0] = 1;
    order[0] = 0;
    for (i64 done = 0; done < count; done++) {
        i64 state = order[done];
        for (i64 edge = graph->first_edge[state]; edge < graph->first_edge[state + 1]; edge++) {
            i64 after = graph->target[edge];
            if (allowed[edge] && !seen[after]) {
                seen[after] = 1;
                arrival[after] = edge;
                order[count++] = after;
            }
        }
    }
    return count;
}

/* Mark edges between states of equal value. With distances, an edge that keeps another value than
 * the middle must also gain one ply. */
void graph_mark_keeping(const struct graph *graph, const u8 *value, const u16 *distance, i64 middle,
                        u8 *marks)
{
    for (i64 state = 0; state < graph->states; state++)
        for (i64 edge = graph->first_edge[state]; edge < graph->first_edge[state + 1]; edge++) {
            i64 to = graph->target[edge];
            int comes_on =
                !distance || value[state] == middle || distance[to] + 1 == distance[state];
            marks[edge] = comes_on && value[to] == value[state];
        }
}
