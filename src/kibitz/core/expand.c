#include "choice.h"
#include "rows.h"

/* Expand packed states: rows of words in, all their successors as rows out.
 *
 * A block of rows is turned into slots, viewed, and stepped once for each round of joint moves:
 * every lane makes its first move, then its second, and so on. Each block of successors is turned
 * back into rows, written one after the other with the row they come from and the moves made.
 */

/* Write the numbers of the moves made, bit by bit, the roles one after the other. */
INLINE void number_moves(const struct game *game, const lanes *memory, lanes *block, i64 bits)
{
    for (i64 i = 0; i < 64; i++)
        block[i] = NONE;
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        lanes sums[MOST_BITS];
        UNROLL
        for (i64 k = 0; k < bits; k++)
            sums[k] = NONE;
        for (i64 g = 0; g < role.groups; g++) {
            const lanes *made = memory + role.does + GROUP * g;
            lanes anyone = NONE;
            UNROLL
            for (int j = 0; j < GROUP; j++) {
                anyone |= made[j];
                UNROLL
                for (int k = 0; k < 3; k++)
                    if (j >> k & 1)
                        sums[k] |= made[j];
            }
            UNROLL
            for (i64 k = 3; k < bits; k++)
                sums[k] |= anyone & SPLAT(-(g >> (k - 3) & 1));
        }
        UNROLL
        for (i64 k = 0; k < bits; k++)
            block[r * bits + k] = sums[k];
    }
}

/* Write the next states of the lanes in a mask as rows; of all images the smallest row. */
static void
emit(const struct game *game, struct expansion *run, lanes mask, i64 first, i64 bits)
{
    i64 words = run->row_words;
    lanes *packed = run->packed, *moves = packed + 64 * words, *other = moves + 64;
    for (i64 image = 0; image < run->image_count; image++) {
        const i32 *order = run->images + 64 * words * image;
        lanes *into = image ? other : packed;
        for (i64 word = 0; word < words; word++) {
            for (i64 i = 0; i < 64; i++)
                into[64 * word + i] = run->memory[order[64 * word + i]];
            transpose(into + 64 * word);
        }
        if (image)
            for (i64 row = 0; row < 64; row++)
                keep_smaller(packed + row, other + row, words, 64);
    }
    number_moves(game, run->memory, moves, bits);
    transpose(moves);
    i64 at = run->written;
    for (int w = 0; w < WORDS; w++)
        for (u64 left = WORD(mask, w); left; left &= left - 1, at++) {
            i64 lane = __builtin_ctzll(left);
            const u64 *source = (const u64 *)packed + lane * WORDS + w;
            for (i64 word = 0; word < words; word++)
                run->out_rows[at * words + word] = source[word * LANES];
            run->out_moves[at] = source[words * LANES];
            run->out_parents[at] = first + lane + 64 * w;
        }
    run->written = at;
}

/* Choose moves for the roles left, then step and emit. */
static void expand_role(const struct game *game, struct expansion *run, lanes mask, i64 first, i64 r,
                        i64 bits)
{
    if (r == game->role_count) {
        step(game, run->memory);
        emit(game, run, mask, first, bits);
        return;
    }
    const struct role role = game->roles[r];
    i64 moves = GROUP * role.groups;
    lanes *remaining = run->remaining + (role.does - game->roles[0].does), seen;
    for (i64 i = 0; i < moves; i++)
        remaining[i] = run->memory[role.legal + i] & mask;
    while (is_any(seen = take_moves(remaining, run->memory + role.does, moves)))
        expand_role(game, run, seen, first, r + 1, bits);
}

/* Expand rows first to first + count, at most a block. */
void expand_rows(const struct game *game, struct expansion *run, i64 first, i64 count, i64 bits)
{
    lanes *memory = run->memory, stuck, clash;
    load_rows(game, memory, run->packed, run->rows + first * run->row_words, run->row_words, count);
    view(game, memory);
    for (i64 i = 0; i <= game->goal_count; i++)
        run->flags[i] = memory[game->terminal + i];
    count_all(game, memory, run->scratch, &stuck, &clash, bits);
    for (i64 r = 0; r < game->role_count; r++)
        run->flags[1 + game->goal_count + r] = run->scratch[r * (bits + 1) + bits];
    lanes mask = first_lanes(count) & ~stuck;
    if (run->stop)
        mask &= ~memory[game->terminal];
    if (is_any(mask))
        expand_role(game, run, mask, first, 0, bits);
}

/* Make one move in each of up to a block of rows: that of the role with a choice is given. Each has
 * one successor, in order. */
void expand_given(const struct game *game, struct expansion *run, const i64 *moves, i64 count,
                  i64 bits)
{
    lanes *memory = run->memory, stuck, clash;
    load_rows(game, memory, run->packed, run->rows, run->row_words, count);
    view(game, memory);
    count_all(game, memory, run->scratch, &stuck, &clash, bits);
    for (i64 r = 0; r < game->role_count; r++) {
        const struct role role = game->roles[r];
        lanes chooses = run->scratch[r * (bits + 1) + bits];
        for (i64 i = 0; i < GROUP * role.groups; i++)
            memory[role.does + i] = memory[role.legal + i] & ~chooses;
        for (i64 lane = 0; lane < count; lane++)
            if (moves[lane] >= 0 && WORD(chooses, lane >> 6) >> (lane & 63) & 1)
                set_bit(memory, role.does + moves[lane], lane, 1);
    }
    step(game, memory);
    emit(game, run, first_lanes(count), 0, bits);
}
