#include "choice.h"

void playouts_run(const struct game *game, struct playouts *run, i64 rounds, i64 bits)
{
    const struct game own = *game; /* registers: what is stored to lanes may alias the original */
    lanes *memory = run->memory;
    game = &own;
    for (i64 round = 0; round < rounds; round++) {
        view(game, memory);
        struct made made = make_moves(game, memory, run->random, run->scratch, 0, bits);
        if (is_any(made.over)) {
            run->counts[1] += ones_all(made.ended);
            run->counts[2] += ones_all(made.over & ~made.ended);
            for (i64 i = 0; i < game->goal_count; i++)
                run->counts[3 + i] += ones_all(made.ended & memory[game->goals + i]);
        }
        run->counts[0] += LANES - ones_all(made.stays | made.over);
        for (i64 f = 0; f < game->fluent_count; f++) {
            lanes *old = memory + game->fluents + f;
            lanes next = choose(made.stays, *old, memory[game->next + f]);
            *old = choose(made.over, SPLAT(run->initial[f]), next);
        }
    }
}

/* In the first `rounds` rounds a lane whose match is over starts a new one; after them it rests,
 * until all rest or `most` rounds have been made. So every match that was begun is counted, also
 * the long ones, and the mean is not biased towards short matches (Wald's identity). */
void playouts_roll(const struct game *game, struct rollouts *run, i64 rounds, i64 most, i64 bits)
{
    const struct game own = *game;
    game = &own;
    lanes *memory = run->memory, *counts = run->counts, live = *run->live;
    for (i64 round = 0; round < most && is_any(live); round++) {
        view(game, memory);
        struct made made = make_moves(game, memory, run->random, run->scratch, 0, bits);
        lanes over = made.over & live, ended = made.ended & over;
        if (is_any(over)) {
            counts[1] += ones_each(ended);
            counts[2] += ones_each(over & ~ended);
            for (i64 i = 0; i < game->goal_count; i++)
                counts[3 + i] += ones_each(ended & memory[game->goals + i]);
        }
        counts[0] += ones_each(live & ~(made.stays | over));
        if (round >= rounds)
            live &= ~over;
        for (i64 f = 0; f < game->fluent_count; f++) {
            lanes *old = memory + game->fluents + f;
            lanes next = choose(made.stays, *old, memory[game->next + f]);
            *old = choose(made.over, run->initial[f], next);
        }
    }
    *run->live = live;
}
