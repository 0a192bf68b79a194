#include "rows.h"

/* Decide rule lists for blocks of states at a time: the column of a literal has one bit for each
 * state of a block, so a condition is an AND of columns. */

/* Fill in where literals hold: column 2c where one of some bits is set, 2c + 1 elsewhere. */
INLINE void fill_columns(struct rules *run, i64 start, i64 count)
{
    for (i64 c = 0; c < run->column_count; c++)
        run->columns[2 * c] = NONE;
    for (i64 part = 0; part < run->words; part++) {
        for (i64 i = 0; i < 64; i++)
            run->square[i] = NONE;
        for (i64 k = 0; k < count; k++)
            ((u64 *)run->square)[(k & 63) * WORDS + (k >> 6)] =
                run->states[(start + k) * run->words + part];
        transpose(run->square);
        for (i64 c = 0; c < run->column_count; c++)
            for (i64 at = run->column_ptr[c]; at < run->column_ptr[c + 1]; at++)
                if (run->column_bits[at] >> 6 == part)
                    run->columns[2 * c] |= run->square[run->column_bits[at] & 63];
    }
    for (i64 c = 0; c < run->column_count; c++)
        run->columns[2 * c + 1] = ~run->columns[2 * c];
}

/* Mark the moves of the first group that has an image that applies, for all such images. */
void rules_decide(const struct graph *graph, struct rules *run)
{
    for (i64 start = 0; start < graph->states; start += LANES) {
        i64 count = graph->states - start < LANES ? graph->states - start : LANES;
        lanes open = NONE;
        for (i64 move = 0; move < run->moves; move++)
            run->legal[move] = NONE;
        for (i64 k = 0; k < count; k++) {
            i64 state = start + k, word = k >> 6;
            u64 bit = 1ull << (k & 63);
            if (!run->is_turn[state])
                continue;
            WORD(open, word) |= bit;
            for (i64 e = graph->first_edge[state]; e < graph->first_edge[state + 1]; e++)
                ((u64 *)run->legal)[run->edge_move[e] * WORDS + word] |= bit;
        }
        if (!is_any(open))
            continue;
        fill_columns(run, start, count);
        for (i64 group = 0; group < run->groups && is_any(open); group++) {
            lanes decided = NONE;
            for (i64 move = 0; move < run->moves; move++)
                run->found[move] = NONE;
            for (i64 image = run->group_ptr[group]; image < run->group_ptr[group + 1]; image++) {
                lanes here = run->legal[run->image_move[image]] & open;
                for (i64 at = run->literal_ptr[image]; at < run->literal_ptr[image + 1]; at++)
                    here &= run->columns[run->literals[at]];
                run->found[run->image_move[image]] |= here;
                decided |= here;
            }
            open &= ~decided;
            for (int w = 0; w < WORDS; w++)
                for (u64 left = WORD(decided, w); left; left &= left - 1) {
                    i64 lane = __builtin_ctzll(left), state = start + 64 * w + lane;
                    run->decider[state] = (i32)run->group_rule[group];
                    for (i64 e = graph->first_edge[state]; e < graph->first_edge[state + 1]; e++)
                        run->chosen[e] |=
                            ((u64 *)run->found)[run->edge_move[e] * WORDS + w] >> lane & 1;
                }
        }
    }
}
