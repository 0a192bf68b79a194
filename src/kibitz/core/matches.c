#include "matches.h"

/* One match in each lane, by masks of moves: `game` has the masks in the place of legal moves.
 * Every round takes its random numbers from the seed and its number, so that matches that went the
 * same way go on in the same way, whatever happens in other lanes. */

/* View the block, fill in the masks, and see what is over. */
void matches_view(const struct game *game, struct matches *run, i64 bits)
{
    (void)bits;
    lanes *memory = run->memory;
    view(game, memory);
    lanes over = memory[game->terminal];
    fill_masks(run->masks, run->mask_count, memory, over);
    for (i64 r = 0; r < game->role_count; r++) {
        lanes some = NONE;
        for (i64 i = 0; i < game->roles[r].moves; i++)
            some |= memory[game->roles[r].legal + i];
        over |= ~some;
    }
    *run->over = over;
}

/* Make a move in every lane that is not over. */
void matches_advance(const struct game *game, struct matches *run, i64 bits)
{
    lanes *memory = run->memory;
    u64 offset = run->round++ * 0x9E3779B97F4A7C15ull;
    UNROLL
    for (int i = 0; i < 4; i++) {
        lanes x = run->seed[i] + SPLAT(offset);
        x = (x ^ x >> 30) * SPLAT(0xBF58476D1CE4E5B9ull);
        x = (x ^ x >> 27) * SPLAT(0x94D049BB133111EBull);
        run->random[i] = x ^ x >> 31;
    }
    struct made made = make_moves(game, memory, run->random, run->scratch, 1, bits);
    lanes stays = made.stays | made.over;
    run->moves += ones_all(~stays);
    for (i64 f = 0; f < game->fluent_count; f++) {
        lanes *old = memory + game->fluents + f;
        *old = choose(stays, *old, memory[game->next + f]);
    }
}

void matches_play(const struct game *game, struct matches *run, i64 rounds, i64 bits)
{
    matches_view(game, run, bits);
    for (; rounds > 0 && is_any(~*run->over); rounds--) {
        matches_advance(game, run, bits);
        matches_view(game, run, bits);
    }
}
