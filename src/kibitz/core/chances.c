#include "rows.h"

/* Chances of winning, threats and orbits, for all states of a space. */

/* Add the number of threats that hold in states to the result. Threat i asks for `want` among the
 * bits `care`, and for a bit of each row of `some` from first[i] to first[i + 1]. */
void chances_count_threats(const struct threats *run, i64 sign, i32 *result, i64 start, i64 stop)
{
    i64 words = run->words;
    for (i64 state = start; state < stop; state++) {
        const u64 *row = run->states + state * words;
        i64 count = 0;
        for (i64 i = 0; i < run->count; i++) {
            u64 differ = 0;
            for (i64 w = 0; w < words; w++)
                differ |= (row[w] & run->care[i * words + w]) ^ run->want[i * words + w];
            int holds = differ == 0;
            for (i64 at = run->first[i]; holds && at < run->first[i + 1]; at++) {
                u64 some = 0;
                for (i64 w = 0; w < words; w++)
                    some |= row[w] & run->some[at * words + w];
                holds = some != 0;
            }
            count += holds;
        }
        result[state] += (i32)(sign * count);
    }
}

/* Add to the result how many images equal the state itself. `tables` has for each image, each byte
 * of a row and each value of it the image of that byte. */
void chances_count_fixed(const u64 *states, i64 words, const u64 *tables, i64 images, u64 *moved,
                         i64 *result, i64 start, i64 stop)
{
    for (i64 state = start; state < stop; state++) {
        const u64 *row = states + state * words;
        for (i64 image = 0; image < images; image++) {
            for (i64 w = 0; w < words; w++)
                moved[w] = 0;
            for (i64 byte = 0; byte < 8 * words; byte++) {
                i64 value = row[byte >> 3] >> 8 * (byte & 7) & 255;
                const u64 *there = tables + ((image * 8 * words + byte) * 256 + value) * words;
                for (i64 w = 0; w < words; w++)
                    moved[w] |= there[w];
            }
            result[state] += equal_rows(moved, row, words);
        }
    }
}

struct picks {
    const u8 *chosen;
    f64 slip;
};

INLINE struct picks picks_of(const struct chain *chain, i64 state)
{
    int own = chain->turn[state] == chain->role;
    return (struct picks){own ? chain->own : chain->other, own ? chain->own_slip : chain->other_slip};
}

/* The mean chance of a state's successors, as the role to move picks them. */
INLINE f64 mean_chance(const struct graph *graph, const struct chain *chain, const f64 *chance,
                       i64 state)
{
    struct picks picks = picks_of(chain, state);
    i64 first = graph->first_edge[state], last = graph->first_edge[state + 1], count = 0;
    f64 total = 0.0, some = 0.0;
    for (i64 edge = first; edge < last; edge++) {
        f64 here = chance[graph->target[edge]];
        total += here;
        if (picks.chosen[edge]) {
            some += here;
            count++;
        }
    }
    f64 every = total / (f64)(last - first);
    if (count == 0)
        return every;
    if (picks.slip == 0.0)
        return some / (f64)count;
    return (1.0 - picks.slip) * (some / (f64)count) + picks.slip * every;
}

/* Give states from `start` to `stop` the mean chance of their successors. With an order, states
 * stand at these places of it; the last of a space come first. `open` marks the states that get
 * one, if it is given. */
void chances_sweep(const struct graph *graph, const struct chain *chain, f64 *chance,
                   const u32 *order, const u8 *open, i64 start, i64 stop)
{
    for (i64 at = start; at < stop; at++) {
        i64 state = order ? order[at] : graph->states - 1 - at;
        if (open ? open[state] : graph->first_edge[state] < graph->first_edge[state + 1])
            chance[state] = mean_chance(graph, chain, chance, state);
    }
}

/* Mark states from which play can lead to marked ones; return whether any is new. */
i64 chances_reach(const struct graph *graph, const struct chain *chain, u8 *marks)
{
    int is_new = 0;
    for (i64 state = graph->states - 1; state >= 0; state--) {
        i64 first = graph->first_edge[state], last = graph->first_edge[state + 1];
        struct picks picks = picks_of(chain, state);
        int some = 0;
        for (i64 edge = first; edge < last; edge++)
            some |= picks.chosen[edge];
        int every = !some || picks.slip > 0.0;
        for (i64 edge = first; edge < last && !marks[state]; edge++)
            if (marks[graph->target[edge]] && (every || picks.chosen[edge]))
                marks[state] = is_new = 1;
    }
    return is_new;
}

/* Play from states begins[start] to begins[stop], `plays` times each; count the role's wins. The
 * random numbers depend only on the seed, the state and the number of its round. */
void chances_play(const struct graph *graph, const struct chain *chain, const struct plays *run,
                  i64 start, i64 stop)
{
    for (i64 i = start; i < stop; i++) {
        u64 random = (u64)run->seed * 0x632BE59BD9B4E019ull + (u64)run->begins[i] +
                     (u64)run->rounds[i] * 0xD1B54A32D192ED03ull;
        split_mix(&random);
        for (i64 play = 0; play < run->plays; play++) {
            i64 state = run->begins[i];
            for (i64 ply = 0; ply < run->most_plies; ply++) {
                i64 first = graph->first_edge[state], last = graph->first_edge[state + 1];
                struct picks picks = picks_of(chain, state);
                if (first == last)
                    break;
                i64 count = 0;
                for (i64 edge = first; edge < last; edge++)
                    count += picks.chosen[edge];
                if (picks.slip > 0.0 && draw_unit(&random) < picks.slip)
                    count = 0;
                i64 rank = draw_below(&random, count ? count : last - first);
                for (i64 edge = first; edge < last; edge++)
                    if ((count == 0 || picks.chosen[edge]) && rank-- == 0) {
                        state = graph->target[edge];
                        break;
                    }
            }
            run->wins[i] += run->is_won[state];
        }
    }
}
