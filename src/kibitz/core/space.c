#include "choice.h"
#include "space.h"

/* Read the end, the turn and the goals of a block's states off its flags. */
static void facts(const struct game *game, struct intake *run, i64 first, i64 size)
{
    const u64 *flags = (const u64 *)run->expansion->flags;
    i64 roles = game->role_count, goals = game->goal_count;
    for (i64 i = 0; i < size; i++) {
        i64 state = first + i, word = i >> 6, shift = i & 63, mover = -1;
        u64 seen = 0;
        i64 ended = flags[word] >> shift & 1;
        run->terminal[state] = (u8)ended;
        for (i64 r = 0; r < roles; r++) {
            run->goals[state * roles + r] = -1;
            if (!ended && flags[(1 + goals + r) * WORDS + word] >> shift & 1)
                mover = mover == -1 ? r : -2;
        }
        run->turn[state] = (i8)mover;
        for (i64 g = 0; g < goals; g++)
            if (flags[(1 + g) * WORDS + word] >> shift & 1) {
                i64 r = run->goal_roles[g];
                run->goals[state * roles + r] = (i8)(seen >> r & 1 ? -1 : run->goal_values[g]);
                seen |= 1ull << r;
            }
    }
}

/* Write successors, facts and hashes; return how many states were expanded. It stops early where
 * there might be no room for the successors of one more block. */
i64 space_expand(const struct game *game, struct intake *run, i64 first, i64 count, i64 bits, i64 words)
{
    struct expansion *expansion = run->expansion;
    i64 done = 0;
    while (done < count && expansion->written <= run->room) {
        i64 before = expansion->written, left = count - done;
        i64 size = left < run->block ? left : run->block;
        expand_rows(game, expansion, first + done, size, bits);
        facts(game, run, first + done, size);
        for (i64 e = run->offset + before; e < run->offset + expansion->written; e++) {
            run->hashes[e] = hash_row(run->rows + e * words, words);
            run->codes[e] = (u16)joint_number(run, run->moves[e], 0);
        }
        done += size;
    }
    return done;
}
